//! `GET /users/me`

use axum::Json;

use super::User;
use crate::bearer::Bearer;

/// Returns the account of the token.
#[utoipa::path(
    get,
    path = "/api/users/me",
    operation_id = "me",
    tag = "Account",
    responses((status = 200, description = "The account.", body = User))
)]
pub async fn me(Bearer(who): Bearer) -> Json<User> {
    Json(who.applicant.into())
}
