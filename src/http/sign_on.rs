//! `POST /sign-on/{id}/logout`

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use utoipa_axum::routes;

use super::ApiState;
use super::calls::{self, Call};
use super::json;
use super::problem::Problem;
use app::{Error, Refusal};

pub(super) fn calls() -> Vec<Call> {
    vec![routes!(logout)]
}

pub(super) fn router() -> Router<ApiState> {
    calls::router("/api/sign-on", calls())
}

/// Is told by an identity provider that a session has ended (OpenID Connect Back-Channel Logout).
///
/// Sessions of staff that it has opened end with it.
#[utoipa::path(
    post,
    path = "/api/sign-on/{id}/logout",
    operation_id = "endSessionsAtProvider",
    tag = "Office: signing in",
    params(("id" = String, Path, description = "The identity provider's id")),
    request_body(content = String, content_type = "application/x-www-form-urlencoded", description = "`logout_token`"),
    security(()),
    responses(
        (status = 200, description = "The sessions have ended, or had before."),
        (status = 400, description = "`sign_on.failed`: the token does not hold, or there is no such provider"),
    )
)]
pub(super) async fn logout(
    State(api): State<ApiState>,
    Path(id): Path<String>,
    body: Body,
) -> Result<StatusCode, Problem> {
    let body = json::raw(body).await?;
    let token = url::form_urlencoded::parse(&body).find(|(name, _)| name == "logout_token");
    let token = token.map(|(_, token)| token).unwrap_or_default();
    match api.app.end_sessions_at_provider(&id, &token).await {
        Ok(_) => Ok(StatusCode::OK),
        // To the provider it is all the same.
        Err(Error::Refused(Refusal::IdentityProviderNotFound)) => Err(Error::from(Refusal::SignOnFailed).into()),
        Err(error) => Err(error.into()),
    }
}
