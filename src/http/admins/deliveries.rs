//! `/admins/deliveries…`: mails and jobs that are waiting, sent or parked.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::problem::Problem;
use app::Error;
use domain::input::FieldError;
use domain::job::JobEntry;
use domain::mail::{MailEntry, MailState};
use domain::moments::rfc3339;

/// Mails and background jobs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deliveries {
    /// The newest 100.
    mails: Vec<DeliveredMail>,
    /// Unfinished jobs: parked ones first, then by due time; at most 100.
    jobs: Vec<WaitingJob>,
    mails_waiting: i64,
    mails_failed: i64,
    jobs_waiting: i64,
    jobs_parked: i64,
}

/// A mail without its text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveredMail {
    id: String,
    #[schema(example = "interview-booked")]
    template: String,
    to: String,
    subject: String,
    /// `waiting`, `sent`, `failed`, or `kept` if there is no mail server.
    state: &'static str,
    attempts: i64,
    /// When it is tried next, if it is waiting.
    #[schema(format = DateTime)]
    due_at: String,
    #[schema(required)]
    last_error: Option<String>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(required, format = DateTime)]
    finished_at: Option<String>,
    /// Whether it has failed and can be retried. Mails with a one-time link cannot: those are not kept.
    may_be_retried: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingJob {
    id: String,
    #[schema(example = "interview-reminder")]
    kind: String,
    /// `application:ID`, `applicant:ID`, or the name of a recurring job.
    subject: String,
    /// Whether it is no longer retried automatically.
    parked: bool,
    attempts: i64,
    #[schema(format = DateTime)]
    due_at: String,
    #[schema(required)]
    last_error: Option<String>,
}

impl From<MailEntry> for DeliveredMail {
    fn from(mail: MailEntry) -> Self {
        DeliveredMail {
            may_be_retried: mail.may_be_retried(),
            id: mail.id,
            template: mail.template,
            to: mail.to,
            subject: mail.subject,
            state: mail.state.as_str(),
            attempts: mail.attempts,
            due_at: rfc3339(mail.due_at),
            last_error: mail.last_error,
            created_at: rfc3339(mail.created_at),
            finished_at: mail.finished_at.map(rfc3339),
        }
    }
}

impl From<JobEntry> for WaitingJob {
    fn from(job: JobEntry) -> Self {
        WaitingJob {
            id: job.id,
            kind: job.kind,
            subject: job.subject,
            parked: job.parked,
            attempts: job.attempts,
            due_at: rfc3339(job.due_at),
            last_error: job.last_error,
        }
    }
}

/// Lists mails and jobs: waiting, sent and parked.
#[utoipa::path(
    get,
    path = "/api/admins/deliveries",
    operation_id = "listDeliveries",
    tag = "Office: deliveries",
    params(("state" = Option<String>, Query, nullable = false,
        description = "Mails of one state alone: `waiting`, `failed`, `held`, `sent` or `kept`")),
    responses(
        (status = 200, description = "Both lists.", body = Deliveries),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`state.unknown`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<Deliveries>, Problem> {
    let unknown = || FieldError::new("state", "state.unknown", "Choose waiting, failed, held, sent or kept.");
    let state = request.query("state").map(|state| MailState::parse(&state).ok_or_else(unknown));
    let log = request.app().deliveries(request.staff(), state.transpose().map_err(Error::from)?).await?;
    Ok(Json(Deliveries {
        mails: log.mails.into_iter().map(DeliveredMail::from).collect(),
        jobs: log.jobs.into_iter().map(WaitingJob::from).collect(),
        mails_waiting: log.mail_counts.0,
        mails_failed: log.mail_counts.1,
        jobs_waiting: log.job_counts.0,
        jobs_parked: log.job_counts.1,
    }))
}

/// Retries a failed mail that had no one-time link.
///
/// Does nothing for any other mail.
#[utoipa::path(
    post,
    path = "/api/admins/deliveries/mails/{id}/retry",
    operation_id = "retryMail",
    tag = "Office: deliveries",
    params(("id" = String, Path, description = "The mail's id")),
    responses(
        (status = 204, description = "It is tried now."),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
    )
)]
pub async fn retry_mail(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().retry_mail(request.staff(), request.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Retries a parked job.
///
/// Does nothing for any other job.
#[utoipa::path(
    post,
    path = "/api/admins/deliveries/jobs/{id}/retry",
    operation_id = "retryJob",
    tag = "Office: deliveries",
    params(("id" = String, Path, description = "The job's id")),
    responses(
        (status = 204, description = "It is tried now."),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
    )
)]
pub async fn retry_job(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().retry_job(request.staff(), request.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}
