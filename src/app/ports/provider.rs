//! The provider of card payments. No number of a card ever comes to us: people type it on the provider's own page.
//!
//! What is asked for under a key is done once, however often it is asked: as long as the provider remembers the key, which is
//! a day at least. Nothing here relies on more than that.

use async_trait::async_trait;

use super::Millis;

/// What a payment is for, as the provider keeps it for us.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Purpose {
    pub application_id: String,
    /// The line of the plan: `instalment-3`; empty for a card that is only to be saved.
    pub line: String,
}

/// A page of the provider, to be opened.
#[derive(Debug, Clone)]
pub struct CheckoutAsked {
    pub key: String,
    /// The provider's id of whoever pays.
    pub customer: String,
    pub purpose: Purpose,
    pub what: CheckoutFor,
    /// Where the browser comes back to; `{checkout}` in it becomes the id of the page.
    pub success_url: String,
    pub cancel_url: String,
}

/// What somebody does on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckoutFor {
    Payment {
        cents: i64,
        /// What it is called there.
        title: String,
        /// The card is kept, for later payments.
        saves_card: bool,
    },
    /// Nothing is paid: a card is kept for later payments.
    Card,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckoutState {
    Open,
    Complete,
    /// Nothing can be paid there any more.
    Expired,
}

/// A page of the provider, and what came of it.
#[derive(Debug, Clone)]
pub struct Checkout {
    pub id: String,
    pub state: CheckoutState,
    /// While it is open.
    pub url: Option<String>,
    pub purpose: Purpose,
    /// What was paid there.
    pub intent: Option<Intent>,
    /// A card that was saved without paying.
    pub card: Option<SavedCard>,
}

/// A card that the provider keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCard {
    pub customer: String,
    /// The provider's id.
    pub method: String,
    /// Brand and last four digits.
    pub label: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntentState {
    /// Not paid; it can be.
    Open,
    /// It is decided later.
    Processing,
    Succeeded,
    /// It can never be paid.
    Canceled,
}

/// A payment as the provider knows it. It succeeds at most once.
#[derive(Debug, Clone)]
pub struct Intent {
    pub id: String,
    pub state: IntentState,
    /// Of US dollars; none of another currency.
    pub cents: Option<i64>,
    pub purpose: Purpose,
    /// The card that was kept with it.
    pub saved: Option<SavedCard>,
    /// Why the card was refused, for people.
    pub failure: Option<String>,
}

/// A payment with a saved card, to be made without its owner.
#[derive(Debug, Clone)]
pub struct IntentAsked {
    pub key: String,
    pub customer: String,
    pub cents: i64,
    pub title: String,
    pub purpose: Purpose,
}

#[derive(Debug, Clone)]
pub struct RefundAsked {
    pub key: String,
    pub intent: String,
    pub cents: i64,
    pub application_id: String,
    /// What names it in our books.
    pub reference: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundState {
    /// The money goes back, or has gone.
    Made,
    /// It came back to us, or never went.
    Failed,
}

/// A refund as the provider knows it.
#[derive(Debug, Clone)]
pub struct Refunded {
    pub id: String,
    pub intent: String,
    pub cents: i64,
    pub state: RefundState,
    /// Of one that was asked for here.
    pub reference: Option<String>,
}

/// Something that the provider tells.
#[derive(Debug, Clone)]
pub struct ProviderEvent {
    pub id: String,
    /// In the provider's words.
    pub kind: String,
    pub told_at: Millis,
    pub about: EventAbout,
}

/// What an event is about, as it was when it was told: it may be old news by now.
#[derive(Debug, Clone)]
pub enum EventAbout {
    Intent(Intent),
    Checkout {
        id: String,
        state: CheckoutState,
        purpose: Purpose,
    },
    Refund(Refunded),
    /// A payer went to their bank, or the bank has decided: people have to look.
    Dispute {
        id: String,
        intent: String,
        cents: Option<i64>,
    },
    /// Nothing that we act on; the id of what it is.
    Other(String),
}

/// Why the provider did not do it.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// Nobody knows whether it was done: ask again under the same key.
    #[error("the provider of payments cannot be reached")]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It was not done, and will not be.
    #[error("the provider of payments refuses: {message} ({code})")]
    Refused { code: String, message: String },
}

/// A message that the provider did not sign, or not lately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsigned {
    #[error("the signature is missing or wrong")]
    Wrong,
    #[error("the signature is too old")]
    Old,
    #[error("the message cannot be read")]
    Unreadable,
}

#[async_trait]
pub trait PaymentProvider: Send + Sync {
    /// What people call it.
    fn name(&self) -> &'static str;
    /// Where its pages are, as an origin.
    fn checkout_origin(&self) -> &str;
    /// What is found, for the operator.
    async fn check(&self) -> Result<String, ProviderError>;
    /// The provider's id of whoever pays for an application.
    async fn customer(&self, key: &str, email: &str, purpose: &Purpose) -> Result<String, ProviderError>;
    async fn open_checkout(&self, asked: &CheckoutAsked) -> Result<Checkout, ProviderError>;
    async fn checkout(&self, id: &str) -> Result<Checkout, ProviderError>;
    /// Nothing can be paid there from now on, unless it was by then, which the answer tells.
    async fn expire_checkout(&self, id: &str) -> Result<Checkout, ProviderError>;
    /// A payment that is not made yet.
    async fn create_intent(&self, asked: &IntentAsked) -> Result<Intent, ProviderError>;
    /// Charges the card, unless it has succeeded before. A refused card is no error: the answer tells.
    async fn confirm_intent(&self, id: &str, method: &str) -> Result<Intent, ProviderError>;
    async fn intent(&self, id: &str) -> Result<Intent, ProviderError>;
    /// It never succeeds from now on, unless it had by then, which the answer tells.
    async fn cancel_intent(&self, id: &str) -> Result<Intent, ProviderError>;
    /// The card is not kept any more.
    async fn forget_card(&self, method: &str) -> Result<(), ProviderError>;
    /// Nothing is kept of who pays, and no card of theirs.
    async fn forget_customer(&self, customer: &str) -> Result<(), ProviderError>;
    async fn refund(&self, asked: &RefundAsked) -> Result<Refunded, ProviderError>;
    async fn refunds_of(&self, intent: &str) -> Result<Vec<Refunded>, ProviderError>;
    /// What was told since then, newest first, a page at a time: `after` is the last id of the page before.
    async fn events(&self, since: Millis, after: Option<&str>) -> Result<Vec<ProviderEvent>, ProviderError>;
    /// Reads a message, byte for byte as it came with its signature.
    ///
    /// # Errors
    /// Somebody else sent it, or it was signed more than five minutes ago.
    fn read_event(&self, body: &[u8], signature: &str, now: Millis) -> Result<ProviderEvent, Unsigned>;
}
