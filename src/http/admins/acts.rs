//! `/admins/applications/{id}/request-changes` and the like: acts of the status table that need no more than a reason
//! or a few choices. Interviews and decisions have calls of their own.

use axum::response::IntoResponse;
use utoipa::IntoResponses;

use super::applications::{OfficeApplication, application_response};
use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::users::submission::ActHeaders;
use app::applications::changes::ChangesRequest;
use app::office::dossiers::{ActReason, Resumption, StaffAct};
use domain::input::Input;
use domain::status::Act;

/// The responses of these acts.
#[derive(IntoResponses)]
#[expect(clippy::large_enum_variant, reason = "it is described, and never made")]
pub enum OfficeActAnswers {
    /// The application as it is now.
    #[response(status = 200, headers(("ETag" = String, description = "The revision in quotes")))]
    Done(OfficeApplication),
    /// `role.forbidden`
    #[response(status = 403)]
    Forbidden,
    /// `application.not_found`
    #[response(status = 404)]
    None,
    /// `status.transition`, or the code of another condition that is not met
    #[response(status = 409)]
    NotAllowed,
    /// `application.stale`
    #[response(status = 412)]
    Stale,
}

/// Asks the applicant for changes.
///
/// Opens the sections for changes and sends a mail. What was submitted stands until the applicant submits again.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/request-changes",
    operation_id = "requestChanges",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    request_body = ChangesRequest,
    responses(
        OfficeActAnswers,
        (status = 422, description = "`sections.required`, `sections.unknown`, `message.required`, `message.too_long`, \
            `dueOn.invalid`"),
    )
)]
pub async fn request_changes(
    request: StaffRequest,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    act(request, Act::RequestChanges, &input).await
}

/// Takes back the request for changes.
///
/// What was submitted stands, without any changes made since. The applicant gets a mail.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/drop-changes",
    operation_id = "dropChanges",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    responses(OfficeActAnswers,)
)]
pub async fn drop_changes(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    act(request, Act::DropChanges, &Input::Map(Vec::new())).await
}

/// Withdraws the application on the applicant's behalf.
///
/// A booked interview is cancelled, and an open offer closes. The applicant gets a mail.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/withdraw",
    operation_id = "withdrawForApplicant",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    request_body = ActReason,
    responses(OfficeActAnswers, (status = 422, description = "`reason.required`, `reason.too_long`"))
)]
pub async fn withdraw(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    act(request, Act::Withdraw, &input).await
}

/// Undoes a withdrawal.
///
/// The application returns to its previous stage, unless the applicant has another one. The applicant gets a mail.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/undo-withdraw",
    operation_id = "undoWithdrawalForApplicant",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    responses(OfficeActAnswers,)
)]
pub async fn undo_withdraw(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    act(request, Act::UndoWithdraw, &Input::Map(Vec::new())).await
}

/// Resumes a deferred application at the stage it had before.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/resume",
    operation_id = "resumeApplication",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    request_body = Resumption,
    responses(OfficeActAnswers, (status = 422, description = "`rechecked.required`"))
)]
pub async fn resume(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    act(request, Act::Resume, &input).await
}

async fn act(request: StaffRequest, act: Act, input: &Input) -> Result<impl IntoResponse + use<>, Problem> {
    let act = StaffAct::parse(act, input)?;
    request.app().act_for_office(&request.who, request.id(), act, request.conditions.clone()).await?;
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    Ok(application_response(&request.who, &dossier))
}
