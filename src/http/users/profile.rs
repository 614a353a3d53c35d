//! `PATCH /users/profile`

use axum::Json;
use axum::extract::State;

use super::User;
use crate::ApiState;
use crate::bearer::Bearer;
use crate::json::StrictJson;
use crate::problem::Problem;
use domain::account::ProfileChange;

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
