//! `/admins/admins…`: the list of staff.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::invitations::Invitation;
use super::{LoggedInStaff, StaffMember};
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::office::staff::{AdminChange, NewInvitation};
use domain::moments::rfc3339;

/// A member of staff in the list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedAdmin {
    #[serde(flatten)]
    member: StaffMember,
    /// Null if they have not been seen for a while.
    #[schema(required, format = DateTime)]
    last_seen_at: Option<String>,
}

/// All staff.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Admins {
    admins: Vec<ListedAdmin>,
    /// Newest first.
    invitations: Vec<Invitation>,
    second_factor_required: bool,
}

/// Lists all staff, and open invitations.
#[utoipa::path(
    get,
    path = "/api/admins/admins",
    operation_id = "listAdmins",
    tag = "Office: staff",
    responses((status = 200, description = "The list.", body = Admins))
)]
pub async fn list(State(api): State<ApiState>, LoggedInStaff(who): LoggedInStaff) -> Result<Json<Admins>, Problem> {
    let list = api.app.staff_list(&who).await?;
    let listed = list
        .all_staff
        .iter()
        .map(|listed| ListedAdmin { member: (&listed.staff).into(), last_seen_at: listed.last_seen_at.map(rfc3339) });
    Ok(Json(Admins {
        admins: listed.collect(),
        invitations: list.invitations.into_iter().map(Invitation::from).collect(),
        second_factor_required: list.second_factor_required,
    }))
}

/// Invites somebody by mail.
#[utoipa::path(
    post,
    path = "/api/admins/admins",
    operation_id = "inviteAdmin",
    tag = "Office: staff",
    request_body = NewInvitation,
    responses(
        (status = 201, description = "The invitation is sent.", body = Invitation),
        (status = 403, description = "`role.forbidden`"),
        (status = 409, description = "`email.taken`: the person has an account"),
        (status = 422, description = "`invitation.open`: the person is invited already"),
    )
)]
pub async fn invite(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    StrictJson(input): StrictJson,
) -> Result<(StatusCode, Json<Invitation>), Problem> {
    Ok((StatusCode::CREATED, Json(api.app.invite(&who, &input).await?.into())))
}

/// Changes somebody's role, or suspends or resumes their account.
///
/// Their sessions end, so that it takes effect with their next request.
#[utoipa::path(
    patch,
    path = "/api/admins/admins/{id}",
    operation_id = "changeAdmin",
    tag = "Office: staff",
    params(("id" = String, Path, description = "The account's id")),
    request_body = AdminChange,
    responses(
        (status = 200, description = "The account as it is now.", body = StaffMember),
        (status = 403, description = "`role.self`, `staff.self`, `role.forbidden`"),
        (status = 404, description = "`staff.not_found`"),
        (status = 409, description = "`staff.last_owner`, `staff.changed`"),
    )
)]
pub async fn change(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<Json<StaffMember>, Problem> {
    api.app.change_staff(&who, &id, &input).await?;
    Ok(Json((&api.app.staff_by_id(&id).await?).into()))
}

/// Removes a member of staff.
#[utoipa::path(
    delete,
    path = "/api/admins/admins/{id}",
    operation_id = "removeAdmin",
    tag = "Office: staff",
    params(("id" = String, Path, description = "The account's id")),
    responses(
        (status = 204, description = "The account is removed."),
        (status = 403, description = "`staff.self`, `role.forbidden`"),
        (status = 404, description = "`staff.not_found`"),
        (status = 409, description = "`staff.last_owner`"),
    )
)]
pub async fn remove(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.remove_staff(&who, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
