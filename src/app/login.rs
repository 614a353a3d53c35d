//! Logging in.

use super::error::{Error, Refusal};
use super::guesses::{Account, Guess};
use super::ports::{Applicant, Application, Audience};
use super::sessions::Secrets;
use super::{App, Caller};
use crate::domain::account::Email;
use crate::domain::input::{FieldError, Input, unknown_fields};
use crate::domain::password;
use crate::text;

/// Someone who has just logged in or registered.
#[derive(Debug, Clone)]
pub struct Entered {
    pub secrets: Secrets,
    pub applicant: Applicant,
    /// The active application.
    pub application: Option<Application>,
}

/// An address and a password, as typed; the address is valid, the password normalised.
pub(super) struct Credentials {
    pub email: Email,
    pub password: String,
}

impl Credentials {
    pub fn parse(input: &Input) -> Result<Credentials, Vec<FieldError>> {
        let entries = input.entries()?;
        let mut errors: Vec<FieldError> = unknown_fields(entries, &["email", "password"]).collect();
        let email = Email::parse(Input::get(entries, "email")).map_err(|error| errors.push(error)).ok();
        let password = match Input::get(entries, "password") {
            Some(Input::Text(text)) if !text.is_empty() && text.len() <= 4 * password::MAX => {
                Some(password::normalise(text))
            }
            // No password that long was ever set; what it hashes to does not matter.
            Some(Input::Text(text)) if !text.is_empty() => Some(String::new()),
            None | Some(Input::Text(_)) => {
                errors.push(FieldError::new("password", "password.required", text!("Password is required.")));
                None
            }
            Some(_) => {
                errors.push(FieldError::new("password", "password.type", text!("Password must be text.")));
                None
            }
        };
        match (email, password) {
            (Some(email), Some(password)) if errors.is_empty() => Ok(Credentials { email, password }),
            _ => Err(errors),
        }
    }
}

impl App {
    /// Opens a session. Unknown address and wrong password take the same time and say the same.
    ///
    /// # Errors
    /// Bad fields, [`Refusal::WrongCredentials`], [`Refusal::AccountDisabled`], too many failures.
    pub async fn log_in(&self, input: &Input, caller: &Caller) -> Result<Entered, Error> {
        let Credentials { email, password } = Credentials::parse(input)?;
        let applicant = self.store.applicant_by_email(&email.key()).await?;
        let account = match &applicant {
            Some(applicant) => Account::Applicant(Box::new(applicant.clone())),
            None => Account::None(Audience::Applicant),
        };
        let guess = Guess { account, email: email.as_str(), password: password.clone(), session: None };
        let verdict = self.check_password(guess, caller).await?;
        let Some(applicant) = applicant.filter(|_| verdict.matches) else {
            metrics::counter!("login_failures_total", "who" => "applicant", "why" => "credentials").increment(1);
            return Err(Refusal::WrongCredentials.into());
        };
        if applicant.disabled_at.is_some() {
            return Err(Refusal::AccountDisabled.into());
        }
        let mut checked = applicant.password_hash.clone();
        if verdict.outdated {
            let new = self.passwords.hash(password).await?;
            self.store.rehash(&applicant.id, &checked, &new).await?;
            checked = new;
        }
        let (session, secrets) = self.new_session(Audience::Applicant, &applicant.id, caller);
        let subject = format!("applicant:{}", applicant.id);
        let audit = self.by_applicant(&applicant.id, subject, "applicant.logged_in", serde_json::json!({}));
        // Whoever changes the password ends every session; none must slip in behind that.
        if !self.store.create_session(&applicant.id, &checked, &session, &audit).await? {
            return Err(Refusal::WrongCredentials.into());
        }
        let application = self.store.active_application(&applicant.id).await?;
        let application = application.map(|application| self.shown(application));
        Ok(Entered { secrets, applicant, application })
    }
}
