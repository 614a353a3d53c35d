//! Forgotten, reset and changed passwords.

use std::time::Duration;

use crate::accounts::guesses::{Account, Guess, account_key};
use crate::accounts::sessions::SignedIn;
use crate::error::Error;
use crate::{App, Caller, mails};
use domain::account::{Applicant, Email};
use domain::body::{filled, wrong};
use domain::input::{FieldError, Input};
use domain::moments::{HOUR, MINUTE};
use domain::password;
use domain::sentence::Sentence;
use domain::session::Audience;
use domain::{body, text};
use store::{Limit, Throttle};

/// How long a password reset link works.
pub const RESET_MINUTES: i64 = 30;
/// Maximum password changes per account and hour; its owner is mailed about each.
const CHANGES_PER_HOUR: u32 = 10;
/// The reply to every request for a reset, whether the account exists or not.
pub const RESET_REQUESTED: Sentence = text!(
    "If there is an account with this email, we have sent a link to reset its password. It works for 30 minutes."
);
/// Looking up an account and writing its mail takes less than this; every caller waits this long.
pub(crate) const RESET_ANSWER_TIME: Duration = Duration::from_millis(300);
pub const RESET_DONE: Sentence = text!("Your password has been changed. Log in with the new one.");

impl App {
    /// Mails a reset link if the account exists. Reply and response time are the same for every address.
    ///
    /// # Errors
    /// A bad address, or too many requests from the caller's address.
    pub async fn request_reset(&self, input: &Input, caller: &Caller) -> Result<(), Error> {
        let ResetRequest { email } = ResetRequest::parse(input)?;
        let key = format!("reset-from:{}", caller.address);
        if let Throttle::Refused { wait } = self.store.attempt(&key, 30, HOUR, self.clock.now()).await? {
            return Err(Error::Throttled { code: "rate_limited", wait });
        }
        let (written, ()) = tokio::join!(self.write_reset(&email), tokio::time::sleep(RESET_ANSWER_TIME));
        written
    }

    async fn write_reset(&self, email: &Email) -> Result<(), Error> {
        let now = self.clock.now();
        // Nobody's mailbox is to be flooded by others.
        if let Throttle::Refused { .. } = self.store.attempt(&format!("reset:{}", email.key()), 5, HOUR, now).await? {
            return Ok(());
        }
        let Some(applicant) = self.store.applicant_by_email(&email.key()).await? else { return Ok(()) };
        if applicant.disabled_at.is_some() {
            return Ok(());
        }
        let secret = self.random.secret();
        let id = &applicant.id;
        let audit = self.audit_entry(
            "system".into(),
            format!("applicant:{id}"),
            "applicant.reset_requested",
            serde_json::json!({}),
        );
        let mail = mails::reset_password(self, &applicant, &secret);
        let digest = self.tokens.digest(&secret);
        self.store.create_reset(id, &digest, now + RESET_MINUTES * MINUTE, &audit, &mail).await?;
        Ok(())
    }

    /// Checks whether a mailed token can still set a password. Does not use it up.
    ///
    /// # Errors
    /// `token.spent`
    pub async fn check_reset(&self, token: &str) -> Result<(), Error> {
        let digest = self.tokens.digest(token);
        self.store.reset_owner(&digest, self.clock.now()).await?.map(drop).ok_or_else(|| reset_spent().into())
    }

    /// Sets a new password with a mailed token, and ends every session of the account. Returns a device cookie, so that
    /// guesses from elsewhere do not lock this browser out.
    ///
    /// # Errors
    /// Bad fields; `token.spent` for a token that is used up, replaced, expired or was never issued.
    pub async fn reset_password(&self, input: &Input) -> Result<String, Error> {
        let Reset { token, password } = Reset::parse(input)?;
        let digest = self.tokens.digest(&token);
        let owner = self.store.reset_owner(&digest, self.clock.now()).await?.ok_or_else(reset_spent)?;
        let hash = self.passwords.hash(self.new_password(&password, &owner)?).await?;
        let id = &owner.id;
        let audit = self.by_applicant(id, format!("applicant:{id}"), "applicant.password_reset", serde_json::json!({}));
        let mail = mails::password_changed(self, &owner);
        if !self.store.spend_reset(&digest, &hash, &audit, &mail).await? {
            return Err(reset_spent().into());
        }
        self.store.forget(&account_key(Audience::Applicant, &owner.email)).await?;
        Ok(self.new_device(Audience::Applicant, id))
    }

    /// Changes a signed-in applicant's password, given the current one, and ends their other sessions.
    ///
    /// # Errors
    /// Bad fields, a wrong current password, too many failures or changes.
    pub async fn change_password(&self, who: &SignedIn, input: &Input, caller: &Caller) -> Result<(), Error> {
        let change = PasswordChange::parse(input, |typed| self.new_password(typed, &who.applicant))?;
        self.confirm_password(who, change.current_password, caller).await?;
        let key = format!("password-change:{}", who.applicant.id);
        self.limit(&[Limit { key, most: CHANGES_PER_HOUR, window: HOUR }]).await?;
        let hash = self.passwords.hash(change.password).await?;
        let id = &who.applicant.id;
        let audit =
            self.by_applicant(id, format!("applicant:{id}"), "applicant.password_changed", serde_json::json!({}));
        let mail = mails::password_changed(self, &who.applicant);
        let hashes = (who.applicant.password_hash.as_str(), hash.as_str());
        if self.store.change_password(id, hashes, Some(&who.session.id), &audit, &mail).await? {
            Ok(())
        } else {
            Err(not_current().into())
        }
    }

    /// Checks the signed-in applicant's password, asked for again before anything that is hard to undo.
    ///
    /// # Errors
    /// A wrong password, too many failures.
    pub(crate) async fn confirm_password(&self, who: &SignedIn, typed: String, caller: &Caller) -> Result<(), Error> {
        let account = Account::Applicant(Box::new(who.applicant.clone()));
        let guess = Guess { account, email: &who.applicant.email, password: typed, session: Some(&who.session.id) };
        if self.check_password(guess, caller).await?.matches {
            return Ok(());
        }
        Err(not_current().into())
    }

    fn new_password(&self, typed: &str, owner: &Applicant) -> Result<String, FieldError> {
        let institute = self.settings.institute.as_str();
        let context = [
            owner.email.as_str(),
            &owner.profile.first_name,
            &owner.profile.last_name,
            institute,
            institute.split_whitespace().next().unwrap_or_default(),
        ];
        password::check(typed, &context)
    }
}

body! {
    /// A request to reset a forgotten password.
    pub struct ResetRequest {
        #[schema(value_type = String, format = Email)]
        pub(crate) email: Email = address,
    }
}

body! {
    /// A new password, with the secret from a mailed link.
    pub struct Reset {
        /// From the mailed link, or the code in the mail.
        pub(crate) token: String = mailed_token,
        /// 10 to 200 characters that are hard to guess, without names, email or the institute's name.
        #[schema(format = Password)]
        pub(crate) password: String = typed_password,
    }
}

body! {
    /// A new password, set with the current one.
    pub struct PasswordChange given (new_password: impl Fn(&str) -> Result<String, FieldError>) {
        #[schema(format = Password)]
        pub(crate) current_password: String = current_password,
        /// 10 to 200 characters that are hard to guess, without names, email or the institute's name.
        #[schema(format = Password)]
        pub(crate) password: String =
            |path: &str, input: Option<&Input>| typed_password(path, input).and_then(|typed| new_password(&typed)),
    }
}

body! {
    /// The password, asked for again before anything that is hard to undo.
    #[schema(as = PersonalDataRequest)]
    pub struct PasswordAgain {
        #[schema(format = Password)]
        pub(crate) current_password: String = current_password,
    }
}

body! {
    /// The secret from a mailed link.
    #[schema(as = EmailLink)]
    pub struct MailedLink {
        pub token: String = mailed_token,
    }
}

/// An address to mail a link to.
pub(crate) fn address(_: &str, input: Option<&Input>) -> Result<Email, FieldError> {
    Email::parse(input).map_err(|error| match error.code.as_str() {
        "email.required" => FieldError { message: text!("Please enter your email address"), ..error },
        _ => error,
    })
}

/// The current password as typed, normalised.
pub(crate) fn current_password(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    match input {
        Some(Input::Text(text)) if !text.is_empty() => Ok(password::normalise(text)),
        _ => Err(wrong(path, "required", text!("Enter your current password."))),
    }
}

/// A new password as typed.
pub(crate) fn typed_password(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    match input {
        Some(Input::Text(text)) => Ok(text.clone()),
        None => Ok(String::new()),
        Some(_) => Err(wrong(path, "type", text!("Password must be text."))),
    }
}

fn mailed_token(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    filled(text!("Enter the code from the email."))(path, input)
}

fn not_current() -> FieldError {
    FieldError::new("currentPassword", "currentPassword.wrong", text!("This is not your current password."))
}

pub(crate) fn reset_spent() -> FieldError {
    FieldError::new("token", "token.spent", text!("This link or code is no longer valid. Request a new one."))
}
