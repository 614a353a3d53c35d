//! The card payment provider. Card numbers never reach us: people type them on the provider's own page.
//!
//! A request under a key is carried out once, however often it is repeated, while the provider remembers the key, which
//! is at least a day. Nothing here relies on more than that.

use async_trait::async_trait;

use super::Millis;

/// What a payment is for, as stored with the provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Purpose {
    pub application_id: String,
    /// The line of the plan: `instalment-3`; empty if a card is only saved.
    pub line: String,
}

/// A request for a page of the provider.
#[derive(Debug, Clone)]
pub struct CheckoutRequest {
    pub key: String,
    /// The provider's id of the payer.
    pub customer: String,
    pub purpose: Purpose,
    pub what: CheckoutFor,
    /// The page that the browser returns to; `{checkout}` in it is replaced by the id of the provider's page.
    pub success_url: String,
    pub cancel_url: String,
}

/// What the page is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckoutFor {
    Payment {
        cents: i64,
        /// The title shown there.
        title: String,
        /// Whether the card is kept for later payments.
        saves_card: bool,
    },
    /// Nothing is paid, but a card is saved for later payments.
    Card,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckoutState {
    Open,
    Complete,
    /// It can no longer be paid.
    Expired,
}

/// A page of the provider, and its result.
#[derive(Debug, Clone)]
pub struct Checkout {
    pub id: String,
    pub state: CheckoutState,
    /// Set while it is open.
    pub url: Option<String>,
    pub purpose: Purpose,
    /// The payment made there.
    pub intent: Option<Intent>,
    /// A card saved without a payment.
    pub card: Option<SavedCard>,
}

/// A card saved with the provider.
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
    /// Not paid yet, but still payable.
    Open,
    /// The outcome is pending.
    Processing,
    Succeeded,
    /// It can never be paid.
    Canceled,
}

/// A payment at the provider. It succeeds at most once.
#[derive(Debug, Clone)]
pub struct Intent {
    pub id: String,
    pub state: IntentState,
    /// In US dollars; `None` for other currencies.
    pub cents: Option<i64>,
    pub purpose: Purpose,
    /// The card saved with it.
    pub saved: Option<SavedCard>,
    /// Why the card was refused, for display.
    pub failure: Option<String>,
}

/// An off-session payment with a saved card.
#[derive(Debug, Clone)]
pub struct IntentRequest {
    pub key: String,
    pub customer: String,
    pub cents: i64,
    pub title: String,
    pub purpose: Purpose,
}

#[derive(Debug, Clone)]
pub struct RefundRequest {
    pub key: String,
    pub intent: String,
    pub cents: i64,
    pub application_id: String,
    /// The reference in our books.
    pub reference: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundState {
    /// The money is on its way back, or has arrived.
    Made,
    /// The money came back to us, or was never sent.
    Failed,
}

/// A refund at the provider.
#[derive(Debug, Clone)]
pub struct Refunded {
    pub id: String,
    pub intent: String,
    pub cents: i64,
    pub state: RefundState,
    /// Set if it was requested here.
    pub reference: Option<String>,
}

/// An event from the provider.
#[derive(Debug, Clone)]
pub struct ProviderEvent {
    pub id: String,
    /// The provider's name for it.
    pub kind: String,
    pub told_at: Millis,
    pub about: EventAbout,
}

/// The subject of an event, as of when it was sent: it may be outdated.
#[derive(Debug, Clone)]
pub enum EventAbout {
    Intent(Intent),
    Checkout {
        id: String,
        state: CheckoutState,
        purpose: Purpose,
    },
    Refund(Refunded),
    /// The payer disputes a payment at their bank, or the bank has decided: staff have to look at it.
    Dispute {
        id: String,
        intent: String,
        cents: Option<i64>,
    },
    /// Nothing that we act on; the id of the object.
    Other(String),
}

/// Why a request to the provider failed.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// It is unknown whether it was done: ask again under the same key.
    #[error("the provider of payments cannot be reached")]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It was not done, and will not be.
    #[error("the provider of payments refuses: {message} ({code})")]
    Refused { code: String, message: String },
}

/// An event that the provider did not sign, or not recently.
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
    /// The provider's name for people.
    fn name(&self) -> &'static str;
    /// The origin of its pages.
    fn checkout_origin(&self) -> &str;
    /// Checks the connection, and returns a summary for the operator.
    async fn check(&self) -> Result<String, ProviderError>;
    /// The provider's id of an application's payer.
    async fn customer(&self, key: &str, email: &str, purpose: &Purpose) -> Result<String, ProviderError>;
    async fn open_checkout(&self, asked: &CheckoutRequest) -> Result<Checkout, ProviderError>;
    async fn checkout(&self, id: &str) -> Result<Checkout, ProviderError>;
    /// Makes sure that nothing can be paid there from now on; the result shows if it already was.
    async fn expire_checkout(&self, id: &str) -> Result<Checkout, ProviderError>;
    /// Creates a payment without charging it.
    async fn create_intent(&self, asked: &IntentRequest) -> Result<Intent, ProviderError>;
    /// Charges the card, unless the payment has already succeeded. A refused card is not an error, but part of the
    /// result.
    async fn confirm_intent(&self, id: &str, method: &str) -> Result<Intent, ProviderError>;
    async fn intent(&self, id: &str) -> Result<Intent, ProviderError>;
    /// Makes sure that it never succeeds from now on; the result shows if it already has.
    async fn cancel_intent(&self, id: &str) -> Result<Intent, ProviderError>;
    /// Deletes a saved card.
    async fn forget_card(&self, method: &str) -> Result<(), ProviderError>;
    /// Deletes the payer and their cards.
    async fn forget_customer(&self, customer: &str) -> Result<(), ProviderError>;
    async fn refund(&self, asked: &RefundRequest) -> Result<Refunded, ProviderError>;
    async fn refunds_of(&self, intent: &str) -> Result<Vec<Refunded>, ProviderError>;
    /// The events since then, newest first, page by page: `after` is the last id of the previous page.
    async fn events(&self, since: Millis, after: Option<&str>) -> Result<Vec<ProviderEvent>, ProviderError>;
    /// Verifies and reads an event, byte for byte as it came with its signature.
    ///
    /// # Errors
    /// It was not sent by the provider, or signed more than five minutes ago.
    fn read_event(&self, body: &[u8], signature: &str, now: Millis) -> Result<ProviderEvent, Unsigned>;
}
