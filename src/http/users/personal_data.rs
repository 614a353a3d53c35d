//! `GET /users/personal-data`

use axum::extract::State;
use axum::response::Response;

use crate::http::bearer::Bearer;
use crate::http::problem::Problem;
use crate::http::{ApiState, wire};

/// Everything stored about the applicant, as a zip.
///
/// It holds `data.json` and a `README.txt` that tells what is in it.
#[utoipa::path(
    get,
    path = "/api/users/personal-data",
    operation_id = "personalData",
    tag = "Account",
    responses(
        (status = 200, description = "The archive.", content_type = "application/zip"),
        (status = 429, description = "`rate_limited`"),
    )
)]
pub async fn download(State(api): State<ApiState>, Bearer(who): Bearer) -> Result<Response, Problem> {
    Ok(wire::archive(api.app.personal_data(&who).await?))
}
