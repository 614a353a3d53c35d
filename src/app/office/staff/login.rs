//! Staff login, with a second step if there is a second factor, and entering the password again.

use serde_json::json;

use super::SESSION;
use crate::accounts::guesses::{Account, Guess};
use crate::accounts::login::{Credentials, Opening};
use crate::accounts::passkeys::PasskeyAnswer;
use crate::accounts::second_factor::{CODE_WAIT, code};
use crate::accounts::sessions::Secrets;
use crate::error::{Error, Refusal};
use crate::{App, Caller};
use domain::body;
use domain::body::wrong;
use domain::input::{FieldError, Input};
use domain::password;
use domain::session::Audience;
use domain::staff::{Staff, StaffSession};

/// A member of staff whose password was right.
#[derive(Debug, Clone)]
pub struct StaffEntered {
    pub secrets: Secrets,
    pub staff: Staff,
    /// The session opens only once the second factor is given.
    pub awaits_second_factor: bool,
}

body! {
    /// The password again, with a code if there is a second factor.
    pub struct StepUp given (second_factor: bool) {
        #[schema(format = Password)]
        password: String = |path: &str, input: Option<&Input>| match input {
            Some(Input::Text(text)) if !text.is_empty() => Ok(password::normalise(text)),
            _ => Err(wrong(path, "required", "Password is required.")),
        },
        /// Required if the account has a second factor.
        code: Option<String> = |path: &str, input: Option<&Input>| second_factor.then(|| code(path, input)).transpose(),
    }
}

impl App {
    /// Opens a session for a member of staff; if they have a second factor, one that waits for it.
    ///
    /// # Errors
    /// As for an applicant's login.
    pub async fn log_in_staff(&self, input: &Input, caller: &Caller) -> Result<StaffEntered, Error> {
        let staff = self.check_credentials(Credentials::parse(input)?, caller).await?;
        let opening = Opening::by_password(staff.has_second_factor());
        let secrets = self.open_staff_session(&staff, opening, caller).await?;
        Ok(StaffEntered { secrets, staff, awaits_second_factor: opening == Opening::FirstStep })
    }

    /// Does the same in one step: `code` comes with the request if there is a second factor.
    ///
    /// # Errors
    /// `code.required`, `code.wrong`.
    pub async fn log_in_staff_at_once(&self, input: &Input, caller: &Caller) -> Result<StaffEntered, Error> {
        let credentials = Credentials::parse(input)?;
        let code = credentials.code.clone();
        let staff = self.check_credentials(credentials, caller).await?;
        self.check_code(staff.holder(), code.as_ref()).await?;
        let secrets = self.open_staff_session(&staff, Opening::Password, caller).await?;
        Ok(StaffEntered { secrets, staff, awaits_second_factor: false })
    }

    /// Opens a session for the owner of a passkey; nothing else is asked for.
    ///
    /// # Errors
    /// `passkey.wrong`, `passkey.late`, `passkey.unknown`, [`Refusal::StaffSuspended`].
    pub async fn log_in_staff_with_passkey(
        &self,
        given: &PasskeyAnswer,
        caller: &Caller,
    ) -> Result<StaffEntered, Error> {
        let id = self.taken_passkey(Audience::Admin, given).await?;
        let staff = self.store.staff_by_id(&id).await?.ok_or(Refusal::LoginRequired)?;
        if staff.suspended_at.is_some() {
            return Err(Refusal::StaffSuspended.into());
        }
        let secrets = self.open_staff_session(&staff, Opening::Passkey, caller).await?;
        Ok(StaffEntered { secrets, staff, awaits_second_factor: false })
    }

    async fn check_credentials(&self, credentials: Credentials, caller: &Caller) -> Result<Staff, Error> {
        let Credentials { email, password, .. } = credentials;
        let staff = self.store.staff_by_email(&email.key()).await?;
        let account = match &staff {
            Some(staff) => Account::Staff(Box::new(staff.clone())),
            None => Account::None(Audience::Admin),
        };
        let guess = Guess { account, email: email.as_str(), password: password.clone(), session: None };
        let verdict = self.check_password(guess, caller).await?;
        let Some(mut staff) = staff.filter(|_| verdict.matches) else {
            metrics::counter!("login_failures_total", "who" => "staff", "why" => "credentials").increment(1);
            return Err(Refusal::WrongCredentials.into());
        };
        if staff.suspended_at.is_some() {
            return Err(Refusal::StaffSuspended.into());
        }
        if verdict.outdated {
            let new = self.passwords.hash(password).await?;
            self.store.rehash_staff(&staff.id, &staff.password_hash, &new).await?;
            staff.password_hash = new;
        }
        Ok(staff)
    }

    async fn open_staff_session(&self, staff: &Staff, opening: Opening, caller: &Caller) -> Result<Secrets, Error> {
        let (mut session, secrets) = self.new_session(Audience::Admin, &staff.id, caller);
        let code_until = (opening == Opening::FirstStep).then_some(session.created_at + CODE_WAIT);
        session.expires_at = code_until.unwrap_or(session.created_at + SESSION);
        let action = match opening {
            Opening::Password => "staff.logged_in",
            Opening::FirstStep => "staff.password_given",
            Opening::Passkey => "staff.logged_in_with_passkey",
        };
        let audit = self.about_self(staff, action, json!({}));
        // A change to the account ends its sessions; none may slip in behind it.
        if !self.store.create_staff_session(staff, &session, code_until, &audit).await? {
            return Err(Refusal::WrongCredentials.into());
        }
        Ok(secrets)
    }

    /// The session that awaits the second factor, found by the cookie.
    pub async fn awaited_staff_second_factor(&self, cookie: &str) -> Result<Option<StaffSession>, Error> {
        let digest = self.tokens.digest(cookie);
        Ok(self.store.unfinished_staff_session(&digest, self.clock.now()).await?)
    }

    /// Completes the second step of a login.
    ///
    /// # Errors
    /// `code.required`, `code.wrong`, too many attempts, a passkey's errors; [`Refusal::LoginRequired`] when the
    /// password was given too long ago.
    pub async fn finish_staff_login(
        &self,
        cookie: &str,
        input: &Input,
        given: Option<&PasskeyAnswer>,
    ) -> Result<(), Error> {
        let entries = input.entries()?;
        let waiting = self.awaited_staff_second_factor(cookie).await?.ok_or(Refusal::LoginRequired)?;
        self.check_second_factor(waiting.staff.holder(), Input::get(entries, "code"), given).await?;
        let now = self.clock.now();
        let audit = self.about_self(&waiting.staff, "staff.logged_in", json!({ "secondFactor": true }));
        if self.store.finish_staff_session(&waiting.session.id, now + SESSION, now, &audit).await? {
            Ok(())
        } else {
            Err(Refusal::LoginRequired.into())
        }
    }

    /// Checks the password (and a code) again, before an action that asks for it; also wakes an idle session.
    ///
    /// # Errors
    /// `password.required`, `password.wrong`, the code's errors, too many failures.
    pub async fn step_up(&self, who: &StaffSession, input: &Input, caller: &Caller) -> Result<(), Error> {
        let StepUp { password, code } = StepUp::parse(input, who.staff.has_second_factor())?;
        self.check_staff_password(who, password, "password", caller).await?;
        if let Some(code) = code {
            self.take_code(who.staff.holder(), &code).await?;
        }
        self.stepped_up(who).await
    }

    /// The same with a passkey instead of the password.
    ///
    /// # Errors
    /// A passkey's errors.
    pub async fn step_up_with_passkey(&self, who: &StaffSession, given: &PasskeyAnswer) -> Result<(), Error> {
        self.check_passkey(who.staff.holder(), given).await?;
        self.stepped_up(who).await
    }

    pub(super) async fn stepped_up(&self, who: &StaffSession) -> Result<(), Error> {
        let audit = self.about_self(&who.staff, "staff.stepped_up", json!({}));
        self.store.staff_stepped_up(&who.session.id, self.clock.now(), &audit).await?;
        Ok(())
    }

    /// Checks the signed-in member of staff's password, typed into `field`.
    pub(super) async fn check_staff_password(
        &self,
        who: &StaffSession,
        typed: String,
        field: &'static str,
        caller: &Caller,
    ) -> Result<(), Error> {
        let account = Account::Staff(Box::new(who.staff.clone()));
        let guess = Guess { account, email: &who.staff.email, password: typed, session: Some(&who.session.id) };
        if self.check_password(guess, caller).await?.matches {
            return Ok(());
        }
        Err(FieldError::new(field, format!("{field}.wrong"), "This is not your current password.").into())
    }
}
