//! The pool: what the rest of the program sees.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::error::{RenderError, StartError};
use super::isolate;
use super::queue::{Job, Queue, SOON};
use super::suspects::Origin;
use super::watch::Watch;
use super::worker::Worker;
use telemetry::Link;

/// The options and limits of a renderer.
#[derive(Debug, Clone)]
pub struct RenderOptions {
    /// Classic scripts that define a global function `render(json: string): string`. Every isolate evaluates the first
    /// when it starts, and another when something is rendered with it.
    pub bundles: Vec<Cow<'static, str>>,
    /// The JSON of a page that every isolate renders with the first bundle before it is used.
    pub warm_up: String,
    /// Number of isolates, each with its own thread.
    pub isolates: usize,
    /// Number of renders that may wait, over all isolates.
    pub queue: usize,
    /// How long one render may take, and how long it may wait.
    pub deadline: Duration,
    /// Maximum bytes of JavaScript heap of one isolate.
    pub heap_limit: usize,
    /// Maximum bytes of HTML of one page.
    pub output_limit: usize,
    /// Lets a page ask for a fault (`ssr/faults.ts`). For test and development runs.
    pub allow_faults: bool,
}

impl RenderOptions {
    /// Sets one isolate per core, and limits that no page of ours comes near.
    pub fn new<B: Into<Cow<'static, str>>>(
        bundles: impl IntoIterator<Item = B>,
        warm_up: impl Into<String>,
    ) -> RenderOptions {
        let isolates = thread::available_parallelism().map_or(2, NonZeroUsize::get);
        RenderOptions {
            bundles: bundles.into_iter().map(Into::into).collect(),
            warm_up: warm_up.into(),
            isolates,
            queue: 64 * isolates,
            deadline: Duration::from_secs(2),
            heap_limit: 128 * 1024 * 1024,
            output_limit: 8 * 1024 * 1024,
            allow_faults: false,
        }
    }
}

/// Renders pages. Clones share the pool, which stops when the last one is dropped.
#[derive(Clone)]
pub struct Renderer(Arc<Pool>);

struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// What workers and requests share.
pub struct Shared {
    pub queue: Queue,
    pub limits: Limits,
    pub warm_up: String,
    /// Held once by every isolate that can render.
    pub present: Arc<()>,
}

pub struct Limits {
    pub deadline: Duration,
    pub heap: usize,
    pub output: usize,
    pub allow_faults: bool,
}

impl Renderer {
    /// Starts the isolates and waits until each has rendered the warm-up page. Blocks the thread meanwhile.
    pub fn start(options: RenderOptions) -> Result<Renderer, StartError> {
        let limits = Limits {
            deadline: options.deadline,
            heap: options.heap_limit,
            output: options.output_limit,
            allow_faults: options.allow_faults,
        };
        let isolates = options.isolates.max(1);
        let queue = Queue::new(options.queue, isolates, options.bundles.into());
        let shared = Arc::new(Shared { queue, limits, warm_up: options.warm_up, present: Arc::default() });
        let (started, outcomes) = mpsc::channel();
        // From here on an early return drops the pool, which ends the threads that did start.
        let renderer = Renderer(Arc::new(Pool { shared: shared.clone(), threads: Mutex::default() }));

        let watches: Vec<Arc<Watch>> = (0..isolates).map(|_| Arc::default()).collect();
        for (index, watch) in watches.iter().enumerate() {
            let (shared, watch, started) = (shared.clone(), watch.clone(), started.clone());
            let thread = isolate::spawn(format!("render-{index}"), move || work(index, &shared, &watch, &started))
                .map_err(StartError::Thread)?;
            renderer.0.threads().push(thread);
        }
        drop(started);
        let deadline = options.deadline;
        let weak = Arc::downgrade(&shared);
        let watchdog = move || {
            // Ends with the workers, which hold the queue while they run.
            while weak.strong_count() > 0 {
                thread::sleep((deadline / 8).clamp(Duration::from_millis(5), Duration::from_millis(250)));
                watches.iter().for_each(|watch| watch.check(deadline));
                if let Some(shared) = weak.upgrade() {
                    shared.queue.call_if_stuck();
                }
            }
        };
        thread::Builder::new().name("render-watch".into()).spawn(watchdog).map_err(StartError::Thread)?;
        outcomes.iter().take(isolates).collect::<Result<(), StartError>>()?;
        Ok(renderer)
    }

    /// Renders the HTML of `#root` for the JSON of a page, with the bundle at that index of the options. Answers within
    /// three deadlines, whatever happens.
    pub async fn render(&self, origin: Origin, bundle: usize, json: String) -> Result<String, RenderError> {
        let span = telemetry::part("render");
        span.set("matricula.screen", origin.screen);
        let result = span.within(self.queued(origin, bundle, json)).await;
        let outcome = result.as_ref().map_or_else(RenderError::kind, |_| "ok");
        if outcome != "ok" {
            span.fail(outcome);
        }
        metrics::counter!("matricula_renders_total", "outcome" => outcome).increment(1);
        result
    }

    async fn queued(&self, origin: Origin, bundle: usize, json: String) -> Result<String, RenderError> {
        let Shared { queue, limits, .. } = &*self.0.shared;
        let (reply, mut answer) = oneshot::channel();
        queue.push(Job { since: Instant::now(), origin, bundle, json, trace: Link::here(), reply })?;
        let soon = match tokio::time::timeout(SOON, &mut answer).await {
            Ok(answer) => Ok(answer),
            Err(_) => {
                queue.call_if_stuck();
                // One for waiting and one for rendering; the third is only needed when isolates cannot be replaced in
                // time.
                tokio::time::timeout(limits.deadline * 3, answer).await
            }
        };
        match soon {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(RenderError::Stopped),
            Err(_) => Err(RenderError::Busy),
        }
    }

    /// Returns how many isolates can render now: all of them, except while one is being replaced.
    pub fn isolates(&self) -> usize {
        Arc::strong_count(&self.0.shared.present) - 1
    }

    /// Uses other bundles for every render that starts from now on. If one cannot be evaluated, renders fail with
    /// [`RenderError::Threw`] until the next reload.
    pub fn reload(&self, bundles: Vec<String>) {
        self.0.shared.queue.reload(bundles.into_iter().map(Cow::Owned).collect());
    }

    /// Finishes what is queued, refuses the rest, and waits for the threads to end.
    pub async fn stop(&self) {
        self.0.shared.queue.close();
        let threads = std::mem::take(&mut *self.0.threads());
        let join = move || threads.into_iter().for_each(|thread| drop(thread.join()));
        // Joining cannot fail: the threads catch their panics.
        let _ = tokio::task::spawn_blocking(join).await;
    }
}

impl Pool {
    fn threads(&self) -> std::sync::MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.queue.close();
    }
}

/// The body of a worker's thread. A panic costs the render it happened in, not the worker.
fn work(number: usize, shared: &Arc<Shared>, watch: &Arc<Watch>, started: &mpsc::Sender<Result<(), StartError>>) {
    let run = || {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_time().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(started.send(Err(StartError::Thread(error)))),
        };
        runtime.block_on(async {
            match Worker::start(number, shared.clone(), watch.clone()) {
                Ok(worker) => {
                    let _ = started.send(Ok(()));
                    worker.run().await;
                }
                Err(error) => drop(started.send(Err(error))),
            }
        });
    };
    while catch_unwind(AssertUnwindSafe(run)).is_err() {
        tracing::error!("a render thread panicked and starts again");
    }
}
