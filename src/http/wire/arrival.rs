//! Bodies of uploads, as they arrive. There is no limit to how long one may take, since lines are slow and files large;
//! but one that has all but stopped is not waited for.

use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures::{Stream, StreamExt};
use tokio::time::{Instant, timeout, timeout_at};

use crate::app::documents::Broken;

/// What must arrive in each window.
const LEAST: usize = 16 * 1024;
/// How much of a refused body is let pass by, so that its sender comes to read why.
const MOST_PASSED: usize = 64 * 1024 * 1024;
/// How long a refused body may pause before the answer is sent.
const PAUSE: Duration = Duration::from_secs(2);

/// The body, until it ends or breaks.
pub fn arrival(body: Body, window: Duration) -> impl Stream<Item = Result<Bytes, Broken>> + Send + 'static {
    let start = (Some(body.into_data_stream()), Instant::now() + window, 0);
    futures::stream::unfold(start, move |(body, mut deadline, mut arrived)| async move {
        let mut body = body?;
        match timeout_at(deadline, body.next()).await {
            Err(_) => Some((Err(Broken::Slow), (None, deadline, 0))),
            Ok(None) => None,
            Ok(Some(Err(_))) => Some((Err(Broken::Lost), (None, deadline, 0))),
            Ok(Some(Ok(bytes))) => {
                arrived += bytes.len();
                if arrived >= LEAST {
                    (deadline, arrived) = (Instant::now() + window, 0);
                }
                Some((Ok(bytes), (Some(body), deadline, arrived)))
            }
        }
    })
    .fuse()
}

/// Reads on without keeping anything: a browser that is hung up on while it sends shows no answer.
pub async fn let_pass(mut body: Pin<&mut (dyn Stream<Item = Result<Bytes, Broken>> + Send)>) {
    let mut passed = 0;
    while passed < MOST_PASSED
        && let Ok(Some(Ok(bytes))) = timeout(PAUSE, body.next()).await
    {
        passed += bytes.len();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use super::*;

    fn drops(every: Duration, size: usize) -> Body {
        Body::from_stream(futures::stream::unfold((), move |()| async move {
            tokio::time::sleep(every).await;
            Some((Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; size])), ()))
        }))
    }

    #[tokio::test]
    async fn what_drips_is_not_waited_for_and_a_slow_line_is() {
        let mut body = pin!(arrival(drops(Duration::from_millis(30), 1), Duration::from_millis(100)));
        let ended = loop {
            match body.next().await {
                Some(Ok(_)) => {}
                other => break other,
            }
        };
        assert_eq!(ended, Some(Err(Broken::Slow)));
        assert_eq!(body.next().await, None);

        // Half of what a window asks for at a time, for several windows.
        let body = pin!(arrival(drops(Duration::from_millis(100), LEAST / 2), Duration::from_secs(1)));
        assert!(body.take(25).all(|bytes| std::future::ready(bytes.is_ok())).await);
    }

    #[tokio::test]
    async fn what_is_refused_passes_by_until_it_pauses_or_is_too_much() {
        let window = Duration::from_secs(30);
        let endless = Body::from_stream(futures::stream::repeat_with(|| {
            Ok::<_, std::io::Error>(Bytes::from_static(&[0; 1024 * 1024]))
        }));
        let_pass(pin!(arrival(endless, window))).await;
        let quiet = Body::from_stream(futures::stream::pending::<std::io::Result<Bytes>>());
        let_pass(pin!(arrival(quiet, window))).await;
    }
}
