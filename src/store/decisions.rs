//! Decisions, offers and deferrals, and the milestones of an application.

use serde_json::{Value, json};

use super::Db;
use super::error::{missing, unreadable};
use super::in_place::{Columns, InPlace, joined_row, row};
use super::listings::relist;
use super::query::{Tx, args};
use super::rows::{EndedRow, application_columns, unread_messages};
use super::waitlist;
use crate::{AuditEntry, NewJob, NewMail, StoreError, Stored};
use domain::application::{Answers, EndedApplication};
use domain::decision::{
    Acceptance, Decided, Decision, DecisionState, Deferral, DraftSeen, Letter, Offer, PendingDecision, PlannedRelease,
    Reason, RefusedDeferral, Rejection, Reply, Ruling,
};
use domain::intake::Intake;
use domain::moments::Millis;
use domain::program::Program;
use domain::status::{Outcome, Stage};
use domain::task::{Task, TaskKind};

/// What a change of stage does to the decision on the application and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionWrite {
    /// Releases the draft `decision`, on behalf of a member of staff, or by the rule for free places.
    Release { decision: String, staff: Option<String> },
    /// Puts the application at the end of the line for which the acceptance `decision` is drafted.
    JoinLine { decision: String, staff: String },
    /// Revokes the released decision.
    Revoke(DecisionState),
    /// Opens the offer of the released decision for replies until then.
    OpenOffer { until: Millis },
    /// Records the applicant's reply, or takes it back.
    Reply { reply: Option<Reply>, reason: Option<String> },
    /// Defers the start of studies to that intake, which also answers an open request for deferral.
    Defer { id: String, intake: Intake },
    /// Ends the deferral.
    Resume,
}

/// The kind of job that releases a draft at its time.
pub const RELEASE: &str = "decision-release";

/// Returns the subject of that job.
pub fn release_subject(decision_id: &str) -> String {
    format!("decision:{decision_id}")
}

/// The latest time an application reached each stage, how many of its applicant's applications are over, and how many
/// messages the applicant has not opened.
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

/// Columns of `decisions d`.
macro_rules! decision_columns {
    () => {
        "d.id AS decision_id, d.application_id, d.state, d.outcome, d.conditions, d.reasons, d.waiver, d.without_documents, d.intake, \
         d.template, d.letter, d.drafted_by, d.drafted_at, d.released_by, d.released_at, d.release_at, d.release_by"
    };
}

row! {
    struct DecisionRow {
        decision_id: String,
        application_id: String,
        state: String,
        outcome: String,
        conditions: String,
        reasons: String,
        waiver: Option<String>,
        without_documents: Option<String>,
        intake: String,
        template: String,
        letter: String,
        drafted_by: String,
        drafted_at: i64,
        released_by: Option<String>,
        released_at: Option<i64>,
        release_at: Option<i64>,
        release_by: Option<String>,
    }
}

impl TryFrom<DecisionRow> for Decision {
    type Error = StoreError;

    fn try_from(row: DecisionRow) -> Result<Self, StoreError> {
        let unreadable = |column: &str| unreadable(column, &row.decision_id);
        Ok(Decision {
            state: state(&row.state).ok_or_else(|| unreadable("decisions.state"))?,
            ruling: ruling(&row).ok_or_else(|| unreadable("decisions"))?,
            intake: Intake::parse(&row.intake).ok_or_else(|| unreadable("decisions.intake"))?,
            id: row.decision_id,
            application_id: row.application_id,
            waiver: row.waiver,
            without_documents: row.without_documents,
            letter: row.letter,
            drafted_by: row.drafted_by,
            drafted_at: row.drafted_at,
            released_by: row.released_by,
            released_at: row.released_at,
            planned: row.release_at.zip(row.release_by).map(|(at, by)| PlannedRelease { at, by }),
        })
    }
}

row! {
    struct AboutRow {
        first_name: String,
        last_name: String,
        reference: Option<String>,
        program: String,
        stage: String,
        revision: i64,
        lacks_documents: i64,
        fees_due: i64,
    }
}

joined_row! {
    struct PendingRow {
        decision: DecisionRow,
        about: AboutRow,
    }
}

impl TryFrom<PendingRow> for PendingDecision {
    type Error = StoreError;

    fn try_from(row: PendingRow) -> Result<Self, StoreError> {
        let decision = Decision::try_from(row.decision)?;
        let AboutRow { first_name, last_name, reference, program, stage, revision, lacks_documents, fees_due } =
            row.about;
        let unreadable = |column: &str| unreadable(column, &decision.application_id);
        Ok(PendingDecision {
            program: Program::of_application_type(&program).ok_or_else(|| unreadable("applications.program"))?,
            stage: Stage::parse(&stage).ok_or_else(|| unreadable("applications.stage"))?,
            first_name,
            last_name,
            reference,
            revision,
            lacks_documents: lacks_documents > 0,
            fee_due: fees_due > 0,
            decision,
        })
    }
}

/// Decisions with what they are about.
macro_rules! pending {
    ($more:literal) => {
        concat!(
            "SELECT ",
            decision_columns!(),
            ", p.first_name, p.last_name, a.reference, a.program, a.stage, a.revision, (SELECT COUNT(*) FROM listing_terms t \
             WHERE t.application_id = a.id AND t.term = 'documents:missing') AS lacks_documents, (SELECT COUNT(*) FROM application_fees f \
             WHERE f.application_id = a.id AND f.state = 'due') AS fees_due FROM decisions d \
             JOIN applications a ON a.id = d.application_id JOIN applicants p ON p.id = a.applicant_id ",
            $more
        )
    };
}

const STATES: [(DecisionState, &str); 5] = [
    (DecisionState::Draft, "draft"),
    (DecisionState::Replaced, "replaced"),
    (DecisionState::Released, "released"),
    (DecisionState::Recalled, "recalled"),
    (DecisionState::Reversed, "reversed"),
];

fn state(text: &str) -> Option<DecisionState> {
    STATES.into_iter().find(|(_, name)| *name == text).map(|(state, _)| state)
}

fn state_name(state: DecisionState) -> &'static str {
    STATES.into_iter().find(|(each, _)| *each == state).map_or("", |(_, name)| name)
}

/// Returns what the columns say was decided; `None` if they are inconsistent.
fn ruling(row: &DecisionRow) -> Option<Ruling> {
    match (row.outcome.as_str(), Letter::parse(&row.template)?) {
        ("accept", Letter::Acceptance(letter)) => {
            let conditions = serde_json::from_str(&row.conditions).ok()?;
            Some(Ruling::Accept(Acceptance { conditions, letter }))
        }
        ("reject", Letter::Rejection(letter)) => {
            let stored: Vec<(String, bool)> = serde_json::from_str(&row.reasons).ok()?;
            let shown =
                stored.iter().filter(|(_, shown)| *shown).map(|(name, _)| Reason::stored(name.clone())).collect();
            let reasons = stored.into_iter().map(|(name, _)| Reason::stored(name)).collect();
            Some(Ruling::Reject(Rejection { reasons, shown, letter }))
        }
        _ => None,
    }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Accept => "accept",
        Outcome::Reject => "reject",
    }
}

fn reply_name(reply: Reply) -> &'static str {
    match reply {
        Reply::Accept => "accept",
        Reply::Decline => "decline",
    }
}

row! {
    struct OfferRow {
        opened_at: i64,
        open_until: i64,
        reply: Option<String>,
        replied_at: Option<i64>,
    }
}

/// An offer from a `LEFT JOIN`.
struct JoinedOffer(Option<OfferRow>);

impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for JoinedOffer
where
    OfferRow: sqlx::FromRow<'r, R>,
    &'static str: sqlx::ColumnIndex<R>,
    Option<i64>: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
{
    fn from_row(row: &'r R) -> sqlx::Result<Self> {
        let opened_at: Option<i64> = row.try_get("opened_at")?;
        Ok(JoinedOffer(opened_at.map(|_| OfferRow::from_row(row)).transpose()?))
    }
}

impl InPlace for JoinedOffer {
    fn in_place(columns: &mut Columns<'_>) -> sqlite::Result<Self> {
        let found = !columns.is_null()?;
        Ok(JoinedOffer(found.then(|| OfferRow::in_place(columns)).transpose()?))
    }
}

joined_row! {
    struct DecidedRow {
        decision: DecisionRow,
        offer: JoinedOffer,
    }
}

impl From<OfferRow> for Offer {
    fn from(row: OfferRow) -> Self {
        let reply = row.reply.as_deref();
        Offer {
            opened_at: row.opened_at,
            open_until: row.open_until,
            reply: [Reply::Accept, Reply::Decline].into_iter().find(|each| reply == Some(reply_name(*each))),
            replied_at: row.replied_at,
        }
    }
}

row! {
    struct DeferralRow {
        id: String,
        intake: String,
        reason: Option<String>,
        state: String,
        created_at: i64,
    }
}

impl TryFrom<DeferralRow> for Deferral {
    type Error = StoreError;

    fn try_from(row: DeferralRow) -> Result<Self, StoreError> {
        Ok(Deferral {
            intake: Intake::parse(&row.intake).ok_or_else(|| unreadable("deferrals.intake", &row.id))?,
            id: row.id,
            reason: row.reason,
            granted: row.state != "asked",
            created_at: row.created_at,
        })
    }
}

row! {
    struct RefusedRow {
        id: String,
        intake: String,
        refusal: Option<String>,
        refused_at: i64,
    }
}

row! {
    struct FormerRow {
        former_stage: String,
    }
}

row! {
    struct MilestonesRow {
        past_applications: i64,
        unread_messages: i64,
        submitted: Option<i64>,
        booked: Option<i64>,
        held: Option<i64>,
        confirmed: Option<i64>,
        lapsed: Option<i64>,
        enrolled: Option<i64>,
        deferred: Option<i64>,
    }
}

/// Ended applications of the applicant `$1`, with the answers of the newest snapshot if there is one.
macro_rules! ended {
    ($more:literal) => {
        concat!(
            "SELECT ",
            application_columns!(),
            ", c.act, c.former_stage, (SELECT s.answers FROM snapshots s WHERE s.application_id = applications.id \
             ORDER BY s.number DESC LIMIT 1) AS submitted_answers FROM applications JOIN stage_changes c \
             ON c.application_id = applications.id AND c.revision = applications.revision \
             WHERE applications.applicant_id = $1 AND applications.archived_at IS NOT NULL ",
            $more
        )
    };
}

row! {
    struct SubmittedRow {
        submitted_answers: Option<String>,
    }
}

joined_row! {
    struct PastRow {
        ended: EndedRow,
        submitted: SubmittedRow,
    }
}

impl TryFrom<PastRow> for EndedApplication {
    type Error = StoreError;

    fn try_from(row: PastRow) -> Result<Self, StoreError> {
        let mut ended = EndedApplication::try_from(row.ended)?;
        if let Some(answers) = row.submitted.submitted_answers {
            let id = &ended.application.id;
            ended.application.answers =
                Answers::from_stored(answers).map_err(|_| unreadable("snapshots.answers", id))?;
        }
        Ok(ended)
    }
}

impl Db {
    /// Stores a draft in place of the one the caller has seen. Returns false if there is a different one.
    pub async fn draft_decision(&self, draft: &Decision, seen: DraftSeen<'_>, audit: &AuditEntry) -> Stored<bool> {
        let Decision { id, application_id, state, ruling, intake, letter, drafted_by, drafted_at, .. } = draft;
        let mut tx = self.begin().await?;
        // A concurrent draft for the same application waits here.
        let lock = "UPDATE applications SET revision = revision WHERE id = $1";
        tx.execute(lock, args![application_id]).await?;
        // Sent again under the same key: it was stored then, whatever has happened to it since.
        let kept = "SELECT id FROM decisions WHERE id = $1";
        let kept: Vec<(String,)> = tx.fetch_all(kept, args![id]).await?;
        if !kept.is_empty() {
            return Ok(true);
        }
        let there = "SELECT id FROM decisions WHERE application_id = $1 AND state = 'draft'";
        let there: Vec<(String,)> = tx.fetch_all(there, args![application_id]).await?;
        let there = there.first().map(|(id,)| id.as_str());
        let is_as_seen = match seen {
            DraftSeen::Any => true,
            DraftSeen::None => there.is_none(),
            DraftSeen::This(id) => there == Some(id),
        };
        if !is_as_seen {
            return Ok(false);
        }
        // It was put on the waitlist a moment ago.
        if ruling.outcome() == Outcome::Accept && waitlist::waits_for_another(&mut tx, application_id, *intake).await? {
            return Ok(false);
        }
        if let Some(there) = there {
            lay_aside(&mut tx, there, *drafted_at).await?;
        }
        let reasons: Vec<Value> =
            ruling.reasons().into_iter().map(|(reason, shown)| json!([reason.as_str(), shown])).collect();
        tx.execute(
            "INSERT INTO decisions (id, application_id, state, outcome, conditions, reasons, waiver, without_documents, \
             intake, template, letter, drafted_by, drafted_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
            args![
                id,
                application_id,
                state_name(*state),
                outcome_name(ruling.outcome()),
                &json!(ruling.conditions()).to_string(),
                &json!(reasons).to_string(),
                draft.waiver.as_deref(),
                draft.without_documents.as_deref(),
                &intake.code(),
                ruling.letter().as_str(),
                letter,
                drafted_by,
                *drafted_at,
            ],
        )
        .await?;
        relist(&mut tx, application_id).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Discards a draft. Returns false if it is no longer a draft.
    pub async fn discard_draft(&self, decision_id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        if !lay_aside(&mut tx, decision_id, audit.at).await? {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Plans the release of a draft with its job, in place of an earlier plan, or cancels the plan. Returns false if it
    /// is no longer a draft.
    pub async fn plan_release(
        &self,
        decision: &Decision,
        planned: Option<(&PlannedRelease, &NewJob)>,
        audit: &AuditEntry,
        task: Option<&Task>,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // A concurrent plan, release or new draft waits here.
        let lock = "UPDATE decisions SET state = state WHERE id = $1 AND state = 'draft'";
        if tx.execute(lock, args![&decision.id]).await? == 0 {
            return Ok(false);
        }
        forget_plan(&mut tx, &decision.id, audit.at).await?;
        if let Some((planned, job)) = planned {
            let sql = "UPDATE decisions SET release_at = $2, release_by = $3 WHERE id = $1";
            tx.execute(sql, args![&decision.id, planned.at, &planned.by]).await?;
            tx.job(job).await?;
            relist(&mut tx, &decision.application_id).await?;
        }
        tx.audit(audit).await?;
        if let Some(task) = task {
            tx.task(task).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Returns drafts that are to be released, oldest first: acceptances on the waitlist are not.
    pub async fn drafts(&self, limit: i64) -> Stored<Vec<PendingDecision>> {
        let sql = pending!(
            "WHERE d.state = 'draft' AND NOT (a.stage = 'waitlisted' AND d.outcome = 'accept') \
             ORDER BY d.drafted_at, d.id LIMIT $1"
        );
        let rows: Vec<PendingRow> = self.fetch_all(sql, args![limit]).await?;
        rows.into_iter().map(PendingDecision::try_from).collect()
    }

    /// Returns decisions that were released after `since` and still stand, oldest first.
    pub async fn released_since(&self, since: Millis, limit: i64) -> Stored<Vec<PendingDecision>> {
        let sql = pending!(
            "WHERE d.state = 'released' AND d.released_at > $1 AND a.stage IN ('offered', 'rejected') \
             ORDER BY d.released_at, d.id LIMIT $2"
        );
        let rows: Vec<PendingRow> = self.fetch_all(sql, args![since, limit]).await?;
        rows.into_iter().map(PendingDecision::try_from).collect()
    }

    /// Returns the drafted acceptances of the applications in a line, in any order.
    pub async fn drafts_in_line(&self, program: Program, intake: Intake) -> Stored<Vec<PendingDecision>> {
        let sql = pending!(
            "JOIN waitlist w ON w.application_id = a.id WHERE w.intake = $1 AND a.program = $2 AND w.left_at IS NULL \
             AND d.state = 'draft' AND d.outcome = 'accept'"
        );
        let rows: Vec<PendingRow> = self.fetch_all(sql, args![&intake.code(), program.application_type()]).await?;
        rows.into_iter().map(PendingDecision::try_from).collect()
    }

    /// Counts what [`drafts`](Self::drafts) lists.
    pub async fn draft_count(&self) -> Stored<i64> {
        let sql = "SELECT COUNT(*) FROM decisions d JOIN applications a ON a.id = d.application_id \
                   WHERE d.state = 'draft' AND NOT (a.stage = 'waitlisted' AND d.outcome = 'accept')";
        let counts: Vec<(i64,)> = self.fetch_all(sql, args![]).await?;
        Ok(counts.first().map_or(0, |(count,)| *count))
    }

    /// Returns a decision in any state.
    pub async fn pending_decision(&self, id: &str) -> Stored<Option<PendingDecision>> {
        let row: Option<PendingRow> = self.fetch_optional(pending!("WHERE d.id = $1"), args![id]).await?;
        row.map(PendingDecision::try_from).transpose()
    }

    pub async fn decision(&self, id: &str) -> Stored<Option<Decision>> {
        let sql = concat!("SELECT ", decision_columns!(), " FROM decisions d WHERE d.id = $1");
        let row: Option<DecisionRow> = self.fetch_optional(sql, args![id]).await?;
        row.map(Decision::try_from).transpose()
    }

    /// Returns every decision there ever was on the application, newest first.
    pub async fn decisions(&self, application_id: &str) -> Stored<Vec<Decision>> {
        let sql = concat!(
            "SELECT ",
            decision_columns!(),
            " FROM decisions d WHERE d.application_id = $1 ORDER BY d.drafted_at DESC, d.id DESC"
        );
        let rows: Vec<DecisionRow> = self.fetch_all(sql, args![application_id]).await?;
        rows.into_iter().map(Decision::try_from).collect()
    }

    /// Returns the decision that is released and still stands.
    pub async fn decided(&self, application_id: &str) -> Stored<Option<Decided>> {
        let sql = concat!(
            "SELECT ",
            decision_columns!(),
            ", o.opened_at, o.open_until, o.reply, o.replied_at FROM decisions d \
             LEFT JOIN offers o ON o.decision_id = d.id WHERE d.application_id = $1 AND d.state = 'released'"
        );
        let row: Option<DecidedRow> = self.fetch_optional(sql, args![application_id]).await?;
        row.map(|row| Ok(Decided { decision: row.decision.try_into()?, offer: row.offer.0.map(Offer::from) }))
            .transpose()
    }

    /// Returns the former stage that was kept by the latest act leading to the current one.
    pub async fn former_stage(&self, application_id: &str) -> Stored<Option<Stage>> {
        let sql = "SELECT c.former_stage FROM stage_changes c JOIN applications a ON a.id = c.application_id \
                   WHERE c.application_id = $1 AND c.to_stage = a.stage AND c.former_stage IS NOT NULL \
                   ORDER BY c.revision DESC LIMIT 1";
        let row: Option<FormerRow> = self.fetch_optional(sql, args![application_id]).await?;
        let unreadable = || unreadable("stage_changes.former_stage", application_id);
        row.map(|row| Stage::parse(&row.former_stage).ok_or_else(unreadable)).transpose()
    }

    /// Stores a request for deferral in place of an earlier one, and gives staff a task.
    pub async fn ask_deferral(
        &self,
        application_id: &str,
        deferral: &Deferral,
        audit: &AuditEntry,
        task: &Task,
    ) -> Stored<()> {
        let Deferral { id, intake, reason, created_at, .. } = deferral;
        let mut tx = self.begin().await?;
        let replace = "UPDATE deferrals SET state = 'answered' WHERE application_id = $1 AND state = 'asked'";
        tx.execute(replace, args![application_id]).await?;
        tx.execute(
            "INSERT INTO deferrals (id, application_id, state, intake, reason, created_at) \
             VALUES ($1, $2, 'asked', $3, $4, $5)",
            args![id, application_id, &intake.code(), reason.as_deref(), *created_at],
        )
        .await?;
        tx.audit(audit).await?;
        tx.task(task).await?;
        tx.commit().await
    }

    /// Refuses the open request for deferral. Returns false if none is open.
    pub async fn refuse_deferral(
        &self,
        application_id: &str,
        refusal: &str,
        now: Millis,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE deferrals SET state = 'answered', refusal = $2, refused_at = $3 \
                   WHERE application_id = $1 AND state = 'asked'";
        if tx.execute(sql, args![application_id, refusal, now]).await? == 0 {
            return Ok(false);
        }
        tx.tasks_done(&format!("application:{application_id}"), TaskKind::Deferral, now).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the refused request for deferral, unless there has been a later one or a deferral since.
    pub async fn refused_deferral(&self, application_id: &str) -> Stored<Option<RefusedDeferral>> {
        let sql = "SELECT d.id, d.intake, d.refusal, d.refused_at FROM deferrals d WHERE d.application_id = $1 \
                   AND d.refused_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM deferrals l \
                   WHERE l.application_id = $1 AND (l.created_at, l.id) > (d.created_at, d.id))";
        let row: Option<RefusedRow> = self.fetch_optional(sql, args![application_id]).await?;
        let intake =
            |row: &RefusedRow| Intake::parse(&row.intake).ok_or_else(|| unreadable("deferrals.intake", &row.id));
        row.map(|row| {
            Ok(RefusedDeferral {
                intake: intake(&row)?,
                refusal: row.refusal.unwrap_or_default(),
                refused_at: row.refused_at,
            })
        })
        .transpose()
    }

    /// Returns the open request for deferral, else the deferral that was granted last.
    pub async fn deferral(&self, application_id: &str) -> Stored<Option<Deferral>> {
        let sql = "SELECT id, intake, reason, state, created_at FROM deferrals WHERE application_id = $1 \
                   AND state IN ('asked', 'granted', 'ended') \
                   ORDER BY CASE state WHEN 'asked' THEN 0 WHEN 'granted' THEN 1 ELSE 2 END, created_at DESC LIMIT 1";
        let row: Option<DeferralRow> = self.fetch_optional(sql, args![application_id]).await?;
        row.map(Deferral::try_from).transpose()
    }

    /// Returns the milestones of the applicant and of their active application.
    pub async fn milestones(&self, applicant_id: &str, application_id: &str) -> Stored<Milestones> {
        let sql = concat!(
            "SELECT (SELECT COUNT(*) FROM applications WHERE applicant_id = $1 AND archived_at IS NOT NULL) \
                   AS past_applications, ",
            unread_messages!(),
            " AS unread_messages, \
                   MAX(CASE WHEN to_stage = 'submitted' THEN happened_at END) AS submitted, \
                   MAX(CASE WHEN to_stage = 'booked' THEN happened_at END) AS booked, \
                   MAX(CASE WHEN to_stage = 'held' AND act = 'record_held' THEN happened_at END) AS held, \
                   MAX(CASE WHEN to_stage = 'confirmed' AND act = 'accept' THEN happened_at END) AS confirmed, \
                   MAX(CASE WHEN to_stage = 'lapsed' THEN happened_at END) AS lapsed, \
                   MAX(CASE WHEN to_stage = 'enrolled' AND act = 'enrol' THEN happened_at END) AS enrolled, \
                   MAX(CASE WHEN to_stage = 'deferred' THEN happened_at END) AS deferred \
                   FROM stage_changes WHERE application_id = $2"
        );
        let row: Option<MilestonesRow> = self.fetch_optional(sql, args![applicant_id, application_id]).await?;
        Ok(row.map_or_else(Milestones::default, |row| Milestones {
            past_applications: row.past_applications,
            unread_messages: row.unread_messages,
            submitted: row.submitted,
            booked: row.booked,
            held: row.held,
            confirmed: row.confirmed,
            lapsed: row.lapsed,
            enrolled: row.enrolled,
            deferred: row.deferred,
        }))
    }

    /// Returns the applicant's applications that are over, latest first.
    pub async fn past_applications(&self, applicant_id: &str, limit: i64) -> Stored<Vec<EndedApplication>> {
        let sql = ended!("ORDER BY applications.archived_at DESC LIMIT $2");
        let rows: Vec<PastRow> = self.fetch_all(sql, args![applicant_id, limit]).await?;
        rows.into_iter().map(EndedApplication::try_from).collect()
    }

    /// Returns one of them, with the answers as they were last submitted.
    pub async fn past_application(&self, applicant_id: &str, id: &str) -> Stored<Option<EndedApplication>> {
        let sql = ended!("AND applications.id = $2");
        let row: Option<PastRow> = self.fetch_optional(sql, args![applicant_id, id]).await?;
        row.map(EndedApplication::try_from).transpose()
    }
}

/// Sets a draft aside and cancels its planned release. Returns false if it is no longer a draft.
async fn lay_aside(tx: &mut Tx, decision_id: &str, now: Millis) -> Stored<bool> {
    let sql = "UPDATE decisions SET state = 'replaced' WHERE id = $1 AND state = 'draft'";
    if tx.execute(sql, args![decision_id]).await? == 0 {
        return Ok(false);
    }
    forget_plan(tx, decision_id, now).await?;
    Ok(true)
}

/// Cancels the planned release of a decision, and closes the task about one that failed.
async fn forget_plan(tx: &mut Tx, decision_id: &str, now: Millis) -> Stored<()> {
    let sql = "UPDATE decisions SET release_at = NULL, release_by = NULL WHERE id = $1";
    tx.execute(sql, args![decision_id]).await?;
    tx.drop_jobs(&release_subject(decision_id), RELEASE).await?;
    let about: Vec<(String,)> =
        tx.fetch_all("SELECT application_id FROM decisions WHERE id = $1", args![decision_id]).await?;
    for (application_id,) in about {
        tx.tasks_done(&format!("application:{application_id}"), TaskKind::ReleaseFailed, now).await?;
        relist(tx, &application_id).await?;
    }
    Ok(())
}

/// Writes what belongs to a change of stage, within its transaction.
///
/// # Errors
/// [`StoreError::Taken`]`("decision")` if the draft to release or to wait with is no longer a draft.
pub(super) async fn write(tx: &mut Tx, application_id: &str, at: Millis, write: &DecisionWrite) -> Stored<()> {
    let changed = match write {
        DecisionWrite::Release { decision, staff } => {
            let sql = "UPDATE decisions SET state = 'released', released_by = $3, released_at = $4 \
                       WHERE application_id = $1 AND id = $2 AND state = 'draft'";
            if tx.execute(sql, args![application_id, decision, staff.as_deref(), at]).await? == 0 {
                return Err(StoreError::Taken("decision"));
            }
            forget_plan(tx, decision, at).await?;
            1
        }
        DecisionWrite::JoinLine { decision, staff } => {
            let sql = "UPDATE decisions SET state = state WHERE application_id = $1 AND id = $2 AND state = 'draft' \
                       AND outcome = 'accept'";
            if tx.execute(sql, args![application_id, decision]).await? == 0 {
                return Err(StoreError::Taken("decision"));
            }
            forget_plan(tx, decision, at).await?;
            waitlist::join(tx, application_id, decision, staff, at).await?
        }
        DecisionWrite::Revoke(state) => {
            let sql = "UPDATE decisions SET state = $2 WHERE application_id = $1 AND state = 'released'";
            tx.execute(sql, args![application_id, state_name(*state)]).await?
        }
        DecisionWrite::OpenOffer { until } => {
            let sql = "INSERT INTO offers (decision_id, opened_at, open_until) SELECT id, $2, $3 FROM decisions \
                       WHERE application_id = $1 AND state = 'released' ON CONFLICT (decision_id) DO UPDATE \
                       SET opened_at = $2, open_until = $3, reply = NULL, reason = NULL, replied_at = NULL";
            tx.execute(sql, args![application_id, at, *until]).await?
        }
        DecisionWrite::Reply { reply, reason } => {
            let sql = "UPDATE offers SET reply = $2, reason = $3, replied_at = $4 WHERE decision_id = \
                       (SELECT id FROM decisions WHERE application_id = $1 AND state = 'released')";
            let reply = reply.map(reply_name);
            tx.execute(sql, args![application_id, reply, reason.as_deref(), reply.map(|_| at)]).await?
        }
        DecisionWrite::Defer { id, intake } => {
            let answer = "UPDATE deferrals SET state = 'answered' WHERE application_id = $1 AND state = 'asked'";
            tx.execute(answer, args![application_id]).await?;
            tx.tasks_done(&format!("application:{application_id}"), TaskKind::Deferral, at).await?;
            let sql = "INSERT INTO deferrals (id, application_id, state, intake, created_at) \
                       VALUES ($1, $2, 'granted', $3, $4)";
            tx.execute(sql, args![id, application_id, &intake.code(), at]).await?
        }
        DecisionWrite::Resume => {
            let sql = "UPDATE deferrals SET state = 'ended' WHERE application_id = $1 AND state = 'granted'";
            tx.execute(sql, args![application_id]).await?
        }
    };
    if changed == 0 { Err(missing("released decision or deferral", application_id)) } else { Ok(()) }
}
