//! How fast an answer must be read. Otherwise a client that asks for much and reads nothing could keep the connection,
//! the answer and whatever it is made from for as long as it likes.
//!
//! The clock runs only while the connection accepts nothing, so our own slowness does not count.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// Bytes of an answer that must be read within each time window.
pub const LEAST: usize = 32 * 1024;
/// Maximum unsent bytes in the kernel: megabytes would hide for minutes that nobody reads.
#[cfg(any(target_os = "android", target_os = "linux"))]
const UNSENT: u32 = 128 * 1024;

/// A connection that is closed if the other end does not read.
pub struct Paced {
    stream: TcpStream,
    window: Duration,
    /// How long we have waited for the bytes in `taken`.
    waited: Duration,
    taken: usize,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Paced {
    /// Waits up to `window` for each [`LEAST`] bytes to be taken.
    pub fn new(stream: TcpStream, window: Duration) -> Paced {
        // Where it cannot be set, it takes longer to notice that nobody reads.
        #[cfg(any(target_os = "android", target_os = "linux"))]
        let _ = SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT);
        Paced { stream, window, waited: Duration::ZERO, taken: 0, waiting: None }
    }

    /// Returns the result of a write, unless it has taken too long.
    fn paced(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let Poll::Ready(written) = written else {
            let left = self.window.saturating_sub(self.waited);
            let (_, end) = self.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
            ready!(end.as_mut().poll(context));
            tracing::info!("an answer was read too slowly to wait for");
            // Also discards what the kernel still holds, so the client sees that the answer is incomplete.
            let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        };
        if let Some((since, _)) = self.waiting.take() {
            self.waited += since.elapsed();
        }
        self.taken += written.as_ref().copied().unwrap_or_default();
        if self.taken >= LEAST {
            (self.waited, self.taken) = (Duration::ZERO, 0);
        }
        Poll::Ready(written)
    }
}

impl AsyncWrite for Paced {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.paced(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.paced(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl AsyncRead for Paced {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}
