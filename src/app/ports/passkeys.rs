//! Asking browsers for passkeys.

use domain::passkey::{Credential, Passkey};

/// What to ask a browser, and the state for checking its answer.
#[derive(Debug, Clone)]
pub struct Ceremony {
    /// JSON: a `PublicKeyCredentialCreationOptionsJSON`, or a `PublicKeyCredentialRequestOptionsJSON`.
    pub options: String,
    /// In the format of the protocol's adapter.
    pub state: String,
}

/// The passkey protocol (WebAuthn). Every answer must come from one of our pages, and the device must have verified its
/// user. An answer is the `toJSON()` of the browser's credential; `None` for an invalid one.
pub trait PasskeyProtocol: Send + Sync {
    /// Asks for a new passkey for an account that already has those in `present`.
    fn ask_new(&self, account_id: &str, name: &str, present: &[Passkey]) -> Option<Ceremony>;
    /// Verifies a new passkey.
    fn made(&self, state: &str, answer: &str) -> Option<Credential>;
    /// Asks for one of these passkeys, or, if empty, for any that was made here.
    fn ask(&self, of: &[Passkey]) -> Option<Ceremony>;
    /// The credential id that an answer claims.
    fn credential_id(&self, answer: &str) -> Option<String>;
    /// Verifies an answer, and returns the key to store from now on.
    fn verified(&self, state: &str, answer: &str, key: &str) -> Option<String>;
}
