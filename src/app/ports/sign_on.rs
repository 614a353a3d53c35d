//! Identity providers, by OpenID Connect.

use async_trait::async_trait;

use domain::moments::Millis;
use domain::sign_on::Identity;

/// How a provider knows this product.
#[derive(Debug, Clone)]
pub struct ProviderClient {
    pub issuer: String,
    pub client_id: String,
    pub secret: String,
    /// Whether somebody's groups are needed.
    pub wants_groups: bool,
    /// Where the provider sends people back to.
    pub redirect_uri: String,
}

/// A request to log in at a provider, and what its answer is checked against.
#[derive(Debug, Clone)]
pub struct AuthorizationRequest {
    /// Where to send the browser.
    pub url: String,
    pub state: String,
    pub nonce: String,
    /// The PKCE verifier.
    pub verifier: String,
}

/// A session that ended at the provider, and what it belongs to: a subject, a session, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedSession {
    pub subject: Option<String>,
    pub session: Option<String>,
}

/// Why a provider confirms nothing.
#[derive(Debug, thiserror::Error)]
pub enum SignOnError {
    /// The provider cannot be reached, or answers what cannot be used.
    #[error("{0}")]
    Unavailable(String),
    /// What it answered does not hold: a signature, a nonce, a code.
    #[error("{0}")]
    Refused(String),
}

#[async_trait]
pub trait SignOn: Send + Sync {
    /// Loads the provider's description and keys.
    ///
    /// # Errors
    /// As for all of these: [`SignOnError`].
    async fn check(&self, provider: &ProviderClient) -> Result<(), SignOnError>;

    /// Makes the address to send a browser to. With `fresh`, the provider must ask again who it is.
    async fn begin(&self, provider: &ProviderClient, fresh: bool) -> Result<AuthorizationRequest, SignOnError>;

    /// Redeems the code that a browser came back with, and checks what it gives. Groups are read from the claim
    /// `role_claim`.
    async fn finish(
        &self,
        provider: &ProviderClient,
        request: &AuthorizationRequest,
        code: &str,
        role_claim: &str,
    ) -> Result<Identity, SignOnError>;

    /// Checks a logout token.
    async fn ended(
        &self,
        provider: &ProviderClient,
        logout_token: &str,
        now: Millis,
    ) -> Result<EndedSession, SignOnError>;
}
