//! Mails and jobs: waiting, sent and parked.

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use crate::page::{FormState, Screen};
use crate::props::office::Choice;
use crate::props::office::deliveries::{AdminDeliveriesProps, JobRow, MailRow};
use crate::{Form, moment, problem, respond};
use app::office::deliveries::MAX_DELIVERIES;
use domain::job::JobEntry;
use domain::mail::{MailEntry, MailState};

const PATH: &str = "/admin-panel/settings/deliveries";

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("mail") => Some("The email is tried again now."),
        Some("job") => Some("The job is tried again now."),
        _ => None,
    };
    let state = office.visit.query("state").and_then(|state| MailState::parse(&state));
    let log = match office.visit.state.app.deliveries(&office.who.staff, state).await {
        Ok(log) => log,
        Err(error) => return office.unavailable(&error).await,
    };
    let choice = |state: MailState| Choice { value: state.as_str().into(), label: words(state).into() };
    let props = AdminDeliveriesProps {
        state: state.map_or("", MailState::as_str),
        states: MailState::ALL.into_iter().map(choice).collect(),
        mails: log.mails.into_iter().map(|mail| mail_row(office, mail)).collect(),
        jobs: log.jobs.into_iter().map(|job| job_row(office, job)).collect(),
        most: MAX_DELIVERIES,
        mails_waiting: log.mail_counts.0,
        mails_failed: log.mail_counts.1,
        jobs_waiting: log.job_counts.0,
        jobs_parked: log.job_counts.1,
        form: FormState { message: message.map(Into::into), ..FormState::default() },
    };
    office.page(Screen::AdminDeliveries(Box::new(props)), "Emails and jobs", StatusCode::OK).await
}

pub async fn retry(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let (result, done) = match form.get("_action").split_once(':') {
        Some(("mail", id)) => (app.retry_mail(&who.staff, id).await, "mail"),
        Some(("job", id)) => (app.retry_job(&who.staff, id).await, "job"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => respond::see_other(&format!("{PATH}?done={done}")),
        Err(error) => office.unavailable(&error).await,
    }
}

fn words(state: MailState) -> &'static str {
    match state {
        MailState::Waiting => "Waiting",
        MailState::Sent => "Sent",
        MailState::Kept => "Kept",
        MailState::Held => "Held back",
        MailState::Failed => "Failed",
    }
}

fn mail_row(office: Office<'_>, mail: MailEntry) -> MailRow {
    let at = |at| moment::full(at, office.zone());
    MailRow {
        may_be_retried: mail.may_be_retried(),
        state: mail.state.as_str(),
        state_text: words(mail.state),
        created_text: at(mail.created_at),
        finished_text: mail.finished_at.map(at),
        due_text: (mail.state == MailState::Waiting).then(|| at(mail.due_at)),
        id: mail.id,
        template: mail.template,
        to: mail.to,
        subject: mail.subject,
        attempts: mail.attempts,
        error: mail.last_error,
    }
}

fn job_row(office: Office<'_>, job: JobEntry) -> JobRow {
    JobRow {
        due_text: moment::full(job.due_at, office.zone()),
        id: job.id,
        kind: job.kind,
        subject: job.subject,
        parked: job.parked,
        attempts: job.attempts,
        error: job.last_error,
    }
}
