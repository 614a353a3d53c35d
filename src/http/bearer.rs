//! Identifies the caller by the bearer token.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::ApiState;
use super::problem::Problem;
use app::Refusal;
use app::accounts::sessions::SignedIn;
use domain::application::Application;

/// Extracts the applicant whose token it is. Cookies are ignored, so that no other site can make a browser call this
/// API in its user's name.
#[derive(Debug, Clone)]
pub struct Bearer(pub SignedIn);

impl FromRequestParts<ApiState> for Bearer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Problem> {
        Ok(Bearer(state.app.authenticate(token(&parts.headers)?).await?))
    }
}

/// Extracts the applicant whose token it is, and their active application.
#[derive(Debug, Clone)]
pub struct BearerWithApplication(pub SignedIn, pub Option<Application>);

impl FromRequestParts<ApiState> for BearerWithApplication {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Problem> {
        let (who, application) = state.app.authenticate_with_application(token(&parts.headers)?).await?;
        Ok(BearerWithApplication(who, application))
    }
}

/// Returns the token of `Authorization: Bearer TOKEN`.
pub fn token(headers: &HeaderMap) -> Result<&str, Refusal> {
    let value = headers.get(header::AUTHORIZATION).ok_or(Refusal::LoginRequired)?;
    let (scheme, token) = value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or(Refusal::TokenInvalid)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(token.trim()) } else { Err(Refusal::LoginRequired) }
}
