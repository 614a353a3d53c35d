//! The choice between light, dark and the system's own theme.

use axum::response::Response;

use super::page::Theme;
use super::visitor::THEME_COOKIE;
use super::{Form, Visit, respond, visitor_cookie};

pub fn choose(visit: &Visit, form: &Form) -> Response {
    let theme = Theme::parse(form.get("theme")).unwrap_or_default();
    let cookie = visitor_cookie(THEME_COOKIE, theme.as_str(), visit.state.cookies);
    respond::see_other_with(way_back(form), [cookie])
}

/// Returns which of our pages a form in the footer was posted from.
pub fn way_back(form: &Form) -> &str {
    let back = form.get("back");
    let ours = back.starts_with('/') && !back.starts_with("//") && !back.contains(['\\', '\r', '\n']);
    if ours { back } else { "/" }
}
