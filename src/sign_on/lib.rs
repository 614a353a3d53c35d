//! Single sign-on with OpenID Connect Core 1.0, Discovery 1.0 and Back-Channel Logout 1.0, by the `openidconnect` crate.

mod logout;

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::future::BoxFuture;
use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreAuthenticationFlow, CoreClientAuthMethod, CoreErrorResponseType,
    CoreGenderClaim, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreProviderMetadata,
    CoreRevocableToken, CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AdditionalClaims, AsyncHttpClient, AuthType, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken,
    EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, IdTokenFields,
    IssuerUrl, LocalizedClaim, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    StandardErrorResponse, StandardTokenResponse, TokenResponse, UserInfoClaims,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use app::ports::{AuthorizationRequest, EndedSession, ProviderClient, SignOn, SignOnError};
use domain::moments::Millis;
use domain::sign_on::Identity;
use outbound::{CallError, Outbound};

/// How long a provider's description and keys are used before they are loaded again.
const KEPT: Duration = Duration::from_secs(600);
/// Minimum age before they are loaded again because a key is missing: tokens with made-up keys must not cost more.
const RELOADED_AFTER: Duration = Duration::from_secs(10);
/// Maximum number of bytes of an answer.
const MAX_ANSWER: usize = 1024 * 1024;

/// The claims that the crate does not name: groups among them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct OtherClaims(Map<String, Value>);

impl AdditionalClaims for OtherClaims {}

type Tokens = StandardTokenResponse<
    IdTokenFields<
        OtherClaims,
        EmptyExtraTokenFields,
        CoreGenderClaim,
        CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm,
    >,
    CoreTokenType,
>;

type OidcClient = Client<
    OtherClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Tokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// A provider's description with its keys, and when it was loaded.
#[derive(Clone)]
struct Known {
    metadata: CoreProviderMetadata,
    loaded: Instant,
}

/// Why the crate got no answer.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("The request could not be made: {0}")]
    Request(String),
    #[error("The answer stopped, or is longer than {MAX_ANSWER} bytes.")]
    Answer,
}

impl ExchangeError {
    fn word(&self) -> &'static str {
        match self {
            ExchangeError::Call(error) => error.word(),
            ExchangeError::Request(_) => "forbidden",
            ExchangeError::Answer => "unavailable",
        }
    }
}

pub struct OpenIdConnect {
    outbound: Outbound,
    known: Mutex<HashMap<String, Known>>,
}

impl OpenIdConnect {
    pub fn new(outbound: Outbound) -> OpenIdConnect {
        OpenIdConnect { outbound, known: Mutex::default() }
    }

    async fn exchange(&self, request: HttpRequest) -> Result<HttpResponse, ExchangeError> {
        telemetry::call("sign_on", "identity provider", self.exchanged(request), ExchangeError::word).await
    }

    async fn exchanged(&self, request: HttpRequest) -> Result<HttpResponse, ExchangeError> {
        let request = reqwest::Request::try_from(request).map_err(|error| ExchangeError::Request(error.to_string()))?;
        let mut response = self.outbound.call(request).await?;
        let mut answer = http::Response::builder().status(response.status());
        if let Some(headers) = answer.headers_mut() {
            *headers = std::mem::take(response.headers_mut());
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|_| ExchangeError::Answer)? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_ANSWER {
                return Err(ExchangeError::Answer);
            }
        }
        answer.body(body).map_err(|_| ExchangeError::Answer)
    }

    /// Returns the provider's description, at most `max_age` old.
    async fn metadata(&self, issuer: &str, max_age: Duration) -> Result<CoreProviderMetadata, SignOnError> {
        let known = self.known.lock().expect("nothing panics with it").get(issuer).cloned();
        if let Some(known) = known.filter(|known| known.loaded.elapsed() < max_age) {
            return Ok(known.metadata);
        }
        let url = IssuerUrl::new(issuer.to_owned()).map_err(unavailable)?;
        let metadata = CoreProviderMetadata::discover_async(url, self).await.map_err(unavailable)?;
        let known = Known { metadata: metadata.clone(), loaded: Instant::now() };
        self.known.lock().expect("nothing panics with it").insert(issuer.to_owned(), known);
        Ok(metadata)
    }

    fn client(metadata: CoreProviderMetadata, provider: &ProviderClient) -> Result<OidcClient, SignOnError> {
        let redirect = RedirectUrl::new(provider.redirect_uri.clone()).map_err(unavailable)?;
        let (id, secret) = (provider.client_id.clone(), provider.secret.clone());
        let methods = metadata.token_endpoint_auth_methods_supported();
        let takes_basic = methods.is_none_or(|methods| methods.contains(&CoreClientAuthMethod::ClientSecretBasic));
        let auth = if takes_basic { AuthType::BasicAuth } else { AuthType::RequestBody };
        let client = Client::from_provider_metadata(metadata, ClientId::new(id), Some(ClientSecret::new(secret)));
        Ok(client.set_redirect_uri(redirect).set_auth_type(auth))
    }
}

impl<'c> AsyncHttpClient<'c> for OpenIdConnect {
    type Error = ExchangeError;
    type Future = BoxFuture<'c, Result<HttpResponse, ExchangeError>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.exchange(request))
    }
}

#[async_trait]
impl SignOn for OpenIdConnect {
    async fn check(&self, provider: &ProviderClient) -> Result<(), SignOnError> {
        let metadata = self.metadata(&provider.issuer, Duration::ZERO).await?;
        if metadata.token_endpoint().is_none() {
            return Err(SignOnError::Unavailable("Its description names no token endpoint.".into()));
        }
        Self::client(metadata, provider).map(drop)
    }

    async fn begin(&self, provider: &ProviderClient, fresh: bool) -> Result<AuthorizationRequest, SignOnError> {
        let metadata = self.metadata(&provider.issuer, KEPT).await?;
        // Some providers list groups only in a scope of their own, and others refuse scopes that they do not know.
        let groups = metadata.scopes_supported().is_some_and(|scopes| scopes.iter().any(|it| it.as_str() == "groups"));
        let client = Self::client(metadata, provider)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let flow = CoreAuthenticationFlow::AuthorizationCode;
        let mut request = client
            .authorize_url(flow, CsrfToken::new_random, Nonce::new_random)
            .add_scope(Scope::new("email".into()))
            .add_scope(Scope::new("profile".into()))
            .set_pkce_challenge(challenge);
        if groups && provider.wants_groups {
            request = request.add_scope(Scope::new("groups".into()));
        }
        if fresh {
            request = request.add_prompt(CoreAuthPrompt::Login).set_max_age(Duration::ZERO);
        }
        let (url, state, nonce) = request.url();
        Ok(AuthorizationRequest {
            url: url.into(),
            state: state.into_secret(),
            nonce: nonce.secret().clone(),
            verifier: verifier.into_secret(),
        })
    }

    async fn finish(
        &self,
        provider: &ProviderClient,
        request: &AuthorizationRequest,
        code: &str,
        role_claim: &str,
    ) -> Result<Identity, SignOnError> {
        let client = Self::client(self.metadata(&provider.issuer, KEPT).await?, provider)?;
        let tokens = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(unavailable)?
            .set_pkce_verifier(PkceCodeVerifier::new(request.verifier.clone()))
            .request_async(self)
            .await
            .map_err(refused)?;
        let token = tokens.id_token().ok_or_else(|| SignOnError::Refused("It gave no ID token.".into()))?;
        let nonce = Nonce::new(request.nonce.clone());
        let claims = match token.claims(&client.id_token_verifier(), &nonce) {
            Ok(claims) => claims.clone(),
            // Its keys may have changed since they were loaded.
            Err(_) => {
                let client = Self::client(self.metadata(&provider.issuer, RELOADED_AFTER).await?, provider)?;
                token.claims(&client.id_token_verifier(), &nonce).map_err(refused)?.clone()
            }
        };
        let mut identity = Identity {
            subject: claims.subject().to_string(),
            email: claims.email().map(|email| email.to_string()),
            email_verified: claims.email_verified() == Some(true),
            name: first(claims.name()),
            given_name: first(claims.given_name()),
            family_name: first(claims.family_name()),
            groups: texts(claims.additional_claims().0.get(role_claim)),
            authenticated_at: claims.auth_time().map(|at| at.timestamp_millis()),
            session: claims.additional_claims().0.get("sid").and_then(Value::as_str).map(str::to_owned),
        };
        // Many providers put only the subject into the ID token, and the rest here.
        if client.user_info_url().is_some() {
            let subject = claims.subject().clone();
            let info: UserInfoClaims<OtherClaims, CoreGenderClaim> = client
                .user_info(tokens.access_token().clone(), Some(subject))
                .map_err(unavailable)?
                .request_async(self)
                .await
                .map_err(refused)?;
            let email = info.email().map(|email| email.to_string());
            if identity.email.is_none() || identity.email == email {
                identity.email = email;
                identity.email_verified |= info.email_verified() == Some(true);
            }
            identity.name = identity.name.or_else(|| first(info.name()));
            identity.given_name = identity.given_name.or_else(|| first(info.given_name()));
            identity.family_name = identity.family_name.or_else(|| first(info.family_name()));
            if identity.groups.is_empty() {
                identity.groups = texts(info.additional_claims().0.get(role_claim));
            }
        }
        Ok(identity)
    }

    async fn ended(
        &self,
        provider: &ProviderClient,
        logout_token: &str,
        now: Millis,
    ) -> Result<EndedSession, SignOnError> {
        let now = now / 1000;
        let keys = self.metadata(&provider.issuer, KEPT).await?;
        match logout::read(logout_token, keys.jwks(), provider, now) {
            Ok(ended) => Ok(ended),
            Err(_) => {
                let keys = self.metadata(&provider.issuer, RELOADED_AFTER).await?;
                logout::read(logout_token, keys.jwks(), provider, now).map_err(refused)
            }
        }
    }
}

/// Returns a claim in no particular language.
fn first<T: Deref<Target = String>>(claim: Option<&LocalizedClaim<T>>) -> Option<String> {
    Some(claim?.get(None)?.to_string())
}

/// Returns a claim that is a text or a list of texts.
fn texts(claim: Option<&Value>) -> Vec<String> {
    match claim {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn unavailable(error: impl std::error::Error) -> SignOnError {
    SignOnError::Unavailable(telemetry::with_causes(&error))
}

fn refused(error: impl std::error::Error) -> SignOnError {
    SignOnError::Refused(telemetry::with_causes(&error))
}
