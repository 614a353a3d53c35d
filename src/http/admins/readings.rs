//! `/admins/applications/{id}/readings…` and `/admins/committee`: applications read and scored by several people.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::sheets::{RubricCriterion, WrittenSheet, criteria};
use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::decisions::readings::{ReadersAsked, ReadingSeen, ReadingsSeen};
use domain::input::FieldError;
use domain::moments::rfc3339;
use domain::permission::Permission;
use domain::program::Program;
use domain::reading::CommitteeEntry;
use domain::rubric::{Rubric, SheetBody};

/// Somebody asked to read an application.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeReading {
    /// The id of the reader.
    reader: String,
    #[schema(format = DateTime)]
    asked_at: String,
    /// The day by which it is due.
    #[schema(required, format = Date)]
    due_on: Option<String>,
    #[schema(required, format = DateTime)]
    sent_at: Option<String>,
    /// Null until it is sent, and until the caller has sent theirs.
    #[schema(required)]
    sheet: Option<WrittenSheet>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeReadings {
    /// The criteria for the next sheet.
    criteria: Vec<RubricCriterion>,
    scale: i64,
    readings: Vec<OfficeReading>,
    /// The mean of the visible scores, in thousandths.
    #[schema(required)]
    score: Option<i64>,
    /// Whether the caller has to send theirs before seeing the others.
    blind: bool,
}

impl From<ReadingsSeen> for OfficeReadings {
    fn from(seen: ReadingsSeen) -> Self {
        let blind = seen.is_blind;
        let score = seen.score();
        let to_reading = |reading: ReadingSeen| OfficeReading {
            reader: reading.reader_id,
            asked_at: rfc3339(reading.asked_at),
            due_on: reading.due_on.map(|day| day.to_string()),
            sent_at: reading.sent_at.map(rfc3339),
            sheet: reading.sheet.map(WrittenSheet::from),
        };
        OfficeReadings {
            criteria: criteria(&seen.rubric),
            scale: seen.rubric.scale,
            readings: seen.readings.into_iter().map(to_reading).collect(),
            score,
            blind,
        }
    }
}

/// An application on the committee’s list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommitteeItem {
    application_id: String,
    program: &'static str,
    #[schema(required)]
    reference: Option<String>,
    /// How many people were asked to read it.
    asked: i64,
    /// How many of them have sent theirs.
    sent: i64,
    /// The mean of the scores, in thousandths; null if nobody has sent one, and until the caller has sent theirs.
    #[schema(required)]
    score: Option<i64>,
    accept: i64,
    unsure: i64,
    reject: i64,
}

impl From<CommitteeEntry> for CommitteeItem {
    fn from(entry: CommitteeEntry) -> Self {
        let [accept, unsure, reject] = entry.recommended;
        CommitteeItem {
            application_id: entry.application_id,
            program: entry.program.application_type(),
            reference: entry.reference,
            asked: entry.asked,
            sent: entry.sent,
            score: entry.score,
            accept,
            unsure,
            reject,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CommitteeList {
    /// Best score first; at most 500.
    applications: Vec<CommitteeItem>,
}

/// Returns who reads an application, and their assessments.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/readings",
    operation_id = "listReadings",
    tag = "Office: readings",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "The readings.", body = OfficeReadings),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<OfficeReadings>, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    Ok(Json(request.app().readings(&request.who, &dossier).await?.into()))
}

/// Asks people to read an application.
///
/// Each gets a task and a mail. People who were asked already are left alone.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/readings",
    operation_id = "askReaders",
    tag = "Office: readings",
    params(("id" = String, Path, description = "The application's id")),
    request_body = ReadersAsked,
    responses(
        (status = 200, description = "The readings as they are now.", body = OfficeReadings),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`reading.over`: the application is decided"),
        (status = 422, description = "`readers.required`, `readers.count`, `readers.unknown`, `dueOn.invalid`, `dueOn.past`"),
    )
)]
pub async fn ask(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<OfficeReadings>, Problem> {
    let readers = ReadersAsked::parse(&input, request.app().today())?;
    request.app().ask_readers(&request.who, request.id(), &readers).await?;
    list(request).await
}

/// Withdraws the request to a reader who has not sent theirs.
#[utoipa::path(
    delete,
    path = "/api/admins/applications/{id}/readings/{reader}",
    operation_id = "unaskReader",
    tag = "Office: readings",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("reader" = String, Path, description = "The id of who is asked"),
    ),
    responses(
        (status = 204, description = "They are not asked any more."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `reading.not_found`: they are not asked, or have sent theirs"),
    )
)]
pub async fn unask(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().unask_reader(&request.who, request.id(), request.part("reader")).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends the caller's assessment of an application they were asked to read.
///
/// It cannot be changed afterwards. From then on the caller sees the others.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/readings/own",
    operation_id = "sendReading",
    tag = "Office: readings",
    params(("id" = String, Path, description = "The application's id")),
    request_body = SheetBody,
    responses(
        (status = 200, description = "The readings as they are now.", body = OfficeReadings),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `reading.not_found`: one is not asked"),
        (status = 409, description = "`reading.sent`: it was sent before; `reading.over`: the application is decided"),
        (status = 422, description = "`points.required`, `points.1.required`, `points.1.range`…, `points.count`, \
            `recommendation.required`, \
            `comment.too_long`, `comment.invalid`"),
    )
)]
pub async fn send(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<OfficeReadings>, Problem> {
    Rubric::check_fields(&input)?;
    request.app().send_reading(&request.who, request.id(), &input).await?;
    list(request).await
}

/// Lists the undecided applications that somebody was asked to read.
#[utoipa::path(
    get,
    path = "/api/admins/committee",
    operation_id = "listCommittee",
    tag = "Office: readings",
    params(("program" = Option<String>, Query, nullable = false, description = "Of one program; else of both")),
    responses(
        (status = 200, description = "The applications.", body = CommitteeList),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`program.unknown`"),
    )
)]
pub async fn committee(request: StaffRequest) -> Result<Json<CommitteeList>, Problem> {
    request.staff().permit(Permission::Decide)?;
    let program = match request.query("program").filter(|named| !named.is_empty()) {
        None => None,
        Some(named) => {
            let unknown = || vec![FieldError::new("program", "program.unknown", "There is no such program.")];
            Some(Program::of_application_type(&named).ok_or_else(unknown)?)
        }
    };
    let entries = request.app().committee(&request.who, program).await?;
    Ok(Json(CommitteeList { applications: entries.into_iter().map(CommitteeItem::from).collect() }))
}
