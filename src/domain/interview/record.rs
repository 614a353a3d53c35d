//! Interviews, the times that they are booked in, and what is noted of them.

use super::{InterviewOutcome, Span, WISHES};
use crate::availability::Availability;
use crate::moments::Millis;
use crate::rubric::ScoreSheet;

/// When somebody of the staff can be met.
#[derive(Debug, Clone)]
pub struct Rules {
    pub staff_id: String,
    pub availability: Availability,
    /// 0 for rules that were never written.
    pub revision: i64,
}

/// A bookable or booked time in somebody's calendar.
#[derive(Debug, Clone)]
pub struct CalendarSlot {
    pub id: String,
    /// Whom one meets.
    pub staff_id: String,
    pub span: Span,
    /// Somebody is making up their mind about it.
    pub is_held: bool,
    pub booking: Option<Booking>,
}

/// The interview that stands in a slot.
#[derive(Debug, Clone)]
pub struct Booking {
    pub interview_id: String,
    pub application_id: String,
    pub reference: Option<String>,
    pub first_name: String,
    pub last_name: String,
    /// Of the calendar entry.
    pub sequence: i64,
    pub outcome: Option<InterviewOutcome>,
}

/// What an interviewer noted.
#[derive(Debug, Clone)]
pub struct InterviewSheet {
    pub interview_id: String,
    pub sheet: ScoreSheet,
    /// Counts from 1.
    pub revision: i64,
    /// A member of staff, by their id.
    pub written_by: String,
    pub written_at: Millis,
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

/// Times that an applicant wishes for.
#[derive(Debug, Clone)]
pub struct Wishes {
    pub times: [Millis; WISHES],
    pub sent_at: Millis,
}
