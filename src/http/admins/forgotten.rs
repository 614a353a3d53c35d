//! `POST /admins/forgot-password`, `POST /admins/reset-password`

use axum::Json;
use axum::extract::State;

use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::users::Message;
use app::accounts::passwords::{Reset, ResetRequest};
use app::office::staff::{STAFF_RESET_DONE, STAFF_RESET_REQUESTED};
use wire::Client;

/// Mails a link for setting a new password, if there is such a staff account and it is not suspended.
///
/// The response does not reveal whether there is.
#[utoipa::path(
    post,
    path = "/api/admins/forgot-password",
    operation_id = "forgotStaffPassword",
    tag = "Office: signing in",
    request_body = ResetRequest,
    responses((status = 200, description = "The same for every address, in the same time.", body = Message)),
    security(())
)]
pub async fn request(
    State(api): State<ApiState>,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<Json<Message>, Problem> {
    api.app.request_staff_reset(&input, &caller).await?;
    Ok(Json(Message { message: STAFF_RESET_REQUESTED.into() }))
}

/// Sets a new password and ends every session of the account. The second factor stays.
#[utoipa::path(
    post,
    path = "/api/admins/reset-password",
    operation_id = "resetStaffPassword",
    tag = "Office: signing in",
    request_body = Reset,
    responses((status = 200, description = "The password is changed.", body = Message)),
    security(())
)]
pub async fn reset(State(api): State<ApiState>, StrictJson(input): StrictJson) -> Result<Json<Message>, Problem> {
    api.app.reset_staff_password(&input).await?;
    Ok(Json(Message { message: STAFF_RESET_DONE.into() }))
}
