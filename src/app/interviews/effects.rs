//! Effects of acts on interviews: facts for the guards, and the slot, mails, calendar entries and reminders that belong
//! to a change of stage.

use serde_json::json;

use super::{CANCELLATION, REMINDER};
use crate::App;
use crate::applications::acts::Command;
use crate::mails::{Wording, interview as mails};
use domain::application::Application;
use domain::interview::ics::Method;
use domain::interview::{Interview, InterviewOutcome, Slot};
use domain::moments::{DAY, HOUR, MINUTE, Millis};
use domain::status::{Act, Change, Effect, Facts, Stage, UNDO_MINUTES};
use store::{InterviewChange, NewJob, NewMail, SlotRequest, Stored, Transition};

/// An application's interview, as known when an act is done.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meeting {
    now: Millis,
    interview: Option<Interview>,
    /// The chosen time, with a free slot at that time if there is one.
    chosen: Option<(Millis, Option<Slot>)>,
}

impl Meeting {
    pub(super) fn new(now: Millis, interview: Option<Interview>, chosen: Option<(Millis, Option<Slot>)>) -> Meeting {
        Meeting { now, interview, chosen }
    }

    /// Adds the facts about interviews.
    pub(crate) fn complete(&self, facts: Facts) -> Facts {
        let until = |moment: Millis| (moment - self.now).div_euclid(MINUTE);
        let interview = self.interview.as_ref();
        let open = interview.filter(|interview| interview.is_open());
        Facts {
            minutes_until_interview: open.map(|open| until(open.slot.span.starts_at)),
            moves_so_far: open.map(|open| u32::try_from(open.moves).unwrap_or(u32::MAX)),
            no_shows: Some(interview.map_or(0, |interview| u32::try_from(interview.no_shows).unwrap_or(u32::MAX))),
            minutes_until_slot: self.chosen.as_ref().map(|(starts_at, _)| until(*starts_at)),
            slot_free: match &self.chosen {
                Some((_, slot)) => slot.is_some(),
                None => interview.is_some_and(|interview| self.can_be_retaken(interview)),
            },
            ..facts
        }
    }

    /// Whether the freed slot is still available.
    fn can_be_retaken(&self, interview: &Interview) -> bool {
        interview.freed_at.is_some() && interview.slot_free && interview.slot.span.starts_at > self.now
    }
}

impl App {
    /// Looks up what an act needs to know about the interview.
    pub(crate) async fn meeting(
        &self,
        application: &Application,
        act: Act,
        starts_at: Option<Millis>,
        asked: SlotRequest<'_>,
    ) -> Stored<Meeting> {
        let has_none = matches!(application.stage, Stage::None | Stage::Draft | Stage::Changes);
        let concerns = matches!(
            act,
            Act::Book
                | Act::Move
                | Act::Cancel
                | Act::RecordHeld
                | Act::RecordNoShow
                | Act::UndoRecord
                | Act::Offer
                | Act::Reject
                | Act::Waitlist
                | Act::LeaveWaitlist
                | Act::Recall
                | Act::Reverse
                | Act::Withdraw
                | Act::UndoWithdraw
        );
        if has_none || !concerns {
            return Ok(Meeting::default());
        }
        let now = self.clock.now();
        let interview = self.store.interview(&application.id, now).await?;
        let chosen = match starts_at {
            Some(starts_at) => Some((starts_at, self.store.free_slot(&application.id, starts_at, now, asked).await?)),
            None => None,
        };
        Ok(Meeting { now, interview, chosen })
    }

    /// Adds the effects on the interview to the transition.
    pub(crate) fn meet(
        &self,
        wording: &Wording<'_>,
        command: &Command<'_>,
        current: &Application,
        change: Change,
        meeting: &Meeting,
        transition: &mut Transition,
    ) {
        let has = |effect: Effect| change.effects.contains(&effect);
        let before = meeting.interview.as_ref();
        let open = before.filter(|interview| interview.is_open());
        let slot = meeting.chosen.as_ref().and_then(|(_, slot)| slot.as_ref()).filter(|_| has(Effect::TakeSlot));
        let write = |interview| mails::Meeting { applicant: command.applicant, application: current, interview };
        match (command.act, slot, before, open) {
            (Act::Book, Some(slot), ..) => {
                let interview = Interview {
                    id: self.random.id(),
                    slot: slot.clone(),
                    sequence: 0,
                    moves: 0,
                    booked_at: transition.at,
                    freed_at: None,
                    outcome: None,
                    no_shows: before.map_or(0, |before| before.no_shows),
                    slot_free: false,
                };
                let (id, slot_id) = (interview.id.clone(), slot.id.clone());
                transition.interview = Some(InterviewChange::Book { id, slot_id });
                transition.mails.push(mails::booked(wording, write(&interview)));
                transition.mails.push(mails::interviewer_booked(self, write(&interview)));
                self.plan_reminders(&interview, transition);
            }
            (Act::Move, Some(slot), _, Some(open)) => {
                let counted = command.actor.is_applicant();
                let interview = Interview { slot: slot.clone(), sequence: open.sequence + 1, ..open.clone() };
                let (id, slot_id) = (interview.id.clone(), slot.id.clone());
                transition.interview = Some(InterviewChange::Move { id, slot_id, counted });
                transition.mails.push(mails::moved(wording, write(&interview)));
                if slot.interviewer_email == open.slot.interviewer_email {
                    transition.mails.push(mails::interviewer_moved(self, write(&interview)));
                } else {
                    // Another interviewer takes over.
                    let given_up = Interview { sequence: interview.sequence, ..open.clone() };
                    transition.mails.push(mails::interviewer_cancelled(self, write(&given_up)));
                    transition.mails.push(mails::interviewer_booked(self, write(&interview)));
                }
                self.plan_reminders(&interview, transition);
            }
            (Act::RecordHeld | Act::RecordNoShow | Act::UndoRecord, _, Some(before), _) => {
                let outcome = match command.act {
                    Act::RecordHeld => Some(InterviewOutcome::Held),
                    Act::RecordNoShow => Some(InterviewOutcome::NoShow),
                    _ => None,
                };
                transition.interview = Some(InterviewChange::Record { id: before.id.clone(), outcome });
                if has(Effect::RebookLink) {
                    transition.mails.push(mails::missed(wording, write(before), before.no_shows == 0));
                }
            }
            (_, _, _, Some(open)) if has(Effect::FreeSlot) => {
                let freed = Interview { sequence: open.sequence + 1, ..open.clone() };
                transition.interview = Some(InterviewChange::Free { id: open.id.clone() });
                transition.dropped_jobs.push(REMINDER);
                if open.slot.span.starts_at > meeting.now {
                    self.tell_who_is_free(wording, command, change, write(&freed), transition);
                }
            }
            (_, _, Some(before), _)
                if has(Effect::RetakeSlot) && change.to == Stage::Booked && before.freed_at.is_some() =>
            {
                let back = Interview { sequence: before.sequence + 1, freed_at: None, ..before.clone() };
                transition.interview = Some(InterviewChange::Retake { id: before.id.clone() });
                self.tell_who_meets_again(wording, command, write(&back), transition);
                self.plan_reminders(&back, transition);
            }
            _ => {}
        }
    }

    /// Tells both sides that an upcoming interview does not take place.
    fn tell_who_is_free(
        &self,
        wording: &Wording<'_>,
        command: &Command<'_>,
        change: Change,
        meeting: mails::Meeting<'_>,
        transition: &mut Transition,
    ) {
        if command.act == Act::Cancel {
            transition.mails.push(mails::cancelled(wording, meeting));
        } else if change.effects.iter().any(|effect| matches!(effect, Effect::HoldMail(_))) {
            // An empty calendar must not reveal a decision to the applicant.
            let due_at = transition.at + UNDO_MINUTES * MINUTE;
            transition.jobs.push(self.interview_job(CANCELLATION, meeting.interview, due_at, transition));
        } else {
            attach(self, &mut transition.mails, meeting, Method::Cancel);
        }
        transition.mails.push(mails::interviewer_cancelled(self, meeting));
    }

    /// Tells both sides that the interview takes place after all.
    fn tell_who_meets_again(
        &self,
        wording: &Wording<'_>,
        command: &Command<'_>,
        meeting: mails::Meeting<'_>,
        transition: &mut Transition,
    ) {
        match command.act {
            // The applicant was never told.
            Act::Recall => transition.dropped_jobs.push(CANCELLATION),
            Act::UndoWithdraw => attach(self, &mut transition.mails, meeting, Method::Request),
            _ => transition.mails.push(mails::booked(wording, meeting)),
        }
        transition.mails.push(mails::interviewer_booked(self, meeting));
    }

    /// Schedules reminders of the interview as it is now, replacing earlier ones.
    fn plan_reminders(&self, interview: &Interview, transition: &mut Transition) {
        transition.dropped_jobs.push(REMINDER);
        for before in [DAY, HOUR] {
            let due_at = interview.slot.span.starts_at - before;
            if due_at > transition.at {
                transition.jobs.push(self.interview_job(REMINDER, interview, due_at, transition));
            }
        }
    }

    fn interview_job(
        &self,
        kind: &'static str,
        interview: &Interview,
        due_at: Millis,
        transition: &Transition,
    ) -> NewJob {
        NewJob {
            id: self.random.id(),
            kind,
            subject: format!("application:{}", transition.application_id),
            detail: json!({ "interview": interview.id, "sequence": interview.sequence }),
            due_at,
            plan_key: None,
            created_at: transition.at,
        }
    }
}

/// Attaches the calendar entry to the mail that goes to the applicant anyway.
fn attach(app: &App, all: &mut Vec<NewMail>, meeting: mails::Meeting<'_>, method: Method) {
    let own = all.iter().position(|mail| mail.applicant_id.is_some());
    let Some(mail) = own.map(|place| all.remove(place)) else { return };
    all.push(mails::with(app, mail, meeting, method));
}
