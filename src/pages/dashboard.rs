//! The admissions dashboard: where the application stands and what to do next.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{ApplicationSummary, DashboardProps, NextStep, Progress, Screen, Side, TimelineEntry};
use super::{Visit, apply, catalogue, moment, respond};
use crate::app::ports::Application;
use crate::domain::status::Status;

pub async fn show(visit: &Visit) -> Response {
    let zone = visit.visitor.time_zone(&visit.state.app);
    let application = visit.visitor.application.as_ref();
    let props = DashboardProps {
        application: application.map(|application| summary(visit, application, zone)),
        load_failed: visit.visitor.load_failed,
        next_step: next_step(visit, application),
        timeline: timeline(application, zone),
        side: Side { title: "Application Progress", description: "Track your application progress here" },
    };
    let head = visit.private_head("Dashboard");
    respond::page(visit, visit.page(Screen::Dashboard(Box::new(props)), StatusCode::OK, head)).await
}

fn summary(visit: &Visit, application: &Application, zone: &str) -> ApplicationSummary {
    let words = application.status.words();
    let intake = catalogue::next_intake(apply::today(visit));
    let by_when = (application.status == Status::Incomplete).then(|| {
        format!("{}, for the intake of {}", catalogue::long_date(intake.deadline), catalogue::long_date(intake.start))
    });
    ApplicationSummary {
        program_name: application.program.name(),
        status: application.status,
        stage: application.stage.clone(),
        title: words.title,
        meaning: words.meaning,
        whose_turn: words.whose_turn,
        by_when,
        started_text: moment::day(application.created_at, zone),
        saved_text: (application.revision > 1).then(|| moment::full(application.updated_at, zone)),
    }
}

fn next_step(visit: &Visit, application: Option<&Application>) -> NextStep {
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
        Some(application) if application.status == Status::Incomplete => step(
            if application.revision > 1 { "Go on with your application" } else { "Fill in your application" },
            "Your answers are saved as you type. Stop and come back whenever you like.",
            format!("/{}/application", application.program.path()),
            if application.revision > 1 { "Continue" } else { "Begin" },
        ),
        Some(application) => {
            let words = application.status.words();
            let contact = format!("mailto:{}", visit.state.app.settings.contact_email);
            step(words.title, words.whose_turn, contact, "Write to admissions")
        }
    }
}

/// Applied → Interview → Decision → Contract and funding → Enrolled.
fn timeline(application: Option<&Application>, zone: &str) -> Vec<TimelineEntry> {
    const LABELS: [&str; 5] = ["Applied", "Interview", "Decision", "Contract and funding", "Enrolled"];
    let status = application.map_or(Status::None, |application| application.status);
    // How many steps are behind; the next one is current.
    let done = match status {
        Status::None | Status::Incomplete => 0,
        Status::Scheduled => 1,
        Status::Rejected | Status::Accepted | Status::Deferred => 3,
        Status::Enrolled => 5,
    };
    LABELS
        .into_iter()
        .enumerate()
        .map(|(index, label)| {
            let state = match index.cmp(&done) {
                std::cmp::Ordering::Less => Progress::Done,
                std::cmp::Ordering::Equal if matches!(status, Status::None | Status::Rejected) => Progress::Upcoming,
                std::cmp::Ordering::Equal => Progress::Current,
                std::cmp::Ordering::Greater => Progress::Upcoming,
            };
            let started = application.filter(|_| index == 0);
            let date = started.map(|application| format!("Started {}", moment::short(application.created_at, zone)));
            TimelineEntry { label, state, date }
        })
        .collect()
}
