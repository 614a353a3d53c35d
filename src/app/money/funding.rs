//! How tuition is paid: the applicant's plan, Finance's verdicts on its sources, and its state.

use jiff::civil::Date;
use serde_json::json;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use domain::application::Application;
use domain::funding::{Funding, FundingEntry, FundingPlan, Instalment, suggestion};
use domain::input::FieldError;
use domain::intake::Intake;
use domain::ledger::{Ledger, Line};
use domain::status::{Facts, Stage};
use domain::task::{Task, TaskKind};
use store::{FundingEffects, NewFunding};

/// Everything about how an application's tuition is paid.
#[derive(Debug, Clone)]
pub struct FundingView {
    /// The stored plan, or one suggested by the answers if there is none.
    pub funding: Funding,
    /// The stored plan.
    pub plan: Option<FundingPlan>,
    pub ledger: Ledger,
    /// Why the applicant cannot change it, if so.
    pub fixed: Option<Fixed>,
    /// The intake until which the plan is paused: nothing is due before then.
    pub paused: Option<Intake>,
    /// Whether there is no longer a place to pay for.
    pub is_over: bool,
}

/// Why an applicant cannot change a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixed {
    /// A contract already sent states how they pay.
    Agreed,
    /// Something has been charged or paid besides the application fee.
    Begun,
    /// They are enrolled or deferred.
    Settled,
}

impl FundingView {
    /// Whether there is a stored plan that adds up.
    pub fn is_planned(&self) -> bool {
        self.plan.is_some() && self.funding.adds_up()
    }

    /// Whether there is a place to pay for, or was one for which something is in the ledger.
    pub fn has_plan(&self) -> bool {
        !self.is_over || self.ledger.has_tuition()
    }

    /// The first instalment, if it is not settled yet.
    pub fn first_owed(&self) -> Option<Instalment> {
        let first = self.funding.schedule().into_iter().next()?;
        (!self.ledger.book().is_settled(Line::Instalment(first.number))).then_some(first)
    }

    /// The instalments not fully paid, with the open amount, by due date.
    pub fn open_instalments(&self) -> Vec<(Instalment, i64)> {
        let book = self.ledger.book();
        let open = |line: Instalment| (line, book.still_to_pay(&line));
        self.funding.schedule().into_iter().map(open).filter(|(_, cents)| *cents > 0).collect()
    }

    /// Whether the applicant can change it.
    pub fn is_open(&self) -> bool {
        self.fixed.is_none()
    }

    /// Whether payments are due now or later: the plan is neither paused nor over.
    pub fn can_be_paid(&self) -> bool {
        self.paused.is_none() && !self.is_over
    }

    /// The plan's revision; 0 if there is none.
    pub fn revision(&self) -> i64 {
        self.plan.as_ref().map_or(0, |plan| plan.revision)
    }
}

/// Whether an applicant at this stage has a place to pay for.
pub fn has_place(stage: Stage) -> bool {
    matches!(stage, Stage::Confirmed | Stage::Enrolled | Stage::Deferred)
}

impl App {
    /// How tuition is paid for an application that has a place.
    ///
    /// # Errors
    /// [`Refusal::NoFunding`]
    pub async fn funding(&self, application: &Application) -> Result<FundingView, Error> {
        if !has_place(application.stage) {
            return Err(Refusal::NoFunding.into());
        }
        self.funding_as_it_is(application).await
    }

    /// The same for any application, even one that is over.
    pub(crate) async fn funding_as_it_is(&self, application: &Application) -> Result<FundingView, Error> {
        let plan = self.store.funding_plan(&application.id).await?;
        let ledger = self.store.ledger(&application.id).await?;
        let funding = match &plan {
            Some(plan) => plan.funding.clone(),
            None => {
                let answers = application.answers.data();
                let tuition = self.tuition(application).await;
                let first_due = self.first_due(application).await?;
                suggestion(&answers.financial_plan, tuition).funding(tuition, first_due, None)
            }
        };
        let fixed = self.fixed(application, &ledger).await?;
        let paused = match application.stage {
            Stage::Deferred => self.intake_of(&application.id).await?,
            _ => None,
        };
        Ok(FundingView { funding, plan, ledger, fixed, paused, is_over: !has_place(application.stage) })
    }

    async fn fixed(&self, application: &Application, ledger: &Ledger) -> Result<Option<Fixed>, Error> {
        if application.stage != Stage::Confirmed {
            return Ok(Some(Fixed::Settled));
        }
        if ledger.has_tuition() {
            return Ok(Some(Fixed::Begun));
        }
        // A contract that was declined, expired or voided does not bind anybody.
        let contracts = self.store.contracts_of(&application.id).await?;
        let binds = contracts.iter().any(|contract| contract.sent_at.is_some() && contract.ended_at.is_none());
        Ok(binds.then_some(Fixed::Agreed))
    }

    /// Saves the applicant's plan; `seen` is the revision they changed. A plan that does not add up yet is saved, too.
    ///
    /// # Errors
    /// Bad fields, [`Refusal::NoFunding`], [`Refusal::FundingFixed`], [`Refusal::FundingAgreed`],
    /// [`Refusal::FundingChanged`].
    pub async fn save_funding(
        &self,
        who: &SignedIn,
        application: &Application,
        entry: &FundingEntry,
        seen: i64,
    ) -> Result<FundingView, Error> {
        let view = self.funding(application).await?;
        if let Some(fixed) = view.fixed {
            let refusal = if fixed == Fixed::Agreed { Refusal::FundingAgreed } else { Refusal::FundingFixed };
            return Err(refusal.into());
        }
        let by = format!("applicant:{}", who.applicant.id);
        self.write_funding(application, &view, entry, seen, by).await?;
        self.funding(application).await
    }

    /// Saves a plan, whoever made it.
    pub(crate) async fn write_funding(
        &self,
        application: &Application,
        view: &FundingView,
        entry: &FundingEntry,
        seen: i64,
        by: String,
    ) -> Result<(), Error> {
        if view.revision() != seen {
            return Err(Refusal::FundingChanged.into());
        }
        let before = view.plan.as_ref().map(|plan| &plan.funding);
        let tuition = match before {
            Some(before) => before.tuition,
            None => self.tuition(application).await,
        };
        // Once something is charged, the dates already communicated stay.
        let first_due = match before {
            Some(before) if view.ledger.has_tuition() => before.plan.first_due,
            _ => self.first_due(application).await?,
        };
        let mut funding = entry.funding(tuition, first_due, before);
        if let Some(before) = before.filter(|_| view.ledger.has_tuition()) {
            funding.pauses.clone_from(&before.pauses);
        }
        let mut errors = self.product_settings().await.funding.check(&funding);
        errors.extend(charged_otherwise(&funding, &view.ledger));
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        if before == Some(&funding) {
            return Ok(());
        }
        let amounts: serde_json::Map<String, serde_json::Value> =
            funding.sources.iter().map(|source| (source.kind.as_str().to_owned(), source.cents.into())).collect();
        let detail = json!({
            "revision": seen + 1, "amounts": amounts, "upFront": funding.plan.up_front, "monthly": funding.plan.monthly,
        });
        let audit = self.audit_entry(by.clone(), format!("application:{}", application.id), "funding.saved", detail);
        let new = NewFunding {
            application_id: application.id.clone(),
            expected: seen,
            by,
            at: audit.at,
            position: view.ledger.position(),
            funding,
        };
        let follows = self.funding_follows(application, &new.funding);
        if self.store.save_funding(&new, &follows, &audit).await? {
            Ok(())
        } else {
            Err(Refusal::FundingChanged.into())
        }
    }

    /// The task for Finance that follows from a plan.
    pub(crate) fn funding_follows(&self, application: &Application, funding: &Funding) -> FundingEffects {
        let needs_a_look = funding.adds_up() && !funding.is_authorised();
        let task = needs_a_look.then(|| Task {
            id: self.random.id(),
            kind: TaskKind::Funding,
            subject: format!("application:{}", application.id),
            detail: json!({}),
            created_at: self.clock.now(),
            due_at: None,
        });
        FundingEffects { settled: funding.covers_tuition(), task, mail: None }
    }

    /// The facts about money that enrolment needs.
    pub(crate) async fn money_facts(&self, application: &Application, facts: Facts) -> Result<Facts, Error> {
        if !has_place(application.stage) {
            return Ok(facts);
        }
        let view = self.funding(application).await?;
        let covers = view.plan.is_some() && view.funding.covers_tuition();
        // If others pay everything, they have all confirmed it.
        let first_payment = covers && view.first_owed().is_none();
        Ok(Facts { funding_covers_tuition: covers, first_payment, ..facts })
    }

    /// The program's current tuition in cents.
    async fn tuition(&self, application: &Application) -> i64 {
        self.product_settings().await.page(application.program).tuition(application.program)
    }

    /// The first due date of a plan made now.
    async fn first_due(&self, application: &Application) -> Result<Date, Error> {
        let today = self.today();
        let start = self.intake_of(&application.id).await?.map_or(today, |intake| intake.start);
        Ok(self.product_settings().await.funding.first_due(today, start))
    }
}

/// An error if the plan differs from what was already charged.
fn charged_otherwise(funding: &Funding, ledger: &Ledger) -> Option<FieldError> {
    let book = ledger.book();
    let differs = |(line, cents): &(Line, i64)| *line != Line::ApplicationFee && line.cents(funding) != Some(*cents);
    let (line, _) = book.charges().find(differs)?;
    let path = match line {
        Line::Instalment(1) => "upFront".to_owned(),
        // The fee is in no plan.
        Line::Instalment(_) | Line::ApplicationFee => "monthly".to_owned(),
        Line::Source(kind) => format!("amounts.{}", kind.as_str()),
    };
    let message = "What was charged already must stay as it is. Reverse the charge first.";
    Some(FieldError::new(path, "funding.charged", message))
}
