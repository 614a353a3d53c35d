//! Development runs only: new bundles without a new binary. `scripts/dev.mjs` writes them to a folder; this module
//! loads them from there and notifies the browser.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::extract::RawQuery;
use axum::response::sse::{Event, Sse};
use axum::routing::get;
use futures::{Stream, StreamExt, stream};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::assets;
use render::Renderer;

/// How often the folder is checked.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Watches the folder until `stop`, and answers `/__dev/reload?STAMP`: a stream with an event once the bundles of that
/// stamp ([`assets::stamps`]) are outdated. Must be called inside a tokio runtime.
pub fn router(folder: PathBuf, renderer: Renderer, stop: CancellationToken) -> Router {
    let (sender, receiver) = watch::channel(assets::stamps());
    tokio::spawn(stop.clone().run_until_cancelled_owned(follow(folder, renderer, sender)));
    reloads(receiver, stop)
}

async fn follow(folder: PathBuf, renderer: Renderer, stamps: watch::Sender<Vec<String>>) {
    let mut loaded = written(&folder);
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let now = written(&folder);
        // While it is being written, there is none for a moment.
        if now.is_none() || now == loaded {
            continue;
        }
        loaded = now;
        match assets::load_from(&folder) {
            Ok(bundles) => {
                renderer.reload(bundles);
                stamps.send_replace(assets::stamps());
            }
            Err(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "the new bundles cannot be used");
            }
        }
    }
}

/// Returns when the manifest was written, which is the last step of a build.
fn written(folder: &Path) -> Option<SystemTime> {
    folder.join("manifest.json").metadata().and_then(|file| file.modified()).ok()
}

fn reloads(stamps: watch::Receiver<Vec<String>>, stop: CancellationToken) -> Router {
    let reload = move |RawQuery(stamp): RawQuery| {
        let (stamps, stop) = (stamps.clone(), stop.clone());
        async move { Sse::new(reload_of(stamp.unwrap_or_default(), stamps, stop)) }
    };
    Router::new().route("/__dev/reload", get(reload))
}

/// Sends one event at most: a page that ignores it, because of unsaved changes, is not asked again.
fn reload_of(
    stamp: String,
    mut stamps: watch::Receiver<Vec<String>>,
    stop: CancellationToken,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let stopped = stop.clone();
    let outdated = async move {
        let others = stamps.wait_for(|stamps| !stamps.contains(&stamp));
        // Browsers ignore an event without data.
        matches!(stop.run_until_cancelled(others).await, Some(Ok(_)))
            .then(|| Event::default().event("reload").data("now"))
    };
    let end = async move {
        stopped.cancelled().await;
        None
    };
    stream::once(outdated).chain(stream::once(end)).filter_map(|event| async move { event.map(Ok) })
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, BodyDataStream};
    use axum::http::Request;
    use tower::ServiceExt;

    use super::*;

    async fn connected(stamps: &watch::Receiver<Vec<String>>, stop: &CancellationToken, stamp: &str) -> BodyDataStream {
        let request = Request::get(format!("/__dev/reload?{stamp}")).body(Body::empty()).unwrap();
        reloads(stamps.clone(), stop.clone()).oneshot(request).await.unwrap().into_body().into_data_stream()
    }

    async fn next_event(stream: &mut BodyDataStream) -> Option<String> {
        let soon = tokio::time::timeout(Duration::from_millis(50), stream.next()).await.ok()?;
        soon.map(|data| String::from_utf8_lossy(&data.unwrap()).into_owned())
    }

    #[tokio::test]
    async fn a_document_is_loaded_anew_when_its_bundles_are_others_and_only_then() {
        let event = Some("event: reload\ndata: now\n\n".to_owned());
        let (sender, stamps) = watch::channel(vec!["en-1".to_owned(), "es-1".to_owned()]);
        let stop = CancellationToken::new();
        let mut english = connected(&stamps, &stop, "en-1").await;
        let mut spanish = connected(&stamps, &stop, "es-1").await;
        assert_eq!((next_event(&mut english).await, next_event(&mut spanish).await), (None, None));

        sender.send_replace(vec!["en-2".to_owned(), "es-1".to_owned()]);
        assert_eq!((next_event(&mut english).await, next_event(&mut spanish).await), (event.clone(), None));
        // What it was made with was replaced before it could ask.
        assert_eq!(next_event(&mut connected(&stamps, &stop, "en-1").await).await, event);
        let mut again = connected(&stamps, &stop, "en-2").await;
        assert_eq!((next_event(&mut english).await, next_event(&mut again).await), (None, None));

        stop.cancel();
        for stream in [&mut english, &mut spanish, &mut again] {
            assert!(stream.next().await.is_none());
        }
    }
}
