//! Acts and actors.

use crate::permission::Permission;
use crate::role::Role;
use crate::sentence::Sentence;
use crate::text;

/// An act on an application that may change its stage. Each undo is a separate act, because who may undo something, and
/// until when, differs from who may do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    Start,
    DeleteDraft,
    Submit,
    /// Takes a submission back to continue editing.
    Unsubmit,
    RequestChanges,
    /// Takes back a request for changes.
    DropChanges,
    Resubmit,
    Book,
    Move,
    Cancel,
    RecordHeld,
    RecordNoShow,
    UndoRecord,
    /// Releases an acceptance.
    Offer,
    /// Releases a rejection.
    Reject,
    /// Tells the applicant that they are on the waitlist.
    Waitlist,
    /// Takes an application off the waitlist without deciding about it.
    LeaveWaitlist,
    /// Takes back a released decision before its mail is sent.
    Recall,
    /// Takes back a decision that the applicant already knows.
    Reverse,
    /// The applicant accepts the offer.
    Accept,
    Decline,
    UndoDecline,
    /// The offer was not replied to in time.
    Lapse,
    /// Opens a lapsed offer again.
    Reopen,
    Enrol,
    Unenrol,
    Defer,
    Resume,
    Withdraw,
    UndoWithdraw,
    /// Brings in an application that the applicant has not submitted yet.
    ImportDraft,
    /// Brings in a submitted application that is read here.
    ImportSubmission,
    /// Brings in an application that is over, with how it ended.
    ImportPast,
    UndoImport,
}

impl Act {
    pub const ALL: [Act; 34] = [
        Act::Start,
        Act::DeleteDraft,
        Act::Submit,
        Act::Unsubmit,
        Act::RequestChanges,
        Act::DropChanges,
        Act::Resubmit,
        Act::Book,
        Act::Move,
        Act::Cancel,
        Act::RecordHeld,
        Act::RecordNoShow,
        Act::UndoRecord,
        Act::Offer,
        Act::Reject,
        Act::Waitlist,
        Act::LeaveWaitlist,
        Act::Recall,
        Act::Reverse,
        Act::Accept,
        Act::Decline,
        Act::UndoDecline,
        Act::Lapse,
        Act::Reopen,
        Act::Enrol,
        Act::Unenrol,
        Act::Defer,
        Act::Resume,
        Act::Withdraw,
        Act::UndoWithdraw,
        Act::ImportDraft,
        Act::ImportSubmission,
        Act::ImportPast,
        Act::UndoImport,
    ];

    /// Returns a stable, machine-readable name for the record and the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Act::Start => "start",
            Act::DeleteDraft => "delete_draft",
            Act::Submit => "submit",
            Act::Unsubmit => "unsubmit",
            Act::RequestChanges => "request_changes",
            Act::DropChanges => "drop_changes",
            Act::Resubmit => "resubmit",
            Act::Book => "book",
            Act::Move => "move",
            Act::Cancel => "cancel",
            Act::RecordHeld => "record_held",
            Act::RecordNoShow => "record_no_show",
            Act::UndoRecord => "undo_record",
            Act::Offer => "offer",
            Act::Reject => "reject",
            Act::Waitlist => "waitlist",
            Act::LeaveWaitlist => "leave_waitlist",
            Act::Recall => "recall",
            Act::Reverse => "reverse",
            Act::Accept => "accept",
            Act::Decline => "decline",
            Act::UndoDecline => "undo_decline",
            Act::Lapse => "lapse",
            Act::Reopen => "reopen",
            Act::Enrol => "enrol",
            Act::Unenrol => "unenrol",
            Act::Defer => "defer",
            Act::Resume => "resume",
            Act::Withdraw => "withdraw",
            Act::UndoWithdraw => "undo_withdraw",
            Act::ImportDraft => "import_draft",
            Act::ImportSubmission => "import_submission",
            Act::ImportPast => "import_past",
            Act::UndoImport => "undo_import",
        }
    }

    pub fn parse(text: &str) -> Option<Act> {
        Act::ALL.into_iter().find(|act| act.as_str() == text)
    }

    /// Returns what an application cannot do when the act is refused.
    pub(super) fn predicate(self) -> Sentence {
        match self {
            Act::Start => text!("be started"),
            Act::DeleteDraft => text!("be deleted"),
            Act::Submit => text!("be submitted"),
            Act::Unsubmit => text!("be taken back for editing"),
            Act::RequestChanges => text!("be returned for changes"),
            Act::DropChanges => text!("have a request for changes dropped"),
            Act::Resubmit => text!("be submitted again"),
            Act::Book => text!("have an interview booked"),
            Act::Move => text!("have an interview moved"),
            Act::Cancel => text!("have an interview canceled"),
            Act::RecordHeld => text!("have an interview recorded as held"),
            Act::RecordNoShow => text!("have an interview recorded as missed"),
            Act::UndoRecord => text!("have an interview record undone"),
            Act::Offer => text!("become accepted"),
            Act::Reject => text!("become rejected"),
            Act::Waitlist => text!("be put on the waitlist"),
            Act::LeaveWaitlist => text!("be taken off the waitlist"),
            Act::Recall => text!("have a decision recalled"),
            Act::Reverse => text!("have a decision reversed"),
            Act::Accept => text!("have an offer accepted"),
            Act::Decline => text!("have an offer declined"),
            Act::UndoDecline => text!("have a declined offer restored"),
            Act::Lapse => text!("have an offer lapse"),
            Act::Reopen => text!("have an offer opened again"),
            Act::Enrol => text!("become enrolled"),
            Act::Unenrol => text!("have an enrollment undone"),
            Act::Defer => text!("become deferred"),
            Act::Resume => text!("be resumed"),
            Act::Withdraw => text!("be withdrawn"),
            Act::UndoWithdraw => text!("have a withdrawal undone"),
            Act::ImportDraft | Act::ImportSubmission | Act::ImportPast => text!("be imported"),
            Act::UndoImport => text!("have its import undone"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActorKind {
    /// The applicant whose application it is.
    Applicant,
    Staff(Role),
    /// A job that nobody triggered.
    System,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Applicant,
    Staff(Permission),
    System,
}

impl Who {
    pub fn includes(self, actor: ActorKind) -> bool {
        match (self, actor) {
            (Who::Applicant, ActorKind::Applicant) | (Who::System, ActorKind::System) => true,
            (Who::Staff(permission), ActorKind::Staff(role)) => role.may(permission),
            _ => false,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Who::Applicant => "applicant",
            Who::Staff(Permission::Interview) => "interviewing staff",
            Who::Staff(Permission::Review) => "reviewing staff",
            Who::Staff(Permission::Decide) => "deciding staff",
            Who::Staff(Permission::Release) => "releasing staff",
            Who::Staff(Permission::Enrol) => "enrolling staff",
            Who::Staff(Permission::Import) => "importing staff",
            Who::Staff(_) => "staff",
            Who::System => "system",
        }
    }
}
