//! The guards of changes of stage, and the facts they need.

use super::Stage;
use super::table::{TABLE, may_come_back};
use crate::sentence::Sentence;
use crate::text;

/// Minutes within which a released decision can be recalled, and an applicant can undo a withdrawal or decline.
pub const GRACE: i64 = 15;
/// Minutes per day.
const DAY: i64 = 24 * 60;
/// Number of times an applicant can move an interview without help.
const MOVES: u32 = 2;
/// Maximum number of months for which an application can be deferred.
const DEFERRAL: u32 = 24;

/// The facts that an act's guards need. A fact that was not looked up has its default, with which no guard holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The applicant has no other active application.
    pub no_other_active: bool,
    pub sections_complete: bool,
    pub declaration_ticked: bool,
    /// The application has never been submitted.
    pub never_submitted: bool,
    /// The draft has not been touched for as long as drafts are kept, and its applicant was warned in time.
    pub draft_expired: bool,
    /// The request names sections to change.
    pub sections_named: bool,
    /// The request names a day in the future.
    pub due_date_ahead: bool,
    /// The application fee is paid or waived, or there is none.
    pub fee_settled: bool,
    /// Whether the chosen slot can be taken or, for an undo, the one that was freed.
    pub slot_free: bool,
    /// Minutes until the chosen slot begins, rounded down.
    pub minutes_until_slot: Option<i64>,
    /// Minutes until the booked interview begins, rounded down; negative once it has begun.
    pub minutes_until_interview: Option<i64>,
    /// How often the applicant has moved the interview.
    pub moves_so_far: Option<u32>,
    /// Number of no-shows that were recorded and not undone.
    pub no_shows: Option<u32>,
    /// The interview is waived, with a reason.
    pub interview_waived: bool,
    /// No required document is missing, or a reason is given for deciding without it.
    pub documents_there: bool,
    /// The releaser is allowed to release: somebody else drafted the decision, or a second person is not required.
    pub second_person: bool,
    /// One more offer can be made for the intake.
    pub place_left: bool,
    /// Outcome of the drafted decision.
    pub drafted: Option<Outcome>,
    pub letter_fits: bool,
    /// At least one of the structured reasons for rejection is chosen.
    pub rejection_reason_chosen: bool,
    /// The reasons shown to the applicant were chosen; choosing none is allowed.
    pub shown_reasons_chosen: bool,
    /// Minutes since the decision was released, rounded down.
    pub minutes_since_release: Option<i64>,
    /// Minutes since the application was archived, rounded down.
    pub minutes_since_end: Option<i64>,
    /// How the application was archived.
    pub ended_by: Option<Ended>,
    /// Whether the offer's 30 days are not over yet.
    pub offer_open: Option<bool>,
    pub contract_countersigned: bool,
    /// Every condition is met or waived.
    pub conditions_met: bool,
    pub funding_covers_tuition: bool,
    /// Received or authorised.
    pub first_payment: bool,
    /// Months until the intake to which an application is deferred.
    pub months_until_intake: Option<u32>,
    /// The conditions were checked again before studies resume.
    pub conditions_rechecked: bool,
    /// The stage that was left by the latest act that led to the current one and kept it.
    pub former: Option<Stage>,
    pub reason_given: bool,
    /// The application was imported, and nobody has worked on it since.
    pub only_imported: bool,
}

/// The outcome of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Accept,
    Reject,
}

/// The two ways in which an application is archived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Declined,
    Withdrawn,
}

/// A precondition of an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    NoOtherActive,
    NeverSubmitted,
    DraftExpired,
    SectionsComplete,
    DeclarationTicked,
    SectionsNamed,
    DueDateAhead,
    FeeSettled,
    SlotFree,
    SlotAhead,
    SlotDayAhead,
    RebookLinkLeft,
    MovesLeft,
    InterviewDayAhead,
    InterviewAhead,
    InterviewBegun,
    InterviewWaived,
    DocumentsThere,
    SecondPerson,
    PlaceLeft,
    AcceptanceDrafted,
    RejectionDrafted,
    LetterFits,
    RejectionReason,
    ShownReasons,
    /// The decision's mail has not been sent yet.
    Held,
    /// The decision's mail has been sent; for acts of staff.
    Sent,
    /// The same for acts of the applicant, who must not learn of a decision that is still held.
    Announced,
    OfferOpen,
    OfferOver,
    JustEnded,
    WasDeclined,
    WasWithdrawn,
    ContractCountersigned,
    ConditionsMet,
    FundingCovers,
    FirstPayment,
    IntakeNear,
    ConditionsRechecked,
    FormerKnown,
    ReasonGiven,
    OnlyImported,
}

impl Guard {
    /// Whether the guard holds for an application at `stage`.
    pub(super) fn holds(self, stage: Stage, facts: &Facts) -> bool {
        match self {
            Guard::NoOtherActive => facts.no_other_active,
            Guard::NeverSubmitted => facts.never_submitted,
            Guard::DraftExpired => facts.draft_expired,
            Guard::SectionsComplete => facts.sections_complete,
            Guard::DeclarationTicked => facts.declaration_ticked,
            Guard::SectionsNamed => facts.sections_named,
            Guard::DueDateAhead => facts.due_date_ahead,
            Guard::FeeSettled => facts.fee_settled,
            Guard::SlotFree => facts.slot_free,
            Guard::SlotAhead => facts.minutes_until_slot.is_some_and(|minutes| minutes > 0),
            Guard::SlotDayAhead => facts.minutes_until_slot.is_some_and(|minutes| minutes >= DAY),
            Guard::RebookLinkLeft => facts.no_shows == Some(1),
            Guard::MovesLeft => facts.moves_so_far.is_some_and(|moves| moves < MOVES),
            Guard::InterviewDayAhead => facts.minutes_until_interview.is_some_and(|minutes| minutes >= DAY),
            Guard::InterviewAhead => facts.minutes_until_interview.is_some_and(|minutes| minutes > 0),
            Guard::InterviewBegun => facts.minutes_until_interview.is_some_and(|minutes| minutes <= 0),
            Guard::InterviewWaived => facts.interview_waived,
            Guard::DocumentsThere => facts.documents_there,
            Guard::SecondPerson => facts.second_person,
            Guard::PlaceLeft => facts.place_left,
            Guard::AcceptanceDrafted => facts.drafted == Some(Outcome::Accept),
            Guard::RejectionDrafted => facts.drafted == Some(Outcome::Reject),
            Guard::LetterFits => facts.letter_fits,
            Guard::RejectionReason => facts.rejection_reason_chosen,
            Guard::ShownReasons => facts.shown_reasons_chosen,
            Guard::Held => facts.minutes_since_release.is_some_and(|minutes| minutes < GRACE),
            Guard::Sent | Guard::Announced => facts.minutes_since_release.is_some_and(|minutes| minutes >= GRACE),
            Guard::OfferOpen => facts.offer_open == Some(true),
            Guard::OfferOver => facts.offer_open == Some(false),
            Guard::JustEnded => facts.minutes_since_end.is_some_and(|minutes| minutes < GRACE),
            Guard::WasDeclined => facts.ended_by == Some(Ended::Declined),
            Guard::WasWithdrawn => facts.ended_by == Some(Ended::Withdrawn),
            Guard::ContractCountersigned => facts.contract_countersigned,
            Guard::ConditionsMet => facts.conditions_met,
            Guard::FundingCovers => facts.funding_covers_tuition,
            Guard::FirstPayment => facts.first_payment,
            Guard::IntakeNear => facts.months_until_intake.is_some_and(|months| (1..=DEFERRAL).contains(&months)),
            Guard::ConditionsRechecked => facts.conditions_rechecked,
            Guard::FormerKnown => facts.former.is_some_and(|former| may_come_back(stage, former)),
            Guard::ReasonGiven => facts.reason_given,
            Guard::OnlyImported => facts.only_imported,
        }
    }

    /// Returns the precondition in a few words, for the documentation.
    pub fn words(self) -> &'static str {
        self.texts().1
    }

    /// Returns a stable, machine-readable code for when it does not hold.
    pub fn code(self) -> &'static str {
        self.texts().0
    }

    /// Returns a guard of the table by its code.
    pub fn of_code(code: &str) -> Option<Guard> {
        TABLE.iter().flat_map(|rule| rule.guards).copied().find(|guard| guard.code() == code)
    }

    /// Tells the person acting what to do when it does not hold.
    pub fn sentence(self) -> Sentence {
        self.texts().2
    }

    fn texts(self) -> (&'static str, &'static str, Sentence) {
        match self {
            Guard::NoOtherActive => (
                "application.active",
                "no other application is active",
                text!("You already have an application. Continue with it, or withdraw it first."),
            ),
            Guard::NeverSubmitted => (
                "draft.submitted_before",
                "it was never submitted",
                text!("This application was submitted before and stays on record. Withdraw it instead."),
            ),
            Guard::DraftExpired => (
                "draft.kept",
                "it was not touched for 12 months, and the applicant was told 30 days before",
                text!("The draft is still kept. Wait until its time is over."),
            ),
            Guard::SectionsComplete => (
                "sections.incomplete",
                "every section is complete",
                text!("Some answers are missing. Complete every section first."),
            ),
            Guard::DeclarationTicked => {
                ("declaration.required", "the declaration is ticked", text!("Read the declaration and check the box."))
            }
            Guard::SectionsNamed => (
                "changes.sections",
                "sections are named",
                text!("Choose the sections that the applicant should change."),
            ),
            Guard::DueDateAhead => {
                ("changes.due_date", "a due date lies ahead", text!("Choose a due date in the future."))
            }
            Guard::FeeSettled => (
                "fee.due",
                "the application fee is paid or waived, if there is one",
                text!("Pay the application fee first, or ask for a waiver."),
            ),
            Guard::SlotFree => {
                ("slot.taken", "the slot is free", text!("Somebody has just taken this time. Choose another one."))
            }
            Guard::SlotAhead => {
                ("slot.past", "the slot lies ahead", text!("This time has passed. Choose a later one."))
            }
            Guard::SlotDayAhead => (
                "slot.too_soon",
                "the slot is 24 hours ahead or more",
                text!("This time is less than 24 hours away. Choose a later one."),
            ),
            Guard::RebookLinkLeft => (
                "rebook.used",
                "it is the first no-show",
                text!("You have already booked again once. Write to us, and we will find a time together."),
            ),
            Guard::MovesLeft => (
                "interview.moves_used",
                "the interview was moved less than twice",
                text!("You have moved your interview twice. Write to us to move it once more."),
            ),
            Guard::InterviewDayAhead => (
                "interview.too_soon",
                "the interview is 24 hours ahead or more",
                text!("Your interview is less than 24 hours away. Write to us, or cancel it."),
            ),
            Guard::InterviewAhead => (
                "interview.begun",
                "the interview has not begun",
                text!("It is already time for the interview. Write to us if you could not be there."),
            ),
            Guard::InterviewBegun => (
                "interview.ahead",
                "the time of the interview has come",
                text!("The interview is still ahead. Record it when its time has come."),
            ),
            Guard::InterviewWaived => (
                "interview.not_held",
                "the interview is waived with a reason",
                text!("Hold the interview first, or waive it with a reason."),
            ),
            Guard::DocumentsThere => (
                "documents.missing",
                "every required document is there or waived, or the draft says why it is decided without",
                text!(
                    "A document is missing that nobody decides without. Wait for it, waive it, or say in the draft why you decide without it."
                ),
            ),
            Guard::SecondPerson => (
                "decision.own_draft",
                "somebody else drafted it, if the office asks for two people",
                text!("You drafted this decision. Somebody else has to release it."),
            ),
            Guard::PlaceLeft => (
                "places.none",
                "a place is left in the intake",
                text!(
                    "No place is left in this intake. Put the application on the waitlist, or change the number of places."
                ),
            ),
            Guard::AcceptanceDrafted => {
                ("decision.no_acceptance", "an acceptance is drafted", text!("Have the acceptance drafted first."))
            }
            Guard::RejectionDrafted => {
                ("decision.no_rejection", "a rejection is drafted", text!("Have the rejection drafted first."))
            }
            Guard::LetterFits => {
                ("decision.letter", "the letter fits the decision", text!("Choose a letter that fits the decision."))
            }
            Guard::RejectionReason => (
                "decision.reason",
                "at least one structured reason is chosen",
                text!("Choose at least one reason for the rejection."),
            ),
            Guard::ShownReasons => (
                "decision.shown_reasons",
                "it is chosen what the applicant sees",
                text!("Choose which of the reasons the applicant sees."),
            ),
            Guard::Held => (
                "decision.sent",
                "it was released less than 15 minutes ago",
                text!("The applicant has been told. Reverse the decision with a reason instead."),
            ),
            Guard::Sent => (
                "decision.held",
                "it was released 15 minutes ago or more",
                text!("The applicant has not been told yet. Recall the decision instead."),
            ),
            Guard::Announced => (
                "offer.none",
                "the offer was released 15 minutes ago or more",
                text!("There is no offer to reply to yet. We will write to you as soon as there is one."),
            ),
            Guard::OfferOpen => (
                "offer.over",
                "the offer is open",
                text!("The deadline to reply to this offer has passed. Write to us if you still want the place."),
            ),
            Guard::OfferOver => {
                ("offer.open", "the 30 days are over", text!("The offer is still open. Wait until its time is over."))
            }
            Guard::JustEnded => (
                "undo.too_late",
                "it ended less than 15 minutes ago",
                text!("The 15 minutes to undo this are over. Write to us, and we will see what we can do."),
            ),
            Guard::WasDeclined => (
                "undo.not_declined",
                "it was archived by declining",
                text!("This application was withdrawn. Undo the withdrawal instead."),
            ),
            Guard::WasWithdrawn => (
                "undo.not_withdrawn",
                "it was archived by withdrawing",
                text!("The offer was declined. Undo that instead, or start a new application."),
            ),
            Guard::ContractCountersigned => (
                "contract.open",
                "the contract is countersigned",
                text!("Have the contract signed and countersigned first."),
            ),
            Guard::ConditionsMet => (
                "conditions.open",
                "the conditions are met or waived",
                text!("Have every condition met, or waive it with a reason."),
            ),
            Guard::FundingCovers => (
                "funding.short",
                "the funding covers tuition",
                text!("The funding does not cover tuition yet. Complete it first."),
            ),
            Guard::FirstPayment => (
                "payment.none",
                "the first payment is received or authorised",
                text!("Wait for the first payment, or have it authorized."),
            ),
            Guard::IntakeNear => (
                "intake.range",
                "a named intake is at most 24 months ahead",
                text!("Choose an intake in the next 24 months."),
            ),
            Guard::ConditionsRechecked => {
                ("conditions.unchecked", "the conditions are checked again", text!("Check the conditions again first."))
            }
            Guard::FormerKnown => (
                "former.unknown",
                "the former stage is known",
                text!("It is not on record where this application was before. Ask an owner to look at its timeline."),
            ),
            Guard::ReasonGiven => ("reason.required", "a reason is given", text!("Give a reason.")),
            Guard::OnlyImported => (
                "import.worked_on",
                "nobody has worked on it since",
                text!("Somebody has worked on this application since it was imported. It stays."),
            ),
        }
    }
}
