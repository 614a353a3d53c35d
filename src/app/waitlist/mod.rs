//! The waitlist: whom staff put on it, the line of each intake, and what its applicants are told. Places are offered to
//! the first in line by hand, through the usual release, or by the rule of the program.

mod capacity;
mod filling;

use serde_json::json;

use crate::App;
use crate::applications::acts::{Actor, Command, Preconditions};
use crate::decisions::drafting::{Lacks, ReleaseFacts, StaffReason, facts_of, may_be_released};
use crate::error::{Error, Refusal};
use crate::office::dossiers::StaffAct;
use domain::application::{Application, ApplicationKey};
use domain::decision::DecisionState;
use domain::input::FieldError;
use domain::intake::Intake;
use domain::moments::Millis;
use domain::permission::Permission;
use domain::places::Capacity;
use domain::program::Program;
use domain::staff::{Staff, StaffSession};
use domain::status::{Act, Guard, Outcome, Refused, Stage};
use domain::waitlist::{Move, WaitlistPlace};
use store::{DecisionWrite, LineMove, Transition};

/// Maximum number of applications shown of a line.
const MAX_SHOWN: i64 = 500;

/// The line of an intake of a program.
#[derive(Debug, Clone)]
pub struct WaitlistLine {
    pub capacity: Capacity,
    /// Days until studies start; `None` once they have.
    pub days_until_start: Option<i64>,
    /// In the order of the line: the first ones, up to the number that is shown.
    pub entries: Vec<WaitlistEntry>,
}

/// An application in a line.
#[derive(Debug, Clone)]
pub struct WaitlistEntry {
    pub application_id: String,
    /// From 1.
    pub position: i64,
    pub first_name: String,
    /// The reference number for roles that see no personal data.
    pub last_name: String,
    pub reference: Option<String>,
    /// Id and name of the owner.
    pub owner: Option<(String, String)>,
    pub joined_at: Millis,
    /// The place given by hand, lower first.
    pub priority: Option<i64>,
    /// The mean of its readings in thousandths; `None` without one, while the caller's own is not sent, and for roles
    /// that score nothing.
    pub score: Option<i64>,
    pub revision: i64,
    /// The drafted acceptance.
    pub decision_id: Option<String>,
    /// Why the caller could not offer the place now.
    pub refused: Option<Refused>,
}

impl App {
    /// The lines in which somebody waits, and those of intakes with a limit that have not begun; by program and start.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn waitlist(
        &self,
        who: &StaffSession,
        program: Option<Program>,
        intake: Option<Intake>,
    ) -> Result<Vec<WaitlistLine>, Error> {
        who.staff.permit(Permission::Applications)?;
        let (today, product) = (self.today(), self.product_settings().await);
        let waiting = self.store.waitlists().await?;
        let mut wanted = Vec::new();
        for of in Program::ALL.into_iter().filter(|of| program.is_none_or(|program| program == *of)) {
            let with_limit = product.places(of).limited().filter(|intake| intake.start > today);
            let with_line = waiting.iter().filter(|(one, ..)| *one == of).map(|(_, intake, _)| *intake);
            let mut intakes: Vec<Intake> = with_limit.chain(with_line).collect();
            intakes.retain(|one| intake.is_none_or(|intake| intake == *one));
            intakes.sort_by_key(|intake| intake.start);
            intakes.dedup();
            wanted.extend(intakes.into_iter().map(|intake| (of, intake)));
        }
        let mut lines = Vec::with_capacity(wanted.len());
        for capacity in self.capacities(&wanted, &waiting).await? {
            let entries = if capacity.waiting > 0 { self.entries(who, &capacity).await? } else { Vec::new() };
            let days = today.until(capacity.intake.start).map_or(0, |span| i64::from(span.get_days()));
            lines.push(WaitlistLine { capacity, days_until_start: (days > 0).then_some(days), entries });
        }
        Ok(lines)
    }

    async fn entries(&self, who: &StaffSession, capacity: &Capacity) -> Result<Vec<WaitlistEntry>, Error> {
        let Capacity { program, intake, .. } = *capacity;
        let drafts = self.store.drafts_in_line(program, intake).await?;
        let product = self.product_settings().await;
        let place_left = capacity.left().is_none_or(|left| left > 0);
        let may_know = who.staff.role.may(Permission::PersonalData);
        let may_score = who.staff.role.may(Permission::Score);
        let line = self.store.line(program, intake, &who.staff.id, MAX_SHOWN).await?;
        let entry = |(position, one): (i64, store::InLine)| {
            let draft = drafts.iter().find(|draft| draft.decision.application_id == one.application_id);
            let refused = match draft {
                Some(draft) => {
                    let lacks = Lacks::of_pending(draft);
                    let facts = ReleaseFacts::by(&who.staff, &draft.decision, lacks, &product, place_left);
                    may_be_released(&draft.decision, Stage::Waitlisted, who.staff.role, facts).err()
                }
                None => Some(Refused::Unmet(Guard::AcceptanceDrafted)),
            };
            let names = (one.first_name, one.last_name);
            let hidden = || (String::new(), one.reference.clone().unwrap_or_default());
            let (first_name, last_name) = if may_know { names } else { hidden() };
            WaitlistEntry {
                position,
                first_name,
                last_name,
                decision_id: draft.map(|draft| draft.decision.id.clone()),
                refused,
                application_id: one.application_id,
                reference: one.reference,
                owner: one.owner,
                joined_at: one.joined_at,
                priority: one.priority,
                score: one.score.filter(|_| may_score),
                revision: one.revision,
            }
        };
        Ok((1..).zip(line).map(entry).collect())
    }

    /// The place of an application in its line, with its number; `None` if it does not wait.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn waitlist_entry(
        &self,
        who: &StaffSession,
        application: &Application,
    ) -> Result<Option<WaitlistPlace>, Error> {
        who.staff.permit(Permission::Applications)?;
        if application.stage != Stage::Waitlisted {
            return Ok(None);
        }
        Ok(self.store.waitlist_place(&application.id).await?)
    }

    /// The place of an application in its line, as its applicant may see it; `None` if it does not wait. `application`
    /// is a copy made for them.
    ///
    /// # Errors
    /// Store errors.
    pub async fn waitlist_place(&self, application: &Application) -> Result<Option<WaitlistPlace>, Error> {
        if application.stage != Stage::Waitlisted {
            return Ok(None);
        }
        let shows = self.product_settings().await.places(application.program).shows_position;
        let place = self.store.waitlist_place(&application.id).await?;
        Ok(place.map(|place| WaitlistPlace { position: place.position.filter(|_| shows), ..place }))
    }

    /// Puts an application at the end of the line of the intake for which its acceptance is drafted; `decision_id` is
    /// the draft that was seen.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NoDecision`] without that draft, or if
    /// it is no acceptance, [`Refusal::ApplicationChanged`], [`Error::NotAllowed`].
    pub async fn put_on_waitlist(
        &self,
        who: &StaffSession,
        application_id: &str,
        decision_id: &str,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        self.office_application(who, application_id, Permission::Release).await?;
        self.decision_on(application_id, decision_id).await?;
        self.wait_for_place(&who.staff, decision_id, conditions).await.map_err(Error::for_staff)
    }

    /// Puts an application at the end of the line of the intake for which its acceptance is drafted.
    ///
    /// # Errors
    /// [`Refusal::NoDecision`], [`Error::Stale`], [`Error::NotAllowed`].
    pub(crate) async fn wait_for_place(
        &self,
        staff: &Staff,
        decision_id: &str,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let pending = self.store.pending_decision(decision_id).await?.ok_or(Refusal::NoDecision)?;
        let key = ApplicationKey::Id(&pending.decision.application_id);
        let (applicant, application) = self.find_application(key).await?;
        if let Some(application) = self.repeated(&applicant.id, Act::Waitlist, &conditions).await? {
            return Ok(application);
        }
        let asked = self.release_facts(staff, &pending).await?;
        let decision = pending.decision;
        if decision.state != DecisionState::Draft || decision.ruling.outcome() != Outcome::Accept {
            return Err(Refusal::NoDecision.into());
        }
        let join = DecisionWrite::JoinLine { decision: decision.id.clone(), staff: staff.id.clone() };
        let also = |_: &Application, transition: &mut Transition| transition.decision.push(join.clone());
        let command = Command {
            act: Act::Waitlist,
            actor: Actor::staff(staff),
            applicant: &applicant,
            facts: &|_| facts_of(&decision, asked),
            detail: json!({
                "decision": decision.id,
                "intake": decision.intake.code(),
                "draftedBy": decision.drafted_by,
                "waived": decision.waiver.is_some(),
                "documentsMissing": asked.lacks.documents,
            }),
            also: &also,
            conditions,
        };
        Ok(self.act(application, command).await?)
    }

    /// Offers a place to an application that waits for one: releases the acceptance that is drafted for it.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NotWaitlisted`],
    /// [`Refusal::NoDecision`] without a drafted acceptance, [`Refusal::ApplicationChanged`], [`Error::NotAllowed`].
    pub async fn offer_place(
        &self,
        who: &StaffSession,
        application_id: &str,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let application = self.office_application(who, application_id, Permission::Release).await?;
        if let Some(application) = self.repeated(&application.applicant_id, Act::Offer, &conditions).await? {
            return Ok(application);
        }
        if application.stage != Stage::Waitlisted {
            return Err(Refusal::NotWaitlisted.into());
        }
        let draft = self.drafted(application_id).await?;
        let draft = draft.filter(|draft| draft.ruling.outcome() == Outcome::Accept).ok_or(Refusal::NoDecision)?;
        self.release_decision(&who.staff, &draft.id, conditions).await.map_err(Error::for_staff)
    }

    /// Takes an application off the waitlist, back to where it was before, without deciding about it.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::ApplicationChanged`],
    /// [`Error::NotAllowed`].
    pub async fn take_off_waitlist(
        &self,
        who: &StaffSession,
        application_id: &str,
        reason: StaffReason,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        who.staff.permit(Permission::Release)?;
        self.act_for_office(who, application_id, StaffAct::LeaveWaitlist(reason), conditions).await
    }

    /// Moves an application in its line.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NotWaitlisted`], `before.unknown` for
    /// an application in another line.
    pub async fn move_in_line(&self, who: &StaffSession, application_id: &str, to: &Move) -> Result<(), Error> {
        let application = self.office_application(who, application_id, Permission::Decide).await?;
        let detail = match to {
            Move::Up => json!({ "to": "up" }),
            Move::Down => json!({ "to": "down" }),
            Move::Before(other) => json!({ "before": other }),
            Move::Priority(priority) => json!({ "priority": priority }),
        };
        let audit = self.about_application(who, application_id, "waitlist.moved", detail);
        let job = self.places_job(application.program, audit.at, audit.at);
        match self.store.move_in_line(application_id, to, &audit, &job).await? {
            LineMove::Done => Ok(()),
            LineMove::NotWaiting => Err(Refusal::NotWaitlisted.into()),
            LineMove::OtherElsewhere => {
                Err(FieldError::new("before", "before.unknown", "Name an application in the same line.").into())
            }
        }
    }
}
