//! Passkeys: how browsers are asked for them, and where they are kept.

use async_trait::async_trait;

use super::{AccountKey, Audience, AuditEntry, Millis, NewMail, Stored};

/// A passkey of an account.
#[derive(Debug, Clone)]
pub struct Passkey {
    pub id: String,
    pub credential: Credential,
    /// Of the browser that made it.
    pub user_agent: String,
    pub created_at: Millis,
    pub last_used_at: Option<Millis>,
}

/// What answers of a passkey are checked with.
#[derive(Debug, Clone)]
pub struct Credential {
    /// The browser's name for it, base64url.
    pub id: String,
    /// The public key, as the protocol's adapter writes it.
    pub key: String,
}

/// What a browser is asked, and what its answer is checked with.
#[derive(Debug, Clone)]
pub struct Ceremony {
    /// JSON: a `PublicKeyCredentialCreationOptionsJSON`, or a `PublicKeyCredentialRequestOptionsJSON`.
    pub options: String,
    /// As the protocol's adapter writes it.
    pub state: String,
}

/// The protocol of passkeys (WebAuthn). Every answer must come from a page of ours, and the device must have verified who is in
/// front of it. An answer is the `toJSON()` of the browser's credential; `None` for one that is not good.
pub trait PasskeyProtocol: Send + Sync {
    /// Asks for a new passkey of an account, which has `present` ones already.
    fn ask_new(&self, account_id: &str, name: &str, present: &[Passkey]) -> Option<Ceremony>;
    /// The passkey that was made.
    fn made(&self, state: &str, answer: &str) -> Option<Credential>;
    /// Asks for one of these passkeys; for any that was made here where there are none.
    fn ask(&self, of: &[Passkey]) -> Option<Ceremony>;
    /// Which credential an answer says that it comes from.
    fn credential_id(&self, answer: &str) -> Option<String>;
    /// The key as it is to be stored from now on.
    fn verified(&self, state: &str, answer: &str, key: &str) -> Option<String>;
}

/// What became of a passkey to be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasskeyAdded {
    Done,
    /// The account has as many as it may.
    TooMany,
    /// The account has this one already.
    There,
}

#[async_trait]
pub trait Passkeys: Send + Sync {
    /// The newest first.
    async fn passkeys(&self, account: AccountKey<'_>) -> Stored<Vec<Passkey>>;
    /// With the id of its account.
    async fn passkey(&self, audience: Audience, credential_id: &str) -> Stored<Option<(String, Passkey)>>;
    /// Adds it, up to `limit`. `first` are digests of recovery codes and the session that stays open, where it is the account's first
    /// second factor.
    async fn add_passkey(
        &self,
        account: AccountKey<'_>,
        passkey: &Passkey,
        limit: i64,
        first: Option<(&[String], &str)>,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<PasskeyAdded>;
    /// Removes it; with the last second factor the recovery codes go, too. No such one: false.
    async fn remove_passkey(
        &self,
        account: AccountKey<'_>,
        id: &str,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool>;
    /// Notes that it was used, and how its key is stored from now on.
    async fn passkey_used(&self, audience: Audience, id: &str, key: &str, now: Millis) -> Stored<()>;
}
