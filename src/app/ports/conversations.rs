//! What applicants and the office write to each other.

use async_trait::async_trait;

use super::{AuditEntry, Millis, NewMail, Stored, Task};

/// One message about an application.
#[derive(Debug, Clone)]
pub struct ConversationMessage {
    pub id: String,
    pub application_id: String,
    /// Who of the office wrote it; none for the applicant.
    pub staff_id: Option<String>,
    pub text: String,
    pub created_at: Millis,
    /// When the applicant first had what the office wrote before them.
    pub read_at: Option<Millis>,
}

/// Whose messages are read.
#[derive(Debug, Clone, Copy)]
pub enum ConversationOf<'a> {
    /// About one application.
    Application(&'a str),
    /// About all applications of an applicant.
    Applicant(&'a str),
}

#[async_trait]
pub trait Conversations: Send + Sync {
    /// Newest first: up to `limit` of those older than the message `before`.
    async fn conversation(
        &self,
        of: ConversationOf<'_>,
        before: Option<&str>,
        limit: i64,
    ) -> Stored<Vec<ConversationMessage>>;
    /// Writes a message of the office, with the mail that tells of it, and closes the task to answer.
    ///
    /// # Errors
    /// [`StoreError::Taken`](super::StoreError::Taken)`("message")` when there is one with this id.
    async fn write_to_applicant(
        &self,
        message: &ConversationMessage,
        mail: Option<&NewMail>,
        audit: &AuditEntry,
    ) -> Stored<()>;
    /// Writes a message of the applicant, with the task to answer it.
    ///
    /// # Errors
    /// [`StoreError::Taken`](super::StoreError::Taken)`("message")` when there is one with this id.
    async fn write_to_office(&self, message: &ConversationMessage, task: &Task, audit: &AuditEntry) -> Stored<()>;
    /// Notes that the applicant has all that was written to them before them.
    async fn conversation_read(&self, applicant_id: &str, now: Millis) -> Stored<()>;
}
