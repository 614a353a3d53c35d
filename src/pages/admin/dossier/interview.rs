//! The tab "Interview": what is booked, choosing a time, how it went, and what the interviewer thought.

use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::{Dossier, Opened, called, done, fresh, instead, open, sheets, status};
use crate::admin::Office;
use crate::page::{FormState, Screen, Typed};
use crate::props::office::Choice;
use crate::props::office::dossier::Frame;
use crate::props::office::sheets::{SheetForm, SheetView};
use crate::{Form, moment, problem};
use app::Error;
use app::applications::acts::Preconditions;
use app::interviews::office::OfficeInterview;
use app::interviews::{Chosen, Record};
use domain::application::ApplicationKey;
use domain::input::{FieldError, Input};
use domain::interview::{Interview, InterviewOutcome, Slot, Span, parse_start};
use domain::moments;
use domain::moments::Millis;
use domain::permission::Permission;

pub const TAB: &str = "/interview";

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminInterviewProps {
    pub frame: Frame,
    pub interview: Option<InterviewView>,
    /// Free times, if one can be booked or the interview moved.
    pub times: Vec<Choice>,
    /// Null if nothing can be booked.
    pub book_label: Option<&'static str>,
    /// Times that the applicant asked for.
    pub wishes: Vec<Choice>,
    pub may_cancel: bool,
    pub may_record: bool,
    pub may_undo: bool,
    pub sheet: Option<InterviewSheet>,
    /// Null for users who may not fill it in.
    pub scoring: Option<Scoring>,
    /// Identifies the form, so that a double click submits it once.
    pub form_key: String,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InterviewView {
    pub when_text: String,
    pub minutes: i64,
    pub interviewer: String,
    pub state: &'static str,
    pub no_shows: i64,
}

/// What was noted about an interview.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InterviewSheet {
    pub sheet: SheetView,
    /// Who filled it in, and when.
    pub written_text: String,
}

/// The form of the score sheet.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Scoring {
    pub form: SheetForm,
    /// Of the existing sheet; 0 for none.
    pub revision: i64,
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    respond(office, fresh(office), StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let (key, staff) = (ApplicationKey::Id(id), &who.staff);
    let application = match app.office_application(who, id, Permission::Interview).await {
        Ok(application) => application,
        Err(error) => return instead(office, &error).await,
    };
    let conditions =
        || Preconditions { expected: form.get("revision").parse().ok(), key: Preconditions::key(form.get("key")) };
    let outcome = async {
        Ok(match form.get("_action") {
            "book" => {
                let (starts_at, with) = chosen(form.get("startsAt"))?;
                app.arrange_interview_for(staff, key, Some(Chosen { starts_at, with }), conditions()).await?;
                "booked"
            }
            "offer" => {
                let (starts_at, _) = chosen(form.get("startsAt"))?;
                app.offer_wished_time(staff, key, starts_at, conditions()).await?;
                "booked"
            }
            "cancel" => {
                app.arrange_interview_for(staff, key, None, conditions()).await?;
                "cancelled"
            }
            "held" => {
                app.record_interview(staff, key, Record::Held, conditions()).await?;
                "held"
            }
            "no-show" => {
                app.record_interview(staff, key, Record::NoShow, conditions()).await?;
                "missed"
            }
            "undo" => {
                app.record_interview(staff, key, Record::Undo, conditions()).await?;
                "unrecorded"
            }
            "score" => {
                let revision = form.get("sheet").parse().unwrap_or_default();
                app.score_interview(who, &application, revision, &sheets::posted(form)).await?;
                "scored"
            }
            _ => "",
        })
    };
    match outcome.await.map_err(Error::for_staff) {
        Ok("") => problem::page(visit, problem::BAD_REQUEST).await,
        Ok(what) => done(office, TAB, form.get("view"), what),
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => office.unavailable(&error).await,
        Err(error) => respond(office, form.refused(&error), status(&error)).await,
    }
}

/// Reads a time and, after `~`, whom it is with: as in the choice of free times and in the calendar's addresses.
fn chosen(given: &str) -> Result<(Millis, Option<&str>), FieldError> {
    let (starts_at, with) = given.split_once('~').map_or((given, None), |(starts_at, with)| (starts_at, Some(with)));
    let starts_at = Some(starts_at).filter(|given| !given.is_empty()).map(|given| Input::Text(given.to_owned()));
    Ok((parse_start(starts_at.as_ref())?, with))
}

/// Formats a free time as [`chosen`] reads it.
pub fn choice_of(span: Span, interviewer_id: &str) -> String {
    format!("{}~{interviewer_id}", moments::rfc3339(span.starts_at))
}

async fn respond(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let Opened { dossier, frame, .. } = match open(office, TAB).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    match props(office, dossier, frame, form).await {
        Ok(props) => {
            let title = format!("Interview: {}", props.frame.name);
            office.page(Screen::AdminInterview(Box::new(props)), &title, status).await
        }
        Err(error) => instead(office, &error).await,
    }
}

async fn props(
    office: Office<'_>,
    dossier: Dossier,
    frame: Frame,
    mut form: FormState,
) -> Result<AdminInterviewProps, Error> {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let found = app.office_interview(who, &dossier.application).await?;
    let to_choice = |at: &Millis| choice(office, *at);
    let others = who.staff.role.may(Permission::OthersInterviews);
    let free = |slot: &Slot| {
        let when = moment::full(slot.span.starts_at, office.zone()).to_string();
        let with = called(&dossier.all_staff, &slot.interviewer_id);
        let label = if others { format!("{when}, with {with}") } else { when };
        Choice { value: choice_of(slot.span, &slot.interviewer_id), label }
    };
    let times: Vec<Choice> = found.slots.iter().map(free).collect();
    // The user has dropped the interview on a time in the calendar.
    if let Some(asked) = visit.query("startsAt").filter(|_| form.errors.is_empty()) {
        if !times.iter().any(|time| time.value == asked) {
            form.errors.push(("startsAt".into(), "This time is not free any more. Choose another one.".into()));
        }
        form.values.insert("startsAt".into(), Typed::One(asked));
    }
    Ok(AdminInterviewProps {
        times,
        book_label: match (found.may_book, found.may_move) {
            (true, _) => Some("Book this time"),
            (_, true) => Some("Move to this time"),
            _ => None,
        },
        wishes: found.wishes.iter().map(to_choice).collect(),
        may_cancel: found.may_cancel,
        may_record: found.may_record,
        may_undo: found.may_undo,
        sheet: found.sheet.as_ref().map(|sheet| sheet_view(office, sheet, &dossier)),
        scoring: found.may_score.then(|| scoring(&found)),
        interview: found.interview.as_ref().map(|interview| interview_view(office, interview, &dossier)),
        form_key: app.random.id(),
        frame,
        form,
    })
}

fn choice(office: Office<'_>, at: Millis) -> Choice {
    Choice { value: moments::rfc3339(at), label: moment::full(at, office.zone()).to_string() }
}

pub fn interview_view(office: Office<'_>, interview: &Interview, dossier: &Dossier) -> InterviewView {
    let span = interview.slot.span;
    InterviewView {
        when_text: moment::full(span.starts_at, office.zone()).to_string(),
        minutes: span.minutes,
        interviewer: called(&dossier.all_staff, &interview.slot.interviewer_id),
        state: match interview.outcome {
            None => "Booked",
            Some(InterviewOutcome::Held) => "Held",
            Some(InterviewOutcome::NoShow) => "The applicant was not there",
        },
        no_shows: interview.no_shows,
    }
}

pub fn sheet_view(
    office: Office<'_>,
    written: &domain::interview::InterviewSheet,
    dossier: &Dossier,
) -> InterviewSheet {
    let when = moment::full(written.written_at, office.zone());
    InterviewSheet {
        sheet: sheets::view(&written.sheet),
        written_text: format!("{}, {when}", called(&dossier.all_staff, &written.written_by)),
    }
}

fn scoring(found: &OfficeInterview) -> Scoring {
    let written = found.sheet.as_ref();
    Scoring {
        form: sheets::form(&found.rubric, written.map(|written| &written.sheet)),
        revision: written.map_or(0, |written| written.revision),
    }
}
