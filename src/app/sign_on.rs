//! Logging in with an identity provider: to it and back, for staff and applicants alike.

use serde::{Deserialize, Serialize};

use crate::App;
use crate::error::{Error, Refusal};
use crate::office::identity_providers::unconfirmed;
use crate::ports::AuthorizationRequest;
use domain::account::Email;
use domain::input::Input;
use domain::moments::Millis;
use domain::session::Audience;
use domain::sign_on::{Identity, IdentityProvider, PATIENCE};

/// What a browser brings back with the provider's answer, sealed.
#[derive(Serialize, Deserialize)]
struct Begun {
    provider: String,
    state: String,
    nonce: String,
    verifier: String,
    at: Millis,
    /// The session that is to be confirmed; without one, it is a login.
    session: Option<String>,
    /// Where to continue.
    to: Option<String>,
}

/// A login at a provider that was begun.
#[derive(Debug, Clone)]
pub struct SignOnStart {
    /// Where to send the browser.
    pub url: String,
    /// What it is to bring back.
    pub cookie: String,
}

/// What a provider answers in the address that a browser comes back to.
#[derive(Debug, Clone, Copy)]
pub struct SignOnAnswer<'a> {
    pub state: &'a str,
    /// None if it refused.
    pub code: Option<&'a str>,
    /// Many providers name themselves.
    pub issuer: Option<&'a str>,
}

/// Somebody whom a provider has confirmed.
pub(crate) struct Redeemed {
    pub provider: IdentityProvider,
    pub identity: Identity,
    pub session: Option<String>,
    pub begun_at: Millis,
    pub to: Option<String>,
}

/// What the browser's cookie is sealed for.
fn place(audience: Audience) -> &'static str {
    match audience {
        Audience::Admin => "sign-on",
        Audience::Applicant => "sign-on of applicants",
    }
}

impl App {
    fn begun(&self, audience: Audience, cookie: &str) -> Option<Begun> {
        serde_json::from_str(&self.sealing.open(place(audience), cookie)?).ok()
    }

    /// Returns where to continue, by the cookie alone.
    pub fn wanted_of_sign_on(&self, audience: Audience, cookie: &str) -> Option<String> {
        self.begun(audience, cookie)?.to
    }

    /// Begins a login with a provider of this audience; with `session`, a confirmation for it, for which the provider must
    /// ask anew.
    ///
    /// # Errors
    /// [`Refusal::IdentityProviderNotFound`], [`Refusal::IdentityProviderAway`].
    pub(crate) async fn begin_at_provider(
        &self,
        provider_id: &str,
        audience: Audience,
        session: Option<String>,
        to: Option<String>,
    ) -> Result<SignOnStart, Error> {
        let (provider, client) = self.provider_client(provider_id).await?;
        if provider.for_applicants != (audience == Audience::Applicant) {
            return Err(Refusal::IdentityProviderNotFound.into());
        }
        let AuthorizationRequest { url, state, nonce, verifier } =
            self.sign_on.begin(&client, session.is_some()).await.map_err(unconfirmed)?;
        let provider = provider.id;
        let begun = Begun { provider, state, nonce, verifier, at: self.clock.now(), session, to };
        let begun = serde_json::to_string(&begun).expect("texts and numbers are JSON");
        Ok(SignOnStart { url, cookie: self.sealing.seal(place(audience), &begun) })
    }

    /// Checks what a browser brought back, and asks the provider who it is.
    ///
    /// # Errors
    /// [`Refusal::SignOnExpired`], [`Refusal::SignOnFailed`], [`Refusal::IdentityProviderNotFound`],
    /// [`Refusal::IdentityProviderAway`].
    pub(crate) async fn redeem(
        &self,
        audience: Audience,
        cookie: Option<&str>,
        answer: SignOnAnswer<'_>,
    ) -> Result<Redeemed, Error> {
        let begun = cookie.and_then(|cookie| self.begun(audience, cookie));
        let is_current = |begun: &Begun| begun.state == answer.state && self.clock.now() - begun.at < PATIENCE;
        let Begun { provider, state, nonce, verifier, at, session, to } =
            begun.filter(is_current).ok_or(Refusal::SignOnExpired)?;
        let code = answer.code.ok_or(Refusal::SignOnFailed)?;
        let (provider, client) = self.provider_client(&provider).await?;
        // Of several providers, it must be the one that was asked (RFC 9207).
        if answer.issuer.is_some_and(|issuer| issuer != provider.issuer) {
            return Err(Refusal::SignOnFailed.into());
        }
        let request = AuthorizationRequest { url: String::new(), state, nonce, verifier };
        let finished = self.sign_on.finish(&client, &request, code, &provider.role_claim).await;
        let identity = finished.map_err(unconfirmed)?;
        Ok(Redeemed { provider, identity, session, begun_at: at, to })
    }
}

/// Returns an identity's email, if it is certain to be theirs.
///
/// # Errors
/// [`Refusal::SignOnUnverified`]
pub(crate) fn verified_email(provider: &IdentityProvider, identity: &Identity) -> Result<Email, Refusal> {
    let is_verified = identity.email_verified || provider.verified_emails;
    let email = identity.email.clone().filter(|_| is_verified).ok_or(Refusal::SignOnUnverified)?;
    Email::parse(Some(&Input::Text(email))).map_err(|_| Refusal::SignOnUnverified)
}
