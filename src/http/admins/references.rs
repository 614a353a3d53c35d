//! `/admins/applications/{id}/references…`: the referees of an application, and what they wrote.

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::problem::Problem;
use crate::users::documents::saved;
use crate::users::references::{NamedReferee, ReferenceContent};
use app::references::{self, Reference};
use domain::moments::rfc3339;
use domain::questionnaire::LetterRule;

/// What the program asks of referees, and what has become of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeReferences {
    /// How many references the application needs.
    needed: i64,
    /// How many referees can be named; 0 if the program asks for no references.
    most: i64,
    letter: LetterRule,
    /// Oldest first. Removed ones are among them if they were asked.
    references: Vec<OfficeReference>,
}

/// A referee, and what they wrote: no answers and no letter until the reference is received.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeReference {
    #[serde(flatten)]
    named: NamedReferee,
    /// When they first opened their link.
    #[schema(required, format = DateTime)]
    opened_at: Option<String>,
    /// Why they declined, if they said so. Only staff read it.
    #[schema(required)]
    reason: Option<String>,
    #[serde(flatten)]
    says: ReferenceContent,
}

impl From<Reference> for OfficeReference {
    fn from(reference: Reference) -> Self {
        let referee = &reference.referee;
        OfficeReference {
            named: referee.into(),
            opened_at: referee.opened_at.map(rfc3339),
            reason: Some(referee.reason.clone()).filter(|reason| !reason.is_empty()),
            says: reference.into(),
        }
    }
}

/// Lists the referees of an application, with their references.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/references",
    operation_id = "listReferences",
    tag = "Office: documents",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "What is asked of referees, and every reference.", body = OfficeReferences),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<OfficeReferences>, Problem> {
    let references::OfficeReferences { rules, references } =
        request.app().office_references(&request.who, request.id()).await?;
    let (needed, most, letter) =
        rules.map_or((0, 0, LetterRule::None), |rules| (rules.needed, rules.most, rules.letter));
    let references = references.into_iter().map(OfficeReference::from).collect();
    Ok(Json(OfficeReferences { needed, most, letter, references }))
}

/// Reminds a referee who was asked, by mail.
///
/// Possible at the earliest 3 days after the last mail to them; `remindFrom` says when.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/references/{referee}/remind",
    operation_id = "remindReferee",
    tag = "Office: documents",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("referee" = String, Path, description = "The referee's id"),
    ),
    responses(
        (status = 204, description = "The mail is on its way."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `referee.not_found`"),
        (status = 409, description = "`references.closed`: there is nothing to remind them of; \
            `referee.reminded`: too soon after the last mail"),
    )
)]
pub async fn remind(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().remind_referee(&request.who, request.id(), request.part("referee")).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Downloads a referee's letter.
///
/// Supports ranges, with `If-Range`.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/references/{referee}/letter",
    operation_id = "loadOfficeReferenceLetter",
    tag = "Office: documents",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("referee" = String, Path, description = "The referee's id"),
    ),
    responses(
        (status = 200, description = "All of it.", body = String, content_type = "application/octet-stream",
            headers(("ETag" = String, description = "Of its bytes"))),
        (status = 206, description = "The range that was asked for."),
        (status = 304, description = "It is the copy of `If-None-Match`."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `referee.not_found`"),
        (status = 416, description = "`range`"),
    )
)]
pub async fn letter(request: StaffRequest, headers: HeaderMap) -> Result<Response, Problem> {
    let letter = request.app().office_letter(&request.who, request.id(), request.part("referee")).await?;
    Ok(saved(wire::download_letter(request.app(), &headers, &letter, wire::Shown::Saved).await?))
}
