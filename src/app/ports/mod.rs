//! What the use cases need from outside, besides the store: traits implemented by adapters.

mod documents;
mod passkeys;
mod provider;
mod sign_on;
mod tables;

use async_trait::async_trait;
pub use documents::{DocumentStorage, Inspect, InspectError, Inspected, ObjectInfo, StorageError, StoredBytes};
use domain::account::AccountKey;
use domain::moments::Millis;
use domain::paper::Paper;
use domain::session::Audience;
pub use passkeys::{Ceremony, PasskeyProtocol};
pub use provider::{
    Checkout, CheckoutFor, CheckoutRequest, CheckoutState, EventAbout, Intent, IntentRequest, IntentState,
    PaymentProvider, ProviderError, ProviderEvent, Purpose, RefundRequest, RefundState, Refunded, SavedCard, Unsigned,
};
pub use sign_on::{AuthorizationRequest, EndedSession, ProviderClient, SignOn, SignOnError};
pub use tables::{ReadTable, TableError};

pub trait Clock: Send + Sync {
    fn now(&self) -> Millis;
}

/// Generates unguessable values.
pub trait Random: Send + Sync {
    /// A new identifier, ordered by time (UUID version 7).
    fn id(&self) -> String;
    /// 256 random bits as 43 characters of URL-safe base64.
    fn secret(&self) -> String;
    /// 64 random bits.
    fn number(&self) -> u64;
}

/// Hashes passwords, slowly and off the threads that serve requests.
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// A PHC string. `password` is normalised.
    async fn hash(&self, password: String) -> Result<String, Overloaded>;
    /// Verifies `password` against `hash`. Without a hash it does the same work and answers no, so that timing does not
    /// reveal whether an account exists.
    async fn verify(&self, password: String, hash: Option<String>) -> Result<PasswordCheck, Overloaded>;
}

/// The result of a password check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordCheck {
    pub matches: bool,
    /// The hash was made with older parameters: hash again.
    pub outdated: bool,
}

/// Too many passwords are waiting to be hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overloaded;

/// Why a bearer token is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenError {
    Invalid,
    /// Expired, or not valid yet.
    Expired,
    /// Meant for the other kind of account.
    Audience,
}

/// Signs and verifies the short-lived bearer tokens of the API, and hashes secrets for storage.
pub trait Tokens: Send + Sync {
    /// A token for the session `sid`, valid for some minutes from `now`.
    fn issue(&self, sid: &str, audience: Audience, now: Millis) -> String;
    /// The session id of a valid token.
    fn read(&self, token: &str, audience: Audience, now: Millis) -> Result<String, TokenError>;
    /// The form in which a cookie or mailed secret is stored: hexadecimal SHA-256. The secrets are long and random, so
    /// a slow hash would not add any protection.
    fn digest(&self, secret: &str) -> String;
    /// A device cookie for a browser that has logged in to the account. `nonce` is secret and new.
    fn device(&self, audience: Audience, account_id: &str, nonce: &str) -> String;
    /// The nonce of a device cookie, if it belongs to this account.
    fn known_device<'a>(&self, audience: Audience, account_id: &str, kept: &'a str) -> Option<&'a str>;
}

/// Codes of authenticator apps (TOTP, RFC 6238): six digits, new every half minute.
///
/// The secret shared between app and product is derived from a seed, stored with the account, and the program's own
/// secret, which is not: the database alone does not yield any codes.
pub trait OneTimeCodes: Send + Sync {
    /// The secret for typing into an app that cannot scan the QR code: base32.
    fn secret(&self, account: AccountKey<'_>, seed: &str) -> String;
    /// The content of the QR code: `otpauth://totp/…`.
    fn uri(&self, account: AccountKey<'_>, seed: &str, name: &str, issuer: &str) -> String;
    /// The half minute that the code belongs to: the current, previous or next one.
    fn step(&self, account: AccountKey<'_>, seed: &str, code: &str, now: Millis) -> Option<i64>;
}

/// Encrypts data that must not be readable where it is stored, with the program's secret.
pub trait Sealing: Send + Sync {
    /// `place` is where the text is kept, such as a row's id: it cannot be opened anywhere else.
    fn seal(&self, place: &str, text: &str) -> String;
    /// `None` if it was sealed with another secret or for another place, or is damaged.
    fn open(&self, place: &str, sealed: &str) -> Option<String>;
}

/// Typesets papers as PDF.
pub trait PdfWriter: Send + Sync {
    /// The same paper gives the same bytes. Slow: some milliseconds per page.
    ///
    /// # Errors
    /// A bug on our side.
    fn pdf(&self, paper: &Paper) -> Result<Vec<u8>, PdfError>;
}

/// Why a paper could not be typeset.
#[derive(Debug, thiserror::Error)]
#[error("no PDF could be made: {0}")]
pub struct PdfError(pub String);
