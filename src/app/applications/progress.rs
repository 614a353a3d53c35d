//! How an application has come along, for its dashboard, and the watch over those that wait for staff.

use serde_json::json;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::Error;
use crate::jobs::{self, Ran, subject};
use crate::mails;
use crate::money::funding::FundingView;
use domain::application::{Application, ChangeRequest, EndedApplication};
use domain::calendar::{SLOW, working_days_after};
use domain::clocks::{day, end_of};
use domain::contract::Contract;
use domain::decision::{Decided, Deferral, RefusedDeferral};
use domain::intake::Intake;
use domain::settings::WorkRules;
use domain::status::Stage;
use domain::task::{Task, TaskKind};
use store::{Job, Milestones, NewMail, Transition};

/// Most past applications that are listed.
const PAST: i64 = 50;

/// What a dashboard tells besides the stage.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    pub milestones: Milestones,
    pub decided: Option<Decided>,
    pub deferral: Option<Deferral>,
    pub refused_deferral: Option<RefusedDeferral>,
    /// The contract that counts, once it is sent.
    pub contract: Option<Contract>,
    /// How tuition is paid, for somebody who has taken the offer.
    pub funding: Option<FundingView>,
    /// What we ask to be changed, while we wait for it.
    pub changes: Option<ChangeRequest>,
    pub past: Vec<EndedApplication>,
}

impl Standing {
    /// The intake that somebody who has a place starts with.
    pub fn intake(&self) -> Option<Intake> {
        self.decided.as_ref().map(|decided| decided.intake(self.deferral.as_ref()))
    }
}

impl App {
    /// Looks up what there is to tell, and nothing that there cannot be. `application` is a copy that was made for the
    /// applicant.
    pub async fn standing(&self, who: &SignedIn, application: Option<&Application>) -> Result<Standing, Error> {
        let applicant_id = &who.applicant.id;
        let application_id = application.map_or("", |application| application.id.as_str());
        let milestones = self.store.milestones(applicant_id, application_id).await?;
        let past = match milestones.past_applications {
            0 => Vec::new(),
            _ => self.store.past_applications(applicant_id, PAST).await?,
        };
        let mut standing = Standing { milestones, past, ..Standing::default() };
        if let Some(application) = application {
            standing.changes = self.change_request(application).await?;
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

    /// One of the applicant's applications that are over, with what was submitted.
    pub async fn past_application(&self, who: &SignedIn, id: &str) -> Result<Option<EndedApplication>, Error> {
        Ok(self.store.past_application(&who.applicant.id, id).await?)
    }

    /// Has somebody look after an application that comes to a stage at which it waits for staff.
    pub(crate) fn watch_progress(&self, transition: &mut Transition, rules: &WorkRules) {
        if transition.from == Stage::Archived && transition.to == Stage::Offered {
            self.watch_offer(transition);
        }
        if !waits_for_staff(transition.to) {
            return;
        }
        let zone = &self.settings.time_zone;
        let today = day(transition.at, zone);
        let overdue = rules.days_at(transition.to);
        for days in SLOW.into_iter().chain(Some(overdue).filter(|days| !SLOW.contains(days))) {
            let due_at = end_of(working_days_after(today, days), zone);
            let detail = json!({ "revision": transition.expected + 1, "days": days });
            transition.jobs.push(self.job_about(transition, jobs::SLOW, detail, due_at));
        }
    }

    /// [`jobs::SLOW`]
    pub(crate) async fn tell_of_slowness(&self, job: &Job) -> Result<Ran, Error> {
        let Some((applicant, application)) = self.store.application(subject(job)).await? else { return Ok(Ran::Done) };
        // Nothing changes an application that waits but what brings it on.
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
            // Who has not chosen a time for the interview does not wait for us, unless none of ours suited.
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
