//! Work that is done without anybody waiting for it.

use crate::moments::Millis;

/// A job that is not done.
#[derive(Debug, Clone)]
pub struct JobEntry {
    pub id: String,
    pub kind: String,
    /// `application:ID`, `applicant:ID`, or the name of recurring work.
    pub subject: String,
    /// It is not tried again by itself.
    pub parked: bool,
    pub attempts: i64,
    pub due_at: Millis,
    pub last_error: Option<String>,
}
