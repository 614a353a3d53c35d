//! `POST /users/email-confirmation/resend`, and the action of the mailed link: `…/confirm`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::Message;
use crate::ApiState;
use crate::bearer::Bearer;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::accounts::email_confirmation::confirmation_sent;
use app::accounts::passwords::MailedLink;

/// Mails another link to confirm the account's email.
///
/// If it is already confirmed, nothing is mailed.
#[utoipa::path(
    post,
    path = "/api/users/email-confirmation/resend",
    operation_id = "resendEmailConfirmation",
    tag = "Account",
    responses((status = 202, description = "The link is mailed; those of before work no more.", body = Message))
)]
pub async fn resend(State(api): State<ApiState>, Bearer(who): Bearer) -> Result<(StatusCode, Json<Message>), Problem> {
    api.app.resend_confirmation(&who).await?;
    Ok((StatusCode::ACCEPTED, Json(Message { message: confirmation_sent() })))
}

/// Confirms the email of the account that the link was mailed to.
///
/// From then on mails go there, including those held back in the last seven days. Confirming again does no harm.
#[utoipa::path(
    post,
    path = "/api/users/email-confirmation/confirm",
    operation_id = "confirmEmail",
    tag = "Account",
    request_body = MailedLink,
    responses(
        (status = 204, description = "The email is confirmed."),
        (status = 422, description = "`token.spent`"),
    ),
    security(())
)]
pub async fn confirm(State(api): State<ApiState>, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let MailedLink { token } = MailedLink::parse(&input)?;
    api.app.confirm_email(&token).await?;
    Ok(StatusCode::NO_CONTENT)
}
