//! `GET`, `POST` and `DELETE /users/email-change`, and the actions of the mailed links: `…/resend`, `…/confirm`,
//! `…/stop`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::Message;
use crate::ApiState;
use crate::bearer::Bearer;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::accounts::email_change::{EmailChangeRequest, change_asked};
use app::accounts::passwords::MailedLink;
use domain::account::EmailConfirmation;
use domain::moments::rfc3339;
use wire::Client;

/// The pending change, if there is one.
#[derive(Debug, Serialize, ToSchema)]
pub struct PendingEmailChange {
    #[schema(required)]
    pending: Option<EmailChange>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailChange {
    /// The new address.
    email: String,
    /// Whether the present address has confirmed it.
    old_confirmed: bool,
    new_confirmed: bool,
    #[schema(format = DateTime)]
    expires_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct EmailConfirmed {
    /// False until the other address has confirmed it, too.
    changed: bool,
}

/// Returns the pending change of the account's email.
#[utoipa::path(
    get,
    path = "/api/users/email-change",
    operation_id = "pendingEmailChange",
    tag = "Account",
    responses((status = 200, description = "`pending` is null when none does.", body = PendingEmailChange))
)]
pub async fn pending(State(api): State<ApiState>, Bearer(who): Bearer) -> Result<Json<PendingEmailChange>, Problem> {
    let pending = api.app.pending_email_change(&who).await?.map(|change| EmailChange {
        email: change.email,
        old_confirmed: change.old_confirmed_at.is_some(),
        new_confirmed: change.new_confirmed_at.is_some(),
        expires_at: rfc3339(change.expires_at),
    });
    Ok(Json(PendingEmailChange { pending }))
}

/// Requests a change of the account's email.
///
/// A link goes to the present address and one to the new one; the email changes when both have confirmed it. A present
/// address that was never confirmed is not asked. The response does not reveal who has the new address.
#[utoipa::path(
    post,
    path = "/api/users/email-change",
    operation_id = "requestEmailChange",
    tag = "Account",
    request_body = EmailChangeRequest,
    responses(
        (status = 202, description = "The links are mailed. An older request counts no more.", body = Message),
        (status = 422, description = "`email.invalid`, `email.same`, `currentPassword.wrong`"),
    )
)]
pub async fn request(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<(StatusCode, Json<Message>), Problem> {
    api.app.request_email_change(&who, &input, &caller).await?;
    Ok((StatusCode::ACCEPTED, Json(Message { message: change_asked(&who.applicant) })))
}

/// Mails new links to the addresses that have not confirmed yet.
#[utoipa::path(
    post,
    path = "/api/users/email-change/resend",
    operation_id = "resendEmailChange",
    tag = "Account",
    responses(
        (status = 202, description = "The links are mailed; those of before work no more.", body = Message),
        (status = 404, description = "`email_change.none`"),
    )
)]
pub async fn resend(State(api): State<ApiState>, Bearer(who): Bearer) -> Result<(StatusCode, Json<Message>), Problem> {
    api.app.resend_email_change(&who).await?;
    Ok((StatusCode::ACCEPTED, Json(Message { message: change_asked(&who.applicant) })))
}

/// Cancels the pending change.
#[utoipa::path(
    delete,
    path = "/api/users/email-change",
    operation_id = "cancelEmailChange",
    tag = "Account",
    responses(
        (status = 204, description = "The account keeps its email."),
        (status = 404, description = "`email_change.none`"),
    )
)]
pub async fn cancel(State(api): State<ApiState>, Bearer(who): Bearer) -> Result<StatusCode, Problem> {
    api.app.cancel_email_change(&who).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Confirms a change for the address that the link was mailed to.
///
/// When both have confirmed, the account has the new email and every session ends.
#[utoipa::path(
    post,
    path = "/api/users/email-change/confirm",
    operation_id = "confirmEmailChange",
    tag = "Account",
    request_body = MailedLink,
    responses(
        (status = 200, description = "This address has confirmed it.", body = EmailConfirmed),
        (status = 409, description = "`email_change.unusable`: nothing was changed"),
        (status = 422, description = "`token.spent`"),
    ),
    security(())
)]
pub async fn confirm(
    State(api): State<ApiState>,
    StrictJson(input): StrictJson,
) -> Result<Json<EmailConfirmed>, Problem> {
    let MailedLink { token } = MailedLink::parse(&input)?;
    let outcome = api.app.confirm_email_change(&token, None).await?;
    Ok(Json(EmailConfirmed { changed: outcome == EmailConfirmation::Changed }))
}

/// Cancels the change that the link was mailed for.
#[utoipa::path(
    post,
    path = "/api/users/email-change/stop",
    operation_id = "stopEmailChange",
    tag = "Account",
    request_body = MailedLink,
    responses(
        (status = 204, description = "The account keeps its email."),
        (status = 422, description = "`token.spent`"),
    ),
    security(())
)]
pub async fn stop(State(api): State<ApiState>, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let MailedLink { token } = MailedLink::parse(&input)?;
    api.app.stop_email_change(&token).await?;
    Ok(StatusCode::NO_CONTENT)
}
