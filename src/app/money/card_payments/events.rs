//! The provider's events: received by webhook as they happen, and fetched every night in case some never arrived.
//!
//! An event may arrive twice, late, out of order, or never. So each is only a hint that something may have happened:
//! what follows from it is done once, whichever source reports it, and the event is stored afterwards.

use super::{App, CardOutcome, cause_of};
use crate::error::{Error, Refusal};
use crate::ports::{CheckoutState, EventAbout, IntentState, ProviderEvent, Unsigned};
use domain::moments::{DAY, Millis};
use store::{EventState, KeptEvent};

/// How far the nightly job looks back, and how far at most: the provider keeps its events for 30 days.
const LOOK_BACK: Millis = 7 * DAY;
const MAX_DELAY: Millis = 29 * DAY;
/// Maximum number of pages of events read in one night.
const MAX_PAGES: usize = 1_000;

/// The result of receiving an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivered {
    /// It is stored, and everything that follows from it is done.
    Kept,
    /// It was already stored.
    Known,
}

impl App {
    /// Receives an event from the provider, byte for byte as sent.
    ///
    /// # Errors
    /// [`Refusal::NoCardPayments`], [`Refusal::Unsigned`], [`Refusal::SignedTooLongAgo`]; any error while handling it,
    /// after which the provider sends it again.
    pub async fn take_provider_message(&self, body: &[u8], signature: &str) -> Result<Delivered, Error> {
        let event = self.provider()?.read_event(body, signature, self.clock.now()).map_err(|error| match error {
            Unsigned::Old => Refusal::SignedTooLongAgo,
            Unsigned::Wrong | Unsigned::Unreadable => Refusal::Unsigned,
        })?;
        self.take_event(&event).await
    }

    async fn take_event(&self, event: &ProviderEvent) -> Result<Delivered, Error> {
        if self.store.is_event_kept(&event.id).await? {
            return Ok(Delivered::Known);
        }
        let mut kept = KeptEvent {
            id: event.id.clone(),
            kind: event.kind.clone(),
            object_id: String::new(),
            cents: None,
            application_id: None,
            state: EventState::Ignored,
            told_at: event.told_at,
            received_at: self.clock.now(),
        };
        match &event.about {
            EventAbout::Intent(intent) => {
                kept.object_id.clone_from(&intent.id);
                kept.cents = intent.cents;
                kept.state = match self.settle_intent(intent).await? {
                    CardOutcome::Paid | CardOutcome::CardKept => EventState::Applied,
                    CardOutcome::Unmatched => EventState::Unmatched,
                    CardOutcome::Nothing => EventState::Ignored,
                };
                let is_known = kept.state == EventState::Applied || intent.state != IntentState::Succeeded;
                kept.application_id = Some(intent.purpose.application_id.clone()).filter(|_| is_known);
            }
            EventAbout::Checkout { id, state, purpose } => {
                kept.object_id.clone_from(id);
                kept.application_id = Some(purpose.application_id.clone());
                match state {
                    CheckoutState::Complete if !purpose.application_id.is_empty() => {
                        // Only the page itself has the full details of the payment or card.
                        let page = self.provider()?.checkout(id).await?;
                        self.settle_checkout(&page).await?;
                        kept.state = EventState::Applied;
                    }
                    CheckoutState::Expired => {
                        self.close_checkout(&purpose.application_id, id, &purpose.line).await?;
                        kept.state = EventState::Applied;
                    }
                    CheckoutState::Complete | CheckoutState::Open => {}
                }
            }
            EventAbout::Refund(refund) => {
                kept.object_id.clone_from(&refund.id);
                kept.cents = Some(refund.cents);
                kept.application_id = self.settle_card_refund(refund).await?;
                if kept.application_id.is_some() {
                    kept.state = EventState::Applied;
                }
            }
            EventAbout::Dispute { id, intent, cents } => {
                kept.object_id.clone_from(id);
                kept.cents = *cents;
                let payment = self.store.payment_by_cause(&cause_of(intent)).await?;
                kept.application_id = payment.map(|(application_id, _)| application_id);
                // Listed as unmatched until staff say what was done about it.
                kept.state = EventState::Unmatched;
            }
            EventAbout::Other(id) => kept.object_id.clone_from(id),
        }
        kept.application_id = match kept.application_id.filter(|id| !id.is_empty()) {
            Some(id) if self.is_application(&id).await? => Some(id),
            _ => None,
        };
        let task = (kept.state == EventState::Unmatched).then(|| {
            let mut task = self.card_task("", serde_json::json!({ "payment": kept.object_id, "cents": kept.cents }));
            task.subject = format!("payment:{}", kept.object_id);
            task
        });
        self.store.keep_event(&kept, task.as_ref()).await?;
        Ok(Delivered::Kept)
    }

    async fn is_application(&self, id: &str) -> Result<bool, Error> {
        Ok(self.store.application(super::ApplicationKey::Id(id)).await?.is_some())
    }

    /// [`RECONCILE_PAYMENTS`](crate::jobs::RECONCILE_PAYMENTS): processes every event of the last days that was missed.
    /// Returns how many there were.
    ///
    /// # Errors
    /// The provider does not answer; store errors.
    pub async fn reconcile_payments(&self) -> Result<usize, Error> {
        let Some(provider) = self.cards.clone() else { return Ok(0) };
        let now = self.clock.now();
        let newest = self.store.newest_event().await?.unwrap_or(now);
        let since = (now - LOOK_BACK).min(newest - DAY).max(now - MAX_DELAY);
        let (mut found, mut after) = (0, None::<String>);
        for _ in 0..MAX_PAGES {
            let page = provider.events(since, after.as_deref()).await?;
            for event in &page {
                match self.take_event(event).await {
                    Ok(Delivered::Kept) => found += 1,
                    Ok(Delivered::Known) => {}
                    Err(error) => {
                        let error = &error as &dyn std::error::Error;
                        tracing::warn!(event = event.id, error, "a message of the provider could not be taken");
                    }
                }
            }
            match page.into_iter().last() {
                Some(last) => after = Some(last.id),
                None => break,
            }
        }
        if found > 0 {
            tracing::info!(found, "messages of the provider had not come by themselves");
        }
        Ok(found)
    }
}
