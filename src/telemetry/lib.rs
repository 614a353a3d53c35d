//! Traces, for an OpenTelemetry collector: what a request did, and the mails and jobs that it wrote, in whichever
//! process. Also calls of other services, in traces and metrics.
//!
//! A span has names, times and numbers, and nothing that anyone typed: no values of statements, no addresses of pages
//! or people, no texts of errors, which may quote them. Without a collector there are no spans at all; then, and
//! outside of a request, a mail or a job, everything here costs one look at a variable.

mod sending;

use std::borrow::Cow;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::OnceLock;
use std::time::Instant;

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator};
use opentelemetry::trace::{SpanBuilder, SpanKind, Status, TraceContextExt, Tracer};
use opentelemetry::{Context, KeyValue, Value};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracer;

pub use sending::{CannotSend, Sending, start};

/// Set if there is a collector.
static TRACER: OnceLock<SdkTracer> = OnceLock::new();

/// The name of the header, and of the columns, that carry a trace on: <https://www.w3.org/TR/trace-context/>.
const TRACEPARENT: &str = "traceparent";

/// An operation, from now until it is dropped. Empty if it is not traced.
#[must_use]
#[derive(Default)]
pub struct Span(Option<Context>);

impl Span {
    fn begin(tracer: &SdkTracer, parent: &Context, kind: SpanKind, name: Cow<'static, str>) -> Span {
        let span = tracer.build_with_context(SpanBuilder::from_name(name).with_kind(kind), parent);
        Span(Some(parent.with_span(span)))
    }

    /// Runs `future` as a part of this.
    pub async fn within<F: Future>(&self, future: F) -> F::Output {
        attached(self.0.as_ref(), future).await
    }

    /// Sets an attribute. What people typed does not belong in a trace.
    pub fn set(&self, name: &'static str, value: impl Into<Value>) {
        if let Some(context) = &self.0 {
            context.span().set_attribute(KeyValue::new(name, value));
        }
    }

    /// Marks it as failed, with a one-word reason.
    pub fn fail(&self, kind: &'static str) {
        if let Some(context) = &self.0 {
            context.span().set_attribute(KeyValue::new("error.type", kind));
            context.span().set_status(Status::error(kind));
        }
    }

    /// Returns the trace that it is a part of, if that is sent to the collector.
    pub fn trace_id(&self) -> Option<String> {
        let context = self.0.as_ref()?;
        let span = context.span();
        span.span_context().is_sampled().then(|| span.span_context().trace_id().to_string())
    }

    /// Records how a request was answered.
    pub fn answered(&self, method: &'static str, route: &str, status: u16) {
        let Some(context) = &self.0 else { return };
        let span = context.span();
        span.update_name(format!("{method} {route}"));
        span.set_attribute(KeyValue::new("http.request.method", method));
        span.set_attribute(KeyValue::new("http.route", route.to_owned()));
        span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status)));
        if status >= 500 {
            span.set_status(Status::error(""));
        }
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        if let Some(context) = &self.0 {
            context.span().end();
        }
    }
}

/// The trace that a thread working for a request continues.
#[derive(Clone)]
pub struct Link(Option<Context>);

impl Link {
    pub fn here() -> Link {
        Link(TRACER.get().map(|_| Context::current()))
    }

    /// Begins a part of that operation.
    pub fn part(&self, name: &'static str) -> Span {
        match (TRACER.get(), &self.0) {
            (Some(tracer), Some(parent)) => below(tracer, parent, SpanKind::Internal, || name.into()),
            _ => Span(None),
        }
    }
}

/// Begins the span of a request, in the trace that its sender names.
pub fn request(method: &'static str, headers: &HeaderMap) -> Span {
    let Some(tracer) = TRACER.get() else { return Span(None) };
    let parent = TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(headers));
    Span::begin(tracer, &parent, SpanKind::Server, method.into())
}

/// Begins the span of later work for a request, in its trace; in a new one if none is known.
pub fn resumed(name: &'static str, traceparent: Option<&str>) -> Span {
    let Some(tracer) = TRACER.get() else { return Span(None) };
    let mut headers = HeaderMap::new();
    if let Some(value) = traceparent.and_then(|value| HeaderValue::try_from(value).ok()) {
        headers.insert(TRACEPARENT, value);
    }
    let parent = TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(&headers));
    Span::begin(tracer, &parent, SpanKind::Consumer, name.into())
}

/// Begins a part of the current operation, if there is one.
pub fn part(name: &'static str) -> Span {
    child(SpanKind::Internal, || name.into())
}

/// Begins the span of a statement of the database: its text, without its values.
pub fn statement(system: &'static str, sql: &str) -> Span {
    let operation = || sql.split_ascii_whitespace().next().unwrap_or(system).to_owned().into();
    let span = child(SpanKind::Client, operation);
    if span.0.is_some() {
        span.set("db.system.name", system);
        span.set("db.query.text", sql.to_owned());
    }
    span
}

/// Calls another service, and counts how that went: `failure` is a word for an error.
pub async fn call<T, E>(
    service: &'static str,
    name: impl Into<Cow<'static, str>>,
    asked: impl Future<Output = Result<T, E>>,
    failure: impl FnOnce(&E) -> &'static str,
) -> Result<T, E> {
    let span = child(SpanKind::Client, || name.into());
    let since = Instant::now();
    let answer = span.within(asked).await;
    let result = answer.as_ref().err().map_or("ok", failure);
    if answer.is_err() {
        span.fail(result);
    }
    metrics::counter!("service_calls_total", "service" => service, "result" => result).increment(1);
    metrics::histogram!("service_call_seconds", "service" => service).record(since.elapsed());
    answer
}

/// Returns the current trace, for whoever continues it later.
pub fn traceparent() -> Option<String> {
    let mut headers = HeaderMap::new();
    pass_on(&mut headers);
    headers.get(TRACEPARENT).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// Adds the current trace to a request to another service.
pub fn pass_on(headers: &mut HeaderMap) {
    if TRACER.get().is_some() {
        TraceContextPropagator::new().inject_context(&Context::current(), &mut HeadersToSend(headers));
    }
}

/// Returns an error and its causes in one line, each said once.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.contains(&message) {
            text.push_str(": ");
            text.push_str(&message);
        }
        cause = error.source();
    }
    text
}

/// Runs the future as a part of the current operation, in a separate task.
pub fn carried<F: Future>(future: F) -> impl Future<Output = F::Output> {
    let Link(context) = Link::here();
    async move { attached(context.as_ref(), future).await }
}

fn child(kind: SpanKind, name: impl FnOnce() -> Cow<'static, str>) -> Span {
    let Some(tracer) = TRACER.get() else { return Span(None) };
    Context::map_current(|parent| below(tracer, parent, kind, name))
}

fn below(tracer: &SdkTracer, parent: &Context, kind: SpanKind, name: impl FnOnce() -> Cow<'static, str>) -> Span {
    if parent.span().span_context().is_sampled() { Span::begin(tracer, parent, kind, name()) } else { Span(None) }
}

async fn attached<F: Future>(context: Option<&Context>, future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|task| {
        let _current = context.map(|context| context.clone().attach());
        future.as_mut().poll(task)
    })
    .await
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

struct HeadersToSend<'a>(&'a mut HeaderMap);

impl Injector for HeadersToSend<'_> {
    fn set(&mut self, key: &str, value: String) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(key), HeaderValue::try_from(value))
            && !value.is_empty()
        {
            self.0.insert(name, value);
        }
    }
}
