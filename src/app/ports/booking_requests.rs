//! What Finance wants to write into ledgers and a second person has to approve.

use async_trait::async_trait;

use super::{AuditEntry, Millis, Stored, Task};
use domain::ledger::{Kind, Line};

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

/// How a request ends.
#[derive(Debug, Clone)]
pub struct RequestEnd {
    pub request_id: String,
    pub application_id: String,
    pub state: RequestState,
    /// The id of a member of staff.
    pub by: String,
    pub decline_reason: Option<String>,
    /// When, too.
    pub audit: AuditEntry,
}

#[async_trait]
pub trait BookingRequests: Send + Sync {
    /// Keeps what waits, unless something is kept under its key. Whichever is kept then.
    async fn keep_request(&self, request: &BookingRequest, task: &Task, audit: &AuditEntry) -> Stored<BookingRequest>;
    /// Those of an application, oldest first.
    async fn booking_requests(&self, application_id: &str) -> Stored<Vec<BookingRequest>>;
    /// Ends what waits, without booking it. If it does not wait any more: false.
    async fn end_request(&self, end: &RequestEnd) -> Stored<bool>;
}
