//! `POST /admins/step-up`

use axum::extract::State;
use axum::http::StatusCode;

use super::LoggedInStaff;
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::office::staff::StepUp;
use wire::Client;

/// Confirms the password again.
///
/// For five minutes, calls that answered `auth.step_up` are let through. An idle session becomes usable again.
#[utoipa::path(
    post,
    path = "/api/admins/step-up",
    operation_id = "stepUp",
    tag = "Office: signing in",
    request_body = StepUp,
    responses(
        (status = 204, description = "It is the right one."),
        (status = 422, description = "`password.wrong`, `code.required`, `code.wrong`"),
    )
)]
pub async fn step_up(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<StatusCode, Problem> {
    api.app.step_up(&who, &input, &caller).await?;
    Ok(StatusCode::NO_CONTENT)
}
