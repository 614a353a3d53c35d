//! The tab "Documents": what the answers call for, the files sent, and the decisions of staff on them.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Opened, called, fresh, instead, open, status};
use crate::admin::Office;
use crate::page::{FormState, Screen};
use crate::props::office::documents::{AdminDocumentsProps, OfficeDocument, OfficeFile};
use crate::props::office::dossier::ChangedMeanwhile;
use crate::{Form, documents::bytes, moment, problem, respond};
use app::documents::{Documents, FileView, ReviewVerdict, SlotView};
use app::{Error, Refusal};
use domain::documents::{FileState, FileType, Need, ReviewDecision, SlotKind, SlotState};
use domain::permission::Permission;
use domain::staff::StaffSummary;

pub const TAB: &str = "/documents";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let slot = office.visit.query("slot").unwrap_or_default();
    respond(office, fresh(office), (&slot, None), StatusCode::OK).await
}

/// Downloads a file.
pub async fn file(office: Office<'_>, _: &Form) -> Response {
    load(office, wire::Shown::Saved).await
}

/// Shows a file within its page.
pub async fn preview(office: Office<'_>, _: &Form) -> Response {
    load(office, wire::Shown::InPage).await
}

async fn load(office: Office<'_>, shown: wire::Shown) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let file = visit.query("file").unwrap_or_default();
    let loaded = async {
        let document = app.office_document(who, id, &file).await?;
        if shown == wire::Shown::InPage && !has_preview(document.name.kind()) {
            return Err(Refusal::DocumentNotFound.into());
        }
        wire::download(app, &visit.parts.headers, &document, shown).await
    };
    match loaded.await {
        Ok(response) => response,
        Err(Error::Refused(Refusal::DocumentNotFound)) => problem::page(visit, problem::NO_OFFICE_PAGE).await,
        Err(error) => instead(office, &error).await,
    }
}

/// Whether every browser shows this kind. Others have to be saved.
fn has_preview(kind: FileType) -> bool {
    matches!(kind, FileType::Pdf | FileType::Jpeg | FileType::Png)
}

pub async fn review(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    if let Some(what) = form.get("_action").strip_prefix("undo:") {
        return retract(office, form, what).await;
    }
    let slot = form.get("slot");
    let reason_field = format!("reason-{slot}");
    let reason = form.get(&reason_field).to_owned();
    let (verdict, notice) = match form.get("_action") {
        "accept" => (ReviewVerdict::Accept, "accepted"),
        "replace" => (ReviewVerdict::Replace { reason }, "replace"),
        "waive" => (ReviewVerdict::Waive { reason }, "waived"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    let reviewed = async {
        let kind = SlotKind::parse(slot).ok_or(Refusal::UnknownSlot)?;
        let dossier = app.dossier(who, id).await?;
        app.review_document(&who.staff, id, kind, verdict, Some(form.get("seen"))).await?;
        app.dossier_documents(who, &dossier).await
    };
    match reviewed.await {
        // Continues with the next document to review.
        Ok(documents) => {
            let next = next_waiting(&documents, slot).unwrap_or(slot);
            let path = format!("{}/{id}{TAB}", super::applications::PATH);
            // A decision that replaced another one cannot be undone, only made anew.
            let seen = form.get("seen").split('.').next().and_then(SlotState::parse);
            let was_open = !matches!(seen, Some(SlotState::Accepted | SlotState::Replace | SlotState::Waived));
            let views = documents.slots.iter().chain(&documents.others);
            let review = views.filter(|view| view.slot.name() == slot).find_map(|view| view.review.as_ref());
            let what = review.filter(|_| was_open).map(|review| format!("{slot}.{}", review.at)).unwrap_or_default();
            let query = [("view", form.get("view")), ("done", notice), ("slot", next), ("what", &what)];
            respond::see_other(&format!("{}#reader", super::address(&path, &query)))
        }
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => {
            let mut state = form.refused(&error);
            for (path, _) in &mut state.errors {
                path.clone_from(&reason_field);
            }
            let meanwhile = matches!(error, Error::Refused(Refusal::ApplicationChanged));
            respond(office, state, (slot, meanwhile.then_some(form)), status(&error)).await
        }
    }
}

/// Takes back a decision: `SLOT.MOMENT`.
async fn retract(office: Office<'_>, form: &Form, what: &str) -> Response {
    let Office { visit, who, id } = office;
    let named = what.rsplit_once('.').and_then(|(slot, at)| Some((SlotKind::parse(slot)?, at.parse().ok()?)));
    let Some((kind, at)) = named else { return problem::page(visit, problem::BAD_REQUEST).await };
    let retracted = async {
        visit.state.app.dossier(who, id).await?;
        visit.state.app.retract_review(&who.staff, id, kind, Some(at)).await
    };
    let notice = match retracted.await {
        Ok(()) => "review-undone",
        Err(Error::Refused(Refusal::NothingToTakeBack)) => "review-stays",
        Err(error) => return instead(office, &error).await,
    };
    let path = format!("{}/{id}{TAB}", super::applications::PATH);
    let query = [("view", form.get("view")), ("done", notice), ("slot", kind.as_str())];
    respond::see_other(&format!("{}#reader", super::address(&path, &query)))
}

/// Returns the first document after this one that nobody has reviewed, else the first of all.
fn next_waiting<'a>(documents: &'a Documents, slot: &str) -> Option<&'a str> {
    let views: Vec<&SlotView> = documents.slots.iter().chain(&documents.others).collect();
    let at = views.iter().position(|view| view.slot.name() == slot).unwrap_or_default();
    let (before, behind) = views.split_at(at);
    let mut waiting = behind.iter().chain(before).filter(|view| view.state == SlotState::Received);
    waiting.next().map(|view| view.slot.name())
}

async fn respond(
    office: Office<'_>,
    form: FormState,
    (wanted, overtaken): (&str, Option<&Form>),
    status: StatusCode,
) -> Response {
    let Opened { dossier, mut frame, .. } = match open(office, TAB).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let Documents { slots, others, .. } = match office.visit.state.app.dossier_documents(office.who, &dossier).await {
        Ok(documents) => documents,
        Err(error) => return instead(office, &error).await,
    };
    frame.meanwhile = overtaken
        .and_then(|form| {
            let view = slots.iter().chain(&others).find(|view| view.slot.name() == form.get("slot"))?;
            let seen = form.get("seen").split('.').next().and_then(SlotState::parse);
            let now = decided(office, view, &dossier.all_staff).unwrap_or_else(|| staff_word(view.state).to_owned());
            let seen = seen.map_or("Something else", staff_word).to_owned();
            Some(ChangedMeanwhile { what: view.slot.label.to_string(), seen, now })
        })
        .into_iter()
        .collect();
    let slots_of = |views: &[SlotView]| views.iter().map(|view| slot(office, view, &dossier.all_staff)).collect();
    let title = format!("Documents of {}", frame.name);
    let open = open_slot(slots.iter().chain(&others), wanted);
    let props = AdminDocumentsProps { slots: slots_of(&slots), others: slots_of(&others), open, frame, form };
    office.page(Screen::AdminDocuments(Box::new(props)), &title, status).await
}

/// Returns the requested slot; else the first one to be reviewed, or the first one with a file.
fn open_slot<'a>(views: impl Iterator<Item = &'a SlotView>, wanted: &str) -> String {
    let views: Vec<&SlotView> = views.collect();
    let find = |fits: &dyn Fn(&SlotView) -> bool| views.iter().find(|view| fits(view));
    let found = find(&|view| view.slot.name() == wanted)
        .or_else(|| find(&|view| view.state == SlotState::Received))
        .or_else(|| find(&|view| !view.files.is_empty()))
        .or_else(|| views.first());
    found.map(|view| view.slot.name().to_owned()).unwrap_or_default()
}

/// Returns the word that staff see for a document's state.
pub fn staff_word(state: SlotState) -> &'static str {
    match state {
        SlotState::Needed => "Not sent yet",
        SlotState::Uploading => "Arriving",
        SlotState::Checking => "Being checked",
        SlotState::Received => "To be looked at",
        SlotState::Accepted => "Accepted",
        SlotState::Replace => "Another one is asked for",
        SlotState::Waived => "Waived",
    }
}

/// Describes the decision: “Accepted by Demo Reviewer, Sat, Nov 21, 2026, 14:02 EST”
fn decided(office: Office<'_>, view: &SlotView, all_staff: &[StaffSummary]) -> Option<String> {
    let review = view.review.as_ref()?;
    let word = match review.decision {
        ReviewDecision::Accepted => "Accepted",
        ReviewDecision::Replace => "Another one asked for",
        ReviewDecision::Waived => "Waived",
    };
    let by = view.decided_by.as_deref().map(|by| called(all_staff, by)).unwrap_or_default();
    Some(format!("{word} by {by}, {}", moment::full(review.at, office.zone())))
}

fn slot(office: Office<'_>, view: &SlotView, all_staff: &[StaffSummary]) -> OfficeDocument {
    let may = office.who.staff.role.may(Permission::ReviewDocuments);
    let reason = view.review.as_ref().map(|review| review.reason.clone()).filter(|reason| !reason.is_empty());
    OfficeDocument {
        slot: view.slot.name().to_owned(),
        label: view.slot.label.to_string(),
        why: view.slot.why.to_string(),
        required: view.slot.need == Need::Required,
        state: view.state.as_str(),
        word: staff_word(view.state),
        decided_text: decided(office, view, all_staff),
        reason,
        seen: view.seen(),
        may_accept: may && view.state == SlotState::Received,
        may_replace: may && matches!(view.state, SlotState::Received | SlotState::Accepted),
        may_waive: may && !matches!(view.state, SlotState::Accepted | SlotState::Waived),
        files: view.files.iter().map(|view| shown_file(office, view)).collect(),
    }
}

fn shown_file(office: Office<'_>, FileView { file, replaced, .. }: &FileView) -> OfficeFile {
    let when = moment::full(file.updated_at, office.zone());
    let size = bytes(file.size.unwrap_or_default());
    let words = match file.state {
        FileState::Uploading => "It has not fully arrived.".to_owned(),
        FileState::Checking => "It has arrived and is being checked.".to_owned(),
        FileState::Received if *replaced => format!("{size}, received {when}, before another one was asked for"),
        FileState::Received => format!("{size}, received {when}"),
        FileState::Refused => {
            let why = file.rejection.map(|rejection| rejection.sentence().to_string()).unwrap_or_default();
            format!("It did not pass the checks: {why}")
        }
    };
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("file", &file.id).finish();
    let address = |name: &str| format!("{}/{}/{name}?{query}", super::applications::PATH, office.id);
    let is_kept = file.state == FileState::Received;
    let kind = file.name.kind();
    OfficeFile {
        id: file.id.clone(),
        name: file.name.as_str().to_owned(),
        words,
        href: is_kept.then(|| address("file")),
        preview_href: (is_kept && has_preview(kind)).then(|| address("preview")),
        is_picture: matches!(kind, FileType::Jpeg | FileType::Png),
    }
}
