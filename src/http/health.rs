//! Answers what operators ask the server: whether it is alive, whether it may get requests, and what it has done.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use futures::future::{BoxFuture, join_all};
use tokio_util::sync::CancellationToken;

/// What the answers are made from; set by the server's wiring.
#[derive(Clone)]
pub struct Probes {
    /// What must work before requests are sent here, by name.
    pub checks: Vec<(&'static str, Check)>,
    /// Cancelled when the process is about to stop and nothing new should be sent here.
    pub draining: CancellationToken,
    /// The metrics in Prometheus' text format.
    pub metrics: Arc<dyn Fn() -> BoxFuture<'static, String> + Send + Sync>,
}

/// Checks whether one thing works now.
pub type Check = Arc<dyn Fn() -> BoxFuture<'static, bool> + Send + Sync>;

/// A check that takes longer counts as failed.
const PATIENCE: Duration = Duration::from_secs(2);

/// Builds the router of `/healthz`, `/readyz` and `/metrics`.
pub fn router(probes: Probes) -> Router {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(probes)
}

/// The process answers, whatever else is wrong: restarting it would not help.
async fn alive() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], "ok\n")
}

async fn ready(State(probes): State<Probes>) -> Response {
    let checks = probes
        .checks
        .iter()
        .map(|(name, check)| async move { (*name, tokio::time::timeout(PATIENCE, check()).await.unwrap_or(false)) });
    let results = join_all(checks).await;
    let is_ready = !probes.draining.is_cancelled() && results.iter().all(|(_, works)| *works);
    let results: serde_json::Map<_, _> =
        results.into_iter().map(|(name, works)| (name.to_owned(), works.into())).collect();
    let body =
        Json(serde_json::json!({ "ready": is_ready, "draining": probes.draining.is_cancelled(), "checks": results }));
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    if is_ready {
        (no_store, body).into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "5")], no_store, body).into_response()
    }
}

async fn metrics(State(probes): State<Probes>) -> impl IntoResponse {
    let text = (probes.metrics)().await;
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"), (header::CACHE_CONTROL, "no-store")], text)
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use tower::ServiceExt;

    use super::*;

    async fn get(works: bool, path: &str) -> (StatusCode, String) {
        let check: Check = Arc::new(move || Box::pin(async move { works }));
        let slow: Check = Arc::new(|| Box::pin(async { true }));
        let probes = Probes {
            checks: vec![("database", check), ("renderer", slow)],
            draining: CancellationToken::new(),
            metrics: Arc::new(|| Box::pin(async { "renders_total 7\n".into() })),
        };
        let response = router(probes).oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
        let status = response.status();
        let body = to_bytes(response.into_body(), 10_000).await.unwrap();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn readiness_names_what_does_not_work() {
        let ready = r#"{"ready":true,"draining":false,"checks":{"database":true,"renderer":true}}"#;
        assert_eq!(get(true, "/readyz").await, (StatusCode::OK, ready.into()));
        let (status, body) = get(false, "/readyz").await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(body, r#"{"ready":false,"draining":false,"checks":{"database":false,"renderer":true}}"#);
    }

    #[tokio::test]
    async fn liveness_and_metrics_do_not_depend_on_readiness() {
        assert_eq!(get(false, "/healthz").await, (StatusCode::OK, "ok\n".into()));
        assert_eq!(get(false, "/metrics").await, (StatusCode::OK, "renders_total 7\n".into()));
    }
}
