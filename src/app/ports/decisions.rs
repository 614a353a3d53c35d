//! Decisions, what follows from them, and how an application has come along.

use async_trait::async_trait;
use serde::Serialize;
use utoipa::ToSchema;

use super::{AuditEntry, EndedApplication, Millis, NewJob, NewMail, Stored, Task};
use domain::decision::Ruling;
use domain::intake::Intake;
use domain::program::Program;
use domain::status::Stage;

/// What a change of stage does to the decision on the application and to what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionWrite {
    /// The draft `decision` stands from now on, in the name of a member of staff.
    Release { decision: String, staff: String },
    /// The released decision does not stand any more.
    Revoke(DecisionState),
    /// The place that the released decision offers can be replied to until then.
    OpenOffer { until: Millis },
    /// The applicant's reply, or that it is taken back.
    Reply { reply: Option<Reply>, reason: Option<String> },
    /// The studies start with that intake; an open wish for another time is answered with it.
    Defer { id: String, intake: Intake },
    /// They are not deferred any more.
    Resume,
}

/// A decision on an application.
#[derive(Debug, Clone)]
pub struct Decision {
    pub id: String,
    pub application_id: String,
    pub state: DecisionState,
    pub ruling: Ruling,
    pub intake: Intake,
    /// Why there was no interview, where none was held.
    pub waiver: Option<String>,
    /// Why it was decided without required documents, where some were missing.
    pub without_documents: Option<String>,
    /// The text of the letter.
    pub letter: String,
    /// Members of staff, by their ids.
    pub drafted_by: String,
    pub drafted_at: Millis,
    pub released_by: Option<String>,
    pub released_at: Option<Millis>,
    /// When a draft is released by itself.
    pub planned: Option<PlannedRelease>,
}

/// A release that a job does at its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRelease {
    pub at: Millis,
    /// The member of staff in whose name it is done.
    pub by: String,
}

/// The kind of job that releases a draft at its time.
pub const RELEASE: &str = "decision-release";

/// What the job is about.
pub fn release_subject(decision_id: &str) -> String {
    format!("decision:{decision_id}")
}

/// The draft that somebody had before them when they changed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftSeen<'a> {
    /// Whichever there is.
    Any,
    /// There was none.
    None,
    This(&'a str),
}

/// A decision with the application that it is about, for the list of what is to be released.
#[derive(Debug, Clone)]
pub struct PendingDecision {
    pub decision: Decision,
    pub first_name: String,
    pub last_name: String,
    pub reference: Option<String>,
    pub program: Program,
    pub stage: Stage,
    /// The application's.
    pub revision: i64,
    /// Whether a document is missing that nobody decides without.
    pub lacks_documents: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionState {
    Draft,
    /// Another draft took its place, or it was discarded.
    Replaced,
    Released,
    /// Taken back before the applicant was told.
    Recalled,
    /// Taken back afterwards.
    Reversed,
}

/// A released decision, and the offer that comes with an acceptance.
#[derive(Debug, Clone)]
pub struct Decided {
    pub decision: Decision,
    pub offer: Option<Offer>,
}

impl Decided {
    /// The intake that studies start with: that of the decision, unless a later one was granted.
    pub fn intake(&self, deferral: Option<&Deferral>) -> Intake {
        deferral.filter(|deferral| deferral.granted).map_or(self.decision.intake, |deferral| deferral.intake)
    }
}

/// A place that is offered.
#[derive(Debug, Clone)]
pub struct Offer {
    pub opened_at: Millis,
    /// The first moment at which it cannot be replied to any more.
    pub open_until: Millis,
    pub reply: Option<Reply>,
    pub replied_at: Option<Millis>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OfferAnswer)]
pub enum Reply {
    Accept,
    Decline,
}

/// A start that is later than was offered: a wish of the applicant, or granted.
#[derive(Debug, Clone)]
pub struct Deferral {
    pub id: String,
    pub intake: Intake,
    pub reason: Option<String>,
    /// Staff have set it; else it is a wish that nobody has answered.
    pub granted: bool,
    pub created_at: Millis,
}

/// A wish to start later that was not granted.
#[derive(Debug, Clone)]
pub struct RefusedDeferral {
    pub intake: Intake,
    /// Why, for the applicant.
    pub refusal: String,
    pub refused_at: Millis,
}

/// When an application came to a stage, the latest time of each; how many of its applicant's are over; how many messages
/// they have not opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Milestones {
    pub past_applications: i64,
    pub unread_messages: i64,
    pub submitted: Option<Millis>,
    pub booked: Option<Millis>,
    pub held: Option<Millis>,
    pub confirmed: Option<Millis>,
    pub lapsed: Option<Millis>,
    pub enrolled: Option<Millis>,
    pub deferred: Option<Millis>,
}

#[async_trait]
pub trait Decisions: Send + Sync {
    /// Keeps a draft in the place of the one that was seen; false when there is another one by now.
    async fn draft_decision(&self, draft: &Decision, seen: DraftSeen<'_>, audit: &AuditEntry) -> Stored<bool>;
    /// Lays a draft aside; false when it is none any more.
    async fn discard_draft(&self, decision_id: &str, audit: &AuditEntry) -> Stored<bool>;
    /// Plans the release of a draft with its job, in the place of an earlier plan, or gives the plan up; false when it is
    /// none any more.
    async fn plan_release(
        &self,
        decision: &Decision,
        planned: Option<(&PlannedRelease, &NewJob)>,
        audit: &AuditEntry,
        task: Option<&Task>,
    ) -> Stored<bool>;
    /// Drafts, oldest first.
    async fn drafts(&self, limit: i64) -> Stored<Vec<PendingDecision>>;
    /// Decisions that were released after `since` and stand, oldest first.
    async fn released_since(&self, since: Millis, limit: i64) -> Stored<Vec<PendingDecision>>;
    async fn draft_count(&self) -> Stored<i64>;
    /// One of any state.
    async fn pending_decision(&self, id: &str) -> Stored<Option<PendingDecision>>;
    async fn decision(&self, id: &str) -> Stored<Option<Decision>>;
    /// Every decision on the application there ever was, newest first.
    async fn decisions(&self, application_id: &str) -> Stored<Vec<Decision>>;
    /// The decision that is released and stands.
    async fn decided(&self, application_id: &str) -> Stored<Option<Decided>>;
    /// The stage that was left by the latest act that led to the present one and kept it.
    async fn former_stage(&self, application_id: &str) -> Stored<Option<Stage>>;
    /// Keeps a wish to start later in the place of the one that there may be, and tells staff.
    async fn ask_deferral(
        &self,
        application_id: &str,
        deferral: &Deferral,
        audit: &AuditEntry,
        task: &Task,
    ) -> Stored<()>;
    /// Answers the open wish with a no; false when none is open.
    async fn refuse_deferral(
        &self,
        application_id: &str,
        refusal: &str,
        now: Millis,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool>;
    /// The wish that was refused, unless there is a later one or a deferral since.
    async fn refused_deferral(&self, application_id: &str) -> Stored<Option<RefusedDeferral>>;
    /// The wish that is open, else the deferral that was granted last.
    async fn deferral(&self, application_id: &str) -> Stored<Option<Deferral>>;
    /// Of the applicant, and of their active application.
    async fn milestones(&self, applicant_id: &str, application_id: &str) -> Stored<Milestones>;
    /// The applicant's applications that are over, latest first.
    async fn past_applications(&self, applicant_id: &str, limit: i64) -> Stored<Vec<EndedApplication>>;
    /// One of them, with the answers as they were submitted last.
    async fn past_application(&self, applicant_id: &str, id: &str) -> Stored<Option<EndedApplication>>;
}
