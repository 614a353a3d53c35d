//! The choice between light, dark and the system's own theme.

use axum::response::Response;

use super::page::Theme;
use super::visitor::THEME_COOKIE;
use super::{Form, Visit, respond, visitor_cookie};

pub fn choose(visit: &Visit, form: &Form) -> Response {
    let theme = Theme::parse(form.get("theme")).unwrap_or_default();
    let back = form.get("back");
    let back =
        if back.starts_with('/') && !back.starts_with("//") && !back.contains(['\\', '\r', '\n']) { back } else { "/" };
    let cookie = visitor_cookie(THEME_COOKIE, theme.as_str(), visit.state.cookies);
    respond::see_other_with(back, [cookie])
}
