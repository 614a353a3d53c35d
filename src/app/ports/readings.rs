//! Applications that are read and scored by several people.

use async_trait::async_trait;
use jiff::civil::Date;

use super::{AuditEntry, Millis, NewMail, Stored, Task};
use domain::program::Program;
use domain::rubric::ScoreSheet;
use domain::status::Stage;

/// Somebody who is asked to read an application, and what they say.
#[derive(Debug, Clone)]
pub struct Reading {
    pub application_id: String,
    pub reader_id: String,
    pub asked_by: String,
    pub asked_at: Millis,
    /// The last day on which it is expected.
    pub due_on: Option<Date>,
    pub sent: Option<SentReading>,
}

#[derive(Debug, Clone)]
pub struct SentReading {
    pub at: Millis,
    pub sheet: ScoreSheet,
}

/// A reader who is asked, with what tells them.
#[derive(Debug, Clone)]
pub struct NewReading {
    pub reading: Reading,
    pub task: Task,
    pub mail: NewMail,
}

/// An application as a committee goes through it.
#[derive(Debug, Clone)]
pub struct CommitteeEntry {
    pub application_id: String,
    pub first_name: String,
    pub last_name: String,
    pub reference: Option<String>,
    pub program: Program,
    pub stage: Stage,
    pub asked: i64,
    pub sent: i64,
    /// The mean of the scores that were sent, in thousandths; none where nobody has sent one.
    pub score: Option<i64>,
    /// How many recommend to accept, are not sure, and recommend to reject.
    pub recommended: [i64; 3],
    /// Whoever looks is asked to read it, and has not sent theirs.
    pub is_blind: bool,
}

#[async_trait]
pub trait Readings: Send + Sync {
    /// In the order in which they were asked for.
    async fn readings(&self, application_id: &str) -> Stored<Vec<Reading>>;
    /// Asks those who are not asked already; how many were.
    async fn ask_readers(&self, readers: &[NewReading], audit: &AuditEntry) -> Stored<usize>;
    /// Withdraws what was asked of a reader. False when they have sent theirs, or were never asked.
    async fn unask_reader(&self, application_id: &str, reader_id: &str, audit: &AuditEntry) -> Stored<bool>;
    /// Keeps what a reader says. False when they have sent it already, or are not asked.
    async fn send_reading(
        &self,
        application_id: &str,
        reader_id: &str,
        sent: &SentReading,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// The undecided applications that somebody is asked to read, the best scored first; `looker` is who looks.
    async fn committee(&self, program: Option<Program>, looker: &str, limit: i64) -> Stored<Vec<CommitteeEntry>>;
}
