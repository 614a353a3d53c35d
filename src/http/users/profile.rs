//! `PATCH /users/profile`

use axum::Json;
use axum::extract::State;

use super::User;
use crate::domain::account::ProfileChange;
use crate::http::ApiState;
use crate::http::bearer::Bearer;
use crate::http::json::StrictJson;
use crate::http::problem::Problem;

/// Changes the profile.
#[utoipa::path(
    patch,
    path = "/api/users/profile",
    operation_id = "changeProfile",
    tag = "Account",
    request_body = ProfileChange,
    responses((status = 200, description = "The account as it is now.", body = User))
)]
pub async fn change(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    StrictJson(input): StrictJson,
) -> Result<Json<User>, Problem> {
    Ok(Json(api.app.update_profile(&who, &input).await?.into()))
}
