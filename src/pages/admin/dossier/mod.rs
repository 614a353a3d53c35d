//! The page of one application. What all its tabs share is loaded by [`open`]; each tab is a row of `table.rs` and a
//! loader of its own.
//!
//! To add a tab: its item in [`TABS`] and its name in `office-dossier.tsx`, its row in `table.rs` (which also shows it
//! to everyone whom the row's gate lets through), a loader that starts with [`open`], and a screen whose content is in
//! `OfficeDossier`. Its forms carry [`Frame::revision`], [`Frame::view`] and, where a double click would do something
//! twice, a key.

mod acts;
mod answers;
pub mod basis;
pub mod conditions;
pub mod contract;
mod conversation;
pub mod decision;
mod documents;
mod duplicates;
mod emails;
pub mod fee;
pub mod funding;
pub mod interview;
mod marks;
mod notes;
mod presence;
pub mod readings;
mod sheets;
mod tasks;
mod timeline;

use std::sync::LazyLock;

use axum::http::StatusCode;
use axum::response::Response;

use super::table::{self, Handler};
use super::{Office, applications, imports, waitlist, work};
use crate::page::FormState;
use crate::props::office::{Choice, Undo};
use crate::{moment, problem, respond};
use app::office::dossiers::{Dossier, Neighbours, PossibleDuplicate, StaffAct};
use app::{Error, Refusal};
use domain::import::ImportedFrom;
use domain::listing::{Facet, NOBODY};
use domain::permission::{Gate, Permission, Standing};
use domain::program::Program;
use domain::status::{Act, Stage};
use domain::waitlist::WaitlistPlace;

use crate::props::office::dossier::{ActLink, ChangedMeanwhile, Frame, ImportedLink, WaitlistLink};
pub use acts::{show as act, submit as do_act};
pub use answers::show;
pub use conversation::{TAB as CONVERSATION, show as conversation, submit as write_message};
pub use documents::{file, preview, reference_file, reference_preview, review, show as documents};
use domain::moments::DAY;
use domain::staff::StaffSummary;
pub use duplicates::{show as duplicates, submit as judge_duplicate};
pub use emails::{show as emails, submit as resend_email};
pub use marks::mark;
pub use notes::{show as notes, submit as write_note};
pub use presence::{leave, show as presence};
pub use readings::{TAB as READINGS, show as readings_tab, submit as submit_readings};
pub use tasks::{detail as task_detail, tick_off};
pub use timeline::show as timeline;

/// The tabs in their order, by what follows the application's path; their names are in `client/ui/office-dossier.tsx`.
/// A tab is shown if its path has a page and the role may see it.
const TABS: &[&str] = &[
    "",
    "/documents",
    READINGS,
    "/interview",
    "/decision",
    "/contract",
    "/funding",
    "/notes",
    CONVERSATION,
    "/emails",
    "/timeline",
];

/// The pages of an application, looked up once: what follows its path, and the gate.
static GATES: LazyLock<Vec<(&'static str, Gate)>> = LazyLock::new(|| {
    let path = format!("{}/{{id}}", applications::PATH);
    let pages = table::routes().iter().filter(|route| route.method == "GET");
    let pages = pages.filter(|route| matches!(route.handler, Handler::Closed(_)));
    pages.filter_map(|route| Some((route.path.strip_prefix(&path)?, route.gate))).collect()
});

/// Acts that move an application forward, the most likely first.
const ONWARD: [Act; 10] = [
    Act::Offer,
    Act::Reject,
    Act::Waitlist,
    Act::RecordHeld,
    Act::RecordNoShow,
    Act::Book,
    Act::Enrol,
    Act::Reopen,
    Act::Resume,
    Act::DropChanges,
];

/// An open application, and what surrounds every tab.
pub struct Opened {
    pub dossier: Dossier,
    /// Other applications that may be from the same person, for users who may judge that.
    pub duplicates: Vec<PossibleDuplicate>,
    pub frame: Frame,
}

/// Loads what every tab needs. `tab` is what follows the application's path in [`TABS`].
///
/// # Errors
/// The page to show instead.
pub async fn open(office: Office<'_>, tab: &str) -> Result<Opened, Response> {
    let app = &office.visit.state.app;
    let found = async {
        let dossier = app.dossier(office.who, office.id).await?;
        let view = view(office);
        let neighbours = app.neighbours(office.who, &applications::view_of(office, &view).0, &dossier.listing).await?;
        let lookers = app.look_at(office.who, &dossier).await?;
        let may_judge = office.who.staff.role.may(Permission::Review);
        let duplicates = if may_judge { app.duplicates(office.who, &dossier).await? } else { Vec::new() };
        let alike = duplicates::link(office.id, &duplicates, &view);
        let wished = app.deferral_wish(&dossier.application).await?.is_some();
        let tasks = app.tasks_of(office.who, office.id).await?;
        let may_import = office.who.staff.role.may(Permission::Import);
        let imported = if may_import { app.imported(office.who, office.id).await? } else { None };
        let in_line = app.waitlist_entry(office.who, &dossier.application).await?;
        Ok((dossier, view, neighbours, lookers, duplicates, alike, wished, tasks, imported, in_line))
    };
    match found.await {
        Ok((dossier, view, neighbours, lookers, duplicates, alike, wished, tasks, imported, in_line)) => {
            let tasks = tasks.into_iter().map(|task| tasks::open_task(office, task, &dossier.all_staff)).collect();
            let imported = imported.map(imported_link);
            let waitlist = in_line.map(|place| waitlist_link(dossier.application.program, place));
            let frame = frame(office, tab, &dossier, view, &neighbours);
            let mut frame = Frame { lookers, alike, tasks, imported, waitlist, ..frame };
            if let Some(defer) = frame.acts.iter_mut().find(|link| link.label == acts::words(Act::Defer).0)
                && wished
            {
                defer.label = "Answer the wish to start later";
            }
            frame.undo = undo(office, &frame);
            Ok(Opened { dossier, duplicates, frame })
        }
        Err(error) => Err(instead(office, &error).await),
    }
}

/// Returns the page for what does not exist or cannot be reached.
pub async fn instead(office: Office<'_>, error: &Error) -> Response {
    match error {
        Error::Refused(Refusal::ApplicationNotFound) => problem::page(office.visit, problem::NO_APPLICATION).await,
        Error::Refused(Refusal::RoleForbidden) => problem::page(office.visit, problem::ROLE_FORBIDDEN).await,
        error => office.unavailable(error).await,
    }
}

/// Returns the address of an application's page, within a view of the list.
pub fn href(id: &str, tab: &str, view: &str) -> String {
    address(&format!("{}/{id}{tab}", applications::PATH), &[("view", view)])
}

/// Returns the query that keeps an application's page within a view of the list.
pub fn query_of_view(view: &str) -> String {
    address("", &[("view", view)])
}

/// Returns what follows an application's path, if it is a tab; else nothing, which is the first tab.
fn known_tab(tab: &str) -> &'static str {
    TABS.iter().find(|known| **known == tab).copied().unwrap_or_default()
}

/// Redirects after a form of a tab has done its work.
pub fn done(office: Office<'_>, tab: &str, view: &str, done: &str) -> Response {
    done_to(office, tab, view, done, "")
}

/// Redirects likewise, with the previous value or the object of the change, which undoing needs.
pub fn done_to(office: Office<'_>, tab: &str, view: &str, done: &str, what: &str) -> Response {
    let path = format!("{}/{}{tab}", applications::PATH, office.id);
    respond::see_other(&address(&path, &[("view", view), ("done", done), ("what", what)]))
}

/// Returns what undoes the last change.
fn undo(office: Office<'_>, frame: &Frame) -> Option<Undo> {
    let (done, what) = (office.visit.query("done")?, office.visit.query("what").unwrap_or_default());
    let to = |path: &str, fields: &[(&'static str, &str)]| {
        let place = [("tab", frame.tab.as_str()), ("view", frame.view.as_str())];
        let fields = fields.iter().chain(&place).map(|(name, value)| (*name, (*value).to_owned())).collect();
        Some(Undo { href: format!("{}/{}{path}", applications::PATH, office.id), fields })
    };
    // An act is undone by another act, of which the applicant is told, too.
    let by = |act: Act| {
        let label = acts::words(act).0;
        let link = frame.acts.iter().find(|link| link.label == label)?;
        Some(Undo { href: link.href.clone(), fields: Vec::new() })
    };
    match done.as_str() {
        "assigned" if frame.may_assign => {
            let before = if what == NOBODY { "" } else { &what };
            to("/mark", &[("_action", "assign"), ("seenOwner", &frame.owner), ("owner", before)])
        }
        "tagged" if frame.may_assign && !what.is_empty() => to("/mark", &[("_action", &format!("untag:{what}"))]),
        "untagged" if frame.may_assign && !what.is_empty() => to("/mark", &[("_action", "tag"), ("newTag", &what)]),
        "ticked-off" if !what.is_empty() => to("/tasks", &[("_action", &format!("open:{what}"))]),
        "accepted" | "replace" | "waived"
            if !what.is_empty() && office.who.staff.role.may(Permission::ReviewDocuments) =>
        {
            to(documents::TAB, &[("_action", &format!("undo:{what}"))])
        }
        "note-pinned" if !what.is_empty() => to(notes::TAB, &[("_action", &format!("unpin:{what}"))]),
        "note-unpinned" if !what.is_empty() => to(notes::TAB, &[("_action", &format!("pin:{what}"))]),
        "held" | "missed" if office.who.staff.role.may(Permission::Interview) => {
            to(interview::TAB, &[("_action", "undo")])
        }
        "request_changes" => by(Act::DropChanges),
        "withdraw" => by(Act::UndoWithdraw),
        "undo_withdraw" => by(Act::Withdraw),
        "defer" => by(Act::Resume),
        "enrol" => by(Act::Unenrol),
        "waitlisted" => by(Act::LeaveWaitlist),
        _ => None,
    }
}

fn address(path: &str, query: &[(&str, &str)]) -> String {
    let mut text = url::form_urlencoded::Serializer::new(String::new());
    text.extend_pairs(query.iter().filter(|(_, value)| !value.is_empty()));
    let text = text.finish();
    if text.is_empty() { path.to_owned() } else { format!("{path}?{text}") }
}

/// Returns the view of the list that the user came from, as in its address: forms carry it on.
fn view(office: Office<'_>) -> String {
    office.visit.query("view").filter(|view| view.len() <= 4000).unwrap_or_default()
}

/// Returns what is said above every tab after a form has done its work.
pub fn outcome(office: Office<'_>) -> Option<&'static str> {
    Some(match office.visit.query("done")?.as_str() {
        "assigned" => "The owner is changed.",
        "ticked-off" => "The task is closed.",
        "unticked" => "The task is open again.",
        "stays-closed" => "The task stays closed: there is nothing to do about it any more.",
        "tagged" => "The tag is added.",
        "untagged" => "The tag is taken off.",
        "request_changes" => "The applicant is asked for changes. They have a mail about it.",
        "drop_changes" => "The request for changes is taken back. The applicant has a mail about it.",
        "withdraw" => "The application is withdrawn. The applicant has a mail about it.",
        "undo_withdraw" => "The application is back. The applicant has a mail about it.",
        "defer" => "The application is deferred. The applicant has a mail about it.",
        "refuse_wish" => {
            "The wish to start later is answered with a no. The applicant has a mail that there is an answer."
        }
        "enrol" => "The applicant is enrolled.",
        "unenrol" => "The enrolment is undone. The applicant has a mail that there is an update.",
        "resume" => "The application goes on. The applicant has a mail about it.",
        "accepted" => "The document is accepted.",
        "replace" => "The applicant is asked for another one. They have a mail about it.",
        "waived" => "The document is waived.",
        "referee-reminded" => "The referee is reminded. They have a mail with their link.",
        "review-undone" => "The decision about the document is taken back.",
        "review-stays" => "Somebody else has decided about the document since: that stays.",
        "noted" => "The note is written. Who is mentioned in it gets a mail.",
        "note-edited" => "The note is changed.",
        "note-deleted" => "The note is deleted.",
        "note-pinned" => "The note stands above the others.",
        "note-unpinned" => "The note is in its place again.",
        "readers-asked" => "The readers are asked. Each has a task and a mail.",
        "reader-unasked" => "The request is withdrawn.",
        "reading-sent" => "Your reading is sent. Now you see those of the others.",
        "message-written" => "The message is sent. A mail tells the applicant that there is something to read.",
        "resent" => "The mail is on its way again.",
        "booked" => "The interview is booked. Both who meet get a mail.",
        "cancelled" => "The interview is cancelled. Both get a mail.",
        "held" => "The interview is recorded as held.",
        "missed" => "The applicant gets a mail that they were missed.",
        "unrecorded" => "The record is undone.",
        "scored" => "The score sheet is kept.",
        "contract-prepared" => "The contract is prepared. Read it, then send it.",
        "contract-sent" => "The contract is sent. The applicant has a mail about it.",
        "contract-voided" => "The contract is void.",
        "contract-signed" => "The signature on paper is noted. The contract can be countersigned.",
        "contract-countersigned" => "The contract is countersigned. The applicant has a mail about it.",
        "judged" => "What you know of the source is kept. The applicant gets a mail that there is an update.",
        "planned-funding" => "The plan is kept.",
        "written" => "It is written into the ledger.",
        "waits" => "It waits for a second person. Nothing is booked until they have approved it.",
        "approved" => "It is approved and booked.",
        "declined" => "It is declined. Nothing is booked.",
        "taken-back" => "It is taken back. Nothing is booked.",
        "refund-closed" => "It is noted: nothing more goes back.",
        "fee-waived" => "The application fee is waived.",
        "fee-refused" => "The request for a waiver is refused. The applicant has a mail about it.",
        "fee-due" => "The waiver is taken back: the application fee is due again.",
        "condition" => "It is noted. The applicant gets a mail that there is an update.",
        "drafted" => "The draft is kept. The applicant learns nothing of it.",
        "discarded" => "The draft is discarded.",
        "released" => "The decision is released. For 15 minutes it can be recalled.",
        "planned" => "The release is planned.",
        "unplanned" => "The decision is not released by itself any more.",
        "recalled" => "The decision is recalled. The applicant learned nothing of it.",
        "merged" => "Merged: this application goes on, and the other one is withdrawn.",
        "told-apart" => "Noted: these are two people.",
        "parted" => "Taken back. What merging had withdrawn is where it was.",
        "reversed" => "The decision is reversed, and the applicant gets a mail that there is an update.",
        "waitlisted" => "The application is on the waitlist. The applicant gets a mail that there is an update.",
        "leave_waitlist" => "The application is off the waitlist. The applicant gets a mail that there is an update.",
        "reopened" => "The offer is open again for 30 days.",
        _ => return None,
    })
}

/// Returns the state of a requested page, with the outcome of the last form.
pub fn fresh(office: Office<'_>) -> FormState {
    FormState { message: outcome(office).map(Into::into), ..FormState::default() }
}

/// Returns the status of a page that comes back with an error.
pub fn status(error: &Error) -> StatusCode {
    match error {
        Error::Stale(_) => StatusCode::PRECONDITION_FAILED,
        error => problem::status(error),
    }
}

/// Returns what somebody else has changed since the revision `seen`: how it was then, and how it is now.
///
/// # Errors
/// Those of the store.
pub async fn meanwhile(
    office: Office<'_>,
    dossier: &Dossier,
    seen: Option<i64>,
) -> Result<Vec<ChangedMeanwhile>, Error> {
    let Some(seen) = seen.filter(|seen| *seen != dossier.application.revision) else { return Ok(Vec::new()) };
    let since = office.visit.state.app.changes_since(office.who, office.id, seen).await?;
    let mut changes = Vec::new();
    if since.seen != dossier.application.stage {
        let when = since.changes.last().map(|change| moment::full(change.happened_at, office.zone()));
        let when = when.map(|when| format!(", since {when}")).unwrap_or_default();
        changes.push(ChangedMeanwhile {
            what: "Stage".to_owned(),
            seen: since.seen.label().to_owned(),
            now: format!("{}{when}", dossier.application.stage.label()),
        });
    } else {
        let when = moment::full(dossier.application.updated_at, office.zone());
        changes.push(ChangedMeanwhile {
            what: "Application".to_owned(),
            seen: format!("Revision {seen}"),
            now: format!("Revision {}, {when}", dossier.application.revision),
        });
    }
    Ok(changes)
}

/// Whether an application's path has a page that this person may open.
fn may_open(standing: &Standing, tab: &str) -> bool {
    GATES.iter().any(|(rest, gate)| *rest == tab && gate.shows_to(standing))
}

fn frame(office: Office<'_>, tab: &str, dossier: &Dossier, view: String, neighbours: &Neighbours) -> Frame {
    let Dossier { application, listing, all_staff, acts, .. } = dossier;
    let id = application.id.as_str();
    let owner = dossier.owner();
    let standing = office.who.standing(office.visit.now());
    let may_assign = office.who.staff.role.may(Permission::Assign);
    let owner_name = owner.map(|owner| called(all_staff, owner));
    // The owner is among the choices even if they may no longer be chosen.
    let is_choice = |one: &&StaffSummary| one.suspended_at.is_none() || Some(one.id.as_str()) == owner;
    let choice = |one: &StaffSummary| Choice { value: one.id.clone(), label: one.called().to_owned() };
    // The page of an act is about one application only.
    let beside = |id: &Option<String>| id.as_ref().map(|id| href(id, known_tab(tab), &view));
    let mut acts: Vec<Act> = acts.clone();
    acts.sort_by_key(|act| ONWARD.iter().position(|onward| onward == act).unwrap_or(ONWARD.len()));
    let act = |act: &Act| act_link(&standing, id, *act, &view);
    let is_drafted = [Act::Offer, Act::Reject, Act::Waitlist].iter().any(|act| acts.contains(act));
    let drafts = application.stage == Stage::Held && !is_drafted;
    let draft = (drafts && office.who.staff.role.may(Permission::Decide)).then(|| ActLink {
        label: "Draft the decision",
        href: href(id, decision::TAB, &view),
        is_onward: true,
    });
    Frame {
        id: id.to_owned(),
        name: dossier.name(),
        reference: application.reference.clone().unwrap_or_default(),
        program: applications::short(application.program),
        stage: application.stage.label(),
        status: application.status().as_str(),
        waitlist: None,
        waiting_days: ((office.visit.now() - listing.waiting_since) / DAY).max(0),
        needs_action: listing.needs_action,
        fee_due: listing.fee_due(),
        revision: application.revision,
        owner: owner.unwrap_or_default().to_owned(),
        owner_name,
        owners: if may_assign { all_staff.iter().filter(is_choice).map(choice).collect() } else { Vec::new() },
        may_assign,
        tags: listing.values(Facet::Tag).map(str::to_owned).collect(),
        acts: draft.into_iter().chain(acts.iter().filter_map(act)).collect(),
        tasks: Vec::new(),
        tabs: TABS.iter().copied().filter(|tab| may_open(&standing, tab)).collect(),
        back_href: format!("{}?{view}", applications::PATH).trim_end_matches('?').to_owned(),
        previous_href: beside(&neighbours.previous),
        next_href: beside(&neighbours.next),
        tab: tab.to_owned(),
        has_work: work::is_for(office.who.staff.role),
        view,
        lookers: Vec::new(),
        meanwhile: Vec::new(),
        alike: None,
        imported: None,
        undo: None,
    }
}

fn waitlist_link(program: Program, place: WaitlistPlace) -> WaitlistLink {
    let number = place.position.map(|position| format!("Number {position}, ")).unwrap_or_default();
    WaitlistLink { text: format!("{number}{}", place.intake.name()), href: waitlist::line_href(program, place.intake) }
}

fn imported_link(from: ImportedFrom) -> ImportedLink {
    ImportedLink {
        href: imports::row_href(&from.import_id, from.number),
        name: from.import_name,
        row: from.number,
        former_reference: from.former_reference,
    }
}

/// Returns the name of a member of staff.
pub fn called(all_staff: &[StaffSummary], id: &str) -> String {
    let found = all_staff.iter().find(|one| one.id == id);
    found.map_or_else(|| "Somebody who left".to_owned(), |one| one.called().to_owned())
}

/// Returns the link to where an act is done.
fn act_link(standing: &Standing, id: &str, act: Act, view: &str) -> Option<ActLink> {
    let is_onward = ONWARD.contains(&act);
    let (label, tab) = match act {
        Act::Book | Act::Move => ("Book a time for the interview", "/interview"),
        Act::Cancel => ("Cancel the interview", "/interview"),
        Act::RecordHeld | Act::RecordNoShow => ("Record the interview", "/interview"),
        Act::UndoRecord => ("Undo the record of the interview", "/interview"),
        Act::Offer | Act::Reject => ("Release the decision", "/decision"),
        Act::Waitlist => ("Put on the waitlist", "/decision"),
        Act::Recall => ("Recall the decision", "/decision"),
        Act::Reverse => ("Reverse the decision", "/decision"),
        Act::Reopen => ("Open the offer again", "/decision"),
        act if StaffAct::ALL.contains(&act) => {
            let tab = acts::segment(act);
            let path = format!("{}/{id}{tab}", applications::PATH);
            let href = address(&path, &[("act", act.as_str()), ("view", view)]);
            return may_open(standing, tab).then(|| ActLink { label: acts::words(act).0, href, is_onward });
        }
        _ => return None,
    };
    may_open(standing, tab).then(|| ActLink { label, href: href(id, tab, view), is_onward })
}
