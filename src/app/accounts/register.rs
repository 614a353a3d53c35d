//! Creating an account, and with it an application for the program whose page the visitor came from.

use crate::accounts::email_confirmation::links_to;
use crate::accounts::login::Entered;
use crate::error::Error;
use crate::{App, Caller, mails};
use domain::account::{Applicant, Profile, Registration};
use domain::clocks;
use domain::input::{FieldError, Input};
use domain::moments::HOUR;
use domain::program::Program;
use domain::session::Audience;
use store::Throttle;

/// Whether the address of a new account has to be confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address {
    ToBeConfirmed,
    /// One of our own addresses, for demonstrations and tests. Nothing is mailed.
    Confirmed,
}

impl App {
    /// Registers an applicant, logs them in, and mails them a link to confirm the address. `program` starts an
    /// application if the body names none.
    ///
    /// # Errors
    /// Bad fields, a taken address, or too many registrations from the caller's address.
    pub async fn register(&self, input: &Input, program: Option<Program>, caller: &Caller) -> Result<Entered, Error> {
        self.create_account(input, program, caller, Address::ToBeConfirmed).await
    }

    /// Does the same for a given kind of address.
    ///
    /// # Errors
    /// As for [`register`](Self::register).
    pub async fn create_account(
        &self,
        input: &Input,
        program: Option<Program>,
        caller: &Caller,
        address: Address,
    ) -> Result<Entered, Error> {
        let now = self.clock.now();
        let registration = Registration::parse(input, self.today(), &self.settings.institute)
            .inspect_err(|errors| self.count_registration_errors(errors))?;
        // Only what could have become an account counts: typing errors do not.
        let key = format!("register:{}", caller.address);
        let limit = self.settings.registrations_per_hour;
        if let Throttle::Refused { wait } = self.store.attempt(&key, limit, HOUR, now).await? {
            return Err(Error::Throttled { code: "rate_limited", wait });
        }
        let password_hash = self.passwords.hash(registration.password).await?;
        let applicant = Applicant {
            id: self.random.id(),
            email: registration.email.as_str().to_owned(),
            profile: Profile {
                first_name: registration.first_name,
                last_name: registration.last_name,
                date_of_birth: registration.date_of_birth,
                phone_number: registration.phone_number,
                country: registration.country,
                state: registration.state,
                time_zone: String::new(),
                reminders: true,
                language: caller.language,
            },
            password_hash,
            code_seed: None,
            passkeys: 0,
            disabled_at: None,
            created_at: now,
            email_confirmed_at: (address == Address::Confirmed).then_some(now),
        };
        let (session, secrets) = self.new_session(Audience::Applicant, &applicant.id, caller);
        let subject = format!("applicant:{}", applicant.id);
        let registered = self.by_applicant(&applicant.id, subject, "applicant.registered", serde_json::json!({}));
        let started =
            registration.application_type.or(program).map(|program| self.new_application(&applicant, program));
        let mut audit = vec![registered];
        let (link, confirmation) = match address {
            Address::ToBeConfirmed => self.first_confirmation(&applicant).await?.unzip(),
            Address::Confirmed => (None, None),
        };
        let mut mails = Vec::from_iter(confirmation);
        if let Some(application) = &started {
            audit.push(self.application_started(application));
            mails.push(mails::application_started(&self.wording().await, &applicant, application.program));
        }
        let made = self.store.register(&applicant, &session, (started.as_ref(), link.as_ref()), &audit, &mails).await;
        if made.is_err() && link.is_some() {
            // Nothing was mailed, so the address must not lose a link.
            self.store.give_back(&[&links_to(&applicant.email).key]).await?;
        }
        made?;
        Ok(Entered { secrets, applicant, application: started })
    }

    /// Validates a registration without creating it.
    pub fn registration_errors(&self, input: &Input) -> Vec<FieldError> {
        Registration::parse(input, self.today(), &self.settings.institute).err().unwrap_or_default()
    }

    /// Today's date at the institute.
    pub fn today(&self) -> jiff::civil::Date {
        clocks::day(self.clock.now(), &self.settings.time_zone)
    }
}
