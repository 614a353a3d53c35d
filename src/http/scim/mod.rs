//! `/scim/v2/…`: identity providers keep their users and groups up to date here (SCIM 2.0, RFC 7643 and 7644). A
//! handler makes one document of what is stored, or reads one that was sent; what is lenient here is what Entra ID and
//! Okta need.

mod attributes;
mod discovery;
mod filters;
mod groups;
mod lists;
mod patches;
mod problem;
mod users;

use std::any::Any;

use axum::Router;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use scim_v2::models::errors::ScimType;
use serde_json::{Value, json};
use tower_http::catch_panic::CatchPanicLayer;

use super::{ApiState, bearer, json};
use domain::moments::{Millis, rfc3339};
use domain::sign_on::IdentityProvider;
use problem::ScimProblem;

type Answer = Result<Response, ScimProblem>;

/// What bodies may be announced as.
const CONTENT_TYPES: [&str; 2] = ["application/scim+json", "application/json"];

pub(super) fn router() -> Router<ApiState> {
    let user = get(users::load).put(users::replace).patch(users::patch).delete(users::delete);
    let group = get(groups::load).put(groups::replace).patch(groups::patch).delete(groups::delete);
    Router::new()
        .route("/ServiceProviderConfig", get(discovery::config))
        .route("/ResourceTypes", get(discovery::resource_types))
        .route("/ResourceTypes/{name}", get(discovery::resource_type))
        .route("/Schemas", get(discovery::schemas))
        .route("/Schemas/{urn}", get(discovery::schema))
        .route("/Users", get(users::list).post(users::create))
        .route("/Users/{id}", user)
        .route("/Groups", get(groups::list).post(groups::create))
        .route("/Groups/{id}", group)
        .fallback(no_such_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(CatchPanicLayer::custom(panicked))
}

/// Extracts the provider whose token was sent.
struct Caller(ApiState, IdentityProvider);

impl FromRequestParts<ApiState> for Caller {
    type Rejection = ScimProblem;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, ScimProblem> {
        let token = bearer::token(&parts.headers).unwrap_or_default();
        match api.app.provider_of_scim_token(token).await? {
            Some(provider) => Ok(Caller(api.clone(), provider)),
            None => {
                let detail = "Send the token of this provider, as in Authorization: Bearer TOKEN.";
                Err(ScimProblem::new(StatusCode::UNAUTHORIZED, detail))
            }
        }
    }
}

/// Hides from strangers what there is.
async fn no_such_path(_: Caller, uri: Uri) -> ScimProblem {
    let path: String = uri.path().chars().take(100).collect();
    ScimProblem::new(StatusCode::NOT_FOUND, format!("There is nothing at {path}."))
}

async fn wrong_method(_: Caller, method: Method) -> ScimProblem {
    ScimProblem::new(StatusCode::METHOD_NOT_ALLOWED, format!("This does not answer {method}."))
}

fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let status = super::problem::panicked(panic).status();
    ScimProblem::new(status, "Something went wrong on our side. Nothing was changed. Try again.").into_response()
}

/// Extracts a JSON object.
struct ScimBody(Value);

impl<S: Send + Sync> FromRequest<S> for ScimBody {
    type Rejection = ScimProblem;

    async fn from_request(request: Request, _: &S) -> Result<Self, ScimProblem> {
        let announced = json::content_type(request.headers());
        if !CONTENT_TYPES.iter().any(|known| known.eq_ignore_ascii_case(announced)) {
            let detail = "Send Content-Type: application/scim+json.";
            return Err(ScimProblem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
        }
        let body = json::checked(request.into_body()).await?;
        // What is checked more loosely than serde_json does: numbers such as NaN.
        let invalid = |_| ScimProblem::bad(ScimType::InvalidSyntax, "The request body is not valid JSON.");
        serde_json::from_slice(&body).map(ScimBody).map_err(invalid)
    }
}

fn answer(status: StatusCode, document: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/scim+json")], document.to_string()).into_response()
}

fn created(document: &Value) -> Response {
    let location = document["meta"]["location"].as_str().unwrap_or_default().to_owned();
    ([(header::LOCATION, location)], answer(StatusCode::CREATED, document)).into_response()
}

/// Where a user or group is; `kind` is `User` or `Group`.
fn location(base: &str, kind: &str, id: &str) -> String {
    format!("{base}/{kind}s/{id}")
}

fn meta(base: &str, kind: &str, id: &str, created_at: Millis, changed_at: Millis) -> Value {
    json!({
        "resourceType": kind,
        "created": rfc3339(created_at),
        "lastModified": rfc3339(changed_at),
        "location": location(base, kind, id),
    })
}
