//! Confirming the address of a new account. It is not required in order to apply; but until somebody who reads its mail
//! has confirmed it, hardly anything is mailed there: see `store::outbox`.

use serde_json::json;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::Error;
use crate::mails;
use domain::account::Applicant;
use domain::input::FieldError;
use domain::moments::{DAY, HOUR};
use domain::sentence::Sentence;
use domain::text;
use store::{Limit, MailedLink, NewMail, Throttle};

/// How long the mailed link works.
pub const CONFIRMATION_DAYS: i64 = 7;
/// Maximum number of times an account can request another link per hour.
const PER_ACCOUNT: u32 = 5;
/// Maximum number of links per day to an unconfirmed address, whichever accounts request them.
const PER_ADDRESS: u32 = 10;
/// The reply to a request for another link.
pub fn confirmation_sent() -> Sentence {
    text!(
        "We have sent you a link to confirm your email. It works for {confirmation_days} days, and older ones no longer do.",
        confirmation_days = CONFIRMATION_DAYS
    )
}

/// The limit on links mailed to an address before its owner has confirmed it.
pub(crate) fn links_to(email: &str) -> Limit {
    Limit { key: format!("link-to:{}", email.to_lowercase()), most: PER_ADDRESS, window: DAY }
}

impl App {
    /// The first link of a new account, or `None` if its address got too many. The account is created all the same.
    pub(crate) async fn first_confirmation(
        &self,
        applicant: &Applicant,
    ) -> Result<Option<(MailedLink, NewMail)>, Error> {
        let asked = self.store.reserve(&[links_to(&applicant.email)], self.clock.now()).await?;
        if let Throttle::Refused { .. } = asked {
            tracing::info!(applicant = applicant.id, "no link is mailed: the address got too many today");
            return Ok(None);
        }
        Ok(Some(self.confirmation(applicant)))
    }

    /// Mails another link. Does nothing if the address is already confirmed.
    ///
    /// # Errors
    /// Too many requests.
    pub async fn resend_confirmation(&self, who: &SignedIn) -> Result<(), Error> {
        let applicant = &who.applicant;
        if applicant.email_confirmed_at.is_some() {
            return Ok(());
        }
        let own = Limit { key: format!("confirm-email:{}", applicant.id), most: PER_ACCOUNT, window: HOUR };
        self.limit(&[own, links_to(&applicant.email)]).await?;
        let (link, mail) = self.confirmation(applicant);
        let audit = self.about_account(applicant, "applicant.confirmation_resent");
        self.store.renew_email_confirmation(&applicant.id, &link, &audit, &mail).await?;
        Ok(())
    }

    /// The applicant whose address a mailed link confirms. Looking at it changes nothing.
    pub async fn confirmation_link(&self, secret: &str) -> Result<Option<Applicant>, Error> {
        let digest = self.tokens.digest(secret.trim());
        Ok(self.store.email_confirmation_owner(&digest, self.clock.now()).await?)
    }

    /// Confirms the address that the link was mailed to. Doing so again is harmless.
    ///
    /// # Errors
    /// `token.spent` for a link that no longer works.
    pub async fn confirm_email(&self, secret: &str) -> Result<(), Error> {
        let owner = self.confirmation_link(secret).await?.ok_or_else(|| {
            let sentence = text!(
                "This link is no longer valid. Only the newest one works, for {confirmation_days} days.",
                confirmation_days = CONFIRMATION_DAYS
            );
            FieldError::new("token", "token.spent", sentence)
        })?;
        // Whoever opens the link need not be the account's owner.
        let audit = self.audit_entry(
            "system".into(),
            format!("applicant:{}", owner.id),
            "applicant.email_confirmed",
            json!({}),
        );
        self.store.confirm_email(&self.tokens.digest(secret.trim()), &audit).await?;
        Ok(())
    }

    fn confirmation(&self, applicant: &Applicant) -> (MailedLink, NewMail) {
        let secret = self.random.secret();
        let expires_at = self.clock.now() + CONFIRMATION_DAYS * DAY;
        let link = MailedLink { digest: self.tokens.digest(&secret), expires_at };
        (link, mails::confirm_email(self, applicant, &secret))
    }
}
