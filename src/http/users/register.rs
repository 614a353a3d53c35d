//! `POST /users/register`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;

use super::{SignedIn, signed_in};
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use domain::account::Registration;
use wire::Client;

/// Creates an account and signs in.
///
/// A confirmation link is mailed. Nobody has to wait for it, but until it is opened, hardly anything else is mailed.
#[utoipa::path(
    post,
    path = "/api/users/register",
    operation_id = "register",
    tag = "Signing in",
    request_body = Registration,
    responses(
        (status = 201, description = "The session. Its cookie is set for the pages.", body = SignedIn),
        (status = 409, description = "`email.taken`"),
    ),
    security(())
)]
pub async fn register(
    State(api): State<ApiState>,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let entered = api.app.register(&input, None, &caller).await?;
    Ok((StatusCode::CREATED, signed_in(&api, entered)))
}
