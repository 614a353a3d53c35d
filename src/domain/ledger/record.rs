//! Ledgers as they are stored, and bookings that wait for a second person.

use jiff::civil::Date;

use super::{Book, Kind, Line, Transaction};
use crate::clocks;
use crate::funding::Reminder;
use crate::moments::Millis;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestState {
    Waiting,
    /// It is booked.
    Approved,
    Declined,
    /// Taken back by who asked.
    Withdrawn,
}

impl RequestState {
    pub const ALL: [RequestState; 4] =
        [RequestState::Waiting, RequestState::Approved, RequestState::Declined, RequestState::Withdrawn];

    /// As stored and sent.
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

/// Something that is booked when a second person approves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookingRequest {
    pub id: String,
    pub application_id: String,
    /// Of the form that asked for it.
    pub key: String,
    /// A refund, waiver, write-off or reversal.
    pub kind: Kind,
    /// Of what is waived or written off.
    pub line: Option<Line>,
    /// The payment that is refunded, or the transaction that is reversed.
    pub about: Option<String>,
    pub cents: i64,
    pub reason: String,
    pub asked_at: Millis,
    /// The id of a member of staff.
    pub asked_by: String,
    pub state: RequestState,
    pub settled_at: Option<Millis>,
    pub settled_by: Option<String>,
    /// Why it was declined.
    pub decline_reason: Option<String>,
}

/// Something that an applicant is told of an instalment, once for the day on which it is due.
#[derive(Debug, Clone)]
pub struct PaymentTold {
    pub application_id: String,
    pub line: Line,
    pub kind: Reminder,
    pub due: Date,
    pub at: Millis,
}

/// A transaction of the ledger, and who wrote it when.
#[derive(Debug, Clone)]
pub struct Posted {
    pub transaction: Transaction,
    pub at: Millis,
    /// `staff:ID`, `provider` or `system`.
    pub by: String,
}

impl Posted {
    /// The day that counts: on which a payment arrived, else on which it was written.
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

    /// How many transactions there are.
    pub fn position(&self) -> i64 {
        i64::try_from(self.posted.len()).unwrap_or(i64::MAX)
    }
}

/// What stands in the ledger for a booking.
pub fn cause(kind: Kind, key: &str, about: Option<&str>) -> String {
    match (kind, about) {
        (Kind::Reversal, Some(about)) => format!("reversal:{about}"),
        _ => format!("{}:{key}", kind.as_str()),
    }
}

impl BookingRequest {
    /// What it stands for in the ledger, once it is booked.
    pub fn cause(&self) -> String {
        cause(self.kind, &self.key, self.about.as_deref())
    }
}
