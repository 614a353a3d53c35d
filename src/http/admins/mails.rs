//! `/admins/applications/{id}/mails…`: the mails to an applicant.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::problem::Problem;
use domain::mail::SentMail;
use domain::moments::rfc3339;

/// A mail to an applicant, and its delivery status.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeMail {
    id: String,
    /// The address it was sent to.
    to: String,
    subject: String,
    /// Without the links and codes that only the mail itself contains.
    text: String,
    /// `waiting`, `sent`, `failed`, `kept` if there is no mail server, or `held` if the address was not confirmed or
    /// got too many that day.
    #[schema(example = "sent")]
    state: String,
    /// How often sending was tried.
    attempts: i64,
    /// The last error from the mail server.
    #[schema(required)]
    last_error: Option<String>,
    can_resend: bool,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(required, format = DateTime)]
    finished_at: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeMails {
    /// The newest 200, newest first.
    mails: Vec<OfficeMail>,
}

impl From<SentMail> for OfficeMail {
    fn from(mail: SentMail) -> Self {
        OfficeMail {
            can_resend: mail.may_resend(),
            id: mail.id,
            to: mail.to,
            subject: mail.subject,
            text: mail.text,
            state: mail.state,
            attempts: mail.attempts,
            last_error: mail.last_error,
            created_at: rfc3339(mail.created_at),
            finished_at: mail.finished_at.map(rfc3339),
        }
    }
}

/// Lists the mails to the applicant.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/mails",
    operation_id = "listMails",
    tag = "Office: notes and mails",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "The mails.", body = OfficeMails),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<OfficeMails>, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let mails = request.app().mails_to(&request.who, &dossier).await?;
    Ok(Json(OfficeMails { mails: mails.into_iter().map(OfficeMail::from).collect() }))
}

/// Sends a mail again, to the applicant's present address.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/mails/{mail}/resend",
    operation_id = "resendMail",
    tag = "Office: notes and mails",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("mail" = String, Path, description = "The mail's id"),
    ),
    responses(
        (status = 204, description = "It is on its way again."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`mail.not_resendable`: it is under way, or has something in it that is good for one \
            mail; `applicant.closed`; `applicant.unconfirmed`: it waits until the \
            address is confirmed"),
    )
)]
pub async fn resend(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().resend_mail(&request.who, request.id(), request.part("mail")).await?;
    Ok(StatusCode::NO_CONTENT)
}
