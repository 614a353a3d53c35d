//! The language of the pages: which one is used, and the form that chooses it.

use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use super::theme::way_back;
use super::{Form, Visit, respond, visitor_cookie};
use domain::guard::Route;
use domain::language::Language;

/// Remembers the chosen language.
pub const LANGUAGE_COOKIE: &str = "language";
/// In the address of a landing page or an open day, for users who follow a search engine's link.
pub const PARAMETER: &str = "lang";

/// Returns what was chosen in this browser.
pub fn chosen(headers: &HeaderMap) -> Option<Language> {
    wire::cookie(headers, LANGUAGE_COOKIE).and_then(Language::parse)
}

pub fn choose(visit: &Visit, form: &Form) -> Response {
    respond::see_other_with(&without_parameter(way_back(form)), [cookie(visit, form)])
}

/// Returns `Set-Cookie` for the language that a form names.
pub fn cookie(visit: &Visit, form: &Form) -> HeaderValue {
    let language = Language::parse(form.get("language")).unwrap_or_default();
    visitor_cookie(LANGUAGE_COOKIE, language.as_str(), visit.state.cookies)
}

/// Returns the address without its language parameter, which would override the choice.
fn without_parameter(path: &str) -> String {
    let Some((path, query)) = path.split_once('?') else { return path.to_owned() };
    let kept: Vec<&str> = query.split('&').filter(|part| !part.starts_with(&format!("{PARAMETER}="))).collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

impl Visit {
    /// Returns the language of this visit's pages: that of the address, else the one chosen in the browser, else the
    /// account's, else what the browser asks for. Pages of staff and of development are in English.
    pub fn language(&self) -> Language {
        if self.path.starts_with("/admin-panel") || self.path == "/mailbox" {
            return Language::En;
        }
        self.language_of_address().unwrap_or(self.visitor.language)
    }

    /// Returns what the address of a page that search engines keep asks for.
    pub fn language_of_address(&self) -> Option<Language> {
        let asked = self.query(PARAMETER)?;
        matches!(Route::parse(&self.path), Route::Apply(_) | Route::OpenDay).then(|| Language::parse(&asked)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_asks_for_no_language() {
        assert_eq!(without_parameter("/bachelor/apply?lang=es"), "/bachelor/apply");
        assert_eq!(without_parameter("/bachelor/apply?lang=es&dialog=login"), "/bachelor/apply?dialog=login");
        assert_eq!(without_parameter("/dashboard"), "/dashboard");
    }
}
