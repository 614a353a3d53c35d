//! Acts of staff on an application that need no more than a reason or a few choices. Decisions and interviews have
//! their own use cases.

use serde_json::json;

use super::Dossier;
use crate::App;
use crate::applications::acts::{Actor, Command, Preconditions};
use crate::applications::changes::ChangesRequest;
use crate::decisions::deferrals::{MAX_MONTHS, can_be_deferred};
use crate::decisions::drafting::StaffReason;
use crate::decisions::enrolment::attach;
use crate::error::{Error, Refusal};
use domain::application::{Application, ApplicationKey};
use domain::body;
use domain::body::{by, required, ticked, wrong};
use domain::decision::{Deferral, intake};
use domain::input::{FieldError, Input, unknown_fields};
use domain::intake::Intake;
use domain::permission::Permission;
use domain::sentence::Sentence;
use domain::staff::StaffSession;
use domain::status::{Act, ActorKind, Facts, Refused, Stage, Status, decide};
use store::{StoredChange, Transition};

/// All fields of a request that changes a status; each act rejects those it does not take.
const CHANGE: [&str; 7] = ["status", "reason", "intake", "rechecked", "sections", "message", "dueOn"];

/// An act with its data.
#[derive(Debug, Clone)]
pub enum StaffAct {
    RequestChanges(ChangesRequest),
    DropChanges,
    Withdraw(StaffReason),
    UndoWithdraw,
    Defer(Intake),
    /// The conditions have been checked again.
    Resume,
    /// Enrols by hand.
    Enrol(StaffReason),
    Unenrol(StaffReason),
    LeaveWaitlist(StaffReason),
}

body! {
    /// The reason for an act of staff.
    #[schema(as = OfficeWithdrawal)]
    pub struct ActReason {
        /// 1 to 1,000 characters, for the record.
        #[schema(value_type = String, example = "Asked for by phone.")]
        reason: StaffReason = by(StaffReason::parse),
    }
}

body! {
    struct Deferment {
        #[schema(value_type = String)]
        intake: Intake = required(intake, "Choose the later intake."),
    }
}

body! {
    pub struct Resumption {
        /// Confirms that the conditions were checked again.
        pub rechecked: bool = ticked("Check the conditions again, and tick that you did."),
    }
}

/// Checks that a body is empty.
fn nothing(input: &Input) -> Result<(), Vec<FieldError>> {
    let errors: Vec<FieldError> = unknown_fields(input.entries()?, &[]).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

impl StaffAct {
    /// The acts that are handled here.
    pub const ALL: [Act; 9] = [
        Act::RequestChanges,
        Act::DropChanges,
        Act::Withdraw,
        Act::UndoWithdraw,
        Act::Defer,
        Act::Resume,
        Act::Enrol,
        Act::Unenrol,
        Act::LeaveWaitlist,
    ];

    /// Parses an act with its data.
    ///
    /// # Errors
    /// Bad fields; an act that is not one of [`StaffAct::ALL`].
    pub fn parse(act: Act, input: &Input) -> Result<StaffAct, Vec<FieldError>> {
        if act == Act::RequestChanges {
            return ChangesRequest::parse(input).map(StaffAct::RequestChanges);
        }
        match act {
            Act::Withdraw => ActReason::parse(input).map(|it| StaffAct::Withdraw(it.reason)),
            Act::Unenrol => ActReason::parse(input).map(|it| StaffAct::Unenrol(it.reason)),
            Act::Enrol => ActReason::parse(input).map(|it| StaffAct::Enrol(it.reason)),
            Act::LeaveWaitlist => ActReason::parse(input).map(|it| StaffAct::LeaveWaitlist(it.reason)),
            Act::Defer => Deferment::parse(input).map(|it| StaffAct::Defer(it.intake)),
            Act::Resume => Resumption::parse(input).map(|_| StaffAct::Resume),
            Act::DropChanges => nothing(input).map(|()| StaffAct::DropChanges),
            Act::UndoWithdraw => nothing(input).map(|()| StaffAct::UndoWithdraw),
            _ => Err(vec![wrong("act", "unknown", "Choose one of the acts that are possible now.")]),
        }
    }

    pub fn act(&self) -> Act {
        match self {
            StaffAct::RequestChanges(_) => Act::RequestChanges,
            StaffAct::DropChanges => Act::DropChanges,
            StaffAct::Withdraw(_) => Act::Withdraw,
            StaffAct::UndoWithdraw => Act::UndoWithdraw,
            StaffAct::Defer(_) => Act::Defer,
            StaffAct::Resume => Act::Resume,
            StaffAct::Enrol(_) => Act::Enrol,
            StaffAct::Unenrol(_) => Act::Unenrol,
            StaffAct::LeaveWaitlist(_) => Act::LeaveWaitlist,
        }
    }
}

/// Changes to an application since a given revision.
#[derive(Debug, Clone)]
pub struct Since {
    /// The stage at that revision.
    pub seen: Stage,
    /// Later changes of stage, oldest first.
    pub changes: Vec<StoredChange>,
}

impl App {
    /// Does an act on behalf of a member of staff.
    ///
    /// # Errors
    /// [`Refusal::ApplicationNotFound`], [`Refusal::ApplicationChanged`] when `conditions` name an older revision,
    /// [`Error::NotAllowed`].
    pub async fn act_for_office(
        &self,
        who: &StaffSession,
        id: &str,
        act: StaffAct,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let dossier = self.dossier(who, id).await?;
        if let Some(application) = self.repeated(&dossier.applicant.id, act.act(), &conditions).await? {
            return Ok(application);
        }
        let (staff, key) = (&who.staff, ApplicationKey::Id(id));
        let done = match act {
            StaffAct::RequestChanges(asked) => self.request_changes(staff, key, asked, conditions).await,
            StaffAct::DropChanges => self.drop_changes(staff, key, conditions).await,
            StaffAct::Defer(intake) => self.defer_application(staff, key, intake, conditions).await,
            StaffAct::Resume => self.resume_application(staff, key, true, conditions).await,
            StaffAct::Withdraw(reason) => self.withdraw_for_applicant(who, dossier, &reason, conditions).await,
            StaffAct::Unenrol(reason) => {
                let facts = Facts { reason_given: true, ..Facts::default() };
                self.act_with_reason(who, dossier, (Act::Unenrol, facts), &reason, conditions).await
            }
            StaffAct::LeaveWaitlist(reason) => {
                let former = self.store.former_stage(id).await?;
                let facts = Facts { reason_given: true, former, ..Facts::default() };
                self.act_with_reason(who, dossier, (Act::LeaveWaitlist, facts), &reason, conditions).await
            }
            StaffAct::Enrol(reason) => {
                let given = Facts { reason_given: true, ..Facts::default() };
                let facts = self.facts_of_enrolment(&dossier.application, given).await?;
                self.act_with_reason(who, dossier, (Act::Enrol, facts), &reason, conditions).await
            }
            StaffAct::UndoWithdraw => self.undo_withdrawal_for_applicant(who, dossier, conditions).await,
        };
        done.map_err(overtaken)
    }

    pub(super) async fn withdraw_for_applicant(
        &self,
        who: &StaffSession,
        dossier: Dossier,
        reason: &StaffReason,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let facts = Facts { reason_given: true, ..Facts::default() };
        self.act_with_reason(who, dossier, (Act::Withdraw, facts), reason, conditions).await
    }

    async fn act_with_reason(
        &self,
        who: &StaffSession,
        dossier: Dossier,
        (act, facts): (Act, Facts),
        reason: &StaffReason,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let copy = if act == Act::Enrol { self.attached_copy(&dossier.application).await } else { None };
        let also = |_: &Application, transition: &mut Transition| {
            transition.reason = Some(reason.as_str().to_owned());
            attach(copy.clone(), transition);
        };
        let command = Command {
            act,
            actor: Actor::staff(&who.staff),
            applicant: &dossier.applicant,
            facts: &|_| facts.clone(),
            detail: json!({}),
            also: &also,
            conditions,
        };
        Ok(self.act(dossier.application, command).await?)
    }

    /// What an act still lacks, in a sentence; `None` if it can be done.
    ///
    /// # Errors
    /// Store errors.
    pub async fn obstacle(&self, who: &StaffSession, dossier: &Dossier, act: Act) -> Result<Option<Sentence>, Error> {
        let facts = self.facts_of_stage(&dossier.applicant, &dossier.application, &dossier.listing).await?;
        let decided = decide(dossier.application.stage, act, ActorKind::Staff(who.staff.role), &facts);
        Ok(decided.err().map(|refused| refused.sentence()))
    }

    /// The deferral request that awaits an answer.
    ///
    /// # Errors
    /// Store errors.
    pub async fn deferral_wish(&self, application: &Application) -> Result<Option<Deferral>, Error> {
        if !can_be_deferred(application.stage) {
            return Ok(None);
        }
        Ok(self.store.deferral(&application.id).await?.filter(|deferral| !deferral.granted))
    }

    pub(super) async fn undo_withdrawal_for_applicant(
        &self,
        who: &StaffSession,
        dossier: Dossier,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let facts = self.facts_of_stage(&dossier.applicant, &dossier.application, &dossier.listing).await?;
        let command = Command {
            act: Act::UndoWithdraw,
            actor: Actor::staff(&who.staff),
            applicant: &dossier.applicant,
            facts: &|_| facts.clone(),
            detail: json!({}),
            also: &|_, _| {},
            conditions,
        };
        Ok(self.act(dossier.application, command).await?)
    }

    /// The intakes an application can be deferred to.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn deferral_choices(&self, who: &StaffSession, dossier: &Dossier) -> Result<Vec<Intake>, Error> {
        who.staff.permit(Permission::Review)?;
        let deferral = self.store.deferral(&dossier.application.id).await?;
        let decided = self.store.decided(&dossier.application.id).await?;
        Ok(match decided {
            Some(decided) => self.later_intakes(decided.intake(deferral.as_ref())),
            None => Intake::within(self.today(), MAX_MONTHS),
        })
    }

    /// Changes to an application since `revision`, for a caller whose act came too late.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn changes_since(&self, who: &StaffSession, id: &str, revision: i64) -> Result<Since, Error> {
        who.staff.permit(Permission::Applications)?;
        let mut changes = self.store.stage_changes(id).await?;
        let known = changes.iter().take_while(|change| change.revision <= revision).count();
        let since = changes.split_off(known);
        let seen = changes.last().map_or(Stage::Draft, |change| change.to);
        Ok(Since { seen, changes: since })
    }

    /// Moves an application to a status: `{status}`, with the fields of its act. An act that needs more, such as the
    /// time of an interview, has its own endpoint.
    ///
    /// # Errors
    /// Bad fields, [`Refusal::ApplicationNotFound`], [`Refusal::ApplicationChanged`], [`Error::NotAllowed`].
    pub async fn change_status(
        &self,
        who: &StaffSession,
        id: &str,
        input: &Input,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let entries = input.entries()?;
        let status = match Input::get(entries, "status") {
            Some(Input::Text(text)) => Status::ALL.into_iter().find(|status| status.as_str() == text),
            _ => None,
        };
        let mut errors: Vec<FieldError> = unknown_fields(entries, &CHANGE).collect();
        let Some(status) = status.filter(|_| errors.is_empty()) else {
            if status.is_none() {
                let code = if Input::get(entries, "status").is_some() { "status.unknown" } else { "status.required" };
                errors.push(FieldError::new("status", code, "Name the status that it is to have."));
            }
            return Err(errors.into());
        };
        let dossier = self.dossier(who, id).await?;
        let Application { stage, revision, .. } = dossier.application;
        if let Some(application) = self.repeated(&dossier.applicant.id, towards(status), &conditions).await? {
            return Ok(application);
        }
        if conditions.expected.is_some_and(|expected| expected != revision) {
            return Err(Refusal::ApplicationChanged.into());
        }
        let act = towards(status);
        let facts = self.facts_of_stage(&dossier.applicant, &dossier.application, &dossier.listing).await?;
        decide(stage, act, ActorKind::Staff(who.staff.role), &facts).map_err(|refused| match refused {
            // The caller named a status, so the error refers to the status, too.
            Refused::NotFrom { act, .. } => Error::NotAllowed(Refused::NotFrom { from: first_of(stage.status()), act }),
            other => Error::NotAllowed(other),
        })?;
        if StaffAct::ALL.contains(&act) {
            let rest = entries.iter().filter(|(name, _)| name != "status").cloned().collect();
            let act = StaffAct::parse(act, &Input::Map(rest))?;
            return self.act_for_office(who, id, act, conditions).await;
        }
        let more: Vec<FieldError> = unknown_fields(entries, &["status"]).collect();
        if !more.is_empty() {
            return Err(more.into());
        }
        match (act, self.drafted(id).await?) {
            (Act::Offer | Act::Reject, Some(draft)) => {
                self.release_decision(&who.staff, &draft.id, conditions).await.map_err(overtaken)
            }
            _ => {
                let sentence = "This takes more than a status: an interview is booked by its time.";
                Err(FieldError::new("status", "status.act", sentence).into())
            }
        }
    }
}

/// The act that leads to a status.
fn towards(status: Status) -> Act {
    match status {
        Status::None => Act::Withdraw,
        Status::Incomplete => Act::RequestChanges,
        Status::Scheduled => Act::Book,
        Status::Accepted => Act::Offer,
        Status::Rejected => Act::Reject,
        Status::Enrolled => Act::Enrol,
        Status::Deferred => Act::Defer,
    }
}

/// The first stage of a status.
fn first_of(status: Status) -> Stage {
    Stage::ALL.into_iter().find(|stage| stage.status() == status).unwrap_or(Stage::None)
}

/// Turns a stale copy into the error for staff.
fn overtaken(error: Error) -> Error {
    match error {
        Error::Stale(_) => Refusal::ApplicationChanged.into(),
        other => other,
    }
}
