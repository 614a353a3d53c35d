//! The table of all changes of stage, and the function that applies it.

use super::act::Who::{self, Applicant, System};
use super::act::{Act, ActorKind};
use super::effect::{Effect, Reminders};
use super::facts::{Facts, Guard};
use super::stage::Stage;
use crate::permission::Permission;
use crate::sentence::Sentence;
use crate::text;

/// A row of the table: who may do `act` to an application in one of the stages `from`, the guards, where it leads, and
/// the effects. Actor and reason are audited for every row.
#[derive(Debug)]
pub struct Rule {
    pub act: Act,
    pub from: &'static [Stage],
    pub to: To,
    pub who: &'static [Who],
    /// In the order in which they are checked: those that the user can fix come first.
    pub guards: &'static [Guard],
    pub effects: &'static [Effect],
}

/// The target of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    Stage(Stage),
    /// Back to [`Facts::former`]. If the slot of a booked interview is no longer free, back to submitted, to book
    /// again.
    Former,
}

/// The result of an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub to: Stage,
    pub effects: &'static [Effect],
}

/// Why an act is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The actor may not do it.
    Forbidden,
    /// It is not possible at this stage.
    NotFrom { from: Stage, act: Act },
    /// A guard does not hold.
    Unmet(Guard),
}

impl Refused {
    /// Returns a stable, machine-readable code.
    pub fn code(self) -> &'static str {
        match self {
            Refused::Forbidden => "role.forbidden",
            Refused::NotFrom { .. } => "status.transition",
            Refused::Unmet(guard) => guard.code(),
        }
    }

    /// Returns one or two plain sentences for the person acting.
    pub fn sentence(self) -> Sentence {
        match self {
            Refused::Forbidden => text!("Your role does not allow this."),
            Refused::NotFrom { from, act } => {
                text!("{subject} cannot {predicate}.", subject = from.subject(), predicate = act.predicate())
            }
            Refused::Unmet(guard) => guard.sentence(),
        }
    }
}

/// Returns the result of `act` for an application at `from`. Nothing else computes a stage.
///
/// # Errors
/// In this order, so that nobody can find out a stage by trying acts that are not theirs: [`Refused::Forbidden`] if the
/// actor never may, [`Refused::NotFrom`] if nobody may now, [`Refused::Forbidden`] if only others may now, and
/// [`Refused::Unmet`] with the first guard that does not hold.
pub fn decide(from: Stage, act: Act, who: ActorKind, facts: &Facts) -> Result<Change, Refused> {
    let is_theirs = |rule: &&Rule| rule.who.iter().any(|who_may| who_may.includes(who));
    let rules = || TABLE.iter().filter(|rule| rule.act == act);
    if !rules().any(|rule| is_theirs(&rule)) {
        return Err(Refused::Forbidden);
    }
    let mut at_this_stage = rules().filter(|rule| rule.from.contains(&from)).peekable();
    if at_this_stage.peek().is_none() {
        let from = if who == ActorKind::Applicant { visible_to_applicant(from, facts) } else { from };
        return Err(Refused::NotFrom { from, act });
    }
    let rule = at_this_stage.find(is_theirs).ok_or(Refused::Forbidden)?;
    if let Some(unmet) = rule.guards.iter().find(|guard| !guard.holds(from, facts)) {
        return Err(Refused::Unmet(*unmet));
    }
    let to = match (rule.to, facts.former) {
        (To::Stage(stage), _) => stage,
        (To::Former, Some(Stage::Booked)) if !facts.slot_free => Stage::Submitted,
        (To::Former, Some(former)) => former,
        (To::Former, None) => return Err(Refused::Unmet(Guard::FormerKnown)),
    };
    Ok(Change { to, effects: rule.effects })
}

/// Returns the stage as visible to the applicant: a decision shows once it can no longer be silently recalled.
pub fn visible_to_applicant(stage: Stage, facts: &Facts) -> Stage {
    let is_sent = Guard::Announced.holds(stage, facts);
    match (stage, facts.former) {
        (Stage::Offered | Stage::Rejected, Some(former)) if !is_sent => former,
        _ => stage,
    }
}

/// Whether an application at `stage` can have come from `former` by an act that keeps it. A record that says otherwise
/// is broken, and must not bring an application to a stage it was never at.
pub(super) fn may_come_back(stage: Stage, former: Stage) -> bool {
    TABLE.iter().any(|rule| {
        rule.to == To::Stage(stage) && rule.from.contains(&former) && rule.effects.contains(&Effect::KeepFormerState)
    })
}

const INTERVIEWING: Who = Who::Staff(Permission::Interview);
const REVIEWING: Who = Who::Staff(Permission::Review);
const DECIDING: Who = Who::Staff(Permission::Decide);
const RELEASING: Who = Who::Staff(Permission::Release);
const ENROLLING: Who = Who::Staff(Permission::Enrol);
const IMPORTING: Who = Who::Staff(Permission::Import);

/// All changes of stage. For each stage and act, at most one row applies to an actor.
pub const TABLE: &[Rule] = &[
    Rule {
        act: Act::Start,
        from: &[Stage::None, Stage::Archived],
        to: To::Stage(Stage::Draft),
        who: &[Applicant],
        guards: &[Guard::NoOtherActive],
        effects: &[Effect::Mail("application-started")],
    },
    Rule {
        act: Act::DeleteDraft,
        from: &[Stage::Draft],
        to: To::Stage(Stage::None),
        who: &[Applicant],
        // What staff have seen stays on record.
        guards: &[Guard::NeverSubmitted],
        effects: &[Effect::DeleteAnswers],
    },
    Rule {
        act: Act::DeleteDraft,
        from: &[Stage::Draft],
        to: To::Stage(Stage::None),
        who: &[System],
        guards: &[Guard::NeverSubmitted, Guard::DraftExpired],
        effects: &[Effect::DeleteAnswers],
    },
    Rule {
        act: Act::Submit,
        from: &[Stage::Draft],
        to: To::Stage(Stage::Submitted),
        who: &[Applicant],
        guards: &[Guard::SectionsComplete, Guard::DeclarationTicked],
        effects: &[
            Effect::Snapshot,
            Effect::AssignReference,
            Effect::MakePdf,
            Effect::AskReferees,
            Effect::Mail("application-received"),
            Effect::StaffAlert,
        ],
    },
    Rule {
        act: Act::Unsubmit,
        from: &[Stage::Submitted],
        to: To::Stage(Stage::Draft),
        who: &[Applicant],
        guards: &[],
        effects: &[Effect::StaffAlert],
    },
    Rule {
        act: Act::RequestChanges,
        from: &[Stage::Submitted],
        to: To::Stage(Stage::Changes),
        who: &[REVIEWING],
        guards: &[Guard::SectionsNamed, Guard::DueDateAhead],
        effects: &[Effect::UnlockSections, Effect::Mail("changes-requested")],
    },
    Rule {
        act: Act::DropChanges,
        from: &[Stage::Changes],
        to: To::Stage(Stage::Submitted),
        who: &[REVIEWING],
        guards: &[],
        effects: &[Effect::LockSections, Effect::Mail("changes-dropped")],
    },
    Rule {
        act: Act::Resubmit,
        from: &[Stage::Changes],
        to: To::Stage(Stage::Submitted),
        who: &[Applicant],
        // The declaration must cover the current answers.
        guards: &[Guard::SectionsComplete, Guard::DeclarationTicked],
        effects: &[
            Effect::LockSections,
            Effect::Snapshot,
            Effect::MakePdf,
            Effect::AskReferees,
            Effect::Mail("changes-received"),
            Effect::StaffAlert,
        ],
    },
    Rule {
        act: Act::Book,
        from: &[Stage::Submitted],
        to: To::Stage(Stage::Booked),
        who: &[Applicant, INTERVIEWING],
        guards: &[Guard::FeeSettled, Guard::SlotDayAhead, Guard::SlotFree],
        effects: BOOKING,
    },
    Rule {
        act: Act::Book,
        from: &[Stage::NoShow],
        to: To::Stage(Stage::Booked),
        who: &[Applicant],
        guards: &[Guard::FeeSettled, Guard::RebookLinkLeft, Guard::SlotDayAhead, Guard::SlotFree],
        effects: BOOKING,
    },
    Rule {
        act: Act::Book,
        from: &[Stage::NoShow],
        to: To::Stage(Stage::Booked),
        who: &[INTERVIEWING],
        guards: &[Guard::FeeSettled, Guard::SlotDayAhead, Guard::SlotFree],
        effects: BOOKING,
    },
    Rule {
        act: Act::Move,
        from: &[Stage::Booked],
        to: To::Stage(Stage::Booked),
        who: &[Applicant],
        guards: &[Guard::InterviewDayAhead, Guard::MovesLeft, Guard::SlotDayAhead, Guard::SlotFree],
        effects: MOVING,
    },
    Rule {
        act: Act::Move,
        from: &[Stage::Booked],
        to: To::Stage(Stage::Booked),
        who: &[INTERVIEWING],
        // If agreed by telephone, it may be as soon as this afternoon.
        guards: &[Guard::SlotAhead, Guard::SlotFree],
        effects: MOVING,
    },
    Rule {
        act: Act::Cancel,
        from: &[Stage::Booked],
        to: To::Stage(Stage::Submitted),
        who: &[Applicant],
        // A late cancellation is better than a no-show.
        guards: &[Guard::InterviewAhead],
        effects: CANCELLING,
    },
    Rule {
        act: Act::Cancel,
        from: &[Stage::Booked],
        to: To::Stage(Stage::Submitted),
        who: &[INTERVIEWING],
        // Also afterwards: if the interviewer fell ill, it is not the applicant's no-show.
        guards: &[],
        effects: CANCELLING,
    },
    Rule {
        act: Act::RecordHeld,
        from: &[Stage::Booked],
        to: To::Stage(Stage::Held),
        who: &[INTERVIEWING],
        guards: &[Guard::InterviewBegun],
        effects: &[Effect::ScoreSheet],
    },
    Rule {
        act: Act::RecordNoShow,
        from: &[Stage::Booked],
        to: To::Stage(Stage::NoShow),
        who: &[INTERVIEWING],
        guards: &[Guard::InterviewBegun],
        effects: &[Effect::RebookLink],
    },
    Rule {
        act: Act::UndoRecord,
        from: &[Stage::Held, Stage::NoShow],
        to: To::Stage(Stage::Booked),
        who: &[INTERVIEWING],
        guards: &[],
        effects: &[],
    },
    Rule {
        act: Act::Offer,
        from: &[Stage::Held],
        to: To::Stage(Stage::Offered),
        who: &[RELEASING],
        guards: &[
            Guard::FeeSettled,
            Guard::AcceptanceDrafted,
            Guard::LetterFits,
            Guard::DocumentsThere,
            Guard::SecondPerson,
            Guard::PlaceLeft,
        ],
        effects: &[
            Effect::KeepFormerState,
            Effect::TakePlace,
            Effect::OpenOffer,
            Effect::Remind(Reminders::Offer),
            Effect::HoldMail("status-update"),
        ],
    },
    Rule {
        act: Act::Offer,
        from: &[Stage::Submitted, Stage::Booked, Stage::NoShow],
        to: To::Stage(Stage::Offered),
        who: &[RELEASING],
        guards: &[
            Guard::FeeSettled,
            Guard::InterviewWaived,
            Guard::AcceptanceDrafted,
            Guard::LetterFits,
            Guard::DocumentsThere,
            Guard::SecondPerson,
            Guard::PlaceLeft,
        ],
        effects: &[
            Effect::KeepFormerState,
            Effect::TakePlace,
            Effect::FreeSlot,
            Effect::CalendarCancel,
            Effect::OpenOffer,
            Effect::Remind(Reminders::Offer),
            Effect::HoldMail("status-update"),
        ],
    },
    Rule {
        act: Act::Offer,
        from: &[Stage::Waitlisted],
        to: To::Stage(Stage::Offered),
        who: &[RELEASING, System],
        guards: &[
            Guard::FeeSettled,
            Guard::AcceptanceDrafted,
            Guard::LetterFits,
            Guard::DocumentsThere,
            Guard::SecondPerson,
            Guard::PlaceLeft,
        ],
        effects: &[
            Effect::KeepFormerState,
            Effect::TakePlace,
            Effect::OpenOffer,
            Effect::Remind(Reminders::Offer),
            Effect::HoldMail("status-update"),
        ],
    },
    Rule {
        act: Act::Reject,
        from: &[Stage::Submitted, Stage::Booked, Stage::Held, Stage::NoShow, Stage::Waitlisted],
        to: To::Stage(Stage::Rejected),
        who: &[RELEASING],
        guards: &[
            Guard::FeeSettled,
            Guard::RejectionDrafted,
            Guard::RejectionReason,
            Guard::ShownReasons,
            Guard::LetterFits,
            Guard::DocumentsThere,
            Guard::SecondPerson,
        ],
        effects: &[
            Effect::KeepFormerState,
            Effect::FreeSlot,
            Effect::CalendarCancel,
            Effect::HoldMail("status-update"),
        ],
    },
    Rule {
        act: Act::Waitlist,
        from: &[Stage::Held],
        to: To::Stage(Stage::Waitlisted),
        who: &[RELEASING],
        // What an offer needs except for the place: when one becomes free, it may be made at once.
        guards: &[
            Guard::FeeSettled,
            Guard::AcceptanceDrafted,
            Guard::LetterFits,
            Guard::DocumentsThere,
            Guard::SecondPerson,
        ],
        effects: &[Effect::KeepFormerState, Effect::JoinLine, Effect::Mail("waitlisted")],
    },
    Rule {
        act: Act::Waitlist,
        from: &[Stage::Submitted, Stage::Booked, Stage::NoShow],
        to: To::Stage(Stage::Waitlisted),
        who: &[RELEASING],
        guards: &[
            Guard::FeeSettled,
            Guard::InterviewWaived,
            Guard::AcceptanceDrafted,
            Guard::LetterFits,
            Guard::DocumentsThere,
            Guard::SecondPerson,
        ],
        effects: &[
            Effect::KeepFormerState,
            Effect::FreeSlot,
            Effect::CalendarCancel,
            Effect::JoinLine,
            Effect::Mail("waitlisted"),
        ],
    },
    Rule {
        act: Act::LeaveWaitlist,
        from: &[Stage::Waitlisted],
        to: To::Former,
        who: &[RELEASING],
        guards: &[Guard::ReasonGiven, Guard::FormerKnown],
        effects: &[Effect::RetakeSlot, Effect::Mail("status-update")],
    },
    Rule {
        act: Act::Recall,
        from: &[Stage::Offered, Stage::Rejected],
        to: To::Former,
        who: &[RELEASING],
        guards: &[Guard::Held, Guard::FormerKnown],
        effects: &[Effect::DropHeldMail, Effect::RetakeSlot],
    },
    Rule {
        act: Act::Reverse,
        from: &[Stage::Offered, Stage::Rejected],
        to: To::Former,
        who: &[DECIDING],
        guards: &[Guard::Sent, Guard::ReasonGiven, Guard::FormerKnown],
        effects: &[Effect::RetakeSlot, Effect::Mail("status-update"), Effect::StaffAlert],
    },
    Rule {
        act: Act::Accept,
        from: &[Stage::Offered],
        to: To::Stage(Stage::Confirmed),
        who: &[Applicant],
        guards: &[Guard::Announced, Guard::OfferOpen],
        effects: &[Effect::ContractTask, Effect::FundingTask, Effect::Mail("offer-accepted"), Effect::StaffAlert],
    },
    Rule {
        act: Act::Decline,
        from: &[Stage::Offered],
        to: To::Stage(Stage::Archived),
        who: &[Applicant],
        guards: &[Guard::Announced],
        effects: &[Effect::Mail("offer-declined"), Effect::StaffAlert],
    },
    Rule {
        act: Act::UndoDecline,
        from: &[Stage::Archived],
        to: To::Stage(Stage::Offered),
        who: &[Applicant],
        guards: &[Guard::WasDeclined, Guard::JustEnded, Guard::NoOtherActive],
        effects: &[Effect::StaffAlert],
    },
    Rule {
        act: Act::Lapse,
        from: &[Stage::Offered],
        to: To::Stage(Stage::Lapsed),
        who: &[System],
        guards: &[Guard::OfferOver],
        effects: &[Effect::Mail("offer-lapsed"), Effect::StaffAlert],
    },
    Rule {
        act: Act::Reopen,
        from: &[Stage::Lapsed],
        to: To::Stage(Stage::Offered),
        who: &[RELEASING],
        guards: &[Guard::PlaceLeft],
        effects: &[
            Effect::TakePlace,
            Effect::OpenOffer,
            Effect::Remind(Reminders::Offer),
            Effect::Mail("offer-reopened"),
        ],
    },
    Rule {
        act: Act::Enrol,
        from: &[Stage::Confirmed],
        to: To::Stage(Stage::Enrolled),
        who: &[System],
        guards: &[Guard::ContractCountersigned, Guard::ConditionsMet, Guard::FundingCovers, Guard::FirstPayment],
        effects: ENROLLED,
    },
    Rule {
        act: Act::Enrol,
        from: &[Stage::Confirmed],
        to: To::Stage(Stage::Enrolled),
        who: &[ENROLLING],
        guards: &[
            Guard::ReasonGiven,
            Guard::ContractCountersigned,
            Guard::ConditionsMet,
            Guard::FundingCovers,
            Guard::FirstPayment,
        ],
        effects: ENROLLED,
    },
    Rule {
        act: Act::Unenrol,
        from: &[Stage::Enrolled],
        to: To::Stage(Stage::Confirmed),
        who: &[ENROLLING],
        guards: &[Guard::ReasonGiven],
        effects: &[Effect::Mail("status-update"), Effect::StaffAlert],
    },
    Rule {
        act: Act::Defer,
        from: &[Stage::Offered, Stage::Confirmed, Stage::Lapsed, Stage::Enrolled],
        to: To::Stage(Stage::Deferred),
        who: &[REVIEWING],
        guards: &[Guard::IntakeNear],
        effects: &[
            Effect::KeepFormerState,
            Effect::PausePlan,
            Effect::Remind(Reminders::Intake),
            Effect::Mail("deferred"),
        ],
    },
    Rule {
        act: Act::Resume,
        from: &[Stage::Deferred],
        to: To::Former,
        who: &[REVIEWING],
        guards: &[Guard::ConditionsRechecked, Guard::FormerKnown],
        effects: &[
            Effect::ResumePlan,
            // Nobody could reply to the offer during the deferral.
            Effect::OpenOffer,
            Effect::Remind(Reminders::Offer),
            Effect::Mail("resumed"),
        ],
    },
    Rule {
        act: Act::Withdraw,
        from: &[Stage::Draft],
        to: To::Stage(Stage::Archived),
        who: &[Applicant, REVIEWING],
        guards: &[Guard::ReasonGiven],
        // Staff have not seen it, so they need not be told. If it was taken back, its fee may be about to be paid.
        effects: &[Effect::KeepFormerState, Effect::StopCharges, Effect::Mail("application-withdrawn")],
    },
    Rule {
        act: Act::Withdraw,
        from: &[
            Stage::Submitted,
            Stage::Changes,
            Stage::Booked,
            Stage::Held,
            Stage::NoShow,
            Stage::Waitlisted,
            Stage::Offered,
            Stage::Confirmed,
            Stage::Lapsed,
            Stage::Rejected,
            Stage::Deferred,
        ],
        to: To::Stage(Stage::Archived),
        who: &[Applicant, REVIEWING],
        guards: &[Guard::ReasonGiven],
        effects: &[
            Effect::KeepFormerState,
            Effect::FreeSlot,
            Effect::CalendarCancel,
            Effect::VoidContract,
            Effect::StopCharges,
            Effect::RefundTask,
            Effect::Mail("application-withdrawn"),
            Effect::StaffAlert,
        ],
    },
    Rule {
        act: Act::UndoWithdraw,
        from: &[Stage::Archived],
        to: To::Former,
        who: &[Applicant],
        guards: &[Guard::WasWithdrawn, Guard::JustEnded, Guard::NoOtherActive, Guard::FormerKnown],
        effects: UNWITHDRAWN,
    },
    Rule {
        act: Act::UndoWithdraw,
        from: &[Stage::Archived],
        to: To::Former,
        who: &[REVIEWING],
        guards: &[Guard::WasWithdrawn, Guard::NoOtherActive, Guard::FormerKnown],
        effects: UNWITHDRAWN,
    },
    Rule {
        act: Act::ImportDraft,
        from: &[Stage::None],
        to: To::Stage(Stage::Draft),
        who: &[IMPORTING],
        guards: &[Guard::NoOtherActive],
        effects: &[Effect::Mail("application-imported")],
    },
    Rule {
        act: Act::ImportSubmission,
        from: &[Stage::None],
        to: To::Stage(Stage::Submitted),
        who: &[IMPORTING],
        // Answers may be missing that the former system did not ask for: staff can ask for changes.
        guards: &[Guard::NoOtherActive],
        effects: &[Effect::Snapshot, Effect::AssignReference, Effect::Mail("application-imported")],
    },
    Rule {
        act: Act::ImportPast,
        from: &[Stage::None],
        to: To::Stage(Stage::Archived),
        who: &[IMPORTING],
        guards: &[],
        effects: &[Effect::Snapshot, Effect::KeepOutcome],
    },
    Rule {
        act: Act::UndoImport,
        from: &[Stage::Draft, Stage::Submitted, Stage::Archived],
        to: To::Stage(Stage::None),
        who: &[IMPORTING],
        guards: &[Guard::OnlyImported],
        effects: &[Effect::TakeBack],
    },
];

const BOOKING: &[Effect] =
    &[Effect::TakeSlot, Effect::CalendarInvite, Effect::Mail("interview-booked"), Effect::Remind(Reminders::Interview)];

/// Take the new slot first: if that fails, the old one is kept.
const MOVING: &[Effect] = &[
    Effect::TakeSlot,
    Effect::FreeSlot,
    Effect::CalendarUpdate,
    Effect::Mail("interview-moved"),
    Effect::Remind(Reminders::Interview),
];

const CANCELLING: &[Effect] =
    &[Effect::FreeSlot, Effect::CalendarCancel, Effect::Mail("interview-cancelled"), Effect::StaffAlert];

const ENROLLED: &[Effect] = &[Effect::Mail("enrolled")];

/// A voided contract stays void: staff are alerted and send a new one.
const UNWITHDRAWN: &[Effect] =
    &[Effect::RetakeSlot, Effect::ResumePlan, Effect::Mail("withdrawal-undone"), Effect::StaffAlert];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::role::Role;
    use crate::status::facts::{Ended, Outcome};

    fn everybody() -> impl Iterator<Item = ActorKind> {
        [ActorKind::Applicant, ActorKind::System].into_iter().chain(Role::ALL.map(ActorKind::Staff))
    }

    /// Sets in `facts` what `guard` needs, and nothing else.
    fn grant(guard: Guard, facts: &mut Facts, from: Stage) {
        match guard {
            Guard::NoOtherActive => facts.no_other_active = true,
            Guard::NeverSubmitted => facts.never_submitted = true,
            Guard::DraftExpired => facts.draft_expired = true,
            Guard::SectionsComplete => facts.sections_complete = true,
            Guard::DeclarationTicked => facts.declaration_ticked = true,
            Guard::SectionsNamed => facts.sections_named = true,
            Guard::DueDateAhead => facts.due_date_ahead = true,
            Guard::FeeSettled => facts.fee_settled = true,
            Guard::SlotFree => facts.slot_free = true,
            Guard::SlotAhead => facts.minutes_until_slot = Some(1),
            Guard::SlotDayAhead => facts.minutes_until_slot = Some(24 * 60),
            Guard::RebookLinkLeft => facts.no_shows = Some(1),
            Guard::MovesLeft => facts.moves_so_far = Some(1),
            Guard::InterviewDayAhead => facts.minutes_until_interview = Some(24 * 60),
            Guard::InterviewAhead => facts.minutes_until_interview = Some(1),
            Guard::InterviewBegun => facts.minutes_until_interview = Some(0),
            Guard::InterviewWaived => facts.interview_waived = true,
            Guard::DocumentsThere => facts.documents_there = true,
            Guard::SecondPerson => facts.second_person = true,
            Guard::PlaceLeft => facts.place_left = true,
            Guard::AcceptanceDrafted => facts.drafted = Some(Outcome::Accept),
            Guard::RejectionDrafted => facts.drafted = Some(Outcome::Reject),
            Guard::LetterFits => facts.letter_fits = true,
            Guard::RejectionReason => facts.rejection_reason_chosen = true,
            Guard::ShownReasons => facts.shown_reasons_chosen = true,
            Guard::Held => facts.minutes_since_release = Some(14),
            Guard::Sent | Guard::Announced => facts.minutes_since_release = Some(15),
            Guard::OfferOpen => facts.offer_open = Some(true),
            Guard::OfferOver => facts.offer_open = Some(false),
            Guard::JustEnded => facts.minutes_since_end = Some(14),
            Guard::WasDeclined => facts.ended_by = Some(Ended::Declined),
            Guard::WasWithdrawn => facts.ended_by = Some(Ended::Withdrawn),
            Guard::ContractCountersigned => facts.contract_countersigned = true,
            Guard::ConditionsMet => facts.conditions_met = true,
            Guard::FundingCovers => facts.funding_covers_tuition = true,
            Guard::FirstPayment => facts.first_payment = true,
            Guard::IntakeNear => facts.months_until_intake = Some(24),
            Guard::ConditionsRechecked => facts.conditions_rechecked = true,
            Guard::FormerKnown => facts.former = Stage::ALL.into_iter().find(|stage| may_come_back(from, *stage)),
            Guard::ReasonGiven => facts.reason_given = true,
            Guard::OnlyImported => facts.only_imported = true,
        }
    }

    /// Sets facts that only just fail `guard`.
    fn just_short_of(guard: Guard, facts: &mut Facts) {
        match guard {
            Guard::NoOtherActive => facts.no_other_active = false,
            Guard::NeverSubmitted => facts.never_submitted = false,
            Guard::DraftExpired => facts.draft_expired = false,
            Guard::SectionsComplete => facts.sections_complete = false,
            Guard::DeclarationTicked => facts.declaration_ticked = false,
            Guard::SectionsNamed => facts.sections_named = false,
            Guard::DueDateAhead => facts.due_date_ahead = false,
            Guard::FeeSettled => facts.fee_settled = false,
            Guard::SlotFree => facts.slot_free = false,
            Guard::SlotAhead => facts.minutes_until_slot = Some(0),
            Guard::SlotDayAhead => facts.minutes_until_slot = Some(24 * 60 - 1),
            Guard::RebookLinkLeft => facts.no_shows = Some(2),
            Guard::MovesLeft => facts.moves_so_far = Some(2),
            Guard::InterviewDayAhead => facts.minutes_until_interview = Some(24 * 60 - 1),
            Guard::InterviewAhead => facts.minutes_until_interview = Some(0),
            Guard::InterviewBegun => facts.minutes_until_interview = Some(1),
            Guard::InterviewWaived => facts.interview_waived = false,
            Guard::DocumentsThere => facts.documents_there = false,
            Guard::SecondPerson => facts.second_person = false,
            Guard::PlaceLeft => facts.place_left = false,
            Guard::AcceptanceDrafted => facts.drafted = Some(Outcome::Reject),
            Guard::RejectionDrafted => facts.drafted = Some(Outcome::Accept),
            Guard::LetterFits => facts.letter_fits = false,
            Guard::RejectionReason => facts.rejection_reason_chosen = false,
            Guard::ShownReasons => facts.shown_reasons_chosen = false,
            Guard::Held => facts.minutes_since_release = Some(15),
            Guard::Sent | Guard::Announced => facts.minutes_since_release = Some(14),
            Guard::OfferOpen => facts.offer_open = Some(false),
            Guard::OfferOver => facts.offer_open = Some(true),
            Guard::JustEnded => facts.minutes_since_end = Some(15),
            Guard::WasDeclined => facts.ended_by = Some(Ended::Withdrawn),
            Guard::WasWithdrawn => facts.ended_by = Some(Ended::Declined),
            Guard::ContractCountersigned => facts.contract_countersigned = false,
            Guard::ConditionsMet => facts.conditions_met = false,
            Guard::FundingCovers => facts.funding_covers_tuition = false,
            Guard::FirstPayment => facts.first_payment = false,
            Guard::IntakeNear => facts.months_until_intake = Some(25),
            Guard::ConditionsRechecked => facts.conditions_rechecked = false,
            Guard::FormerKnown => facts.former = Some(Stage::Archived),
            Guard::ReasonGiven => facts.reason_given = false,
            Guard::OnlyImported => facts.only_imported = false,
        }
    }

    fn granted(rule: &Rule, from: Stage) -> Facts {
        let mut facts = Facts::default();
        rule.guards.iter().for_each(|guard| grant(*guard, &mut facts, from));
        facts
    }

    /// Every row at each of its stages, with every actor it allows.
    fn cases() -> impl Iterator<Item = (&'static Rule, Stage, ActorKind)> {
        TABLE.iter().flat_map(|rule| {
            let actors = move || everybody().filter(|actor| rule.who.iter().any(|who| who.includes(*actor)));
            rule.from.iter().flat_map(move |from| actors().map(move |actor| (rule, *from, actor)))
        })
    }

    #[test]
    fn each_row_is_allowed_when_its_guards_hold() {
        for (rule, from, actor) in cases() {
            let facts = granted(rule, from);
            let change = decide(from, rule.act, actor, &facts);
            let to = match rule.to {
                To::Stage(stage) => stage,
                To::Former => facts.former.unwrap(),
            };
            assert_eq!(change, Ok(Change { to, effects: rule.effects }), "{from} {:?} {actor:?}", rule.act);
        }
    }

    #[test]
    fn each_guard_refuses_when_it_alone_does_not_hold() {
        for (rule, from, actor) in cases() {
            for guard in rule.guards {
                let mut short = granted(rule, from);
                just_short_of(*guard, &mut short);
                let refused = decide(from, rule.act, actor, &short);
                assert_eq!(refused, Err(Refused::Unmet(*guard)), "{from} {:?} {actor:?}", rule.act);
            }
        }
    }

    #[test]
    fn what_was_not_looked_up_lets_nobody_through() {
        for (rule, from, actor) in cases().filter(|(rule, ..)| !rule.guards.is_empty()) {
            let refused = decide(from, rule.act, actor, &Facts::default());
            assert_eq!(refused, Err(Refused::Unmet(rule.guards[0])), "{from} {:?} {actor:?}", rule.act);
        }
    }

    #[test]
    fn what_is_not_in_the_table_is_refused() {
        let mut allowed = 0;
        for from in Stage::ALL {
            for act in Act::ALL {
                for actor in everybody() {
                    let row = TABLE.iter().find(|rule| {
                        rule.act == act && rule.from.contains(&from) && rule.who.iter().any(|who| who.includes(actor))
                    });
                    match row {
                        Some(_) => allowed += 1,
                        None => {
                            // Tried with the facts that satisfy each row of the act.
                            let others = TABLE.iter().filter(|rule| rule.act == act);
                            for facts in others.map(|rule| granted(rule, rule.from[0])) {
                                let refused = decide(from, act, actor, &facts).unwrap_err();
                                assert!(!matches!(refused, Refused::Unmet(_)), "{from} {act:?} {actor:?}");
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(allowed, cases().count());
    }

    #[test]
    fn an_actor_finds_one_row_and_each_act_has_one() {
        for act in Act::ALL {
            assert!(TABLE.iter().any(|rule| rule.act == act), "{act:?}");
            for from in Stage::ALL {
                for actor in everybody() {
                    let rows = TABLE.iter().filter(|rule| {
                        rule.act == act && rule.from.contains(&from) && rule.who.iter().any(|who| who.includes(actor))
                    });
                    assert!(rows.count() <= 1, "{from} {act:?} {actor:?}");
                }
            }
        }
        for rule in TABLE {
            assert_eq!(rule.to == To::Former, rule.guards.contains(&Guard::FormerKnown), "{rule:?}");
        }
    }

    #[test]
    fn applicants_do_what_is_theirs_and_never_what_is_staffs() {
        use Act::{
            Accept, Book, Cancel, Decline, DeleteDraft, Move, Resubmit, Start, Submit, UndoDecline, UndoWithdraw,
            Unsubmit, Withdraw,
        };
        let theirs = [
            Start,
            DeleteDraft,
            Submit,
            Unsubmit,
            Resubmit,
            Book,
            Move,
            Cancel,
            Accept,
            Decline,
            UndoDecline,
            Withdraw,
            UndoWithdraw,
        ];
        for act in Act::ALL {
            let can = cases().any(|(rule, _, actor)| rule.act == act && actor == ActorKind::Applicant);
            assert_eq!(can, theirs.contains(&act), "{act:?}");
            if !can {
                for rule in TABLE.iter().filter(|rule| rule.act == act) {
                    for from in Stage::ALL {
                        let refused = decide(from, act, ActorKind::Applicant, &granted(rule, rule.from[0]));
                        assert_eq!(refused, Err(Refused::Forbidden), "{from} {act:?}");
                    }
                }
            }
        }
        assert!(cases().all(|(_, _, actor)| actor != ActorKind::Staff(Role::Viewer)), "who views changes nothing");
    }

    #[test]
    fn the_archive_is_left_by_four_acts_and_enrolment_by_two() {
        let leaving = |stage: Stage| -> Vec<Act> {
            let mut acts: Vec<Act> =
                TABLE.iter().filter(|rule| rule.from.contains(&stage)).map(|rule| rule.act).collect();
            acts.dedup();
            acts
        };
        assert_eq!(leaving(Stage::Archived), [Act::Start, Act::UndoDecline, Act::UndoWithdraw, Act::UndoImport]);
        assert_eq!(leaving(Stage::Enrolled), [Act::Unenrol, Act::Defer]);
        assert_eq!(leaving(Stage::Deferred), [Act::Resume, Act::Withdraw]);
        assert_eq!(leaving(Stage::None), [Act::Start, Act::ImportDraft, Act::ImportSubmission, Act::ImportPast]);
    }

    #[test]
    fn every_active_application_but_an_enrolled_one_can_be_withdrawn() {
        let facts = Facts { reason_given: true, ..Facts::default() };
        for stage in Stage::ALL {
            let active = !matches!(stage, Stage::None | Stage::Archived);
            for actor in [ActorKind::Applicant, ActorKind::Staff(Role::Reviewer)] {
                let withdrawn = decide(stage, Act::Withdraw, actor, &facts).map(|change| change.to);
                let expected = active && stage != Stage::Enrolled;
                assert_eq!(withdrawn == Ok(Stage::Archived), expected, "{stage} {actor:?}");
            }
        }
    }

    #[test]
    fn undone_is_back_where_it_was() {
        let decider = ActorKind::Staff(Role::Decider);
        for (from, act, former, slot_free, to) in [
            (Stage::Archived, Act::UndoWithdraw, Stage::Draft, false, Some(Stage::Draft)),
            (Stage::Archived, Act::UndoWithdraw, Stage::Deferred, false, Some(Stage::Deferred)),
            (Stage::Archived, Act::UndoWithdraw, Stage::Enrolled, false, None),
            (Stage::Archived, Act::UndoWithdraw, Stage::Booked, true, Some(Stage::Booked)),
            (Stage::Archived, Act::UndoWithdraw, Stage::Booked, false, Some(Stage::Submitted)),
            (Stage::Rejected, Act::Recall, Stage::NoShow, false, Some(Stage::NoShow)),
            (Stage::Rejected, Act::Reverse, Stage::Booked, true, Some(Stage::Booked)),
            (Stage::Rejected, Act::Reverse, Stage::Booked, false, Some(Stage::Submitted)),
            (Stage::Rejected, Act::Reverse, Stage::Draft, false, None),
            (Stage::Offered, Act::Recall, Stage::Held, false, Some(Stage::Held)),
            (Stage::Offered, Act::Recall, Stage::Waitlisted, false, Some(Stage::Waitlisted)),
            (Stage::Rejected, Act::Reverse, Stage::Waitlisted, false, Some(Stage::Waitlisted)),
            (Stage::Waitlisted, Act::LeaveWaitlist, Stage::Held, false, Some(Stage::Held)),
            (Stage::Waitlisted, Act::LeaveWaitlist, Stage::Booked, true, Some(Stage::Booked)),
            (Stage::Waitlisted, Act::LeaveWaitlist, Stage::Booked, false, Some(Stage::Submitted)),
            (Stage::Waitlisted, Act::LeaveWaitlist, Stage::Offered, false, None),
            (Stage::Archived, Act::UndoWithdraw, Stage::Waitlisted, false, Some(Stage::Waitlisted)),
            (Stage::Offered, Act::Reverse, Stage::Confirmed, false, None),
            (Stage::Deferred, Act::Resume, Stage::Enrolled, false, Some(Stage::Enrolled)),
            (Stage::Deferred, Act::Resume, Stage::Lapsed, false, Some(Stage::Lapsed)),
            (Stage::Deferred, Act::Resume, Stage::Held, false, None),
        ] {
            let facts = Facts {
                former: Some(former),
                slot_free,
                no_other_active: true,
                ended_by: Some(Ended::Withdrawn),
                minutes_since_release: Some(if act == Act::Recall { 0 } else { 500 }),
                reason_given: true,
                conditions_rechecked: true,
                ..Facts::default()
            };
            let change = decide(from, act, decider, &facts).map(|change| change.to);
            assert_eq!(change, to.ok_or(Refused::Unmet(Guard::FormerKnown)), "{from} {act:?} {former}");
        }
    }

    #[test]
    fn a_held_decision_does_not_show() {
        let held = Facts { former: Some(Stage::Held), minutes_since_release: Some(14), ..Facts::default() };
        let sent = Facts { minutes_since_release: Some(15), ..held.clone() };
        for stage in [Stage::Offered, Stage::Rejected] {
            assert_eq!(visible_to_applicant(stage, &held), Stage::Held);
            assert_eq!(visible_to_applicant(stage, &sent), stage);
            let refused = decide(stage, Act::Submit, ActorKind::Applicant, &held);
            assert_eq!(refused, Err(Refused::NotFrom { from: Stage::Held, act: Act::Submit }));
        }
        assert_eq!(visible_to_applicant(Stage::Confirmed, &held), Stage::Confirmed);
    }

    #[test]
    fn a_refusal_says_why() {
        let enrol = decide(Stage::Draft, Act::Enrol, ActorKind::Staff(Role::Owner), &Facts::default()).unwrap_err();
        assert_eq!(enrol.code(), "status.transition");
        assert_eq!(enrol.sentence(), "An incomplete application cannot become enrolled.");
        let offer = decide(Stage::Held, Act::Offer, ActorKind::Staff(Role::Reviewer), &Facts::default()).unwrap_err();
        assert_eq!(
            (offer.code(), offer.sentence().to_string().as_str()),
            ("role.forbidden", "Your role does not allow this.")
        );
        let late = Facts { minutes_until_interview: Some(60), ..Facts::default() };
        let late = decide(Stage::Booked, Act::Move, ActorKind::Applicant, &late).unwrap_err();
        assert_eq!(late.code(), "interview.too_soon");

        let mut codes: Vec<&str> = Vec::new();
        for guard in TABLE.iter().flat_map(|rule| rule.guards) {
            assert!(guard.sentence().to_string().ends_with('.') && !guard.words().ends_with('.'), "{guard:?}");
            codes.push(guard.code());
        }
        codes.sort_unstable();
        codes.dedup();
        let mut guards: Vec<String> =
            TABLE.iter().flat_map(|rule| rule.guards).map(|guard| format!("{guard:?}")).collect();
        guards.sort_unstable();
        guards.dedup();
        assert_eq!(codes.len(), guards.len(), "each guard has its own code");
    }
}
