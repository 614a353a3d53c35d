//! `POST /admins/login`, `POST /admins/logout`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::{LoggedInStaff, StaffSignedIn};
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::accounts::login::Credentials;
use wire::Client;

/// Signs a member of staff in.
///
/// For programs. The pages log in at `/admin-panel/login`, and get their token from `POST /admin-panel/token`.
#[utoipa::path(
    post,
    path = "/api/admins/login",
    operation_id = "logInStaff",
    tag = "Office: signing in",
    request_body = Credentials,
    responses(
        (status = 200, description = "The session.", body = StaffSignedIn),
        (status = 401, description = "`auth.invalid`"),
        (status = 403, description = "`staff.suspended`"),
        (status = 422, description = "`code.required`, `code.wrong`"),
    ),
    security(())
)]
pub async fn login(
    State(api): State<ApiState>,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<Json<StaffSignedIn>, Problem> {
    let entered = api.app.log_in_staff_at_once(&input, &caller).await?;
    Ok(Json(StaffSignedIn { token: entered.secrets.token, admin: (&entered.staff).into() }))
}

/// Ends the session.
#[utoipa::path(
    post,
    path = "/api/admins/logout",
    operation_id = "logOutStaff",
    tag = "Office: signing in",
    responses((status = 204, description = "The session has ended."))
)]
pub async fn logout(State(api): State<ApiState>, LoggedInStaff(who): LoggedInStaff) -> Result<StatusCode, Problem> {
    api.app.log_out_staff(&who).await?;
    Ok(StatusCode::NO_CONTENT)
}
