//! `POST /users/forgot-password`

use axum::Json;
use axum::extract::State;

use super::Message;
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::accounts::passwords::{RESET_REQUESTED, ResetRequest};
use wire::Client;

/// Mails a link to reset the password, if there is such an account.
///
/// The response does not reveal whether there is.
#[utoipa::path(
    post,
    path = "/api/users/forgot-password",
    operation_id = "forgotPassword",
    tag = "Signing in",
    request_body = ResetRequest,
    responses((status = 200, description = "The same for every address, in the same time.", body = Message)),
    security(())
)]
pub async fn request(
    State(api): State<ApiState>,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<Json<Message>, Problem> {
    api.app.request_reset(&input, &caller).await?;
    Ok(Json(Message { message: RESET_REQUESTED }))
}
