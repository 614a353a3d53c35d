//! A receiver of webhooks that keeps what it gets and answers as told.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use matricula::webhooks::sign;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

/// A delivery, whatever it was answered.
#[derive(Debug, Clone)]
pub struct Received {
    pub headers: HeaderMap,
    pub body: String,
    pub status: u16,
}

impl Received {
    pub fn event(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub fn kind(&self) -> String {
        self.event()["type"].as_str().unwrap().to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    /// Whether one of its signatures was made with the secret.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let at = self.header("webhook-timestamp").parse().unwrap();
        let expected = sign(secret, self.header("webhook-id"), at, &self.body);
        self.header("webhook-signature").split(' ').any(|signature| signature == expected)
    }
}

/// The receiver. It ends on drop.
pub struct Receiver {
    pub url: String,
    state: Arc<Answers>,
    serving: AbortHandle,
}

#[derive(Default)]
struct Answers {
    received: Mutex<Vec<Received>>,
    /// The next answers; 204 when there are none left.
    next: Mutex<VecDeque<u16>>,
    /// The answer to all that mention this text, before any of the others.
    about: Mutex<Option<(String, u16)>>,
    location: Mutex<String>,
}

impl Receiver {
    pub async fn start() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let state = Arc::new(Answers::default());
        let router = Router::new().route("/{*path}", any(receive)).with_state(state.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Receiver { url, state, serving: serving.abort_handle() }
    }

    /// Gives these answers to the next deliveries.
    pub fn answer(&self, statuses: &[u16]) {
        self.state.next.lock().unwrap().extend(statuses);
    }

    /// Gives this answer to all deliveries that mention the text.
    pub fn answer_about(&self, text: &str, status: u16) {
        *self.state.about.lock().unwrap() = Some((text.to_owned(), status));
    }

    /// Where its redirects lead.
    pub fn redirect_to(&self, location: &str) {
        location.clone_into(&mut self.state.location.lock().unwrap());
    }

    /// What has arrived since this was asked last.
    pub fn take(&self) -> Vec<Received> {
        std::mem::take(&mut self.state.received.lock().unwrap())
    }

    /// The kinds of what has arrived since, as far as it was taken.
    pub fn taken(&self) -> Vec<String> {
        self.take().iter().filter(|received| received.status == 204).map(Received::kind).collect()
    }
}

async fn receive(State(state): State<Arc<Answers>>, headers: HeaderMap, body: String) -> Response {
    let about = state.about.lock().unwrap().clone().filter(|(text, _)| body.contains(text));
    let status = match about {
        Some((_, status)) => status,
        None => state.next.lock().unwrap().pop_front().unwrap_or(204),
    };
    state.received.lock().unwrap().push(Received { headers, body, status });
    let location = state.location.lock().unwrap().clone();
    let answer = if status >= 400 { "not now,\n  thank you" } else { "" };
    (StatusCode::from_u16(status).unwrap(), [("location", location)], answer).into_response()
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
