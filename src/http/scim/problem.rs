//! Errors as SCIM documents (RFC 7644, section 3.12).

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scim_v2::models::errors::{ScimHttpError, ScimType};
use serde_json::json;

use super::answer;
use crate::problem::Problem;
use app::office::directory::DirectoryError;

/// A response that says what went wrong.
#[derive(Debug)]
pub struct ScimProblem {
    pub status: StatusCode,
    pub kind: Option<ScimType>,
    pub detail: String,
}

impl ScimProblem {
    pub fn new(status: StatusCode, detail: impl Into<String>) -> ScimProblem {
        ScimProblem { status, kind: None, detail: detail.into() }
    }

    /// A request that is wrong in a way that SCIM has a word for.
    pub fn bad(kind: ScimType, detail: impl Into<String>) -> ScimProblem {
        ScimProblem { kind: Some(kind), ..ScimProblem::new(StatusCode::BAD_REQUEST, detail) }
    }
}

impl From<Problem> for ScimProblem {
    fn from(problem: Problem) -> Self {
        let status = problem.status();
        let kind = (status == StatusCode::BAD_REQUEST).then_some(ScimType::InvalidSyntax);
        ScimProblem { status, kind, detail: problem.into_parts().1.to_string() }
    }
}

impl From<app::Error> for ScimProblem {
    fn from(error: app::Error) -> Self {
        let problem = ScimProblem::from(Problem::from(error));
        if problem.status.is_server_error() {
            return problem;
        }
        // Nothing is wrong with what was sent: others changed the same at the same time.
        tracing::warn!(cause = problem.detail, "a provider has to send something again");
        ScimProblem { status: StatusCode::SERVICE_UNAVAILABLE, kind: None, ..problem }
    }
}

impl From<DirectoryError> for ScimProblem {
    fn from(error: DirectoryError) -> Self {
        match error {
            DirectoryError::NotFound => ScimProblem::new(StatusCode::NOT_FOUND, "There is no such user or group."),
            DirectoryError::Taken(attribute) => ScimProblem {
                kind: Some(ScimType::Uniqueness),
                ..ScimProblem::new(StatusCode::CONFLICT, format!("{attribute}: This is taken."))
            },
            DirectoryError::Invalid(attribute, sentence) => {
                ScimProblem::bad(ScimType::InvalidValue, format!("{attribute}: {sentence}"))
            }
            DirectoryError::Full(limit) => {
                ScimProblem::new(StatusCode::FORBIDDEN, format!("There are {limit} already, as many as there can be."))
            }
            DirectoryError::Failed(error) => error.into(),
        }
    }
}

impl IntoResponse for ScimProblem {
    fn into_response(self) -> Response {
        let document = ScimHttpError {
            scim_type: self.kind,
            detail: Some(self.detail),
            status: self.status.as_u16().to_string(),
            ..ScimHttpError::default()
        };
        let mut response = answer(self.status, &json!(document));
        let headers = response.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("60"));
        }
        response
    }
}
