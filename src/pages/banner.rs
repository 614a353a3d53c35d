//! The line that Owners put above the pages of applicants, and dismissing it.

use axum::http::HeaderMap;
use axum::response::Response;

use super::theme::way_back;
use super::{Form, Visit, respond, visitor_cookie};

/// Remembers the version dismissed in this browser.
const COOKIE: &str = "banner";

/// Returns the version that was dismissed; the next one is shown again.
pub fn put_away(headers: &HeaderMap) -> Option<i64> {
    wire::cookie(headers, COOKIE)?.parse().ok()
}

pub fn submit(visit: &Visit, form: &Form) -> Response {
    let version = form.get("version").parse::<u32>().unwrap_or_default();
    let cookie = visitor_cookie(COOKIE, &version.to_string(), visit.state.cookies);
    respond::see_other_with(way_back(form), [cookie])
}
