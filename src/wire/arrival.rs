//! How request bodies arrive. One rule for all, whoever reads or sends them: each 16 KB must arrive within a window,
//! all of it within a longer time, and the clock runs only while we wait. Whatever is left of a body when its response
//! is ready is read and dropped for a while: clients that are cut off while sending do not read the response.

use std::error::Error as StdError;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, header};
use futures::{Stream, StreamExt};
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep, timeout, timeout_at};

use app::documents::Broken;

/// Bytes that must arrive in each window.
const LEAST: usize = 16 * 1024;
/// Time limit for a body that is read completely before anything is done: JSON, forms, messages of the provider. The
/// largest takes half of it at 64 kbit/s.
const WHOLE: Duration = Duration::from_secs(60);
/// How much of an unread body is dropped, for no longer than a window, and how long it may pause.
const MAX_PASSED: usize = 64 * 1024 * 1024;
const PAUSE: Duration = Duration::from_secs(2);

/// How long to wait for a body.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// For each [`LEAST`] bytes: half a kilobyte a second is slower than any modem.
    pub window: Duration,
    /// For the whole body. A file of 25 MB needs 14 KB a second; on slower lines files are sent in pieces.
    pub whole: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { window: Duration::from_secs(30), whole: Duration::from_secs(30 * 60) }
    }
}

/// Returns the request with its body kept to that pace.
pub fn paced<B>(request: Request<B>, pace: Pace) -> Request<Body>
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError> + Send,
{
    if request.body().is_end_stream() {
        return request.map(|_| Body::empty());
    }
    let asks_first = request.headers().contains_key(header::EXPECT);
    request.map(|body| Body::new(Paced::new(body, pace, asks_first)))
}

/// Why a body is no longer waited for.
#[derive(Debug, thiserror::Error)]
#[error("the request body comes too slowly to wait for")]
struct Slow;

struct Paced<B: HttpBody<Data = Bytes> + Send + Unpin + 'static> {
    /// `None` when nothing more will arrive.
    body: Option<B>,
    pace: Pace,
    /// In this window, and in total.
    waited: (Duration, Duration),
    arrived: usize,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
    /// Whether the client sends nothing until the body is read.
    is_held_back: bool,
}

impl<B: HttpBody<Data = Bytes> + Send + Unpin + 'static> Paced<B> {
    fn new(body: B, pace: Pace, is_held_back: bool) -> Self {
        let waited = (Duration::ZERO, Duration::ZERO);
        Paced { body: Some(body), pace, waited, arrived: 0, waiting: None, is_held_back }
    }
}

impl<B> HttpBody for Paced<B>
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError>,
{
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        let this = self.get_mut();
        this.is_held_back = false;
        let Some(body) = &mut this.body else { return Poll::Ready(None) };
        let Poll::Ready(frame) = Pin::new(body).poll_frame(context) else {
            let (window, all) = this.waited;
            let left = this.pace.window.saturating_sub(window).min(this.pace.whole.saturating_sub(all));
            let (_, end) = this.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
            ready!(end.as_mut().poll(context));
            this.body = None;
            return Poll::Ready(Some(Err(Slow.into())));
        };
        if let Some((since, _)) = this.waiting.take() {
            let waited = since.elapsed();
            this.waited = (this.waited.0 + waited, this.waited.1 + waited);
        }
        if let Some(Ok(frame)) = &frame {
            this.arrived += frame.data_ref().map_or(0, Bytes::len);
            if this.arrived >= LEAST {
                (this.waited.0, this.arrived) = (Duration::ZERO, 0);
            }
        } else {
            this.body = None;
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

impl<B: HttpBody<Data = Bytes> + Send + Unpin + 'static> Drop for Paced<B> {
    fn drop(&mut self) {
        let rest = self.body.take().filter(|body| !self.is_held_back && !body.is_end_stream());
        if let (Some(rest), Ok(runtime)) = (rest, tokio::runtime::Handle::try_current()) {
            runtime.spawn(let_pass(rest, self.pace.window));
        }
    }
}

/// Reads on and drops everything, while the response is sent.
async fn let_pass<B: HttpBody<Data = Bytes> + Unpin>(mut body: B, time: Duration) {
    let (end, mut passed) = (Instant::now() + time, 0);
    while passed < MAX_PASSED {
        let next = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let until = end.min(Instant::now() + PAUSE);
        let Ok(Some(Ok(frame))) = timeout_at(until, next).await else { break };
        passed += frame.data_ref().map_or(0, Bytes::len);
    }
}

/// Returns the body of an upload, until it ends or breaks off.
pub fn arrival(body: Body) -> impl Stream<Item = Result<Bytes, Broken>> + Send + 'static {
    let mut is_broken = false;
    let bytes = body.into_data_stream().map(|bytes| bytes.map_err(|error| broken(&error)));
    bytes.take_while(move |bytes| std::future::ready(!std::mem::replace(&mut is_broken, bytes.is_err()))).fuse()
}

fn broken(error: &axum::Error) -> Broken {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<Slow>() {
            return Broken::Slow;
        }
        cause = error.source();
    }
    Broken::Lost
}

/// Why a body was not read completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotWhole {
    Slow,
    Lost,
    TooLarge,
}

/// Reads a small body completely: at most `most` bytes, within a minute.
///
/// # Errors
/// If it is larger, does not arrive in time, or breaks off.
pub async fn whole(body: Body, most: usize) -> Result<Bytes, NotWhole> {
    whole_within(body, most, WHOLE).await
}

async fn whole_within(body: Body, most: usize, patience: Duration) -> Result<Bytes, NotWhole> {
    timeout(patience, whole_file(body, most)).await.unwrap_or(Err(NotWhole::Slow))
}

/// Reads a larger body completely: at most `most` bytes, for as long as it comes at the pace of every body.
///
/// # Errors
/// If it is larger, comes too slowly, or breaks off.
pub async fn whole_file(body: Body, most: usize) -> Result<Bytes, NotWhole> {
    let mut chunks = std::pin::pin!(arrival(body));
    let mut whole = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|broken| if broken == Broken::Slow { NotWhole::Slow } else { NotWhole::Lost })?;
        if whole.len() + chunk.len() > most {
            return Err(NotWhole::TooLarge);
        }
        whole.extend_from_slice(&chunk);
    }
    Ok(whole.into())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::pin::pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn drops(every: Duration, size: usize) -> Body {
        Body::from_stream(futures::stream::unfold((), move |()| async move {
            sleep(every).await;
            Some((Ok::<_, Infallible>(Bytes::from(vec![b'x'; size])), ()))
        }))
    }

    fn at_pace(body: Body, window: Duration, whole: Duration) -> impl Stream<Item = Result<Bytes, Broken>> {
        arrival(paced(Request::new(body), Pace { window, whole }).into_body())
    }

    async fn end(body: impl Stream<Item = Result<Bytes, Broken>>) -> Option<Result<Bytes, Broken>> {
        body.skip_while(|bytes| std::future::ready(bytes.is_ok())).boxed_local().next().await
    }

    #[tokio::test]
    async fn what_drips_or_never_ends_is_not_waited_for_and_a_slow_line_is() {
        let (short, long) = (Duration::from_millis(100), Duration::from_secs(60));
        let dripping = at_pace(drops(Duration::from_millis(30), 1), short, long);
        assert_eq!(end(dripping).await, Some(Err(Broken::Slow)));
        let endless = at_pace(drops(Duration::from_millis(5), LEAST), long, short);
        assert_eq!(end(endless).await, Some(Err(Broken::Slow)));

        // Half the minimum of a window at a time, for several windows.
        let body = at_pace(drops(Duration::from_millis(100), LEAST / 2), Duration::from_secs(1), long);
        assert!(pin!(body).take(25).all(|bytes| std::future::ready(bytes.is_ok())).await);
    }

    #[tokio::test]
    async fn what_is_left_of_a_body_passes_by_until_it_ends_or_is_too_much() {
        let passed = async |body: Body, asks_first: bool| {
            let count = Arc::new(AtomicUsize::new(0));
            let counter = count.clone();
            let counted = body.into_data_stream().inspect(move |bytes| {
                counter.fetch_add(bytes.as_ref().map_or(0, Bytes::len), Ordering::Relaxed);
            });
            let mut request = Request::new(Body::from_stream(counted));
            if asks_first {
                request.headers_mut().insert(header::EXPECT, "100-continue".parse().unwrap());
            }
            drop(paced(request, Pace::default()));
            // It ends when nothing more passes.
            let mut before = usize::MAX;
            while count.load(Ordering::Relaxed) != before {
                before = count.load(Ordering::Relaxed);
                sleep(Duration::from_millis(200)).await;
            }
            before
        };
        let chunk = || Ok::<_, Infallible>(Bytes::from_static(&[0; 1024 * 1024]));
        let some = || Body::from_stream(futures::stream::repeat_with(chunk).take(3));
        assert_eq!(passed(some(), false).await, 3 * 1024 * 1024);
        assert_eq!(passed(some(), true).await, 0, "nobody has asked for it");
        assert_eq!(passed(Body::from_stream(futures::stream::repeat_with(chunk)), false).await, MAX_PASSED);
    }

    #[tokio::test]
    async fn a_small_body_must_arrive_in_time_as_a_whole_and_not_be_too_large() {
        const MAX: usize = 256 * 1024;
        let chunk = |bytes: usize| Ok::<_, std::io::Error>(Bytes::from(vec![b' '; bytes]));
        let read = async |body: Body| whole_within(body, MAX, Duration::from_millis(20)).await.map(|body| body.len());
        let slow = futures::stream::iter([chunk(1)]).chain(futures::stream::pending());
        assert_eq!(read(Body::from_stream(slow)).await, Err(NotWhole::Slow));
        let broken = futures::stream::iter([chunk(1), Err(std::io::ErrorKind::ConnectionReset.into())]);
        assert_eq!(read(Body::from_stream(broken)).await, Err(NotWhole::Lost));
        let endless = futures::stream::repeat_with(move || chunk(1000));
        assert_eq!(read(Body::from_stream(endless)).await, Err(NotWhole::TooLarge));
        let full = futures::stream::iter([chunk(MAX - 1), chunk(1)]);
        assert_eq!(read(Body::from_stream(full)).await, Ok(MAX));

        // A file may take longer.
        let waits = futures::stream::once(async move {
            sleep(Duration::from_millis(100)).await;
            chunk(MAX)
        });
        assert_eq!(whole_file(Body::from_stream(waits), MAX).await.map(|body| body.len()), Ok(MAX));
        let endless = futures::stream::repeat_with(move || chunk(1000));
        assert_eq!(whole_file(Body::from_stream(endless), MAX).await, Err(NotWhole::TooLarge));
    }
}
