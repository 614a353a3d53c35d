//! `POST /users/password`

use axum::extract::State;
use axum::http::StatusCode;

use crate::ApiState;
use crate::bearer::Bearer;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::accounts::passwords::PasswordChange;
use wire::Client;

/// Changes the password and ends every other session.
#[utoipa::path(
    post,
    path = "/api/users/password",
    operation_id = "changePassword",
    tag = "Account",
    request_body = PasswordChange,
    responses((status = 204, description = "The password is changed."))
)]
pub async fn change(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<StatusCode, Problem> {
    api.app.change_password(&who, &input, &caller).await?;
    Ok(StatusCode::NO_CONTENT)
}
