//! How browsers are asked for passkeys.

use domain::passkey::{Credential, Passkey};

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
