//! `POST /users/application/submit`, `…/unsubmit`, `…/withdraw`, `…/undo-withdraw`

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use utoipa::{IntoParams, IntoResponses};

use super::application::{Application, precondition, respond};
use crate::ApiState;
use crate::bearer::{Bearer, BearerWithApplication};
use crate::json::StrictJson;
use crate::problem::{Problem, kind};
use app::applications::acts::Preconditions;
use app::applications::saving::Expected;
use app::applications::submission::{Submission, Withdrawal};

const KEY: &str = "idempotency-key";

/// The headers that an act takes.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct ActHeaders {
    /// The `ETag` of the revision to act on, or `*` for any.
    #[param(rename = "If-Match", nullable = false)]
    pub if_match: Option<String>,
    /// 1 to 100 letters, digits and signs that name this act: sent again under the same key, it is done once and
    /// answered with the application as it is.
    #[param(rename = "Idempotency-Key", nullable = false)]
    pub idempotency_key: Option<String>,
}

/// The responses of all acts.
#[derive(IntoResponses)]
#[expect(clippy::large_enum_variant, reason = "it is described, and never made")]
pub enum ActAnswers {
    /// The application as it is now.
    #[response(status = 200, headers(("ETag" = String, description = "The revision in quotes")))]
    Done(Application),
    /// `application.none`
    #[response(status = 404)]
    None,
    /// `application.stale`, with the newest copy as `current`
    #[response(status = 412)]
    Stale,
}

/// Submits the application.
///
/// The answers are frozen, a reference number is assigned unless there is one, referees who were only named are asked,
/// and a mail confirms the receipt. Sent again under the same `Idempotency-Key`, it is done once and answered with the
/// application as it is.
#[utoipa::path(
    post,
    path = "/api/users/application/submit",
    operation_id = "submitApplication",
    tag = "Application",
    params(ActHeaders),
    request_body = Submission,
    responses(
        ActAnswers,
        (status = 409, description = "`status.transition`: it was submitted before"),
        (status = 422, description = "Every missing answer by its path, `references` if more referees are needed, and \
            `declaration` if it is not true"),
    )
)]
pub async fn submit(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    let submission = Submission::parse(&input)?;
    respond(&api, &api.app.submit_application(&who, known, submission, conditions).await?).await
}

/// Takes a submission back to change something.
///
/// Possible until an interview is booked. The reference number stays.
#[utoipa::path(
    post,
    path = "/api/users/application/unsubmit",
    operation_id = "unsubmitApplication",
    tag = "Application",
    params(ActHeaders),
    responses(
        ActAnswers,
        (status = 409, description = "`status.transition`: it is not submitted, or has gone on since"),
    )
)]
pub async fn unsubmit(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    respond(&api, &api.app.unsubmit_application(&who, known, conditions).await?).await
}

/// Withdraws the application.
///
/// Its status is then `none`, and another one can be started.
#[utoipa::path(
    post,
    path = "/api/users/application/withdraw",
    operation_id = "withdrawApplication",
    tag = "Application",
    params(ActHeaders),
    request_body = Withdrawal,
    responses(
        ActAnswers,
        (status = 409, description = "`status.transition`: who is enrolled cannot withdraw"),
        (status = 422, description = "`reason.required`"),
    )
)]
pub async fn withdraw(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    let withdrawal = Withdrawal::parse(&input)?;
    respond(&api, &api.app.withdraw_application(&who, known, withdrawal, conditions).await?).await
}

/// Undoes a withdrawal.
///
/// Possible within 15 minutes, unless another application was started.
#[utoipa::path(
    post,
    path = "/api/users/application/undo-withdraw",
    operation_id = "undoWithdrawal",
    tag = "Application",
    params(ActHeaders),
    responses(
        ActAnswers,
        (status = 409, description = "`undo.too_late`, `undo.not_withdrawn`, `application.active`"),
    )
)]
pub async fn undo_withdraw(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    respond(&api, &api.app.undo_withdrawal(&who, conditions).await?).await
}

/// Reads the preconditions in the headers.
pub(crate) fn conditions(headers: &HeaderMap) -> Result<Preconditions, Problem> {
    let expected = match precondition(headers)? {
        Expected::Revision(revision) => Some(revision),
        Expected::Nothing | Expected::Any => None,
    };
    let malformed = || {
        Problem::new(
            &kind::IDEMPOTENCY_KEY,
            "Send 1 to 100 letters, digits and signs as Idempotency-Key, for example a UUID.",
        )
    };
    let Some(value) = headers.get(KEY) else { return Ok(Preconditions { expected, key: None }) };
    let key = value.to_str().ok().and_then(Preconditions::key).ok_or_else(malformed)?;
    Ok(Preconditions { expected, key: Some(key) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_short_word_of_the_caller() {
        let read = |key: &str| {
            let headers = [(KEY.parse().unwrap(), key.parse().unwrap())].into_iter().collect();
            conditions(&headers).ok().and_then(|conditions| conditions.key)
        };
        assert_eq!(read(" 0194-ab_c "), Some("0194-ab_c".into()));
        assert_eq!(read("two words"), None);
        assert_eq!(read(""), None);
        assert_eq!(read(&"k".repeat(101)), None);
        let none = conditions(&HeaderMap::new()).unwrap();
        assert_eq!((none.key, none.expected), (None, None));
    }
}
