//! `POST /users/reset-password`

use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse};

use super::Message;
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::accounts::passwords::{RESET_DONE, Reset};

/// Sets a new password and ends every session of the account.
#[utoipa::path(
    post,
    path = "/api/users/reset-password",
    operation_id = "resetPassword",
    tag = "Signing in",
    request_body = Reset,
    responses((status = 200, description = "The password is changed.", body = Message)),
    security(())
)]
pub async fn reset(State(api): State<ApiState>, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let device = api.app.reset_password(&input).await?;
    let cookie = wire::set_device_cookie(api.cookies, &device);
    Ok((AppendHeaders([(SET_COOKIE, cookie)]), Json(Message { message: RESET_DONE })))
}
