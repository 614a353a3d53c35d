//! The documents that the application calls for: the list, files sent by forms, and downloads.

use std::pin::pin;

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

use super::page::Screen;
use super::props::documents::{DocumentFile, DocumentSlot, DocumentsProps, ReceivedSoFar};
use super::{Form, Visit, moment, problem, references, respond};
use app::documents::{Documents, DocumentsSummary, FileView, FormUpload, SlotView};
use app::{Error, Refusal};
use domain::documents::{FileState, MAX_BYTES, MAX_FILES, Need, SlotKind};
use domain::sentence::Sentence;
use domain::status::Stage;
use domain::text;
use wire::{FormFault, Multipart};

const PATH: &str = "/dashboard/documents";
const LOGIN: &str = "/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Fdocuments";
/// For the browser's file dialog.
pub const ACCEPT: &str = ".pdf,.jpg,.jpeg,.png,.heic,.heif,.docx";

/// The outcome of this page's forms.
#[derive(Default)]
struct FormOutcome {
    message: Option<Sentence>,
    /// For the page as a whole.
    error: Option<Sentence>,
    /// By slot.
    errors: Vec<(String, Sentence)>,
}

/// Returns where to send a file for this document.
pub fn href(slot: SlotKind) -> String {
    format!("{PATH}#d-{}", slot.as_str())
}

pub async fn show(visit: &Visit) -> Response {
    let message = match visit.query("done").as_deref() {
        Some("sent") => Some(text!("Your file has arrived.")),
        Some("sent-several") => Some(text!("Your files have arrived.")),
        Some("removed") => Some(text!("The file was removed.")),
        _ => None,
    };
    respond(visit, FormOutcome { message, ..FormOutcome::default() }, StatusCode::OK).await
}

/// Downloads a file.
pub async fn load(visit: &Visit) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return respond::redirect(visit, LOGIN) };
    let id = visit.path.strip_prefix(PATH).map_or("", |rest| rest.trim_start_matches('/'));
    let app = &visit.state.app;
    let loaded = match app.kept_document(who, id).await {
        Ok(document) => wire::download(app, &visit.parts.headers, &document, wire::Shown::Saved).await,
        Err(error) => Err(error),
    };
    match loaded {
        Ok(response) => response,
        Err(Error::Refused(Refusal::DocumentNotFound)) => problem::page(visit, problem::NOT_FOUND).await,
        Err(error) => {
            super::form::log(&error);
            problem::page(visit, problem::UNAVAILABLE).await
        }
    }
}

/// Receives files for one slot, without JavaScript. Each is accepted or not on its own.
pub async fn send(visit: &Visit, body: Body) -> Response {
    let app = &visit.state.app;
    let Some(who) = &visit.visitor.signed_in else { return respond::see_other(LOGIN) };
    let body = wire::arrival(body);
    let known = visit.visitor.application.as_ref();
    let mut outcome = FormOutcome::default();
    let mut status = StatusCode::UNPROCESSABLE_ENTITY;
    let mut slot = String::new();
    let mut taken = 0;
    let read = async {
        let mut form = Multipart::new(&visit.parts.headers, body)?;
        while let Some(part) = form.next().await? {
            let Some(name) = part.file_name.clone() else {
                if part.name == "slot" {
                    slot = part.text().await?;
                }
                continue;
            };
            // Browsers send this when nothing was chosen.
            if name.is_empty() {
                continue;
            }
            let mut bytes = pin!(part.bytes());
            match app.take_file(who, known, &slot, &name, bytes.as_mut()).await {
                Ok(FormUpload::Taken(_)) => taken += 1,
                Ok(FormUpload::Broken(broken)) => return Err(FormFault::from(broken)),
                Err(error) => {
                    super::form::log(&error);
                    status = problem::status(&error);
                    outcome.errors.push((
                        slot.clone(),
                        text!("{name}: {sentence}", name = shown(&name), sentence = error.sentence()),
                    ));
                }
            }
        }
        Ok(())
    };
    if let Err(fault) = read.await {
        status = match fault {
            FormFault::Syntax | FormFault::SecondFile => StatusCode::BAD_REQUEST,
            FormFault::Slow => StatusCode::REQUEST_TIMEOUT,
        };
        outcome.error = Some(fault.sentence());
    } else if taken == 0 && outcome.errors.is_empty() {
        outcome.errors.push((slot, text!("Choose a file first.")));
    }
    if outcome.error.is_none() && outcome.errors.is_empty() {
        let done = if taken == 1 { "sent" } else { "sent-several" };
        return respond::see_other(&format!("{PATH}?done={done}"));
    }
    respond(visit, outcome, status).await
}

/// Returns a refused name, as far as it can be displayed.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(80).collect()
}

/// "Remove"
pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return respond::see_other(LOGIN) };
    let Some(id) = form.get("_action").strip_prefix("remove:") else {
        return problem::page(visit, problem::BAD_REQUEST).await;
    };
    let removed = visit.state.app.remove_document(who, visit.visitor.application.as_ref(), id).await;
    match removed {
        // Removed in another tab: what was wanted is done.
        Ok(_) | Err(Error::Refused(Refusal::DocumentNotFound)) => respond::see_other(&format!("{PATH}?done=removed")),
        Err(error) => {
            super::form::log(&error);
            let outcome = FormOutcome { error: Some(error.sentence()), ..FormOutcome::default() };
            respond(visit, outcome, problem::status(&error)).await
        }
    }
}

async fn respond(visit: &Visit, outcome: FormOutcome, status: StatusCode) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return respond::redirect(visit, LOGIN) };
    let application = visit.visitor.application.as_ref();
    let documents = match visit.state.app.list_documents(who, application).await {
        Ok(documents) => Some(documents),
        Err(Error::Refused(Refusal::NoApplication)) => None,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let progress = documents.as_ref().map(|documents| progress(documents.summary(), visit.visitor.stage()));
    let references = references::so_far(visit).await.map(|so_far| so_far.text);
    let room = documents.as_ref().map_or(0, |documents| documents.room);
    let FormOutcome { message, mut error, mut errors } = outcome;
    let mut slots = |views: Vec<SlotView>| -> Vec<DocumentSlot> {
        views.into_iter().map(|view| slot(visit, view, &mut errors)).collect()
    };
    let (slots, others) = match documents {
        Some(Documents { slots: called_for, others, .. }) => (Some(slots(called_for)), slots(others)),
        None => (None, Vec::new()),
    };
    // Of a slot that is not on the page.
    error = error.or_else(|| errors.into_iter().next().map(|(_, sentence)| sentence));
    let props = DocumentsProps {
        slots,
        others,
        load_failed: visit.visitor.load_failed,
        progress,
        references,
        room,
        max_bytes: MAX_BYTES,
        max_files: MAX_FILES,
        accept: ACCEPT,
        start_href: format!("/{}/apply", visit.program.path()),
        message,
        error,
    };
    let head = visit.private_head(text!("Documents"));
    respond::page(visit, visit.page(Screen::Documents(Box::new(props)), status, head)).await
}

/// Describes the progress: “2 of 4 documents received”, and what that means.
pub fn progress(summary: DocumentsSummary, stage: Stage) -> ReceivedSoFar {
    let DocumentsSummary { settled, called_for, required } = summary;
    let text = match called_for {
        1 => text!("{settled} of 1 document received", settled),
        _ => text!("{settled} of {called_for} documents received", settled, called_for),
    };
    let hint = match (settled, required) {
        (settled, _) if settled == called_for => text!("We have everything that your answers call for."),
        _ if stage.is_decided() => text!("We have made our decision. You can still send what is missing."),
        (_, required) if stage == Stage::Waitlisted => before_offer(required),
        (_, 0) => text!("We have what we need to decide. The rest can come later."),
        (_, 1) => text!("We cannot decide until we have 1 more of them."),
        (_, required) => text!("We cannot decide until we have {required} more of them.", required),
    };
    ReceivedSoFar { settled, of: called_for, text, hint }
}

/// Says whether the missing ones keep us from offering a place to somebody on the waitlist.
pub fn before_offer(missing: usize) -> Sentence {
    match missing {
        0 => text!("We have what we need. The rest can come later."),
        1 => text!("We cannot offer you a place until we have 1 more of them."),
        _ => text!("We cannot offer you a place until we have {missing} more of them.", missing),
    }
}

fn slot(visit: &Visit, view: SlotView, errors: &mut Vec<(String, Sentence)>) -> DocumentSlot {
    let SlotView { slot, state, review, files, .. } = view;
    let mine = errors.extract_if(.., |(name, _)| name == slot.name()).map(|(_, sentence)| sentence).collect();
    DocumentSlot {
        slot: slot.name().to_owned(),
        label: slot.label,
        why: slot.why,
        required: slot.need == Need::Required,
        state,
        word: state.word(),
        reason: review.map(|review| review.reason).filter(|reason| !reason.is_empty()),
        is_open: state.is_open(),
        files: files.into_iter().map(|view| file(visit, view)).collect(),
        errors: mine,
    }
}

fn file(visit: &Visit, view: FileView) -> DocumentFile {
    let FileView { file, replaced, removable } = view;
    let zone = visit.visitor.time_zone(&visit.state.app);
    let percent = file.size.filter(|size| *size > 0).map(|size| file.received * 100 / size);
    let words = match (file.state, file.rejection) {
        (FileState::Uploading, _) => match file.size {
            Some(size) => {
                text!("{received} of {size} have arrived.", received = bytes(file.received), size = bytes(size))
            }
            None => text!("It has not fully arrived."),
        },
        (FileState::Checking, _) => text!("It has arrived and is being checked. This takes a moment."),
        (FileState::Received, _) if replaced => {
            text!("Sent {when}, before we asked for another one", when = moment::full(file.created_at, zone))
        }
        (FileState::Received, _) => {
            let size = bytes(file.size.unwrap_or_default());
            text!("{size}, received {when}", size, when = moment::full(file.updated_at, zone))
        }
        (FileState::Refused, rejection) => {
            rejection.map_or_else(|| Sentence::plain(""), |rejection| rejection.sentence())
        }
    };
    DocumentFile {
        name: file.name.as_str().to_owned(),
        state: file.state,
        words,
        percent: percent.filter(|_| file.state == FileState::Uploading),
        href: (file.state == FileState::Received).then(|| format!("{PATH}/{}", file.id)),
        removable,
        id: file.id,
    }
}

/// Formats a size for people: `2.4 MB`, `340 KB`.
pub fn bytes(count: u64) -> String {
    const MB: u64 = 1024 * 1024;
    match count {
        0..1024 => format!("{count} bytes"),
        1024..MB => format!("{} KB", count / 1024),
        _ => format!("{}.{} MB", count / MB, count % MB * 10 / MB),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_as_people_say_them() {
        for (count, text) in
            [(0, "0 bytes"), (1023, "1023 bytes"), (348_160, "340 KB"), (2_600_000, "2.4 MB"), (MAX_BYTES, "25.0 MB")]
        {
            assert_eq!(bytes(count), text);
        }
    }

    #[test]
    fn progress_says_what_is_still_needed() {
        let progress_of = |settled, called_for, required| {
            let progress = progress(DocumentsSummary { settled, called_for, required }, Stage::Submitted);
            (progress.text, progress.hint)
        };
        let decided = progress(DocumentsSummary { settled: 2, called_for: 4, required: 1 }, Stage::Offered);
        assert_eq!(decided.hint, "We have made our decision. You can still send what is missing.");
        let waiting = progress(DocumentsSummary { settled: 2, called_for: 4, required: 2 }, Stage::Waitlisted);
        assert_eq!(waiting.hint, "We cannot offer you a place until we have 2 more of them.");
        assert_eq!(progress_of(2, 4, 1).0, "2 of 4 documents received");
        assert_eq!(progress_of(2, 4, 1).1, "We cannot decide until we have 1 more of them.");
        assert_eq!(progress_of(2, 4, 0).1, "We have what we need to decide. The rest can come later.");
        assert_eq!(progress_of(4, 4, 0).1, "We have everything that your answers call for.");
        assert_eq!(progress_of(0, 1, 1).0, "0 of 1 document received");
    }
}
