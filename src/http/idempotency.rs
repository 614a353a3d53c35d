//! `Idempotency-Key`, for the calls whose description has it: reusing a key with another body is refused.

use axum::body::Body;
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::bearer::Bearer;
use super::problem::Problem;
use super::users::submission::conditions;
use super::{ApiState, json, openapi};

/// Handles keys of applicants' calls. A caller who is not signed in is refused by the call itself.
pub async fn of_applicant(State(api): State<ApiState>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let who = match keyed(&parts.method, parts.extensions.get(), &parts.headers) {
        Some(_) => Bearer::from_request_parts(&mut parts, &api).await.ok(),
        None => None,
    };
    let request = Request::from_parts(parts, body);
    match who {
        Some(Bearer(who)) => once(&api, &format!("applicant:{}", who.applicant.id), request, next).await,
        None => next.run(request).await,
    }
}

/// Answers the call, unless something else was sent under its key. `whose` says who the key belongs to.
pub async fn once(api: &ApiState, whose: &str, request: Request, next: Next) -> Response {
    let Some(key) = keyed(request.method(), request.extensions().get(), request.headers()) else {
        return next.run(request).await;
    };
    let (parts, body) = request.into_parts();
    let body = match json::raw(body).await {
        Ok(body) => body,
        Err(problem) => return problem.into_response(),
    };
    let path = openapi::described(parts.uri.path());
    let scope = [whose, parts.method.as_str(), &path, &key].join("\n");
    match api.app.claim_key(&scope, &String::from_utf8_lossy(&body)).await {
        Err(error) => Problem::from(error).into_response(),
        Ok(claim) => {
            let answer = next.run(Request::from_parts(parts, Body::from(body))).await;
            if answer.status().is_client_error() {
                api.app.give_back_key(claim).await;
            }
            answer
        }
    }
}

/// Returns the key of a call that takes one.
fn keyed(method: &Method, route: Option<&MatchedPath>, headers: &axum::http::HeaderMap) -> Option<String> {
    let key = conditions(headers).ok()?.key?;
    let parameters = openapi::call(method, route?.as_str()).get("parameters")?.as_array()?;
    parameters.iter().any(|parameter| parameter["name"] == "Idempotency-Key").then_some(key)
}
