//! Passkeys.

use crate::moments::Millis;

/// A passkey of an account.
#[derive(Debug, Clone)]
pub struct Passkey {
    pub id: String,
    pub credential: Credential,
    /// User agent of the browser that created it.
    pub user_agent: String,
    pub created_at: Millis,
    pub last_used_at: Option<Millis>,
}

/// What a passkey's responses are verified with.
#[derive(Debug, Clone)]
pub struct Credential {
    /// The credential's id from the browser, base64url.
    pub id: String,
    /// The public key, as encoded by the protocol's adapter.
    pub key: String,
}
