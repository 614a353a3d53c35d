//! A server that accepts every connection and never answers.

use tokio::net::TcpListener;
use tokio::task::AbortHandle;

pub struct Silent {
    /// Host and port.
    pub address: String,
    accepting: AbortHandle,
}

impl Silent {
    pub async fn start() -> Silent {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let accepting = tokio::spawn(async move {
            let mut kept = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                kept.push(stream);
            }
        });
        Silent { address, accepting: accepting.abort_handle() }
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}
