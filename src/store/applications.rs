//! Applications and their answers.

use super::error::{missing, unreadable};
use super::interviews::change_interview;
use super::listings::relist;
use super::query::{Tx, args};
use super::records::close_account;
use super::rows::{ApplicationRow, EndedRow, OwnedRow, SnapshotRow, applicant_columns, application_columns};
use super::{Db, contracts, decisions, drafts, imports, waitlist};
use crate::{
    AuditEntry, BroughtIn, Closing, DecisionWrite, InterviewChange, NewFee, NewJob, NewMail, RefereeRequest,
    StoreError, Stored,
};
use domain::account::Applicant;
use domain::application::{Answers, Application, ApplicationKey, ChangeRequest, EndedApplication, Section, Snapshot};
use domain::application_fee::FeeState;
use domain::funding::Pause;
use domain::moments::Millis;
use domain::program::Program;
use domain::reference_number::ReferenceNumber;
use domain::status::{Act, Stage, Status};
use domain::task::{Task, TaskKind};

/// A change of stage as `domain::status::decide` allowed it, with everything that belongs to it.
#[derive(Debug, Clone)]
pub struct Transition {
    pub id: String,
    pub application_id: String,
    /// The revision it was decided for.
    pub expected: i64,
    pub act: Act,
    /// The key under which the caller sent the act.
    pub key: Option<String>,
    /// Why, in the applicant's own words.
    pub reason: Option<String>,
    pub from: Stage,
    pub to: Stage,
    /// The stage that is kept: to return to it, or of an application that is over, how far it came.
    pub former: Option<Stage>,
    /// The id under which the answers are frozen.
    pub snapshot: Option<String>,
    /// A new number, for an application that has none yet, or whose number names another program.
    pub reference: Option<ReferenceNumber>,
    /// The replaced number, which still finds the application.
    pub former_reference: Option<String>,
    pub at: Millis,
    pub audit: AuditEntry,
    pub mails: Vec<NewMail>,
    /// Kinds of waiting jobs about this application that are dropped before `jobs` are added.
    pub dropped_jobs: Vec<&'static str>,
    pub jobs: Vec<NewJob>,
    pub tasks: Vec<Task>,
    pub interview: Option<InterviewChange>,
    /// Closes the account along with it.
    pub closing: Option<Closing>,
    /// What the applicant is asked to change.
    pub opens: Option<ChangeRequest>,
    /// Whether the open request for changes is met, or taken back.
    pub closes_request: bool,
    /// Whether the answers go back to those of the last submission.
    pub restores_snapshot: bool,
    /// Whether the application, which was never submitted, is deleted with all that belongs to it.
    pub deletes_draft: bool,
    /// The version of the questionnaire that says what referees are asked for from now on, and how many are needed.
    pub references: Option<(i64, i64)>,
    /// Referees to be asked.
    pub referees: Vec<RefereeRequest>,
    /// Whether it takes a place of its intake: then there must be one when all is written.
    pub takes_place: bool,
    /// Changes to the decision on the application, in this order.
    pub decision: Vec<DecisionWrite>,
    /// The reason for which contracts about the application become void.
    pub voids_contracts: Option<String>,
    /// Postpones instalments that are not settled.
    pub pause: Option<Pause>,
    /// Whether payments by card are stopped, except for a charge that may have been made already.
    pub stops_charges: bool,
    /// Kinds of tasks about the application that are closed before `tasks` are added.
    pub done_tasks: Vec<TaskKind>,
    /// The owner from now on, unless there is one.
    pub owner: Option<String>,
    /// How far the application fee is; `None` if there is none yet. What follows from the act depends on it.
    pub fee_state: Option<FeeState>,
    /// The fee that the submission fixes.
    pub new_fee: Option<NewFee>,
    /// The application itself, if it is imported: it did not exist before.
    pub brings_in: Option<Box<BroughtIn>>,
    /// Deletes the application, which was imported, and the account if it was made for it: then this is recorded about it.
    pub undoes_import: Option<AuditEntry>,
}

/// The outcome of a transition.
#[derive(Debug, Clone)]
pub enum TransitionOutcome {
    Done(Application),
    /// The act was already done under the same key; the application as it is now. Nothing was written.
    Repeated(Application),
    /// The expected revision is not the current one, or the fee is at another state; nothing was written.
    Stale(Application),
}

/// The outcome of a save.
#[derive(Debug, Clone)]
pub enum SaveOutcome {
    /// It was saved at the next revision.
    Saved,
    /// The expected revision is not the current one, or the application is over; nothing was written.
    Stale(Box<Application>),
    /// The application has just been deleted.
    Gone,
}

impl Db {
    /// Returns the applicant's active application.
    pub async fn active_application(&self, applicant_id: &str) -> Stored<Option<Application>> {
        let sql = concat!(
            "SELECT ",
            application_columns!(),
            " FROM applications WHERE applicant_id = $1 AND archived_at IS NULL"
        );
        let row: Option<ApplicationRow> = self.fetch_optional(sql, args![applicant_id]).await?;
        row.map(Application::try_from).transpose()
    }

    /// # Errors
    /// [`StoreError::Taken`]`("application")` if one is already active.
    pub async fn start_application(&self, new: &Application, audit: &AuditEntry, mail: &NewMail) -> Stored<()> {
        let mut tx = self.begin().await?;
        insert_application(&mut tx, new).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await
    }

    /// Writes new answers (and program) at revision `expected` plus one, if `expected` is the current revision.
    pub async fn save_application(
        &self,
        application_id: &str,
        expected: i64,
        program: Program,
        answers: &Answers,
        now: Millis,
    ) -> Stored<SaveOutcome> {
        let sql = "UPDATE applications SET program = $3, answers = $4, revision = revision + 1, updated_at = $5 \
                   WHERE id = $1 AND revision = $2 AND archived_at IS NULL";
        let answers = answers.to_stored();
        let args = args![application_id, expected, program.application_type(), &answers, now];
        if self.execute(sql, args).await? == 1 {
            return Ok(SaveOutcome::Saved);
        }
        let sql = concat!("SELECT ", application_columns!(), " FROM applications WHERE id = $1");
        let current: Option<ApplicationRow> = self.fetch_optional(sql, args![application_id]).await?;
        match current {
            Some(current) => Ok(SaveOutcome::Stale(Box::new(current.try_into()?))),
            None => Ok(SaveOutcome::Gone),
        }
    }

    /// The same on behalf of a session, which must be open, with an account that is not disabled and owns the
    /// application, and with `expected` as the current revision. Otherwise nothing is written, and the reason is not
    /// told.
    pub async fn save_in_session(
        &self,
        session_id: &str,
        application_id: &str,
        expected: i64,
        answers: &Answers,
        now: Millis,
    ) -> Stored<bool> {
        let sql = "UPDATE applications SET answers = $3, revision = revision + 1, updated_at = $4 \
                   WHERE id = $1 AND revision = $2 AND archived_at IS NULL AND EXISTS (\
                   SELECT 1 FROM sessions s JOIN applicants a ON a.id = s.applicant_id WHERE s.id = $5 AND \
                   s.revoked_at IS NULL AND s.expires_at > $4 AND s.code_until IS NULL AND a.disabled_at IS NULL AND \
                   a.id = applications.applicant_id)";
        let answers = answers.to_stored();
        let args = args![application_id, expected, &answers, now, session_id];
        Ok(self.execute(sql, args).await? == 1)
    }

    /// Changes the stage: status, snapshot, reference number, audit and mails together, at revision `expected` + 1, if
    /// `expected` is the current revision. Nothing else changes a stage.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("reference")` when another application has that number,
    /// [`StoreError::Taken`]`("application")` when one that is over would be active again beside another,
    /// [`StoreError::Taken`]`("slot")` when somebody else has the slot,
    /// [`StoreError::Taken`]`("place")` when no place of the intake is left.
    pub async fn transition(&self, transition: &Transition) -> Stored<TransitionOutcome> {
        let Transition { id, application_id, expected, act, key, from, to, former, .. } = transition;
        let Transition { snapshot, reference, at, audit, mails, dropped_jobs, jobs, tasks, .. } = transition;
        let Transition { interview, decision, closing, reason, voids_contracts, .. } = transition;
        let Transition { pause, stops_charges, done_tasks, owner, fee_state, new_fee, .. } = transition;
        let Transition { opens, closes_request, restores_snapshot, deletes_draft, former_reference, .. } = transition;
        let Transition { brings_in, undoes_import, references, referees, takes_place, .. } = transition;
        let mut tx = self.begin().await?;
        if let Some(brought_in) = brings_in {
            imports::bring_in(&mut tx, brought_in).await?;
        }
        // First, so that a concurrent change waits here and then finds another revision.
        let sql = concat!(
            "UPDATE applications SET status = $3, stage = $4, revision = revision + 1, updated_at = $5, \
             reference = COALESCE($6, reference), submitted_at = COALESCE($7, submitted_at), archived_at = $8, \
             released_at = COALESCE($9, released_at), released_from = COALESCE($10, released_from) \
             WHERE id = $1 AND revision = $2 AND stage = $11 RETURNING ",
            application_columns!()
        );
        // What is imported was submitted and ended elsewhere, some time ago.
        let elsewhere = brings_in.as_ref().map(|brought_in| &brought_in.application);
        let taken_at = elsewhere.and_then(|application| application.submitted_at).unwrap_or(*at);
        let ended_at = elsewhere.and_then(|application| application.archived_at).unwrap_or(*at);
        let submitted_at = snapshot.as_ref().map(|_| taken_at);
        let archived_at = (to.status() == Status::None).then_some(ended_at);
        let reference = reference.as_ref().map(|reference| reference.as_str());
        let is_release = decision.iter().any(|write| matches!(write, DecisionWrite::Release { .. }));
        let args = args![
            application_id,
            *expected,
            to.status().as_str(),
            to.as_str(),
            *at,
            reference,
            submitted_at,
            archived_at,
            is_release.then_some(*at),
            is_release.then(|| from.as_str()),
            from.as_str(),
        ];
        let changed: Vec<ApplicationRow> = tx.fetch_all(sql, args).await?;
        let Some(row) = changed.into_iter().next() else {
            return Ok(match find_by_key(&mut tx, application_id, *act, key.as_deref()).await? {
                Some(application) => TransitionOutcome::Repeated(application),
                None => TransitionOutcome::Stale(find(&mut tx, application_id).await?),
            });
        };
        let mut application = Application::try_from(row)?;
        if tx.fee_state(application_id).await?.map(|(state, _)| state) != *fee_state {
            drop(tx);
            return self.unchanged(application_id).await;
        }
        if let Some(reference) = reference {
            keep_references(&mut tx, application_id, reference, former_reference.as_deref()).await?;
        }
        tx.execute(
            "INSERT INTO stage_changes (id, application_id, revision, act, from_stage, to_stage, former_stage, \
             idempotency_key, happened_at, reason) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            args![
                id,
                application_id,
                application.revision,
                act.as_str(),
                from.as_str(),
                to.as_str(),
                former.map(Stage::as_str),
                key.as_deref(),
                *at,
                reason.as_deref(),
            ],
        )
        .await?;
        if let Some(snapshot) = snapshot {
            tx.execute(
                "INSERT INTO snapshots (id, application_id, number, program, answers, taken_at) \
                 SELECT $1, id, (SELECT COALESCE(MAX(number), 0) + 1 FROM snapshots WHERE application_id = $2), \
                 program, answers, $3 FROM applications WHERE id = $2",
                args![snapshot, application_id, taken_at],
            )
            .await?;
        }
        if let Some((version, needed)) = references {
            let sql = "UPDATE applications SET references_version = $2, references_needed = $3 WHERE id = $1";
            tx.execute(sql, args![application_id, *version, *needed]).await?;
        }
        if *closes_request {
            let sql = "UPDATE change_requests SET closed_at = $2 WHERE application_id = $1 AND closed_at IS NULL";
            tx.execute(sql, args![application_id, *at]).await?;
        }
        if let Some(request) = opens {
            open_request(&mut tx, request).await?;
        }
        if *restores_snapshot {
            let sql = "UPDATE applications SET answers = (SELECT answers FROM snapshots WHERE application_id = $1 \
                       ORDER BY number DESC LIMIT 1) WHERE id = $1";
            tx.execute(sql, args![application_id]).await?;
            application = find(&mut tx, application_id).await?;
        }
        if let Some(change) = interview {
            change_interview(&mut tx, application_id, change, *at).await?;
        }
        for write in decision {
            decisions::write(&mut tx, application_id, *at, write).await?;
        }
        // The intake first, and then the rows of its line.
        if *takes_place {
            tx.check_place(application_id, *at).await?;
        }
        match (*from, *to) {
            (Stage::Waitlisted, _) => waitlist::leave(&mut tx, application_id, *act, *at).await?,
            (_, Stage::Waitlisted) if *act != Act::Waitlist => waitlist::come_back(&mut tx, application_id).await?,
            _ => {}
        }
        if let Some(reason) = voids_contracts {
            contracts::void_all(&mut tx, application_id, &audit.actor, reason, *at).await?;
        }
        if let Some(pause) = pause {
            tx.pause_plan(application_id, *pause, *at, &audit.actor).await?;
        }
        if *stops_charges {
            tx.stop_charges(application_id, *at).await?;
        }
        if *deletes_draft {
            drafts::delete(&mut tx, &application).await?;
        }
        if let Some(about_account) = undoes_import
            && !imports::take_back(&mut tx, &application, about_account).await?
        {
            drop(tx);
            return self.unchanged(application_id).await;
        }
        tx.audit(audit).await?;
        tx.stage_event(id, application_id, *act, (*from, *to), *at).await?;
        for request in referees {
            tx.ask_referee(request).await?;
        }
        if let Some(new_fee) = new_fee {
            tx.fix_fee(new_fee, &audit.id).await?;
        }
        for mail in mails {
            tx.mail(mail).await?;
        }
        let subject = format!("application:{application_id}");
        for kind in dropped_jobs {
            tx.drop_jobs(&subject, kind).await?;
        }
        for job in jobs {
            tx.job(job).await?;
        }
        if let Some(owner) = owner {
            let sql = "UPDATE applications SET assigned_to = $2 WHERE id = $1 AND assigned_to IS NULL";
            tx.execute(sql, args![application_id, owner]).await?;
        }
        tx.tasks_follow_stage(application_id, *from, *to, *at).await?;
        for kind in done_tasks {
            tx.tasks_done(&subject, *kind, *at).await?;
        }
        for task in tasks {
            tx.task(task).await?;
        }
        if let Some(closing) = closing {
            close_account(&mut tx, closing).await?;
        }
        relist(&mut tx, application_id).await?;
        tx.commit().await?;
        Ok(TransitionOutcome::Done(application))
    }

    /// Returns the outcome of a transition whose transaction was given up: it has changed nothing.
    async fn unchanged(&self, application_id: &str) -> Stored<TransitionOutcome> {
        let key = ApplicationKey::Id(application_id);
        let (_, current) = self.application(key).await?.ok_or_else(|| missing("application", application_id))?;
        Ok(TransitionOutcome::Stale(current))
    }

    /// Returns the applicant's application on which the act was done under this key, as it is now.
    pub async fn application_by_key(&self, applicant_id: &str, act: Act, key: &str) -> Stored<Option<Application>> {
        let sql = concat!(
            "SELECT ",
            application_columns!(),
            " FROM applications JOIN stage_changes c ON c.application_id = applications.id \
             WHERE applications.applicant_id = $1 AND c.act = $2 AND c.idempotency_key = $3 LIMIT 1"
        );
        let row: Option<ApplicationRow> = self.fetch_optional(sql, args![applicant_id, act.as_str(), key]).await?;
        row.map(Application::try_from).transpose()
    }

    /// Returns the latest submission.
    pub async fn latest_snapshot(&self, application_id: &str) -> Stored<Option<Snapshot>> {
        let sql = "SELECT application_id, number, program, answers, taken_at FROM snapshots WHERE application_id = $1 \
                   ORDER BY number DESC LIMIT 1";
        let row: Option<SnapshotRow> = self.fetch_optional(sql, args![application_id]).await?;
        row.map(Snapshot::try_from).transpose()
    }

    /// Returns an application and its applicant, even if it is over.
    pub async fn application(&self, key: ApplicationKey<'_>) -> Stored<Option<(Applicant, Application)>> {
        macro_rules! whose {
            ($condition:literal) => {
                concat!(
                    "SELECT ",
                    applicant_columns!(),
                    ", ",
                    application_columns!(),
                    " FROM applications JOIN applicants ON applicants.id = applications.applicant_id WHERE ",
                    $condition
                )
            };
        }
        let (sql, value) = match key {
            ApplicationKey::Id(id) => (whose!("applications.id = $1"), id),
            ApplicationKey::Reference(reference) => (
                whose!(
                    "applications.reference = $1 OR applications.id = (SELECT application_id FROM former_references WHERE reference = $1)"
                ),
                reference,
            ),
        };
        let row: Option<OwnedRow> = self.fetch_optional(sql, args![value]).await?;
        row.map(|row| Ok((row.applicant.try_into()?, row.application.try_into()?))).transpose()
    }

    /// Returns what the applicant is asked to change, if a request is open.
    pub async fn change_request(&self, application_id: &str) -> Stored<Option<ChangeRequest>> {
        let sql = "SELECT id, sections, message, due_on, created_at FROM change_requests \
                   WHERE application_id = $1 AND closed_at IS NULL";
        let rows: Vec<(String, String, String, String, Millis)> = self.fetch_all(sql, args![application_id]).await?;
        let Some((id, sections, message, due_on, created_at)) = rows.into_iter().next() else { return Ok(None) };
        let unreadable = |column| unreadable(column, &id);
        let slugs: Vec<String> = serde_json::from_str(&sections).map_err(|_| unreadable("change_requests.sections"))?;
        let sections = slugs.iter().filter_map(|slug| Section::parse(slug)).collect();
        let due_on = due_on.parse().map_err(|_| unreadable("change_requests.due_on"))?;
        let application_id = application_id.to_owned();
        Ok(Some(ChangeRequest { application_id, sections, message, due_on, created_at, id }))
    }

    /// Returns the applicant's application that ended last.
    pub async fn ended_application(&self, applicant_id: &str) -> Stored<Option<EndedApplication>> {
        // Nothing changes an application that is over: its revision is that of its end.
        let sql = concat!(
            "SELECT ",
            application_columns!(),
            ", c.act, c.former_stage FROM applications JOIN stage_changes c \
             ON c.application_id = applications.id AND c.revision = applications.revision \
             WHERE applications.applicant_id = $1 AND applications.archived_at IS NOT NULL \
             ORDER BY applications.archived_at DESC LIMIT 1"
        );
        let row: Option<EndedRow> = self.fetch_optional(sql, args![applicant_id]).await?;
        row.map(EndedApplication::try_from).transpose()
    }
}

/// Keeps the replaced number for those who know it, and makes sure the new one was never another application's.
async fn keep_references(tx: &mut Tx, application_id: &str, new: &str, former: Option<&str>) -> Stored<()> {
    let taken = "SELECT application_id FROM former_references WHERE reference = $1";
    let taken: Vec<(String,)> = tx.fetch_all(taken, args![new]).await?;
    if !taken.is_empty() {
        return Err(StoreError::Taken("reference"));
    }
    if let Some(former) = former {
        let sql = "INSERT INTO former_references (reference, application_id) VALUES ($1, $2)";
        tx.execute(sql, args![former, application_id]).await?;
    }
    Ok(())
}

async fn open_request(tx: &mut Tx, request: &ChangeRequest) -> Stored<()> {
    let ChangeRequest { id, application_id, sections, message, due_on, created_at } = request;
    let slugs: Vec<&str> = sections.iter().map(|section| section.slug()).collect();
    tx.execute(
        "INSERT INTO change_requests (id, application_id, sections, message, due_on, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6)",
        args![id, application_id, &serde_json::json!(slugs).to_string(), message, &due_on.to_string(), *created_at],
    )
    .await?;
    Ok(())
}

async fn find(tx: &mut Tx, application_id: &str) -> Stored<Application> {
    let sql = concat!("SELECT ", application_columns!(), " FROM applications WHERE id = $1");
    let rows: Vec<ApplicationRow> = tx.fetch_all(sql, args![application_id]).await?;
    rows.into_iter().next().ok_or_else(|| missing("application", application_id))?.try_into()
}

async fn find_by_key(tx: &mut Tx, application_id: &str, act: Act, key: Option<&str>) -> Stored<Option<Application>> {
    let sql = concat!(
        "SELECT ",
        application_columns!(),
        " FROM applications JOIN stage_changes c ON c.application_id = applications.id \
         WHERE applications.id = $1 AND c.act = $2 AND c.idempotency_key = $3"
    );
    let rows: Vec<ApplicationRow> = tx.fetch_all(sql, args![application_id, act.as_str(), key]).await?;
    rows.into_iter().next().map(Application::try_from).transpose()
}

pub(super) async fn insert_application(tx: &mut Tx, application: &Application) -> Stored<()> {
    let Application { id, applicant_id, program, stage, answers, revision, reference, created_at, updated_at, .. } =
        application;
    let Application { submitted_at, archived_at, released, .. } = application;
    tx.execute(
        "INSERT INTO applications (id, applicant_id, program, status, stage, answers, revision, reference, created_at, \
         updated_at, submitted_at, archived_at, released_at, released_from) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        args![
            id,
            applicant_id,
            program.application_type(),
            stage.status().as_str(),
            stage.as_str(),
            &answers.to_stored(),
            *revision,
            reference.as_deref(),
            *created_at,
            *updated_at,
            *submitted_at,
            *archived_at,
            released.map(|released| released.at),
            released.map(|released| released.from.as_str()),
        ],
    )
    .await?;
    Ok(())
}
