//! Deferrals: an applicant asks to start later, staff grant or refuse it, and the application resumes when the time has
//! come.

use serde_json::json;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::applications::acts::{Actor, Command, Preconditions};
use crate::decisions::drafting::StaffReason;
use crate::error::{Error, Refusal};
use crate::jobs::{self, Ran, subject};
use crate::mails;
use domain::application::{Application, ApplicationKey};
use domain::body::{lines, required};
use domain::calendar::{ANSWER, working_days_after};
use domain::clocks::end_of;
use domain::decision::{Deferral, MAX_REASON_LENGTH, intake};
use domain::input::FieldError;
use domain::intake::Intake;
use domain::moments::DAY;
use domain::permission::Permission;
use domain::staff::Staff;
use domain::status::{Act, Facts, Guard, Refused, Stage};
use domain::task::{Task, TaskKind};
use domain::{body, text};
use store::{DecisionWrite, Job, NewMail, Transition};

/// Maximum number of months that studies can be deferred.
pub(crate) const MAX_MONTHS: u32 = 24;
/// Days before a later intake on which its applicant is reminded.
const REMINDERS: [i64; 2] = [60, 30];

body! {
    /// An applicant's request to start in a later intake.
    pub struct DeferralRequest {
        /// One of `laterIntakes`.
        #[schema(value_type = String)]
        intake: Intake = required(intake, text!("Choose the intake that you want to start with.")),
        /// Up to 1,000 characters.
        #[schema(nullable = false)]
        reason: Option<String> = lines(text!("The reason"), MAX_REASON_LENGTH),
    }
}

impl App {
    /// The intakes that an applicant with a place in `present` can be deferred to.
    pub fn later_intakes(&self, present: Intake) -> Vec<Intake> {
        let within = Intake::within(self.today(), MAX_MONTHS);
        within.into_iter().filter(|intake| intake.start > present.start).collect()
    }

    /// Stores the applicant's request, replacing an earlier one, and tells staff.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] for an applicant without a place, `intake.range`, [`Refusal::NoApplication`].
    pub async fn ask_deferral(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        request: DeferralRequest,
    ) -> Result<Deferral, Error> {
        let application = known.ok_or(Refusal::NoApplication)?;
        if !can_be_deferred(application.stage) {
            return Err(Error::NotAllowed(Refused::NotFrom { from: application.stage, act: Act::Defer }));
        }
        let present = self.standing(who, Some(&application)).await?.intake().ok_or(Refusal::NoDecision)?;
        if !self.later_intakes(present).contains(&request.intake) {
            let message = text!("Choose an intake after yours, in the next 24 months.");
            return Err(FieldError::new("intake", Guard::IntakeNear.code(), message).into());
        }
        let now = self.clock.now();
        let DeferralRequest { intake, reason } = request;
        let deferral = Deferral { id: self.random.id(), intake, reason, granted: false, created_at: now };
        let subject = format!("application:{}", application.id);
        let detail = json!({ "deferral": deferral.id, "intake": intake.code() });
        let task = Task {
            id: self.random.id(),
            kind: TaskKind::Deferral,
            subject: subject.clone(),
            detail: detail.clone(),
            created_at: now,
            due_at: Some(end_of(working_days_after(self.today(), ANSWER), &self.settings.time_zone)),
        };
        let audit = self.by_applicant(&who.applicant.id, subject, "deferral.asked", detail);
        self.store.ask_deferral(&application.id, &deferral, &audit, &task).await?;
        Ok(deferral)
    }

    /// Moves the start to a later intake, whether or not the applicant has asked for it.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Error::Stale`], [`Refusal::NoApplication`].
    pub async fn defer_application(
        &self,
        staff: &Staff,
        application: ApplicationKey<'_>,
        intake: Intake,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let (applicant, application) = self.find_application(application).await?;
        if let Some(application) = self.repeated(&applicant.id, Act::Defer, &conditions).await? {
            return Ok(application);
        }
        let months_until_intake = intake.months_after(self.today());
        let facts = |_: &Application| Facts { months_until_intake, ..Facts::default() };
        let wording = self.wording().await;
        let also = |application: &Application, transition: &mut Transition| {
            transition.decision.push(DecisionWrite::Defer { id: self.random.id(), intake });
            transition.mails.push(mails::deferred(&wording, &applicant, application.program, intake));
            transition.dropped_jobs.extend([jobs::LAPSE, jobs::REPLY_REMINDER, jobs::INTAKE_REMINDER]);
            let starts = end_of(intake.start, &self.settings.time_zone) - DAY;
            for days in REMINDERS {
                let due_at = starts - days * DAY;
                if due_at > transition.at {
                    let detail = json!({ "intake": intake.code(), "days": days });
                    transition.jobs.push(self.job_about(transition, jobs::INTAKE_REMINDER, detail, due_at));
                }
            }
        };
        let command = Command {
            act: Act::Defer,
            actor: Actor::staff(staff),
            applicant: &applicant,
            facts: &facts,
            detail: json!({ "intake": intake.code() }),
            also: &also,
            conditions,
        };
        Ok(self.act(application, command).await?)
    }

    /// Refuses the applicant's request and says why. Nothing else changes; they may ask for another intake.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] for staff who may not defer, [`Refusal::NoDeferralWish`], [`Refusal::NoApplication`].
    pub async fn refuse_deferral(
        &self,
        staff: &Staff,
        application: ApplicationKey<'_>,
        reason: StaffReason,
    ) -> Result<Application, Error> {
        if !staff.role.may(Permission::Review) {
            return Err(Error::NotAllowed(Refused::Forbidden));
        }
        let (applicant, application) = self.find_application(application).await?;
        let wish = self.store.deferral(&application.id).await?;
        let wish = wish.filter(|wish| !wish.granted && can_be_deferred(application.stage));
        let wish = wish.ok_or(Refusal::NoDeferralWish)?;
        let subject = format!("application:{}", application.id);
        let detail = json!({ "deferral": wish.id, "intake": wish.intake.code() });
        let audit = self.audit_entry(format!("staff:{}", staff.id), subject, "deferral.refused", detail);
        let mail = mails::deferral_refused(&self.wording().await, &applicant, application.program);
        let now = self.clock.now();
        if !self.store.refuse_deferral(&application.id, reason.as_str(), now, &audit, &mail).await? {
            return Err(Refusal::NoDeferralWish.into());
        }
        Ok(application)
    }

    /// Resumes a deferred application where it was. `rechecked` says that the conditions were checked again.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Error::Stale`], [`Refusal::NoApplication`].
    pub async fn resume_application(
        &self,
        staff: &Staff,
        application: ApplicationKey<'_>,
        rechecked: bool,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let (applicant, application) = self.find_application(application).await?;
        if let Some(application) = self.repeated(&applicant.id, Act::Resume, &conditions).await? {
            return Ok(application);
        }
        let former = self.store.former_stage(&application.id).await?;
        let facts = |_: &Application| Facts { conditions_rechecked: rechecked, former, ..Facts::default() };
        let also = |_: &Application, transition: &mut Transition| {
            transition.decision.push(DecisionWrite::Resume);
            transition.dropped_jobs.push(jobs::INTAKE_REMINDER);
        };
        let command = Command {
            act: Act::Resume,
            actor: Actor::staff(staff),
            applicant: &applicant,
            facts: &facts,
            detail: json!({}),
            also: &also,
            conditions,
        };
        Ok(self.act(application, command).await?)
    }

    /// [`jobs::INTAKE_REMINDER`]
    pub(crate) async fn remind_of_intake(&self, job: &Job) -> Result<Ran, Error> {
        let Some((applicant, application)) = self.store.application(subject(job)).await? else { return Ok(Ran::Done) };
        let deferral =
            if application.stage == Stage::Deferred { self.store.deferral(&application.id).await? } else { None };
        if let Some(Deferral { intake, granted: true, .. }) = deferral
            && job.detail["intake"] == intake.code()
            && applicant.profile.reminders
        {
            let days = job.detail["days"].as_i64().unwrap_or_default();
            let mail = mails::intake_reminder(&self.wording().await, &applicant, application.program, intake, days);
            self.store.tell(&[], &[NewMail { id: job.id.clone(), ..mail }]).await?;
        }
        Ok(Ran::Done)
    }
}

/// Whether staff can defer an application at this stage.
pub fn can_be_deferred(stage: Stage) -> bool {
    matches!(stage, Stage::Offered | Stage::Confirmed | Stage::Lapsed | Stage::Enrolled)
}
