//! What the office keeps about one application, beside the application itself.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::{AuditEntry, Millis, NewMail, Snapshot, Stored};
use domain::status::{Act, Stage};

/// A change of stage, as it was noted.
#[derive(Debug, Clone)]
pub struct StoredChange {
    /// The application's revision that it made.
    pub revision: i64,
    pub act: Act,
    pub from: Stage,
    pub to: Stage,
    pub happened_at: Millis,
    /// Why, in somebody's own words.
    pub reason: Option<String>,
}

/// What somebody of the office wrote about an application for the others.
#[derive(Debug, Clone)]
pub struct Note {
    pub id: String,
    pub application_id: String,
    pub staff_id: String,
    pub text: String,
    /// Counts up with every change of the text, from 1.
    pub revision: i64,
    /// Since when it stands above the others.
    pub pinned_at: Option<Millis>,
    pub created_at: Millis,
    pub edited_at: Option<Millis>,
}

/// A mail to an applicant, and how far it has come.
#[derive(Debug, Clone)]
pub struct SentMail {
    pub id: String,
    pub to: String,
    pub subject: String,
    /// Without its secrets.
    pub text: String,
    /// There is one in the mail itself: a link that does something, a code.
    pub has_secret: bool,
    /// As [`Mail::state`](super::Mail::state).
    pub state: String,
    /// How often sending was tried.
    pub attempts: i64,
    pub last_error: Option<String>,
    pub created_at: Millis,
    pub finished_at: Option<Millis>,
}

impl SentMail {
    /// Whether it can be sent again: nothing in it is good for one mail alone, and it is not under way.
    pub fn may_resend(&self) -> bool {
        !self.has_secret && self.state != "waiting"
    }
}

/// The last line of one of the record's chains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEnd {
    /// `application:ID`
    pub subject: String,
    /// From 1.
    pub position: i64,
    /// SHA-256, hexadecimal, of this line and all before it.
    pub hash: String,
}

/// A line of the record.
#[derive(Debug, Clone)]
pub struct RecordedLine {
    pub happened_at: Millis,
    /// `applicant:ID`, `staff:ID` or `system`.
    pub actor: String,
    pub action: String,
    pub detail: serde_json::Value,
}

#[async_trait]
pub trait Dossiers: Send + Sync {
    /// Everything that was submitted, in the order in which it was.
    async fn snapshots(&self, application_id: &str) -> Stored<Vec<Snapshot>>;
    /// Every change of stage, in the order in which they were made.
    async fn stage_changes(&self, application_id: &str) -> Stored<Vec<StoredChange>>;
    /// Gives an application to somebody, or to nobody, if it is still whose it was. If not: false, nothing changed.
    async fn hand_over(
        &self,
        application_id: &str,
        from: Option<&str>,
        to: Option<&str>,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// Oldest first.
    async fn notes(&self, application_id: &str) -> Stored<Vec<Note>>;
    /// # Errors
    /// [`StoreError::Taken`](super::StoreError::Taken)`("note")` when there is one with this id.
    async fn write_note(&self, note: &Note, audit: &AuditEntry, mails: &[NewMail]) -> Stored<()>;
    /// Another text at `revision` + 1, if `revision` is the current one. If not: false.
    async fn edit_note(
        &self,
        id: &str,
        revision: i64,
        text: &str,
        audit: &AuditEntry,
        mails: &[NewMail],
    ) -> Stored<bool>;
    async fn pin_note(&self, id: &str, pinned_at: Option<Millis>, audit: &AuditEntry) -> Stored<()>;
    async fn delete_note(&self, id: &str, audit: &AuditEntry) -> Stored<()>;
    /// The newest mails to an applicant, newest first.
    async fn mails_to(&self, applicant_id: &str, limit: i64) -> Stored<Vec<SentMail>>;
    /// # Errors
    /// [`StoreError::Taken`](super::StoreError::Taken)`("mail")` when there is one with this id.
    async fn write_mail(&self, mail: &NewMail, audit: &AuditEntry) -> Stored<()>;
    /// Puts a mail of the applicant that has no secret and is not under way at the end of the outbox, for this address.
    /// No such mail: false.
    async fn resend_mail(&self, applicant_id: &str, id: &str, to: &str, audit: &AuditEntry) -> Stored<bool>;
    /// What is recorded about an application and the files of its applicant, oldest first.
    async fn timeline(&self, application_id: &str, applicant_id: &str) -> Stored<Vec<RecordedLine>>;
    /// Somebody has left.
    async fn look_away(&self, application_id: &str, staff_id: &str) -> Stored<()>;
    /// Who has shown a sign of having the application open after `since`, and when last.
    async fn lookers(&self, application_id: &str, since: Millis) -> Stored<Vec<(String, Millis)>>;
    /// Notes that somebody has the application open.
    async fn look_at(&self, application_id: &str, staff_id: &str, now: Millis) -> Stored<()>;
    /// Whether every line about the subject (`application:ID`) stands as it was recorded.
    async fn is_record_unbroken(&self, subject: &str) -> Stored<bool>;
    /// The end of each chain of the record.
    async fn chain_ends(&self) -> Stored<Vec<ChainEnd>>;
    /// Chains up to `limit` lines of the record that were written before lines were chained; how many.
    async fn chain_missing(&self, limit: i64) -> Stored<usize>;
}
