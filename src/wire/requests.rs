//! The id of each request, its line in the log and its place in the metrics.

use std::sync::{Arc, LazyLock};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use metrics::{Gauge, SharedString};
use tracing::Instrument;

use super::language::{accepted_language, in_language};
use telemetry::Span;

/// The header that carries the id in both directions.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

tokio::task_local! {
    static CURRENT: String;
}

/// A response extension: the label that a request counts under if no route of the router names it.
#[derive(Debug, Clone, Copy)]
pub struct RouteLabel(pub &'static str);

/// Returns the id of the current request; empty outside of one. Users quote it when something went wrong, and every log
/// line of the request carries it.
pub fn request_id() -> String {
    CURRENT.try_with(Clone::clone).unwrap_or_default()
}

/// Returns the name that a method counts under: anybody can make up others.
fn known(method: &Method) -> &'static str {
    ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
        .into_iter()
        .find(|known| *known == method.as_str())
        .unwrap_or("other")
}

/// Whether it is a probe, which is requested all the time and does nothing worth a trace.
fn is_probe(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | "/metrics")
}

/// A request being answered, until it is done or the client gives up.
struct InFlight;

/// Looked up once instead of twice for each request.
static IN_FLIGHT: LazyLock<Gauge> = LazyLock::new(|| metrics::gauge!("http_requests_in_flight"));

impl InFlight {
    fn new() -> InFlight {
        IN_FLIGHT.increment(1);
        InFlight
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        IN_FLIGHT.decrement(1);
    }
}

/// Middleware for the whole server: gives the request its id (the sender's, if it is a sensible one), a span, a log
/// line and its metrics, `http_requests_total` and `http_request_duration_seconds`. Queries are not logged, as they
/// carry reset tokens; neither are secrets in paths.
/// Every response gets those of `headers` that it does not have. Whatever is serialised meanwhile is in the language
/// that the request asks for, unless a document sets its own.
pub async fn track(State(headers): State<Arc<[(HeaderName, HeaderValue)]>>, request: Request, next: Next) -> Response {
    let id = request.headers().get(REQUEST_ID).and_then(sensible).unwrap_or_else(new_id);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let span = tracing::info_span!("request", id);
    let route = request.extensions().get::<MatchedPath>().cloned();
    let known_method = known(&method);
    let trace = if is_probe(&path) { Span::default() } else { telemetry::request(known_method, request.headers()) };
    let started = Instant::now();
    let _in_flight = InFlight::new();
    let language = accepted_language(request.headers());
    let answer = CURRENT.scope(id.clone(), next.run(request).instrument(span));
    let mut response = in_language(language, trace.within(answer)).await;
    let status = response.status().as_u16();
    let took = started.elapsed();
    let label = response.extensions().get::<RouteLabel>().map(|label| SharedString::const_str(label.0));
    let route = label.or(route.map(|matched| matched.as_str().to_owned().into())).unwrap_or_else(|| "other".into());
    let (path, trace_id) = (logged(&path, &route), trace.trace_id());
    // Outside the span, whose fields would be read and written again for this line of every request.
    tracing::info!(id, %method, path, status, milliseconds = took.as_millis() as u64, trace_id, "answered");
    trace.answered(known_method, &route, status);
    let method = SharedString::const_str(known_method);
    metrics::counter!(
        "http_requests_total", "route" => route.clone(), "method" => method.clone(), "status" => status.to_string()
    )
    .increment(1);
    metrics::histogram!("http_request_duration_seconds", "route" => route, "method" => method)
        .record(took.as_secs_f64());
    let id = HeaderValue::try_from(id).expect("an id is ASCII letters, digits, dots, dashes and underscores");
    response.headers_mut().insert(REQUEST_ID, id);
    for (name, value) in headers.iter() {
        response.headers_mut().entry(name).or_insert_with(|| value.clone());
    }
    response
}

/// Returns the path as it is logged. If its last part is a secret that grants access, the route's pattern takes its
/// place.
fn logged<'a>(path: &'a str, route: &'a str) -> &'a str {
    let is_secret = |known: &&str| path.starts_with(*known) || route.starts_with(*known);
    if ["/calendar/", "/verify/"].iter().any(is_secret) { route } else { path }
}

/// Returns an id that can appear in logs and responses unescaped.
fn sensible(value: &HeaderValue) -> Option<String> {
    let text = value.to_str().ok()?;
    let allowed = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_' | b'-');
    ((1..=64).contains(&text.len()) && text.bytes().all(allowed)).then(|| text.to_owned())
}

fn new_id() -> String {
    format!("{:016x}", rand::random::<u64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_paths_are_not_logged() {
        assert_eq!(logged("/calendar/kAx9.ics", "/calendar/{file}"), "/calendar/{file}");
        assert_eq!(logged("/verify/7Q2M-K4XN", "/verify/{code}"), "/verify/{code}");
        // As left by a handler that panicked, and as written by somebody who hides it.
        assert_eq!(logged("/verify/7Q2M-K4XN", "other"), "other");
        assert_eq!(logged("/%76erify/7Q2M-K4XN", "/verify/{code}"), "/verify/{code}");
        assert_eq!(logged("/dashboard/messages/17", "/dashboard/messages/{id}"), "/dashboard/messages/17");
    }

    #[test]
    fn only_sensible_ids_are_taken_over() {
        let taken = |text: &'static str| sensible(&HeaderValue::from_static(text));
        assert_eq!(taken("edge-7.A_b").as_deref(), Some("edge-7.A_b"));
        for refused in ["", "two words", "<script>", "a\tb", &"x".repeat(65)] {
            assert_eq!(sensible(&HeaderValue::try_from(refused).unwrap()), None, "{refused:?}");
        }
        assert!(sensible(&HeaderValue::try_from(new_id()).unwrap()).is_some());
    }
}
