//! Free places and the lines of those who wait for them: the first in line is offered one by the rule of the program,
//! or staff get a task about it.

use serde_json::json;

use crate::App;
use crate::applications::acts::Preconditions;
use crate::decisions::drafting::{HOLD, Lacks, ReleaseFacts};
use crate::error::Error;
use crate::jobs::{FILL_PLACES, Ran};
use domain::intake::Intake;
use domain::moments::{HOUR, Millis};
use domain::places::{PlaceRules, Release};
use domain::program::Program;
use domain::status::{Act, Guard, Outcome, Refused, Stage};
use domain::task::{Task, TaskKind};
use store::{FirstInLine, Job, NewJob, Transition};

/// Places of an intake that are offered at a time; the next run goes on.
const AT_ONCE: usize = 200;
/// Why staff have a task about a place that the rule does not offer.
const BY_HAND: &str = "hand";

/// Whether an application at this stage holds a place.
fn holds_place(stage: Stage) -> bool {
    matches!(stage, Stage::Offered | Stage::Confirmed | Stage::Enrolled | Stage::Deferred)
}

impl App {
    /// Plans to look after the lines of a program if an act may free or take a place, or changes a line.
    pub(crate) async fn watch_places(&self, transition: &mut Transition, program: Program) {
        let Transition { act, from, to, at, .. } = *transition;
        let held = holds_place(from);
        let moves_place = held != holds_place(to) || matches!(act, Act::Defer | Act::Resume);
        let changes_line = [from, to].contains(&Stage::Waitlisted);
        if !(changes_line || moves_place && self.product_settings().await.places(program).is_limited()) {
            return;
        }
        // The place is kept as long as that can be undone.
        let is_undoable = held && matches!(act, Act::Decline | Act::Withdraw);
        let due_at = if is_undoable { at + HOLD } else { at };
        transition.jobs.push(self.places_job(program, due_at, at));
    }

    /// The job that looks after the lines of a program.
    pub(crate) fn places_job(&self, program: Program, due_at: Millis, now: Millis) -> NewJob {
        NewJob {
            id: self.random.id(),
            kind: FILL_PLACES,
            subject: format!("places:{}", program.application_type()),
            detail: json!({}),
            due_at,
            // One that runs already may have looked too early.
            plan_key: None,
            created_at: now,
        }
    }

    /// [`FILL_PLACES`]
    pub(crate) async fn fill_places(&self, job: &Job) -> Result<Ran, Error> {
        let program = job.subject.strip_prefix("places:").and_then(Program::of_application_type);
        let mut filled = Ok(());
        for (of, intake, _) in self.store.waitlists().await? {
            if program.is_none_or(|program| program == of) {
                // What fails for one line keeps no place from the others.
                filled = filled.and(self.fill_line(of, intake).await);
            }
        }
        filled?;
        let recurs = job.subject == FILL_PLACES;
        Ok(if recurs { Ran::AgainAt(self.clock.now() + HOUR) } else { Ran::Done })
    }

    /// Offers the free places of an intake to its line, or leaves staff a task about the first in it.
    async fn fill_line(&self, program: Program, intake: Intake) -> Result<(), Error> {
        let mut last: Option<FirstInLine> = None;
        for _ in 0..AT_ONCE {
            // As they are now: others may know of a change some seconds later.
            let rules = self.store.place_rules(program).await?;
            let now = self.clock.now();
            let first = if self.is_place_free(program, intake, &rules).await? {
                self.store.first_in_line(program, intake).await?
            } else {
                None
            };
            let Some(first) = first else {
                return Ok(self.store.tell_of_place(program, intake, None, now).await?);
            };
            if last.as_ref() == Some(&first) {
                // Nobody was quicker after all: the next run tries again.
                return Ok(());
            }
            // Without a limit, everybody would get an offer as soon as somebody empties a field.
            let by_rule = rules.release == Release::ByOrder && rules.limit(intake).is_some();
            let why = match by_rule {
                true => self.offer_by_rule(&first).await?,
                false => Some(BY_HAND),
            };
            if let Some(why) = why {
                let task = Task {
                    id: self.random.id(),
                    kind: TaskKind::PlaceFree,
                    subject: format!("application:{}", first.application_id),
                    detail: json!({ "intake": intake.code(), "why": why }),
                    created_at: now,
                    due_at: None,
                };
                return Ok(self.store.tell_of_place(program, intake, Some(&task), now).await?);
            }
            last = Some(first);
        }
        Ok(())
    }

    /// Whether a place of the intake is free, and studies have not begun.
    async fn is_place_free(&self, program: Program, intake: Intake, rules: &PlaceRules) -> Result<bool, Error> {
        if intake.start <= self.today() {
            return Ok(false);
        }
        self.has_place_under(program, intake, rules).await
    }

    /// Releases the acceptance of the first in line. Returns the code of the guard that does not allow it; `None` once
    /// it is offered, or if somebody else was quicker: then there is another first, or no place.
    async fn offer_by_rule(&self, first: &FirstInLine) -> Result<Option<&'static str>, Error> {
        let draft = self.drafted(&first.application_id).await?;
        let Some(draft) = draft.filter(|draft| draft.ruling.outcome() == Outcome::Accept) else {
            return Ok(Some(Guard::AcceptanceDrafted.code()));
        };
        // Putting it on the waitlist approved that draft and no other.
        if draft.id != first.decision_id {
            return Ok(Some(Guard::SecondPerson.code()));
        }
        let Some(pending) = self.store.pending_decision(&draft.id).await? else { return Ok(None) };
        let needs_another = self.product_settings().await.second_person_releases;
        let facts = ReleaseFacts {
            lacks: Lacks::of_pending(&pending),
            // The second one is who has put it on the waitlist.
            by_second_person: !needs_another || first.joined_by != pending.decision.drafted_by,
            place_left: true,
        };
        match self.release_by(None, pending.decision, facts, Preconditions::default()).await {
            Err(Error::NotAllowed(Refused::Unmet(guard))) if guard != Guard::PlaceLeft => Ok(Some(guard.code())),
            Ok(_) | Err(Error::NotAllowed(_) | Error::Stale(_) | Error::Refused(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
