//! Mails and jobs that nobody waits for, as staff see them.

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::query::args;
use super::rows::mail_state;
use crate::{AuditEntry, StoreError, Stored};
use domain::job::JobEntry;
use domain::mail::{MailEntry, MailState};
use domain::moments::Millis;

row! {
    struct MailLogRow {
        id: String,
        template: String,
        recipient: String,
        subject: String,
        state: String,
        attempts: i64,
        due_at: i64,
        last_error: Option<String>,
        created_at: i64,
        finished_at: Option<i64>,
        has_secret: i64,
    }
}

impl TryFrom<MailLogRow> for MailEntry {
    type Error = StoreError;

    fn try_from(row: MailLogRow) -> Result<Self, StoreError> {
        Ok(MailEntry {
            state: MailState::parse(&row.state).ok_or_else(|| unreadable("outbox.state", &row.id))?,
            id: row.id,
            template: row.template,
            to: row.recipient,
            subject: row.subject,
            attempts: row.attempts,
            due_at: row.due_at,
            last_error: row.last_error,
            created_at: row.created_at,
            finished_at: row.finished_at,
            has_secret: row.has_secret != 0,
        })
    }
}

row! {
    struct JobLogRow {
        id: String,
        kind: String,
        subject: String,
        state: String,
        attempts: i64,
        due_at: i64,
        last_error: Option<String>,
    }
}

impl Db {
    /// Returns the newest mails, in one state or in any.
    pub async fn mail_log(&self, state: Option<MailState>, limit: i64) -> Stored<Vec<MailEntry>> {
        let sql = concat!(
            "SELECT id, template, recipient, subject, ",
            mail_state!(),
            " AS state, attempts, due_at, last_error, created_at, finished_at, \
             CAST(CASE WHEN message_text IS NULL THEN 0 ELSE 1 END AS BIGINT) AS has_secret FROM outbox WHERE $1 = '' OR ",
            mail_state!(),
            " = $1 ORDER BY created_at DESC, id DESC LIMIT $2"
        );
        let state = state.map_or("", MailState::as_str);
        let rows: Vec<MailLogRow> = self.scan(sql, args![state, limit]).await?;
        rows.into_iter().map(MailEntry::try_from).collect()
    }

    /// Returns parked jobs, and then those that are due soonest.
    pub async fn job_log(&self, limit: i64) -> Stored<Vec<JobEntry>> {
        let sql = "SELECT id, kind, subject, state, attempts, due_at, last_error FROM jobs \
                   ORDER BY CASE state WHEN 'parked' THEN 0 ELSE 1 END, due_at, id LIMIT $1";
        let rows: Vec<JobLogRow> = self.scan(sql, args![limit]).await?;
        let entry = |row: JobLogRow| {
            let JobLogRow { id, kind, subject, state, attempts, due_at, last_error } = row;
            JobEntry { id, kind, subject, parked: state == "parked", attempts, due_at, last_error }
        };
        Ok(rows.into_iter().map(entry).collect())
    }

    /// Makes a failed mail due at once. Returns false unless it [may be](MailEntry::may_be_retried).
    pub async fn retry_mail(&self, id: &str, now: Millis, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE outbox SET state = 'waiting', attempts = 0, due_at = $2 WHERE id = $1 AND state = 'failed' \
                   AND message_text IS NULL";
        if tx.execute(sql, args![id, now]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        self.mail_written.notify_one();
        Ok(true)
    }

    /// Makes a parked job due at once. Returns false if it is not parked.
    pub async fn retry_job(&self, id: &str, now: Millis, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE jobs SET state = 'waiting', attempts = 0, due_at = $2 WHERE id = $1 AND state = 'parked'";
        if tx.execute(sql, args![id, now]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}
