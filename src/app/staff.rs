//! Accounts of the office: the first ones from the command line, and their login.

use super::error::{Error, Refusal};
use super::login::Credentials;
use super::ports::{Audience, SessionKey, Staff};
use super::sessions::Secrets;
use super::{App, Caller};
use crate::domain::account::Email;
use crate::domain::input::Input;
use crate::domain::password;
use crate::domain::role::Role;

impl App {
    /// Creates a member of staff, from the command line.
    ///
    /// # Errors
    /// A bad address or password, or a taken address.
    pub async fn create_staff(&self, email: &str, password: &str, role: Role) -> Result<Staff, Error> {
        let email = Email::parse(Some(&Input::Text(email.to_owned())))?;
        let password = password::check(password, &[email.as_str(), &self.settings.institute])?;
        let staff = Staff {
            id: self.random.id(),
            email: email.as_str().to_owned(),
            role,
            password_hash: self.passwords.hash(password).await?,
            suspended_at: None,
            created_at: self.clock.now(),
        };
        let detail = serde_json::json!({ "role": role });
        let audit = self.audit_entry("system".into(), format!("staff:{}", staff.id), "staff.created", detail);
        self.store.create_staff(&staff, &audit).await?;
        Ok(staff)
    }

    /// Locks or unlocks an applicant's account, from the command line. No such account: false.
    ///
    /// # Errors
    /// A bad address.
    pub async fn set_applicant_disabled(&self, email: &str, disabled: bool) -> Result<bool, Error> {
        let email = Email::parse(Some(&Input::Text(email.to_owned())))?;
        let Some(applicant) = self.store.applicant_by_email(&email.key()).await? else { return Ok(false) };
        let action = if disabled { "applicant.disabled" } else { "applicant.enabled" };
        let subject = format!("applicant:{}", applicant.id);
        let audit = self.audit_entry("system".into(), subject, action, serde_json::json!({}));
        Ok(self.store.set_disabled(&applicant.id, disabled, &audit).await?)
    }

    /// Opens a session of a member of staff.
    ///
    /// # Errors
    /// As for an applicant's login.
    pub async fn log_in_staff(&self, input: &Input, caller: &Caller) -> Result<(Secrets, Staff), Error> {
        let Credentials { email, password } = Credentials::parse(input)?;
        let by_account = format!("staff-login:{}", email.key());
        let by_address = format!("staff-login-from:{}", caller.address);
        self.refuse_when_throttled(&by_account, &by_address).await?;
        let staff = self.store.staff_by_email(&email.key()).await?;
        let hash = staff.as_ref().map(|staff| staff.password_hash.clone());
        let verdict = self.passwords.verify(password, hash).await?;
        let Some(staff) = staff.filter(|_| verdict.matches) else {
            self.count_failure(&by_account, &by_address).await?;
            return Err(Refusal::WrongCredentials.into());
        };
        if staff.suspended_at.is_some() {
            return Err(Refusal::AccountDisabled.into());
        }
        self.store.forget(&by_account).await?;
        let (mut session, secrets) = self.new_session(Audience::Admin, caller);
        session.expires_at = session.created_at + STAFF_SESSION;
        let subject = format!("staff:{}", staff.id);
        let audit = self.audit_entry(subject.clone(), subject, "staff.logged_in", serde_json::json!({}));
        self.store.create_staff_session(&staff.id, &session, &audit).await?;
        Ok((secrets, staff))
    }

    /// Which member of staff holds this bearer token.
    ///
    /// # Errors
    /// The token or its session is not good any more, or the account is suspended.
    pub async fn authenticate_staff(&self, token: &str) -> Result<Staff, Error> {
        let now = self.clock.now();
        let sid = self.tokens.read(token, Audience::Admin, now)?;
        let found = self.store.staff_session(SessionKey::Id(&sid), now).await?;
        let staff = found.map(|(_, staff)| staff).filter(|staff| staff.suspended_at.is_none());
        Ok(staff.ok_or(Refusal::SessionEnded)?)
    }

    /// Whose staff cookie this is. `None` for one that is not good any more.
    pub async fn visit_staff(&self, cookie: &str) -> Result<Option<Staff>, Error> {
        let digest = self.tokens.digest(cookie);
        let found = self.store.staff_session(SessionKey::Cookie(&digest), self.clock.now()).await?;
        Ok(found.map(|(_, staff)| staff).filter(|staff| staff.suspended_at.is_none()))
    }

    /// Ends the session of a staff cookie.
    pub async fn log_out_staff(&self, cookie: &str) -> Result<(), Error> {
        let now = self.clock.now();
        let digest = self.tokens.digest(cookie);
        if let Some((session, _)) = self.store.staff_session(SessionKey::Cookie(&digest), now).await? {
            self.store.end_staff_session(&session.id, now).await?;
        }
        Ok(())
    }
}

/// A staff session lives twelve hours.
const STAFF_SESSION: super::ports::Millis = 12 * super::ports::HOUR;
