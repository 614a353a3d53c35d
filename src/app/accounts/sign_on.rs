//! Applicants log in with an identity provider.

use std::sync::Arc;

use serde_json::json;

use crate::accounts::login::{LoggedIn, Opening};
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::sign_on::{Redeemed, SignOnAnswer, SignOnStart, verified_email};
use crate::{App, Caller, mails};
use domain::account::{Applicant, Email};
use domain::session::Audience;
use domain::sign_on::{Identity, IdentityProvider, LinkedProvider};

/// Id and name of each provider that applicants can log in with.
pub type SignOnChoices = Arc<Vec<(String, String)>>;

/// What came of a login with a provider.
#[derive(Debug, Clone)]
pub struct ApplicantSignedOn {
    pub outcome: SignOnOutcome,
    /// Where to continue.
    pub to: Option<String>,
}

#[derive(Debug, Clone)]
pub enum SignOnOutcome {
    LoggedIn(LoggedIn),
    /// Nobody has this email. What the provider says of them is for their registration.
    Unknown {
        /// The provider's name.
        provider: String,
        email: String,
        /// Empty if it does not say, like the last name.
        first_name: String,
        last_name: String,
    },
}

impl App {
    /// The providers that applicants can log in with. Without the database, the last known ones.
    pub async fn applicant_sign_on_choices(&self) -> SignOnChoices {
        let now = self.clock.now();
        let kept = self.sign_on_choices.get(now);
        if let Some((choices, true)) = &kept {
            return choices.clone();
        }
        let choices = match self.store.providers_of_applicants().await {
            Ok(providers) => Arc::new(providers),
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "identity providers could not be looked up");
                kept.map(|(choices, _)| choices).unwrap_or_default()
            }
        };
        self.sign_on_choices.set(choices.clone(), now);
        choices
    }

    /// Begins a login of an applicant.
    ///
    /// # Errors
    /// [`Refusal::IdentityProviderNotFound`], [`Refusal::IdentityProviderAway`].
    pub async fn begin_applicant_sign_on(&self, provider_id: &str, to: Option<String>) -> Result<SignOnStart, Error> {
        self.begin_at_provider(provider_id, Audience::Applicant, None, to).await
    }

    /// Ends it, with what the browser brought back. The first time, the account with the same email is linked.
    ///
    /// # Errors
    /// [`Refusal::SignOnExpired`] if it took too long or was begun in another browser, [`Refusal::SignOnFailed`],
    /// [`Refusal::SignOnUnverified`], [`Refusal::SignOnUnconfirmed`], [`Refusal::AccountDisabled`],
    /// [`Refusal::IdentityProviderAway`].
    pub async fn finish_applicant_sign_on(
        &self,
        cookie: Option<&str>,
        answer: SignOnAnswer<'_>,
        caller: &Caller,
    ) -> Result<ApplicantSignedOn, Error> {
        let Redeemed { provider, identity, to, .. } = self.redeem(Audience::Applicant, cookie, answer).await?;
        let linked = self.store.applicant_by_identity(&provider.id, &identity.subject).await?;
        let applicant = match linked {
            Some(applicant) => applicant,
            None => {
                let email = verified_email(&provider, &identity)?;
                match self.store.applicant_by_email(&email.key()).await? {
                    Some(applicant) => {
                        self.link(&provider, &identity, &applicant).await?;
                        applicant
                    }
                    None => return Ok(ApplicantSignedOn { outcome: unknown(provider, &identity, &email), to }),
                }
            }
        };
        if applicant.disabled_at.is_some() {
            return Err(Refusal::AccountDisabled.into());
        }
        let opening = Opening::by_password(applicant.has_second_factor());
        let action = match opening {
            Opening::FirstStep => "applicant.provider_confirmed",
            _ => "applicant.logged_in_with_provider",
        };
        let logged_in = self.open(applicant, opening, action, caller).await?;
        let outcome = SignOnOutcome::LoggedIn(logged_in);
        Ok(ApplicantSignedOn { outcome, to })
    }

    /// Whoever registered the address need not be the one who reads its mail: until it is confirmed, they would share
    /// the account.
    async fn link(&self, provider: &IdentityProvider, identity: &Identity, applicant: &Applicant) -> Result<(), Error> {
        if applicant.disabled_at.is_some() {
            return Err(Refusal::AccountDisabled.into());
        }
        if applicant.email_confirmed_at.is_none() {
            return Err(Refusal::SignOnUnconfirmed.into());
        }
        let detail = json!({ "provider": provider.name });
        let subject = format!("applicant:{}", applicant.id);
        let audit = self.by_applicant(&applicant.id, subject, "applicant.provider_linked", detail);
        let mail = mails::provider_linked(self, applicant, &provider.name);
        if !self.store.link_applicant(provider, &identity.subject, applicant, &audit, &mail).await? {
            return Err(Refusal::SignOnFailed.into());
        }
        Ok(())
    }

    /// The providers that an applicant logs in with.
    pub async fn linked_providers(&self, applicant_id: &str) -> Result<Vec<LinkedProvider>, Error> {
        Ok(self.store.linked_providers(applicant_id).await?)
    }

    /// Unlinks the applicant's account from a provider; does nothing if it is not linked.
    pub async fn unlink_provider(&self, who: &SignedIn, provider_id: &str) -> Result<(), Error> {
        let applicant = &who.applicant;
        let linked = self.store.linked_providers(&applicant.id).await?;
        let Some(provider) = linked.into_iter().find(|linked| linked.provider_id == provider_id) else {
            return Ok(());
        };
        let detail = json!({ "provider": provider.name });
        let subject = format!("applicant:{}", applicant.id);
        let audit = self.by_applicant(&applicant.id, subject, "applicant.provider_unlinked", detail);
        let mail = mails::provider_unlinked(self, applicant, &provider.name);
        self.store.unlink_applicant(&applicant.id, provider_id, &audit, &mail).await?;
        Ok(())
    }
}

fn unknown(provider: IdentityProvider, identity: &Identity, email: &Email) -> SignOnOutcome {
    SignOnOutcome::Unknown {
        provider: provider.name,
        email: email.as_str().to_owned(),
        first_name: identity.given_name.clone().unwrap_or_default(),
        last_name: identity.family_name.clone().unwrap_or_default(),
    }
}
