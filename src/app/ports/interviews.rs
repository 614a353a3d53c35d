//! What the use cases need of the store for interviews.

use async_trait::async_trait;

use super::{AuditEntry, Millis, Stored, Task};
use domain::interview::{InterviewOutcome, Span, WISHES};

/// A time that a member of staff opens.
#[derive(Debug, Clone)]
pub struct NewSlot {
    pub id: String,
    pub span: Span,
}

/// A time that a member of staff can be met at.
#[derive(Debug, Clone)]
pub struct Slot {
    pub id: String,
    pub span: Span,
    /// The member of staff whom one meets.
    pub interviewer_id: String,
    /// Where the interviewer gets mails.
    pub interviewer_email: String,
}

/// Which slots somebody can choose from.
#[derive(Debug, Clone, Copy, Default)]
pub struct SlotAsked<'a> {
    /// Those alone that are as far ahead as their interviewers ask for.
    pub noticed: bool,
    /// Those alone of this member of staff.
    pub only: Option<&'a str>,
}

/// A slot that is kept for an applicant for some minutes.
#[derive(Debug, Clone)]
pub struct Hold {
    pub slot: Slot,
    pub until: Millis,
}

/// An interview of an application, and what there is to know about those before it.
#[derive(Debug, Clone)]
pub struct Interview {
    pub id: String,
    pub slot: Slot,
    /// Of the calendar entry; rises with every change.
    pub sequence: i64,
    /// How often the applicant has moved it.
    pub moves: i64,
    pub booked_at: Millis,
    /// Since when the slot is not its own any more.
    pub freed_at: Option<Millis>,
    pub outcome: Option<InterviewOutcome>,
    /// No-shows of this application, this interview included.
    pub no_shows: i64,
    /// The slot could be taken by anyone.
    pub slot_free: bool,
}

impl Interview {
    /// Whether it is going to be held, as far as anyone knows.
    pub fn is_open(&self) -> bool {
        self.freed_at.is_none() && self.outcome.is_none()
    }
}

/// What a change of stage does to the interview.
#[derive(Debug, Clone)]
pub enum InterviewChange {
    /// A new one, in this slot.
    Book { id: String, slot_id: String },
    /// To another slot; `counted` when it is one of the applicant's moves.
    Move { id: String, slot_id: String, counted: bool },
    /// The slot is given back.
    Free { id: String },
    /// It has its slot again.
    Retake { id: String },
    /// How it ended, or that this is not known after all.
    Record { id: String, outcome: Option<InterviewOutcome> },
}

/// Times that an applicant wishes for.
#[derive(Debug, Clone)]
pub struct Wishes {
    pub times: [Millis; WISHES],
    pub sent_at: Millis,
}

#[async_trait]
pub trait Interviews: Send + Sync {
    /// Opens slots of one member of staff, all or none.
    ///
    /// # Errors
    /// [`StoreError::Taken`](super::StoreError::Taken)`("slots")` when one overlaps another of theirs.
    async fn open_slots(&self, staff_id: &str, slots: &[NewSlot], now: Millis, audit: &AuditEntry) -> Stored<()>;
    /// The times from `from` on at which anyone can be met, each once and in order. Those held for others are not among
    /// them, those held for this application are.
    async fn free_times(
        &self,
        application_id: &str,
        from: Millis,
        now: Millis,
        asked: SlotAsked<'_>,
    ) -> Stored<Vec<Millis>>;
    /// The slots from `from` on that can be taken, in order.
    async fn free_slots(
        &self,
        application_id: &str,
        from: Millis,
        now: Millis,
        asked: SlotAsked<'_>,
    ) -> Stored<Vec<Slot>>;
    /// A slot at this time that the application can take: the one held for it, or any.
    async fn free_slot(
        &self,
        application_id: &str,
        starts_at: Millis,
        now: Millis,
        asked: SlotAsked<'_>,
    ) -> Stored<Option<Slot>>;
    /// Keeps a slot at this time for the application until `until`, and gives up what was kept for it. `None` when
    /// somebody else has them all; what was kept stays kept then.
    async fn hold_slot(
        &self,
        application_id: &str,
        starts_at: Millis,
        now: Millis,
        until: Millis,
    ) -> Stored<Option<Slot>>;
    /// What is kept for the application.
    async fn held_slot(&self, application_id: &str, now: Millis) -> Stored<Option<Hold>>;
    /// The application's latest interview.
    async fn interview(&self, application_id: &str, now: Millis) -> Stored<Option<Interview>>;
    async fn wishes(&self, application_id: &str) -> Stored<Option<Wishes>>;
    /// Puts wishes in the place of earlier ones. The task is written unless one of its kind is open for the subject.
    async fn save_wishes(&self, application_id: &str, wishes: &Wishes, audit: &AuditEntry, task: &Task) -> Stored<()>;
}
