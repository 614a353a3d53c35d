//! `GET /users/application/copy`

use axum::extract::State;
use axum::response::IntoResponse;

use crate::ApiState;
use crate::bearer::Bearer;
use crate::problem::Problem;

/// Returns the latest submission as a PDF.
///
/// As it was when submitted, whatever was changed since. Tagged, with embedded fonts (PDF/UA-1).
#[utoipa::path(
    get,
    path = "/api/users/application/copy",
    operation_id = "applicationCopy",
    tag = "Application",
    responses(
        (status = 200, description = "The file.", content_type = "application/pdf", body = [u8]),
        (status = 404, description = "`submission.none`: nothing was submitted"),
    )
)]
pub async fn load(State(api): State<ApiState>, Bearer(who): Bearer) -> Result<impl IntoResponse, Problem> {
    Ok(wire::pdf(&api.app.application_copy(&who).await?))
}
