//! `POST /users/logout`

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse};

use crate::ApiState;
use crate::bearer::Bearer;
use crate::problem::Problem;

/// Ends the session of the token and of its cookie at once.
#[utoipa::path(
    post,
    path = "/api/users/logout",
    operation_id = "logout",
    tag = "Signing in",
    responses((status = 204, description = "The session has ended."))
)]
pub async fn logout(State(api): State<ApiState>, Bearer(who): Bearer) -> Result<impl IntoResponse, Problem> {
    api.app.log_out(&who).await?;
    let cookie = wire::clear_session_cookie(api.cookies);
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(header::SET_COOKIE, cookie)])))
}
