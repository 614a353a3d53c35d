//! A proxy between the program and PostgreSQL that can be told to let nothing through.

use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Open,
    /// Hangs up on all connections, existing and new.
    Closed,
    /// Data arrives once it is open again.
    Frozen,
}

/// Accepts every connection and handles it according to its current state.
pub struct Proxy {
    /// The address of the database through the proxy.
    pub url: String,
    way: watch::Sender<Way>,
    accepting: AbortHandle,
}

impl Proxy {
    /// An open proxy in front of the database at that address.
    pub async fn before(database: &str) -> Proxy {
        let options: PgConnectOptions = database.parse().unwrap();
        let target = (options.get_host().to_owned(), options.get_port());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut url = url::Url::parse(database).unwrap();
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(listener.local_addr().unwrap().port())).unwrap();
        let (way, ways) = watch::channel(Way::Open);
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(forward(client, target.clone(), ways.clone()));
            }
        });
        Proxy { url: url.into(), way, accepting: accepting.abort_handle() }
    }

    pub fn set(&self, way: Way) {
        self.way.send_replace(way);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn forward(client: TcpStream, target: (String, u16), mut ways: watch::Receiver<Way>) {
    if *ways.borrow_and_update() == Way::Closed {
        return;
    }
    let Ok(server) = TcpStream::connect(target).await else { return };
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    tokio::select! {
        () = pass(from_client, to_server, ways.clone()) => {}
        () = pass(from_server, to_client, ways.clone()) => {}
        _ = ways.wait_for(|way| *way == Way::Closed) => {}
    }
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut ways: watch::Receiver<Way>) {
    let mut piece = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut piece).await {
        let _ = ways.wait_for(|way| *way != Way::Frozen).await;
        if to.write_all(&piece[..read]).await.is_err() {
            return;
        }
    }
}
