//! Scheduled jobs of a contract that awaits a signature: reminders and expiry.

use super::{ATTEMPTS, By, next_state};
use crate::error::Error;
use crate::jobs::Ran;
use crate::{App, mails};
use domain::application::ApplicationKey;
use domain::contract::{Contract, ContractAct};
use domain::task::TaskKind;
use store::{CONTRACT_REMINDER, Job, NewMail};

impl App {
    async fn contract_of_job(&self, job: &Job) -> Result<Option<Contract>, Error> {
        let id = job.subject.strip_prefix("contract:").unwrap_or(&job.subject);
        Ok(self.store.contract(id).await?.filter(|contract| contract.state.is_open()))
    }

    /// [`CONTRACT_REMINDER`]
    pub(crate) async fn remind_of_contract(&self, job: &Job) -> Result<Ran, Error> {
        let Some(contract) = self.contract_of_job(job).await?.filter(|contract| !self.is_over(contract)) else {
            return Ok(Ran::Done);
        };
        let found = self.store.application(ApplicationKey::Id(&contract.application_id)).await?;
        let (Some((applicant, application)), Some(last_day)) = (found, contract.last_day(&self.settings.time_zone))
        else {
            return Ok(Ran::Done);
        };
        if applicant.profile.reminders {
            let mail = mails::contract_reminder(&self.wording().await, &applicant, application.program, last_day);
            self.store.tell(&[], &[NewMail { id: job.id.clone(), ..mail }]).await?;
        }
        Ok(Ran::Done)
    }

    /// [`CONTRACT_EXPIRY`]
    pub(crate) async fn expire_contract(&self, job: &Job) -> Result<Ran, Error> {
        let by = By::system();
        for _ in 0..ATTEMPTS {
            let Some(contract) = self.contract_of_job(job).await? else { return Ok(Ran::Done) };
            let now = self.clock.now();
            match contract.expires_at {
                Some(until) if now < until => return Ok(Ran::AgainAt(until)),
                _ => {}
            }
            let Ok(state) = next_state(&contract, ContractAct::Expire, &by) else { return Ok(Ran::Done) };
            let next = Contract { ended_at: Some(now), ..contract.after(state, now) };
            let mut change = self.contract_change(next, ContractAct::Expire, &by, "").await?;
            let found = self.store.application(ApplicationKey::Id(&contract.application_id)).await?;
            if let Some((applicant, application)) = found {
                let wording = self.wording().await;
                change.mails = vec![mails::contract_expired(&wording, &applicant, application.program)];
            }
            change.dropped_jobs = vec![CONTRACT_REMINDER];
            change.tasks = vec![self.contract_task(&change.contract, TaskKind::Contract)];
            if self.store.change_contract(&change).await? {
                return Ok(Ran::Done);
            }
        }
        Ok(Ran::AgainAt(self.clock.now()))
    }
}
