//! Changing the address of an account. Both addresses confirm it, so that neither a stolen password nor a mistyped
//! address takes over an account; and nobody learns from it which addresses have one. A present address that was never
//! confirmed is not asked: it may be the mistyped one.

use serde_json::json;

use crate::accounts::email_confirmation::links_to;
use crate::accounts::passwords::current_password;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::mails;
use crate::{App, Caller};
use domain::account::{Applicant, Email, EmailConfirmation};
use domain::body::wrong;
use domain::input::{FieldError, Input};
use domain::moments::HOUR;
use domain::sentence::Sentence;
use domain::{body, text};
use store::{AuditEntry, EmailChange, Limit, NewMail, StoreError};

/// How long the mailed links work.
pub const CHANGE_HOURS: i64 = 24;
/// Maximum number of times an account can request links per hour.
const REQUESTS_PER_HOUR: u32 = 5;
/// The reply to every request for a change, whether or not the new address is taken.
pub fn change_asked(applicant: &Applicant) -> Sentence {
    if applicant.email_confirmed_at.is_some() {
        text!("We have written to both addresses. Your email will change once both have confirmed it within 24 hours.")
    } else {
        text!(
            "We have written to the new address. Your email will change once that address has confirmed it within 24 hours."
        )
    }
}

body! {
    /// A request to change the account's address.
    pub struct EmailChangeRequest given (present: &str) {
        /// The new address.
        #[schema(value_type = String, format = Email)]
        email: Email = |path: &str, input: Option<&Input>| {
            let email = Email::parse(input)?;
            if email.key() == present.to_lowercase() {
                return Err(wrong(path, "same", text!("This is already the email of your account.")));
            }
            Ok(email)
        },
        #[schema(format = Password)]
        current_password: String = current_password,
    }
}

/// Which address a link was mailed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Old,
    New,
}

/// A link sent by mail, resolved.
#[derive(Debug, Clone)]
pub struct EmailLink {
    pub side: Side,
    /// The new address.
    pub email: String,
    /// Whether this address has already confirmed the change.
    pub confirmed: bool,
    /// Whether the other address is asked, too.
    pub both: bool,
    owner: Applicant,
}

impl App {
    /// Mails a link to the present address, unless it was never confirmed, and to the new one. Replaces an earlier
    /// request.
    ///
    /// # Errors
    /// Bad fields, a wrong current password, too many requests.
    pub async fn request_email_change(&self, who: &SignedIn, input: &Input, caller: &Caller) -> Result<(), Error> {
        let EmailChangeRequest { email, current_password } = EmailChangeRequest::parse(input, &who.applicant.email)?;
        self.confirm_password(who, current_password, caller).await?;
        self.count_request(who, email.as_str()).await?;

        let (change, [to_old, to_new]) = self.email_change_to(who, email.as_str()).await?;
        let to_old = who.applicant.email_confirmed_at.map(|_| to_old);
        let mails: Vec<NewMail> = to_old.into_iter().chain([to_new]).collect();
        let audit = self.about_account(&who.applicant, "applicant.email_change_requested");
        self.store.save_email_change(&change, &audit, &mails).await?;
        Ok(())
    }

    /// Mails new links to the addresses that have not confirmed the change yet. Their previous links stop working.
    ///
    /// # Errors
    /// [`Refusal::NoEmailChange`], too many requests.
    pub async fn resend_email_change(&self, who: &SignedIn) -> Result<(), Error> {
        let open = self.pending_email_change(who).await?.ok_or(Refusal::NoEmailChange)?;
        self.count_request(who, &open.email).await?;
        let (change, [to_old, to_new]) = self.email_change_to(who, &open.email).await?;
        let mut mails = Vec::new();
        if open.old_confirmed_at.is_none() {
            mails.push(to_old);
        }
        if open.new_confirmed_at.is_none() {
            mails.push(to_new);
        }
        let audit = self.about_account(&who.applicant, "applicant.email_change_resent");
        if self.store.renew_email_change(&change, &audit, &mails).await? {
            Ok(())
        } else {
            Err(Refusal::NoEmailChange.into())
        }
    }

    /// The pending change, if any.
    pub async fn pending_email_change(&self, who: &SignedIn) -> Result<Option<EmailChange>, Error> {
        Ok(self.store.email_change(&who.applicant.id, self.clock.now()).await?)
    }

    /// Resolves a mailed link. Looking at it changes nothing.
    pub async fn email_link(&self, secret: &str) -> Result<Option<EmailLink>, Error> {
        let digest = self.tokens.digest(secret.trim());
        let found = self.store.email_change_by_secret(&digest, self.clock.now()).await?;
        Ok(found.map(|(change, owner)| {
            let (side, confirmed) = if change.old_digest == digest {
                (Side::Old, change.old_confirmed_at)
            } else {
                (Side::New, change.new_confirmed_at)
            };
            let both = owner.email_confirmed_at.is_some();
            EmailLink { side, email: change.email, confirmed: confirmed.is_some(), both, owner }
        }))
    }

    /// Confirms a change for the address that the link was mailed to. Once both have confirmed, the account gets the
    /// new address and every session ends except that of `visitor`, if it belongs to the account.
    ///
    /// # Errors
    /// `token.spent` for a link that no longer works, [`Refusal::EmailUnusable`] when another account has taken the
    /// address.
    pub async fn confirm_email_change(
        &self,
        secret: &str,
        visitor: Option<&SignedIn>,
    ) -> Result<EmailConfirmation, Error> {
        let link = self.email_link(secret).await?.ok_or_else(link_spent)?;
        let owner = &link.owner;
        let keep = visitor.filter(|who| who.applicant.id == owner.id).map(|who| who.session.id.as_str());
        let confirmed = self.about_account(
            owner,
            match link.side {
                Side::Old => "applicant.email_change_confirmed_by_old",
                Side::New => "applicant.email_change_confirmed_by_new",
            },
        );
        let changed = self.about_account(owner, "applicant.email_changed");
        let mails = mails::email_changed(self, owner, &link.email);
        let digest = self.tokens.digest(secret.trim());
        match self.store.confirm_email_change(&digest, keep, &confirmed, (&changed, &mails)).await {
            Ok(EmailConfirmation::Gone) => Err(link_spent().into()),
            Ok(outcome) => Ok(outcome),
            Err(StoreError::Taken("email")) => {
                let refused = self.about_account(owner, "applicant.email_change_refused");
                self.store.drop_email_change(&owner.id, &refused, &[]).await?;
                Err(Refusal::EmailUnusable.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Cancels the change that a mailed link is about.
    ///
    /// # Errors
    /// `token.spent`
    pub async fn stop_email_change(&self, secret: &str) -> Result<(), Error> {
        let link = self.email_link(secret).await?.ok_or_else(link_spent)?;
        if self.drop_email_change(&link.owner).await? { Ok(()) } else { Err(link_spent().into()) }
    }

    /// Cancels the signed-in applicant's change.
    ///
    /// # Errors
    /// [`Refusal::NoEmailChange`]
    pub async fn cancel_email_change(&self, who: &SignedIn) -> Result<(), Error> {
        if self.drop_email_change(&who.applicant).await? { Ok(()) } else { Err(Refusal::NoEmailChange.into()) }
    }

    async fn drop_email_change(&self, owner: &Applicant) -> Result<bool, Error> {
        let audit = self.about_account(owner, "applicant.email_change_stopped");
        let mail = mails::email_change_stopped(self, owner);
        Ok(self.store.drop_email_change(&owner.id, &audit, &[mail]).await?)
    }

    /// Counts a request. The new address `email` gets no more links than a new account's.
    async fn count_request(&self, who: &SignedIn, email: &str) -> Result<(), Error> {
        let key = format!("email-change:{}", who.applicant.id);
        self.limit(&[Limit { key, most: REQUESTS_PER_HOUR, window: HOUR }, links_to(email)]).await
    }

    /// A change with new secrets, and the mails to the present and the new address.
    async fn email_change_to(&self, who: &SignedIn, email: &str) -> Result<(EmailChange, [NewMail; 2]), Error> {
        let (old_secret, new_secret) = (self.random.secret(), self.random.secret());
        let applicant = &who.applicant;
        let to_old = mails::email_change_asked(self, applicant, email, &old_secret);
        // The owner of the address is told; the caller gets the same reply in either case.
        let to_new = match self.store.applicant_by_email(&email.to_lowercase()).await? {
            None => mails::email_change_offered(self, applicant, email, &new_secret),
            Some(owner) => mails::email_change_of_taken(self, &owner),
        };
        let now = self.clock.now();
        let change = EmailChange {
            applicant_id: applicant.id.clone(),
            email: email.to_owned(),
            old_digest: self.tokens.digest(&old_secret),
            new_digest: self.tokens.digest(&new_secret),
            old_confirmed_at: if applicant.email_confirmed_at.is_some() { None } else { Some(now) },
            new_confirmed_at: None,
            created_at: now,
            expires_at: now + CHANGE_HOURS * HOUR,
        };
        Ok((change, [to_old, to_new]))
    }

    /// An audit entry about an account, without addresses: the record is kept longer than they are.
    pub(crate) fn about_account(&self, applicant: &Applicant, action: &'static str) -> AuditEntry {
        self.by_applicant(&applicant.id, format!("applicant:{}", applicant.id), action, json!({}))
    }
}

fn link_spent() -> FieldError {
    let sentence = text!("This link is no longer valid. Only the newest one works, once and for 24 hours.");
    FieldError::new("token", "token.spent", sentence)
}
