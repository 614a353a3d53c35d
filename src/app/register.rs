//! Creating an account, and with it the application of the program whose page one came from.

use super::error::Error;
use super::login::Entered;
use super::ports::{Applicant, Audience, HOUR, Throttle};
use super::{App, Caller, mails};
use crate::domain::account::Registration;
use crate::domain::clocks;
use crate::domain::input::Input;
use crate::domain::language::Language;
use crate::domain::program::Program;

impl App {
    /// Registers an applicant and logs them in. `program` starts an application when the body names none.
    ///
    /// # Errors
    /// Bad fields, a taken address, or too many registrations from the caller's address.
    pub async fn register(&self, input: &Input, program: Option<Program>, caller: &Caller) -> Result<Entered, Error> {
        let now = self.clock.now();
        let registration = Registration::parse(input, self.today(), &self.settings.institute, caller.language)
            .inspect_err(|errors| self.count_registration_errors(errors))?;
        // Only what could have become an account counts: someone who mistypes may try on.
        let key = format!("register:{}", caller.address);
        let limit = self.settings.registrations_per_hour;
        if let Throttle::Refused { wait } = self.store.attempt(&key, limit, HOUR, now).await? {
            return Err(Error::Throttled { code: "rate_limited", wait });
        }
        let Registration { profile, email, password, program: named } = registration;
        let password_hash = self.passwords.hash(password).await?;
        let applicant = Applicant {
            id: self.random.id(),
            email: email.as_str().to_owned(),
            profile,
            password_hash,
            disabled_at: None,
            created_at: now,
        };
        let (session, secrets) = self.new_session(Audience::Applicant, caller);
        let subject = format!("applicant:{}", applicant.id);
        let registered = self.by_applicant(&applicant.id, subject, "applicant.registered", serde_json::json!({}));
        let started = named.or(program).map(|program| self.new_application(&applicant, program));
        let mut audit = vec![registered];
        let mut mails = Vec::new();
        if let Some(application) = &started {
            audit.push(self.application_started(application));
            mails.push(mails::application_started(&self.wording().await, &applicant, application.program));
        }
        self.store.register(&applicant, &session, started.as_ref(), &audit, &mails).await?;
        Ok(Entered { secrets, applicant, application: started })
    }

    /// What is wrong with the fields of a registration that will not be made.
    ///
    /// # Errors
    /// Bad fields.
    pub fn check_registration(&self, input: &Input) -> Result<(), Error> {
        Registration::parse(input, self.today(), &self.settings.institute, Language::En)?;
        Ok(())
    }

    /// The date at the institute.
    pub fn today(&self) -> jiff::civil::Date {
        clocks::day(self.clock.now(), &self.settings.time_zone)
    }
}
