//! What an applicant does about the fee: paying it by card, using a code, asking for a waiver.

use serde_json::json;

use super::{FeeView, goes_on, is_early};
use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::money::card_payments::CardCheckout;
use crate::money::ledger::Writing;
use domain::application::Application;
use domain::application_fee::{ApplicationFee, FeeCode, FeeCodeEntry, FeeNeedStatement};
use domain::ledger::{Kind, Line};
use domain::moments::HOUR;
use domain::task::TaskKind;
use store::Throttle;

/// Maximum codes that an applicant can try in an hour.
const CODES_PER_HOUR: u32 = 20;

impl App {
    /// Opens the provider's page for the fee, always the same one while it can be paid there.
    ///
    /// # Errors
    /// [`Refusal::NoFee`], [`Refusal::NoCardPayments`], [`Refusal::NothingToPay`], [`Refusal::ProviderUnreachable`].
    pub async fn pay_fee(&self, who: &SignedIn, application: &Application) -> Result<CardCheckout, Error> {
        self.owed_fee(application).await?;
        self.pay_by_card(who, application, Line::ApplicationFee, false).await
    }

    /// Cents of the fee still to be paid; `None` if it is settled, or the application is over.
    ///
    /// # Errors
    /// [`Refusal::NoFee`]
    pub(crate) async fn owed_fee(&self, application: &Application) -> Result<Option<i64>, Error> {
        let view = self.fee_of(application).await?.ok_or(Refusal::NoFee)?;
        Ok(Some(view.owed).filter(|owed| view.can_pay && *owed > 0))
    }

    /// Waives the fee by a code. Sent again, it is used once.
    ///
    /// # Errors
    /// [`Refusal::NoFee`], [`Refusal::FeeSettled`], `code.unknown`, `code.expired`, `code.spent`; too many codes tried.
    pub async fn use_fee_code(
        &self,
        who: &SignedIn,
        application: &Application,
        entry: &FeeCodeEntry,
    ) -> Result<FeeView, Error> {
        let fee = self.fee_to_settle(application).await?;
        let key = format!("fee-code:{}", who.applicant.id);
        let tried = self.store.attempt(&key, CODES_PER_HOUR, HOUR, self.clock.now()).await?;
        if let Throttle::Refused { wait } = tried {
            return Err(Error::Throttled { code: "rate_limited", wait });
        }
        let code = self.store.fee_code_named(&entry.code).await?;
        let is_used = |code: &FeeCode, fee: &ApplicationFee| fee.code_id.as_deref() == Some(code.id.as_str());
        match (code, fee.is_due()) {
            (Some(code), false) if is_used(&code, &fee) => {}
            (_, false) => return Err(Refusal::FeeSettled.into()),
            (None, true) => return Err(FeeCode::unknown().into()),
            (Some(code), true) => {
                code.check(application.program, self.today())?;
                let (by, reference) = (format!("applicant:{}", who.applicant.id), self.random.id());
                let settled = self.write_ledger(&application.id, &by, |book, _| {
                    let waiver = book.forgive(Line::ApplicationFee, Kind::Waiver, &reference, &code.code)?;
                    let drafts = waiver.into_iter().collect();
                    Ok(Writing { drafts, fee_code: Some(code.id.clone()), ..Writing::default() })
                });
                if let Err(error) = settled.await {
                    // The same form may have arrived twice at once.
                    match self.store.application_fee(&application.id).await? {
                        Some(now) if is_used(&code, &now) => {}
                        Some(now) if !now.is_due() => return Err(Refusal::FeeSettled.into()),
                        _ => return Err(error),
                    }
                }
            }
        }
        self.own_fee(application).await
    }

    /// Asks staff to waive the fee because of financial need. Sent again, it is asked once.
    ///
    /// # Errors
    /// [`Refusal::NoFee`], [`Refusal::FeeSettled`], [`Refusal::FeeNeedClosed`], [`Refusal::FeeNeedAsked`].
    pub async fn ask_fee_waiver(
        &self,
        who: &SignedIn,
        application: &Application,
        asked: &FeeNeedStatement,
    ) -> Result<FeeView, Error> {
        let fee = self.fee_to_settle(application).await?;
        if !fee.is_due() {
            return Err(Refusal::FeeSettled.into());
        }
        let is_open = is_early(application.stage) && self.product_settings().await.fee(application.program).need;
        if fee.need.is_none() && !is_open {
            return Err(Refusal::FeeNeedClosed.into());
        }
        let subject = format!("application:{}", application.id);
        let audit = self.by_applicant(&who.applicant.id, subject, "fee.need_asked", json!({}));
        let task = self.fee_task(&application.id, TaskKind::FeeWaiver, json!({}), audit.at);
        let is_asked = self.store.ask_fee_waiver(&application.id, &asked.statement, &task, &audit).await?;
        let view = self.own_fee(application).await?;
        let is_same = view.fee.need.as_ref().is_some_and(|need| need.statement == asked.statement);
        match is_asked || is_same {
            true => Ok(view),
            false if view.fee.is_due() => Err(Refusal::FeeNeedAsked.into()),
            false => Err(Refusal::FeeSettled.into()),
        }
    }

    /// The fee of an application that goes on.
    async fn fee_to_settle(&self, application: &Application) -> Result<ApplicationFee, Error> {
        let fee = self.store.application_fee(&application.id).await?.filter(|_| goes_on(application.stage));
        Ok(fee.ok_or(Refusal::NoFee)?)
    }

    async fn own_fee(&self, application: &Application) -> Result<FeeView, Error> {
        Ok(self.fee_of(application).await?.ok_or(Refusal::NoFee)?)
    }
}
