//! `/admins/applications/{id}/mails…`: what was written to an applicant, and writing to them.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Asked;
use crate::app::dossiers::Letter;
use crate::app::ports::SentMail;
use crate::http::json::StrictJson;
use crate::http::problem::Problem;
use crate::http::rfc3339;

/// A mail to an applicant, and how far it has come.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeMail {
    id: String,
    /// The address that it went to.
    to: String,
    subject: String,
    /// Without the links and codes that only the mail itself has.
    text: String,
    /// `waiting`, `sent`, `failed`, `kept` where there is no mail server, or `held` where the address was not confirmed or got
    /// too many that day.
    #[schema(example = "sent")]
    state: String,
    /// How often sending was tried.
    attempts: i64,
    /// What the mail server said last.
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

#[derive(ToSchema)]
pub struct NewMail {
    /// One line of up to 150 characters.
    #[schema(example = "Your transcript")]
    pub subject: String,
    /// Up to 5,000 characters.
    #[schema(example = "Thank you, we have it now.")]
    pub text: String,
}

/// A mail that is on its way.
#[derive(Debug, Serialize, ToSchema)]
pub struct WrittenMail {
    id: String,
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

/// What was written to the applicant.
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
pub async fn list(asked: Asked) -> Result<Json<OfficeMails>, Problem> {
    let dossier = asked.app().dossier(&asked.who, asked.id()).await?;
    let mails = asked.app().mails_to(&asked.who, &dossier).await?;
    Ok(Json(OfficeMails { mails: mails.into_iter().map(OfficeMail::from).collect() }))
}

/// Writes to the applicant.
///
/// It stands among their messages, too. Sent again under the same `Idempotency-Key`, it is written once.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/mails",
    operation_id = "writeMail",
    tag = "Office: notes and mails",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "Names the mail: sent again under the same key, it is written once"),
    ),
    request_body = NewMail,
    responses(
        (status = 201, description = "The mail is on its way.", body = WrittenMail),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`applicant.closed`: there is nobody to write to"),
        (status = 422, description = "`subject.required`, `subject.too_long`, `subject.invalid`, `text.required`…"),
    )
)]
pub async fn write(asked: Asked, StrictJson(input): StrictJson) -> Result<(StatusCode, Json<WrittenMail>), Problem> {
    let letter = Letter::parse(&input)?;
    let id = asked.new_id("mail");
    asked.app().write_to_applicant(&asked.who, asked.id(), &id, &letter).await?;
    Ok((StatusCode::CREATED, Json(WrittenMail { id })))
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
pub async fn resend(asked: Asked) -> Result<StatusCode, Problem> {
    asked.app().resend_mail(&asked.who, asked.id(), asked.part("mail")).await?;
    Ok(StatusCode::NO_CONTENT)
}
