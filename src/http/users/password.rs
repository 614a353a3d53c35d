//! `POST /users/password`

use axum::extract::State;
use axum::http::StatusCode;
use utoipa::ToSchema;

use crate::http::ApiState;
use crate::http::bearer::Bearer;
use crate::http::json::StrictJson;
use crate::http::problem::Problem;
use crate::http::wire::Client;

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct PasswordChange {
    #[schema(format = Password)]
    pub current_password: String,
    /// 10 to 200 characters that are hard to guess, without names, email or the institute's name.
    #[schema(format = Password)]
    pub password: String,
}

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
