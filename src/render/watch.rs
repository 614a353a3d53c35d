//! The watchdog: stops what runs past the deadline.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::isolate::Terminator;

/// What a worker is doing, as the watchdog sees it.
#[derive(Default)]
pub struct Watch(Mutex<Phase>);

#[derive(Default)]
enum Phase {
    #[default]
    Idle,
    Running {
        since: Instant,
        terminator: Terminator,
    },
    Expired,
}

impl Watch {
    /// Runs JavaScript under watch. The flag tells whether it was stopped for taking too long.
    pub fn during<T>(&self, terminator: &Terminator, work: impl FnOnce() -> T) -> (T, bool) {
        self.set(Phase::Running { since: Instant::now(), terminator: terminator.clone() });
        let result = work();
        // The lock decides: either the watchdog came first and the isolate is lost, or it can no longer hit it.
        let expired = matches!(self.set(Phase::Idle), Phase::Expired);
        (result, expired)
    }

    /// Stops what has been running for longer than `deadline`.
    pub fn check(&self, deadline: Duration) {
        let mut phase = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Phase::Running { since, terminator } = &*phase
            && since.elapsed() > deadline
        {
            terminator.terminate();
            *phase = Phase::Expired;
        }
    }

    fn set(&self, phase: Phase) -> Phase {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), phase)
    }
}
