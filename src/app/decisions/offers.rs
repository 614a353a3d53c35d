//! Offers: how long they are open, reminders, and the applicant's reply.

use jiff::ToSpan;
use serde_json::json;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::applications::acts::{Actor, Command, Preconditions};
use crate::decisions::drafting::HOLD;
use crate::error::{Error, Refusal};
use crate::jobs::{self, Ran, subject};
use crate::mails;
use domain::application::Application;
use domain::body::{lines, wrong};
use domain::clocks::{day, end_of};
use domain::decision::{Decided, MAX_REASON_LENGTH, Reply};
use domain::input::{FieldError, Input};
use domain::moments::{DAY, Millis};
use domain::status::{Act, Facts, Refused, Stage};
use domain::{body, text};
use store::{DecisionWrite, Job, NewJob, NewMail, Transition};

/// Days that an offer is open, and days after which applicants who have not replied are reminded.
const OPEN: i64 = 30;
const REMINDERS: [i64; 4] = [7, 14, 21, 28];

body! {
    /// The applicant's reply to an offer.
    pub struct OfferReply {
        reply: Reply = reply,
        /// Up to 1,000 characters.
        #[schema(nullable = false)]
        reason: Option<String> = lines(text!("The reason"), MAX_REASON_LENGTH),
    }
}

fn reply(path: &str, input: Option<&Input>) -> Result<Reply, FieldError> {
    match input {
        Some(Input::Text(reply)) if reply == "accept" => Ok(Reply::Accept),
        Some(Input::Text(reply)) if reply == "decline" => Ok(Reply::Decline),
        Some(_) => Err(wrong(path, "unknown", text!("Reply with accept or decline."))),
        None => Err(wrong(path, "required", text!("Choose whether you accept or decline the offer."))),
    }
}

impl App {
    /// The decision in full, if the applicant may see it. `application` is a copy made for them.
    ///
    /// # Errors
    /// [`Refusal::NoDecision`]
    pub async fn decision_for(&self, application: &Application) -> Result<Decided, Error> {
        let is_told = matches!(
            application.stage,
            Stage::Offered | Stage::Confirmed | Stage::Lapsed | Stage::Rejected | Stage::Enrolled | Stage::Deferred
        );
        let decided = if is_told { self.store.decided(&application.id).await? } else { None };
        Ok(decided.ok_or(Refusal::NoDecision)?)
    }

    /// Accepts or declines the offer.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when there is no offer to reply to, or it is closed, [`Error::Stale`],
    /// [`Refusal::NoApplication`].
    pub async fn reply_to_offer(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        reply: OfferReply,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let OfferReply { reply, reason } = reply;
        let act = match reply {
            Reply::Accept => Act::Accept,
            Reply::Decline => Act::Decline,
        };
        if let Some(application) = self.repeated(&who.applicant.id, act, &conditions).await? {
            return Ok(application);
        }
        let current = known.ok_or(Refusal::NoApplication)?;
        let decided = self.store.decided(&current.id).await?;
        let open_until = decided.and_then(|decided| decided.offer).map(|offer| offer.open_until);
        let facts = |_: &Application| Facts {
            offer_open: open_until.map(|until| self.clock.now() < until),
            ..Facts::default()
        };
        let also = |_: &Application, transition: &mut Transition| {
            transition.decision.push(DecisionWrite::Reply { reply: Some(reply), reason: reason.clone() });
        };
        let command = Command { also: &also, ..Command::own(who, act, &facts, json!({}), conditions) };
        Ok(self.act(current, command).await?)
    }

    /// Undoes a decline within the time allowed.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when it is too late, or another application is active, [`Error::Stale`],
    /// [`Refusal::NoApplication`].
    pub async fn undo_decline(&self, who: &SignedIn, conditions: Preconditions) -> Result<Application, Error> {
        if let Some(application) = self.repeated(&who.applicant.id, Act::UndoDecline, &conditions).await? {
            return Ok(application);
        }
        self.undo_end(who, Act::UndoDecline, conditions).await
    }

    /// Schedules the mail about a release for when it can no longer be recalled.
    pub(crate) fn announce_later(&self, transition: &mut Transition) {
        let detail = json!({ "releasedAt": transition.at });
        transition.jobs.push(self.job_about(transition, jobs::ANNOUNCE, detail, transition.at + HOLD));
    }

    /// Opens the offer from now to the end of the last day.
    pub(crate) fn open_offer(&self, transition: &mut Transition) {
        let last_day = day(transition.at, &self.settings.time_zone).saturating_add(OPEN.days());
        let until = end_of(last_day, &self.settings.time_zone);
        transition.decision.push(DecisionWrite::OpenOffer { until });
        transition.dropped_jobs.push(jobs::LAPSE);
        transition.jobs.push(self.lapse_at(transition, until));
    }

    /// Schedules the reminders of an offer that was just opened.
    pub(crate) fn remind_of_offer(&self, transition: &mut Transition) {
        transition.dropped_jobs.push(jobs::REPLY_REMINDER);
        for days in REMINDERS {
            let detail = json!({ "openedAt": transition.at });
            let job = self.job_about(transition, jobs::REPLY_REMINDER, detail, transition.at + days * DAY);
            transition.jobs.push(job);
        }
    }

    /// Watches an offer that comes back from the archive: the job finds out whether its time is already over.
    pub(crate) fn watch_offer(&self, transition: &mut Transition) {
        transition.jobs.push(self.lapse_at(transition, transition.at));
    }

    fn lapse_at(&self, transition: &Transition, due_at: Millis) -> NewJob {
        let job = self.job_about(transition, jobs::LAPSE, json!({}), due_at);
        NewJob { plan_key: Some(format!("{}:{}", jobs::LAPSE, transition.application_id)), ..job }
    }

    pub(crate) fn job_about(
        &self,
        transition: &Transition,
        kind: &'static str,
        detail: serde_json::Value,
        due_at: Millis,
    ) -> NewJob {
        NewJob {
            id: self.random.id(),
            kind,
            subject: format!("application:{}", transition.application_id),
            detail,
            due_at,
            plan_key: None,
            created_at: transition.at,
        }
    }

    /// [`jobs::ANNOUNCE`]
    pub(crate) async fn announce(&self, job: &Job) -> Result<Ran, Error> {
        let Some((applicant, application)) = self.store.application(subject(job)).await? else { return Ok(Ran::Done) };
        let released_at = job.detail["releasedAt"].as_i64();
        let stands = matches!(application.stage, Stage::Offered | Stage::Rejected);
        if stands && application.released.map(|released| released.at) == released_at {
            let mail = mails::status_update(&self.wording().await, &applicant, application.program);
            self.store.tell(&[], &[NewMail { id: job.id.clone(), ..mail }]).await?;
        }
        Ok(Ran::Done)
    }

    /// [`jobs::REPLY_REMINDER`]
    pub(crate) async fn remind_to_reply(&self, job: &Job) -> Result<Ran, Error> {
        let Some((applicant, application)) = self.store.application(subject(job)).await? else { return Ok(Ran::Done) };
        let decided =
            if application.stage == Stage::Offered { self.store.decided(&application.id).await? } else { None };
        if let Some(offer) = decided.and_then(|decided| decided.offer)
            && Some(offer.opened_at) == job.detail["openedAt"].as_i64()
            && self.clock.now() < offer.open_until
            && applicant.profile.reminders
        {
            let last_day = offer.last_day(&self.settings.time_zone);
            let mail = mails::reply_reminder(&self.wording().await, &applicant, application.program, last_day);
            self.store.tell(&[], &[NewMail { id: job.id.clone(), ..mail }]).await?;
        }
        Ok(Ran::Done)
    }

    /// [`jobs::LAPSE`]
    pub(crate) async fn lapse_offer(&self, job: &Job) -> Result<Ran, Error> {
        let Some((applicant, application)) = self.store.application(subject(job)).await? else { return Ok(Ran::Done) };
        let decided =
            if application.stage == Stage::Offered { self.store.decided(&application.id).await? } else { None };
        let Some(offer) = decided.and_then(|decided| decided.offer) else { return Ok(Ran::Done) };
        if self.clock.now() < offer.open_until {
            return Ok(Ran::AgainAt(offer.open_until));
        }
        let facts = |_: &Application| Facts { offer_open: Some(false), ..Facts::default() };
        let command = Command {
            act: Act::Lapse,
            actor: Actor::system(),
            applicant: &applicant,
            facts: &facts,
            detail: json!({}),
            also: &|_, _| {},
            conditions: Preconditions { expected: Some(application.revision), key: None },
        };
        match self.act(application, command).await.map_err(Error::from) {
            // Somebody was quicker: the new state has its own job, or needs none.
            Ok(_) | Err(Error::NotAllowed(Refused::NotFrom { .. }) | Error::Stale(_)) => Ok(Ran::Done),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_one_of_two_with_a_reason_or_without() {
        let parse = |fields: &[(&str, Input)]| {
            let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            OfferReply::parse(&Input::Map(fields)).map_err(|errors| errors[0].code.clone())
        };
        let text = |text: &str| Input::Text(text.into());
        assert_eq!(parse(&[("reply", text("accept"))]).unwrap().reply, Reply::Accept);
        let declined = parse(&[("reply", text("decline")), ("reason", text(" Far\r\naway "))]).unwrap();
        assert_eq!((declined.reply, declined.reason.as_deref()), (Reply::Decline, Some("Far\naway")));
        for (fields, code) in [
            (vec![], "reply.required"),
            (vec![("reply", text("maybe"))], "reply.unknown"),
            (vec![("reply", Input::Bool(true))], "reply.unknown"),
            (vec![("reply", text("accept")), ("stage", text("enrolled"))], "field.unknown"),
            (vec![("reply", text("decline")), ("reason", text(&"x".repeat(1001)))], "reason.too_long"),
        ] {
            assert_eq!(parse(&fields).unwrap_err(), code);
        }
    }
}
