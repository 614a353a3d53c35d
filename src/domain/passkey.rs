//! Passkeys.

use crate::moments::Millis;

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
