//! Decisions on applications. One member of staff drafts a decision with its letter; releasing it is a separate act,
//! and for 15 minutes afterwards the applicant sees nothing and it can be recalled.

use serde_json::json;

use crate::App;
use crate::applications::acts::{Actor, Command, Preconditions};
use crate::error::{Error, Refusal};
use crate::jobs;
use domain::application::{Application, ApplicationKey};
use domain::decision::{Decision, DecisionState, Draft, DraftSeen, MAX_REASON_LENGTH, Merged, PendingDecision};
use domain::input::{FieldError, Input, several_lines};
use domain::listing::{Facet, Listing};
use domain::moments::{MINUTE, Millis};
use domain::permission::Permission;
use domain::role::Role;
use domain::settings::ProductSettings;
use domain::staff::Staff;
use domain::status::{Act, ActorKind, Facts, Outcome, Refused, Stage, UNDO_MINUTES, decide};
use store::{DecisionWrite, Transition};

/// How long a released decision is held back.
pub const HOLD: Millis = UNDO_MINUTES * MINUTE;

/// A reason given by staff, kept in the record.
#[derive(Debug, Clone)]
pub struct StaffReason(String);

impl StaffReason {
    /// # Errors
    /// `reason.required`, `reason.type`, `reason.too_long`, `reason.invalid`.
    pub fn parse(input: Option<&Input>) -> Result<StaffReason, FieldError> {
        let reason = several_lines("reason", "The reason", input, MAX_REASON_LENGTH)?;
        let required = || FieldError::new("reason", "reason.required", "Say why, in a few words.");
        reason.map(StaffReason).ok_or_else(required)
    }

    /// A reason given by the product itself.
    pub(crate) fn of(reason: String) -> StaffReason {
        StaffReason(reason)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl App {
    /// Stores a draft of a decision, replacing the one that was `seen`. Nothing changes for the applicant. Sent twice,
    /// it is stored once.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] for staff who may not decide, or at a stage without decisions, [`Refusal::DraftChanged`],
    /// [`Refusal::NoApplication`], `intake.waitlist` for an acceptance for another intake than the one that is waited for.
    pub async fn draft_decision(
        &self,
        staff: &Staff,
        application: ApplicationKey<'_>,
        draft: Draft,
        seen: DraftSeen<'_>,
    ) -> Result<Decision, Error> {
        self.draft_decision_as(self.random.id(), staff, application, draft, seen).await
    }

    /// The same under an id chosen by the caller, so that a repeated call is recognised.
    ///
    /// # Errors
    /// As for [`draft_decision`](Self::draft_decision).
    pub async fn draft_decision_as(
        &self,
        id: String,
        staff: &Staff,
        application: ApplicationKey<'_>,
        draft: Draft,
        seen: DraftSeen<'_>,
    ) -> Result<Decision, Error> {
        let decision = Decision { id, ..self.preview_decision(staff, application, draft).await? };
        if seen != DraftSeen::Any
            && let Some(there) = self.kept_before(staff, &decision).await?
        {
            return Ok(there);
        }
        let subject = format!("application:{}", decision.application_id);
        let act = act_of(decision.ruling.outcome());
        let detail = json!({ "decision": decision.id, "outcome": act.as_str() });
        let audit = self.audit_entry(format!("staff:{}", staff.id), subject, "decision.drafted", detail);
        if self.store.draft_decision(&decision, seen, &audit).await? {
            return Ok(decision);
        }
        // The same form may have arrived twice at once.
        Ok(self.kept_before(staff, &decision).await?.ok_or(Refusal::DraftChanged)?)
    }

    /// The stored draft, if it has the same content as `decision` and the same author.
    pub(crate) async fn kept_before(&self, staff: &Staff, decision: &Decision) -> Result<Option<Decision>, Error> {
        let there = self.drafted(&decision.application_id).await?;
        Ok(there.filter(|there| {
            there.drafted_by == staff.id
                && (&there.ruling, there.intake, &there.waiver, &there.without_documents)
                    == (&decision.ruling, decision.intake, &decision.waiver, &decision.without_documents)
        }))
    }

    /// The decision that a draft would become, with its letter. Nothing is stored.
    ///
    /// # Errors
    /// As for [`draft_decision`](Self::draft_decision).
    pub async fn preview_decision(
        &self,
        staff: &Staff,
        application: ApplicationKey<'_>,
        draft: Draft,
    ) -> Result<Decision, Error> {
        if !staff.role.may(Permission::Decide) {
            return Err(Error::NotAllowed(Refused::Forbidden));
        }
        let (applicant, application) = self.find_application(application).await?;
        let act = act_of(draft.ruling.outcome());
        let reference = match &application.reference {
            Some(reference) if is_decidable(application.stage) => reference,
            _ => return Err(Error::NotAllowed(Refused::NotFrom { from: application.stage, act })),
        };
        let Draft { ruling, intake, waiver, without_documents } = draft;
        let product = self.product_settings().await;
        let line = match application.stage {
            Stage::Waitlisted => self.store.waitlist_place(&application.id).await?.map(|place| place.intake),
            _ => None,
        };
        let intake = intake.or(line).unwrap_or_else(|| product.deadlines.next(self.today()));
        if act == Act::Offer && line.is_some_and(|line| line != intake) {
            let sentence = "This application waits for another intake. Take it off the waitlist first.";
            return Err(FieldError::new("intake", "intake.waitlist", sentence).into());
        }
        let profile = &applicant.profile;
        let shown_reasons = ruling.reasons().into_iter().filter(|(_, shown)| *shown);
        let merged = Merged {
            name: format!("{} {}", profile.first_name, profile.last_name),
            program: application.program.name(),
            reference: reference.clone(),
            intake: intake.name(),
            conditions: ruling.conditions().to_vec(),
            reasons: shown_reasons.map(|(reason, _)| product.reasons.sentence(&reason)).collect(),
        };
        let letter = product.letters.write(ruling.letter(), profile.language, &merged);
        Ok(Decision {
            id: self.random.id(),
            application_id: application.id.clone(),
            state: DecisionState::Draft,
            ruling,
            intake,
            waiver,
            without_documents,
            letter,
            drafted_by: staff.id.clone(),
            drafted_at: self.clock.now(),
            released_by: None,
            released_at: None,
            planned: None,
        })
    }

    /// Discards a draft.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Refusal::DraftChanged`] for one that was replaced or released.
    pub async fn discard_draft(&self, staff: &Staff, decision: &Decision) -> Result<(), Error> {
        if !staff.role.may(Permission::Decide) {
            return Err(Error::NotAllowed(Refused::Forbidden));
        }
        let subject = format!("application:{}", decision.application_id);
        let detail = json!({ "decision": decision.id });
        let audit = self.audit_entry(format!("staff:{}", staff.id), subject, "decision.discarded", detail);
        let discarded = self.store.discard_draft(&decision.id, &audit).await?;
        if discarded { Ok(()) } else { Err(Refusal::DraftChanged.into()) }
    }

    /// The draft awaiting release.
    pub async fn drafted(&self, application_id: &str) -> Result<Option<Decision>, Error> {
        let decisions = self.store.decisions(application_id).await?;
        Ok(decisions.into_iter().find(|decision| decision.state == DecisionState::Draft))
    }

    /// Releases a draft. After the hold the applicant sees it, and a mail says that there is something to see.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Error::Stale`], [`Refusal::NoDecision`] for a draft that was replaced or released.
    pub async fn release_decision(
        &self,
        staff: &Staff,
        decision_id: &str,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let pending = self.store.pending_decision(decision_id).await?.ok_or(Refusal::NoDecision)?;
        let asked = self.release_facts(staff, &pending).await?;
        self.release_by(Some(staff), pending.decision, asked, conditions).await
    }

    /// Releases a draft on behalf of a member of staff, or by the rule for free places.
    ///
    /// # Errors
    /// As for [`release_decision`](Self::release_decision).
    pub(crate) async fn release_by(
        &self,
        staff: Option<&Staff>,
        decision: Decision,
        asked: ReleaseFacts,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let (applicant, application) = self.find_application(ApplicationKey::Id(&decision.application_id)).await?;
        let outcome = decision.ruling.outcome();
        let act = act_of(outcome);
        if let Some(application) = self.repeated(&applicant.id, act, &conditions).await? {
            return Ok(application);
        }
        if decision.state != DecisionState::Draft {
            return Err(Refusal::NoDecision.into());
        }
        let facts = |_: &Application| facts_of(&decision, asked);
        let by = staff.map(|staff| staff.id.clone());
        let release = DecisionWrite::Release { decision: decision.id.clone(), staff: by };
        let also = |_: &Application, transition: &mut Transition| {
            // What follows from a decision needs one in force.
            transition.decision.insert(0, release.clone());
        };
        let mut detail = json!({
            "decision": decision.id,
            "outcome": act.as_str(),
            "draftedBy": decision.drafted_by,
            "waived": decision.waiver.is_some(),
            "documentsMissing": asked.lacks.documents,
        });
        if staff.is_none() {
            detail["byRule"] = true.into();
        }
        let command = Command {
            act,
            actor: staff.map_or_else(Actor::system, Actor::staff),
            applicant: &applicant,
            facts: &facts,
            detail,
            also: &also,
            conditions,
        };
        Ok(self.act(application, command).await?)
    }

    /// Recalls a decision that the applicant has not seen yet.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when the hold is over, [`Error::Stale`], [`Refusal::NoApplication`].
    pub async fn recall_decision(
        &self,
        staff: &Staff,
        application: ApplicationKey<'_>,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let revoke = [DecisionWrite::Revoke(DecisionState::Recalled)];
        self.by_staff(staff, application, Act::Recall, None, &revoke, conditions).await
    }

    /// Reverses a decision that the applicant has already seen.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] while it can still be recalled, [`Error::Stale`], [`Refusal::NoApplication`].
    pub async fn reverse_decision(
        &self,
        staff: &Staff,
        application: ApplicationKey<'_>,
        reason: StaffReason,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let revoke = [DecisionWrite::Revoke(DecisionState::Reversed)];
        self.by_staff(staff, application, Act::Reverse, Some(reason), &revoke, conditions).await
    }

    /// Reopens an offer that was not replied to in time.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Error::Stale`], [`Refusal::NoApplication`].
    pub async fn reopen_offer(
        &self,
        staff: &Staff,
        application: ApplicationKey<'_>,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        self.by_staff(staff, application, Act::Reopen, None, &[], conditions).await
    }

    /// An act of staff on the decision or what follows from it, with only what the table and `writes` say.
    async fn by_staff(
        &self,
        staff: &Staff,
        application: ApplicationKey<'_>,
        act: Act,
        reason: Option<StaffReason>,
        writes: &[DecisionWrite],
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let (applicant, application) = self.find_application(application).await?;
        if let Some(application) = self.repeated(&applicant.id, act, &conditions).await? {
            return Ok(application);
        }
        let place_left = act == Act::Reopen && self.has_place_again(&application).await?;
        let facts = |_: &Application| Facts { reason_given: reason.is_some(), place_left, ..Facts::default() };
        let also = |_: &Application, transition: &mut Transition| {
            transition.decision.extend_from_slice(writes);
            transition.reason = reason.as_ref().map(|StaffReason(reason)| reason.clone());
            if matches!(act, Act::Recall | Act::Reverse) {
                transition.dropped_jobs.extend([jobs::REPLY_REMINDER, jobs::LAPSE]);
            }
        };
        let command = Command {
            act,
            actor: Actor::staff(staff),
            applicant: &applicant,
            facts: &facts,
            detail: json!({}),
            also: &also,
            conditions,
        };
        Ok(self.act(application, command).await?)
    }
}

/// Facts that the guards of a release need besides the decision.
#[derive(Debug, Clone, Copy)]
pub struct ReleaseFacts {
    pub lacks: Lacks,
    /// Whether somebody other than its author releases it, or the office does not require that.
    pub by_second_person: bool,
    /// Whether one more offer can be made for the intake.
    pub place_left: bool,
}

/// What an application lacks for a decision.
#[derive(Debug, Clone, Copy)]
pub struct Lacks {
    /// A required document.
    pub documents: bool,
    /// The application fee.
    pub fee: bool,
}

impl Lacks {
    pub fn of(listing: &Listing) -> Lacks {
        Lacks { documents: listing.values(Facet::Documents).next().is_some(), fee: listing.fee_due() }
    }

    pub fn of_pending(pending: &PendingDecision) -> Lacks {
        Lacks { documents: pending.lacks_documents, fee: pending.fee_due }
    }
}

impl ReleaseFacts {
    /// The facts for a release by this member of staff.
    pub fn by(
        staff: &Staff,
        decision: &Decision,
        lacks: Lacks,
        settings: &ProductSettings,
        place_left: bool,
    ) -> ReleaseFacts {
        let by_second_person = !settings.second_person_releases || decision.drafted_by != staff.id;
        ReleaseFacts { lacks, by_second_person, place_left }
    }

    /// The facts for a draft being written. Who will release it, and when, is not known yet.
    pub fn drafted_now(listing: &Listing) -> ReleaseFacts {
        ReleaseFacts { lacks: Lacks::of(listing), by_second_person: true, place_left: true }
    }
}

impl App {
    /// The facts for a release by this member of staff.
    pub(crate) async fn release_facts(&self, staff: &Staff, pending: &PendingDecision) -> Result<ReleaseFacts, Error> {
        let lacks = Lacks::of_pending(pending);
        let place_left = self.has_place(pending.program, pending.decision.intake).await?;
        Ok(ReleaseFacts::by(staff, &pending.decision, lacks, &*self.product_settings().await, place_left))
    }
}

/// Whether an application can be decided at this stage.
pub fn is_decidable(stage: Stage) -> bool {
    matches!(stage, Stage::Submitted | Stage::Booked | Stage::Held | Stage::NoShow | Stage::Waitlisted)
}

/// Whether an acceptance must say why there was no interview: not after one, and not if that was said already.
pub fn needs_waiver(stage: Stage) -> bool {
    !matches!(stage, Stage::Held | Stage::Waitlisted)
}

/// Checks whether this role could release the decision to an application at this stage.
///
/// # Errors
/// The table's refusal.
pub fn may_be_released(decision: &Decision, stage: Stage, role: Role, facts: ReleaseFacts) -> Result<(), Refused> {
    let act = act_of(decision.ruling.outcome());
    decide(stage, act, ActorKind::Staff(role), &facts_of(decision, facts)).map(drop)
}

/// All facts that the guards of a release need.
pub(crate) fn facts_of(decision: &Decision, facts: ReleaseFacts) -> Facts {
    let outcome = decision.ruling.outcome();
    let rejects = outcome == Outcome::Reject;
    Facts {
        drafted: Some(outcome),
        letter_fits: decision.ruling.letter().outcome() == outcome,
        interview_waived: decision.waiver.is_some(),
        fee_settled: !facts.lacks.fee,
        documents_there: !facts.lacks.documents
            || decision.without_documents.is_some()
            || decision.ruling.is_for_want_of_documents(),
        second_person: facts.by_second_person,
        place_left: facts.place_left,
        rejection_reason_chosen: rejects && !decision.ruling.reasons().is_empty(),
        shown_reasons_chosen: rejects,
        ..Facts::default()
    }
}

fn act_of(outcome: Outcome) -> Act {
    match outcome {
        Outcome::Accept => Act::Offer,
        Outcome::Reject => Act::Reject,
    }
}
