//! Development runs only: new bundles without a new binary. `scripts/dev.mjs` writes them to a folder; this room takes them
//! from there and tells the browser.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::response::sse::{Event, Sse};
use axum::routing::get;
use futures::{Stream, stream};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::assets;
use crate::render::Renderer;

/// How often the folder is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Watches the folder until `stop`, and answers `/__dev/reload`: a stream of events, one whenever there is something new.
/// Must be called inside a tokio runtime.
pub fn router(folder: PathBuf, renderer: Renderer, stop: CancellationToken) -> Router {
    let (sender, receiver) = watch::channel(());
    tokio::spawn(stop.clone().run_until_cancelled_owned(follow(folder, renderer, sender)));
    let reload = move || {
        let (receiver, stop) = (receiver.clone(), stop.clone());
        async move { Sse::new(reloads(receiver, stop)) }
    };
    Router::new().route("/__dev/reload", get(reload))
}

async fn follow(folder: PathBuf, renderer: Renderer, changed: watch::Sender<()>) {
    let mut loaded = written(&folder);
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let now = written(&folder);
        // While it is being written there is none for a moment.
        if now.is_none() || now == loaded {
            continue;
        }
        loaded = now;
        match assets::load_from(&folder) {
            Ok(bundles) => {
                renderer.reload(bundles);
                changed.send_replace(());
            }
            Err(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "the new bundles cannot be used");
            }
        }
    }
}

/// When the manifest was written, which is the last thing of a build.
fn written(folder: &Path) -> Option<SystemTime> {
    folder.join("manifest.json").metadata().and_then(|file| file.modified()).ok()
}

fn reloads(receiver: watch::Receiver<()>, stop: CancellationToken) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold((receiver, stop), |(mut receiver, stop)| async move {
        tokio::select! {
            changed = receiver.changed() => changed.ok()?,
            () = stop.cancelled() => return None,
        }
        Some((Ok(Event::default().event("reload").data("")), (receiver, stop)))
    })
}
