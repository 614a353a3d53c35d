//! What the use cases need from outside, beside the store: traits that adapters implement.

mod documents;
mod passkeys;
mod provider;

use async_trait::async_trait;
pub use documents::{DocumentStorage, Inspect, InspectError, Inspected, ObjectInfo, StorageError, StoredBytes};
use domain::account::AccountKey;
use domain::moments::Millis;
use domain::paper::Paper;
use domain::session::Audience;
pub use passkeys::{Ceremony, PasskeyProtocol};
pub use provider::{
    Checkout, CheckoutAsked, CheckoutFor, CheckoutState, EventAbout, Intent, IntentAsked, IntentState, PaymentProvider,
    ProviderError, ProviderEvent, Purpose, RefundAsked, RefundState, Refunded, SavedCard, Unsigned,
};

/// Tells the time.
pub trait Clock: Send + Sync {
    fn now(&self) -> Millis;
}

/// Makes what nobody can guess.
pub trait Random: Send + Sync {
    /// A new identifier, ordered by time (UUID version 7).
    fn id(&self) -> String;
    /// 256 random bits as 43 characters of URL-safe base64.
    fn secret(&self) -> String;
    /// 64 random bits.
    fn number(&self) -> u64;
}

/// Hashes passwords, slowly and away from the threads that answer requests.
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// A PHC string. `password` is normalised.
    async fn hash(&self, password: String) -> Result<String, Overloaded>;
    /// Whether `password` is the one of `hash`. Without a hash the same work is done and the answer is no, so that
    /// time does not tell whether an account exists.
    async fn verify(&self, password: String, hash: Option<String>) -> Result<Verdict, Overloaded>;
}

/// What a password check found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    pub matches: bool,
    /// The hash was made with older parameters: hash again.
    pub outdated: bool,
}

/// More passwords are waiting to be hashed than could be soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overloaded;

/// Why a bearer token is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenError {
    Invalid,
    /// Expired, or not valid yet.
    Expired,
    /// Meant for the other kind of account.
    Audience,
}

/// Signs and reads the short-lived bearer tokens of the API, and hashes secrets for storing.
pub trait Tokens: Send + Sync {
    /// A token for the session `sid`, good for some minutes from `now`.
    fn issue(&self, sid: &str, audience: Audience, now: Millis) -> String;
    /// The session id of a good token.
    fn read(&self, token: &str, audience: Audience, now: Millis) -> Result<String, TokenError>;
    /// The form in which a cookie or mailed secret is stored: SHA-256, hexadecimal. The secrets are long and random, so
    /// that a slow hash would protect nothing more.
    fn digest(&self, secret: &str) -> String;
    /// A device cookie for a browser that logged in to the account. `nonce` is secret and new.
    fn device(&self, audience: Audience, account_id: &str, nonce: &str) -> String;
    /// The nonce of a device cookie, if it was made for this account.
    fn known_device<'a>(&self, audience: Audience, account_id: &str, kept: &'a str) -> Option<&'a str>;
}

/// The codes of authenticator apps (TOTP, RFC 6238): six digits, another every half minute.
///
/// The secret that an app and the product share is derived from a seed, which is stored with the account, and the
/// program's own secret, which is not: the database alone gives no code.
pub trait OneTimeCodes: Send + Sync {
    /// What is typed into an app that cannot read the picture: base32.
    fn secret(&self, account: AccountKey<'_>, seed: &str) -> String;
    /// What the picture says: `otpauth://totp/…`.
    fn uri(&self, account: AccountKey<'_>, seed: &str, name: &str, issuer: &str) -> String;
    /// The half minute that the code belongs to: the present one, or the one before or after it.
    fn step(&self, account: AccountKey<'_>, seed: &str, code: &str, now: Millis) -> Option<i64>;
}

/// Encrypts what must not be read where it is stored, with the program's secret.
pub trait Sealing: Send + Sync {
    /// `place` is where the text is kept, such as a row's id: it opens nowhere else.
    fn seal(&self, place: &str, text: &str) -> String;
    /// `None` when it was sealed with another secret, at another place, or is damaged.
    fn open(&self, place: &str, sealed: &str) -> Option<String>;
}

/// Sets papers as PDF.
pub trait PdfWriter: Send + Sync {
    /// The same paper is the same bytes. Slow: some milliseconds for each page.
    ///
    /// # Errors
    /// A mistake of ours.
    fn pdf(&self, paper: &Paper) -> Result<Vec<u8>, PdfError>;
}

/// Why a paper could not be set.
#[derive(Debug, thiserror::Error)]
#[error("no PDF could be made: {0}")]
pub struct PdfError(pub String);
