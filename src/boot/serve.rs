//! Accepts connections and answers their requests, like `axum::serve` but with time limits. Otherwise clients that open
//! connections and send nothing, send a header drop by drop or do not read could keep them for ever.
//!
//! HTTP/1.1 only, which is what proxies speak to us: in HTTP/2 each answer has its own flow-control window that can
//! hold it up, which does not show on the connection.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderValue, StatusCode, Version, header};
use axum::response::IntoResponse;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

use super::pace::Paced;
use store::at_one_moment;
use wire::{Pace, paced};

/// How long a connection may keep us waiting: for the header of a request, for its body, and until an answer is read.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For the first header, from the moment the connection is accepted.
    pub first: Duration,
    /// For each later one, from the end of the previous answer, so this is also how long a connection may be idle.
    /// Longer than proxies keep theirs, so that we never close one that is about to be used.
    pub next: Duration,
    /// For each [`LEAST`](super::pace::LEAST) bytes of an answer to be read.
    pub read: Duration,
    pub body: Pace,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            first: Duration::from_secs(30),
            next: Duration::from_secs(75),
            read: Duration::from_secs(60),
            body: Pace::default(),
        }
    }
}

/// The two steps of stopping.
#[derive(Debug, Clone, Default)]
pub struct Stopping {
    /// From now on each answer is the last one of its connection. New connections are still served.
    pub drain: CancellationToken,
    /// No more connections are accepted.
    pub stop: CancellationToken,
}

/// Serves until told to stop, then finishes the requests in progress.
pub async fn serve(mut listener: TcpListener, router: Router, patience: Patience, stopping: Stopping) {
    // Once, not for each request.
    let router: Router = router.with_state(());
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience.next);
    let connections = TaskTracker::new();
    while let Some((stream, address)) = stopping.stop.run_until_cancelled(Listener::accept(&mut listener)).await {
        // An answer is written as a whole, so there is no need to wait for more.
        let _ = stream.set_nodelay(true);
        let stream = Paced::new(stream, patience.read);
        let (builder, router) = (builder.clone(), router.clone());
        connections.spawn(connection(builder, stream, address, router, patience, stopping.clone()));
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

/// Whether it names exactly one host, as RFC 9112, 3.2 requires: of two, a proxy may have used the other one.
fn names_its_host<B>(request: &Request<B>) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let is_host = |host: &HeaderValue| {
        host.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || b".-_~%:[]".contains(byte))
    };
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => is_host(host),
        (None, _) => request.version() < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}

async fn connection(
    builder: Builder,
    stream: Paced,
    address: SocketAddr,
    router: Router,
    patience: Patience,
    Stopping { drain, stop }: Stopping,
) {
    let has_asked = Arc::new(AtomicBool::new(false));
    let asks = has_asked.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        asks.store(true, Ordering::Relaxed);
        let is_last = drain.is_cancelled();
        let answer = names_its_host(&request).then(|| {
            let mut request = paced(request, patience.body);
            request.extensions_mut().insert(ConnectInfo(address));
            at_one_moment(router.clone().call(request))
        });
        async move {
            let mut answer = match answer {
                Some(answer) => answer.await?,
                None => (StatusCode::BAD_REQUEST, "Send one Host.\n").into_response(),
            };
            if is_last {
                answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let mut serving = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let (mut stopping, mut waiting) = (pin!(stop.cancelled()), pin!(tokio::time::sleep(patience.first)));
    let (mut is_stopping, mut has_waited) = (false, false);
    loop {
        tokio::select! {
            biased;
            // A client that hangs up, or speaks no HTTP, gets no answer.
            _ = serving.as_mut() => break,
            () = &mut stopping, if !is_stopping => {
                is_stopping = true;
                serving.as_mut().graceful_shutdown();
            }
            () = &mut waiting, if !has_waited => {
                has_waited = true;
                if !has_asked.load(Ordering::Relaxed) {
                    break;
                }
            }
        }
    }
}
