//! Logout tokens, <https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation>.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use openidconnect::core::{CoreJsonWebKeySet, CoreJwsSigningAlgorithm};
use openidconnect::{JsonWebKey, JsonWebKeyId};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use app::ports::{EndedSession, ProviderClient};

const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";
/// Maximum age of a token in seconds, and how far clocks may differ.
const MAX_AGE: i64 = 300;

#[derive(Deserialize)]
struct Header {
    alg: CoreJwsSigningAlgorithm,
    kid: Option<JsonWebKeyId>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    aud: Audience,
    iat: i64,
    exp: Option<i64>,
    events: Map<String, Value>,
    sub: Option<String>,
    sid: Option<String>,
    nonce: Option<Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

#[derive(Debug, thiserror::Error)]
pub(super) enum LogoutError {
    #[error("The logout token cannot be read.")]
    Unreadable,
    #[error("The logout token is not signed by the provider.")]
    Signature,
    #[error("The logout token has a wrong {0}.")]
    Claim(&'static str),
}

/// Checks a logout token at `now`, in seconds since 1970.
pub(super) fn read(
    token: &str,
    keys: &CoreJsonWebKeySet,
    provider: &ProviderClient,
    now: i64,
) -> Result<EndedSession, LogoutError> {
    let (signed, signature) = token.rsplit_once('.').ok_or(LogoutError::Unreadable)?;
    let (header, claims) = signed.split_once('.').ok_or(LogoutError::Unreadable)?;
    let header: Header = part(header)?;
    let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).map_err(|_| LogoutError::Unreadable)?;
    let is_signed = keys
        .keys()
        .iter()
        .filter(|key| header.kid.is_none() || key.key_id() == header.kid.as_ref())
        .any(|key| key.verify_signature(&header.alg, signed.as_bytes(), &signature).is_ok());
    if !is_signed {
        return Err(LogoutError::Signature);
    }
    let claims: Claims = part(claims)?;
    let is_for_us = match &claims.aud {
        Audience::One(one) => *one == provider.client_id,
        Audience::Several(all) => all.contains(&provider.client_id),
    };
    let checks = [
        ("iss", claims.iss.trim_end_matches('/') == provider.issuer.trim_end_matches('/')),
        ("aud", is_for_us),
        ("iat", (claims.iat - now).abs() <= MAX_AGE),
        ("exp", claims.exp.is_none_or(|at| at > now - MAX_AGE)),
        ("events", claims.events.contains_key(EVENT)),
        // Otherwise an ID token would pass for one.
        ("nonce", claims.nonce.is_none()),
        ("sub", claims.sub.is_some() || claims.sid.is_some()),
    ];
    match checks.into_iter().find(|(_, holds)| !holds) {
        Some((claim, _)) => Err(LogoutError::Claim(claim)),
        None => Ok(EndedSession { subject: claims.sub, session: claims.sid }),
    }
}

fn part<T: DeserializeOwned>(text: &str) -> Result<T, LogoutError> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| LogoutError::Unreadable)?;
    serde_json::from_slice(&bytes).map_err(|_| LogoutError::Unreadable)
}
