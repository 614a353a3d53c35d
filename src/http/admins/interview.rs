//! `/admins/applications/{id}/interview…`: the interview of an application.

use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use super::sheets::{RubricCriterion, WrittenSheet, criteria};
use super::staff_request::{StaffRequest, tagged};
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::users::submission::ActHeaders;
use app::Error;
use app::interviews::{Chosen, Record, StaffTimeChoice, TimeChoice};
use domain::application::Application;
use domain::interview::InterviewOutcome;
use domain::moments::rfc3339;
use domain::permission::Permission;
use domain::rubric::{Rubric, SheetBody};
use domain::status::Status;

/// The state of an application's interview, and what the caller may do about it now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeInterview {
    application_id: String,
    status: Status,
    stage: &'static str,
    /// The application's revision; the number in the `ETag`.
    revision: i64,
    #[schema(required)]
    interview: Option<ArrangedInterview>,
    /// The times at which it can be booked or moved to; none for callers who may do neither.
    #[schema(value_type = Vec<String>, format = DateTime)]
    times: Vec<String>,
    /// Future times that the applicant asked for.
    #[schema(value_type = Vec<String>, format = DateTime)]
    wishes: Vec<String>,
    can_book: bool,
    can_move: bool,
    can_cancel: bool,
    /// Whether it has begun, so that it can be recorded as held or missed.
    can_record: bool,
    can_undo: bool,
    can_score: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArrangedInterview {
    #[schema(format = DateTime)]
    starts_at: String,
    #[schema(format = DateTime)]
    ends_at: String,
    /// The id of the member of staff.
    interviewer: String,
    state: InterviewState,
    /// How often the applicant did not show up, this time included.
    no_shows: i64,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum InterviewState {
    Booked,
    Held,
    NoShow,
}

/// What an interview is scored by, and its score sheet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InterviewScores {
    /// Goes up with every change; 0 for a sheet that nobody has filled in. The number in the `ETag`.
    revision: i64,
    /// The criteria for the next sheet.
    criteria: Vec<RubricCriterion>,
    scale: i64,
    #[schema(required)]
    sheet: Option<WrittenSheet>,
    /// The id of the member of staff.
    #[schema(required)]
    written_by: Option<String>,
    #[schema(required, format = DateTime)]
    written_at: Option<String>,
}

/// The responses of all acts on an interview.
#[derive(IntoResponses)]
pub enum OfficeInterviewAnswers {
    /// The present state of the interview.
    #[response(status = 200, headers(("ETag" = String, description = "The application's revision in quotes")))]
    Done(OfficeInterview),
    /// `role.forbidden`: not by this role, or somebody else's interview
    #[response(status = 403)]
    Forbidden,
    /// `application.not_found`
    #[response(status = 404)]
    None,
    /// `application.stale`
    #[response(status = 412)]
    Stale,
}

/// Returns the interview of an application.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/interview",
    operation_id = "loadOfficeInterview",
    tag = "Office: interviews",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "Where it is, and what whoever asks may do.", body = OfficeInterview,
            headers(("ETag" = String, description = "The application's revision in quotes"))),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn load(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    respond(&request).await
}

/// Books the interview for the applicant, or moves the booked one.
///
/// Both get a mail with a calendar entry. A caller who may only manage their own interviews books only their own times.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/interview",
    operation_id = "arrangeInterview",
    tag = "Office: interviews",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    request_body = StaffTimeChoice,
    responses(
        OfficeInterviewAnswers,
        (status = 409, description = "`slot.taken`, `slot.too_soon`, `status.transition`"),
        (status = 422, description = "`startsAt.required`, `startsAt.invalid`, `interviewer.type`"),
    )
)]
pub async fn arrange(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let StaffTimeChoice { starts_at, interviewer: with } = StaffTimeChoice::parse(&input)?;
    request.application(Permission::Interview).await?;
    let (staff, conditions) = (request.staff(), request.conditions.clone());
    let chosen = Chosen { starts_at, with: with.as_deref() };
    let arranged = request.app().arrange_interview_for(staff, request.key(), Some(chosen), conditions).await;
    done(&request, arranged).await
}

/// Books a time that the applicant asked for.
///
/// With the caller, unless somebody is available at that time anyway.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/interview/wish",
    operation_id = "offerWishedTime",
    tag = "Office: interviews",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    request_body = TimeChoice,
    responses(
        OfficeInterviewAnswers,
        (status = 409, description = "`slot.too_soon`, `status.transition`"),
        (status = 422, description = "`startsAt.required`, `startsAt.invalid`, `startsAt.not_wished`, `slots.overlap`: \
            whoever asks has something else then"),
    )
)]
pub async fn offer(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let TimeChoice { starts_at } = TimeChoice::parse(&input)?;
    request.application(Permission::Interview).await?;
    let (staff, conditions) = (request.staff(), request.conditions.clone());
    let offered = request.app().offer_wished_time(staff, request.key(), starts_at, conditions).await;
    done(&request, offered).await
}

/// Cancels the interview.
///
/// The application is `submitted` again. Both get a mail.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/interview/cancel",
    operation_id = "cancelOfficeInterview",
    tag = "Office: interviews",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    responses(OfficeInterviewAnswers, (status = 409, description = "`status.transition`"))
)]
pub async fn cancel(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    request.application(Permission::Interview).await?;
    let (staff, conditions) = (request.staff(), request.conditions.clone());
    let cancelled = request.app().arrange_interview_for(staff, request.key(), None, conditions).await;
    done(&request, cancelled).await
}

/// Records that the interview took place.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/interview/held",
    operation_id = "recordInterviewHeld",
    tag = "Office: interviews",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    responses(OfficeInterviewAnswers, (status = 409, description = "`status.transition`, and that it is still ahead"))
)]
pub async fn held(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    record(request, Record::Held).await
}

/// Records that the applicant did not show up.
///
/// They get a mail with a way to book again.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/interview/no-show",
    operation_id = "recordInterviewMissed",
    tag = "Office: interviews",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    responses(OfficeInterviewAnswers, (status = 409, description = "`status.transition`, and that it is still ahead"))
)]
pub async fn no_show(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    record(request, Record::NoShow).await
}

/// Takes back how the interview was recorded.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/interview/undo",
    operation_id = "undoInterviewRecord",
    tag = "Office: interviews",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    responses(OfficeInterviewAnswers, (status = 409, description = "`status.transition`"))
)]
pub async fn undo(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    record(request, Record::Undo).await
}

async fn record(request: StaffRequest, record: Record) -> Result<impl IntoResponse, Problem> {
    request.application(Permission::Interview).await?;
    let (staff, conditions) = (request.staff(), request.conditions.clone());
    let recorded = request.app().record_interview(staff, request.key(), record, conditions).await;
    done(&request, recorded).await
}

async fn done(request: &StaffRequest, done: Result<Application, Error>) -> Result<impl IntoResponse + use<>, Problem> {
    done.map_err(Error::for_staff)?;
    respond(request).await
}

async fn respond(request: &StaffRequest) -> Result<impl IntoResponse + use<>, Problem> {
    let application = request.application(Permission::Applications).await?;
    let found = request.app().office_interview(&request.who, &application).await?;
    let mut times: Vec<domain::moments::Millis> = found.slots.iter().map(|slot| slot.span.starts_at).collect();
    times.dedup();
    let moments = |times: Vec<domain::moments::Millis>| times.into_iter().map(rfc3339).collect();
    let body = OfficeInterview {
        status: application.status(),
        stage: application.stage.as_str(),
        revision: application.revision,
        application_id: application.id,
        interview: found.interview.map(|interview| ArrangedInterview {
            starts_at: rfc3339(interview.slot.span.starts_at),
            ends_at: rfc3339(interview.slot.span.ends_at()),
            interviewer: interview.slot.interviewer_id,
            state: match interview.outcome {
                None => InterviewState::Booked,
                Some(InterviewOutcome::Held) => InterviewState::Held,
                Some(InterviewOutcome::NoShow) => InterviewState::NoShow,
            },
            no_shows: interview.no_shows,
        }),
        times: moments(times),
        wishes: moments(found.wishes),
        can_book: found.may_book,
        can_move: found.may_move,
        can_cancel: found.may_cancel,
        can_record: found.may_record,
        can_undo: found.may_undo,
        can_score: found.may_score,
    };
    Ok(tagged(body.revision, body))
}

/// Returns what was noted about the interview.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/interview/scores",
    operation_id = "loadInterviewScores",
    tag = "Office: interviews",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "The score sheet.", body = InterviewScores,
            headers(("ETag" = String, description = "The sheet's revision in quotes"))),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn scores(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    sheet(&request).await
}

/// Fills in the score sheet of an interview that was held.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/interview/scores",
    operation_id = "scoreInterview",
    tag = "Office: interviews",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("If-Match" = Option<String>, Header, nullable = false,
            description = "The `ETag` of the sheet that is replaced, or `*` for whatever is there"),
    ),
    request_body = SheetBody,
    responses(
        (status = 200, description = "The score sheet as it is now.", body = InterviewScores,
            headers(("ETag" = String, description = "The sheet's revision in quotes"))),
        (status = 403, description = "`role.forbidden`: not of the interview of somebody else"),
        (status = 404, description = "`application.not_found`, `interview.none`: none was held"),
        (status = 409, description = "`scores.changed`: somebody else was quicker"),
        (status = 422, description = "`points.required`, `points.1.required`, `points.1.range`…, `points.count`, \
            `recommendation.required`, `comment.too_long`, `comment.invalid`"),
    )
)]
pub async fn score(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    Rubric::check_fields(&input)?;
    let application = request.application(Permission::Score).await?;
    let seen = match request.conditions.expected {
        Some(revision) => revision,
        None => {
            let sheet = request.app().office_interview(&request.who, &application).await?.sheet;
            sheet.map_or(0, |sheet| sheet.revision)
        }
    };
    request.app().score_interview(&request.who, &application, seen, &input).await?;
    sheet(&request).await
}

async fn sheet(request: &StaffRequest) -> Result<impl IntoResponse + use<>, Problem> {
    let application = request.application(Permission::Score).await?;
    let found = request.app().office_interview(&request.who, &application).await?;
    let written = found.sheet;
    let body = InterviewScores {
        revision: written.as_ref().map_or(0, |written| written.revision),
        criteria: criteria(&found.rubric),
        scale: found.rubric.scale,
        written_by: written.as_ref().map(|written| written.written_by.clone()),
        written_at: written.as_ref().map(|written| rfc3339(written.written_at)),
        sheet: written.map(|written| written.sheet.into()),
    };
    Ok(tagged(body.revision, body))
}
