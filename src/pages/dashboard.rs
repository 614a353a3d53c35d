//! The admissions dashboard: where the application stands and what to do next.

use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::Date;

use super::page::{ApplicationSummary, DashboardProps, NextStep, Progress, Screen, Side, TimelineEntry, Withdrawn};
use super::{Form, Visit, application, apply, catalogue, moment, problem, respond};
use crate::app::ports::{Application, MINUTE, Millis};
use crate::app::submission::Conditions;
use crate::app::{Error, Refusal};
use crate::domain::status::{Stage, UNDO_MINUTES};

/// How long a withdrawal can be undone.
const UNDO: Millis = UNDO_MINUTES * MINUTE;

pub async fn show(visit: &Visit) -> Response {
    answer(visit, None, StatusCode::OK).await
}

/// "Undo" after a withdrawal.
pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard");
    };
    if form.get("_action") != "undo-withdraw" {
        return problem::page(visit, problem::BAD_REQUEST).await;
    }
    let conditions = Conditions { expected: form.get("revision").parse().ok(), key: Conditions::key(form.get("key")) };
    match visit.state.app.undo_withdrawal(who, conditions).await {
        Ok(_) | Err(Error::Refused(Refusal::NoApplication)) => respond::see_other("/dashboard"),
        Err(error) => {
            super::form::log(&error);
            answer(visit, Some(error.sentence()), problem::status(&error)).await
        }
    }
}

async fn answer(visit: &Visit, error: Option<String>, status: StatusCode) -> Response {
    let zone = visit.visitor.time_zone(&visit.state.app);
    let application = visit.visitor.application.as_ref();
    let props = DashboardProps {
        application: application.map(|application| summary(visit, application, zone)),
        withdrawn: withdrawn(visit, zone).await,
        error,
        load_failed: visit.visitor.load_failed,
        next_step: next_step(visit, application, zone),
        timeline: timeline(application, zone),
        side: Side { title: "Application Progress", description: "Track your application progress here" },
    };
    let head = visit.private_head("Dashboard");
    respond::page(visit, visit.page(Screen::Dashboard(Box::new(props)), status, head)).await
}

/// What was withdrawn a moment ago, and can be brought back.
async fn withdrawn(visit: &Visit, zone: &str) -> Option<Withdrawn> {
    let visitor = &visit.visitor;
    let who = visitor.signed_in.as_ref().filter(|_| visitor.application.is_none() && !visitor.load_failed)?;
    // Only an offer to undo is missing when it cannot be looked up.
    let ended = visit.state.app.undoable_withdrawal(who).await.unwrap_or_else(|error| {
        super::form::log(&error);
        None
    })?;
    Some(Withdrawn {
        program_name: ended.application.program.name(),
        until_text: moment::time(ended.ended_at + UNDO, zone),
        revision: ended.application.revision,
        idempotency_key: visit.state.app.random.id(),
    })
}

fn summary(visit: &Visit, application: &Application, zone: &str) -> ApplicationSummary {
    let words = application.stage.words();
    let by_when = match application.stage {
        Stage::Draft => {
            let intake = catalogue::next_intake(apply::today(visit));
            let (deadline, start) = (catalogue::long_date(intake.deadline), catalogue::long_date(intake.start));
            Some(format!("{deadline}, for the intake of {start}"))
        }
        Stage::Submitted => answer_by(application, zone).map(catalogue::long_date),
        _ => None,
    };
    ApplicationSummary {
        program_name: application.program.name(),
        status: application.status(),
        stage: application.stage.as_str(),
        reference: application.reference.clone(),
        title: words.title,
        meaning: words.meaning,
        whose_turn: words.whose_turn,
        by_when,
        started_text: moment::day(application.created_at, zone),
        saved_text: (application.revision > 1 && application.stage.is_editable())
            .then(|| moment::full(application.updated_at, zone)),
        submitted_text: submitted_at(application).map(|at| moment::full(at, zone)),
    }
}

/// When what we have was submitted; what was taken back, we do not have.
fn submitted_at(application: &Application) -> Option<Millis> {
    application.submitted_at.filter(|_| !application.stage.is_editable())
}

/// Until when we write to someone whose application we read.
fn answer_by(application: &Application, zone: &str) -> Option<Date> {
    submitted_at(application).map(|at| catalogue::answer_by(moment::date(at, zone)))
}

fn next_step(visit: &Visit, application: Option<&Application>, zone: &str) -> NextStep {
    let step = |title: &str, text: &str, href: String, label: &str| NextStep {
        title: title.into(),
        text: text.into(),
        href,
        label: label.into(),
    };
    match application {
        None if visit.visitor.load_failed => step(
            "We could not load your application",
            "Your answers are safe. Try again in a minute.",
            "/dashboard".into(),
            "Retry",
        ),
        None => step(
            "Start your application",
            "It takes about thirty minutes, and you can stop at any time.",
            format!("/{}/apply", visit.program.path()),
            "Choose a program and start",
        ),
        Some(application) => {
            let words = application.stage.words();
            let form = application::path(application.program);
            match application.stage {
                Stage::Draft if application.submitted_at.is_some() => step(
                    "Submit your application again",
                    "You have taken it back to change something. We read it when you have submitted it again.",
                    form,
                    "Continue",
                ),
                Stage::Draft => step(
                    if application.revision > 1 { "Go on with your application" } else { "Fill in your application" },
                    "Your answers are saved as you type. Stop and come back whenever you like.",
                    form,
                    if application.revision > 1 { "Continue" } else { "Begin" },
                ),
                Stage::Submitted => step(
                    "We are reading your application",
                    &match answer_by(application, zone).map(catalogue::long_date) {
                        Some(day) => format!("You need not do anything. We write to you about an interview by {day}."),
                        None => "You need not do anything. We write to you about an interview.".to_owned(),
                    },
                    form,
                    "See what you sent",
                ),
                _ => {
                    let contact = format!("mailto:{}", visit.state.app.settings.contact_email);
                    step(words.title, words.whose_turn, contact, "Write to admissions")
                }
            }
        }
    }
}

/// Applied → Interview → Decision → Contract and funding → Enrolled.
fn timeline(application: Option<&Application>, zone: &str) -> Vec<TimelineEntry> {
    const LABELS: [&str; 5] = ["Applied", "Interview", "Decision", "Contract and funding", "Enrolled"];
    let stage = application.map_or(Stage::None, |application| application.stage);
    // How many steps are behind; the next one is current.
    let done = match stage {
        Stage::None | Stage::Archived | Stage::Draft => 0,
        Stage::Submitted | Stage::Changes | Stage::Booked | Stage::NoShow => 1,
        Stage::Held => 2,
        Stage::Offered | Stage::Confirmed | Stage::Lapsed | Stage::Rejected | Stage::Deferred => 3,
        Stage::Enrolled => 5,
    };
    let rests = matches!(stage, Stage::None | Stage::Archived | Stage::Rejected);
    LABELS
        .into_iter()
        .enumerate()
        .map(|(index, label)| {
            let state = match index.cmp(&done) {
                std::cmp::Ordering::Less => Progress::Done,
                std::cmp::Ordering::Equal if !rests => Progress::Current,
                _ => Progress::Upcoming,
            };
            let date = application.and_then(|application| match (index, application.stage) {
                (0, _) => Some(match submitted_at(application) {
                    Some(at) => format!("Submitted {}", moment::short(at, zone)),
                    None => format!("Started {}", moment::short(application.created_at, zone)),
                }),
                (1, Stage::Submitted) => {
                    Some(format!("We write by {}", catalogue::short_date(answer_by(application, zone)?)))
                }
                _ => None,
            });
            TimelineEntry { label, state, date }
        })
        .collect()
}
