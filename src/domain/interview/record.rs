//! Interviews, their slots, and interviewers' notes.

use super::{InterviewOutcome, Span, WISHES};
use crate::availability::Availability;
use crate::moments::Millis;
use crate::rubric::ScoreSheet;

/// When a member of staff is available.
#[derive(Debug, Clone)]
pub struct Rules {
    pub staff_id: String,
    pub availability: Availability,
    /// 0 if the rules were never saved.
    pub revision: i64,
}

/// A bookable or booked time in an interviewer's calendar.
#[derive(Debug, Clone)]
pub struct CalendarSlot {
    pub id: String,
    /// The interviewer.
    pub staff_id: String,
    pub span: Span,
    /// Whether an applicant is about to book it.
    pub is_held: bool,
    pub booking: Option<Booking>,
}

/// The interview booked in a slot.
#[derive(Debug, Clone)]
pub struct Booking {
    pub interview_id: String,
    pub application_id: String,
    pub reference: Option<String>,
    pub first_name: String,
    pub last_name: String,
    /// Sequence number of the calendar entry.
    pub sequence: i64,
    pub outcome: Option<InterviewOutcome>,
}

/// An interviewer's score sheet.
#[derive(Debug, Clone)]
pub struct InterviewSheet {
    pub interview_id: String,
    pub sheet: ScoreSheet,
    /// Starts at 1.
    pub revision: i64,
    /// Id of a member of staff.
    pub written_by: String,
    pub written_at: Millis,
}

/// A time at which a member of staff is available.
#[derive(Debug, Clone)]
pub struct Slot {
    pub id: String,
    pub span: Span,
    /// The interviewer.
    pub interviewer_id: String,
    /// The interviewer's email address.
    pub interviewer_email: String,
}

/// A slot held for an applicant for a few minutes.
#[derive(Debug, Clone)]
pub struct Hold {
    pub slot: Slot,
    pub until: Millis,
}

/// An interview of an application, with what matters about earlier ones.
#[derive(Debug, Clone)]
pub struct Interview {
    pub id: String,
    pub slot: Slot,
    /// Sequence number of the calendar entry; increases with every change.
    pub sequence: i64,
    /// How often the applicant has moved it.
    pub moves: i64,
    pub booked_at: Millis,
    /// When the slot was freed.
    pub freed_at: Option<Millis>,
    pub outcome: Option<InterviewOutcome>,
    /// Number of no-shows of this application, including this interview.
    pub no_shows: i64,
    /// Whether the slot is available to others.
    pub slot_free: bool,
}

impl Interview {
    /// Whether it is still expected to take place.
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
