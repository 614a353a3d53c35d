//! Turns a page into a response.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::body::Body;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::document::{self, Trust};
use super::page::{CrashProps, Page, Screen};
use super::{Visit, assets};
use domain::sentence::speaking;
use domain::text;
use render::{Origin, RenderError};

/// Whether this is a soft navigation, which expects the page as JSON.
pub fn wants_json(visit: &Visit) -> bool {
    visit.parts.headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes().starts_with(b"application/json"))
}

/// Returns the page: as JSON for a soft navigation, else as a document.
pub async fn page(visit: &Visit, page: Page) -> Response {
    let json = serialise(&page);
    if wants_json(visit) {
        let status = StatusCode::from_u16(page.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        return private((status, [(header::CONTENT_TYPE, "application/json")], json).into_response());
    }
    document(visit, page, json).await
}

/// Returns the page's JSON, in its language: the text that is rendered, hydrated and navigated with.
pub fn serialise(page: &Page) -> String {
    let mut json = Vec::with_capacity(USUAL_JSON);
    let write = || serde_json::to_writer(&mut json, page).expect("a page is plain data with text keys");
    speaking(page.shared.language, write);
    String::from_utf8(json).expect("JSON is text")
}

/// A capacity, in bytes, that is enough for the JSON of most pages.
const USUAL_JSON: usize = 8 * 1024;

/// The result of rendering.
pub enum Rendered {
    Html(String),
    /// The screen threw: 500, with the crash screen in its place.
    Crashed,
    /// The engine was too busy or had to be stopped: 503, and the browser renders.
    Unavailable,
}

pub async fn render(visit: &Visit, page: &Page, json: &str) -> Rendered {
    let route = page.screen.route();
    let origin = Origin { screen: route, page: origin_of(visit) };
    match visit.state.renderer.render(origin, assets::bundle_of(page.shared.language), json.to_owned()).await {
        Ok(html) => Rendered::Html(html),
        Err(error) => {
            match &error {
                // We are shutting down, and late requests are told to come again.
                RenderError::Stopped => tracing::info!(route, "a page came too late to be rendered"),
                _ => tracing::error!(error = &error as &dyn std::error::Error, route, "a page could not be rendered"),
            }
            match error {
                RenderError::Threw { .. } => Rendered::Crashed,
                _ => Rendered::Unavailable,
            }
        }
    }
}

/// Identifies what is shown to whom at which address.
fn origin_of(visit: &Visit) -> u64 {
    let Visit { parts, visitor, .. } = visit;
    let mut hasher = DefaultHasher::new();
    parts.uri.path_and_query().map(PathAndQuery::as_str).hash(&mut hasher);
    visitor.signed_in.as_ref().map(|signed_in| &signed_in.applicant.id).hash(&mut hasher);
    visitor.staff.as_ref().map(|session| &session.staff.id).hash(&mut hasher);
    hasher.finish()
}

async fn document(visit: &Visit, mut page: Page, mut json: String) -> Response {
    let route = page.screen.route();
    let mut rendered = render(visit, &page, &json).await;
    if matches!(rendered, Rendered::Crashed) && route != "crash" {
        page.screen = Screen::Crash(CrashProps {
            message: text!("An unexpected error occurred"),
            request_id: wire::request_id(),
        });
        page.status = 500;
        page.head = visit.private_head(text!("Something went wrong"));
        page.shared.fault = None;
        json = serialise(&page);
        rendered = render(visit, &page, &json).await;
    }
    let body = match &rendered {
        Rendered::Html(html) => document::Body::Rendered(html),
        Rendered::Crashed | Rendered::Unavailable => {
            page.status = if page.status < 500 { 503 } else { page.status };
            json = serialise(&page);
            document::Body::ClientOnly
        }
    };
    let status = StatusCode::from_u16(page.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let trust = Trust::once();
    let assets = assets::entry_for(page.screen.route(), page.shared.language);
    let https = visit.state.cookies.secure;
    let html = document::write(&page, &json, body, &assets, &trust);
    let frames = page.screen.route().starts_with("admin");
    // On pages for card payments, one of our forms ends at the provider.
    let takes_cards = matches!(page.screen, Screen::Payments(_) | Screen::Fee(_));
    let provider = visit.state.app.cards.as_ref().filter(|_| takes_cards);
    let forms_to = provider.map(|provider| provider.checkout_origin());
    let mut response = private(html_response(status, html, &trust.policy(&assets, https, frames, forms_to)));
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
    }
    response
}

pub fn html_response(status: StatusCode, body: impl Into<Body>, policy: &str) -> Response {
    let policy = HeaderValue::try_from(policy).expect("a policy is made of our own words, a hash and a nonce");
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::VARY, HeaderValue::from_static(VARY)),
    ];
    (status, headers, body.into()).into_response()
}

/// What a document depends on besides its address.
const VARY: &str = "Accept, Accept-Language, Cookie";

/// Marks a response as not to be cached: it belongs to one person and one moment.
fn private(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(header::VARY, HeaderValue::from_static(VARY));
    response
}

/// Returns a 302, or the target as JSON for a soft navigation. `to` is one of our own paths.
pub fn redirect(visit: &Visit, to: &str) -> Response {
    if wants_json(visit) {
        let json = serde_json::json!({ "redirect": to }).to_string();
        return private(([(header::CONTENT_TYPE, "application/json")], json).into_response());
    }
    private(located(StatusCode::FOUND, to))
}

/// Returns a 303 after a posted form. `to` is one of our own paths.
pub fn see_other(to: &str) -> Response {
    private(located(StatusCode::SEE_OTHER, to))
}

/// Returns a 303 with cookies.
pub fn see_other_with(to: &str, cookies: impl IntoIterator<Item = HeaderValue>) -> Response {
    with_cookies(see_other(to), cookies)
}

pub fn with_cookies(mut response: Response, cookies: impl IntoIterator<Item = HeaderValue>) -> Response {
    for cookie in cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

fn located(status: StatusCode, to: &str) -> Response {
    match HeaderValue::try_from(to) {
        Ok(location) => (status, [(header::LOCATION, location)]).into_response(),
        // A path that no header can carry is not one of ours.
        Err(_) => (status, [(header::LOCATION, HeaderValue::from_static("/"))]).into_response(),
    }
}

/// Returns the headers of every response, document or not.
pub fn security_headers(https: bool) -> Vec<(HeaderName, HeaderValue)> {
    let mut headers = vec![
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
        (
            HeaderName::from_static("permissions-policy"),
            HeaderValue::from_static("camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
        ),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    ];
    if https {
        let value = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.push((header::STRICT_TRANSPORT_SECURITY, value));
    }
    headers
}
