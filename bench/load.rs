//! Keeps connections busy: each sends its request again as soon as the previous answer is complete.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use bytes::Bytes;
use futures::future::try_join_all;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;

use crate::Round;

/// What to send, and for how long.
#[derive(Deserialize)]
pub struct Plan {
    /// HOST:PORT
    address: String,
    seconds: f64,
    /// One connection each.
    clients: Vec<Client>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Client {
    method: String,
    path: String,
    headers: BTreeMap<String, String>,
    #[serde(default)]
    body: String,
    /// Sends the entity tag of the last answer as `If-Match`, as a client does that saves what it has loaded.
    #[serde(default)]
    follow_etag: bool,
}

/// # Errors
/// A connection broke, or an answer was not 200, which would make the figure meaningless.
pub async fn run(plan: Plan) -> Result<Round, Box<dyn Error>> {
    let started = Instant::now();
    let end = started + Duration::from_secs_f64(plan.seconds);
    let latencies = try_join_all(plan.clients.iter().map(|client| client.run(&plan.address, end))).await?;
    Ok(Round::new(latencies.concat(), started.elapsed()))
}

impl Client {
    async fn run(&self, address: &str, end: Instant) -> Result<Vec<Duration>, Box<dyn Error>> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (mut sender, connection) = http1::handshake::<_, Full<Bytes>>(TokioIo::new(stream)).await?;
        // Its errors are also returned by the sender.
        tokio::spawn(connection);

        let method: Method = self.method.parse()?;
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(address)?);
        for (name, value) in &self.headers {
            headers.insert(header::HeaderName::try_from(name)?, HeaderValue::from_str(value)?);
        }
        let body = Bytes::from(self.body.clone());
        let mut latencies = Vec::new();
        while Instant::now() < end {
            let mut request = Request::new(Full::new(body.clone()));
            *request.method_mut() = method.clone();
            *request.uri_mut() = self.path.parse()?;
            *request.headers_mut() = headers.clone();

            let sent = Instant::now();
            let (answer, body) = sender.send_request(request).await?.into_parts();
            let body = body.collect().await?.to_bytes();
            latencies.push(sent.elapsed());

            if answer.status != StatusCode::OK {
                let start: String = String::from_utf8_lossy(&body).chars().take(200).collect();
                return Err(format!("{} {}: {} {start}", self.method, self.path, answer.status).into());
            }
            if let Some(etag) = answer.headers.get(header::ETAG).filter(|_| self.follow_etag) {
                headers.insert(header::IF_MATCH, etag.clone());
            }
        }
        Ok(latencies)
    }
}
