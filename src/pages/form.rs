//! A posted form: `application/x-www-form-urlencoded`, read strictly.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{Request, header};

use super::page::{FormState, Typed};
use super::problem::{self, Problem};
use app::Error;
use domain::input::Input;
use wire::NotWhole;

/// Maximum size of a posted form in bytes.
const LIMIT: usize = 256 * 1024;

/// The fields of a form, in the order of the page.
#[derive(Debug, Clone, Default)]
pub struct Form(Vec<(String, String)>);

impl Form {
    pub async fn read(request: Request<Body>) -> Result<Form, Problem> {
        let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(problem::NOT_A_FORM);
        }
        let bytes = wire::whole(request.into_body(), LIMIT).await.map_err(|why| match why {
            NotWhole::Slow => problem::FORM_TOO_SLOW,
            NotWhole::Lost => problem::BAD_REQUEST,
            NotWhole::TooLarge => problem::FORM_TOO_LARGE,
        })?;
        let decoded = percent_encoding::percent_decode(&bytes).collect::<Vec<u8>>();
        if std::str::from_utf8(&decoded).is_err() {
            return Err(problem::BAD_REQUEST);
        }
        // A NUL can come with pasted text; nobody sees it, and no database stores it.
        let without_nul = |text: Cow<'_, str>| text.replace('\0', "");
        Ok(Form(
            url::form_urlencoded::parse(&bytes).map(|(name, value)| (without_nul(name), without_nul(value))).collect(),
        ))
    }

    pub fn fields(&self) -> &[(String, String)] {
        &self.0
    }

    /// Returns the value of `name`, or empty. If there are several, the last.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().rev().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// Returns the named fields as a body for a use case; a field that was not posted is left out.
    pub fn input(&self, names: &[&str]) -> Vec<(String, Input)> {
        let given = |name: &&&str| self.0.iter().any(|(key, _)| key == **name);
        names.iter().filter(given).map(|name| ((*name).to_owned(), Input::Text(self.get(name).to_owned()))).collect()
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.0.retain(|(name, _)| keep(name));
    }

    pub fn rename(&mut self, rename: impl Fn(&str) -> Option<String>) {
        for (name, _) in &mut self.0 {
            if let Some(new) = rename(name) {
                *name = new;
            }
        }
    }

    /// Returns what was typed, to be shown again. Passwords and secrets never come back.
    pub fn state(&self) -> FormState {
        let mut state = FormState::default();
        for (name, value) in &self.0 {
            let lower = name.to_lowercase();
            if lower.contains("password") || lower.contains("secret") || name == "token" || name == "_action" {
                continue;
            }
            let several = matches!(
                name.as_str(),
                "financialPlan.selectedPayments"
                    | "creditTransfer.selectedPrograms"
                    | "sections"
                    | "reasons"
                    | "shownReasons"
            );
            match state.values.get_mut(name) {
                Some(Typed::Several(values)) => values.push(value.clone()),
                Some(Typed::One(old)) if name.starts_with("questionnaire.") => {
                    let several = vec![std::mem::take(old), value.clone()];
                    state.values.insert(name.clone(), Typed::Several(several));
                }
                Some(Typed::One(old)) => *old = value.clone(),
                None if several => {
                    state.values.insert(name.clone(), Typed::Several(vec![value.clone()]));
                }
                None => {
                    state.values.insert(name.clone(), Typed::One(value.clone()));
                }
            }
        }
        state
    }

    /// Returns what was typed, with its errors.
    pub fn refused(&self, error: &Error) -> FormState {
        let mut state = self.state();
        match error {
            Error::Invalid(errors) => {
                for error in errors {
                    if error.path.is_empty() || error.code == "field.unknown" {
                        state.error = Some(error.message.clone());
                    } else {
                        state.errors.push((error.path.clone(), error.message.clone()));
                    }
                }
            }
            other => {
                log(other);
                state.error = Some(other.sentence());
            }
        }
        state
    }
}

/// Logs what went wrong on our side; the user's own errors are not logged.
pub fn log(error: &Error) {
    if matches!(error, Error::Unavailable(_) | Error::Internal(_)) {
        tracing::error!(error = error as &dyn std::error::Error, "a form could not be handled");
    }
}
