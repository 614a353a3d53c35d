//! Runs jobs that were planned for a time.

use std::time::Duration;

use metrics::{counter, gauge};
use tokio_util::sync::CancellationToken;

use super::{LEASE, POLL, pause_after};
use app::App;
use app::documents::CHECKS_LEFT_BEHIND;
use app::jobs::Ran;
use store::{Db, Job, Stored};

/// Jobs claimed at a time. They run one after another, so that a burst of them leaves the database to the requests.
const BATCH: i64 = 8;
/// How long one job may take, so that a batch fits into the lease.
const DEADLINE: Duration = Duration::from_secs(30);

/// Runs jobs that are due.
pub struct JobWorker {
    pub app: App,
    pub store: Db,
}

impl JobWorker {
    /// Runs until `stop`, and finishes the job in progress.
    pub async fn run(self, stop: CancellationToken) {
        self.take_up_checks(stop.clone());
        let mut planned = false;
        while !stop.is_cancelled() {
            if !planned {
                match self.app.plan_recurring().await {
                    Ok(()) => planned = true,
                    Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "could not plan"),
                }
            }
            if let Err(error) = self.work(&stop).await {
                tracing::warn!(error = &error as &dyn std::error::Error, "could not work on the jobs");
            }
            self.write_field_errors(false).await;
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
        self.write_field_errors(true).await;
    }

    async fn write_field_errors(&self, at_once: bool) {
        if let Err(error) = self.app.write_field_errors(at_once).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "could not count the fields that were refused");
        }
    }

    /// Checks the documents left behind by a killed process soon after startup, and not only at the next recurring job.
    fn take_up_checks(&self, stop: CancellationToken) {
        let app = self.app.clone();
        tokio::spawn(stop.run_until_cancelled_owned(async move {
            tokio::time::sleep(CHECKS_LEFT_BEHIND).await;
            if let Err(error) = app.care_for_documents().await {
                tracing::warn!(error = &error as &dyn std::error::Error, "could not take up what was left behind");
            }
        }));
    }

    /// Runs every job that is due, until none is left or `stop`.
    ///
    /// # Errors
    /// Errors of the store. What was not marked is retried when its lease ends.
    pub async fn work(&self, stop: &CancellationToken) -> Stored<()> {
        let store = &self.store;
        while !stop.is_cancelled() {
            let now = self.app.clock.now();
            let jobs = store.claim_jobs(BATCH, now, now + LEASE).await?;
            if jobs.is_empty() {
                break;
            }
            for job in &jobs {
                self.run_one(job).await?;
            }
        }
        let (waiting, parked) = store.job_counts().await?;
        gauge!("jobs_waiting").set(waiting as f64);
        gauge!("jobs_parked").set(parked as f64);
        Ok(())
    }

    /// Runs a job, in the trace of the request that planned it.
    async fn run_one(&self, job: &Job) -> Stored<()> {
        let span = telemetry::resumed("job", job.traceparent.as_deref());
        span.set("matricula.job", job.kind.clone());
        span.set("matricula.attempts", job.attempts);
        let result = span.within(self.try_to_run(job)).await?;
        if result != "done" {
            span.fail(result);
        }
        counter!("jobs_run_total", "kind" => job.kind.clone(), "result" => result).increment(1);
        Ok(())
    }

    async fn try_to_run(&self, job: &Job) -> Stored<&'static str> {
        let ran = tokio::time::timeout(DEADLINE, self.app.run_job(job)).await;
        let store = &self.store;
        Ok(match ran {
            Ok(Ok(Ran::Done)) => {
                store.job_done(job, None).await?;
                "done"
            }
            Ok(Ok(Ran::AgainAt(at))) => {
                store.job_done(job, Some(at)).await?;
                "done"
            }
            Ok(Err(error)) => self.failed(job, &telemetry::with_causes(&error)).await?,
            Err(_) => self.failed(job, "it took too long").await?,
        })
    }

    async fn failed(&self, job: &Job, error: &str) -> Stored<&'static str> {
        let pause = pause_after(job.attempts);
        let result = if pause.is_some() { "retried" } else { "parked" };
        tracing::warn!(job = job.id, kind = job.kind, attempts = job.attempts, error, result, "job");
        let retry_at = pause.map(|pause| self.app.clock.now() + pause);
        self.store.job_failed(job, error, retry_at).await?;
        Ok(result)
    }
}
