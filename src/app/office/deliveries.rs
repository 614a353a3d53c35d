//! Pending, sent and parked mails and jobs, for those who run the product.

use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use domain::job::JobEntry;
use domain::mail::{MailEntry, MailState};
use domain::permission::Permission;
use domain::staff::Staff;

/// Maximum number of rows in each list.
pub const MAX_DELIVERIES: i64 = 100;

/// Newest mails, and unfinished jobs.
#[derive(Debug, Clone)]
pub struct DeliveryLog {
    pub mails: Vec<MailEntry>,
    pub jobs: Vec<JobEntry>,
    /// Number of waiting mails, and of failed or parked ones.
    pub mail_counts: (i64, i64),
    pub job_counts: (i64, i64),
}

impl App {
    /// The newest mails, in one state or all, and the unfinished jobs.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn deliveries(&self, staff: &Staff, state: Option<MailState>) -> Result<DeliveryLog, Error> {
        may_look(staff)?;
        Ok(DeliveryLog {
            mails: self.store.mail_log(state, MAX_DELIVERIES).await?,
            jobs: self.store.job_log(MAX_DELIVERIES).await?,
            mail_counts: self.store.mail_counts().await?,
            job_counts: self.store.job_counts().await?,
        })
    }

    /// Retries a failed mail without a secret. Does nothing to any other.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn retry_mail(&self, staff: &Staff, id: &str) -> Result<(), Error> {
        may_look(staff)?;
        let (by, subject) = (format!("staff:{}", staff.id), format!("mail:{id}"));
        let audit = self.audit_entry(by, subject, "mail.retried", json!({}));
        self.store.retry_mail(id, self.clock.now(), &audit).await?;
        Ok(())
    }

    /// Retries a parked job. Does nothing to any other.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn retry_job(&self, staff: &Staff, id: &str) -> Result<(), Error> {
        may_look(staff)?;
        let (by, subject) = (format!("staff:{}", staff.id), format!("job:{id}"));
        let audit = self.audit_entry(by, subject, "job.retried", json!({}));
        self.store.retry_job(id, self.clock.now(), &audit).await?;
        Ok(())
    }
}

fn may_look(staff: &Staff) -> Result<(), Error> {
    if staff.role.may(Permission::Settings) { Ok(()) } else { Err(Refusal::RoleForbidden.into()) }
}
