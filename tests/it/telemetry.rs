//! What an operator sees: traces at a collector, and metrics, of the program in its own process.

use std::collections::HashMap;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{IntoResponse, Response};
use futures::future::join_all;
use reqwest::RequestBuilder;
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::api::documents::form;
use crate::support::clamd::Scanner;
use crate::support::collector::{Collector, Traced};
use crate::support::databases::{Database, story};
use crate::support::files::pdf;
use crate::support::ports::free_port;
use crate::support::program::Program;
use crate::support::s3;
use crate::support::server::{PASSWORD, complete_answers, http_client, registration};
use crate::support::silent::Silent;
use crate::support::smtp::Sink;

const EMAIL: &str = "wilhelmina.quill@example.com";

/// The program, killed on drop.
struct Served {
    child: Child,
    url: String,
    http: reqwest::Client,
    _program: Program,
}

impl Served {
    fn start(database: &Database, more: Vec<(&'static str, String)>) -> Served {
        let more = more.into_iter().chain([("MATRICULA_SECRET", "a secret of all processes of this story".into())]);
        let program = Program {
            folder: TempDir::new().unwrap(),
            database: database.url.clone(),
            port: free_port(),
            more: more.collect(),
        };
        let url = format!("http://127.0.0.1:{}", program.port);
        Served { child: program.start(), url, http: http_client(), _program: program }
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.http.get(format!("{}{path}", self.url))
    }

    fn post(&self, path: &str) -> RequestBuilder {
        self.http.post(format!("{}{path}", self.url))
    }

    /// Registers; returns a token, and the cookie of its session.
    async fn register(&self, email: &str, trace: &str) -> (String, String) {
        let mut entered = registration(email);
        entered["applicationType"] = json!("ba");
        let asked = self.post("/api/users/register").json(&entered);
        let answer = asked.header("traceparent", traceparent(trace)).send().await.unwrap();
        assert_eq!(answer.status(), 201, "{answer:?}");
        let cookies: Vec<String> =
            answer.headers().get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap().to_owned()).collect();
        let token = answer.json::<serde_json::Value>().await.unwrap()["token"].as_str().unwrap().to_owned();
        let cookie = cookies.iter().find_map(|cookie| cookie.strip_prefix("matricula_session="));
        let cookie = cookie.unwrap_or_else(|| panic!("{cookies:?}")).split(';').next().unwrap();
        (token, cookie.to_owned())
    }

    async fn metrics(&self) -> HashMap<String, f64> {
        let text = self.get("/metrics").send().await.unwrap().text().await.unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines
            .filter_map(|line| line.rsplit_once(' '))
            .map(|(name, value)| (name.to_owned(), value.parse().unwrap()))
            .collect()
    }

    fn terminate(&mut self) {
        assert!(Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap().success());
        assert!(tokio::task::block_in_place(|| self.child.wait()).unwrap().success());
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself, as intended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A span of the caller.
const PARENT: &str = "00f067aa0ba902b7";

fn traceparent(trace: &str) -> String {
    format!("00-{trace}-{PARENT}-01")
}

fn named<'a>(spans: &'a [Traced], name: &str) -> &'a Traced {
    spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("there is no {name}: {spans:#?}"))
}

fn statement<'a>(spans: &'a [Traced], text: &str) -> &'a Traced {
    let is_it = |span: &&Traced| span.get("db.query.text").starts_with(text);
    spans.iter().find(is_it).unwrap_or_else(|| panic!("there is no {text}: {spans:#?}"))
}

story! {
    async fn a_request_and_what_becomes_of_it_are_one_trace(database: Database) {
        let (collector, sink) = (Collector::start().await, Sink::start().await);
        let system = if database.url.starts_with("sqlite") { "sqlite" } else { "postgresql" };
        let told = |name: &str| vec![
            ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.clone()),
            ("OTEL_SERVICE_NAME", name.to_owned()),
            ("SMTP_URL", sink.url.clone()),
        ];
        let mut served = Served::start(&database, told("first"));
        let [registering, looking, submitting] =
            ["4bf92f3577b34da6a3ce929d0e0e4701", "4bf92f3577b34da6a3ce929d0e0e4702", "4bf92f3577b34da6a3ce929d0e0e4703"];

        // A request, its statements, and its mail.
        let (token, cookie) = served.register(EMAIL, registering).await;
        let sent = |span: &Traced| span.get("db.query.text").starts_with("UPDATE outbox SET state");
        let spans = collector.trace(registering, sent).await;
        let request = named(&spans, "POST /api/users/register");
        assert_eq!(request.parent, PARENT, "the sender's trace goes on");
        assert_eq!((request.get("http.response.status_code"), request.failed), ("201".into(), false));
        for text in ["INSERT INTO applicants", "INSERT INTO outbox", "COMMIT"] {
            let found = statement(&spans, text);
            assert_eq!((&found.parent, found.get("db.system.name")), (&request.id, system.into()), "{text}");
        }
        assert!(statement(&spans, "INSERT INTO outbox").get("db.query.text").contains("$5"));
        let mail = named(&spans, "mail");
        assert_eq!(mail.parent, request.id);
        assert_eq!(named(&spans, "smtp").parent, mail.id);
        assert_eq!(statement(&spans, "UPDATE outbox SET state").parent, mail.id);

        // A page.
        let page = served.get("/dashboard").header("cookie", format!("matricula_session={cookie}"));
        let page = page.header("traceparent", traceparent(looking)).send().await.unwrap();
        assert_eq!(page.status(), 200);
        let spans = collector.trace(looking, |span| span.name == "GET /dashboard").await;
        let request = named(&spans, "GET /dashboard");
        assert_eq!(statement(&spans, "SELECT").parent, request.id);
        let render = named(&spans, "render");
        assert_eq!((&render.parent, render.get("matricula.screen")), (&request.id, "dashboard".into()));
        assert_eq!(named(&spans, "isolate").parent, render.id);

        // A job that has become due.
        let call = |path: &str| {
            served.post(path).bearer_auth(&token).header("traceparent", traceparent(submitting))
        };
        let mut answers = complete_answers();
        answers["questionnaire"] = json!({ "answers": {
            "motivation": "A demo.", "studyMode": "full_time", "hoursPerWeek": 40, "needsAccommodation": false
        } });
        let saved = call("/api/users/application").json(&answers).send().await.unwrap();
        let draft = saved.headers()["etag"].clone();
        let submitted = call("/api/users/application/submit").header("if-match", draft).header("idempotency-key", "once");
        let submitted = submitted.json(&json!({ "declaration": true }));
        let submitted = submitted.send().await.unwrap();
        assert_eq!(submitted.status(), 200, "{submitted:?}");
        database.run("UPDATE jobs SET due_at = 0 WHERE kind = 'slow'").await.unwrap();
        let spans = collector.trace(submitting, |span| span.get("db.query.text").starts_with("DELETE FROM jobs")).await;
        let request = named(&spans, "POST /api/users/application/submit");
        let job = named(&spans, "job");
        assert_eq!((&job.parent, job.get("matricula.job")), (&request.id, "slow".into()));
        let done = spans.iter().find(|span| span.get("db.query.text").starts_with("DELETE FROM jobs"));
        assert_eq!(spans.iter().find(|span| span.id == done.unwrap().parent).unwrap().name, "job");

        // The mail again, sent by another process.
        served.terminate();
        database.run("UPDATE outbox SET state = 'waiting', due_at = 0, attempts = 0").await.unwrap();
        let other = Served::start(&database, told("other"));
        let by_other = |span: &Traced| span.service == "other" && span.name == "smtp";
        let spans = collector.trace(registering, by_other).await;
        let mail = spans.iter().find(|span| span.service == "other" && span.name == "mail").unwrap();
        assert_eq!(mail.parent, named(&spans, "POST /api/users/register").id);
        drop(other);

        // Nothing that a user typed, and no secret.
        assert!(collector.knows("POST /api/users/register") && collector.knows("INSERT INTO applicants"));
        for secret in [EMAIL, "wilhelmina", "quill", PASSWORD, "Sample", "15550100199", "1990-02-28", &token, &cookie] {
            assert!(!collector.knows(secret), "{secret} is in a trace");
        }
    }

    async fn without_a_collector_nothing_is_traced(database: Database) {
        let served = Served::start(&database, Vec::new());
        served.register(EMAIL, "4bf92f3577b34da6a3ce929d0e0e4704").await;
        assert_eq!(database.count("outbox WHERE traceparent IS NOT NULL").await, 0);
        assert_eq!(database.count("jobs WHERE traceparent IS NOT NULL").await, 0);
        let metrics = served.metrics().await;
        assert!(!metrics.keys().any(|name| name.starts_with("trace_spans_total")));
    }

    async fn who_was_not_chosen_is_not_traced(database: Database) {
        let collector = Collector::start().await;
        let served = Served::start(&database, vec![("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.clone())]);
        let trace = "4bf92f3577b34da6a3ce929d0e0e4705";
        let asked = served.post("/api/users/register").json(&registration(EMAIL));
        let asked = asked.header("traceparent", format!("00-{trace}-{PARENT}-00"));
        assert_eq!(asked.send().await.unwrap().status(), 201);
        served.register("another@example.com", "4bf92f3577b34da6a3ce929d0e0e4706").await;
        collector.trace("4bf92f3577b34da6a3ce929d0e0e4706", |span| span.name == "mail").await;
        assert!(collector.spans().iter().all(|span| span.trace != trace));
        // The process that sends its mail is told the same.
        assert_eq!(database.count(&format!("outbox WHERE traceparent LIKE '00-{trace}-%-00'")).await, 1);
    }

    async fn metrics_tell_what_an_operator_asks(database: Database) {
        let sink = Sink::start().await;
        let served = Served::start(&database, vec![("SMTP_URL", sink.url.clone()), ("MATRICULA_REGISTRATIONS_PER_HOUR", "1".into())]);
        let (_, cookie) = served.register(EMAIL, "4bf92f3577b34da6a3ce929d0e0e4707").await;
        let wrong = json!({ "email": EMAIL, "password": "something else" });
        assert_eq!(served.post("/api/users/login").json(&wrong).send().await.unwrap().status(), 401);
        let throttled = served.post("/api/users/register").json(&registration("second@example.com"));
        assert_eq!(throttled.send().await.unwrap().status(), 429);
        let page = served.get("/dashboard").header("cookie", format!("matricula_session={cookie}"));
        assert_eq!(page.send().await.unwrap().status(), 200);
        sink.arrival().await;
        let writer = if database.url.starts_with("sqlite") { "writer" } else { "requests" };
        let since = Instant::now();
        loop {
            let metrics = served.metrics().await;
            let missing: Vec<String> = [
                "http_request_duration_seconds_bucket{route=\"/dashboard\",method=\"GET\",le=\"10\"}".to_owned(),
                "http_requests_total{route=\"/api/users/login\",method=\"POST\",status=\"401\"}".to_owned(),
                "http_requests_in_flight".to_owned(),
                format!("database_wait_seconds_count{{pool=\"{writer}\"}}"),
                "database_statement_seconds_count{kind=\"read\"}".to_owned(),
                "database_statement_seconds_count{kind=\"write\"}".to_owned(),
                "database_statement_seconds_count{kind=\"commit\"}".to_owned(),
                "matricula_render_wait_seconds_count".to_owned(),
                "login_failures_total{who=\"applicant\",why=\"credentials\"}".to_owned(),
                "throttled_total{what=\"register\"}".to_owned(),
                "service_calls_total{service=\"smtp\",result=\"ok\"}".to_owned(),
                "service_call_seconds_count{service=\"smtp\"}".to_owned(),
            ]
            .into_iter()
            .filter(|name| !metrics.contains_key(name))
            .collect();
            // Of the isolate in which the page was rendered.
            let names_kept = metrics.iter().any(|(name, kept)| name.starts_with("matricula_render_remembered{") && *kept > 0.0);
            if missing.is_empty() && names_kept {
                assert_eq!(metrics[&format!("database_waiting{{pool=\"{writer}\"}}")], 0.0);
                return;
            }
            assert!(since.elapsed() < Duration::from_secs(10), "{missing:?}, {names_kept} of {metrics:#?}");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
}

/// A proxy between the program and a server that records which traces are named.
struct Listener {
    target: Option<String>,
    heard: Mutex<Vec<(String, String)>>,
}

impl Listener {
    /// In front of `target`; without one it answers with an empty list, in Stripe's format.
    async fn start(target: Option<String>) -> (String, Arc<Listener>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let heard = Arc::new(Listener { target, heard: Mutex::default() });
        let router = Router::new().fallback(pass).with_state(heard.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (url, heard)
    }

    /// Whether a request to this path named the trace.
    fn has(&self, asked: &str, trace: &str) -> bool {
        let heard = self.heard.lock().unwrap();
        heard.iter().any(|(request, named)| request.starts_with(asked) && named.contains(trace))
    }
}

async fn pass(
    State(listener): State<Arc<Listener>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let named = headers.get("traceparent").map_or("", |value| value.to_str().unwrap());
    listener.heard.lock().unwrap().push((format!("{method} {}", uri.path()), named.to_owned()));
    let Some(target) = &listener.target else { return axum::Json(json!({ "data": [] })).into_response() };
    let mut headers = headers;
    headers.remove("host");
    let answer =
        http_client().request(method, format!("{target}{uri}")).headers(headers).body(body).send().await.unwrap();
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    headers.remove("transfer-encoding");
    (status, headers, answer.bytes().await.unwrap()).into_response()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_services_are_asked_within_the_trace() {
    Database::sqlite().await.tell(other_services).await;
}

async fn other_services(database: Arc<Database>) {
    let (collector, scanner, bucket) = (Collector::start().await, Scanner::start().await, s3::bucket().await);
    let endpoint = bucket.split("endpoint=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    let (s3, storage) = Listener::start(Some(endpoint.clone())).await;
    let (stripe, provider) = Listener::start(None).await;
    let told = vec![
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.clone()),
        ("STORAGE_URL", bucket.replace(&endpoint, &s3)),
        ("CLAMD_URL", scanner.url.clone()),
        ("STRIPE_SECRET_KEY", "sk_test_demo".into()),
        ("STRIPE_WEBHOOK_SECRET", "whsec_demo".into()),
        ("STRIPE_API_URL", stripe),
    ];
    let served = Served::start(&database, told);
    let (token, _) = served.register(EMAIL, "4bf92f3577b34da6a3ce929d0e0e4708").await;
    let saved = served.post("/api/users/application").bearer_auth(&token).json(&complete_answers());
    assert_eq!(saved.send().await.unwrap().status(), 200);
    let trace = "4bf92f3577b34da6a3ce929d0e0e4709";
    let sent = served.post("/api/users/documents").bearer_auth(&token).header("traceparent", traceparent(trace));
    let sent = sent.header("content-type", "multipart/form-data; boundary=edge");
    let sent = sent.body(form("identity", "quill-passport.pdf", &pdf(1000))).send().await.unwrap();
    assert_eq!(sent.status(), 201);
    let spans = collector.trace(trace, |span| span.name == "storage delete").await;
    for name in ["storage put", "storage get", "clamd scan"] {
        assert!(!named(&spans, name).failed, "{name}");
    }
    assert!(storage.has("PUT /", trace) && storage.has("GET /", trace));
    assert!(!collector.knows("quill-passport"), "the name of the file is in the trace");

    // A job that belongs to no request has its own trace.
    let since = Instant::now();
    let asked = loop {
        if let Some(span) = collector.spans().into_iter().find(|span| span.name == "stripe /v1/events") {
            break span;
        }
        assert!(since.elapsed() < Duration::from_secs(30), "Stripe is not asked");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let spans = collector.trace(&asked.trace, |span| span.name == "job").await;
    assert_eq!(named(&spans, "job").get("matricula.job"), "reconcile-payments");
    assert!(provider.has("GET /v1/events", &asked.trace));
    let metrics = served.metrics().await;
    for service in ["storage", "clamd", "stripe"] {
        assert!(metrics[&format!("service_calls_total{{service=\"{service}\",result=\"ok\"}}")] > 0.0, "{service}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_that_is_away_or_silent_costs_nothing() {
    Database::sqlite().await.tell(no_collector).await;
}

async fn no_collector(database: Arc<Database>) {
    let silent = Silent::start().await;
    for (url, result) in
        [(format!("http://{}", silent.address), "dropped"), (format!("http://127.0.0.1:{}", free_port()), "refused")]
    {
        let mut served = Served::start(&database, vec![("OTEL_EXPORTER_OTLP_ENDPOINT", url)]);
        let email = format!("{result}@example.com");
        let (token, _) = served.register(&email, "4bf92f3577b34da6a3ce929d0e0e4710").await;
        let counted = format!("trace_spans_total{{result=\"{result}\"}}");
        // More spans than the queue holds.
        let (begun, mut slowest) = (Instant::now(), Duration::ZERO);
        while !served.metrics().await.contains_key(&counted) && begun.elapsed() < Duration::from_secs(60) {
            let ask = || async {
                let since = Instant::now();
                let asked = served.get("/api/users/application").bearer_auth(&token).send().await.unwrap();
                assert_eq!(asked.status(), 200);
                since.elapsed()
            };
            let took = join_all((0..60).map(|_| ask())).await;
            slowest = slowest.max(took.into_iter().max().unwrap());
        }
        assert!(slowest < Duration::from_secs(3), "{slowest:?}");
        let since = Instant::now();
        while !served.metrics().await.contains_key(&counted) {
            assert!(since.elapsed() < Duration::from_secs(20), "{counted} is not counted");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        let since = Instant::now();
        served.terminate();
        assert!(since.elapsed() < Duration::from_secs(8), "{:?}", since.elapsed());
    }
}
