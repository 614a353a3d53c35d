//! A virus scanner that detects the word VIRUS, and can be made unavailable.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The scanner. It ends on drop.
pub struct Scanner {
    /// The value of `CLAMD_URL` for the product.
    pub url: String,
    away: Arc<AtomicBool>,
    held: Arc<AtomicBool>,
    scans: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl Scanner {
    pub async fn start() -> Scanner {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("tcp://{}", listener.local_addr().unwrap());
        let (away, scans) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let held = Arc::new(AtomicBool::new(false));
        let (gone, counter, waits) = (away.clone(), scans.clone(), held.clone());
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                if gone.load(Ordering::Relaxed) {
                    continue;
                }
                counter.fetch_add(1, Ordering::Relaxed);
                let waits = waits.clone();
                tokio::spawn(async move { scan(stream, &waits).await });
            }
        });
        Scanner { url, away, held, scans, task }
    }

    /// Hangs up on every client, or stops doing so.
    pub fn set_away(&self, away: bool) {
        self.away.store(away, Ordering::Relaxed);
    }

    /// Holds its answers until released.
    pub fn set_held(&self, held: bool) {
        self.held.store(held, Ordering::Relaxed);
    }

    pub fn scans(&self) -> usize {
        self.scans.load(Ordering::Relaxed)
    }
}

impl Drop for Scanner {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// One `zINSTREAM`: chunks prefixed with their lengths, until an empty one.
async fn scan(mut stream: TcpStream, held: &AtomicBool) -> Option<()> {
    let mut command = [0; 10];
    stream.read_exact(&mut command).await.ok()?;
    assert_eq!(&command, b"zINSTREAM\0");
    let mut content = Vec::new();
    loop {
        let length = stream.read_u32().await.ok()? as usize;
        if length == 0 {
            break;
        }
        let start = content.len();
        content.resize(start + length, 0);
        stream.read_exact(&mut content[start..]).await.ok()?;
    }
    while held.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let found = content.windows(5).any(|word| word == b"VIRUS");
    let answer: &[u8] = if found { b"stream: Demo.Virus FOUND\0" } else { b"stream: OK\0" };
    stream.write_all(answer).await.ok()
}
