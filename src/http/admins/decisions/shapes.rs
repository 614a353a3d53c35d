//! Request and response bodies of decisions.

use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::Problem;
use app::decisions::drafting::HOLD;
use app::decisions::drafting::StaffReason;
use app::decisions::releases::{Done, ReleaseResult, When, chosen};
use domain::body::{Body, by, sent_text, texts};
use domain::decision::{DecisionFields, DecisionState, PendingDecision};
use domain::input::{FieldError, Input};
use domain::moments::{Millis, rfc3339};
use domain::status::{Outcome, Status};
use domain::{body, joined};

/// A decision as staff see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeDecision {
    pub(super) id: String,
    pub(super) state: OfficeDecisionState,
    pub(super) outcome: Outcome,
    /// The letter's template: `offer`, `no_place`, `apply_again`.
    pub(super) letter: &'static str,
    /// The text of the letter: paragraphs with an empty line between them; lines that start with `•` are a list.
    pub(super) letter_text: String,
    /// What the place is conditional on.
    pub(super) conditions: Vec<String>,
    pub(super) reasons: Vec<RejectionReason>,
    /// The intake it is for, as year and month: `2026-08`.
    pub(super) intake: String,
    /// Why there was no interview, if none was held.
    #[schema(required)]
    pub(super) waiver: Option<String>,
    /// Why it was decided without required documents, if some were missing.
    #[schema(required)]
    pub(super) without_documents: Option<String>,
    /// Id of a member of staff.
    pub(super) drafted_by: String,
    #[schema(format = DateTime)]
    pub(super) drafted_at: String,
    #[schema(required)]
    pub(super) released_by: Option<String>,
    #[schema(required, format = DateTime)]
    pub(super) released_at: Option<String>,
    /// When the draft is to be released automatically.
    #[schema(required, format = DateTime)]
    pub(super) release_at: Option<String>,
    /// Until when a released decision can be recalled and is hidden from the applicant.
    #[schema(required, format = DateTime)]
    pub(super) held_until: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RejectionReason {
    /// Its name in the list of reasons, such as `places`.
    pub(super) reason: String,
    /// Whether the letter mentions it.
    pub(super) shown: bool,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OfficeDecisionState {
    Draft,
    /// Replaced by another draft, or discarded.
    Replaced,
    Released,
    /// Taken back before the applicant was told.
    Recalled,
    /// Taken back afterwards.
    Reversed,
}

/// The decisions on an application, and its present state.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationDecisions {
    pub(super) application_id: String,
    pub(super) status: Status,
    pub(super) stage: &'static str,
    /// The application's revision; the number in the `ETag`.
    pub(super) revision: i64,
    #[schema(required)]
    pub(super) draft: Option<OfficeDecision>,
    #[schema(required)]
    pub(super) released: Option<OfficeDecision>,
    /// Decisions that no longer stand, newest first.
    pub(super) former: Vec<OfficeDecision>,
}

/// A pending decision and its application.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedDecision {
    pub(super) application_id: String,
    #[schema(required)]
    pub(super) reference: Option<String>,
    pub(super) stage: &'static str,
    pub(super) decision: OfficeDecision,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionList {
    /// Oldest first, at most 200.
    pub(super) drafts: Vec<ListedDecision>,
    /// The total number of drafts.
    pub(super) draft_count: i64,
    /// Released less than 15 minutes ago.
    pub(super) held: Vec<ListedDecision>,
}

/// The outcome for each decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecisionResults {
    pub(super) results: Vec<DecisionResult>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DecisionResult {
    pub(super) id: String,
    pub(super) outcome: DecisionOutcome,
    /// Why it failed: the code that the call for one decision returns.
    #[schema(required)]
    pub(super) code: Option<String>,
    /// One plain sentence about it.
    #[schema(required)]
    pub(super) error: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DecisionOutcome {
    Released,
    /// Will be released at its time.
    Planned,
    Recalled,
    /// It was so already.
    Unchanged,
    Failed,
}

// Not a `body!`, which cannot tell null from absence.
#[derive(ToSchema)]
pub struct Replaced {
    /// The draft that this one replaces, or null for none. If left out, whichever there is.
    pub replaces: Option<String>,
}

impl Body for Replaced {
    const FIELDS: &'static [&'static str] = &["replaces"];
}

joined! {
    pub struct DecisionDraft(DecisionFields, Replaced);
}

body! {
    pub struct DecisionRelease given (now: Millis) {
        /// The id of the draft.
        pub(super) decision: String = sent_text("Name the draft that is meant."),
        /// When to release it; now, if left out.
        #[schema(value_type = Option<String>, nullable = false, format = DateTime)]
        pub(super) at: When = |_: &str, input: Option<&Input>| When::parse(input, now),
    }
}

body! {
    pub struct DecisionReversal {
        /// 1 to 1,000 characters, for the record.
        #[schema(value_type = String)]
        pub(super) reason: StaffReason = by(StaffReason::parse),
    }
}

body! {
    pub struct SeveralDecisions given (now: Millis) {
        /// 1 to 200 ids.
        pub(super) decisions: Vec<String> = ids,
        /// When to release them; now, if left out.
        #[schema(value_type = Option<String>, nullable = false, format = DateTime)]
        pub(super) at: When = |_: &str, input: Option<&Input>| When::parse(input, now),
    }
}

body! {
    pub struct RecalledDecisions {
        /// 1 to 200 ids.
        pub(super) decisions: Vec<String> = ids,
    }
}

impl From<DecisionState> for OfficeDecisionState {
    fn from(state: DecisionState) -> Self {
        match state {
            DecisionState::Draft => OfficeDecisionState::Draft,
            DecisionState::Replaced => OfficeDecisionState::Replaced,
            DecisionState::Released => OfficeDecisionState::Released,
            DecisionState::Recalled => OfficeDecisionState::Recalled,
            DecisionState::Reversed => OfficeDecisionState::Reversed,
        }
    }
}

impl From<domain::decision::Decision> for OfficeDecision {
    fn from(decision: domain::decision::Decision) -> Self {
        let held_until = decision.released_at.filter(|_| decision.state == DecisionState::Released);
        let reasons = decision.ruling.reasons().into_iter();
        OfficeDecision {
            state: decision.state.into(),
            outcome: decision.ruling.outcome(),
            letter: decision.ruling.letter().as_str(),
            conditions: decision.ruling.conditions().to_vec(),
            reasons: reasons
                .map(|(reason, shown)| RejectionReason { reason: reason.as_str().to_owned(), shown })
                .collect(),
            intake: decision.intake.code(),
            waiver: decision.waiver,
            without_documents: decision.without_documents,
            drafted_by: decision.drafted_by,
            drafted_at: rfc3339(decision.drafted_at),
            released_by: decision.released_by,
            released_at: decision.released_at.map(rfc3339),
            release_at: decision.planned.map(|planned| rfc3339(planned.at)),
            held_until: held_until.map(|at| rfc3339(at + HOLD)),
            id: decision.id,
            letter_text: decision.letter,
        }
    }
}

impl From<PendingDecision> for ListedDecision {
    fn from(pending: PendingDecision) -> Self {
        ListedDecision {
            application_id: pending.decision.application_id.clone(),
            reference: pending.reference,
            stage: pending.stage.as_str(),
            decision: pending.decision.into(),
        }
    }
}

impl From<ReleaseResult> for DecisionResult {
    fn from(result: ReleaseResult) -> Self {
        let id = result.decision_id;
        let outcome = match result.result {
            Ok(Done::Released) => DecisionOutcome::Released,
            Ok(Done::Planned) => DecisionOutcome::Planned,
            Ok(Done::Recalled) => DecisionOutcome::Recalled,
            Ok(Done::Already) => DecisionOutcome::Unchanged,
            Err(error) => {
                let (code, sentence) = Problem::from(error.for_staff()).into_parts();
                let error = Some(sentence.to_string());
                return DecisionResult { id, outcome: DecisionOutcome::Failed, code: Some(code), error };
            }
        };
        DecisionResult { id, outcome, code: None, error: None }
    }
}

fn ids(path: &str, input: Option<&Input>) -> Result<Vec<String>, FieldError> {
    chosen(texts(path, input)?.unwrap_or_default())
}
