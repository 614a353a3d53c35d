//! `/users/passkeys…`

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use crate::ApiState;
use crate::bearer::Bearer;
use crate::json::StrictJson;
use crate::passkeys::{Passkeys, passkeys_response};
use crate::problem::Problem;
use app::accounts::second_factor::PasswordAndCode;
use wire::Client;

/// Lists the caller's own passkeys.
#[utoipa::path(
    get,
    path = "/api/users/passkeys",
    operation_id = "listOwnPasskeys",
    tag = "Account",
    responses((status = 200, description = "They are added on the page of the account.", body = Passkeys))
)]
pub async fn list(State(api): State<ApiState>, Bearer(who): Bearer) -> Result<Json<Passkeys>, Problem> {
    Ok(passkeys_response(api.app.passkeys_of(&who).await?))
}

/// Removes one of the caller's own passkeys.
#[utoipa::path(
    post,
    path = "/api/users/passkeys/{id}/remove",
    operation_id = "removeOwnPasskey",
    tag = "Account",
    params(("id" = String, Path, description = "The passkey's id")),
    request_body = PasswordAndCode,
    responses(
        (status = 204, description = "It does not log in any more."),
        (status = 404, description = "`passkey.not_found`"),
        (status = 409, description = "`second_factor.none`"),
        (status = 422, description = "`code.wrong`, `currentPassword.wrong`"),
    )
)]
pub async fn remove(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    Client(caller): Client,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<StatusCode, Problem> {
    api.app.remove_passkey(&who, &id, &input, None, &caller).await?;
    Ok(StatusCode::NO_CONTENT)
}
