//! Interviews: bookable times, their place in calendars, applicants' wished times, and entries for calendar programs.

pub mod ics;
mod record;
mod slots;
mod weeks;
mod wishes;

pub use record::{Booking, CalendarSlot, Hold, Interview, InterviewSheet, Rules, Slot, Wishes};
pub use slots::{Span, check_slots, parse_start};
pub use weeks::{Day, LocalTime, Week, weeks};
pub use wishes::{InterviewWishes, WISHES};

/// Minutes for which a chosen time is held for an applicant.
pub const HOLD_MINUTES: i64 = 5;

/// How an interview ended, as recorded by staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterviewOutcome {
    Held,
    NoShow,
}

impl InterviewOutcome {
    /// Returns the stored name.
    pub fn as_str(self) -> &'static str {
        match self {
            InterviewOutcome::Held => "held",
            InterviewOutcome::NoShow => "no_show",
        }
    }

    pub fn parse(text: &str) -> Option<InterviewOutcome> {
        [InterviewOutcome::Held, InterviewOutcome::NoShow].into_iter().find(|outcome| outcome.as_str() == text)
    }
}
