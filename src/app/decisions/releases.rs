//! Releasing decisions: several at once, at a chosen time, and the list of those awaiting release. Each decision is
//! released, scheduled or recalled in its own transaction.

use serde_json::json;

use crate::App;
use crate::applications::acts::Preconditions;
use crate::decisions::drafting::{HOLD, may_be_released};
use crate::error::{Error, Refusal};
use crate::jobs::Ran;
use domain::application::{Application, ApplicationKey};
use domain::clocks;
use domain::decision::{Decision, DecisionState, PendingDecision, PlannedRelease};
use domain::input::{FieldError, Input};
use domain::moments::{DAY, Millis, rfc3339};
use domain::permission::Permission;
use domain::staff::{Staff, StaffSession};
use domain::status::{Refused, Stage};
use domain::task::{Task, TaskKind};
use store::{Job, NewJob, RELEASE, release_subject};

/// Maximum number of decisions released or recalled at once.
pub const MAX_RELEASED: usize = 200;
/// How far ahead a release can be scheduled: anything later is a typing error.
const FURTHEST: Millis = 366 * DAY;

/// When to release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    Now,
    At(Millis),
}

/// Decisions awaiting release, and those that can still be recalled.
#[derive(Debug, Clone)]
pub struct ReleaseList {
    /// Oldest first, up to the number that can be released at once.
    pub drafts: Vec<PendingDecision>,
    pub draft_count: i64,
    /// Released so recently that applicants do not know yet.
    pub held: Vec<PendingDecision>,
}

/// What was done with a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    Released,
    Planned,
    Recalled,
    /// Nothing, since it was already done.
    Already,
}

/// The result for one of several decisions.
#[derive(Debug)]
pub struct ReleaseResult {
    pub decision_id: String,
    pub result: Result<Done, Error>,
}

impl When {
    /// Parses `{"at": "2026-05-12T14:00:00Z"}`; without a time it is now.
    ///
    /// # Errors
    /// `at.type`, `at.invalid`, `at.past`, `at.too_far`.
    pub fn parse(at: Option<&Input>, now: Millis) -> Result<When, FieldError> {
        let error = |rule: &str, sentence: &'static str| FieldError::new("at", format!("at.{rule}"), sentence);
        let text = match at {
            None | Some(Input::Null) => return Ok(When::Now),
            Some(Input::Text(text)) => text.trim(),
            Some(_) => return Err(error("type", "The time must be text, for example 2026-05-12T14:00:00Z.")),
        };
        let moment: Result<jiff::Timestamp, _> = text.parse();
        let at = moment.map_err(|_| error("invalid", "Write the time as 2026-05-12T14:00:00Z."))?.as_millisecond();
        When::at(at, now)
    }

    /// Parses a date and a time of day in a time zone.
    ///
    /// # Errors
    /// `at.required`, `at.invalid`, `at.skipped`, `at.past`, `at.too_far`.
    pub fn on_clock(day: &str, time: &str, zone: &str, now: Millis) -> Result<When, FieldError> {
        let error = |rule: &str, sentence: &'static str| FieldError::new("at", format!("at.{rule}"), sentence);
        let (day, time) = (day.trim(), time.trim());
        if day.is_empty() || time.is_empty() {
            return Err(error("required", "Choose a day and a time."));
        }
        let day: jiff::civil::Date =
            day.parse().map_err(|_| error("invalid", "Choose a day, for example 2026-05-12."))?;
        let time = jiff::civil::Time::strptime("%H:%M", time)
            .map_err(|_| error("invalid", "Choose a time of day, for example 14:00."))?;
        let at = clocks::moment(day.to_datetime(time), &clocks::zone(zone));
        let skipped = "The clocks go forward on that day, and this time does not exist. Choose another one.";
        When::at(at.ok_or_else(|| error("skipped", skipped))?, now)
    }

    fn at(at: Millis, now: Millis) -> Result<When, FieldError> {
        if at <= now {
            Err(FieldError::new("at", "at.past", "This time is over. Choose a later one, or release now."))
        } else if at > now + FURTHEST {
            Err(FieldError::new("at", "at.too_far", "Choose a day within a year."))
        } else {
            Ok(When::At(at))
        }
    }
}

/// The ids of several decisions, without duplicates.
///
/// # Errors
/// `decisions.required`, `decisions.range`.
pub fn chosen(ids: impl IntoIterator<Item = String>) -> Result<Vec<String>, FieldError> {
    let mut chosen: Vec<String> = Vec::new();
    for id in ids {
        if !chosen.contains(&id) {
            chosen.push(id);
        }
    }
    let error =
        |rule: &str, sentence: &'static str| Err(FieldError::new("decisions", format!("decisions.{rule}"), sentence));
    match chosen.len() {
        0 => error("required", "Choose at least one decision."),
        count if count > MAX_RELEASED => error("range", "Choose at most 200 decisions at once."),
        _ => Ok(chosen),
    }
}

/// Checks that the application is at the revision that the member of staff has seen.
///
/// # Errors
/// [`Refusal::ApplicationChanged`]
pub fn expect_revision(application: &Application, revision: Option<i64>) -> Result<(), Error> {
    if revision.is_none_or(|revision| revision == application.revision) {
        Ok(())
    } else {
        Err(Refusal::ApplicationChanged.into())
    }
}

impl App {
    /// A submitted application, for a member of staff.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`]
    pub async fn office_application(
        &self,
        who: &StaffSession,
        id: &str,
        permission: Permission,
    ) -> Result<Application, Error> {
        if !who.staff.role.may(permission) {
            return Err(Refusal::RoleForbidden.into());
        }
        let (_, application) = self.find_application(ApplicationKey::Id(id)).await.map_err(Error::for_staff)?;
        // A draft is private to its applicant.
        let is_listed = application.submitted_at.is_some() && application.stage != Stage::Draft;
        if is_listed { Ok(application) } else { Err(Refusal::ApplicationNotFound.into()) }
    }

    /// The decisions on an application, in any state.
    pub async fn decisions_on(&self, application_id: &str) -> Result<Vec<Decision>, Error> {
        Ok(self.store.decisions(application_id).await?)
    }

    /// A decision on an application.
    ///
    /// # Errors
    /// [`Refusal::NoDecision`], also for one on another application.
    pub async fn decision_on(&self, application_id: &str, id: &str) -> Result<Decision, Error> {
        let found = self.store.decision(id).await?;
        Ok(found.filter(|found| found.application_id == application_id).ok_or(Refusal::NoDecision)?)
    }

    /// Releases a draft on an application, or schedules its release.
    ///
    /// # Errors
    /// Errors of [`office_application`](Self::office_application), [`decision_on`](Self::decision_on),
    /// [`release_decision`](Self::release_decision) and [`plan_release`](Self::plan_release).
    pub async fn release(
        &self,
        who: &StaffSession,
        application_id: &str,
        id: &str,
        when: When,
        conditions: Preconditions,
    ) -> Result<Done, Error> {
        let application = self.office_application(who, application_id, Permission::Release).await?;
        let draft = self.decision_on(application_id, id).await?;
        match when {
            When::Now => {
                self.release_decision(&who.staff, id, conditions).await?;
                Ok(Done::Released)
            }
            When::At(at) => {
                expect_revision(&application, conditions.expected)?;
                self.plan_release(&who.staff, &draft, at).await?;
                Ok(Done::Planned)
            }
        }
    }

    /// Lists decisions that await release or can be recalled.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn release_list(&self, who: &StaffSession) -> Result<ReleaseList, Error> {
        releaser(&who.staff)?;
        let limit = MAX_RELEASED as i64;
        Ok(ReleaseList {
            drafts: self.store.drafts(limit).await?,
            draft_count: self.store.draft_count().await?,
            held: self.store.released_since(self.clock.now() - HOLD, limit).await?,
        })
    }

    /// The decisions with these ids, in any state; unknown ids are skipped.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn pending_decisions(&self, who: &StaffSession, ids: &[String]) -> Result<Vec<PendingDecision>, Error> {
        releaser(&who.staff)?;
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            found.extend(self.store.pending_decision(id).await?);
        }
        Ok(found)
    }

    /// Releases several drafts, or schedules their release, and returns a result for each. Repeating it does not undo
    /// anything.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn release_decisions(
        &self,
        who: &StaffSession,
        ids: &[String],
        when: When,
    ) -> Result<Vec<ReleaseResult>, Error> {
        releaser(&who.staff)?;
        let mut results = Vec::with_capacity(ids.len());
        for id in ids {
            let result = self.release_or_plan(&who.staff, id, when).await;
            results.push(ReleaseResult { decision_id: id.clone(), result });
        }
        Ok(results)
    }

    /// Recalls several decisions, where still possible.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn recall_decisions(&self, who: &StaffSession, ids: &[String]) -> Result<Vec<ReleaseResult>, Error> {
        releaser(&who.staff)?;
        let mut results = Vec::with_capacity(ids.len());
        for id in ids {
            let result = self.recall_this(&who.staff, id).await;
            results.push(ReleaseResult { decision_id: id.clone(), result });
        }
        Ok(results)
    }

    async fn release_or_plan(&self, staff: &Staff, id: &str, when: When) -> Result<Done, Error> {
        let decision = self.store.decision(id).await?.ok_or(Refusal::NoDecision)?;
        match (decision.state, when) {
            (DecisionState::Released, _) => Ok(Done::Already),
            (DecisionState::Draft, When::Now) => {
                self.release_decision(staff, id, Preconditions::default()).await?;
                Ok(Done::Released)
            }
            (DecisionState::Draft, When::At(at)) => {
                if decision.planned.as_ref().is_some_and(|planned| planned.at == at) {
                    return Ok(Done::Already);
                }
                self.plan_release(staff, &decision, at).await?;
                Ok(Done::Planned)
            }
            _ => Err(Refusal::DraftChanged.into()),
        }
    }

    async fn recall_this(&self, staff: &Staff, id: &str) -> Result<Done, Error> {
        let pending = self.store.pending_decision(id).await?.ok_or(Refusal::NoDecision)?;
        match pending.decision.state {
            DecisionState::Recalled => Ok(Done::Already),
            DecisionState::Released => {
                let key = ApplicationKey::Id(&pending.decision.application_id);
                // Does not recall another decision on the same application.
                let conditions = Preconditions { expected: Some(pending.revision), key: None };
                self.recall_decision(staff, key, conditions).await?;
                Ok(Done::Recalled)
            }
            _ => Err(Refusal::DraftChanged.into()),
        }
    }

    /// Schedules the release of a draft. What could not be released now cannot be scheduled.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Refusal::DraftChanged`] for one that was replaced or released,
    /// [`Refusal::NoApplication`].
    pub async fn plan_release(&self, staff: &Staff, decision: &Decision, at: Millis) -> Result<(), Error> {
        releaser(staff)?;
        if decision.state == DecisionState::Draft && decision.planned.as_ref().is_some_and(|planned| planned.at == at) {
            return Ok(());
        }
        let pending = self.store.pending_decision(&decision.id).await?.ok_or(Refusal::NoDecision)?;
        let facts = self.release_facts(staff, &pending).await?;
        may_be_released(decision, pending.stage, staff.role, facts).map_err(Error::NotAllowed)?;
        let planned = PlannedRelease { at, by: staff.id.clone() };
        let job = NewJob {
            id: self.random.id(),
            kind: RELEASE,
            subject: release_subject(&decision.id),
            detail: json!({}),
            due_at: at,
            plan_key: None,
            created_at: self.clock.now(),
        };
        let detail = json!({ "decision": decision.id, "at": rfc3339(at) });
        let subject = format!("application:{}", decision.application_id);
        let audit = self.audit_entry(format!("staff:{}", staff.id), subject, "decision.release_planned", detail);
        let planned = self.store.plan_release(decision, Some((&planned, &job)), &audit, None).await?;
        if planned { Ok(()) } else { Err(Refusal::DraftChanged.into()) }
    }

    /// Cancels the scheduled release of a draft; the draft stays.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Refusal::DraftChanged`] for one that was replaced or released.
    pub async fn drop_planned_release(&self, staff: &Staff, decision: &Decision) -> Result<(), Error> {
        releaser(staff)?;
        if decision.state == DecisionState::Draft && decision.planned.is_none() {
            return Ok(());
        }
        let detail = json!({ "decision": decision.id });
        let subject = format!("application:{}", decision.application_id);
        let audit = self.audit_entry(format!("staff:{}", staff.id), subject, "decision.release_dropped", detail);
        let dropped = self.store.plan_release(decision, None, &audit, None).await?;
        if dropped { Ok(()) } else { Err(Refusal::DraftChanged.into()) }
    }

    /// [`RELEASE`]
    pub(crate) async fn release_planned(&self, job: &Job) -> Result<Ran, Error> {
        let id = job.subject.strip_prefix("decision:").unwrap_or_default();
        let Some(decision) = self.store.decision(id).await? else { return Ok(Ran::Done) };
        let Some(planned) = decision.planned.clone().filter(|_| decision.state == DecisionState::Draft) else {
            return Ok(Ran::Done);
        };
        if planned.at > self.clock.now() {
            return Ok(Ran::AgainAt(planned.at));
        }
        let staff = self.store.staff_by_id(&planned.by).await?.filter(|staff| staff.suspended_at.is_none());
        let released = match &staff {
            Some(staff) => self.release_decision(staff, id, Preconditions::default()).await.map(drop),
            None => Err(Error::NotAllowed(Refused::Forbidden)),
        };
        match released {
            Ok(()) => Ok(Ran::Done),
            Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => Err(error),
            Err(error) => self.give_up_planned(&decision, &error).await,
        }
    }

    /// Gives up a scheduled release that is no longer possible: somebody has to look at it.
    async fn give_up_planned(&self, decision: &Decision, error: &Error) -> Result<Ran, Error> {
        let subject = format!("application:{}", decision.application_id);
        let why = match error {
            Error::NotAllowed(refused) => refused.code(),
            Error::Refused(refusal) => refusal.code(),
            _ => "application.stale",
        };
        let detail = json!({ "decision": decision.id, "code": why });
        let task = Task {
            id: self.random.id(),
            kind: TaskKind::ReleaseFailed,
            subject: subject.clone(),
            detail: detail.clone(),
            created_at: self.clock.now(),
            due_at: None,
        };
        let audit = self.audit_entry("system".into(), subject, "decision.release_failed", detail);
        self.store.plan_release(decision, None, &audit, Some(&task)).await?;
        Ok(Ran::Done)
    }
}

/// Checks that the member of staff may release decisions.
fn releaser(staff: &Staff) -> Result<(), Error> {
    if staff.role.may(Permission::Release) { Ok(()) } else { Err(Refusal::RoleForbidden.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = 1_777_896_000_000; // 2026-05-04T12:00:00Z

    fn code<T: std::fmt::Debug>(result: Result<T, FieldError>) -> String {
        result.unwrap_err().code
    }

    #[test]
    fn a_release_is_planned_for_a_time_to_come() {
        let parse = |text: &str| When::parse(Some(&Input::Text(text.into())), NOW);
        assert_eq!(When::parse(None, NOW), Ok(When::Now));
        assert_eq!(parse("2026-05-04T12:00:01Z"), Ok(When::At(NOW + 1000)));
        assert_eq!(code(parse("2026-05-04T12:00:00Z")), "at.past");
        assert_eq!(code(parse("2027-05-06T12:00:00Z")), "at.too_far");
        assert_eq!(code(parse("tomorrow")), "at.invalid");
        assert_eq!(code(When::parse(Some(&Input::Whole(1)), NOW)), "at.type");
    }

    #[test]
    fn a_time_on_the_clock_is_one_that_comes() {
        let on = |day, time| When::on_clock(day, time, "America/Chicago", NOW);
        assert_eq!(on("2026-05-04", "08:00"), Ok(When::At(NOW + 60 * 60_000)));
        assert_eq!(code(on("2026-05-04", "06:59")), "at.past");
        assert_eq!(code(on("2026-05-04", "")), "at.required");
        assert_eq!(code(on("4 May", "10:00")), "at.invalid");
        assert_eq!(code(on("2026-05-05", "10 am")), "at.invalid");
        assert_eq!(code(on("2027-03-14", "02:30")), "at.skipped");
    }

    #[test]
    fn each_decision_is_chosen_once_and_not_too_many() {
        let many = |count: usize| chosen((0..count).map(|n| n.to_string()));
        assert_eq!(chosen(["a", "b", "a"].map(str::to_owned)).unwrap(), ["a", "b"]);
        assert_eq!(code(many(0)), "decisions.required");
        assert_eq!(many(200).unwrap().len(), 200);
        assert_eq!(code(many(201)), "decisions.range");
    }
}
