//! `POST /users/personal-data`

use axum::extract::State;
use axum::response::Response;

use crate::ApiState;
use crate::bearer::Bearer;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::accounts::passwords::PasswordAgain;
use wire::Client;

/// Returns everything stored about the applicant, as a zip.
///
/// Contains `data.json` and a `README.txt` that explains it.
#[utoipa::path(
    post,
    path = "/api/users/personal-data",
    operation_id = "personalData",
    tag = "Account",
    request_body = PasswordAgain,
    responses(
        (status = 200, description = "The archive.", content_type = "application/zip"),
        (status = 429, description = "`rate_limited`, `auth.throttled`"),
    )
)]
pub async fn download(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<Response, Problem> {
    Ok(wire::archive(api.app.personal_data(&who, &input, &caller).await?))
}
