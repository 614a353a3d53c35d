//! The tab "Notes": notes about the application that staff write for each other.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Opened, called, done_to, fresh, instead, open, status};
use crate::admin::Office;
use crate::page::{FormState, Screen};
use crate::props::office::notes::{AdminNotesProps, OfficeNote};
use crate::{Form, moment, problem};
use app::applications::acts::Preconditions;
use app::office::dossiers::NoteText;
use app::{Error, Refusal};
use domain::input::Input;
use domain::note::Note;
use domain::permission::Permission;

pub const TAB: &str = "/notes";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let editing = office.visit.query("edit");
    respond(office, fresh(office), editing, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let (action, note) = form.get("_action").split_once(':').unwrap_or((form.get("_action"), ""));
    let text = || NoteText::parse(Some(&Input::Text(form.get("note").to_owned()))).map_err(Error::from);
    let (result, notice) = match action {
        "write" => {
            let key = Preconditions::key(form.get("key")).unwrap_or_else(|| app.random.id());
            let written = async { app.write_note(who, id, &key, text()?).await };
            (written.await, "noted")
        }
        "edit" => {
            let seen = form.get("noteRevision").parse().unwrap_or_default();
            let edited = async { app.edit_note(who, id, note, seen, text()?).await };
            (edited.await, "note-edited")
        }
        "delete" => {
            let deleted = app.delete_note(who, id, note).await;
            // The same form was sent again.
            let is_gone = matches!(deleted, Err(Error::Refused(Refusal::NoSuchNote)));
            (if is_gone { Ok(()) } else { deleted }, "note-deleted")
        }
        "pin" => (app.pin_note(who, id, note, true).await, "note-pinned"),
        "unpin" => (app.pin_note(who, id, note, false).await, "note-unpinned"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => done_to(office, TAB, form.get("view"), notice, note),
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => {
            let editing = (action == "edit").then(|| note.to_owned());
            respond(office, form.refused(&error), editing, status(&error)).await
        }
    }
}

async fn respond(office: Office<'_>, mut form: FormState, editing: Option<String>, mut status: StatusCode) -> Response {
    let Opened { dossier, frame, .. } = match open(office, TAB).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let app = &office.visit.state.app;
    let search = office.visit.query("q").unwrap_or_default();
    let notes = match app.notes(office.who, &dossier, &search).await {
        Ok(notes) => notes,
        Err(Error::Invalid(errors)) => {
            status = StatusCode::UNPROCESSABLE_ENTITY;
            form.errors.extend(errors.into_iter().map(|error| (error.path, error.message)));
            Vec::new()
        }
        Err(error) => return instead(office, &error).await,
    };
    let shown = |note: Note| OfficeNote {
        author: called(&dossier.all_staff, &note.staff_id),
        own: note.staff_id == office.who.staff.id,
        written_text: moment::full(note.created_at, office.zone()).to_string(),
        edited_text: note.edited_at.map(|at| moment::full(at, office.zone()).to_string()),
        pinned: note.pinned_at.is_some(),
        id: note.id,
        text: note.text,
        revision: note.revision,
    };
    let readers = dossier.all_staff.iter().filter(|staff| {
        staff.suspended_at.is_none() && staff.role.may(Permission::Notes) && staff.id != office.who.staff.id
    });
    let title = format!("Notes about {}", frame.name);
    let props = AdminNotesProps {
        notes: notes.into_iter().map(shown).collect(),
        search,
        names: readers.map(|staff| format!("@{}", staff.called())).collect(),
        editing,
        idempotency_key: app.random.id(),
        frame,
        form,
    };
    office.page(Screen::AdminNotes(Box::new(props)), &title, status).await
}
