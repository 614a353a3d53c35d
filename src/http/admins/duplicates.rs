//! `/admins/applications/{id}/duplicates…`: whether the same person applied twice.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::office::dossiers::PossibleDuplicate;
use domain::body;
use domain::body::sent_text;
use domain::moments::rfc3339;

/// Applications of other accounts with the same birth date, and the same name or phone number.
#[derive(Debug, Serialize, ToSchema)]
pub struct Duplicates {
    duplicates: Vec<Duplicate>,
}

/// A possible duplicate.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Duplicate {
    application_id: String,
    #[schema(required)]
    reference: Option<String>,
    first_name: String,
    last_name: String,
    email: String,
    phone_number: String,
    /// `ba` or `msc`
    program: &'static str,
    stage: &'static str,
    #[schema(format = DateTime)]
    submitted_at: String,
    same_name: bool,
    same_phone: bool,
    /// The verdict of staff on the two applications.
    #[schema(required)]
    verdict: Option<DuplicateVerdict>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DuplicateVerdict {
    /// The application that goes on; null if they are from different people.
    #[schema(required)]
    kept: Option<String>,
    /// Whether the other one was withdrawn for it.
    withdrew: bool,
    /// The id of the member of staff.
    by: String,
    #[schema(format = DateTime)]
    at: String,
}

body! {
    pub struct OtherApplication {
        /// The id of the other application.
        other: String = sent_text("Name the other application by its id."),
    }
}

impl From<PossibleDuplicate> for Duplicate {
    fn from(PossibleDuplicate { listing, same_name, same_phone, verdict }: PossibleDuplicate) -> Self {
        Duplicate {
            program: listing.program.application_type(),
            stage: listing.stage.as_str(),
            submitted_at: rfc3339(listing.submitted_at),
            application_id: listing.application_id,
            reference: listing.reference,
            first_name: listing.first_name,
            last_name: listing.last_name,
            email: listing.email,
            phone_number: listing.phone_number,
            same_name,
            same_phone,
            verdict: verdict.map(|verdict| DuplicateVerdict {
                kept: verdict.kept_id,
                withdrew: verdict.withdrew,
                by: verdict.judged_by,
                at: rfc3339(verdict.judged_at),
            }),
        }
    }
}

/// Lists applications that may be from the same person.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/duplicates",
    operation_id = "listDuplicates",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "Those that are alike, newest first.", body = Duplicates),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<Duplicates>, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let duplicates = request.app().duplicates(&request.who, &dossier).await?;
    Ok(Json(Duplicates { duplicates: duplicates.into_iter().map(Duplicate::from).collect() }))
}

/// Keeps this application and withdraws the other one.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/duplicates/merge",
    operation_id = "mergeDuplicate",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The id of the application that goes on")),
    request_body = OtherApplication,
    responses(
        (status = 204, description = "They are merged."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, also for two that are not alike"),
        (status = 409, description = "What stands against withdrawing the other one"),
        (status = 422, description = "`other.required`, `other.stage`: the other one is past withdrawing"),
    )
)]
pub async fn merge(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    request.app().merge_duplicate(&request.who, request.id(), &OtherApplication::parse(&input)?.other).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Records that the two are from different people.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/duplicates/tell-apart",
    operation_id = "tellDuplicatesApart",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id")),
    request_body = OtherApplication,
    responses(
        (status = 204, description = "It is noted."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, also for two that are not alike"),
        (status = 412, description = "`application.stale`: they are merged by now"),
        (status = 422, description = "`other.required`"),
    )
)]
pub async fn tell_apart(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    request.app().tell_apart(&request.who, request.id(), &OtherApplication::parse(&input)?.other).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes back the verdict on the two.
///
/// Restores what merging withdrew.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/duplicates/undo",
    operation_id = "partDuplicates",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id")),
    request_body = OtherApplication,
    responses(
        (status = 204, description = "They are as before."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, also for two that are not alike"),
        (status = 409, description = "What stands against bringing the withdrawn one back"),
        (status = 422, description = "`other.required`"),
    )
)]
pub async fn undo(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    request.app().forget_verdict(&request.who, request.id(), &OtherApplication::parse(&input)?.other).await?;
    Ok(StatusCode::NO_CONTENT)
}
