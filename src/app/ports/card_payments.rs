//! What is kept of payments by card: whom the provider knows, how far each instalment is, refunds, and what it told.

use async_trait::async_trait;

use super::{AuditEntry, Millis, NewMail, RequestEnd, Stored, Task};
use domain::card_charge::ChargeState;
use domain::ledger::Line;

/// Whom the provider knows for an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentCard {
    /// The provider's id.
    pub customer: String,
    /// The card that later payments are charged to, by the provider's id.
    pub method: Option<String>,
    /// Its brand and last four digits.
    pub label: String,
}

/// How far an instalment is that is paid by card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardCharge {
    pub application_id: String,
    pub line: Line,
    pub cents: i64,
    pub state: ChargeState,
    /// Counts up from 1, when what was asked for before can no longer be paid.
    pub round: i64,
    pub saves_card: bool,
    pub checkout_id: Option<String>,
    pub checkout_url: Option<String>,
    pub intent_id: Option<String>,
    /// Times that the saved card was refused.
    pub failures: i64,
    /// What the provider said of the last refusal.
    pub failure: Option<String>,
    pub first_failed_at: Option<Millis>,
    pub next_at: Option<Millis>,
    pub changed_at: Millis,
    /// Counts up with every change; 0 before it is kept.
    pub revision: i64,
}

impl CardCharge {
    /// Names what the provider is asked for: the same as long as it can be paid, whoever asks and how often.
    pub fn key(&self) -> String {
        format!("{}:{}:{}", self.application_id, self.line, self.round)
    }
}

/// What goes with a change of a charge, in its transaction.
#[derive(Debug, Clone, Default)]
pub struct ChargeFollows {
    pub audit: Option<AuditEntry>,
    pub mails: Vec<NewMail>,
    pub task: Option<Task>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardRefundState {
    /// The provider is being asked.
    Asked,
    /// It stands in the ledger.
    Done,
    Refused,
}

/// A refund of a payment by card.
#[derive(Debug, Clone)]
pub struct CardRefund {
    pub application_id: String,
    /// Of the form that asked for it.
    pub key: String,
    /// The payment in the ledger, and as the provider knows it.
    pub payment_id: String,
    pub intent_id: String,
    pub cents: i64,
    pub reason: String,
    pub state: CardRefundState,
    /// What the provider said of it.
    pub failure: Option<String>,
    pub asked_at: Millis,
    pub asked_by: String,
}

/// How much there was when a refund was decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundsSeen {
    /// Transactions of the ledger.
    pub position: i64,
    /// Refunds by card.
    pub refunds: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventState {
    Applied,
    /// Nothing follows from it.
    Ignored,
    /// Money that nobody here can place.
    Unmatched,
}

/// What is kept of something that the provider told.
#[derive(Debug, Clone)]
pub struct KeptEvent {
    pub id: String,
    pub kind: String,
    pub object_id: String,
    pub cents: Option<i64>,
    pub application_id: Option<String>,
    pub state: EventState,
    pub told_at: Millis,
    pub received_at: Millis,
}

#[async_trait]
pub trait CardPayments: Send + Sync {
    async fn payment_card(&self, application_id: &str) -> Stored<Option<PaymentCard>>;
    /// Whom the provider knows for any application of the applicant.
    async fn customers_of(&self, applicant_id: &str) -> Stored<Vec<String>>;
    /// Keeps whom the provider knows, unless somebody is kept. Whoever is kept then.
    async fn keep_customer(&self, application_id: &str, customer: &str, at: Millis) -> Stored<PaymentCard>;
    /// Keeps another card, or none.
    async fn keep_card(&self, application_id: &str, card: &PaymentCard, at: Millis, audit: &AuditEntry) -> Stored<()>;
    async fn card_charge(&self, application_id: &str, line: Line) -> Stored<Option<CardCharge>>;
    async fn card_charges(&self, application_id: &str) -> Stored<Vec<CardCharge>>;
    /// Writes it at the next revision, if nobody has changed it since. If not: false.
    async fn write_charge(&self, charge: &CardCharge, follows: &ChargeFollows) -> Stored<bool>;
    /// Charges that are under way and were not changed since `before`.
    async fn charges_under_way(&self, before: Millis) -> Stored<Vec<CardCharge>>;
    /// Enrolled applications with a saved card, in the order of their ids.
    async fn applications_with_card(&self, after: &str, limit: i64) -> Stored<Vec<String>>;
    /// Applications that are over and have a saved card.
    async fn cards_left_over(&self, limit: i64) -> Stored<Vec<String>>;
    /// The application that a payment of the provider was noted for, and the transaction.
    async fn payment_by_cause(&self, cause: &str) -> Stored<Option<(String, String)>>;
    /// Keeps a refund that is about to be asked for, unless one of the key is kept; whichever is kept then. What was approved
    /// ends its request with it. None when somebody has written into the ledger, asked for a refund or ended the request since.
    async fn ask_refund(
        &self,
        refund: &CardRefund,
        seen: RefundsSeen,
        approval: Option<&RequestEnd>,
    ) -> Stored<Option<CardRefund>>;
    async fn end_refund(&self, refund: &CardRefund, state: CardRefundState, failure: Option<&str>) -> Stored<()>;
    /// Refunds of an application by card.
    async fn card_refunds(&self, application_id: &str) -> Stored<Vec<CardRefund>>;
    /// Refunds that were asked for before then, and are not ended.
    async fn refunds_under_way(&self, before: Millis) -> Stored<Vec<CardRefund>>;
    async fn is_event_kept(&self, id: &str) -> Stored<bool>;
    /// Keeps it, unless it is kept.
    async fn keep_event(&self, event: &KeptEvent, task: Option<&Task>) -> Stored<()>;
    /// When the newest event was told that is kept.
    async fn newest_event(&self) -> Stored<Option<Millis>>;
}
