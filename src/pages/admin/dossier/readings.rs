//! The tab "Readings": who is asked to read the application, what they say, and saying it.

use axum::http::StatusCode;
use axum::response::Response;

use super::super::super::page::{FormState, Screen};
use super::super::super::props::office::Choice;
use super::super::super::props::office::readings::{
    AdminReadingsProps, ReadingCriterion, ReadingForm, ReadingLine, ReadingSheetView, ReadingView, ReadingsView,
};
use super::super::super::{Form, moment, problem};
use super::super::Office;
use super::{Dossier, Opened, called, done, fresh, href, instead, open, status};
use crate::app::readings::{ReadersAsked, ReadingSeen, ReadingsSeen};
use crate::app::{Error, Refusal};
use crate::domain::input::Input;
use crate::domain::moments;
use crate::domain::permission::Permission;
use crate::domain::rubric::{Criterion, MOST_CRITERIA, ReadingSheet, Rubric, on_scale};
use crate::domain::score::Recommendation;

pub const TAB: &str = "/readings";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    answer(office, fresh(office), StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let (action, reader) = form.get("_action").split_once(':').unwrap_or((form.get("_action"), ""));
    let (result, told) = match action {
        "ask" => {
            let readers = form.fields().iter().filter(|(name, _)| name == "readers");
            let readers = readers.map(|(_, id)| Input::Text(id.clone())).collect();
            let input = Input::Map(vec![
                ("readers".into(), Input::List(readers)),
                ("dueOn".into(), Input::Text(form.get("dueOn").to_owned())),
            ]);
            let asked = async {
                let asked = ReadersAsked::parse(&input, app.today())?;
                app.ask_readers(who, id, &asked).await
            };
            (asked.await, "readers-asked")
        }
        "unask" => (app.unask_reader(who, id, reader).await, "reader-unasked"),
        "send" => (app.send_reading(who, id, &sheet(form)).await, "reading-sent"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => done(office, TAB, form.get("view"), told),
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => answer(office, form.refused(&error), status(&error)).await,
    }
}

/// The sheet of a posted form, as the API gets it. A criterion that nothing was chosen for sends nothing: its place is kept.
fn sheet(form: &Form) -> Input {
    let number = |name: &str| name.strip_prefix("points.")?.parse::<usize>().ok();
    let last = form.fields().iter().filter_map(|(name, _)| number(name)).max().unwrap_or_default();
    let points = (1..=last.min(MOST_CRITERIA + 1)).map(|number| form.get(&format!("points.{number}")).to_owned());
    Input::Map(vec![
        ("points".into(), Input::List(points.map(Input::Text).collect())),
        ("recommendation".into(), Input::Text(form.get("recommendation").to_owned())),
        ("comment".into(), Input::Text(form.get("comment").to_owned())),
    ])
}

async fn answer(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let Opened { dossier, frame, .. } = match open(office, TAB).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let seen = match office.visit.state.app.readings(office.who, &dossier).await {
        Ok(seen) => seen,
        Err(error) => return instead(office, &error).await,
    };
    let me = &office.who.staff.id;
    let own = seen.readings.iter().find(|reading| reading.reader_id == *me && seen.is_blind);
    let title = format!("Readings of {}", frame.name);
    let props = AdminReadingsProps {
        own: own.map(|own| reading_form(&seen.rubric, own)),
        candidates: seen
            .candidates
            .iter()
            .map(|one| Choice { value: one.id.clone(), label: one.called().to_owned() })
            .collect(),
        may_ask: !seen.is_over && office.who.staff.role.may(Permission::Assign),
        is_over: seen.is_over,
        view: view(office, &seen, &dossier, &frame.view),
        frame,
        form,
    };
    office.page(Screen::AdminReadings(Box::new(props)), &title, status).await
}

/// What is told of the readings, here and where it is decided.
pub fn view(office: Office<'_>, seen: &ReadingsSeen, dossier: &Dossier, view: &str) -> ReadingsView {
    let told = |reading: &ReadingSeen| {
        let when = |at| moment::full(at, office.zone());
        let state_text = match (reading.sent_at, reading.due_on) {
            (Some(at), _) => format!("Sent {}", when(at)),
            (None, Some(day)) => format!("Expected by {}", moments::loose_date(day)),
            (None, None) => format!("Asked {}", when(reading.asked_at)),
        };
        ReadingView {
            reader: reading.reader_id.clone(),
            name: called(&dossier.colleagues, &reading.reader_id),
            own: reading.reader_id == office.who.staff.id,
            state_text,
            sent: reading.sent_at.is_some(),
            sheet: reading.sheet.as_ref().map(sheet_view),
        }
    };
    let scale = seen.rubric.scale;
    ReadingsView {
        readings: seen.readings.iter().map(told).collect(),
        mean_text: seen.score().map(|score| format!("{} of {scale}", on_scale(score, scale))),
        is_blind: seen.is_blind,
        href: href(office.id, TAB, view),
    }
}

fn sheet_view(sheet: &ReadingSheet) -> ReadingSheetView {
    ReadingSheetView {
        mean: sheet.mean(),
        scale: sheet.scale,
        lines: sheet
            .lines
            .iter()
            .map(|line| ReadingLine {
                label: line.label.clone(),
                weight: line.weight,
                points: line.points,
                tenths: line.points * 10 / sheet.scale.max(1),
            })
            .collect(),
        recommendation: sheet.recommendation.label(),
        comment: sheet.comment.clone(),
    }
}

fn reading_form(rubric: &Rubric, own: &ReadingSeen) -> ReadingForm {
    let criterion = |(at, criterion): (usize, &Criterion)| ReadingCriterion {
        name: format!("points.{}", at + 1),
        label: criterion.label.clone(),
        weight: criterion.weight,
    };
    ReadingForm {
        criteria: rubric.criteria.iter().enumerate().map(criterion).collect(),
        scale: rubric.scale,
        prompt: rubric.prompt.clone(),
        recommendations: Recommendation::ALL
            .map(|one| Choice { value: one.as_str().to_owned(), label: one.label().to_owned() })
            .into(),
        due_text: own.due_on.map(|day| moments::loose_date(day).to_string()),
    }
}
