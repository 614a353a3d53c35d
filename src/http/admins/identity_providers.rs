//! `/admins/identity-providers…`: what staff log in with.

use std::collections::BTreeMap;

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::App;
use app::office::identity_providers::IdentityProviderInput;
use domain::moments::rfc3339;
use domain::role::Role;
use domain::sign_on::{IdentityProvider, Provisioning};

/// An identity provider, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = IdentityProvider)]
pub struct ListedProvider {
    id: String,
    /// The name on its login button.
    name: String,
    /// Whether applicants log in with it, and not staff.
    for_applicants: bool,
    #[schema(format = "uri")]
    issuer: String,
    client_id: String,
    /// The claim that lists somebody's groups.
    role_claim: String,
    /// The groups whose members have a role, by the role's name.
    roles: BTreeMap<String, Vec<String>>,
    /// The role of everybody else; null if they are refused.
    #[schema(required)]
    otherwise: Option<Role>,
    second_factor: bool,
    verified_emails: bool,
    #[schema(format = DateTime)]
    created_at: String,
    /// Number of members of staff, or of applicants, who log in with it.
    people: i64,
    /// Where it has to send people back to.
    #[schema(format = "uri")]
    redirect_uri: String,
    /// Where it can tell that a session has ended (back-channel logout); null if it is for applicants.
    #[schema(required, format = "uri")]
    logout_uri: Option<String>,
    /// Null if it does not send its users and groups.
    #[schema(required)]
    provisioning: Option<ListedProvisioning>,
    /// Where it can send its users and groups, by SCIM 2.0.
    #[schema(format = "uri")]
    scim_base_url: String,
}

impl ListedProvider {
    fn new(app: &App, provider: IdentityProvider) -> ListedProvider {
        ListedProvider {
            redirect_uri: app.sign_on_redirect_uri(provider.for_applicants),
            logout_uri: (!provider.for_applicants).then(|| app.sign_on_logout_uri(&provider.id)),
            scim_base_url: app.scim_base_url(),
            id: provider.id,
            name: provider.name,
            for_applicants: provider.for_applicants,
            issuer: provider.issuer,
            client_id: provider.client_id,
            role_claim: provider.role_claim,
            roles: provider.roles.groups,
            otherwise: provider.roles.otherwise,
            second_factor: provider.second_factor,
            verified_emails: provider.verified_emails,
            created_at: rfc3339(provider.created_at),
            people: provider.people,
            provisioning: provider.provisioning.map(ListedProvisioning::from),
        }
    }
}

/// What a provider has sent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Provisioning)]
pub struct ListedProvisioning {
    /// When its token was made.
    #[schema(format = DateTime)]
    since: String,
    /// Updated at most once a minute; null before the first call.
    #[schema(required, format = DateTime)]
    last_used_at: Option<String>,
    /// Number of users.
    users: i64,
    /// Number of groups.
    groups: i64,
}

impl From<Provisioning> for ListedProvisioning {
    fn from(provisioning: Provisioning) -> Self {
        ListedProvisioning {
            since: rfc3339(provisioning.since),
            last_used_at: provisioning.last_used_at.map(rfc3339),
            users: provisioning.users,
            groups: provisioning.groups,
        }
    }
}

/// Oldest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdentityProviders {
    identity_providers: Vec<ListedProvider>,
}

/// Whether a provider answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderCheck {
    /// What is wrong with its description or keys; null if nothing is.
    #[schema(required)]
    error: Option<String>,
}

/// What a provider sends its users and groups with, which is never shown again.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScimToken {
    /// Sent as `Authorization: Bearer TOKEN`.
    token: String,
    /// Where to.
    #[schema(format = "uri")]
    base_url: String,
}

/// Lists the identity providers that staff log in with.
#[utoipa::path(
    get,
    path = "/api/admins/identity-providers",
    operation_id = "listIdentityProviders",
    tag = "Office: staff",
    responses((status = 200, description = "The providers, without their secrets.", body = IdentityProviders))
)]
pub async fn list(request: StaffRequest) -> Result<Json<IdentityProviders>, Problem> {
    let found = request.app().identity_providers(&request.who).await?.into_iter();
    let listed = found.map(|provider| ListedProvider::new(request.app(), provider)).collect();
    Ok(Json(IdentityProviders { identity_providers: listed }))
}

/// Adds an identity provider. Staff can log in with it from then on.
#[utoipa::path(
    post,
    path = "/api/admins/identity-providers",
    operation_id = "createIdentityProvider",
    tag = "Office: staff",
    request_body = IdentityProviderInput,
    responses(
        (status = 201, description = "The provider.", body = ListedProvider),
        (status = 409, description = "`identity_provider.too_many`: at most 10"),
        (status = 422, description = "`issuer.unencrypted`, `clientSecret.required`, `otherwise.nobody` and the like"),
    )
)]
pub async fn create(
    request: StaffRequest,
    StrictJson(input): StrictJson,
) -> Result<(StatusCode, Json<ListedProvider>), Problem> {
    let made = request.app().create_identity_provider(&request.who, &input).await?;
    Ok((StatusCode::CREATED, Json(ListedProvider::new(request.app(), made))))
}

/// Loads an identity provider.
#[utoipa::path(
    get,
    path = "/api/admins/identity-providers/{id}",
    operation_id = "loadIdentityProvider",
    tag = "Office: staff",
    params(("id" = String, Path, description = "The provider's id")),
    responses(
        (status = 200, description = "The provider, without its secret.", body = ListedProvider),
        (status = 404, description = "`identity_provider.not_found`"),
    )
)]
pub async fn load(request: StaffRequest) -> Result<Json<ListedProvider>, Problem> {
    let found = request.app().identity_provider(&request.who, request.id()).await?;
    Ok(Json(ListedProvider::new(request.app(), found)))
}

/// Changes an identity provider.
///
/// Roles change when somebody logs in the next time, and at once for users that the provider has sent. With another
/// issuer, accounts are linked anew.
#[utoipa::path(
    patch,
    path = "/api/admins/identity-providers/{id}",
    operation_id = "changeIdentityProvider",
    tag = "Office: staff",
    params(("id" = String, Path, description = "The provider's id")),
    request_body = IdentityProviderInput,
    responses(
        (status = 200, description = "The provider as it is now.", body = ListedProvider),
        (status = 404, description = "`identity_provider.not_found`"),
    )
)]
pub async fn change(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<ListedProvider>, Problem> {
    let changed = request.app().change_identity_provider(&request.who, request.id(), &input).await?;
    Ok(Json(ListedProvider::new(request.app(), changed)))
}

/// Deletes an identity provider with the users and groups that it has sent, and ends the sessions that it has opened.
#[utoipa::path(
    delete,
    path = "/api/admins/identity-providers/{id}",
    operation_id = "deleteIdentityProvider",
    tag = "Office: staff",
    params(("id" = String, Path, description = "The provider's id")),
    responses(
        (status = 204, description = "It is deleted."),
        (status = 404, description = "`identity_provider.not_found`"),
    )
)]
pub async fn delete(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().delete_identity_provider(&request.who, request.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Loads an identity provider's description and keys from it.
#[utoipa::path(
    post,
    path = "/api/admins/identity-providers/{id}/check",
    operation_id = "checkIdentityProvider",
    tag = "Office: staff",
    params(("id" = String, Path, description = "The provider's id")),
    responses(
        (status = 200, description = "Whether it answers.", body = ProviderCheck),
        (status = 404, description = "`identity_provider.not_found`"),
    )
)]
pub async fn check(request: StaffRequest) -> Result<Json<ProviderCheck>, Problem> {
    let error = request.app().check_identity_provider(&request.who, request.id()).await?;
    Ok(Json(ProviderCheck { error }))
}

/// Makes the token that an identity provider sends its users and groups with, by SCIM 2.0. A former one stops working.
#[utoipa::path(
    post,
    path = "/api/admins/identity-providers/{id}/scim-token",
    operation_id = "makeScimToken",
    tag = "Office: staff",
    params(("id" = String, Path, description = "The provider's id")),
    responses(
        (status = 200, description = "The token, which is never shown again.", body = ScimToken),
        (status = 404, description = "`identity_provider.not_found`"),
    )
)]
pub async fn make_token(request: StaffRequest) -> Result<Json<ScimToken>, Problem> {
    let token = request.app().make_scim_token(&request.who, request.id()).await?;
    Ok(Json(ScimToken { token, base_url: request.app().scim_base_url() }))
}

/// Ends provisioning: deletes the token, and the users and groups that the provider has sent. Accounts stay as they are.
#[utoipa::path(
    delete,
    path = "/api/admins/identity-providers/{id}/scim-token",
    operation_id = "deleteScimToken",
    tag = "Office: staff",
    params(("id" = String, Path, description = "The provider's id")),
    responses(
        (status = 204, description = "There is no token, no user and no group."),
        (status = 404, description = "`identity_provider.not_found`"),
    )
)]
pub async fn delete_token(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().delete_scim_token(&request.who, request.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}
