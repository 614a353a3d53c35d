//! Sends spans to the collector, through a bounded queue, so that a collector that is down or slow costs requests
//! nothing.

use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, Span, SpanData, SpanExporter as _, SpanProcessor};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::TRACER;

/// Maximum spans that wait; more are dropped and counted.
const WAITING: usize = 4096;
/// Spans sent at a time, and how long the first of them waits for others.
const BATCH: usize = 512;
const PAUSE: Duration = Duration::from_secs(1);
/// How long sending the rest may take at the end.
const LAST: Duration = Duration::from_secs(3);

/// Why traces cannot be sent at all.
#[derive(Debug, thiserror::Error)]
pub enum CannotSend {
    #[error("OTEL_EXPORTER_OTLP_ENDPOINT is no address such as http://127.0.0.1:4318")]
    Address(#[source] ExporterBuildError),
    #[error("traces are collected already")]
    Twice,
}

/// The running exporter of traces.
pub struct Sending {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Sending {
    /// Sends what is left, for a few seconds at most.
    pub async fn finish(self) {
        self.stop.cancel();
        let _ = tokio::time::timeout(LAST, self.task).await;
    }
}

/// Starts tracing for the collector at `endpoint`, which takes OTLP over HTTP below `/v1/traces`. Other variables of
/// OpenTelemetry say more: `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER`. Must be called
/// inside a tokio runtime.
///
/// # Errors
/// The address is invalid, or this was called before.
pub fn start(endpoint: &str) -> Result<Sending, CannotSend> {
    // reqwest is built without a crypto provider. One that is already set is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let traces = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
    let exporter = SpanExporter::builder().with_http().with_endpoint(traces).build();
    let mut exporter = exporter.map_err(CannotSend::Address)?;
    let resource = resource();
    exporter.set_resource(&resource);
    let (sender, spans) = channel(WAITING);
    let provider = SdkTracerProvider::builder().with_resource(resource).with_span_processor(Queue(sender)).build();
    TRACER.set(provider.tracer("matricula")).map_err(|_| CannotSend::Twice)?;
    let stop = CancellationToken::new();
    let task = tokio::spawn(send(spans, exporter, stop.clone()));
    Ok(Sending { stop, task })
}

/// Tells this process from others.
fn resource() -> Resource {
    let resource = Resource::builder().with_attributes([
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        KeyValue::new("service.instance.id", format!("{:032x}", rand::random::<u128>())),
    ]);
    match std::env::var_os("OTEL_SERVICE_NAME") {
        Some(name) if !name.is_empty() => resource.build(),
        _ => resource.with_service_name("matricula").build(),
    }
}

/// Takes spans at their end, and never waits.
#[derive(Debug)]
struct Queue(Sender<SpanData>);

impl SpanProcessor for Queue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if self.0.try_send(span).is_err() {
            count("dropped", 1);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

fn count(result: &'static str, spans: usize) {
    metrics::counter!("trace_spans_total", "result" => result).increment(spans as u64);
}

async fn send(mut spans: Receiver<SpanData>, exporter: SpanExporter, stop: CancellationToken) {
    let mut was_taken = true;
    let mut batch = Vec::new();
    while stop.run_until_cancelled(spans.recv_many(&mut batch, BATCH)).await.is_some() {
        stop.run_until_cancelled(tokio::time::sleep(PAUSE)).await;
        // Everything that is there: while a batch was on its way, more than one may have gathered.
        loop {
            fill(&mut batch, &mut spans);
            if batch.is_empty() {
                break;
            }
            was_taken = send_one(std::mem::take(&mut batch), &exporter, was_taken).await;
        }
    }
    fill(&mut batch, &mut spans);
    while !batch.is_empty() {
        was_taken = send_one(std::mem::take(&mut batch), &exporter, was_taken).await;
        fill(&mut batch, &mut spans);
    }
}

fn fill(batch: &mut Vec<SpanData>, spans: &mut Receiver<SpanData>) {
    while batch.len() < BATCH
        && let Ok(span) = spans.try_recv()
    {
        batch.push(span);
    }
}

/// Sends a batch. Returns whether the collector took it, and logs when that changes.
async fn send_one(batch: Vec<SpanData>, exporter: &SpanExporter, was_taken: bool) -> bool {
    let spans = batch.len();
    match exporter.export(batch).await {
        Ok(()) => {
            count("sent", spans);
            if !was_taken {
                tracing::info!("the collector of traces is back");
            }
            true
        }
        Err(error) => {
            count("refused", spans);
            if was_taken {
                tracing::warn!(error = &error as &dyn std::error::Error, "the collector of traces takes nothing");
            }
            false
        }
    }
}
