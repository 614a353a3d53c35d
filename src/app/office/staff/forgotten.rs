//! Forgotten passwords of staff: a mailed link sets a new one. The second factor stays, and is asked for at the next
//! login.

use serde_json::json;

use super::mails;
use crate::accounts::guesses::account_key;
use crate::accounts::passwords::{RESET_ANSWER_TIME, RESET_MINUTES, Reset, ResetRequest, reset_spent};
use crate::error::Error;
use crate::{App, Caller};
use domain::account::Email;
use domain::input::Input;
use domain::moments::{HOUR, MINUTE};
use domain::role::Role;
use domain::session::Audience;
use store::Throttle;

/// The reply to every request, whether the account exists or not.
pub const STAFF_RESET_REQUESTED: &str = "If there is an account of staff with this email, we have sent a link to set a new password. It works for 30 minutes.";
pub const STAFF_RESET_DONE: &str = "Your password has been changed. Log in with the new one.";

impl App {
    /// Mails a link for a new password, if the account exists and is not suspended. Reply and response time are the
    /// same for every address.
    ///
    /// # Errors
    /// A bad address, or too many requests from the caller's address.
    pub async fn request_staff_reset(&self, input: &Input, caller: &Caller) -> Result<(), Error> {
        let ResetRequest { email } = ResetRequest::parse(input)?;
        let key = format!("staff-reset-from:{}", caller.address);
        if let Throttle::Refused { wait } = self.store.attempt(&key, 30, HOUR, self.clock.now()).await? {
            return Err(Error::Throttled { code: "rate_limited", wait });
        }
        let (written, ()) = tokio::join!(self.write_staff_reset(&email), tokio::time::sleep(RESET_ANSWER_TIME));
        written
    }

    async fn write_staff_reset(&self, email: &Email) -> Result<(), Error> {
        let now = self.clock.now();
        // Nobody's mailbox is to be flooded by others.
        let key = format!("staff-reset:{}", email.key());
        if let Throttle::Refused { .. } = self.store.attempt(&key, 5, HOUR, now).await? {
            return Ok(());
        }
        let found = self.store.staff_by_email(&email.key()).await?;
        let Some(staff) = found.filter(|staff| staff.suspended_at.is_none()) else { return Ok(()) };
        // Owners have a password besides, for when the provider is away.
        if staff.role != Role::Owner
            && let Some(provider) = self.store.provider_of_staff(&staff.id).await?
        {
            let mail = mails::log_in_with_provider(self, &staff, &provider);
            let audit = self.about_staff("system".into(), &staff.id, "staff.reset_refused", json!({}));
            self.store.note_and_mail(&audit, &mail).await?;
            return Ok(());
        }
        let secret = self.random.secret();
        let audit = self.about_staff("system".into(), &staff.id, "staff.reset_requested", json!({}));
        let mail = mails::reset_password(self, &staff, &secret);
        let digest = self.tokens.digest(&secret);
        self.store.create_staff_reset(&staff.id, &digest, now + RESET_MINUTES * MINUTE, &audit, &mail).await?;
        Ok(())
    }

    /// Sets a new password with a mailed token, and ends every session of the account. Returns a device cookie.
    ///
    /// # Errors
    /// Bad fields; `token.spent` for a token that is used up, replaced, expired or was never issued, or whose account
    /// has since been suspended or removed.
    pub async fn reset_staff_password(&self, input: &Input) -> Result<String, Error> {
        let Reset { token, password } = Reset::parse(input)?;
        let digest = self.tokens.digest(&token);
        let staff = self.store.staff_reset_owner(&digest, self.clock.now()).await?.ok_or_else(reset_spent)?;
        let password = self.new_staff_password(&password, &staff.email, &staff.name)?;
        let hash = self.passwords.hash(password).await?;
        let audit = self.about_self(&staff, "staff.password_reset", json!({}));
        let mail = mails::password_reset(self, &staff);
        if !self.store.spend_staff_reset(&digest, &hash, &audit, &mail).await? {
            return Err(reset_spent().into());
        }
        self.store.forget(&account_key(Audience::Admin, &staff.email)).await?;
        Ok(self.new_device(Audience::Admin, &staff.id))
    }
}
