//! The tab "Readings": who is asked to read the application, their assessments, and sending one's own.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Dossier, Opened, called, done, fresh, href, instead, open, sheets, status};
use crate::admin::Office;
use crate::page::{FormState, Screen};
use crate::props::office::Choice;
use crate::props::office::readings::{AdminReadingsProps, OwnReading, ReadingView, ReadingsView};
use crate::{Form, moment, problem};
use app::decisions::readings::{ReadersAsked, ReadingSeen, ReadingsSeen};
use app::{Error, Refusal};
use domain::input::Input;
use domain::moments;
use domain::permission::Permission;
use domain::rubric::on_scale;

pub const TAB: &str = "/readings";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    respond(office, fresh(office), StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let (action, reader) = form.get("_action").split_once(':').unwrap_or((form.get("_action"), ""));
    let (result, notice) = match action {
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
        "send" => (app.send_reading(who, id, &sheets::posted(form)).await, "reading-sent"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => done(office, TAB, form.get("view"), notice),
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => respond(office, form.refused(&error), status(&error)).await,
    }
}

async fn respond(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
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
        own: own.map(|own| OwnReading {
            form: sheets::form(&seen.rubric, None),
            due_text: own.due_on.map(|day| moments::loose_date(day).to_string()),
        }),
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

/// Returns what is shown of the readings, here and beside the decision.
pub fn view(office: Office<'_>, seen: &ReadingsSeen, dossier: &Dossier, view: &str) -> ReadingsView {
    let to_view = |reading: &ReadingSeen| {
        let when = |at| moment::full(at, office.zone());
        let state_text = match (reading.sent_at, reading.due_on) {
            (Some(at), _) => format!("Sent {}", when(at)),
            (None, Some(day)) => format!("Expected by {}", moments::loose_date(day)),
            (None, None) => format!("Asked {}", when(reading.asked_at)),
        };
        ReadingView {
            reader: reading.reader_id.clone(),
            name: called(&dossier.all_staff, &reading.reader_id),
            own: reading.reader_id == office.who.staff.id,
            state_text,
            sent: reading.sent_at.is_some(),
            sheet: reading.sheet.as_ref().map(sheets::view),
        }
    };
    let scale = seen.rubric.scale;
    ReadingsView {
        readings: seen.readings.iter().map(to_view).collect(),
        mean_text: seen.score().map(|score| format!("{} of {scale}", on_scale(score, scale))),
        is_blind: seen.is_blind,
        href: href(office.id, TAB, view),
    }
}
