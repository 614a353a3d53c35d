//! What is sent and done without anybody waiting for it, as the office looks at it.

use async_trait::async_trait;

use super::{AuditEntry, Millis, Stored};

/// What became of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailState {
    Waiting,
    Sent,
    /// There is no mail server; it is kept.
    Kept,
    /// It is not sent, see [`Outbox`](super::Outbox).
    Held,
    /// Parked after its last attempt.
    Failed,
}

impl MailState {
    pub const ALL: [MailState; 5] =
        [MailState::Waiting, MailState::Failed, MailState::Held, MailState::Sent, MailState::Kept];

    pub fn as_str(self) -> &'static str {
        match self {
            MailState::Waiting => "waiting",
            MailState::Sent => "sent",
            MailState::Kept => "kept",
            MailState::Held => "held",
            MailState::Failed => "failed",
        }
    }

    pub fn parse(text: &str) -> Option<MailState> {
        MailState::ALL.into_iter().find(|state| state.as_str() == text)
    }
}

/// A mail without its text.
#[derive(Debug, Clone)]
pub struct MailEntry {
    pub id: String,
    pub template: String,
    pub to: String,
    pub subject: String,
    pub state: MailState,
    pub attempts: i64,
    /// When it is tried next, if it waits.
    pub due_at: Millis,
    pub last_error: Option<String>,
    pub created_at: Millis,
    pub finished_at: Option<Millis>,
    pub has_secret: bool,
}

impl MailEntry {
    /// A secret is not kept any more when its mail was given up.
    pub fn may_be_retried(&self) -> bool {
        self.state == MailState::Failed && !self.has_secret
    }
}

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

#[async_trait]
pub trait Deliveries: Send + Sync {
    /// The newest mails, of one state or of all.
    async fn mail_log(&self, state: Option<MailState>, limit: i64) -> Stored<Vec<MailEntry>>;
    /// Parked jobs, and then those that are due soonest.
    async fn job_log(&self, limit: i64) -> Stored<Vec<JobEntry>>;
    /// Makes a failed mail due at once, if it [may be](MailEntry::may_be_retried): else false.
    async fn retry_mail(&self, id: &str, now: Millis, audit: &AuditEntry) -> Stored<bool>;
    /// Makes a parked job due at once. It is not parked: false.
    async fn retry_job(&self, id: &str, now: Millis, audit: &AuditEntry) -> Stored<bool>;
}
