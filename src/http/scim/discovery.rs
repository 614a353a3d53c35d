//! What a provider may ask about us (RFC 7644, section 4).

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use scim_v2::schema_urns;
use serde_json::{Value, json};

use super::lists::{MAX_COUNT, listed};
use super::problem::ScimProblem;
use super::{Answer, Caller, answer};

pub async fn config(Caller(api, _): Caller) -> Response {
    let none = json!({ "supported": false });
    let document = json!({
        "schemas": [schema_urns::SERVICE_PROVIDER_CONFIG],
        "patch": { "supported": true },
        "bulk": { "supported": false, "maxOperations": 0, "maxPayloadSize": 0 },
        "filter": { "supported": true, "maxResults": MAX_COUNT },
        "changePassword": none,
        "sort": none,
        "etag": none,
        "authenticationSchemes": [{
            "type": "oauthbearertoken",
            "name": "Bearer token",
            "description": "The token that an Owner of the office makes for the provider.",
            "primary": true,
        }],
        "meta": {
            "resourceType": "ServiceProviderConfig",
            "location": format!("{}/ServiceProviderConfig", api.app.scim_base_url()),
        },
    });
    answer(StatusCode::OK, &document)
}

pub async fn resource_types(Caller(api, _): Caller) -> Response {
    let types = types(&api.app.scim_base_url());
    answer(StatusCode::OK, &listed(types.len(), 1, types.to_vec()))
}

pub async fn resource_type(Caller(api, _): Caller, Path(name): Path<String>) -> Answer {
    one(&types(&api.app.scim_base_url()), &name)
}

pub async fn schemas(Caller(api, _): Caller) -> Response {
    let schemas = kept(&api.app.scim_base_url());
    answer(StatusCode::OK, &listed(schemas.len(), 1, schemas.to_vec()))
}

pub async fn schema(Caller(api, _): Caller, Path(urn): Path<String>) -> Answer {
    one(&kept(&api.app.scim_base_url()), &urn)
}

fn one(documents: &[Value], id: &str) -> Answer {
    let is_it = |document: &&Value| document["id"].as_str().is_some_and(|it| it.eq_ignore_ascii_case(id));
    match documents.iter().find(is_it) {
        Some(document) => Ok(answer(StatusCode::OK, document)),
        None => Err(ScimProblem::new(StatusCode::NOT_FOUND, "There is no such description.")),
    }
}

fn types(base: &str) -> [Value; 2] {
    [("User", "Members of staff", schema_urns::USER), ("Group", "Groups of staff", schema_urns::GROUP)].map(
        |(name, description, schema)| {
            json!({
                "schemas": [schema_urns::RESOURCE_TYPE],
                "id": name,
                "name": name,
                "description": description,
                "endpoint": format!("/{name}s"),
                "schema": schema,
                "meta": { "resourceType": "ResourceType", "location": format!("{base}/ResourceTypes/{name}") },
            })
        },
    )
}

/// The schemas, with exactly the attributes that are kept.
fn kept(base: &str) -> [Value; 2] {
    let read_only = || json!({ "mutability": "readOnly" });
    let reference = |to: &str| json!({ "mutability": "readOnly", "referenceTypes": [to] });
    let name = [
        attribute("formatted", "string", "Given and family name", read_only()),
        attribute("givenName", "string", "Given name", json!({})),
        attribute("familyName", "string", "Family name", json!({})),
    ];
    let email = [
        attribute("value", "string", "The address", json!({})),
        attribute("type", "string", "What it is for", json!({ "canonicalValues": ["work"] })),
        attribute("primary", "boolean", "Whether it is the one to keep", json!({})),
    ];
    let group = [
        attribute("value", "string", "The group's id", read_only()),
        attribute("$ref", "reference", "Where the group is", reference("Group")),
        attribute("display", "string", "The group's name", read_only()),
    ];
    let member = [
        attribute("value", "string", "The user's id", json!({ "mutability": "immutable" })),
        attribute("$ref", "reference", "Where the user is", reference("User")),
        attribute("type", "string", "What it is", json!({ "mutability": "immutable", "canonicalValues": ["User"] })),
        attribute("display", "string", "The user's name", read_only()),
    ];
    let unique = || json!({ "required": true, "uniqueness": "server" });
    let groups = json!({ "multiValued": true, "mutability": "readOnly", "subAttributes": group });
    let user = json!([
        attribute("userName", "string", "What the user logs in with at the provider", unique()),
        attribute("name", "complex", "The user's name in parts", json!({ "subAttributes": name })),
        attribute("displayName", "string", "The name that colleagues see", json!({})),
        attribute("emails", "complex", "One address is kept", json!({ "multiValued": true, "subAttributes": email })),
        attribute("active", "boolean", "Whether the user may log in", json!({})),
        attribute("groups", "complex", "The user's groups", groups),
    ]);
    let group = json!([
        attribute("displayName", "string", "The name that the rules for roles go by", unique()),
        attribute("members", "complex", "Users", json!({ "multiValued": true, "subAttributes": member })),
    ]);
    [("User", schema_urns::USER, user), ("Group", schema_urns::GROUP, group)].map(|(name, urn, attributes)| {
        json!({
            "schemas": [schema_urns::SCHEMA],
            "id": urn,
            "name": name,
            "attributes": attributes,
            "meta": { "resourceType": "Schema", "location": format!("{base}/Schemas/{urn}") },
        })
    })
}

/// Describes an attribute. `particular` says where it differs from others.
fn attribute(name: &str, kind: &str, description: &str, particular: Value) -> Value {
    let mut attribute = json!({
        "name": name,
        "type": kind,
        "multiValued": false,
        "description": description,
        "required": false,
        "caseExact": false,
        "mutability": "readWrite",
        "returned": "default",
        "uniqueness": "none",
    });
    for (property, value) in particular.as_object().into_iter().flatten() {
        attribute[property.as_str()] = value.clone();
    }
    attribute
}
