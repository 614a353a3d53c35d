//! What changing an address, telling what is stored and closing an account need.

use async_trait::async_trait;

use super::{Applicant, Application, AuditEntry, ConversationMessage, Message, Millis, NewJob, NewMail, Stored};
use domain::application::Answers;
use domain::program::Program;
use domain::status::{Act, Stage};

/// A change of an account's address, which is done when both addresses have confirmed it.
#[derive(Debug, Clone)]
pub struct EmailChange {
    pub applicant_id: String,
    /// The address to be.
    pub email: String,
    /// Digests of the secrets that were mailed to either address.
    pub old_digest: String,
    pub new_digest: String,
    pub old_confirmed_at: Option<Millis>,
    pub new_confirmed_at: Option<Millis>,
    pub created_at: Millis,
    pub expires_at: Millis,
}

/// What a confirmation of one of the two addresses came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailConfirmation {
    /// The other address has not confirmed it yet.
    Waiting,
    /// The account has the new address.
    Changed,
    /// There is no such change any more.
    Gone,
}

/// What is known of a link that was mailed.
#[derive(Debug, Clone)]
pub struct MailedLink {
    /// Digest of its secret.
    pub digest: String,
    pub expires_at: Millis,
}

/// The end of an account: what identifies the person is erased, as far as it must not be kept.
#[derive(Debug, Clone)]
pub struct Closing {
    pub applicant_id: String,
    /// The account must still have this one.
    pub password_hash: String,
    pub at: Millis,
    pub audit: AuditEntry,
    /// To an address that was confirmed.
    pub mail: Option<NewMail>,
    /// Erases what is kept when its time is over.
    pub job: NewJob,
}

/// Everything stored about an applicant.
#[derive(Debug, Clone)]
pub struct StoredRecords {
    pub applications: Vec<Application>,
    /// In the order in which they were taken.
    pub snapshots: Vec<Snapshot>,
    /// In the order in which they happened.
    pub stage_changes: Vec<StageChange>,
    /// In the order in which they were booked.
    pub interviews: Vec<StoredInterview>,
    /// Newest first.
    pub messages: Vec<Message>,
    /// What the applicant and the office wrote to each other, in the order in which they did.
    pub conversation: Vec<ConversationMessage>,
    /// Open ones and those that ended not long ago, newest first.
    pub sessions: Vec<StoredSession>,
    /// What the applicant did, in the order in which it happened.
    pub audit: Vec<RecordedAct>,
}

/// An interview as it is stored.
#[derive(Debug, Clone)]
pub struct StoredInterview {
    pub application_id: String,
    pub starts_at: Millis,
    pub booked_at: Millis,
    /// When its time was given up: it was moved or cancelled.
    pub freed_at: Option<Millis>,
    /// `held`, `no_show`
    pub outcome: Option<String>,
}

/// A session as it is stored.
#[derive(Debug, Clone)]
pub struct StoredSession {
    pub created_at: Millis,
    pub last_seen_at: Millis,
    pub expires_at: Millis,
    /// When it was ended before its time.
    pub revoked_at: Option<Millis>,
    /// Where it was opened from.
    pub address: String,
    pub user_agent: String,
}

/// The answers as they were at a submission.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub application_id: String,
    /// Counts the submissions of the application, from 1.
    pub number: i64,
    pub program: Program,
    pub answers: Answers,
    pub taken_at: Millis,
}

/// A change of stage, as it was noted.
#[derive(Debug, Clone)]
pub struct StageChange {
    pub application_id: String,
    pub act: Act,
    pub from: Stage,
    pub to: Stage,
    pub happened_at: Millis,
    /// Why, in the applicant's own words.
    pub reason: Option<String>,
}

/// A line of the record, as its applicant may see it.
#[derive(Debug, Clone)]
pub struct RecordedAct {
    pub happened_at: Millis,
    /// `application:ID`, `applicant:ID`.
    pub subject: String,
    pub action: String,
}

#[async_trait]
pub trait EmailChanges: Send + Sync {
    /// Takes the place of an older one of the account.
    async fn save_email_change(&self, change: &EmailChange, audit: &AuditEntry, mails: &[NewMail]) -> Stored<()>;
    /// Other secrets for the addresses that have not confirmed it yet, and another end. No open change: false.
    async fn renew_email_change(&self, change: &EmailChange, audit: &AuditEntry, mails: &[NewMail]) -> Stored<bool>;
    /// The account's open change.
    async fn email_change(&self, applicant_id: &str, now: Millis) -> Stored<Option<EmailChange>>;
    /// The open change that a mailed secret belongs to. Looking confirms nothing.
    async fn email_change_by_secret(&self, digest: &str, now: Millis) -> Stored<Option<(EmailChange, Applicant)>>;
    /// Notes that the address with this secret has confirmed it. When both have, the account gets the address, every
    /// session but `keep` ends, and `changed` is written down.
    ///
    /// # Errors
    /// [`StoreError::Taken`](super::StoreError::Taken)`("email")` when another account has the address by now. Nothing was changed then.
    async fn confirm_email_change(
        &self,
        digest: &str,
        keep: Option<&str>,
        confirmed: &AuditEntry,
        changed: (&AuditEntry, &[NewMail]),
    ) -> Stored<EmailConfirmation>;
    /// Drops the account's change. There was none: false.
    async fn drop_email_change(&self, applicant_id: &str, audit: &AuditEntry, mails: &[NewMail]) -> Stored<bool>;
}

#[async_trait]
pub trait EmailConfirmations: Send + Sync {
    /// Another link to confirm the account's address; older ones work no more. It is confirmed: false.
    async fn renew_email_confirmation(
        &self,
        applicant_id: &str,
        link: &MailedLink,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool>;
    /// Whose address a mailed secret confirms, also once it has. Looking confirms nothing.
    async fn email_confirmation_owner(&self, digest: &str, now: Millis) -> Stored<Option<Applicant>>;
    /// Confirms the address, and sends what was held back in the last week. It is confirmed already, or the link works no more:
    /// false.
    async fn confirm_email(&self, digest: &str, audit: &AuditEntry) -> Stored<bool>;
}

#[async_trait]
pub trait Records: Send + Sync {
    /// Everything stored about the applicant.
    async fn records(&self, applicant_id: &str) -> Stored<StoredRecords>;
    /// Closes an account without an active application; with one, it is part of its [`Transition`](super::Transition).
    async fn close_account(&self, closing: &Closing) -> Stored<()>;
    /// Erases what was kept of a closed account.
    async fn erase_records(&self, applicant_id: &str, audit: &AuditEntry) -> Stored<()>;
}
