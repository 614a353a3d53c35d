//! The bounded queue between requests and workers.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Context;
use std::time::Instant;

use tokio::sync::{Notify, oneshot};

use super::error::RenderError;
use super::isolate::Bundles;

/// One render that somebody waits for.
pub struct Job {
    pub since: Instant,
    /// Which of the bundles renders it.
    pub bundle: usize,
    pub json: String,
    pub reply: oneshot::Sender<Result<String, RenderError>>,
}

pub struct Queue {
    state: Mutex<State>,
    capacity: usize,
    /// Told once for every job, and everybody when something else changes.
    changed: Notify,
}

struct State {
    jobs: VecDeque<Job>,
    bundles: Bundles,
    /// Counts reloads; a worker with older ones makes a new isolate first.
    generation: u64,
    closed: bool,
}

/// What a worker should do next.
pub enum Next {
    Render(Job),
    /// Other bundles are to be used from now on.
    Reload(Bundles, u64),
    Stop,
}

impl Queue {
    pub fn new(capacity: usize, bundles: Bundles) -> Queue {
        let state = State { jobs: VecDeque::new(), bundles, generation: 0, closed: false };
        Queue { state: Mutex::new(state), capacity, changed: Notify::new() }
    }

    /// Never waits: a full queue is an answer too.
    pub fn push(&self, job: Job) -> Result<(), RenderError> {
        let depth = {
            let mut state = self.state();
            if state.closed {
                return Err(RenderError::Stopped);
            }
            if state.jobs.len() >= self.capacity {
                // Jobs whose requests were given up need no room.
                state.jobs.retain(|job| !job.reply.is_closed());
            }
            if state.jobs.len() >= self.capacity {
                return Err(RenderError::Busy);
            }
            state.jobs.push_back(job);
            state.jobs.len()
        };
        metrics::gauge!("matricula_render_queue").set(depth as f64);
        // The worker that had something to do last: its isolate is still in the processor's caches.
        self.changed.notify_last();
        Ok(())
    }

    /// What a worker with the bundles of that generation does next. While there is nothing, calls `idle` when the task is
    /// woken, and before it sleeps if `tend`. After a close the queue is emptied first.
    pub async fn next(&self, generation: u64, mut tend: bool, mut idle: impl FnMut(&mut Context<'_>)) -> Next {
        loop {
            if let Some(next) = self.take(generation) {
                return next;
            }
            let mut changed = pin!(self.changed.notified());
            // From here on nothing is missed, so one more look makes sure.
            changed.as_mut().enable();
            if let Some(next) = self.take(generation) {
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

    fn take(&self, generation: u64) -> Option<Next> {
        let mut state = self.state();
        if state.generation != generation {
            return Some(Next::Reload(state.bundles.clone(), state.generation));
        }
        while let Some(job) = state.jobs.pop_front() {
            metrics::gauge!("matricula_render_queue").set(state.jobs.len() as f64);
            if !job.reply.is_closed() {
                return Some(Next::Render(job));
            }
        }
        state.closed.then_some(Next::Stop)
    }

    /// The bundles to use, and their generation.
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
