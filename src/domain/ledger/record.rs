//! Ledgers as stored, and bookings that wait for a second person.

use jiff::civil::Date;

use super::{Book, Kind, Line, Transaction};
use crate::clocks;
use crate::funding::Reminder;
use crate::moments::Millis;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestState {
    Waiting,
    /// Posted to the ledger.
    Approved,
    Declined,
    /// Taken back by the person who asked.
    Withdrawn,
}

impl RequestState {
    pub const ALL: [RequestState; 4] =
        [RequestState::Waiting, RequestState::Approved, RequestState::Declined, RequestState::Withdrawn];

    /// Returns the name as stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            RequestState::Waiting => "waiting",
            RequestState::Approved => "approved",
            RequestState::Declined => "declined",
            RequestState::Withdrawn => "withdrawn",
        }
    }

    pub fn parse(name: &str) -> Option<RequestState> {
        RequestState::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// A booking that is posted once a second person approves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookingRequest {
    pub id: String,
    pub application_id: String,
    /// Idempotency key from the form.
    pub key: String,
    /// A refund, waiver, write-off or reversal.
    pub kind: Kind,
    /// The line that is waived or written off.
    pub line: Option<Line>,
    /// The payment to refund, or the transaction to reverse.
    pub about: Option<String>,
    pub cents: i64,
    pub reason: String,
    pub asked_at: Millis,
    /// Id of a member of staff.
    pub asked_by: String,
    pub state: RequestState,
    pub settled_at: Option<Millis>,
    pub settled_by: Option<String>,
    /// Why it was declined.
    pub decline_reason: Option<String>,
}

/// A reminder sent to an applicant about an instalment, once per due date.
#[derive(Debug, Clone)]
pub struct PaymentReminder {
    pub application_id: String,
    pub line: Line,
    pub kind: Reminder,
    pub due: Date,
    pub at: Millis,
}

/// A posted transaction, with who posted it and when.
#[derive(Debug, Clone)]
pub struct Posted {
    pub transaction: Transaction,
    pub at: Millis,
    /// `staff:ID`, `applicant:ID`, `provider` or `system`.
    pub by: String,
}

impl Posted {
    /// Returns its value date: the day a payment arrived, else the day it was posted.
    pub fn day(&self, zone: &str) -> Date {
        self.transaction.draft.received_on.unwrap_or_else(|| clocks::day(self.at, zone))
    }
}

/// The ledger of an application, oldest first.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    pub posted: Vec<Posted>,
}

impl Ledger {
    pub fn book(&self) -> Book {
        Book { transactions: self.posted.iter().map(|posted| posted.transaction.clone()).collect() }
    }

    /// Whether anything was charged or paid besides the application fee.
    pub fn has_tuition(&self) -> bool {
        self.posted.iter().any(|posted| posted.transaction.draft.line != Some(Line::ApplicationFee))
    }

    /// Returns the number of transactions.
    pub fn position(&self) -> i64 {
        i64::try_from(self.posted.len()).unwrap_or(i64::MAX)
    }
}

/// Returns the `cause` of the transaction for a booking.
pub fn cause(kind: Kind, key: &str, about: Option<&str>) -> String {
    match (kind, about) {
        (Kind::Reversal, Some(about)) => format!("reversal:{about}"),
        _ => format!("{}:{key}", kind.as_str()),
    }
}

impl BookingRequest {
    /// Returns the `cause` of its transaction once it is posted.
    pub fn cause(&self) -> String {
        cause(self.kind, &self.key, self.about.as_deref())
    }
}
