//! Applications and their answers.

use async_trait::async_trait;

use super::Db;
use super::error::missing;
use super::query::{Tx, args};
use super::rows::{ApplicationRow, EndedRow, application_columns};
use crate::app::ports::{
    Application, Applications, AuditEntry, EndedApplication, Millis, NewMail, SaveOutcome, Stored, Transition,
    TransitionOutcome,
};
use crate::domain::application::Answers;
use crate::domain::program::Program;
use crate::domain::status::{Act, Status};

#[async_trait]
impl Applications for Db {
    async fn active_application(&self, applicant_id: &str) -> Stored<Option<Application>> {
        let sql = concat!(
            "SELECT ",
            application_columns!(),
            " FROM applications WHERE applicant_id = $1 AND archived_at IS NULL"
        );
        let row: Option<ApplicationRow> = self.fetch_optional(sql, args![applicant_id]).await?;
        row.map(Application::try_from).transpose()
    }

    async fn start_application(&self, new: &Application, audit: &AuditEntry, mail: &NewMail) -> Stored<()> {
        let mut tx = self.begin().await?;
        insert_application(&mut tx, new).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await
    }

    async fn save_application(
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
        let current = current.ok_or_else(|| missing("application", application_id))?;
        Ok(SaveOutcome::Stale(Box::new(current.try_into()?)))
    }

    async fn save_in_session(
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
                   s.revoked_at IS NULL AND s.expires_at > $4 AND a.disabled_at IS NULL AND \
                   a.id = applications.applicant_id)";
        let answers = answers.to_stored();
        let args = args![application_id, expected, &answers, now, session_id];
        Ok(self.execute(sql, args).await? == 1)
    }

    async fn transition(&self, transition: &Transition) -> Stored<TransitionOutcome> {
        let Transition { id, application_id, expected, act, key, from, to, keeps_former, .. } = transition;
        let Transition { snapshot, reference, at, audit, mails, .. } = transition;
        let mut tx = self.begin().await?;
        // First of all, so that whoever comes at the same time waits here, and then finds another revision.
        let sql = concat!(
            "UPDATE applications SET status = $3, stage = $4, revision = revision + 1, updated_at = $5, \
             reference = COALESCE(reference, $6), submitted_at = COALESCE($7, submitted_at), archived_at = $8 \
             WHERE id = $1 AND revision = $2 RETURNING ",
            application_columns!()
        );
        let submitted_at = snapshot.as_ref().map(|_| *at);
        let archived_at = (to.status() == Status::None).then_some(*at);
        let reference = reference.as_ref().map(|reference| reference.as_str());
        let args = args![
            application_id,
            *expected,
            to.status().as_str(),
            to.as_str(),
            *at,
            reference,
            submitted_at,
            archived_at,
        ];
        let changed: Vec<ApplicationRow> = tx.fetch_all(sql, args).await?;
        let Some(row) = changed.into_iter().next() else {
            return Ok(match find_by_key(&mut tx, application_id, *act, key.as_deref()).await? {
                Some(application) => TransitionOutcome::Repeated(application),
                None => TransitionOutcome::Stale(find(&mut tx, application_id).await?),
            });
        };
        let application = Application::try_from(row)?;
        tx.execute(
            "INSERT INTO stage_changes (id, application_id, revision, act, from_stage, to_stage, former_stage, \
             idempotency_key, happened_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            args![
                id,
                application_id,
                application.revision,
                act.as_str(),
                from.as_str(),
                to.as_str(),
                keeps_former.then(|| from.as_str()),
                key.as_deref(),
                *at,
            ],
        )
        .await?;
        if let Some(snapshot) = snapshot {
            tx.execute(
                "INSERT INTO snapshots (id, application_id, number, program, answers, taken_at) \
                 SELECT $1, id, (SELECT COALESCE(MAX(number), 0) + 1 FROM snapshots WHERE application_id = $2), \
                 program, answers, $3 FROM applications WHERE id = $2",
                args![snapshot, application_id, *at],
            )
            .await?;
        }
        tx.audit(audit).await?;
        for mail in mails {
            tx.mail(mail).await?;
        }
        tx.commit().await?;
        Ok(TransitionOutcome::Done(application))
    }

    async fn application_by_key(&self, applicant_id: &str, act: Act, key: &str) -> Stored<Option<Application>> {
        let sql = concat!(
            "SELECT ",
            application_columns!(),
            " FROM applications JOIN stage_changes c ON c.application_id = applications.id \
             WHERE applications.applicant_id = $1 AND c.act = $2 AND c.idempotency_key = $3 LIMIT 1"
        );
        let row: Option<ApplicationRow> = self.fetch_optional(sql, args![applicant_id, act.as_str(), key]).await?;
        row.map(Application::try_from).transpose()
    }

    async fn ended_application(&self, applicant_id: &str) -> Stored<Option<EndedApplication>> {
        // Nothing changes an application that is over: its revision is the one that its end made.
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
    tx.execute(
        "INSERT INTO applications (id, applicant_id, program, status, stage, answers, revision, reference, created_at, \
         updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
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
        ],
    )
    .await?;
    Ok(())
}
