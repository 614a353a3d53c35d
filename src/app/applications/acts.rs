//! Doing an act from the table of statuses, whoever does it. The store writes everything that belongs to it in one
//! transaction.
//!
//! A use case looks up what the guards need and calls [`App::act`]; the effects in the table are carried out here, in
//! one place, for every actor.

use serde_json::{Value, json};

use crate::accounts::sessions::SignedIn;
use crate::error::Error;
use crate::interviews::Meeting;
use crate::mails::Wording;
use crate::money::fees::FeeOfAct;
use crate::money::plans::MoneyOfAct;
use crate::{App, jobs, mails};
use domain::account::Applicant;
use domain::application::{Application, ApplicationKey};
use domain::moments::Millis;
use domain::permission::Permission;
use domain::reference_number::ReferenceNumber;
use domain::role::Role;
use domain::staff::Staff;
use domain::status::{Act, ActorKind, Change, Effect, Facts, Refused, Reminders, Stage, decide, visible_to_applicant};
use domain::task::{Task, TaskKind};
use store::{NewMail, SlotRequest, StoreError, Stored, Transition, TransitionOutcome};

/// Attempts to find a number that is not taken, or to act on a copy that nobody else has just changed.
const ATTEMPTS: usize = 10;

/// What the caller asks for besides the act.
#[derive(Debug, Clone, Default)]
pub struct Preconditions {
    /// The revision the caller has seen; without one, the act is done on the current revision.
    pub expected: Option<i64>,
    /// Identifies this act of the caller: repeated under the same key, it gets the same answer and is done once.
    pub key: Option<String>,
}

impl Preconditions {
    /// Parses a key: 1 to 100 letters, digits and symbols.
    pub fn key(text: &str) -> Option<String> {
        let key = text.trim();
        let is_key = (1..=100).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        is_key.then(|| key.to_owned())
    }
}

/// Who acts, for the table and for the record.
#[derive(Debug, Clone)]
pub struct Actor {
    kind: ActorKind,
    /// `applicant:ID`, `staff:ID` or `system`
    by: String,
    /// The member of staff an interview is to be with; without one, anybody.
    with: Option<String>,
}

impl Actor {
    /// The slots that this actor can choose from.
    pub(crate) fn slots(&self) -> SlotRequest<'_> {
        match self.kind {
            ActorKind::Applicant => SlotRequest { noticed: true, only: None },
            ActorKind::Staff(role) if !role.may(Permission::OthersInterviews) => {
                SlotRequest { noticed: false, only: self.by.strip_prefix("staff:") }
            }
            ActorKind::Staff(_) | ActorKind::System => SlotRequest { noticed: false, only: self.with.as_deref() },
        }
    }

    /// Whether the actor is the applicant.
    pub fn is_applicant(&self) -> bool {
        self.kind == ActorKind::Applicant
    }

    pub fn applicant(who: &SignedIn) -> Actor {
        Actor { kind: ActorKind::Applicant, by: format!("applicant:{}", who.applicant.id), with: None }
    }

    pub fn staff(staff: &Staff) -> Actor {
        Actor::of_staff(&staff.id, staff.role)
    }

    /// A member of staff, in the role they had when they asked for it.
    pub(crate) fn of_staff(id: &str, role: Role) -> Actor {
        Actor { kind: ActorKind::Staff(role), by: format!("staff:{id}"), with: None }
    }

    /// The actor's name in the record.
    pub(crate) fn name(&self) -> &str {
        &self.by
    }

    /// The same actor, for an interview with this member of staff.
    #[must_use]
    pub(crate) fn with(self, interviewer_id: Option<&str>) -> Actor {
        Actor { with: interviewer_id.map(str::to_owned), ..self }
    }

    /// A background job as the actor.
    pub fn system() -> Actor {
        Actor { kind: ActorKind::System, by: "system".into(), with: None }
    }
}

/// An act, with what its guards and its record need.
pub(crate) struct Command<'a> {
    pub act: Act,
    pub actor: Actor,
    /// The applicant whose application it is.
    pub applicant: &'a Applicant,
    /// The facts that the guards need, for the copy that is acted on.
    pub facts: &'a (dyn Fn(&Application) -> Facts + Send + Sync),
    /// What the record says besides the stages, as a JSON object.
    pub detail: Value,
    /// Adds to the transition what the table's effects do not cover.
    pub also: &'a (dyn Fn(&Application, &mut Transition) + Send + Sync),
    pub conditions: Preconditions,
}

impl<'a> Command<'a> {
    /// An act of the applicant, with nothing beyond the table.
    pub fn own(
        who: &'a SignedIn,
        act: Act,
        facts: &'a (dyn Fn(&Application) -> Facts + Send + Sync),
        detail: Value,
        conditions: Preconditions,
    ) -> Command<'a> {
        Command {
            act,
            actor: Actor::applicant(who),
            applicant: &who.applicant,
            facts,
            detail,
            also: &|_, _| {},
            conditions,
        }
    }
}

/// Why an act was not done.
pub(crate) enum Unable {
    /// The table does not allow it for this copy.
    NotAllowed(Refused, Box<Application>),
    Otherwise(Error),
}

impl From<Unable> for Error {
    fn from(unable: Unable) -> Self {
        match unable {
            Unable::NotAllowed(refused, _) => Error::NotAllowed(refused),
            Unable::Otherwise(error) => error,
        }
    }
}

impl App {
    /// The application as its applicant may see it: while a decision can be recalled, at the stage before it. Acts on
    /// this copy are decided again on the stored one, since the store does not change a stage that has changed in the
    /// meantime.
    pub(crate) fn shown(&self, mut application: Application) -> Application {
        let facts = application.released_facts(Facts::default(), self.clock.now());
        application.stage = visible_to_applicant(application.stage, &facts);
        application
    }

    /// The application, if this applicant has already done the act under this key.
    pub(crate) async fn repeated(
        &self,
        applicant_id: &str,
        act: Act,
        conditions: &Preconditions,
    ) -> Stored<Option<Application>> {
        match &conditions.key {
            Some(key) => {
                let found = self.store.application_by_key(applicant_id, act, key).await?;
                Ok(found.map(|application| self.shown(application)))
            }
            None => Ok(None),
        }
    }

    /// Any application with its applicant, for staff and jobs.
    ///
    /// # Errors
    /// [`Refusal::NoApplication`](crate::Refusal::NoApplication)
    pub async fn find_application(&self, key: ApplicationKey<'_>) -> Result<(Applicant, Application), Error> {
        Ok(self.store.application(key).await?.ok_or(crate::Refusal::NoApplication)?)
    }

    /// Does what the table allows. The facts are asked for again if somebody else was quicker. Applicants get back only
    /// what they may see.
    pub(crate) async fn act(&self, current: Application, command: Command<'_>) -> Result<Application, Unable> {
        self.act_at(current, command, None).await
    }

    /// The same, with the time chosen for an interview.
    pub(crate) async fn act_at(
        &self,
        mut current: Application,
        command: Command<'_>,
        starts_at: Option<Millis>,
    ) -> Result<Application, Unable> {
        let seen = |application: Application| match command.actor.kind {
            ActorKind::Applicant => self.shown(application),
            ActorKind::Staff(_) | ActorKind::System => application,
        };
        let wording = self.wording().await;
        for _ in 0..ATTEMPTS {
            let meeting = self.meeting(&current, command.act, starts_at, command.actor.slots()).await;
            let meeting = meeting.map_err(|error| Unable::Otherwise(error.into()))?;
            let money = self.money_of(&current, command.act).await.map_err(|error| Unable::Otherwise(error.into()))?;
            let fee = self.fee_of_act(&current, command.act).await;
            let fee = fee.map_err(|error| Unable::Otherwise(error.into()))?;
            let facts = Facts { fee_settled: !fee.was_due(), ..(command.facts)(&current) };
            let facts = current.released_facts(meeting.complete(facts), self.clock.now());
            let is_stale = command.conditions.expected.is_some_and(|expected| expected != current.revision);
            let change = match decide(current.stage, command.act, command.actor.kind, &facts) {
                Ok(change) if !is_stale => change,
                decided => {
                    // The same call arrived twice at once, and the other one has done it in the meantime.
                    let repeated = self.repeated(&command.applicant.id, command.act, &command.conditions).await;
                    if let Some(done) = repeated.map_err(|error| Unable::Otherwise(error.into()))? {
                        return Ok(done);
                    }
                    return Err(match decided {
                        // Staff are told that somebody else was quicker, rather than what is no longer possible as a
                        // result.
                        Err(refused) if !is_stale || command.actor.is_applicant() || refused == Refused::Forbidden => {
                            Unable::NotAllowed(refused, Box::new(seen(current)))
                        }
                        _ => Unable::Otherwise(Error::Stale(Box::new(seen(current)))),
                    });
                }
            };
            let mut transition = self.transition(&wording, &command, &current, change, (&meeting, &money, &fee));
            self.watch_places(&mut transition, current.program).await;
            let rules = &self.product_settings().await.work;
            // Nobody is given an application, or waits for it, that is not read yet.
            if !fee.keeps_unread(transition.to) {
                self.watch_progress(&mut transition, rules);
            }
            if change.effects.contains(&Effect::AskReferees) {
                self.ask_with_submission(&command, &current, &mut transition).await.map_err(Unable::Otherwise)?;
            }
            let told = self.tell_of_settled_fee(&current, &fee, &mut transition).await;
            told.map_err(|error| Unable::Otherwise(error.into()))?;
            if fee.gives_owner(command.act, transition.to) {
                let owner = self.owner_by_rule(rules, current.program).await;
                transition.owner = owner.map_err(|error| Unable::Otherwise(error.into()))?;
            }
            match self.store.transition(&transition).await {
                Ok(TransitionOutcome::Done(application) | TransitionOutcome::Repeated(application)) => {
                    return Ok(seen(application));
                }
                Ok(TransitionOutcome::Stale(newer)) => current = newer,
                // The number or the slot is already taken: the next attempt picks another, if there is one.
                Err(StoreError::Taken("reference" | "slot")) => {}
                Err(error) => return Err(Unable::Otherwise(error.into())),
            }
        }
        Err(Unable::Otherwise(Error::Unavailable(None)))
    }

    /// The transition with everything that belongs to it.
    fn transition(
        &self,
        wording: &Wording<'_>,
        command: &Command<'_>,
        current: &Application,
        change: Change,
        (meeting, money, fee): (&Meeting, &MoneyOfAct, &FeeOfAct),
    ) -> Transition {
        let now = self.clock.now();
        let mut audited = json!({ "from": current.stage.to_string(), "to": change.to.to_string() });
        if let (Value::Object(audited), Value::Object(more)) = (&mut audited, &command.detail) {
            audited.extend(more.clone());
        }
        let subject = format!("application:{}", current.id);
        let by = command.actor.by.clone();
        let mut transition = Transition {
            id: self.random.id(),
            application_id: current.id.clone(),
            expected: current.revision,
            act: command.act,
            key: command.conditions.key.clone(),
            reason: None,
            from: current.stage,
            to: change.to,
            former: None,
            snapshot: None,
            reference: None,
            former_reference: None,
            at: now,
            audit: self.audit_entry(by, subject.clone(), audit_action(command.act), audited),
            mails: Vec::new(),
            dropped_jobs: Vec::new(),
            jobs: Vec::new(),
            tasks: Vec::new(),
            interview: None,
            closing: None,
            opens: None,
            closes_request: false,
            restores_snapshot: false,
            deletes_draft: false,
            takes_place: false,
            decision: Vec::new(),
            voids_contracts: None,
            pause: None,
            stops_charges: false,
            done_tasks: Vec::new(),
            owner: None,
            fee_state: None,
            new_fee: None,
            brings_in: None,
            undoes_import: None,
            references: None,
            referees: Vec::new(),
        };
        // The number first, since mails contain it. A number of the other program is replaced.
        let fitting = current.reference.as_ref().filter(|number| ReferenceNumber::tells(number, current.program));
        let reference = match fitting {
            None if change.effects.contains(&Effect::AssignReference) => {
                let number = ReferenceNumber::new(current.program, self.today().year(), self.random.number());
                transition.reference = Some(number.clone());
                transition.former_reference.clone_from(&current.reference);
                Some(number.as_str().to_owned())
            }
            _ => current.reference.clone(),
        };
        let task = |kind: TaskKind, detail: Value| Task {
            id: self.random.id(),
            kind,
            subject: subject.clone(),
            detail,
            created_at: now,
            due_at: None,
        };
        for effect in change.effects {
            match effect {
                Effect::Snapshot => transition.snapshot = Some(self.random.id()),
                Effect::TakeBack => {
                    let about = format!("applicant:{}", current.applicant_id);
                    let by = command.actor.by.clone();
                    let entry = self.audit_entry(by, about, "applicant.import_undone", command.detail.clone());
                    transition.undoes_import = Some(entry);
                }
                Effect::DeleteAnswers => transition.deletes_draft = true,
                Effect::KeepFormerState => transition.former = Some(current.stage),
                Effect::LockSections => transition.closes_request = true,
                Effect::TakePlace => transition.takes_place = true,
                Effect::Mail("application-received") if self.was_received(current, &transition) => {
                    self.confirm_later(&mut transition);
                }
                Effect::Mail("application-received") => {
                    let number = reference.as_deref();
                    let mail = number.map(|it| fee.received_mail(wording, command.applicant, current.program, it));
                    transition.mails.extend(mail);
                }
                Effect::Mail(template) => {
                    let mail = mail_of(wording, template, command.applicant, current);
                    transition.mails.extend(mail);
                }
                // Staff need no alert about what they do themselves.
                Effect::StaffAlert if matches!(command.actor.kind, ActorKind::Staff(_)) => {}
                // They read it once its fee is settled.
                Effect::StaffAlert if fee.keeps_unread(current.stage) || fee.keeps_unread(change.to) => {}
                Effect::StaffAlert if command.act == Act::Resubmit => {
                    transition.tasks.push(task(TaskKind::Changes, json!({})));
                }
                Effect::StaffAlert => {
                    transition.tasks.push(task(TaskKind::Alert, json!({ "act": command.act.as_str() })));
                }
                Effect::ContractTask => transition.tasks.push(task(TaskKind::Contract, json!({}))),
                Effect::VoidContract => transition.voids_contracts = Some("The application is over.".into()),
                Effect::FundingTask => transition.tasks.push(task(TaskKind::Funding, json!({}))),
                Effect::ScoreSheet => transition.tasks.push(task(TaskKind::ScoreSheet, json!({}))),
                Effect::HoldMail(_) => self.announce_later(&mut transition),
                Effect::DropHeldMail => transition.dropped_jobs.push(jobs::ANNOUNCE),
                // An offer that cannot be replied to at the new stage stays as it is.
                Effect::OpenOffer if change.to == Stage::Offered => self.open_offer(&mut transition),
                Effect::Remind(Reminders::Offer) if change.to == Stage::Offered => {
                    self.remind_of_offer(&mut transition);
                }
                // Done above, below or by the use case, or not implemented yet.
                _ => {}
            }
        }
        self.meet(wording, command, current, change, meeting, &mut transition);
        self.pay(money, change, &mut transition);
        self.fix_fee(fee, &mut transition);
        (command.also)(current, &mut transition);
        transition
    }
}

fn mail_of(wording: &Wording<'_>, template: &str, applicant: &Applicant, application: &Application) -> Option<NewMail> {
    let program = application.program;
    match template {
        "status-update" => Some(mails::status_update(wording, applicant, program)),
        "waitlisted" => Some(mails::waitlisted(wording, applicant, program)),
        "offer-accepted" => Some(mails::offer_accepted(wording, applicant, program)),
        "offer-declined" => Some(mails::offer_declined(wording, applicant, program)),
        "offer-lapsed" => Some(mails::offer_lapsed(wording, applicant, program)),
        "offer-reopened" => Some(mails::offer_reopened(wording, applicant, program)),
        "enrolled" => Some(mails::enrolled(wording, applicant, program)),
        "resumed" => Some(mails::resumed(wording, applicant, program)),
        "changes-received" => Some(mails::changes_received(wording, applicant, program)),
        "application-imported" => Some(mails::application_imported(wording, applicant, program)),
        "application-withdrawn" => Some(mails::application_withdrawn(wording, applicant, program)),
        "withdrawal-undone" => Some(mails::withdrawal_undone(wording, applicant, program)),
        _ => None,
    }
}

/// The action's name in the record.
fn audit_action(act: Act) -> &'static str {
    match act {
        Act::DeleteDraft => "application.draft_deleted",
        Act::Submit => "application.submitted",
        Act::Unsubmit => "application.unsubmitted",
        Act::Withdraw => "application.withdrawn",
        Act::UndoWithdraw => "application.withdrawal_undone",
        Act::RequestChanges => "application.changes_requested",
        Act::DropChanges => "application.changes_dropped",
        Act::Resubmit => "application.resubmitted",
        Act::Book => "interview.booked",
        Act::Move => "interview.moved",
        Act::Cancel => "interview.cancelled",
        Act::RecordHeld => "interview.held",
        Act::RecordNoShow => "interview.missed",
        Act::UndoRecord => "interview.record_undone",
        Act::Offer | Act::Reject => "decision.released",
        Act::Waitlist => "waitlist.joined",
        Act::LeaveWaitlist => "waitlist.left",
        Act::Recall => "decision.recalled",
        Act::Reverse => "decision.reversed",
        Act::Accept => "offer.accepted",
        Act::Decline => "offer.declined",
        Act::UndoDecline => "offer.decline_undone",
        Act::Lapse => "offer.lapsed",
        Act::Reopen => "offer.reopened",
        Act::Enrol => "application.enrolled",
        Act::Unenrol => "application.enrolment_undone",
        Act::Defer => "application.deferred",
        Act::Resume => "application.resumed",
        Act::ImportDraft | Act::ImportSubmission | Act::ImportPast => "application.imported",
        Act::UndoImport => "application.import_undone",
        other => other.as_str(),
    }
}
