//! The bounded queue between requests and workers.
//!
//! Half of the workers are enough while nothing takes long: rendering is only part of what a request costs, and more
//! threads than cores evict each other from the processor's caches. The others are called when a render takes long.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Context;
use std::time::{Duration, Instant};

use tokio::sync::{Notify, oneshot};

use super::error::RenderError;
use super::isolate::Bundles;
use super::suspects::{Origin, Suspects};
use telemetry::Link;

/// A worker that has begun something within this time will soon take the next job.
pub const SOON: Duration = Duration::from_millis(5);

/// A render that a request waits for.
pub struct Job {
    pub since: Instant,
    pub origin: Origin,
    /// Which of the bundles renders it.
    pub bundle: usize,
    pub json: String,
    pub trace: Link,
    pub reply: oneshot::Sender<Result<String, RenderError>>,
}

pub struct Queue {
    state: Mutex<State>,
    capacity: usize,
    /// Workers that render at a time while none of them takes long.
    usual: usize,
    /// Notifies one worker of a job that needs another, and all of them of anything else.
    changed: Notify,
}

struct State {
    jobs: VecDeque<Job>,
    /// What each worker is doing; `None` while it is idle.
    begun: Vec<Option<Begun>>,
    suspects: Suspects,
    bundles: Bundles,
    /// Counts reloads; a worker with older bundles makes a new isolate first.
    generation: u64,
    closed: bool,
}

#[derive(Clone, Copy)]
struct Begun {
    at: Instant,
    is_suspect: bool,
}

/// What a worker should do next.
pub enum Next {
    Render(Job),
    /// Other bundles must be used from now on.
    Reload(Bundles, u64),
    Stop,
}

impl Queue {
    pub fn new(capacity: usize, workers: usize, bundles: Bundles) -> Queue {
        let begun = vec![None; workers];
        let suspects = Suspects::default();
        let state = State { jobs: VecDeque::new(), begun, suspects, bundles, generation: 0, closed: false };
        Queue { state: Mutex::new(state), capacity, usual: workers.div_ceil(2), changed: Notify::new() }
    }

    /// Adds a job. Never waits: if the queue is full, it says so.
    pub fn push(&self, job: Job) -> Result<(), RenderError> {
        let (depth, calls) = {
            let mut state = self.state();
            if state.closed {
                return Err(RenderError::Stopped);
            }
            if state.jobs.len() >= self.capacity {
                // Jobs whose requests were given up take no room.
                state.jobs.retain(|job| !job.reply.is_closed());
            }
            if state.jobs.len() >= self.capacity {
                return Err(RenderError::Busy);
            }
            state.jobs.push_back(job);
            (state.jobs.len(), self.wants_another(&state))
        };
        metrics::gauge!("matricula_render_queue").set(depth as f64);
        if calls {
            self.call();
        }
        Ok(())
    }

    /// Calls another worker if jobs wait and the busy ones take long. Called by requests that have waited for [`SOON`].
    pub fn call_if_stuck(&self) {
        let calls = self.wants_another(&self.state());
        if calls {
            self.call();
        }
    }

    /// Whether more jobs wait than the busy workers will soon take, and another one may render.
    fn wants_another(&self, state: &State) -> bool {
        let soon = state.soon_free(None);
        soon < self.usual && soon < state.jobs.len()
    }

    /// Calls the worker that was busy last: its isolate is still in the processor's caches.
    fn call(&self) {
        self.changed.notify_last();
    }

    /// Returns what a worker should do next, given its number and the generation of its bundles. While there is
    /// nothing, calls `idle` when the task is woken, and before it sleeps if `tend`. After a close the queue is emptied
    /// first.
    pub async fn next(
        &self,
        worker: usize,
        generation: u64,
        mut tend: bool,
        mut idle: impl FnMut(&mut Context<'_>),
    ) -> Next {
        loop {
            if let Some(next) = self.take(worker, generation) {
                return next;
            }
            let mut changed = pin!(self.changed.notified());
            // From here on nothing is missed, so one more look makes sure.
            changed.as_mut().enable();
            if let Some(next) = self.take(worker, generation) {
                return next;
            }
            poll_fn(|context| {
                let changed = changed.as_mut().poll(context);
                if changed.is_pending() && std::mem::replace(&mut tend, true) {
                    idle(context);
                }
                changed
            })
            .await;
        }
    }

    /// Returns the next thing to do; if there is none, the worker is idle from that moment on, so no job is left to it.
    fn take(&self, worker: usize, generation: u64) -> Option<Next> {
        let mut state = self.state();
        if state.generation != generation {
            return Some(Next::Reload(state.bundles.clone(), state.generation));
        }
        if state.closed || state.soon_free(Some(worker)) < self.usual {
            while let Some((job, is_suspect)) = state.take_job(worker) {
                metrics::gauge!("matricula_render_queue").set(state.jobs.len() as f64);
                if !job.reply.is_closed() {
                    state.begun[worker] = Some(Begun { at: Instant::now(), is_suspect });
                    return Some(Next::Render(job));
                }
            }
        }
        state.begun[worker] = None;
        state.closed.then_some(Next::Stop)
    }

    /// Notes that a render had to be stopped.
    pub fn suspect(&self, origin: Origin) {
        self.state().suspects.add(origin);
    }

    /// Returns the bundles to use, and their generation.
    pub fn bundles(&self) -> (Bundles, u64) {
        let state = self.state();
        (state.bundles.clone(), state.generation)
    }

    pub fn reload(&self, bundles: Bundles) {
        let mut state = self.state();
        state.bundles = bundles;
        state.generation += 1;
        drop(state);
        self.changed.notify_waiters();
    }

    pub fn close(&self) {
        self.state().closed = true;
        self.changed.notify_waiters();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns how many workers will soon be done, not counting `except`.
    fn soon_free(&self, except: Option<usize>) -> usize {
        let others = self.begun.iter().enumerate().filter(|(worker, _)| Some(*worker) != except);
        others.filter(|(_, begun)| begun.is_some_and(|begun| begun.at.elapsed() < SOON)).count()
    }

    /// Takes the first job, and tells whether it is suspect. If there are several isolates, one is kept for jobs that
    /// are not.
    fn take_job(&mut self, worker: usize) -> Option<(Job, bool)> {
        let others = self.begun.iter().enumerate().filter(|(other, _)| *other != worker);
        let suspect = others.filter(|(_, begun)| begun.is_some_and(|begun| begun.is_suspect)).count();
        let has_room = suspect + 1 < self.begun.len().max(2);
        let index = self.jobs.iter().position(|job| has_room || !self.suspects.has(job.origin))?;
        let job = self.jobs.remove(index)?;
        let is_suspect = self.suspects.has(job.origin);
        Some((job, is_suspect))
    }
}
