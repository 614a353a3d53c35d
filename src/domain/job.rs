//! Work done in the background.

use crate::moments::Millis;

/// A job that is not done yet.
#[derive(Debug, Clone)]
pub struct JobEntry {
    pub id: String,
    pub kind: String,
    /// `application:ID`, `applicant:ID`, or the name of the recurring job.
    pub subject: String,
    /// Whether it is no longer retried automatically.
    pub parked: bool,
    pub attempts: i64,
    pub due_at: Millis,
    pub last_error: Option<String>,
}
