//! Card payments, through the provider of the `payments` module: the hosted page, saved cards, monthly charges,
//! refunds, and the provider's events.
//!
//! One rule prevents paying twice: at any time, each instalment, and the application fee, has at most one way to be
//! paid by card, which is stored in `card_charges`. Before another is opened, the provider has confirmed that the
//! previous one can no longer be paid. The result is written to the ledger once, under the provider's id of the
//! payment, whichever source reports it first: the returning browser, the webhook, the response to a charge, or the
//! nightly fetch of events.

mod checkout;
mod collecting;
mod events;
mod refunds;

use serde_json::json;

use crate::error::{Error, Refusal};
use crate::money::fees::goes_on;
use crate::money::funding::{FundingView, has_place};
use crate::money::ledger::Writing;
use crate::ports::{Intent, IntentState, PaymentProvider, ProviderError, Purpose, SavedCard};
use crate::{App, mails};
use domain::account::Applicant;
use domain::application::{Application, ApplicationKey};
use domain::card_charge::{CardCharge, ChargeState};
use domain::ledger::{Line, Method, Payment};
use domain::task::{Task, TaskKind};
use store::{AuditEntry, ChargeEffects, PaymentCard, StoreError};

pub use checkout::CardCheckout;
pub use events::Delivered;
pub(crate) use refunds::RefundWish;

impl From<ProviderError> for Error {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Unreachable(_) => Error::Refused(Refusal::ProviderUnreachable),
            // We sent an invalid request: a bug, or a mistake in the setup.
            ProviderError::Refused { .. } => Error::Internal(StoreError::Broken(Box::new(error))),
        }
    }
}

/// The outcome of a payment or page at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardOutcome {
    /// It is in the ledger.
    Paid,
    /// Money was received, but cannot be matched to an application.
    Unmatched,
    /// A card was saved for later payments.
    CardKept,
    /// Not paid, or not yet.
    Nothing,
}

impl App {
    /// The card payment provider, if set up.
    ///
    /// # Errors
    /// [`Refusal::NoCardPayments`]
    pub(crate) fn provider(&self) -> Result<&dyn PaymentProvider, Error> {
        Ok(self.cards.as_deref().ok_or(Refusal::NoCardPayments)?)
    }

    /// The card that later payments of an application are charged to, and the state of each instalment's charge.
    pub async fn card_and_charges(
        &self,
        application_id: &str,
    ) -> Result<(Option<PaymentCard>, Vec<CardCharge>), Error> {
        let card = self.store.payment_card(application_id).await?.filter(|card| card.method.is_some());
        Ok((card, self.store.card_charges(application_id).await?))
    }

    /// Cents of an instalment still to be paid; `None` if it is paid, or not in the plan.
    fn still_owed(view: &FundingView, line: Line) -> Option<i64> {
        let planned = line.cents(&view.funding).filter(|_| view.is_planned() && matches!(line, Line::Instalment(_)))?;
        let book = view.ledger.book();
        let owed = if book.is_charged(line) { book.owed(line) } else { planned };
        (owed > 0).then_some(owed)
    }

    /// The stored charge, or a new one.
    async fn charge_of(&self, application_id: &str, line: Line, cents: i64) -> Result<CardCharge, Error> {
        let kept = self.store.card_charge(application_id, line).await?;
        Ok(kept.unwrap_or_else(|| CardCharge {
            application_id: application_id.to_owned(),
            line,
            cents,
            state: ChargeState::Closed,
            round: 0,
            saves_card: false,
            checkout_id: None,
            checkout_url: None,
            intent_id: None,
            failures: 0,
            failure: None,
            first_failed_at: None,
            next_at: None,
            changed_at: self.clock.now(),
            revision: 0,
        }))
    }

    /// Stores a charge. Returns `None` if somebody else has changed it in the meantime.
    async fn change_charge(&self, charge: CardCharge, follows: ChargeEffects) -> Result<Option<CardCharge>, Error> {
        let charge = CardCharge { changed_at: self.clock.now(), ..charge };
        if !self.store.write_charge(&charge, &follows).await? {
            return Ok(None);
        }
        Ok(Some(CardCharge { revision: charge.revision + 1, ..charge }))
    }

    /// The provider's customer for this application.
    async fn customer(&self, applicant: &Applicant, application_id: &str) -> Result<PaymentCard, Error> {
        if let Some(card) = self.store.payment_card(application_id).await? {
            return Ok(card);
        }
        let purpose = Purpose { application_id: application_id.to_owned(), line: String::new() };
        let key = format!("{application_id}:customer");
        let customer = self.provider()?.customer(&key, &applicant.email, &purpose).await?;
        Ok(self.store.keep_customer(application_id, &customer, self.clock.now()).await?)
    }

    /// Saves a card for later payments.
    async fn keep_card(&self, application_id: &str, saved: &SavedCard, by: String) -> Result<(), Error> {
        let known = self.store.payment_card(application_id).await?;
        let card = PaymentCard {
            customer: saved.customer.clone(),
            method: Some(saved.method.clone()),
            label: saved.label.clone(),
        };
        if known.as_ref() == Some(&card) {
            return Ok(());
        }
        let audit = self.about_card(by, application_id, "card.saved", json!({ "card": card.label }));
        self.store.keep_card(application_id, &card, audit.at, &audit).await?;
        // The replaced card is forgotten.
        let replaced = known.and_then(|known| known.method).filter(|method| *method != saved.method);
        if let Some(method) = replaced
            && let Err(error) = self.provider()?.forget_card(&method).await
        {
            tracing::warn!(error = &error as &dyn std::error::Error, "a card that was replaced is still kept");
        }
        Ok(())
    }

    fn about_card(
        &self,
        by: String,
        application_id: &str,
        action: &'static str,
        detail: serde_json::Value,
    ) -> AuditEntry {
        self.audit_entry(by, format!("application:{application_id}"), action, detail)
    }

    /// A task for Finance to look at it.
    fn card_task(&self, application_id: &str, detail: serde_json::Value) -> Task {
        Task {
            id: self.random.id(),
            kind: TaskKind::CardPayment,
            subject: format!("application:{application_id}"),
            detail,
            created_at: self.clock.now(),
            due_at: None,
        }
    }

    /// Writes a payment reported by the provider to the ledger, once, and does what follows from it.
    async fn settle_intent(&self, intent: &Intent) -> Result<CardOutcome, Error> {
        if intent.state != IntentState::Succeeded {
            return Ok(CardOutcome::Nothing);
        }
        let id = &intent.purpose.application_id;
        let found = if id.is_empty() { None } else { self.store.application(ApplicationKey::Id(id)).await? };
        let (Some((applicant, application)), Some(cents)) = (found, intent.cents) else {
            return Ok(CardOutcome::Unmatched);
        };
        self.note_payment(&applicant, &application, intent, cents).await?;
        if let Some(line) = Line::parse(&intent.purpose.line) {
            self.close_charge(id, line, intent, cents).await?;
        }
        if let Some(saved) = &intent.saved {
            self.keep_card(id, &self.labelled(saved, &intent.id).await, "provider".into()).await?;
        }
        self.enrol_when_complete(id).await;
        Ok(CardOutcome::Paid)
    }

    async fn note_payment(
        &self,
        applicant: &Applicant,
        application: &Application,
        intent: &Intent,
        cents: i64,
    ) -> Result<(), Error> {
        let wording = self.wording().await;
        let mail = match Line::parse(&intent.purpose.line) {
            Some(Line::ApplicationFee) => mails::fee_payment_received(&wording, applicant, application.program, cents),
            _ => mails::payment_received(&wording, applicant, application.program, cents),
        };
        self.write_ledger(&application.id, "provider", |book, plan| {
            // Money for a line that is no longer in the plan, for a place that is gone, or for the fee of an
            // application that is over, is kept separate until it is returned.
            let is_taken = |line: &Line| *line != Line::ApplicationFee || goes_on(application.stage);
            let line = Line::parse(&intent.purpose.line).filter(is_taken).and_then(|line| {
                let charged = book.charges().find(|(charged, _)| *charged == line).map(|(_, cents)| cents);
                let planned = plan.filter(|plan| plan.funding.adds_up() && has_place(application.stage));
                charged.or_else(|| line.cents(&planned?.funding)).map(|whole| (line, whole))
            });
            let reference = reference_of(&intent.id);
            let drafts = book.pay(&Payment {
                reference,
                line,
                cents,
                method: Method::Card,
                received_on: None,
                note: String::new(),
            })?;
            Ok(Writing { drafts, mail: Some(mail.clone()), ..Writing::default() })
        })
        .await?;
        Ok(())
    }

    /// Records that the instalment is paid, and that no other attempt is open.
    async fn close_charge(&self, application_id: &str, line: Line, intent: &Intent, cents: i64) -> Result<(), Error> {
        let charge = self.charge_of(application_id, line, cents).await?;
        if charge.state == ChargeState::Paid {
            return Ok(());
        }
        let paid = CardCharge {
            state: ChargeState::Paid,
            round: charge.round.max(1),
            intent_id: Some(intent.id.clone()),
            checkout_url: None,
            next_at: None,
            failure: None,
            ..charge
        };
        // If somebody else has just changed it, they check the ledger first.
        self.change_charge(paid, ChargeEffects::default()).await?;
        Ok(())
    }

    /// A card with its brand and last digits, which events lack.
    async fn labelled(&self, saved: &SavedCard, intent_id: &str) -> SavedCard {
        if !saved.label.is_empty() {
            return saved.clone();
        }
        let looked_up = match self.provider() {
            Ok(provider) => provider.intent(intent_id).await.ok().and_then(|intent| intent.saved),
            Err(_) => None,
        };
        looked_up.unwrap_or_else(|| saved.clone())
    }
}

/// The reference of a provider's payment in the ledger.
fn reference_of(intent_id: &str) -> String {
    format!("card:{intent_id}")
}

/// The cause of a card payment's transaction, as `Book::pay` makes it.
fn cause_of(intent_id: &str) -> String {
    format!("payment:{}", reference_of(intent_id))
}

/// The title of a line on the provider's page and on statements.
fn title(institute: &str, line: Line) -> String {
    match line {
        Line::Instalment(number) => format!("{institute}: tuition, payment {number}"),
        Line::ApplicationFee => format!("{institute}: application fee"),
        Line::Source(_) => institute.to_owned(),
    }
}
