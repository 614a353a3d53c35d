//! What the accounts of the office need of the store.

use async_trait::async_trait;

use super::{AuditEntry, Millis, NewMail, NewSession, Session, SessionKey, Stored};
use domain::role::Role;

/// A member of staff.
#[derive(Debug, Clone)]
pub struct Staff {
    pub id: String,
    /// Empty for who has not told it.
    pub name: String,
    /// Empty once removed.
    pub email: String,
    pub role: Role,
    /// PHC string.
    pub password_hash: String,
    /// What the secret of the authenticator app is derived from; `None` without one.
    pub code_seed: Option<String>,
    /// How many there are.
    pub passkeys: i64,
    pub suspended_at: Option<Millis>,
    pub created_at: Millis,
}

impl Staff {
    /// What colleagues call them.
    pub fn called(&self) -> &str {
        if self.name.is_empty() { &self.email } else { &self.name }
    }
}

/// A member of staff, as everybody in the office knows them.
#[derive(Debug, Clone)]
pub struct Colleague {
    pub id: String,
    /// Empty for who has not told it.
    pub name: String,
    pub email: String,
    pub role: Role,
    pub suspended_at: Option<Millis>,
}

impl Colleague {
    /// What the others call them.
    pub fn called(&self) -> &str {
        if self.name.is_empty() { &self.email } else { &self.name }
    }
}

/// Someone on the list of staff.
#[derive(Debug, Clone)]
pub struct ListedStaff {
    pub staff: Staff,
    /// `None` for who is nowhere signed in and was not for a while.
    pub last_seen_at: Option<Millis>,
}

/// A session of a member of staff, and what its gates need to know.
#[derive(Debug, Clone)]
pub struct StaffSession {
    pub session: Session,
    pub staff: Staff,
    /// When the password (and the code) was given last.
    pub stepped_up_at: Millis,
    /// Everybody must have a second factor.
    pub second_factor_required: bool,
}

/// A change of somebody's account by an Owner, or their own leaving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaffChange {
    Role { from: Role, to: Role },
    Suspend,
    Resume,
    Remove,
}

impl StaffChange {
    /// Whether an Owner who is the last active one would be one no longer.
    pub fn takes_an_owner(self) -> bool {
        match self {
            StaffChange::Role { to, .. } => to != Role::Owner,
            StaffChange::Suspend | StaffChange::Remove => true,
            StaffChange::Resume => false,
        }
    }
}

/// What a change of an account met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaffChanged {
    Done,
    /// The account is not as it was seen: somebody else changed it.
    Otherwise,
    /// No active Owner would be left.
    LastOwner,
    /// Whoever asked is no active Owner any more.
    NoOwner,
}

/// An invitation to the office that was neither taken nor revoked.
#[derive(Debug, Clone)]
pub struct Invitation {
    pub id: String,
    pub email: String,
    pub role: Role,
    /// Digest of the mailed secret.
    pub digest: String,
    pub invited_by: String,
    pub created_at: Millis,
    pub sent_at: Millis,
    pub expires_at: Millis,
}

#[async_trait]
pub trait StaffAccounts: Send + Sync {
    /// # Errors
    /// [`StoreError::Taken`](super::StoreError::Taken)`("staff")` when someone of the office has the address.
    async fn create_staff(&self, staff: &Staff, audit: &AuditEntry) -> Stored<()>;
    /// By the lower-case address; not who is removed.
    async fn staff_by_email(&self, email_key: &str) -> Stored<Option<Staff>>;
    /// Not who is removed.
    async fn staff_by_id(&self, id: &str) -> Stored<Option<Staff>>;
    /// Everybody who is not removed, by name and address.
    async fn colleagues(&self) -> Stored<Vec<Colleague>>;
    /// The same with when they were last there.
    async fn listed_staff(&self) -> Stored<Vec<ListedStaff>>;
    async fn staff_count(&self) -> Stored<i64>;
    async fn rename_staff(&self, staff_id: &str, name: &str, audit: &AuditEntry) -> Stored<()>;
    /// The same password under newer parameters; only if the hash is still `old`.
    async fn rehash_staff(&self, staff_id: &str, old: &str, new: &str) -> Stored<()>;
    /// A new password, which ends every session but `keep`; only if the hash is still `old`. If not: false.
    async fn change_staff_password(
        &self,
        staff_id: &str,
        (old, new): (&str, &str),
        keep: &str,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool>;
    /// Keeps a mailed link to a new password, in the place of the one that there may be.
    async fn create_staff_reset(
        &self,
        staff_id: &str,
        digest: &str,
        expires_at: Millis,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<()>;
    /// Whose link it is, if it can still be spent and the account is active. Looking spends nothing.
    async fn staff_reset_owner(&self, digest: &str, now: Millis) -> Stored<Option<Staff>>;
    /// Spends a link for a new password, which ends every session. It cannot be spent any more: false.
    async fn spend_staff_reset(&self, digest: &str, hash: &str, audit: &AuditEntry, mail: &NewMail) -> Stored<bool>;
    /// Changes an account in the name of `actor_id`; what takes something away ends the account's sessions. Owners who
    /// do this to each other at once wait for one another.
    async fn change_staff(
        &self,
        actor_id: &str,
        staff_id: &str,
        change: StaffChange,
        audit: &AuditEntry,
        mail: Option<&NewMail>,
    ) -> Stored<StaffChanged>;
    /// Whether everybody must have a second factor.
    async fn second_factor_required(&self) -> Stored<bool>;
    async fn require_second_factor(&self, required: bool, audit: &AuditEntry) -> Stored<()>;
}

#[async_trait]
pub trait StaffSessions: Send + Sync {
    /// Opens a session, if the account is active and has still the password that was checked. If not: false. With
    /// `code_until` it is open only once the code was given.
    async fn create_staff_session(
        &self,
        staff: &Staff,
        session: &NewSession,
        code_until: Option<Millis>,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// The session and its member of staff, unless revoked or expired at `now`, or the account is suspended or removed.
    async fn staff_session(&self, key: SessionKey<'_>, now: Millis) -> Stored<Option<StaffSession>>;
    /// The same for a session that waits for its code.
    async fn unfinished_staff_session(&self, cookie_digest: &str, now: Millis) -> Stored<Option<StaffSession>>;
    /// Opens a session that waited for its code. It does not wait any more: false.
    async fn finish_staff_session(
        &self,
        session_id: &str,
        expires_at: Millis,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// Notes the visit.
    async fn staff_seen(&self, session_id: &str, now: Millis) -> Stored<()>;
    /// Notes that the password (and the code) was given again.
    async fn staff_stepped_up(&self, session_id: &str, now: Millis, audit: &AuditEntry) -> Stored<()>;
    /// Open sessions of the account, last seen first.
    async fn staff_sessions(&self, staff_id: &str, now: Millis) -> Stored<Vec<Session>>;
    /// Ends one session of the account. No such open session: false.
    async fn end_staff_session(
        &self,
        staff_id: &str,
        session_id: &str,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// Ends every session of the account but `keep`; how many.
    async fn end_other_staff_sessions(
        &self,
        staff_id: &str,
        keep: &str,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<u64>;
}

#[async_trait]
pub trait Invitations: Send + Sync {
    /// Whoever invites is no active Owner any more: false.
    ///
    /// # Errors
    /// [`StoreError::Taken`](super::StoreError::Taken)`("staff")` when someone of the office has the address, `("invitation")` when it is
    /// invited.
    async fn invite(&self, invitation: &Invitation, audit: &AuditEntry, mail: &NewMail) -> Stored<bool>;
    /// Newest first.
    async fn invitations(&self) -> Stored<Vec<Invitation>>;
    async fn invitation(&self, id: &str) -> Stored<Option<Invitation>>;
    /// The one that a mailed secret belongs to, if it can still be taken. Looking takes nothing.
    async fn invitation_by_secret(&self, digest: &str, now: Millis) -> Stored<Option<Invitation>>;
    /// Another secret, another end and who sends it now; the mail before does not work any more. There is none, or whoever
    /// sends it is no active Owner any more: false.
    async fn renew_invitation(&self, renewed: &Invitation, audit: &AuditEntry, mail: &NewMail) -> Stored<bool>;
    /// There is none: false.
    async fn revoke_invitation(&self, id: &str, audit: &AuditEntry) -> Stored<bool>;
    /// Turns an invitation into an account with its first session. It cannot be taken any more: false.
    ///
    /// # Errors
    /// [`StoreError::Taken`](super::StoreError::Taken)`("staff")`
    async fn take_invitation(
        &self,
        digest: &str,
        staff: &Staff,
        session: &NewSession,
        audit: &AuditEntry,
    ) -> Stored<bool>;
}
