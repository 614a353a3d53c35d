//! The provider's page: opening it, and handling the result once the browser is back.

use serde_json::json;

use super::{App, CardOutcome, title};
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::mails;
use crate::money::funding::FundingView;
use crate::ports::{Checkout, CheckoutFor, CheckoutRequest, CheckoutState, IntentState, Purpose};
use domain::account::Applicant;
use domain::application::{Application, ApplicationKey};
use domain::card_charge::{CardCharge, ChargeState, is_given_up};
use domain::ledger::Line;
use store::ChargeEffects;

/// Attempts if somebody else has just changed the charge.
const ATTEMPTS: usize = 5;
/// The page that the browser returns to, unless it was about the application fee.
const PAYMENTS: &str = "/dashboard/payments";

/// The result of asking to pay by card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardCheckout {
    /// The provider's page on which to pay.
    Page(String),
    /// Already paid.
    Paid,
}

impl App {
    /// Opens the provider's page for an instalment or the application fee, always the same one while it can be paid
    /// there. With `saves_card` the card is kept for later instalments; never with the fee.
    ///
    /// # Errors
    /// [`Refusal::NoCardPayments`], [`Refusal::NoFunding`], [`Refusal::NoFee`], [`Refusal::NothingToPay`],
    /// [`Refusal::BeingCharged`], [`Refusal::ProviderUnreachable`].
    pub async fn pay_by_card(
        &self,
        who: &SignedIn,
        application: &Application,
        line: Line,
        saves_card: bool,
    ) -> Result<CardCheckout, Error> {
        self.provider()?;
        let applicant = &who.applicant;
        let saves_card = saves_card && line != Line::ApplicationFee;
        let mut was_paid = false;
        for _ in 0..ATTEMPTS {
            let owed = match line {
                Line::ApplicationFee => self.owed_fee(application).await?,
                _ => App::still_owed(&self.payable(application).await?, line),
            };
            let Some(cents) = owed else {
                return Err(Refusal::NothingToPay.into());
            };
            let charge = self.charge_of(&application.id, line, cents).await?;
            let fits = charge.cents == cents && charge.saves_card == saves_card;
            match charge.state {
                // It may have been paid since the ledger was read. If not, the payment was reversed and is owed again.
                ChargeState::Paid if !was_paid => {
                    was_paid = true;
                    continue;
                }
                ChargeState::Charging => return Err(Refusal::BeingCharged.into()),
                ChargeState::Open if fits => match self.page_of(applicant, &charge).await? {
                    Some(done) => return Ok(done),
                    None => continue,
                },
                _ => {}
            }
            // It must no longer be possible to pay what was opened before.
            if !self.can_begin_anew(applicant, &charge).await? {
                continue;
            }
            let begun = CardCharge {
                cents,
                state: ChargeState::Open,
                round: charge.round + 1,
                saves_card,
                checkout_id: None,
                checkout_url: None,
                intent_id: None,
                ..charge
            };
            if let Some(charge) = self.change_charge(begun, ChargeEffects::default()).await?
                && let Some(done) = self.page_of(applicant, &charge).await?
            {
                return Ok(done);
            }
        }
        Err(Error::Unavailable(None))
    }

    /// The payment plan of an application that can currently be paid for.
    async fn payable(&self, application: &Application) -> Result<FundingView, Error> {
        let view = self.funding(application).await?;
        if view.can_be_paid() { Ok(view) } else { Err(Refusal::NothingToPay.into()) }
    }

    /// The page of an open charge, existing or newly opened. `None` if it can no longer be paid, which is recorded.
    async fn page_of(&self, applicant: &Applicant, charge: &CardCharge) -> Result<Option<CardCheckout>, Error> {
        let page = match &charge.checkout_id {
            Some(id) => self.provider()?.checkout(id).await?,
            None => self.open_page(applicant, charge).await?,
        };
        if let (CheckoutState::Open, Some(url)) = (page.state, &page.url) {
            return Ok(Some(CardCheckout::Page(url.clone())));
        }
        Ok((self.settle_checkout(&page).await? == CardOutcome::Paid).then_some(CardCheckout::Paid))
    }

    /// Opens the provider's page for a charge. Concurrent calls get the same page, since their key is the same.
    async fn open_page(&self, applicant: &Applicant, charge: &CardCharge) -> Result<Checkout, Error> {
        let what = CheckoutFor::Payment {
            cents: charge.cents,
            title: title(&self.settings.institute, charge.line),
            saves_card: charge.saves_card,
        };
        let asked = self.asked(applicant, &charge.application_id, charge.key(), Some(charge.line), what).await?;
        let page = self.provider()?.open_checkout(&asked).await?;
        let known = CardCharge { checkout_id: Some(page.id.clone()), checkout_url: page.url.clone(), ..charge.clone() };
        self.change_charge(known, ChargeEffects::default()).await?;
        Ok(page)
    }

    /// Makes sure that nothing of a charge can be paid any more, by asking the provider. Returns false if it was paid
    /// in the meantime, which is recorded.
    pub(super) async fn can_begin_anew(&self, applicant: &Applicant, charge: &CardCharge) -> Result<bool, Error> {
        let provider = self.provider()?;
        let page = match &charge.checkout_id {
            Some(id) => charge.checkout_url.as_ref().map(|_| id.clone()),
            // A process died while opening it: asking again with the same key returns its id.
            None if charge.state == ChargeState::Open => Some(self.open_page(applicant, charge).await?.id),
            None => None,
        };
        if let Some(id) = page {
            let page = provider.expire_checkout(&id).await?;
            if page.state != CheckoutState::Expired {
                self.settle_checkout(&page).await?;
                return Ok(false);
            }
        }
        if let Some(id) = charge.intent_id.as_ref().filter(|_| charge.state != ChargeState::Paid) {
            let intent = provider.cancel_intent(id).await?;
            if intent.state != IntentState::Canceled {
                self.settle_intent(&intent).await?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Opens the provider's page for saving a card for later payments.
    ///
    /// # Errors
    /// [`Refusal::NoCardPayments`], [`Refusal::NoFunding`], [`Refusal::ProviderUnreachable`].
    pub async fn save_card(&self, who: &SignedIn, application: &Application) -> Result<CardCheckout, Error> {
        self.payable(application).await?;
        let key = format!("{}:card:{}", application.id, self.random.id());
        let asked = self.asked(&who.applicant, &application.id, key, None, CheckoutFor::Card).await?;
        let page = self.provider()?.open_checkout(&asked).await?;
        page.url.map(CardCheckout::Page).ok_or_else(|| Refusal::ProviderUnreachable.into())
    }

    /// Forgets the saved card. Payments are made by hand from then on.
    ///
    /// # Errors
    /// [`Refusal::NoCardPayments`], [`Refusal::ProviderUnreachable`].
    pub async fn forget_card(&self, who: &SignedIn, application: &Application) -> Result<(), Error> {
        self.remove_card(&application.id, format!("applicant:{}", who.applicant.id)).await
    }

    pub(super) async fn remove_card(&self, application_id: &str, by: String) -> Result<(), Error> {
        let Some(card) = self.store.payment_card(application_id).await? else { return Ok(()) };
        let Some(method) = &card.method else { return Ok(()) };
        self.provider()?.forget_card(method).await?;
        let audit = self.about_card(by, application_id, "card.removed", json!({ "card": card.label }));
        let none = super::PaymentCard { method: None, label: String::new(), ..card };
        self.store.keep_card(application_id, &none, audit.at, &audit).await?;
        Ok(())
    }

    /// The request for the provider's page. Always the same for the same key.
    async fn asked(
        &self,
        applicant: &Applicant,
        application_id: &str,
        key: String,
        line: Option<Line>,
        what: CheckoutFor,
    ) -> Result<CheckoutRequest, Error> {
        let card = self.customer(applicant, application_id).await?;
        let page = match line {
            Some(Line::ApplicationFee) => {
                let (_, application) = self.find_application(ApplicationKey::Id(application_id)).await?;
                mails::fee_page(application.program)
            }
            _ => PAYMENTS.to_owned(),
        };
        let line = line.map(|line| line.to_string()).unwrap_or_default();
        let url = &self.settings.public_url;
        Ok(CheckoutRequest {
            key,
            customer: card.customer,
            purpose: Purpose { application_id: application_id.to_owned(), line },
            what,
            success_url: format!("{url}{page}?checkout={{checkout}}"),
            cancel_url: format!("{url}{page}?done=not-paid"),
        })
    }

    /// Handles the page that the browser returns from, without waiting for the webhook.
    ///
    /// # Errors
    /// [`Refusal::ProviderUnreachable`]: it is recorded later.
    pub async fn after_checkout(&self, application: &Application, checkout_id: &str) -> Result<CardOutcome, Error> {
        let is_one =
            checkout_id.len() < 200 && checkout_id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_one {
            return Ok(CardOutcome::Nothing);
        }
        let page = self.provider()?.checkout(checkout_id).await?;
        // The page of another application reveals nothing.
        if page.purpose.application_id != application.id {
            return Ok(CardOutcome::Nothing);
        }
        self.settle_checkout(&page).await
    }

    /// Records the result of a page.
    pub(super) async fn settle_checkout(&self, page: &Checkout) -> Result<CardOutcome, Error> {
        let id = &page.purpose.application_id;
        if let Some(card) = &page.card {
            self.keep_card(id, card, "provider".into()).await?;
            return Ok(CardOutcome::CardKept);
        }
        if let Some(intent) = &page.intent {
            let outcome = self.settle_intent(intent).await?;
            if outcome != CardOutcome::Nothing {
                return Ok(outcome);
            }
        }
        if page.state == CheckoutState::Expired {
            self.close_checkout(id, &page.id, &page.purpose.line).await?;
        }
        Ok(CardOutcome::Nothing)
    }

    /// Records that nothing can be paid on this page any more.
    pub(super) async fn close_checkout(
        &self,
        application_id: &str,
        checkout_id: &str,
        line: &str,
    ) -> Result<(), Error> {
        let Some(line) = Line::parse(line) else { return Ok(()) };
        let Some(charge) = self.store.card_charge(application_id, line).await? else { return Ok(()) };
        if charge.checkout_id.as_deref() == Some(checkout_id)
            && charge.checkout_url.is_some()
            && matches!(charge.state, ChargeState::Open | ChargeState::Closed)
        {
            // A charge that was given up stays so.
            let state = if is_given_up(charge.failures) { ChargeState::Stopped } else { ChargeState::Closed };
            let closed = CardCharge { state, checkout_url: None, ..charge };
            self.change_charge(closed, ChargeEffects::default()).await?;
        }
        Ok(())
    }
}
