//! An application's progress, for its dashboard, and the watch over applications that wait for staff.

use serde_json::json;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::Error;
use crate::jobs::{self, Ran, subject};
use crate::mails;
use crate::money::fees::FeeView;
use crate::money::funding::FundingView;
use domain::application::{Application, ChangeRequest, EndedApplication};
use domain::calendar::{SLOW, working_days_after};
use domain::clocks::{day, end_of};
use domain::contract::Contract;
use domain::decision::{Decided, Deferral, RefusedDeferral};
use domain::intake::Intake;
use domain::moments::Millis;
use domain::settings::WorkRules;
use domain::status::Stage;
use domain::task::{Task, TaskKind};
use domain::waitlist::WaitlistPlace;
use store::{Job, Milestones, NewJob, NewMail, Transition};

/// Maximum number of past applications listed.
const PAST: i64 = 50;

/// What a dashboard shows besides the stage.
#[derive(Debug, Clone, Default)]
pub struct ApplicationProgress {
    pub milestones: Milestones,
    pub decided: Option<Decided>,
    pub deferral: Option<Deferral>,
    pub refused_deferral: Option<RefusedDeferral>,
    /// The contract that counts, once sent.
    pub contract: Option<Contract>,
    /// How tuition is paid, once the offer is accepted.
    pub funding: Option<FundingView>,
    /// The application fee, once it is fixed.
    pub fee: Option<FeeView>,
    /// The requested changes, while we wait for them.
    pub changes: Option<ChangeRequest>,
    /// The place in the line of its intake, while it is on the waitlist.
    pub waitlist: Option<WaitlistPlace>,
    pub past: Vec<EndedApplication>,
}

impl ApplicationProgress {
    /// The intake in which an applicant with a place starts.
    pub fn intake(&self) -> Option<Intake> {
        self.decided.as_ref().map(|decided| decided.intake(self.deferral.as_ref()))
    }
}

impl App {
    /// Looks up what there is to show, and skips what cannot exist. `application` is a copy made for the applicant.
    pub async fn standing(
        &self,
        who: &SignedIn,
        application: Option<&Application>,
    ) -> Result<ApplicationProgress, Error> {
        let applicant_id = &who.applicant.id;
        let application_id = application.map_or("", |application| application.id.as_str());
        let milestones = self.store.milestones(applicant_id, application_id).await?;
        let past = match milestones.past_applications {
            0 => Vec::new(),
            _ => self.store.past_applications(applicant_id, PAST).await?,
        };
        let mut standing = ApplicationProgress { milestones, past, ..ApplicationProgress::default() };
        if let Some(application) = application {
            standing.changes = self.change_request(application).await?;
            standing.fee = self.fee_of(application).await?;
            standing.waitlist = self.waitlist_place(application).await?;
            standing.decided = match self.decision_for(application).await {
                Ok(decided) => Some(decided),
                Err(Error::Refused(_)) => None,
                Err(error) => return Err(error),
            };
            if matches!(application.stage, Stage::Confirmed | Stage::Enrolled) {
                standing.contract = self.contract_for(&application.id).await?;
            }
            if matches!(application.stage, Stage::Confirmed | Stage::Enrolled) {
                standing.funding = Some(self.funding(application).await?);
            }
            if standing.decided.is_some() && application.stage != Stage::Rejected {
                standing.deferral = self.store.deferral(&application.id).await?;
                standing.refused_deferral = self.store.refused_deferral(&application.id).await?;
            }
        }
        Ok(standing)
    }

    /// One of the applicant's past applications, with what was submitted.
    pub async fn past_application(&self, who: &SignedIn, id: &str) -> Result<Option<EndedApplication>, Error> {
        Ok(self.store.past_application(&who.applicant.id, id).await?)
    }

    /// Schedules reminders for an application that reaches a stage at which it waits for staff.
    pub(crate) fn watch_progress(&self, transition: &mut Transition, rules: &WorkRules) {
        if transition.from == Stage::Archived && transition.to == Stage::Offered {
            self.watch_offer(transition);
        }
        let (id, reached) = (transition.application_id.as_str(), (transition.to, transition.expected + 1));
        let watching = self.watch_waiting(id, reached, transition.at, rules);
        transition.jobs.extend(watching);
    }

    /// The reminders for an application that waits for staff from `at` on, at this stage and revision; none if it does
    /// not wait for them.
    pub(crate) fn watch_waiting(
        &self,
        application_id: &str,
        (stage, revision): (Stage, i64),
        at: Millis,
        rules: &WorkRules,
    ) -> Vec<NewJob> {
        if !waits_for_staff(stage) {
            return Vec::new();
        }
        let zone = &self.settings.time_zone;
        let today = day(at, zone);
        let overdue = rules.days_at(stage);
        let all = SLOW.into_iter().chain(Some(overdue).filter(|days| !SLOW.contains(days)));
        let job = |days: usize| NewJob {
            id: self.random.id(),
            kind: jobs::SLOW,
            subject: format!("application:{application_id}"),
            detail: json!({ "revision": revision, "days": days }),
            due_at: end_of(working_days_after(today, days), zone),
            plan_key: None,
            created_at: at,
        };
        all.map(job).collect()
    }

    /// [`jobs::SLOW`]
    pub(crate) async fn tell_of_slowness(&self, job: &Job) -> Result<Ran, Error> {
        let Some((applicant, application)) = self.store.application(subject(job)).await? else { return Ok(Ran::Done) };
        // Only what moves a waiting application forward changes its revision.
        let waits = waits_for_staff(application.stage) && job.detail["revision"] == application.revision;
        if waits {
            let days = job.detail["days"].as_u64().unwrap_or_default() as usize;
            let is_overdue = days >= self.product_settings().await.work.days_at(application.stage);
            let task = Task {
                id: job.id.clone(),
                kind: TaskKind::Slow,
                subject: job.subject.clone(),
                detail: json!({ "workingDays": days, "stage": application.stage.as_str() }),
                created_at: self.clock.now(),
                due_at: None,
            };
            let again = days > SLOW[0];
            let mail = mails::delayed(&self.wording().await, &applicant, application.program, again);
            let mail = NewMail { id: job.id.clone(), ..mail };
            // An applicant who has not chosen an interview time is not waiting for us, unless none of our times suited.
            let ours = application.stage == Stage::Held || self.store.wishes(&application.id).await?.is_some();
            let is_told = ours && SLOW.contains(&days);
            let tasks = if is_overdue { std::slice::from_ref(&task) } else { &[] };
            self.store.tell(tasks, if is_told { std::slice::from_ref(&mail) } else { &[] }).await?;
        }
        Ok(Ran::Done)
    }
}

fn waits_for_staff(stage: Stage) -> bool {
    matches!(stage, Stage::Submitted | Stage::Held)
}
