//! Closing an account.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::json;

use crate::accounts::passwords::current_password;
use crate::accounts::sessions::SignedIn;
use crate::applications::acts::{Command, Preconditions};
use crate::error::{Error, Refusal};
use crate::jobs::ERASE_RECORDS;
use crate::mails;
use crate::{App, Caller};
use domain::application::Application;
use domain::body::{required, yes_or_no};
use domain::input::Input;
use domain::moments::Millis;
use domain::status::{Act, Facts, Stage};
use domain::{body, text};
use store::{Closing, NewJob, StoreError};

/// Whether an application at this stage keeps its account open, because there is, or is about to be, a contract.
pub fn binds(stage: Stage) -> bool {
    matches!(stage, Stage::Confirmed | Stage::Enrolled | Stage::Deferred)
}

/// The day until which submitted records are kept for the given number of years, for an account closed at `now`.
pub fn kept_until(now: Millis, years: i32) -> Date {
    let today = Timestamp::from_millisecond(now).unwrap_or_default().to_zoned(TimeZone::UTC).date();
    today.checked_add(years.years()).unwrap_or(Date::MAX)
}

body! {
    /// A request to close the applicant's own account.
    pub struct AccountClosing {
        #[schema(format = Password)]
        current_password: String = current_password,
        /// Confirms that the applicant knows that this cannot be undone.
        pub confirm: bool = required(
            |path: &str, input: Option<&Input>| Ok(yes_or_no(path, input)?.filter(|yes| *yes)),
            text!("Check the box to confirm that you want to close your account."),
        ),
    }
}

impl App {
    /// Closes the account: an active application is withdrawn, drafts, sessions and messages are deleted, the address
    /// becomes free, and login is no longer possible. What was submitted is kept for the configured number of years.
    ///
    /// # Errors
    /// Bad fields, a wrong current password, [`Refusal::AccountBound`].
    pub async fn close_account(
        &self,
        who: &SignedIn,
        active: Option<Application>,
        input: &Input,
        caller: &Caller,
    ) -> Result<(), Error> {
        let asked = AccountClosing::parse(input);
        if active.as_ref().is_some_and(|application| binds(application.stage)) {
            return Err(Refusal::AccountBound.into());
        }
        self.confirm_password(who, asked?.current_password, caller).await?;

        let closing = self.closing(who).await;
        let objects = self.store.objects_of(&who.applicant.id).await?;
        let Some(active) = active else {
            self.store.close_account(&closing).await?;
            self.remove_if_unnamed(objects).await;
            return Ok(());
        };
        let facts = |application: &Application| Facts { reason_given: !binds(application.stage), ..Facts::default() };
        let command = Command {
            // The mail about the closed account says it all, and no other mail would be read.
            also: &|_, transition| {
                transition.mails.retain(|mail| mail.applicant_id.as_ref() != Some(&who.applicant.id));
                transition.closing = Some(closing.clone());
            },
            ..Command::own(
                who,
                Act::Withdraw,
                &facts,
                json!({ "reason": text!("The account was closed.") }),
                Preconditions::default(),
            )
        };
        self.act(active, command).await?;
        self.remove_if_unnamed(objects).await;
        Ok(())
    }

    async fn closing(&self, who: &SignedIn) -> Closing {
        let now = self.clock.now();
        let id = &who.applicant.id;
        let years = self.product_settings().await.retention_years;
        let until =
            kept_until(now, years).to_zoned(TimeZone::UTC).map_or(Millis::MAX, |day| day.timestamp().as_millisecond());
        Closing {
            applicant_id: id.clone(),
            password_hash: who.applicant.password_hash.clone(),
            at: now,
            audit: self.about_account(&who.applicant, "applicant.closed"),
            mail: who.applicant.email_confirmed_at.map(|_| mails::account_closed(self, &who.applicant)),
            job: NewJob {
                id: self.random.id(),
                kind: ERASE_RECORDS,
                subject: format!("applicant:{id}"),
                detail: json!({}),
                due_at: until,
                plan_key: None,
                created_at: now,
            },
        }
    }

    /// Erases what was kept of a closed account. `subject` is the subject of the job.
    pub(crate) async fn erase_records(&self, subject: &str) -> Result<(), Error> {
        let id = subject.strip_prefix("applicant:");
        let id = id.ok_or_else(|| Error::Internal(StoreError::Broken(format!("{subject} is no account").into())))?;
        let objects = self.store.objects_of(id).await?;
        // Records kept by others first: until they are gone, we still know what to ask for.
        let customers = self.store.customers_of(id).await?;
        let mut detail = json!({});
        match &self.cards {
            Some(provider) => {
                for customer in &customers {
                    provider.forget_customer(customer).await?;
                }
            }
            // Without a provider, the operator has to delete them there.
            None if !customers.is_empty() => detail = json!({ "keptByProvider": customers }),
            None => {}
        }
        let audit = self.audit_entry("system".into(), subject.to_owned(), "applicant.records_erased", detail);
        self.store.erase_records(id, &audit).await?;
        self.remove_if_unnamed(objects).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn records_are_kept_for_seven_years() {
        let leap_day = date(2028, 2, 29).to_zoned(TimeZone::UTC).unwrap().timestamp().as_millisecond();
        assert_eq!(kept_until(leap_day, 7), date(2035, 2, 28));
    }

    #[test]
    fn a_contract_or_one_to_come_keeps_the_account() {
        let bound: Vec<Stage> = Stage::ALL.into_iter().filter(|stage| binds(*stage)).collect();
        assert_eq!(bound, [Stage::Confirmed, Stage::Enrolled, Stage::Deferred]);
    }
}
