//! `/admins/keys…`

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::LoggedInStaff;
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::office::staff::NewApiKey;
use domain::moments::rfc3339;
use domain::role::Role;

/// An API key, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiKey {
    id: String,
    /// What it is for.
    name: String,
    /// The role of calls with the key.
    role: Role,
    /// Only calls that change nothing.
    read_only: bool,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    expires_at: String,
    /// Updated at most once a minute; null before the first call.
    #[schema(required, format = DateTime)]
    last_used_at: Option<String>,
}

impl From<domain::api_key::ApiKey> for ApiKey {
    fn from(key: domain::api_key::ApiKey) -> Self {
        ApiKey {
            id: key.id,
            name: key.name,
            role: key.role,
            read_only: key.read_only,
            created_at: rfc3339(key.created_at),
            expires_at: rfc3339(key.expires_at),
            last_used_at: key.last_used_at.map(rfc3339),
        }
    }
}

/// Newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApiKeys {
    keys: Vec<ApiKey>,
}

/// A new key with its secret, which is never shown again.
#[derive(Debug, Serialize, ToSchema)]
pub struct SecretApiKey {
    #[serde(flatten)]
    key: ApiKey,
    /// Sent as `Authorization: Bearer SECRET`.
    secret: String,
}

/// Your own API keys, expired ones too.
#[utoipa::path(
    get,
    path = "/api/admins/keys",
    operation_id = "listApiKeys",
    tag = "Office: own account",
    responses((status = 200, description = "The keys, without their secrets.", body = ApiKeys))
)]
pub async fn list(State(api): State<ApiState>, LoggedInStaff(who): LoggedInStaff) -> Result<Json<ApiKeys>, Problem> {
    let keys = api.app.api_keys(&who).await?;
    Ok(Json(ApiKeys { keys: keys.into_iter().map(ApiKey::from).collect() }))
}

/// Makes an API key, with which a program calls in your name. It makes no call that asks for a password again, and none about your own account.
#[utoipa::path(
    post,
    path = "/api/admins/keys",
    operation_id = "createApiKey",
    tag = "Office: own account",
    request_body = NewApiKey,
    responses(
        (status = 201, description = "The key and its secret, which is never shown again.", body = SecretApiKey),
        (status = 409, description = "`key.too_many`: at most 20 keys"),
        (status = 422, description = "`role.exceeds`: a role that yours does not include"),
    )
)]
pub async fn create(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let made = api.app.create_api_key(&who, &input).await?;
    let body = SecretApiKey { key: made.key.into(), secret: made.secret };
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(body)))
}

/// Revokes one of your API keys. Calls with it are refused from now on.
#[utoipa::path(
    delete,
    path = "/api/admins/keys/{id}",
    operation_id = "revokeApiKey",
    tag = "Office: own account",
    params(("id" = String, Path, description = "The key's id")),
    responses(
        (status = 204, description = "It is revoked."),
        (status = 404, description = "`key.not_found`"),
    )
)]
pub async fn revoke(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.revoke_api_key(&who, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
