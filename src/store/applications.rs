//! Applications and their answers.

use async_trait::async_trait;

use super::Db;
use super::error::missing;
use super::query::{Tx, args};
use super::rows::{ApplicationRow, application_columns};
use crate::app::ports::{Application, Applications, AuditEntry, Millis, NewMail, SaveOutcome, Stored};
use crate::domain::application::Answers;
use crate::domain::program::Program;

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
        let sql =
            concat!("SELECT ", application_columns!(), " FROM applications WHERE id = $1 AND archived_at IS NULL");
        let current: Option<ApplicationRow> = self.fetch_optional(sql, args![application_id]).await?;
        let current = current.ok_or_else(|| missing("active application", application_id))?;
        Ok(SaveOutcome::Stale(current.try_into()?))
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
}

pub(super) async fn insert_application(tx: &mut Tx, application: &Application) -> Stored<()> {
    let Application { id, applicant_id, program, status, stage, answers, revision, reference, created_at, updated_at } =
        application;
    tx.execute(
        "INSERT INTO applications (id, applicant_id, program, status, stage, answers, revision, reference, created_at, \
         updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        args![
            id,
            applicant_id,
            program.application_type(),
            status.as_str(),
            stage,
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
