//! A worker: one thread, one isolate at a time.

use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Instant;

use super::error::{RenderError, StartError};
use super::isolate::{Bundles, Isolate, IsolateOptions, Terminator};
use super::pool::Shared;
use super::queue::{Job, Next};
use super::watch::Watch;

/// Renders between two rounds of upkeep of the isolate while there is always something to render.
const TENDED_EVERY: u32 = 128;

pub struct Worker {
    number: usize,
    shared: Arc<Shared>,
    watch: Arc<Watch>,
    bundles: Bundles,
    generation: u64,
    /// `None` only while a new one cannot be made.
    seat: Option<Seat>,
    renders: u32,
    /// Whether the engine does not yet know whom to wake for deferred work.
    is_new: bool,
}

struct Seat {
    isolate: Isolate,
    terminator: Terminator,
    /// Counted by [`super::Renderer::isolates`].
    _present: Arc<()>,
}

impl Worker {
    /// Makes the isolate and renders the warm-up page. Must be called inside a tokio runtime.
    pub fn start(number: usize, shared: Arc<Shared>, watch: Arc<Watch>) -> Result<Worker, StartError> {
        let (bundles, generation) = shared.queue.bundles();
        let mut worker = Worker { number, shared, watch, bundles, generation, seat: None, renders: 0, is_new: true };
        worker.take_seat()?;
        Ok(worker)
    }

    /// Renders until the queue is closed and empty.
    pub async fn run(mut self) {
        let shared = self.shared.clone();
        loop {
            // Tends a new isolate before the first sleep, and then whenever the engine wakes us: it has the waker from
            // then on.
            let tend = std::mem::take(&mut self.is_new);
            match shared.queue.next(self.number, self.generation, tend, |context| self.tend(context)).await {
                Next::Render(job) => self.answer(job),
                Next::Reload(bundles, generation) => {
                    (self.bundles, self.generation) = (bundles, generation);
                    self.replace("reload");
                }
                Next::Stop => return,
            }
            if self.renders >= TENDED_EVERY {
                self.renders = 0;
                self.tend(&mut Context::from_waker(Waker::noop()));
                self.replace_if_grown();
                self.count_remembered();
                // The engine's delayed tasks run on this thread too.
                tokio::task::yield_now().await;
            }
        }
    }

    fn answer(&mut self, job: Job) {
        metrics::histogram!("matricula_render_wait_seconds").record(job.since.elapsed());
        if job.since.elapsed() > self.shared.limits.deadline {
            let _ = job.reply.send(Err(RenderError::Busy));
            return;
        }
        metrics::gauge!("matricula_render_busy").increment(1);
        let span = job.trace.part("isolate");
        let start = Instant::now();
        let result = self.render(job.bundle, &job.json);
        drop(span);
        metrics::histogram!("matricula_render_seconds").record(start.elapsed());
        metrics::gauge!("matricula_render_busy").decrement(1);
        let fault = result.as_ref().err().map(RenderError::kind);
        if matches!(fault, Some("deadline" | "heap")) {
            // Before the visitor can ask again.
            self.shared.queue.suspect(job.origin);
        }
        // If the request was given up meanwhile, there is nobody to tell.
        let _ = job.reply.send(result);
        match fault {
            Some(reason @ ("deadline" | "heap")) => self.replace(reason),
            Some("too_large") => self.replace_if_grown(),
            _ => {}
        }
        self.renders += 1;
    }

    fn render(&mut self, bundle: usize, json: &str) -> Result<String, RenderError> {
        if self.seat.is_none() {
            self.take_seat().map_err(|error| RenderError::Threw { message: error.to_string() })?;
        }
        // A seat was just taken where there was none.
        let Some(Seat { isolate, terminator, .. }) = &mut self.seat else { return Err(RenderError::Stopped) };
        let (result, expired) = self.watch.during(terminator, || isolate.render(bundle, json));
        match result {
            // On a busy machine, a render that fills the heap may not finish doing so in time.
            _ if expired && isolate.is_half_full() => Err(RenderError::Heap),
            _ if expired => Err(RenderError::Deadline),
            result => result,
        }
    }

    fn tend(&mut self, context: &mut Context<'_>) {
        let Some(Seat { isolate, terminator, .. }) = &mut self.seat else { return };
        let (result, expired) = self.watch.during(terminator, || isolate.turn(context));
        if let Err(error) = if expired { Err(RenderError::Deadline) } else { result } {
            tracing::error!(error = &error as &dyn std::error::Error, "an isolate failed between two renders");
            self.replace(error.kind());
        }
    }

    fn count_remembered(&mut self) {
        let Some(seat) = &mut self.seat else { return };
        let remembered = seat.isolate.remembered();
        metrics::gauge!("matricula_render_remembered", "isolate" => self.number.to_string()).set(remembered);
    }

    fn replace_if_grown(&mut self) {
        if self.seat.as_mut().is_some_and(|seat| seat.isolate.has_grown()) {
            self.replace("growth");
        }
    }

    fn replace(&mut self, reason: &'static str) {
        metrics::counter!("matricula_render_isolates_replaced_total", "reason" => reason).increment(1);
        tracing::info!(reason, "an isolate is replaced");
        // An isolate cannot be dropped while a younger one lives on the thread.
        self.seat = None;
        if let Err(error) = self.take_seat() {
            tracing::error!(error = &error as &dyn std::error::Error, "no isolate could be made");
        }
    }

    fn take_seat(&mut self) -> Result<(), StartError> {
        let limits = &self.shared.limits;
        let mut isolate = Isolate::new(&IsolateOptions {
            bundles: self.bundles.clone(),
            heap_limit: limits.heap,
            output_limit: limits.output,
            allow_faults: limits.allow_faults,
        })?;
        let terminator = isolate.terminator();
        let (warm, expired) = self.watch.during(&terminator, || isolate.render(0, &self.shared.warm_up));
        let warm = if expired { Err(RenderError::Deadline) } else { warm };
        warm.map_err(StartError::WarmUp)?;
        self.is_new = true;
        self.seat = Some(Seat { isolate, terminator, _present: self.shared.present.clone() });
        self.count_remembered();
        Ok(())
    }
}
