//! Uploads of 25 MB: the client that measures them, and the least that axum can do with them.

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use axum::routing::patch;
use bytes::Bytes;
use futures::StreamExt;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::Round;

const SIZE: usize = 25 * 1024 * 1024;
const UPLOADS: &str = "/api/users/documents/uploads";

/// Where to send files, and for how long.
#[derive(Deserialize)]
pub struct Plan {
    /// HOST:PORT
    address: String,
    seconds: f64,
    /// The token of an applicant; `None` for the baseline.
    token: Option<String>,
}

/// Sends one file after the other. Measures what a sender waits for: until all bytes are acknowledged as safe, and for
/// the product also the call that begins an upload. Its checks follow, unmeasured, before the next file.
///
/// # Errors
/// A connection broke, or an answer was not the expected one.
pub async fn run(plan: Plan) -> Result<Round, Box<dyn Error>> {
    let stream = TcpStream::connect(&plan.address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = http1::handshake::<_, Full<Bytes>>(TokioIo::new(stream)).await?;
    // Its errors are also returned by the sender.
    tokio::spawn(connection);
    let mut headers = HeaderMap::new();
    headers.insert(header::HOST, HeaderValue::from_str(&plan.address)?);
    headers.insert("tus-resumable", HeaderValue::from_static("1.0.0"));
    if let Some(token) = &plan.token {
        headers.insert(header::AUTHORIZATION, HeaderValue::from_str(&format!("Bearer {token}"))?);
    }
    let mut client = Client { sender, headers };
    let (content, end) = (pdf(), Duration::from_secs_f64(plan.seconds));
    let mut latencies = Vec::new();
    let started = Instant::now();
    while started.elapsed() < end {
        let sent = Instant::now();
        if plan.token.is_none() {
            client.piece("/", content.clone()).await?;
            latencies.push(sent.elapsed());
            continue;
        }
        let metadata = "filename YmVuY2gucGRm,slot aWRlbnRpdHk=";
        let length = SIZE.to_string();
        let begin = [("upload-length", &*length), ("upload-metadata", metadata)];
        let created = client.call("POST", UPLOADS, &begin, Bytes::new(), StatusCode::CREATED).await?;
        let path = created.get(header::LOCATION).ok_or("an upload has a place")?.to_str()?.to_owned();
        client.piece(&path, content.clone()).await?;
        latencies.push(sent.elapsed());
        let file = path.replace("/uploads", "");
        while client.call("HEAD", &file, &[], Bytes::new(), StatusCode::OK).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        client.call("DELETE", &file, &[], Bytes::new(), StatusCode::NO_CONTENT).await?;
    }
    let measured = latencies.iter().sum();
    Ok(Round::new(latencies, measured))
}

/// A PDF of the maximum size that passes the checks.
fn pdf() -> Bytes {
    let mut whole = b"%PDF-1.4\n1 0 obj\n<<>>\nstream\n".to_vec();
    let end = b"\nendstream\nendobj\nstartxref\n9\n%%EOF\n";
    whole.resize(SIZE - end.len(), b'x');
    whole.extend_from_slice(end);
    whole.into()
}

struct Client {
    sender: SendRequest<Full<Bytes>>,
    headers: HeaderMap,
}

impl Client {
    async fn piece(&mut self, path: &str, content: Bytes) -> Result<(), Box<dyn Error>> {
        let headers = [("content-type", "application/offset+octet-stream"), ("upload-offset", "0")];
        self.call("PATCH", path, &headers, content, StatusCode::NO_CONTENT).await.map(drop)
    }

    async fn call(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&'static str, &str)],
        body: Bytes,
        expected: StatusCode,
    ) -> Result<HeaderMap, Box<dyn Error>> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method.parse()?;
        *request.uri_mut() = path.parse()?;
        *request.headers_mut() = self.headers.clone();
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_str(value)?);
        }
        let (answer, body) = self.sender.send_request(request).await?.into_parts();
        body.collect().await?;
        if answer.status == expected {
            Ok(answer.headers)
        } else {
            Err(format!("{method} {path}: {}", answer.status).into())
        }
    }
}

/// Writes the body of every `PATCH /` to a file and flushes it, the minimum for acknowledging bytes.
pub async fn receive(bind: SocketAddr, file: PathBuf) -> Result<(), Box<dyn Error>> {
    let listener = tokio::net::TcpListener::bind(bind).await?;
    let router = Router::new().route("/", patch(write).get(|| async {})).with_state(file);
    Ok(axum::serve(listener, router).await?)
}

async fn write(State(path): State<PathBuf>, body: Body) -> Result<StatusCode, StatusCode> {
    let written = async {
        let mut file = tokio::fs::File::create(&path).await?;
        let mut chunks = body.into_data_stream();
        while let Some(chunk) = chunks.next().await {
            file.write_all(&chunk.map_err(std::io::Error::other)?).await?;
        }
        file.flush().await?;
        file.sync_all().await
    };
    let written: std::io::Result<()> = written.await;
    written.map(|()| StatusCode::NO_CONTENT).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}
