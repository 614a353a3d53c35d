//! What calls of the office have in common: who makes one, what it is about, and what its headers ask for.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{FromRequestParts, Path};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use serde::Serialize;

use super::LoggedInStaff;
use crate::ApiState;
use crate::problem::Problem;
use crate::users::submission::conditions;
use app::applications::acts::Preconditions;
use app::{App, Error};
use domain::application::{Application, ApplicationKey};
use domain::input::FieldError;
use domain::permission::Permission;
use domain::staff::{Staff, StaffSession};

/// A call that a gate let through.
pub struct StaffRequest {
    api: ApiState,
    pub who: StaffSession,
    /// `If-Match` and `Idempotency-Key`.
    pub conditions: Preconditions,
    /// The values of the names in braces in its path.
    names: HashMap<String, String>,
    query: String,
}

impl FromRequestParts<ApiState> for StaffRequest {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, Problem> {
        let LoggedInStaff(who) = LoggedInStaff::from_request_parts(parts, api).await?;
        let conditions = conditions(&parts.headers)?;
        // A path that is not valid text names nothing, as an empty name does.
        let names = Path::<HashMap<String, String>>::from_request_parts(parts, api).await;
        let names = names.map(|Path(names)| names).unwrap_or_default();
        let query = parts.uri.query().unwrap_or_default().to_owned();
        Ok(StaffRequest { api: api.clone(), who, conditions, names, query })
    }
}

impl StaffRequest {
    pub fn app(&self) -> &App {
        &self.api.app
    }

    pub fn staff(&self) -> &Staff {
        &self.who.staff
    }

    /// Returns the value of `{id}` in the path.
    pub fn id(&self) -> &str {
        self.part("id")
    }

    /// Returns the value of a name in braces in the path.
    pub fn part(&self, name: &str) -> &str {
        self.names.get(name).map_or("", String::as_str)
    }

    pub fn query(&self, name: &str) -> Option<String> {
        self.pairs().into_iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub fn pairs(&self) -> Vec<(String, String)> {
        url::form_urlencoded::parse(self.query.as_bytes()).into_owned().collect()
    }

    /// Identifies the application by `{id}`.
    pub fn key(&self) -> ApplicationKey<'_> {
        ApplicationKey::Id(self.id())
    }

    /// Returns the application that `{id}` names, if the caller has this permission for it.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](app::Refusal), [`Refusal::ApplicationNotFound`](app::Refusal)
    pub async fn application(&self, permission: Permission) -> Result<Application, Error> {
        self.app().office_application(&self.who, self.id(), permission).await
    }

    /// Returns an id for what the call creates: the same one for the same `Idempotency-Key` of the same person about
    /// the same thing, so that it is created once.
    pub fn new_id(&self, what: &str) -> String {
        match &self.conditions.key {
            Some(key) => {
                let text = [what, self.staff().id.as_str(), self.id(), key].join("\n");
                self.app().id_of(&text)
            }
            None => self.app().random.id(),
        }
    }
}

/// Returns a response about something at a revision, which is its `ETag`.
pub fn tagged(revision: i64, body: impl Serialize) -> impl IntoResponse {
    ([(header::ETAG, format!("\"{revision}\""))], Json(body))
}

/// Moves errors from the field `from` to the field that this call names `to`.
pub fn renamed(errors: Vec<FieldError>, from: &str, to: &str) -> Vec<FieldError> {
    let rename = |error: FieldError| match error.code.strip_prefix(from) {
        Some(rule) if error.path == from => FieldError { path: to.to_owned(), code: format!("{to}{rule}"), ..error },
        _ => error,
    };
    errors.into_iter().map(rename).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_told_by_the_name_that_it_has_here() {
        let errors = vec![FieldError::new("id", "id.range", "x"), FieldError::new("ids", "ids.range", "x")];
        let fields: Vec<(String, String)> =
            renamed(errors, "id", "applications").into_iter().map(|error| (error.path, error.code)).collect();
        assert_eq!(fields[0], ("applications".into(), "applications.range".into()));
        assert_eq!(fields[1], ("ids".into(), "ids.range".into()));
    }
}
