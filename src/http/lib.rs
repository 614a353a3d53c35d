//! The JSON API: one file per group of endpoints. A handler extracts, calls one use case and maps the outcome; its
//! request, response and documentation are beside it.

pub mod admins;
mod bearer;
mod calls;
mod docs;
pub mod health;
mod idempotency;
mod json;
mod nulls;
mod openapi;
mod passkeys;
mod problem;
mod scim;
mod second_factor;
mod sign_on;
pub mod users;
mod webhooks;

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use axum::extract::FromRef;
use axum::http::{HeaderValue, Method, Uri, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::{any, get};
use tower_http::catch_panic::CatchPanicLayer;

pub use openapi::{openapi, openapi_json};
pub use problem::Problem;

use app::App;

use domain::sentence::{Sentence, spoken};
use problem::kind;
use wire::{CookieSettings, TrustedProxies};

/// State that the handlers need. Cheap to clone, as every request does.
#[derive(Clone)]
pub struct ApiState(Arc<ApiParts>);

pub struct ApiParts {
    pub app: App,
    pub cookies: CookieSettings,
    pub trusted_proxies: Arc<TrustedProxies>,
}

impl ApiState {
    pub fn new(app: App, cookies: CookieSettings, trusted_proxies: Arc<TrustedProxies>) -> Self {
        Self(Arc::new(ApiParts { app, cookies, trusted_proxies }))
    }
}

impl Deref for ApiState {
    type Target = ApiParts;

    fn deref(&self) -> &ApiParts {
        &self.0
    }
}

impl FromRef<ApiState> for Arc<TrustedProxies> {
    fn from_ref(state: &ApiState) -> Self {
        state.trusted_proxies.clone()
    }
}

impl FromRef<ApiState> for CookieSettings {
    fn from_ref(state: &ApiState) -> Self {
        state.cookies
    }
}

/// Builds the router of the API, under `/api` and identically under `/twentyEighty`, the name its first clients know it
/// by.
pub fn router(state: ApiState) -> Router {
    // A nested router does not match its own prefix followed by a slash.
    let stray = any(no_such_call).layer(map_response(guard_answer));
    Router::new()
        .route("/api/", stray.clone())
        .route("/twentyEighty/", stray)
        .nest("/api", whole(state.clone()))
        .nest("/twentyEighty", whole(state))
}

fn whole(state: ApiState) -> Router {
    Router::new()
        .nest("/users", users::router().layer(from_fn_with_state(state.clone(), idempotency::of_applicant)))
        .nest("/admins", admins::router(&state))
        .nest("/sign-on", sign_on::router())
        .nest("/scim/v2", scim::router())
        .nest("/webhooks", webhooks::router())
        .route("/openapi.json", get(openapi::document))
        .route("/docs", get(docs::page))
        .fallback(no_such_call)
        .method_not_allowed_fallback(wrong_method)
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(map_response(guard_answer))
        .with_state(state)
}

async fn no_such_call(method: Method, uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(100).collect();
    Problem::new(&kind::NOT_FOUND, Sentence::plain(format!("There is no call {method} {path}.")))
}

async fn wrong_method(method: Method) -> Problem {
    Problem::new(&kind::METHOD, Sentence::plain(format!("This call does not answer {method}.")))
}

/// Sets the headers of every response: it is about one person at one moment, is what it says it is, and is in the
/// requested language.
async fn guard_answer(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(spoken().as_str()));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
