//! Refunding card payments. The request is stored before the provider is asked, and written to the ledger once the
//! provider has done it.

use super::{App, cause_of};
use crate::error::{Error, Refusal};
use crate::money::ledger::{ATTEMPTS, Unbooked, Writing};
use crate::office::dossiers::Clearance;
use crate::ports::{ProviderError, RefundRequest, RefundState, Refunded};
use domain::ledger::{LedgerError, Method};
use store::{CardRefund, CardRefundState, RefundsSeen};

/// A refund requested by Finance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RefundWish<'a> {
    pub key: &'a str,
    pub payment_id: &'a str,
    pub cents: i64,
    pub reason: &'a str,
    pub by: &'a str,
}

impl App {
    /// Whether a payment in the ledger was made by card and the provider can refund it. Without a provider, Finance
    /// records refunds made in other ways.
    pub(crate) async fn is_card_payment(&self, application_id: &str, payment_id: &str) -> Result<bool, Error> {
        let book = self.store.ledger(application_id).await?.book();
        let is_card = book.find(payment_id).is_some_and(|payment| payment.draft.method == Some(Method::Card));
        Ok(is_card && self.cards.is_some())
    }

    /// Refunds a card payment at the provider, once for each key.
    ///
    /// # Errors
    /// [`LedgerError`]s, [`Refusal::NoCardPayments`], [`Refusal::RefundRefused`]; [`Refusal::RefundUnderWay`] when the
    /// provider cannot be reached: it is asked again until it answers. [`Unbooked::Waits`] if a second person has to
    /// approve it.
    pub(crate) async fn refund_card(
        &self,
        application_id: &str,
        wish: RefundWish<'_>,
        clearance: &Clearance,
    ) -> Result<usize, Unbooked> {
        self.provider()?;
        let RefundWish { key, payment_id, cents, reason, by } = wish;
        for _ in 0..ATTEMPTS {
            if let Some(approval) = clearance.approval() {
                self.assert_waits(approval).await?;
            }
            let ledger = self.store.ledger(application_id).await?;
            let book = ledger.book();
            if book.refund(payment_id, cents, key, reason)?.is_none() {
                return clearance.approval().map_or(Ok(0), |_| Err(Refusal::RequestSettled.into()));
            }
            let payment = book.find(payment_id).filter(|payment| payment.draft.method == Some(Method::Card));
            let payment = payment.ok_or(LedgerError::NotFound)?;
            let intent_id = payment.draft.cause.strip_prefix(&cause_of("")).ok_or(LedgerError::NotFound)?.to_owned();
            // Pending refunds count as already refunded.
            let refunds = self.store.card_refunds(application_id).await?;
            let others = refunds.iter().filter(|other| {
                other.payment_id == payment_id && other.state == CardRefundState::Asked && other.key != key
            });
            if cents + others.map(|other| other.cents).sum::<i64>() > book.refundable(payment) {
                return Err(LedgerError::TooMuch.into());
            }
            if refunds.iter().all(|refund| refund.key != key) {
                clearance.check(cents, &ledger, &refunds)?;
            }
            let refund = CardRefund {
                application_id: application_id.to_owned(),
                key: key.to_owned(),
                payment_id: payment_id.to_owned(),
                intent_id,
                cents,
                reason: reason.to_owned(),
                state: CardRefundState::Asked,
                failure: None,
                asked_at: self.clock.now(),
                asked_by: by.to_owned(),
            };
            let seen =
                RefundsSeen { position: ledger.position(), refunds: i64::try_from(refunds.len()).unwrap_or(i64::MAX) };
            let Some(kept) = self.store.ask_refund(&refund, seen, clearance.approval()).await? else { continue };
            return Ok(match kept.state {
                CardRefundState::Asked => self.finish_card_refund(kept, false).await?,
                CardRefundState::Done => 0,
                CardRefundState::Refused => return Err(Refusal::RefundRefused.into()),
            });
        }
        Err(Error::Unavailable(None).into())
    }

    /// Asks the provider for a stored refund. With `again`, it may have been requested before, longer ago than the
    /// provider remembers keys.
    pub(super) async fn finish_card_refund(&self, refund: CardRefund, again: bool) -> Result<usize, Error> {
        let provider = self.provider()?;
        let reference = reference_of(&refund);
        let made = if again {
            let known = provider.refunds_of(&refund.intent_id).await?;
            known.into_iter().find(|known| known.reference.as_deref() == Some(&reference))
        } else {
            None
        };
        let answer = match made {
            Some(made) => Ok(made),
            None => {
                let asked = RefundRequest {
                    key: format!("refund:{reference}"),
                    intent: refund.intent_id.clone(),
                    cents: refund.cents,
                    application_id: refund.application_id.clone(),
                    reference,
                };
                provider.refund(&asked).await
            }
        };
        match answer {
            Ok(made) if made.state == RefundState::Made => {
                let written = self
                    .write_ledger(&refund.application_id, &refund.asked_by, |book, _| {
                        let draft = book.refund(&refund.payment_id, refund.cents, &refund.key, &refund.reason)?;
                        Ok(Writing { drafts: draft.into_iter().collect(), ..Writing::default() })
                    })
                    .await?;
                self.store.end_refund(&refund, CardRefundState::Done, None).await?;
                Ok(written)
            }
            Ok(_) => self.refuse(&refund, "The provider could not send the money back.").await,
            Err(ProviderError::Refused { message, .. }) => self.refuse(&refund, &message).await,
            Err(error @ ProviderError::Unreachable(_)) => {
                tracing::warn!(
                    key = refund.key,
                    error = &error as &dyn std::error::Error,
                    "a refund is asked for again"
                );
                Err(Refusal::RefundUnderWay.into())
            }
        }
    }

    async fn refuse(&self, refund: &CardRefund, why: &str) -> Result<usize, Error> {
        self.store.end_refund(refund, CardRefundState::Refused, Some(why)).await?;
        Err(Refusal::RefundRefused.into())
    }

    /// Records a refund reported by the provider: one requested here, or made in the provider's dashboard.
    pub(super) async fn settle_card_refund(&self, refunded: &Refunded) -> Result<Option<String>, Error> {
        let Some((application_id, payment_id)) = self.store.payment_by_cause(&cause_of(&refunded.intent)).await? else {
            return Ok(None);
        };
        let refunds = self.store.card_refunds(&application_id).await?;
        let ours = refunds.iter().find(|refund| refunded.reference.as_deref() == Some(reference_of(refund).as_str()));
        let (key, reason) = match ours {
            Some(ours) => (ours.key.clone(), ours.reason.clone()),
            None => (refunded.id.clone(), "Refunded at the provider".to_owned()),
        };
        let by = ours.map_or("provider", |ours| &ours.asked_by);
        self.write_ledger(&application_id, by, |book, _| {
            let draft = match refunded.state {
                RefundState::Made => book.refund(&payment_id, refunded.cents, &key, &reason)?,
                // The money came back: reverses the refund, if it was written.
                RefundState::Failed => match book.find_cause(&format!("refund:{key}")) {
                    Some(written) => book.reverse(&written.id.clone(), "The money did not arrive and came back")?,
                    None => None,
                },
            };
            Ok(Writing { drafts: draft.into_iter().collect(), ..Writing::default() })
        })
        .await?;
        if let Some(ours) = ours {
            let state = match refunded.state {
                RefundState::Made => CardRefundState::Done,
                RefundState::Failed => CardRefundState::Refused,
            };
            self.store.end_refund(ours, state, None).await?;
        }
        Ok(Some(application_id))
    }
}

/// The reference of our refund at the provider.
fn reference_of(refund: &CardRefund) -> String {
    format!("{}:{}", refund.application_id, refund.key)
}
