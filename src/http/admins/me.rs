//! `/admins/me`, `POST /admins/password`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::{LoggedInStaff, StaffMember};
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::accounts::passwords::PasswordChange;
use app::office::staff::StaffName;
use domain::permission::Permission;
use wire::Client;

/// The member of staff who is signed in, and what they may do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    #[serde(flatten)]
    member: StaffMember,
    /// Such as `decisions.release`.
    #[schema(value_type = Vec<String>)]
    permissions: Vec<Permission>,
    /// Whether all staff must have a second factor.
    second_factor_required: bool,
}

/// Returns the account that is signed in.
#[utoipa::path(
    get,
    path = "/api/admins/me",
    operation_id = "loadStaffMember",
    tag = "Office: own account",
    responses((status = 200, description = "The account.", body = Me))
)]
pub async fn me(LoggedInStaff(who): LoggedInStaff) -> Json<Me> {
    Json(Me {
        member: (&who.staff).into(),
        permissions: who.staff.role.permissions().collect(),
        second_factor_required: who.second_factor_required,
    })
}

/// Changes the name.
#[utoipa::path(
    patch,
    path = "/api/admins/me",
    operation_id = "renameStaffMember",
    tag = "Office: own account",
    request_body = StaffName,
    responses((status = 204, description = "The name is changed."))
)]
pub async fn change(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    StrictJson(input): StrictJson,
) -> Result<StatusCode, Problem> {
    api.app.rename_staff(&who, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Changes the password and ends every other session.
#[utoipa::path(
    post,
    path = "/api/admins/password",
    operation_id = "changeStaffPassword",
    tag = "Office: own account",
    request_body = PasswordChange,
    responses((status = 204, description = "The password is changed."))
)]
pub async fn change_password(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<StatusCode, Problem> {
    api.app.change_staff_password(&who, &input, &caller).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes the caller's own account.
#[utoipa::path(
    delete,
    path = "/api/admins/me",
    operation_id = "leaveOffice",
    tag = "Office: own account",
    responses(
        (status = 204, description = "The account is removed."),
        (status = 401, description = "`auth.step_up`"),
        (status = 409, description = "`staff.last_owner`"),
    )
)]
pub async fn leave(State(api): State<ApiState>, LoggedInStaff(who): LoggedInStaff) -> Result<StatusCode, Problem> {
    api.app.leave_office(&who).await?;
    Ok(StatusCode::NO_CONTENT)
}
