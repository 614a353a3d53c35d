//! Jobs: work for later.

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::query::{Tx, args};
use crate::{NewMail, StoreError, Stored};
use domain::moments::Millis;
use domain::task::Task;

/// Work for later, done once it is due by whichever process is free.
#[derive(Debug, Clone)]
pub struct NewJob {
    pub id: String,
    /// What is to be done, one of `app::jobs`.
    pub kind: &'static str,
    /// What it is about: `application:ID`, `applicant:ID`.
    pub subject: String,
    /// What else the job needs to know, as a JSON object.
    pub detail: serde_json::Value,
    pub due_at: Millis,
    /// Names the plan: while one waits under this name, no other is planned.
    pub plan_key: Option<String>,
    pub created_at: Millis,
}

/// A job that is due, leased to this process.
#[derive(Debug, Clone)]
pub struct Job {
    pub id: String,
    pub kind: String,
    pub subject: String,
    pub detail: serde_json::Value,
    /// How often it was tried, this time included. Tells one lease from the next.
    pub attempts: i64,
    /// See [`Mail::traceparent`].
    pub traceparent: Option<String>,
}

/// A claim is a lease, as with mails.
macro_rules! claim {
    ($lock:literal) => {
        concat!(
            "WITH due AS MATERIALIZED (\
             SELECT id FROM jobs WHERE state = 'waiting' AND due_at <= $2 ORDER BY due_at, id LIMIT $1",
            $lock,
            ") UPDATE jobs SET due_at = $3, attempts = attempts + 1 WHERE id IN (SELECT id FROM due) \
             RETURNING id, kind, subject, detail, attempts, traceparent"
        )
    };
}

impl Db {
    pub async fn plan_jobs(&self, jobs: &[NewJob]) -> Stored<()> {
        let mut tx = self.begin().await?;
        for job in jobs {
            tx.job(job).await?;
        }
        tx.commit().await
    }

    /// Leases up to `limit` due jobs, so that no other process takes them before `lease_until`.
    pub async fn claim_jobs(&self, limit: i64, now: Millis, lease_until: Millis) -> Stored<Vec<Job>> {
        let sql = self.pick(claim!(""), claim!(" FOR UPDATE SKIP LOCKED"));
        let rows: Vec<JobRow> = self.write_returning(sql, args![limit, now, lease_until]).await?;
        rows.into_iter().map(Job::try_from).collect()
    }

    /// Removes the job, or, if it recurs, makes it due again. Does nothing if the lease was lost to another process.
    pub async fn job_done(&self, job: &Job, again_at: Option<Millis>) -> Stored<()> {
        let args = args![&job.id, job.attempts, again_at];
        match again_at {
            None => self.execute("DELETE FROM jobs WHERE id = $1 AND attempts = $2", &args[..2]).await?,
            Some(_) => {
                let sql =
                    "UPDATE jobs SET attempts = 0, last_error = NULL, due_at = $3 WHERE id = $1 AND attempts = $2";
                self.execute(sql, args).await?
            }
        };
        Ok(())
    }

    /// Plans another attempt at `retry_at`, or parks the job.
    pub async fn job_failed(&self, job: &Job, error: &str, retry_at: Option<Millis>) -> Stored<()> {
        let sql = "UPDATE jobs SET state = $3, last_error = $4, due_at = COALESCE($5, due_at) \
                   WHERE id = $1 AND attempts = $2";
        let state = if retry_at.is_some() { "waiting" } else { "parked" };
        self.execute(sql, args![&job.id, job.attempts, state, error, retry_at]).await?;
        Ok(())
    }

    /// Counts waiting and parked jobs.
    pub async fn job_counts(&self) -> Stored<(i64, i64)> {
        let sql = "SELECT (SELECT COUNT(*) FROM jobs WHERE state = 'waiting'), \
                   (SELECT COUNT(*) FROM jobs WHERE state = 'parked')";
        let counts: Vec<(i64, i64)> = self.scan(sql, args![]).await?;
        Ok(counts.first().copied().unwrap_or_default())
    }

    /// Writes the tasks and mails that follow from a job, except those whose ids already exist.
    pub async fn tell(&self, tasks: &[Task], mails: &[NewMail]) -> Stored<()> {
        let mut tx = self.begin().await?;
        for task in tasks {
            let known: Vec<(i64,)> =
                tx.fetch_all("SELECT created_at FROM staff_tasks WHERE id = $1", args![&task.id]).await?;
            if known.is_empty() {
                tx.task(task).await?;
            }
        }
        for mail in mails {
            let known: Vec<(i64,)> =
                tx.fetch_all("SELECT created_at FROM outbox WHERE id = $1", args![&mail.id]).await?;
            if known.is_empty() {
                tx.mail(mail).await?;
            }
        }
        tx.commit().await
    }
}

impl Tx {
    /// Plans a job, unless one waits under the same plan key.
    pub(super) async fn job(&mut self, job: &NewJob) -> Stored<()> {
        let NewJob { id, kind, subject, detail, due_at, plan_key, created_at } = job;
        self.execute(
            "INSERT INTO jobs (id, kind, subject, detail, plan_key, state, due_at, attempts, created_at, traceparent) \
             VALUES ($1, $2, $3, $4, $5, 'waiting', $6, 0, $7, $8) ON CONFLICT DO NOTHING",
            args![
                id,
                *kind,
                subject,
                &detail.to_string(),
                plan_key.as_deref(),
                *due_at,
                *created_at,
                telemetry::traceparent().as_deref(),
            ],
        )
        .await?;
        Ok(())
    }

    /// Drops the jobs of this kind about `subject`.
    pub(super) async fn drop_jobs(&mut self, subject: &str, kind: &str) -> Stored<()> {
        self.execute("DELETE FROM jobs WHERE subject = $1 AND kind = $2", args![subject, kind]).await?;
        Ok(())
    }
}

row! {
    struct JobRow {
        id: String,
        kind: String,
        subject: String,
        detail: String,
        attempts: i64,
        traceparent: Option<String>,
    }
}

impl TryFrom<JobRow> for Job {
    type Error = StoreError;

    fn try_from(row: JobRow) -> Result<Self, StoreError> {
        let detail = serde_json::from_str(&row.detail).map_err(|_| unreadable("jobs.detail", &row.id))?;
        let JobRow { id, kind, subject, attempts, traceparent, .. } = row;
        Ok(Job { id, kind, subject, detail, attempts, traceparent })
    }
}
