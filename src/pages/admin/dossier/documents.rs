//! The tab "Documents": what the answers call for, the files sent, the decisions of staff on them, and the references.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Opened, called, fresh, instead, open, status};
use crate::admin::Office;
use crate::page::{FormState, Screen};
use crate::props::office::documents::{
    AdminDocumentsProps, OfficeDocument, OfficeFile, OfficeReferee, OfficeReferences,
};
use crate::props::office::dossier::{ChangedMeanwhile, Line};
use crate::{Form, documents::bytes, moment, problem, respond};
use app::documents::{Documents, FileView, ReviewVerdict, SlotView};
use app::references::Reference;
use app::{Error, Refusal};
use domain::documents::{FileState, FileType, Need, ReviewDecision, SlotKind, SlotState};
use domain::permission::Permission;
use domain::referee::{RefereeState, takes_references};
use domain::staff::StaffSummary;
use domain::status::Stage;

pub const TAB: &str = "/documents";
/// Where the references are in the tab.
pub const REFERENCES: &str = "#references";

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
    or_nothing(office, loaded.await).await
}

/// Downloads the letter of a referee.
pub async fn reference_file(office: Office<'_>, _: &Form) -> Response {
    load_letter(office, wire::Shown::Saved).await
}

/// Shows the letter of a referee within its page.
pub async fn reference_preview(office: Office<'_>, _: &Form) -> Response {
    load_letter(office, wire::Shown::InPage).await
}

async fn load_letter(office: Office<'_>, shown: wire::Shown) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let referee = visit.query("referee").unwrap_or_default();
    let loaded = async {
        let letter = app.office_letter(who, id, &referee).await?;
        if shown == wire::Shown::InPage && !has_preview(letter.name.kind()) {
            return Err(Refusal::RefereeNotFound.into());
        }
        wire::download_letter(app, &visit.parts.headers, &letter, shown).await
    };
    or_nothing(office, loaded.await).await
}

/// Answers with a file, or with the page that says that there is none.
async fn or_nothing(office: Office<'_>, loaded: Result<Response, Error>) -> Response {
    match loaded {
        Ok(response) => response,
        Err(Error::Refused(Refusal::DocumentNotFound | Refusal::RefereeNotFound)) => {
            problem::page(office.visit, problem::NO_OFFICE_PAGE).await
        }
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
    if let Some(referee) = form.get("_action").strip_prefix("remind:") {
        return remind(office, form, referee).await;
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

async fn remind(office: Office<'_>, form: &Form, referee: &str) -> Response {
    let Office { visit, who, id } = office;
    match visit.state.app.remind_referee(who, id, referee).await {
        Ok(()) => {
            let path = format!("{}/{id}{TAB}", super::applications::PATH);
            let query = [("view", form.get("view")), ("done", "referee-reminded")];
            respond::see_other(&format!("{}{REFERENCES}", super::address(&path, &query)))
        }
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => respond(office, form.refused(&error), ("", None), status(&error)).await,
    }
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
    let app = &office.visit.state.app;
    let found = async {
        let documents = app.dossier_documents(office.who, &dossier).await?;
        Ok::<_, Error>((documents, app.office_references(office.who, office.id).await?))
    };
    let (Documents { slots, others, .. }, asked_of_referees) = match found.await {
        Ok(found) => found,
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
    let props = AdminDocumentsProps {
        slots: slots_of(&slots),
        others: slots_of(&others),
        references: references(office, asked_of_referees, dossier.application.stage),
        open,
        frame,
        form,
    };
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
    let address = |name: &str| {
        super::address(&format!("{}/{}/{name}", super::applications::PATH, office.id), &[("file", file.id.as_str())])
    };
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

/// Says how many references have come: “1 of 2 have come”
pub fn references_in_words(needed: i64, received: i64) -> String {
    match (needed, received) {
        (needed, received) if received <= needed && needed > 0 => format!("{received} of {needed} have come"),
        (_, 0) => "None needed".to_owned(),
        (_, 1) => "1 has come".to_owned(),
        (_, received) => format!("{received} have come"),
    }
}

/// Returns the references; `None` if none are asked for and none were.
fn references(office: Office<'_>, found: app::references::OfficeReferences, stage: Stage) -> Option<OfficeReferences> {
    if found.rules.is_none() && found.references.is_empty() {
        return None;
    }
    let needed = found.rules.as_ref().map_or(0, |rules| rules.needed);
    let received = found.received();
    Some(OfficeReferences {
        text: references_in_words(needed, received),
        is_missing: received < needed,
        referees: found.references.into_iter().map(|reference| shown_referee(office, reference, stage)).collect(),
    })
}

fn shown_referee(office: Office<'_>, Reference { referee, answers }: Reference, stage: Stage) -> OfficeReferee {
    let when = |at| moment::full(at, office.zone()).to_string();
    let finished = if referee.state == RefereeState::Declined { "Declined" } else { "Received" };
    let dates = [
        ("Asked", referee.asked_at),
        ("Reminded", referee.reminded_at),
        ("Opened", referee.opened_at),
        (finished, referee.finished_at),
    ];
    let may_remind = office.who.staff.role.may(Permission::ReviewDocuments) && takes_references(stage);
    let remind_from = referee.remind_from().filter(|_| may_remind);
    let too_early = remind_from.filter(|from| *from > office.visit.now());
    let address = |name: &str| {
        let path = format!("{}/{}/references/{name}", super::applications::PATH, office.id);
        super::address(&path, &[("referee", referee.id.as_str())])
    };
    OfficeReferee {
        state: referee.state,
        word: referee.state.label(),
        waived: referee.waived,
        dates: dates.into_iter().filter_map(|(name, at)| Some(line(name, when(at?)))).collect(),
        reason: Some(referee.reason).filter(|reason| !reason.is_empty()),
        answers: answers.into_iter().map(|fact| line(fact.name, fact.value)).collect(),
        letter: referee.letter.map(|letter| {
            let kind = letter.name.kind();
            OfficeFile {
                id: referee.id.clone(),
                name: letter.name.as_str().to_owned(),
                words: bytes(letter.size),
                href: Some(address("file")),
                preview_href: has_preview(kind).then(|| address("preview")),
                is_picture: matches!(kind, FileType::Jpeg | FileType::Png),
            }
        }),
        may_remind: remind_from.is_some() && too_early.is_none(),
        remind_from_text: too_early.map(when),
        relationship: match referee.organization.as_str() {
            "" => referee.relationship,
            organization => format!("{}, {organization}", referee.relationship),
        },
        email: referee.email,
        name: referee.name,
        id: referee.id,
    }
}

fn line(name: impl Into<String>, value: impl Into<String>) -> Line {
    Line { name: name.into(), value: value.into() }
}
