//! `/admins/applications/{id}/timeline`, `…/presence`, `…/answers`: the history of an application, who is looking at
//! it, and what was answered when.

use std::borrow::Cow;

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::problem::Problem;
use app::office::dossiers::{Event, Version, Who, chosen};
use domain::moments::rfc3339;
use domain::paper;
use domain::status::Stage;

/// What is recorded about an application.
#[derive(Debug, Serialize, ToSchema)]
pub struct Timeline {
    /// Newest first.
    events: Vec<TimelineEvent>,
    /// Whether the record is as it was written.
    unbroken: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TimelineEvent {
    #[schema(format = DateTime)]
    at: String,
    by: EventBy,
    /// The name of the member of staff.
    #[schema(required)]
    name: Option<String>,
    /// What was done, in words.
    #[schema(example = "Interview booked")]
    what: String,
    /// The stages before and after it, if it changed the stage.
    #[schema(required)]
    from: Option<&'static str>,
    #[schema(required)]
    to: Option<&'static str>,
    /// What else is known about it: old and new, if something else changed.
    #[schema(required)]
    detail: Option<String>,
    /// The reason, in somebody's own words. Null for roles that may not see personal data.
    #[schema(required)]
    reason: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EventBy {
    Applicant,
    Staff,
    Referee,
    System,
}

/// Who has an application open.
#[derive(Debug, Serialize, ToSchema)]
pub struct Presence {
    /// The names of others who have looked at it in the last 30 seconds.
    lookers: Vec<String>,
    /// The application's revision; if it differs from the caller's, somebody has changed the application.
    revision: i64,
}

/// The answers, beside an earlier version of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComparedAnswers {
    /// All versions, oldest first.
    versions: Vec<AnswersVersion>,
    /// The version that is shown.
    #[schema(required)]
    version: Option<String>,
    /// The version that it is compared with.
    #[schema(required)]
    against: Option<String>,
    sections: Vec<ComparedSection>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AnswersVersion {
    /// `1` for the first submission, `now` for what differs from the last one.
    #[schema(example = "1")]
    name: String,
    #[schema(format = DateTime)]
    at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ComparedSection {
    title: String,
    answers: Vec<ComparedAnswer>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ComparedAnswer {
    name: String,
    /// In words; null if only the earlier version has it.
    #[schema(required)]
    value: Option<String>,
    change: AnswerChange,
    /// The value in the earlier version, if it differs.
    #[schema(required)]
    before: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnswerChange {
    Same,
    Added,
    Changed,
    Gone,
}

impl From<Event> for TimelineEvent {
    fn from(event: Event) -> Self {
        let (by, name) = match event.who {
            Who::Applicant => (EventBy::Applicant, None),
            Who::Staff(name) => (EventBy::Staff, Some(name)),
            Who::Referee => (EventBy::Referee, None),
            Who::System => (EventBy::System, None),
        };
        TimelineEvent {
            at: rfc3339(event.at),
            by,
            name,
            what: event.words,
            from: event.stages.map(|(from, _)| Stage::as_str(from)),
            to: event.stages.map(|(_, to)| Stage::as_str(to)),
            detail: event.detail,
            reason: event.reason,
        }
    }
}

impl From<paper::Compared> for ComparedAnswer {
    fn from(paper::Compared { name, value, change }: paper::Compared) -> Self {
        let (change, before) = match change {
            paper::Change::Same => (AnswerChange::Same, None),
            paper::Change::Added => (AnswerChange::Added, None),
            paper::Change::Changed(before) => (AnswerChange::Changed, Some(before)),
            paper::Change::Gone(before) => (AnswerChange::Gone, Some(before)),
        };
        let (name, value) = (name.into_owned(), value.map(Cow::into_owned));
        ComparedAnswer { name, value, change, before: before.map(Cow::into_owned) }
    }
}

/// Returns everything recorded about an application.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/timeline",
    operation_id = "loadTimeline",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "The record.", body = Timeline),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn timeline(request: StaffRequest) -> Result<Json<Timeline>, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let (events, unbroken) = request.app().timeline(&request.who, &dossier).await?;
    Ok(Json(Timeline { events: events.into_iter().map(TimelineEvent::from).collect(), unbroken }))
}

/// Returns who else is looking at an application.
///
/// The caller is shown to the others for the next 30 seconds.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/presence",
    operation_id = "loadPresence",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "The others.", body = Presence),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn presence(request: StaffRequest) -> Result<Json<Presence>, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let lookers = request.app().look_at(&request.who, &dossier).await?;
    Ok(Json(Presence { lookers, revision: dossier.application.revision }))
}

/// Tells the others that the caller has left an application.
#[utoipa::path(
    delete,
    path = "/api/admins/applications/{id}/presence",
    operation_id = "leavePresence",
    tag = "Office: applications",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 204, description = "One does not look at it any more."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn leave(request: StaffRequest) -> Result<StatusCode, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    request.app().look_away(&request.who, &dossier.application.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the answers of an application in words, and what has changed in them.
///
/// Address and citizenship are left out for roles that may not see them.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/answers",
    operation_id = "compareAnswers",
    tag = "Office: applications",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("version" = Option<String>, Query, nullable = false, description = "Which one is told; the newest if absent"),
        ("against" = Option<String>, Query, nullable = false,
            description = "Which one it is compared with, or `none`; the one before it if absent"),
    ),
    responses(
        (status = 200, description = "The answers, section by section.", body = ComparedAnswers),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn answers(request: StaffRequest) -> Result<Json<ComparedAnswers>, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let versions = request.app().versions(&request.who, &dossier).await?;
    let (version, against) =
        chosen(&versions, request.query("version").as_deref(), request.query("against").as_deref());
    let sections = match version {
        Some(version) => request.app().compared_answers(&request.who, version, against).await?,
        None => Vec::new(),
    };
    let name = |version: &Version| version.name.to_string();
    Ok(Json(ComparedAnswers {
        versions: versions.iter().map(|one| AnswersVersion { name: name(one), at: rfc3339(one.at) }).collect(),
        version: version.map(name),
        against: against.map(name),
        sections: sections
            .into_iter()
            .map(|section| ComparedSection {
                title: section.title.to_string(),
                answers: section.facts.into_iter().map(ComparedAnswer::from).collect(),
            })
            .collect(),
    }))
}
