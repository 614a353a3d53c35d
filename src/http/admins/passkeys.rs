//! `/admins/passkeys…`

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use super::LoggedInStaff;
use crate::ApiState;
use crate::passkeys::{Passkeys, passkeys_response};
use crate::problem::Problem;

/// Lists the caller's own passkeys.
#[utoipa::path(
    get,
    path = "/api/admins/passkeys",
    operation_id = "listPasskeys",
    tag = "Office: own account",
    responses((status = 200, description = "They are added on the page of the account.", body = Passkeys))
)]
pub async fn list(State(api): State<ApiState>, LoggedInStaff(who): LoggedInStaff) -> Result<Json<Passkeys>, Problem> {
    Ok(passkeys_response(api.app.staff_passkeys(&who).await?))
}

/// Removes one of the caller's own passkeys.
#[utoipa::path(
    delete,
    path = "/api/admins/passkeys/{id}",
    operation_id = "removePasskey",
    tag = "Office: own account",
    params(("id" = String, Path, description = "The passkey's id")),
    responses(
        (status = 204, description = "It does not log in any more."),
        (status = 404, description = "`passkey.not_found`"),
        (status = 409, description = "`second_factor.needed`: it is the last second factor, and everybody must have one"),
    )
)]
pub async fn remove(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.remove_staff_passkey(&who, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
