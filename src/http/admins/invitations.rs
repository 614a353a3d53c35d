//! `/admins/invitations…`

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::LoggedInStaff;
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::office::staff::InvitationAnswer;
use domain::moments::rfc3339;
use domain::role::Role;
use wire::Client;

/// An invitation that was neither accepted nor revoked.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    id: String,
    email: String,
    role: Role,
    #[schema(format = DateTime)]
    sent_at: String,
    /// It can be sent again after that.
    #[schema(format = DateTime)]
    expires_at: String,
}

impl From<domain::staff::Invitation> for Invitation {
    fn from(invitation: domain::staff::Invitation) -> Self {
        Invitation {
            id: invitation.id,
            email: invitation.email,
            role: invitation.role,
            sent_at: rfc3339(invitation.sent_at),
            expires_at: rfc3339(invitation.expires_at),
        }
    }
}

/// The token of a new session.
#[derive(Debug, Serialize, ToSchema)]
pub struct StaffToken {
    token: String,
}

/// Accepts an invitation: creates the account and signs it in.
#[utoipa::path(
    post,
    path = "/api/admins/invitations/accept",
    operation_id = "takeInvitation",
    tag = "Office: signing in",
    request_body = InvitationAnswer,
    responses(
        (status = 201, description = "The account is there.", body = StaffToken),
        (status = 404, description = "`invitation.none`"),
    ),
    security(())
)]
pub async fn accept(
    State(api): State<ApiState>,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<(StatusCode, Json<StaffToken>), Problem> {
    let secrets = api.app.take_invitation(&input, &caller).await?;
    Ok((StatusCode::CREATED, Json(StaffToken { token: secrets.token })))
}

/// Sends an invitation again; the previous link stops working.
#[utoipa::path(
    post,
    path = "/api/admins/invitations/{id}/resend",
    operation_id = "resendInvitation",
    tag = "Office: staff",
    params(("id" = String, Path, description = "The invitation's id")),
    responses(
        (status = 200, description = "It is sent.", body = Invitation),
        (status = 404, description = "`invitation.none`"),
    )
)]
pub async fn resend(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<Json<Invitation>, Problem> {
    Ok(Json(api.app.resend_invitation(&who, &id).await?.into()))
}

/// Revokes an invitation.
#[utoipa::path(
    delete,
    path = "/api/admins/invitations/{id}",
    operation_id = "revokeInvitation",
    tag = "Office: staff",
    params(("id" = String, Path, description = "The invitation's id")),
    responses(
        (status = 204, description = "Its link does not work any more."),
        (status = 404, description = "`invitation.none`"),
    )
)]
pub async fn revoke(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.revoke_invitation(&who, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
