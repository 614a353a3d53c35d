//! A collector of traces (OTLP over HTTP) that keeps what it receives.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use prost::Message;
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

/// A span as received.
#[derive(Debug, Clone)]
pub struct Traced {
    pub service: String,
    pub trace: String,
    pub id: String,
    pub parent: String,
    pub name: String,
    pub failed: bool,
    attributes: Vec<KeyValue>,
}

impl Traced {
    /// An attribute, as text; empty if missing.
    pub fn get(&self, name: &str) -> String {
        attribute(&self.attributes, name)
    }
}

/// The collector. It ends on drop.
pub struct Collector {
    /// The value of `OTEL_EXPORTER_OTLP_ENDPOINT` for the product.
    pub url: String,
    received: Arc<Received>,
    serving: AbortHandle,
}

#[derive(Default)]
struct Received {
    spans: Mutex<Vec<Traced>>,
    bytes: Mutex<Vec<u8>>,
}

impl Collector {
    pub async fn start() -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let received = Arc::new(Received::default());
        let router = Router::new().route("/v1/traces", post(receive)).with_state(received.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await });
        Collector { url, received, serving: serving.abort_handle() }
    }

    pub fn spans(&self) -> Vec<Traced> {
        self.received.spans.lock().unwrap().clone()
    }

    /// All spans of a trace, once `has` is true of one of them.
    pub async fn trace(&self, trace: &str, has: impl Fn(&Traced) -> bool) -> Vec<Traced> {
        let since = Instant::now();
        loop {
            let spans: Vec<Traced> = self.spans().into_iter().filter(|span| span.trace == trace).collect();
            if spans.iter().any(&has) {
                return spans;
            }
            assert!(since.elapsed() < Duration::from_secs(30), "it does not come: {spans:#?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Whether this text is anywhere in what it received.
    pub fn knows(&self, text: &str) -> bool {
        let bytes = self.received.bytes.lock().unwrap();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn receive(State(received): State<Arc<Received>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    assert_eq!(headers["content-type"], "application/x-protobuf");
    received.bytes.lock().unwrap().extend_from_slice(&body);
    let sent = ExportTraceServiceRequest::decode(body).unwrap();
    for resource in sent.resource_spans {
        let service = attribute(&resource.resource.unwrap().attributes, "service.name");
        for span in resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
            received.spans.lock().unwrap().push(Traced {
                service: service.clone(),
                trace: hex(&span.trace_id),
                id: hex(&span.span_id),
                parent: hex(&span.parent_span_id),
                name: span.name,
                // <https://opentelemetry.io/docs/specs/otel/trace/api/#set-status>
                failed: span.status.is_some_and(|status| status.code == 2),
                attributes: span.attributes,
            });
        }
    }
    StatusCode::OK
}

fn attribute(attributes: &[KeyValue], name: &str) -> String {
    let found = attributes.iter().find(|attribute| attribute.key == name);
    match found.and_then(|attribute| attribute.value.as_ref()?.value.as_ref()) {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        _ => String::new(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
