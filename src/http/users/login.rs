//! `POST /users/login`

use axum::extract::State;
use axum::response::IntoResponse;

use super::{SignedIn, signed_in};
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::accounts::login::Credentials;
use wire::Client;

/// Signs in.
///
/// An unknown email and a wrong password get the same answer in the same time.
#[utoipa::path(
    post,
    path = "/api/users/login",
    operation_id = "login",
    tag = "Signing in",
    request_body = Credentials,
    responses(
        (status = 200, description = "The session. Its cookie is set for the pages.", body = SignedIn),
        (status = 401, description = "`auth.invalid`"),
        (status = 403, description = "`auth.disabled`"),
        (status = 422, description = "`code.required`, `code.wrong`"),
    ),
    security(())
)]
pub async fn login(
    State(api): State<ApiState>,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let entered = api.app.log_in_at_once(&input, &caller).await?;
    Ok(signed_in(&api, entered))
}
