//! `POST /users/session`

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::problem::Problem;
use app::Refusal;

#[derive(Debug, Serialize, ToSchema)]
pub struct Token {
    token: String,
}

/// Returns a fresh bearer token for the session of the cookie.
///
/// The only call that reads a cookie. It answers only our own pages, as identified by `Sec-Fetch-Site` or `Origin`.
#[utoipa::path(
    post,
    path = "/api/users/session",
    operation_id = "renewToken",
    tag = "Signing in",
    responses(
        (status = 200, description = "A fresh token.", body = Token),
        (status = 401, description = "`auth.required`: no session, or the call came from elsewhere"),
    ),
    security(("cookie" = []))
)]
pub async fn session(State(api): State<ApiState>, headers: HeaderMap) -> Result<Json<Token>, Problem> {
    if !wire::same_origin(&headers, &api.app.settings.public_url) {
        return Err(Refusal::LoginRequired.into());
    }
    let cookie = wire::session_cookie(api.cookies, &headers).ok_or(Refusal::LoginRequired)?;
    Ok(Json(Token { token: api.app.renew_token(cookie).await? }))
}
