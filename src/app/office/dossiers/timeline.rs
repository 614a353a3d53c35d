//! The history of an application: its audit entries, in words.

use super::Dossier;
use crate::App;
use crate::error::Error;
use domain::documents::SlotKind;
use domain::moments::Millis;
use domain::permission::Permission;
use domain::staff::StaffSession;
use domain::status::Stage;
use domain::task::TaskKind;
use store::{RecordedLine, StoredChange};

/// Who caused an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    Applicant,
    Staff(String),
    /// One of the referees.
    Referee,
    /// The product itself, at a scheduled time.
    System,
}

/// An event in the history.
#[derive(Debug, Clone)]
pub struct Event {
    pub at: Millis,
    pub who: Who,
    pub words: String,
    /// The stages before and after, if it changed the stage.
    pub stages: Option<(Stage, Stage)>,
    /// Further details: old and new values, if something else changed.
    pub detail: Option<String>,
    /// The reason, in the person's own words.
    pub reason: Option<String>,
}

/// Entries chained per transaction.
const CHAINED_AT_ONCE: i64 = 200;

impl App {
    /// Chains entries recorded before there were chains.
    ///
    /// # Errors
    /// Store errors.
    pub async fn complete_record(&self) -> Result<(), Error> {
        while self.store.chain_missing(CHAINED_AT_ONCE).await? > 0 {}
        Ok(())
    }

    /// The audit entries about an application, newest first, and whether the record is intact. Reasons are only shown
    /// to roles that may see personal data.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](super::Refusal::RoleForbidden)
    pub async fn timeline(&self, who: &StaffSession, dossier: &Dossier) -> Result<(Vec<Event>, bool), Error> {
        who.staff.permit(Permission::Applications)?;
        let id = &dossier.application.id;
        let lines = self.store.timeline(id, &dossier.applicant.id).await?;
        let mut changes = self.store.stage_changes(id).await?;
        if !who.staff.role.may(Permission::PersonalData) {
            changes.iter_mut().for_each(|change| change.reason = None);
        }
        let notes = who.staff.role.may(Permission::Notes);
        let is_theirs = |line: &&RecordedLine| notes || !line.action.starts_with("note.");
        let mut events: Vec<Event> =
            lines.iter().filter(is_theirs).map(|line| event(line, &changes, dossier)).collect();
        events.reverse();
        let unbroken = self.store.is_record_unbroken(&format!("application:{id}")).await?;
        Ok((events, unbroken))
    }
}

fn event(line: &RecordedLine, changes: &[StoredChange], dossier: &Dossier) -> Event {
    let RecordedLine { happened_at, actor, action, detail } = line;
    let text = |name: &str| detail.get(name).and_then(|value| value.as_str());
    let stage = |name: &str| text(name).and_then(stage_of);
    let stages = stage("from").zip(stage("to"));
    let reason = stages.and_then(|(from, to)| {
        let made =
            |change: &&StoredChange| change.happened_at == *happened_at && (change.from, change.to) == (from, to);
        changes.iter().find(made)?.reason.clone()
    });
    let called = |id: &str| {
        let found = dossier.all_staff.iter().find(|one| one.id == id);
        found.map_or_else(|| "somebody who left".to_owned(), |one| one.called().to_owned())
    };
    let who = match actor.split_once(':') {
        Some(("staff", id)) => Who::Staff(called(id)),
        Some(("applicant", _)) => Who::Applicant,
        Some(("referee", _)) => Who::Referee,
        _ => Who::System,
    };
    let owner = |name: &str| text(name).map_or_else(|| "nobody".to_owned(), called);
    let slot = || text("slot").and_then(SlotKind::parse).map(|kind| kind.slot().label.to_string()).unwrap_or_default();
    let detail = match action.as_str() {
        "application.assigned" if detail.get("from").is_some() => {
            Some(format!("{} → {}", owner("from"), owner("owner")))
        }
        "application.assigned" => Some(owner("owner")),
        "task.closed" | "task.taken" | "task.put_back" => {
            text("kind").and_then(TaskKind::parse).map(|kind| kind.title().to_owned())
        }
        "application.tagged" | "application.untagged" => text("tag").map(str::to_owned),
        "document.reviewed" => {
            let decision = match text("decision") {
                Some("accepted") => "accepted",
                Some("replace") => "another one asked for",
                _ => "waived",
            };
            Some(format!("{}: {} → {decision}", slot(), text("was").unwrap_or("needed")))
        }
        "duplicate.merged" | "duplicate.different" | "duplicate.undone" => text("reference").map(str::to_owned),
        "document.asked"
        | "document.review_retracted"
        | "document.received"
        | "document.refused"
        | "document.removed"
        | "document.lost" => Some(slot()).filter(|slot| !slot.is_empty()),
        _ => None,
    };
    Event { at: *happened_at, who, words: act_in_words(action), stages, detail, reason }
}

/// Parses a stage written as `status/stage`.
pub fn stage_of(text: &str) -> Option<Stage> {
    Stage::ALL.into_iter().find(|stage| stage.to_string() == text)
}

/// Describes an action. Actions without a description are shown by name.
pub fn act_in_words(action: &str) -> String {
    let words = match action {
        "application.started" => "Application started",
        "application.submitted" => "Submitted",
        "application.unsubmitted" => "Taken back to be changed",
        "application.resubmitted" => "Submitted again with changes",
        "application.changes_requested" => "Changes asked for",
        "application.changes_dropped" => "Request for changes taken back",
        "application.withdrawn" => "Withdrawn",
        "application.withdrawal_undone" => "Withdrawal undone",
        "application.enrolled" => "Enrolled",
        "application.enrolment_undone" => "Enrolment undone",
        "application.deferred" => "Deferred",
        "application.resumed" => "Gone on with after a deferral",
        "application.assigned" => "Owner changed",
        "application.tagged" => "Tag added",
        "application.untagged" => "Tag taken off",
        "application.imported" => "Imported",
        "application.import_undone" => "Import undone",
        "applicant.imported" => "Account made by an import",
        "applicant.import_undone" => "Account of an import deleted",
        "import.created" => "Table for an import uploaded",
        "import.mapped" => "Columns of an import chosen",
        "import.started" => "Import started",
        "import.undone" => "Undoing an import started",
        "import.deleted" => "Import deleted",
        "interview.booked" => "Interview booked",
        "interview.moved" => "Interview moved",
        "interview.cancelled" => "Interview canceled",
        "interview.held" => "Interview recorded as held",
        "interview.missed" => "Interview recorded as missed",
        "interview.record_undone" => "Record of the interview undone",
        "interview.wished" => "Times that suit were sent",
        "decision.drafted" => "Decision drafted",
        "decision.released" => "Decision released",
        "decision.recalled" => "Decision recalled",
        "waitlist.joined" => "Put on the waitlist",
        "waitlist.left" => "Taken off the waitlist",
        "waitlist.moved" => "Moved on the waitlist",
        "decision.reversed" => "Decision reversed",
        "offer.accepted" => "Offer accepted",
        "offer.declined" => "Offer declined",
        "offer.decline_undone" => "Decline undone",
        "offer.lapsed" => "Offer lapsed",
        "offer.reopened" => "Offer opened again",
        "deferral.asked" => "Later start wished for",
        "deferral.refused" => "Wish for a later start refused",
        "offer.condition" => "Condition of the offer judged",
        "contract.prepared" => "Contract prepared",
        "contract.sent" => "Contract sent",
        "contract.viewed" => "Contract opened",
        "contract.consented" => "Agreed to sign electronically",
        "contract.signed" => "Contract signed",
        "contract.signed_on_paper" => "Contract signed on paper",
        "contract.countersigned" => "Contract countersigned",
        "contract.declined" => "Contract declined",
        "contract.voided" => "Contract voided",
        "contract.expired" => "Contract expired",
        "document.received" => "Document received",
        "document.refused" => "File refused",
        "document.removed" => "File removed",
        "document.lost" => "File lost on our side",
        "referee.named" => "Referee named",
        "referee.asked" => "Referee asked",
        "referee.reminded" => "Referee reminded",
        "referee.removed" => "Referee removed",
        "reference.received" => "Reference received",
        "reference.declined" => "Reference declined",
        "reference.reopened" => "Decline of a reference taken back",
        "document.reviewed" => "Document decided about",
        "document.review_retracted" => "Decision about a document taken back",
        "duplicate.merged" => "Merged with another application of the same person",
        "duplicate.different" => "Told apart from another application",
        "duplicate.undone" => "Not merged or told apart any more",
        "message.written" => "Message written",
        "reading.asked" => "Readers asked",
        "reading.taken_back" => "Request to a reader withdrawn",
        "reading.sent" => "Reading sent",
        "note.written" => "Note written",
        "note.edited" => "Note changed",
        "note.deleted" => "Note deleted",
        "note.pinned" => "Note pinned",
        "note.unpinned" => "Note unpinned",
        "mail.written" => "Mail written",
        "document.asked" => "Document asked for",
        "mail.resent" => "Mail sent again",
        "funding.saved" => "Plan of payment changed",
        "funding.judged" => "Source of funding decided about",
        "ledger.charged" => "Tuition charged",
        "ledger.paid" => "Payment received",
        "ledger.refunded" => "Payment refunded",
        "ledger.waived" => "Payment waived",
        "ledger.written_off" => "Debt written off",
        "ledger.approval_asked" => "Second person asked to approve a booking",
        "ledger.approval_withdrawn" => "Booking taken back before it was approved",
        "ledger.approved" => "Booking approved by a second person",
        "ledger.declined" => "Booking declined by a second person",
        "payment.placed" => "Unmatched payment placed",
        "refund.closed" => "Task about a refund done",
        "task.closed" => "Task ticked off",
        "task.reopened" => "Task opened again",
        "task.taken" => "Task taken",
        "task.put_back" => "Task put back",
        "ledger.reversed" => "Entry of the ledger reversed",
        "fee.paid" => "Application fee received",
        "fee.waived" => "Application fee waived",
        "fee.refunded" => "Application fee refunded",
        "fee.reversed" => "Entry about the application fee reversed",
        "fee.need_asked" => "Waiver of the application fee asked for",
        "fee.need_refused" => "Waiver of the application fee refused",
        "fee_code.created" => "Code for the application fee made",
        "fee_code.ended" => "Code for the application fee ended",
        other => {
            let spaced = other.replace(['.', '_'], " ");
            let mut letters = spaced.chars();
            return letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
        }
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_read_as_the_record_writes_it() {
        for stage in Stage::ALL {
            assert_eq!(stage_of(&stage.to_string()), Some(stage));
        }
        assert_eq!(stage_of("Demo Person"), None);
        assert_eq!(act_in_words("something.new_here"), "Something new here");
    }
}
