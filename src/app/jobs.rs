//! Scheduled work: reminders, chasers, expiries, and recurring jobs. The worker in the `jobs` module asks
//! [`App::run_job`] to do what is due.
//!
//! To add a kind: its constant here, code that plans it (in the transaction of its cause, as `Transition::jobs`, or
//! with `Jobs::plan_jobs`), and its line in [`App::run_job`], which calls the use case. A job may run twice, if a
//! process dies between the work and the note that it is done; and its reason may be gone by then. So each job first
//! looks at the current state.

use serde_json::json;

use crate::documents::{CARE_PAUSE, HOLD_PAUSE, RECONCILE_PAUSE};
use crate::error::Error;
use crate::{App, interviews};
use domain::application::ApplicationKey;
use domain::moments::{DAY, HOUR, Millis};
use store::{CONTRACT_EXPIRY, CONTRACT_REMINDER};
use store::{Job, NewJob, RELEASE, StoreError, Stored};
use telemetry::carried;

/// Removes what has expired, every hour.
pub const SWEEP: &str = "sweep";
/// Checks files left behind and gives up abandoned uploads, every minute.
pub const CARE_FOR_DOCUMENTS: &str = "care-for-documents";
/// Renews the database's claim on the storage, every hour.
pub const HOLD_STORAGE: &str = "hold-storage";
/// Finds storage objects that no row names, and deletes those found long ago, every day.
pub const RECONCILE_STORAGE: &str = "reconcile-storage";
/// Warns about abandoned drafts and finally deletes them, every day.
pub const DRAFT_EXPIRY: &str = "draft-expiry";
/// Enrols every application that is complete, every hour.
pub const COMPLETE_ENROLMENTS: &str = "complete-enrolments";
/// Checks that every transaction in the ledger balances, every day.
pub const CHECK_LEDGER: &str = "check-ledger";
/// Saves where the record's chains end, every day.
pub const ANCHOR_RECORD: &str = "anchor-record";
/// Reminds of instalments not paid by a saved card, every day.
pub const PAYMENT_REMINDERS: &str = "payment-reminders";

/// Charges saved cards for what is due, and follows up on pending card payments and refunds, every hour.
pub const COLLECT_INSTALMENTS: &str = "collect-instalments";
/// Processes events of the card payment provider that were missed, every day.
pub const RECONCILE_PAYMENTS: &str = "reconcile-payments";

/// Mails due reports of the figures, every hour.
pub const FIGURE_REPORTS: &str = "figure-reports";

/// Tells prospects that the next intake can be applied for, every day.
pub const TELL_OF_OPENINGS: &str = "tell-of-openings";
/// Reminds people of the open day that they have booked, every hour.
pub const OPEN_DAY_REMINDERS: &str = "open-day-reminders";

/// Asks and reminds referees, every hour.
pub const REFERENCE_REQUESTS: &str = "reference-requests";

/// Erases the records kept of a closed account.
pub const ERASE_RECORDS: &str = "erase-records";
/// Confirms the receipt of an application that was submitted several times in an hour.
pub const CONFIRM_SUBMISSION: &str = "confirm-submission";
/// Tells an applicant that there is a decision, once it can no longer be recalled.
pub const ANNOUNCE: &str = "announce";
/// Reminds of an offer that was not replied to.
pub const REPLY_REMINDER: &str = "reply-reminder";
/// Lets an offer lapse when its time is over.
pub const LAPSE: &str = "lapse";
/// Reminds of the intake that an application was deferred to.
pub const INTAKE_REMINDER: &str = "intake-reminder";
/// Tells staff and the applicant that nothing has happened for many days.
pub const SLOW: &str = "slow";

/// Reminds of an application fee that is due.
pub const FEE_REMINDER: &str = "fee-reminder";

/// Offers places that have become free to the first in line, or tells staff; every hour, and when places or lines
/// change.
pub const FILL_PLACES: &str = "fill-places";

/// Checks, runs or undoes an import, some rows at a time.
pub const IMPORT: &str = "import";

/// Jobs that are planned again each time they are done.
pub const RECURRING: [&str; 17] = [
    SWEEP,
    CARE_FOR_DOCUMENTS,
    HOLD_STORAGE,
    RECONCILE_STORAGE,
    DRAFT_EXPIRY,
    CHECK_LEDGER,
    ANCHOR_RECORD,
    COMPLETE_ENROLMENTS,
    COLLECT_INSTALMENTS,
    RECONCILE_PAYMENTS,
    PAYMENT_REMINDERS,
    FIGURE_REPORTS,
    TELL_OF_OPENINGS,
    OPEN_DAY_REMINDERS,
    REFERENCE_REQUESTS,
    FILL_PLACES,
    interviews::office::RENEW_SLOTS,
];

/// What happens to a job after it ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ran {
    Done,
    /// It runs again at this time.
    AgainAt(Millis),
}

impl App {
    /// Plans the recurring jobs that are not planned yet.
    pub async fn plan_recurring(&self) -> Stored<()> {
        let now = self.clock.now();
        let recurring = RECURRING.map(|kind| NewJob {
            id: self.random.id(),
            kind,
            subject: kind.to_owned(),
            detail: json!({}),
            due_at: now,
            plan_key: Some(kind.to_owned()),
            created_at: now,
        });
        self.store.plan_jobs(&recurring).await
    }

    /// Runs a job that is due.
    ///
    /// # Errors
    /// Any error of the job: the worker tries again later.
    pub async fn run_job(&self, job: &Job) -> Result<Ran, Error> {
        match job.kind.as_str() {
            SWEEP => {
                let now = self.clock.now();
                let rows = self.store.sweep(now).await?;
                self.close_overtaken_tasks().await?;
                tracing::debug!(rows, "swept");
                Ok(Ran::AgainAt(now + HOUR))
            }
            kind @ CARE_FOR_DOCUMENTS => {
                self.beside(kind, |app| async move { app.care_for_documents().await });
                Ok(Ran::AgainAt(self.clock.now() + CARE_PAUSE))
            }
            kind @ HOLD_STORAGE => {
                self.beside(kind, |app| async move { Ok(usize::from(app.hold_storage().await?.is_none())) });
                Ok(Ran::AgainAt(self.clock.now() + HOLD_PAUSE))
            }
            kind @ RECONCILE_STORAGE => {
                self.beside(kind, |app| async move { app.remove_nameless_objects().await });
                Ok(Ran::AgainAt(self.clock.now() + RECONCILE_PAUSE))
            }
            DRAFT_EXPIRY => self.expire_drafts().await,
            CHECK_LEDGER => self.check_ledger().await,
            kind @ ANCHOR_RECORD => {
                self.beside(kind, |app| async move { app.anchor_record().await });
                Ok(Ran::AgainAt(self.clock.now() + DAY))
            }
            PAYMENT_REMINDERS => self.remind_of_payments().await,
            FIGURE_REPORTS => self.mail_figure_reports().await,
            TELL_OF_OPENINGS => self.tell_of_openings().await,
            OPEN_DAY_REMINDERS => self.remind_of_open_days().await,
            REFERENCE_REQUESTS => self.write_to_referees().await,
            // Boxed: with everything an act needs, it would make the future of every job large.
            FILL_PLACES => Box::pin(self.fill_places(job)).await,
            COMPLETE_ENROLMENTS => self.complete_enrolments().await,
            kind @ COLLECT_INSTALMENTS => {
                self.beside(kind, |app| async move { app.collect_instalments().await });
                Ok(Ran::AgainAt(self.clock.now() + HOUR))
            }
            kind @ RECONCILE_PAYMENTS => {
                self.beside(kind, |app| async move { app.reconcile_payments().await });
                Ok(Ran::AgainAt(self.clock.now() + DAY))
            }
            interviews::office::RENEW_SLOTS => self.renew_all_slots().await,
            interviews::REMINDER => self.remind_of_interview(job).await,
            interviews::CANCELLATION => self.tell_of_cancellation(job).await,
            ERASE_RECORDS => {
                self.erase_records(&job.subject).await?;
                Ok(Ran::Done)
            }
            CONFIRM_SUBMISSION => self.confirm_submission(job).await,
            ANNOUNCE => self.announce(job).await,
            RELEASE => self.release_planned(job).await,
            REPLY_REMINDER => self.remind_to_reply(job).await,
            LAPSE => self.lapse_offer(job).await,
            INTAKE_REMINDER => self.remind_of_intake(job).await,
            SLOW => self.tell_of_slowness(job).await,
            FEE_REMINDER => self.remind_of_fee(job).await,
            CONTRACT_REMINDER => self.remind_of_contract(job).await,
            IMPORT => Box::pin(self.work_on_import(job)).await,
            CONTRACT_EXPIRY => self.expire_contract(job).await,
            // From a newer version, which is being rolled out alongside this one and will take it.
            unknown => Err(Error::Internal(StoreError::Broken(format!("no job is called {unknown}").into()))),
        }
    }

    /// Runs work in the background that may take longer than a job may. It recurs, so a failure is made up for next
    /// time.
    fn beside<F>(&self, kind: &str, work: impl FnOnce(App) -> F)
    where
        F: Future<Output = Result<usize, Error>> + Send + 'static,
    {
        let (kind, work) = (kind.to_owned(), work(self.clone()));
        tokio::spawn(carried(async move {
            match work.await {
                Ok(done) => tracing::debug!(kind, done, "done beside the jobs"),
                Err(error) => tracing::warn!(kind, error = &error as &dyn std::error::Error, "could not be done"),
            }
        }));
    }
}

/// The application that a job is about.
pub(crate) fn subject(job: &Job) -> ApplicationKey<'_> {
    ApplicationKey::Id(job.subject.strip_prefix("application:").unwrap_or(&job.subject))
}
