//! `GET /admins/sessions`, `DELETE /admins/sessions`, `DELETE /admins/sessions/{id}`

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use super::LoggedInStaff;
use crate::ApiState;
use crate::problem::Problem;
use crate::users::sessions::{Ended, Sessions};

/// Lists the caller's open sessions.
#[utoipa::path(
    get,
    path = "/api/admins/sessions",
    operation_id = "listStaffSessions",
    tag = "Office: own account",
    responses((status = 200, description = "All open sessions.", body = Sessions))
)]
pub async fn list(State(api): State<ApiState>, LoggedInStaff(who): LoggedInStaff) -> Result<Json<Sessions>, Problem> {
    let sessions = api.app.list_staff_sessions(&who).await?;
    Ok(Json(Sessions::new(sessions, &who.session.id)))
}

/// Ends one of the caller's sessions at once.
#[utoipa::path(
    delete,
    path = "/api/admins/sessions/{id}",
    operation_id = "endStaffSession",
    tag = "Office: own account",
    params(("id" = String, Path, description = "The session's id")),
    responses(
        (status = 204, description = "The session has ended."),
        (status = 404, description = "`session.not_found`"),
    )
)]
pub async fn end(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.end_staff_session(&who, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends all of the caller's sessions except the current one.
#[utoipa::path(
    delete,
    path = "/api/admins/sessions",
    operation_id = "endOtherStaffSessions",
    tag = "Office: own account",
    responses((status = 200, description = "The others have ended.", body = Ended))
)]
pub async fn end_others(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
) -> Result<Json<Ended>, Problem> {
    Ok(Json(Ended::new(api.app.end_other_staff_sessions(&who).await?)))
}
