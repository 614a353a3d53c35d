//! Charging the saved card when an instalment falls due, and again after a refusal; and finishing what a crashed
//! process left.
//!
//! An instalment charged off-session has one intent at the provider, whatever happens: it is created under the key of
//! the charge, stored, and confirmed as often as needed, and an intent succeeds once.

use jiff::civil::Date;
use serde_json::json;

use super::{App, CardOutcome, mails, title};
use crate::error::Error;
use crate::office::staff::card_refused;
use crate::ports::{Intent, IntentRequest, IntentState, Purpose};
use domain::account::Applicant;
use domain::application::{Application, ApplicationKey};
use domain::card_charge::{CardCharge, ChargeState, is_given_up, retry_at};
use domain::clocks::day;
use domain::ledger::Line;
use domain::moments::{HOUR, MINUTE, Millis};
use domain::role::Role;
use domain::staff::StaffSummary;
use domain::status::Stage;
use store::{ChargeEffects, PaymentCard};

/// Applications per query.
const AT_ONCE: i64 = 100;
/// After this time, no other process is still working on it.
pub(super) const ABANDONED: Millis = 2 * MINUTE;

impl App {
    /// [`COLLECT_INSTALMENTS`](crate::jobs::COLLECT_INSTALMENTS): charges what is due, and follows up on pending
    /// payments. Returns the number of instalments paid.
    ///
    /// # Errors
    /// Store errors. Whatever fails at the provider is tried again next time.
    pub async fn collect_instalments(&self) -> Result<usize, Error> {
        if self.cards.is_none() {
            return Ok(0);
        }
        let mut done = self.finish_card_payments().await?;
        let mut after = String::new();
        loop {
            let ids = self.store.applications_with_card(&after, AT_ONCE).await?;
            for id in &ids {
                match self.collect_for(id).await {
                    Ok(collected) => done += collected,
                    // One failure must not hold up the others.
                    Err(error) => {
                        let error = &error as &dyn std::error::Error;
                        tracing::warn!(
                            application = id,
                            error,
                            "an instalment could not be collected; it is tried again"
                        );
                    }
                }
            }
            match ids.into_iter().last() {
                Some(last) => after = last,
                None => return Ok(done),
            }
        }
    }

    /// Charges due instalments of one application. Returns how many were paid.
    async fn collect_for(&self, application_id: &str) -> Result<usize, Error> {
        let (applicant, application) = self.find_application(ApplicationKey::Id(application_id)).await?;
        let card = self.store.payment_card(application_id).await?;
        let Some(card) = card.filter(|card| card.method.is_some() && application.stage == Stage::Enrolled) else {
            return Ok(0);
        };
        let view = self.funding(&application).await?;
        let today = day(self.clock.now(), &self.settings.time_zone);
        let mut collected = 0;
        for instalment in view.funding.schedule().into_iter().filter(|instalment| instalment.due <= today) {
            let line = Line::Instalment(instalment.number);
            if let Some(cents) = App::still_owed(&view, line)
                && self.collect_line(&applicant, &application, &card, line, cents).await? == CardOutcome::Paid
            {
                collected += 1;
            }
        }
        Ok(collected)
    }

    /// Charges an instalment, if it is time to.
    async fn collect_line(
        &self,
        applicant: &Applicant,
        application: &Application,
        card: &PaymentCard,
        line: Line,
        cents: i64,
    ) -> Result<CardOutcome, Error> {
        let now = self.clock.now();
        let charge = self.charge_of(&application.id, line, cents).await?;
        let is_later = is_given_up(charge.failures) || charge.next_at.is_some_and(|at| at > now);
        let is_time = match charge.state {
            ChargeState::Closed => !is_later,
            // The applicant may be paying on the provider's page right now.
            ChargeState::Open => !is_later && charge.changed_at + HOUR <= now,
            ChargeState::Charging => charge.changed_at + ABANDONED <= now,
            ChargeState::Failed => charge.next_at.is_some_and(|at| at <= now),
            ChargeState::Stopped | ChargeState::Paid => false,
        };
        if !is_time {
            return Ok(CardOutcome::Nothing);
        }
        // The same amount continues with the same intent. Another amount starts a new round, once this one can no
        // longer be paid.
        let goes_on = charge.cents == cents && matches!(charge.state, ChargeState::Charging | ChargeState::Failed);
        let begun = if goes_on {
            CardCharge { state: ChargeState::Charging, ..charge }
        } else {
            if !self.can_begin_anew(applicant, &charge).await? {
                return Ok(CardOutcome::Nothing);
            }
            CardCharge {
                cents,
                state: ChargeState::Charging,
                round: charge.round + 1,
                saves_card: false,
                checkout_id: None,
                checkout_url: None,
                intent_id: None,
                next_at: None,
                ..charge
            }
        };
        match self.change_charge(begun, ChargeEffects::default()).await? {
            Some(charge) => self.charge_card(applicant, application, card, charge).await,
            None => Ok(CardOutcome::Nothing),
        }
    }

    /// Creates the intent of a charge, unless it exists, and confirms it.
    async fn charge_card(
        &self,
        applicant: &Applicant,
        application: &Application,
        card: &PaymentCard,
        charge: CardCharge,
    ) -> Result<CardOutcome, Error> {
        let provider = self.provider()?;
        let method = card.method.as_deref().unwrap_or_default();
        let (charge, intent_id) = match charge.intent_id.clone() {
            Some(id) => (charge, id),
            None => {
                let asked = IntentRequest {
                    key: charge.key(),
                    customer: card.customer.clone(),
                    cents: charge.cents,
                    title: title(&self.settings.institute, charge.line),
                    purpose: Purpose { application_id: charge.application_id.clone(), line: charge.line.to_string() },
                };
                let intent = provider.create_intent(&asked).await?;
                let known = CardCharge { intent_id: Some(intent.id.clone()), ..charge };
                // Stored before it can be paid.
                match self.change_charge(known, ChargeEffects::default()).await? {
                    Some(charge) => (charge, intent.id),
                    None => return Ok(CardOutcome::Nothing),
                }
            }
        };
        let intent = provider.confirm_intent(&intent_id, method).await?;
        match intent.state {
            IntentState::Succeeded => self.settle_intent(&intent).await,
            IntentState::Processing => Ok(CardOutcome::Nothing),
            IntentState::Open | IntentState::Canceled => {
                self.note_failure(applicant, application, charge, &intent).await?;
                Ok(CardOutcome::Nothing)
            }
        }
    }

    /// Records that the card was refused: tells the applicant and Finance, and when it will be charged again; after the
    /// last attempt staff decide.
    async fn note_failure(
        &self,
        applicant: &Applicant,
        application: &Application,
        charge: CardCharge,
        intent: &Intent,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let failures = charge.failures + 1;
        let first = charge.first_failed_at.unwrap_or(now);
        let next_at = retry_at(failures, first);
        let again: Option<Date> = next_at.map(|at| day(at, &self.settings.time_zone));
        let (line, cents) = (charge.line, charge.cents);
        let failed = CardCharge {
            state: if next_at.is_some() { ChargeState::Failed } else { ChargeState::Stopped },
            failures,
            failure: Some(intent.failure.clone().unwrap_or_default()),
            first_failed_at: Some(first),
            next_at,
            ..charge
        };
        let detail = json!({ "line": line.to_string(), "cents": cents, "failures": failures });
        let audit = self.about_card("provider".into(), &application.id, "card.refused", detail.clone());
        let wording = self.wording().await;
        let mut letters = vec![mails::payment_failed(&wording, applicant, application.program, cents, again)];
        for staff in self.finance_staff().await? {
            letters.push(card_refused(self, application, &staff, line, cents, again));
        }
        let task = next_at.is_none().then(|| self.card_task(&application.id, detail));
        self.change_charge(failed, ChargeEffects { audit: Some(audit), mails: letters, task }).await?;
        Ok(())
    }

    /// Follows up on charges and refunds that were started but not finished.
    pub(super) async fn finish_card_payments(&self) -> Result<usize, Error> {
        let before = self.clock.now() - ABANDONED;
        let mut done = 0;
        for charge in self.store.charges_under_way(before).await? {
            let (line, application_id) = (charge.line, charge.application_id.clone());
            match self.finish_charge(charge).await {
                Ok(outcome) => done += usize::from(outcome == CardOutcome::Paid),
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(application = application_id, %line, error, "a charge could not be looked at");
                }
            }
        }
        for id in self.store.cards_left_over(AT_ONCE).await? {
            if let Err(error) = self.remove_card(&id, "system".into()).await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(application = id, error, "a card that nothing is charged to any more is still kept");
            }
        }
        for refund in self.store.refunds_under_way(before).await? {
            let key = refund.key.clone();
            if let Err(error) = self.finish_card_refund(refund, true).await {
                tracing::warn!(key, error = &error as &dyn std::error::Error, "a refund could not be ended");
            }
        }
        Ok(done)
    }

    async fn finish_charge(&self, charge: CardCharge) -> Result<CardOutcome, Error> {
        let provider = self.provider()?;
        if charge.state == ChargeState::Charging {
            let Some(id) = &charge.intent_id else { return Ok(CardOutcome::Nothing) };
            return self.settle_intent(&provider.intent(id).await?).await;
        }
        if charge.state == ChargeState::Closed {
            // Its plan is over, so what was opened for it must no longer be payable.
            let (applicant, _) = self.find_application(ApplicationKey::Id(&charge.application_id)).await?;
            if self.can_begin_anew(&applicant, &charge).await? {
                let over = CardCharge { checkout_url: None, ..charge };
                self.change_charge(over, ChargeEffects::default()).await?;
            }
            return Ok(CardOutcome::Nothing);
        }
        match &charge.checkout_id {
            Some(id) => self.settle_checkout(&provider.checkout(id).await?).await,
            None => Ok(CardOutcome::Nothing),
        }
    }

    /// Staff who get mails about money: Finance, or the Owners if there is no active Finance staff.
    async fn finance_staff(&self) -> Result<Vec<StaffSummary>, Error> {
        let all_staff = self.store.all_staff().await?;
        let active = all_staff.into_iter().filter(|staff| staff.suspended_at.is_none());
        let (finance, others): (Vec<StaffSummary>, Vec<StaffSummary>) =
            active.partition(|staff| staff.role == Role::Finance);
        if finance.is_empty() {
            Ok(others.into_iter().filter(|staff| staff.role == Role::Owner).collect())
        } else {
            Ok(finance)
        }
    }
}
