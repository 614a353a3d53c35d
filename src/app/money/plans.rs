//! What a change of stage means for payments: resuming a plan after a pause, and refunds after a withdrawal.
//!
//! While an application is deferred its plan is paused: that follows from the stage, and nothing is written for it.
//! When it resumes, unsettled payments are due later by whole months (`docs/adr/025-plans-that-pause.md`).

use jiff::civil::Date;
use serde_json::{Value, json};

use crate::App;
use crate::error::Error;
use domain::application::{Application, ApplicationKey};
use domain::clocks::day;
use domain::funding::Pause;
use domain::intake::Intake;
use domain::ledger::{Ledger, Line};
use domain::moments;
use domain::permission::Permission;
use domain::staff::StaffSession;
use domain::status::{Act, Change, Effect, Stage};
use domain::task::{Task, TaskKind};
use store::{Stored, Transition};

/// Facts about money needed for the effects of an act.
#[derive(Debug, Default)]
pub(crate) struct MoneyOfAct {
    pause: Option<Pause>,
    suggestion: Option<RefundSuggestion>,
}

/// The refund for a withdrawn application, by the current rules.
#[derive(Debug, Clone)]
pub struct RefundSuggestion {
    /// Percentage of the payments.
    pub percent: i64,
    /// When studies would have started; `None` without a place.
    pub start: Option<Date>,
    pub withdrawn_on: Date,
    /// Cents still to be refunded.
    pub cents: i64,
    /// Cents paid and not yet refunded.
    pub received: i64,
}

impl RefundSuggestion {
    /// Explains the amount to staff.
    pub fn why(&self) -> String {
        let day = |day: Date| moments::plain_date(day).to_string();
        let starts =
            self.start.map_or_else(|| "there was no place".to_owned(), |on| format!("studies start on {}", day(on)));
        let (withdrawn, percent) = (day(self.withdrawn_on), self.percent);
        format!("Withdrawn on {withdrawn}; {starts}. By the rules {percent} % of what was paid goes back.")
    }

    fn detail(&self) -> Value {
        json!({ "cents": self.cents, "paid": self.received, "percent": self.percent, "why": self.why() })
    }
}

impl App {
    /// Looks up what the effects of the act need, for the copy that is acted on.
    pub(crate) async fn money_of(&self, current: &Application, act: Act) -> Stored<MoneyOfAct> {
        match act {
            Act::Resume => Ok(MoneyOfAct { pause: self.pause_over(current).await?, suggestion: None }),
            Act::Withdraw => {
                let ledger = self.store.ledger(&current.id).await?;
                let suggestion = self.suggestion(current, &ledger, self.today()).await?;
                Ok(MoneyOfAct { pause: None, suggestion: suggestion.filter(|suggestion| suggestion.received > 0) })
            }
            _ => Ok(MoneyOfAct::default()),
        }
    }

    /// How a plan resumes: the first unsettled instalment is due when that of a plan made today would be, or later.
    async fn pause_over(&self, current: &Application) -> Stored<Option<Pause>> {
        let Some(plan) = self.store.funding_plan(&current.id).await? else { return Ok(None) };
        let Some(intake) = self.intake_of(&current.id).await? else { return Ok(None) };
        let book = self.store.ledger(&current.id).await?.book();
        let soonest = self.product_settings().await.funding.first_due(self.today(), intake.start);
        Ok(plan.funding.pause_until(soonest, |number| book.is_settled(Line::Instalment(number))))
    }

    /// The intake in which an applicant with a place starts.
    pub(crate) async fn intake_of(&self, application_id: &str) -> Stored<Option<Intake>> {
        let Some(decided) = self.store.decided(application_id).await? else { return Ok(None) };
        Ok(Some(decided.intake(self.store.deferral(application_id).await?.as_ref())))
    }

    async fn suggestion(
        &self,
        application: &Application,
        ledger: &Ledger,
        withdrawn_on: Date,
    ) -> Stored<Option<RefundSuggestion>> {
        // The application fee does not go back.
        if !ledger.has_tuition() {
            return Ok(None);
        }
        let start = self.intake_of(&application.id).await?.map(|intake| intake.start);
        let refunds = &self.product_settings().await.refunds;
        // Without a place, everything is refunded.
        let percent = start.map_or(100, |start| refunds.percent(start, withdrawn_on));
        let book = ledger.book();
        let (cents, received) = (book.going_back_in_all(percent), book.received());
        Ok(Some(RefundSuggestion { percent, start, withdrawn_on, cents, received }))
    }

    /// The suggested refund for a withdrawn application with payments.
    ///
    /// # Errors
    /// Store errors.
    pub async fn suggestion_of(
        &self,
        application: &Application,
        ledger: &Ledger,
    ) -> Result<Option<RefundSuggestion>, Error> {
        if application.stage != Stage::Archived {
            return Ok(None);
        }
        let changes = self.store.stage_changes(&application.id).await?;
        let Some(withdrawn) = changes.iter().rev().find(|change| change.act == Act::Withdraw) else { return Ok(None) };
        let on = day(withdrawn.happened_at, &self.settings.time_zone);
        Ok(self.suggestion(application, ledger, on).await?)
    }

    /// Whether a refund of this application awaits Finance.
    ///
    /// # Errors
    /// Store errors.
    pub async fn refund_waits(&self, application_id: &str) -> Result<bool, Error> {
        Ok(self.store.has_task(&format!("application:{application_id}"), TaskKind::Refund).await?)
    }

    /// Records that nothing more is refunded to a withdrawn applicant. Repeated calls record it once.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](crate::Refusal::RoleForbidden),
    /// [`Refusal::ApplicationNotFound`](crate::Refusal::ApplicationNotFound)
    pub async fn close_refund(&self, who: &StaffSession, application_id: &str) -> Result<(), Error> {
        self.office_application(who, application_id, Permission::ManageFinance).await?;
        self.finish_refund_task(application_id, &format!("staff:{}", who.staff.id)).await
    }

    async fn finish_refund_task(&self, application_id: &str, by: &str) -> Result<(), Error> {
        let subject = format!("application:{application_id}");
        let audit = self.audit_entry(by.to_owned(), subject.clone(), "refund.closed", json!({}));
        self.store.finish_tasks(&subject, TaskKind::Refund, &audit).await?;
        Ok(())
    }

    /// Closes the refund task once everything suggested is refunded, whoever did it.
    pub(crate) async fn close_refund_when_done(&self, application_id: &str) -> Result<(), Error> {
        let (_, application) = self.find_application(ApplicationKey::Id(application_id)).await?;
        let ledger = self.store.ledger(application_id).await?;
        match self.suggestion_of(&application, &ledger).await? {
            Some(suggestion) if suggestion.cents == 0 => self.finish_refund_task(application_id, "system").await,
            _ => Ok(()),
        }
    }

    /// Adds the effects of a change on money to its transition.
    pub(crate) fn pay(&self, money: &MoneyOfAct, change: Change, transition: &mut Transition) {
        for effect in change.effects {
            match effect {
                Effect::PausePlan | Effect::StopCharges => {
                    transition.stops_charges = true;
                    transition.done_tasks.push(TaskKind::Dunning);
                }
                Effect::ResumePlan => {
                    transition.pause = money.pause;
                    transition.done_tasks.push(TaskKind::Refund);
                }
                Effect::RefundTask => {
                    let task = |suggestion: &RefundSuggestion| Task {
                        id: self.random.id(),
                        kind: TaskKind::Refund,
                        subject: format!("application:{}", transition.application_id),
                        detail: suggestion.detail(),
                        created_at: transition.at,
                        due_at: None,
                    };
                    let task = money.suggestion.as_ref().map(task);
                    transition.tasks.extend(task);
                }
                _ => {}
            }
        }
    }
}
