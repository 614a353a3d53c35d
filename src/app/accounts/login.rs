//! Logging in.

use crate::accounts::guesses::{Account, Guess};
use crate::accounts::passkeys::{PasskeyAnswer, PasskeyChallenge};
use crate::accounts::second_factor::CODE_WAIT;
use crate::accounts::sessions::{SESSION_DAYS, Secrets};
use crate::error::{Error, Refusal};
use crate::{App, Caller};
use domain::account::{Applicant, Email};
use domain::application::Application;
use domain::body::wrong;
use domain::input::{FieldError, Input};
use domain::moments::DAY;
use domain::password;
use domain::session::Audience;
use domain::{body, text};

/// Someone who has just logged in or registered.
#[derive(Debug, Clone)]
pub struct Entered {
    pub secrets: Secrets,
    pub applicant: Applicant,
    /// The active application.
    pub application: Option<Application>,
}

/// The result of a login with the right password.
#[derive(Debug, Clone)]
pub enum LoggedIn {
    Entered(Box<Entered>),
    /// The session opens only once the second factor is given.
    AwaitsSecondFactor {
        cookie: String,
    },
}

/// What opens a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// The password, if nothing else is needed or the second factor came with it.
    Password,
    /// The password, with the second factor still to come.
    FirstStep,
    Passkey,
}

impl Opening {
    pub(crate) fn by_password(has_second_factor: bool) -> Opening {
        if has_second_factor { Opening::FirstStep } else { Opening::Password }
    }

    /// What the record calls it of an applicant.
    fn action(self) -> &'static str {
        match self {
            Opening::Password => "applicant.logged_in",
            Opening::FirstStep => "applicant.password_given",
            Opening::Passkey => "applicant.logged_in_with_passkey",
        }
    }
}

body! {
    /// Login credentials.
    pub struct Credentials {
        #[schema(value_type = String, format = Email)]
        pub(crate) email: Email = |_: &str, input: Option<&Input>| Email::parse(input),
        #[schema(format = Password)]
        pub(crate) password: String = password_to_try,
        /// If the account has a second factor: a code from the authenticator app, or a recovery code. Each works once.
        #[schema(value_type = Option<String>)]
        pub(crate) code: Option<Input> = |_: &str, input: Option<&Input>| Ok::<_, FieldError>(input.cloned()),
    }
}

fn password_to_try(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    match input {
        Some(Input::Text(text)) if !text.is_empty() && text.len() <= 4 * password::MAX => Ok(password::normalise(text)),
        // No password this long was ever set, so what it hashes to does not matter.
        Some(Input::Text(text)) if !text.is_empty() => Ok(String::new()),
        None | Some(Input::Text(_)) => Err(wrong(path, "required", text!("Password is required."))),
        Some(_) => Err(wrong(path, "type", text!("Password must be text."))),
    }
}

impl App {
    /// Opens a session; if the account has a second factor, one that waits for it. An unknown address and a wrong
    /// password take the same time and get the same reply.
    ///
    /// # Errors
    /// Bad fields, [`Refusal::WrongCredentials`], [`Refusal::AccountDisabled`], too many failures.
    pub async fn log_in(&self, input: &Input, caller: &Caller) -> Result<LoggedIn, Error> {
        let applicant = self.applicant_by_credentials(Credentials::parse(input)?, caller).await?;
        let opening = Opening::by_password(applicant.has_second_factor());
        self.open(applicant, opening, opening.action(), caller).await
    }

    /// Opens a session, which the record calls `action`.
    pub(super) async fn open(
        &self,
        applicant: Applicant,
        opening: Opening,
        action: &'static str,
        caller: &Caller,
    ) -> Result<LoggedIn, Error> {
        let secrets = self.open_session(&applicant, opening, action, caller).await?;
        if opening == Opening::FirstStep {
            return Ok(LoggedIn::AwaitsSecondFactor { cookie: secrets.cookie });
        }
        Ok(LoggedIn::Entered(Box::new(self.entered(applicant, secrets).await?)))
    }

    /// Does the same in one step: `code` comes with the request if there is a second factor.
    ///
    /// # Errors
    /// `code.required`, `code.wrong`.
    pub async fn log_in_at_once(&self, input: &Input, caller: &Caller) -> Result<Entered, Error> {
        let credentials = Credentials::parse(input)?;
        let code = credentials.code.clone();
        let applicant = self.applicant_by_credentials(credentials, caller).await?;
        self.check_code(applicant.holder(), code.as_ref()).await?;
        let secrets = self.open_session(&applicant, Opening::Password, Opening::Password.action(), caller).await?;
        self.entered(applicant, secrets).await
    }

    /// Opens a session for the owner of a passkey; nothing else is asked for.
    ///
    /// # Errors
    /// `passkey.wrong`, `passkey.late`, `passkey.unknown`, [`Refusal::AccountDisabled`].
    pub async fn log_in_with_passkey(&self, given: &PasskeyAnswer, caller: &Caller) -> Result<Entered, Error> {
        let id = self.taken_passkey(Audience::Applicant, given).await?;
        let applicant = self.store.applicant_by_id(&id).await?.ok_or(Refusal::LoginRequired)?;
        if applicant.disabled_at.is_some() {
            return Err(Refusal::AccountDisabled.into());
        }
        let secrets = self.open_session(&applicant, Opening::Passkey, Opening::Passkey.action(), caller).await?;
        self.entered(applicant, secrets).await
    }

    async fn applicant_by_credentials(&self, credentials: Credentials, caller: &Caller) -> Result<Applicant, Error> {
        let Credentials { email, password, .. } = credentials;
        let applicant = self.store.applicant_by_email(&email.key()).await?;
        let account = match &applicant {
            Some(applicant) => Account::Applicant(Box::new(applicant.clone())),
            None => Account::None(Audience::Applicant),
        };
        let guess = Guess { account, email: email.as_str(), password: password.clone(), session: None };
        let verdict = self.check_password(guess, caller).await?;
        let Some(mut applicant) = applicant.filter(|_| verdict.matches) else {
            metrics::counter!("login_failures_total", "who" => "applicant", "why" => "credentials").increment(1);
            return Err(Refusal::WrongCredentials.into());
        };
        if applicant.disabled_at.is_some() {
            return Err(Refusal::AccountDisabled.into());
        }
        if verdict.outdated {
            let new = self.passwords.hash(password).await?;
            self.store.rehash(&applicant.id, &applicant.password_hash, &new).await?;
            applicant.password_hash = new;
        }
        Ok(applicant)
    }

    async fn open_session(
        &self,
        applicant: &Applicant,
        opening: Opening,
        action: &'static str,
        caller: &Caller,
    ) -> Result<Secrets, Error> {
        let (mut session, secrets) = self.new_session(Audience::Applicant, &applicant.id, caller);
        let code_until = (opening == Opening::FirstStep).then_some(session.created_at + CODE_WAIT);
        session.expires_at = code_until.unwrap_or(session.expires_at);
        let audit = self.about_account(applicant, action);
        // A password change ends every session; none may slip in behind it.
        let (id, hash) = (&applicant.id, &applicant.password_hash);
        if !self.store.create_session(id, hash, &session, code_until, &audit).await? {
            return Err(Refusal::WrongCredentials.into());
        }
        Ok(secrets)
    }

    async fn entered(&self, applicant: Applicant, secrets: Secrets) -> Result<Entered, Error> {
        let application = self.store.active_application(&applicant.id).await?;
        let application = application.map(|application| self.shown(application));
        Ok(Entered { secrets, applicant, application })
    }

    /// The account whose login awaits the second factor, found by the cookie, and the challenge for its passkeys.
    pub async fn awaited_second_factor(
        &self,
        cookie: &str,
    ) -> Result<Option<(Applicant, Option<PasskeyChallenge>)>, Error> {
        let digest = self.tokens.digest(cookie);
        let Some((_, applicant)) = self.store.unfinished_session(&digest, self.clock.now()).await? else {
            return Ok(None);
        };
        let passkey = self.ask_passkey(applicant.holder()).await?;
        Ok(Some((applicant, passkey)))
    }

    /// Completes the second step of a login.
    ///
    /// # Errors
    /// `code.required`, `code.wrong`, too many attempts, a passkey's errors; [`Refusal::LoginRequired`] when the
    /// password was given too long ago.
    pub async fn finish_login(
        &self,
        cookie: &str,
        input: &Input,
        given: Option<&PasskeyAnswer>,
    ) -> Result<Entered, Error> {
        let entries = input.entries()?;
        let now = self.clock.now();
        let digest = self.tokens.digest(cookie);
        let waiting = self.store.unfinished_session(&digest, now).await?;
        let (session, applicant) = waiting.ok_or(Refusal::LoginRequired)?;
        if applicant.disabled_at.is_some() {
            return Err(Refusal::AccountDisabled.into());
        }
        self.check_second_factor(applicant.holder(), Input::get(entries, "code"), given).await?;
        let audit = self.about_account(&applicant, "applicant.logged_in");
        if !self.store.finish_session(&session.id, now + SESSION_DAYS * DAY, now, &audit).await? {
            return Err(Refusal::LoginRequired.into());
        }
        let secrets = Secrets {
            cookie: cookie.to_owned(),
            token: self.tokens.issue(&session.id, Audience::Applicant, now),
            device: self.new_device(Audience::Applicant, &applicant.id),
        };
        self.entered(applicant, secrets).await
    }
}
