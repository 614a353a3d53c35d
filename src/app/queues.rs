//! Queues for expensive work: one job per account at a time, with a short line behind it, so that nobody takes
//! everybody else's place.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Files checked at a time. Each takes twice its own size and up to 200 MB for the pixels of an image.
const CHECKS: usize = 2;
/// Maximum checks per account, running or waiting.
const CHECKS_OF_ONE: usize = 10;
/// Archives sent at a time. Each takes less than a megabyte.
const ARCHIVES: usize = 16;
/// One being sent, and one waiting for it to end.
const ARCHIVES_OF_ONE: usize = 2;

/// The queues of this process.
#[derive(Debug, Clone)]
pub struct Queues {
    /// For checking uploaded files.
    pub checks: Arc<Queue>,
    /// For downloading one's own data.
    pub archives: Arc<Queue>,
}

impl Default for Queues {
    fn default() -> Self {
        let queue = |at_once, of_one| Arc::new(Queue::new(at_once, of_one));
        Queues { checks: queue(CHECKS, CHECKS_OF_ONE), archives: queue(ARCHIVES, ARCHIVES_OF_ONE) }
    }
}

/// A queue: who is being served, and who waits.
#[derive(Debug)]
pub struct Queue {
    turns: Arc<Semaphore>,
    of_one: usize,
    lines: Mutex<HashMap<String, Line>>,
}

/// The line of one account.
#[derive(Debug)]
struct Line {
    turn: Arc<Semaphore>,
    length: usize,
}

/// A place in the queue, given up when it is dropped.
#[derive(Debug)]
pub struct Place {
    queue: Arc<Queue>,
    account: String,
    own: Arc<Semaphore>,
}

/// The right to start, and to hold the resources of the work, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    _among_all: OwnedSemaphorePermit,
    _among_own: OwnedSemaphorePermit,
    _place: Place,
}

impl Queue {
    /// Serves `at_once` accounts at a time, with up to `of_one` places for each.
    pub fn new(at_once: usize, of_one: usize) -> Queue {
        Queue { turns: Arc::new(Semaphore::new(at_once)), of_one, lines: Mutex::default() }
    }

    /// A place for this account; `None` if it has used up its places.
    pub fn join(self: &Arc<Queue>, account: &str) -> Option<Place> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Line { turn: Arc::new(Semaphore::new(1)), length: 0 };
        let line = lines.entry(account.to_owned()).or_insert_with(new);
        if line.length >= self.of_one {
            return None;
        }
        line.length += 1;
        Some(Place { queue: self.clone(), account: account.to_owned(), own: line.turn.clone() })
    }
}

impl Place {
    /// Waits for its turn: first within its account, then among all, in order of arrival.
    pub async fn turn(self) -> Turn {
        let among_own = take(&self.own).await;
        let among_all = take(&self.queue.turns).await;
        Turn { _among_all: among_all, _among_own: among_own, _place: self }
    }
}

async fn take(turns: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    turns.clone().acquire_owned().await.expect("the semaphore is never closed")
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut lines = self.queue.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lines.get_mut(&self.account) {
            line.length -= 1;
            if line.length == 0 {
                lines.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn join(queue: &Arc<Queue>, account: &str) -> Place {
        queue.join(account).expect("there is a place")
    }

    #[tokio::test]
    async fn one_account_takes_one_turn_at_a_time_and_as_many_places_as_it_may() {
        let queue = Arc::new(Queue::new(2, 3));
        let first = join(&queue, "a").turn().await;
        let mut second = Box::pin(join(&queue, "a").turn());
        let mut third = Box::pin(join(&queue, "a").turn());
        assert!((&mut second).now_or_never().is_none(), "its account has a turn");
        assert!((&mut third).now_or_never().is_none());
        assert!(queue.join("a").is_none(), "three have a place");
        let other = join(&queue, "b").turn().now_or_never();
        assert!(other.is_some(), "another account has its own line");
        let mut crowd = Box::pin(join(&queue, "c").turn());
        assert!((&mut crowd).now_or_never().is_none(), "two are at it");
        drop(third);
        assert!(queue.join("a").is_some(), "who has left leaves a place");
        drop(first);
        assert!((&mut crowd).now_or_never().is_some(), "it came before the next one of the first account");
    }

    #[tokio::test]
    async fn nothing_is_kept_of_who_has_left() {
        let queue = Arc::new(Queue::new(1, 3));
        let (turn, waiting) = (join(&queue, "a").turn().await, join(&queue, "b"));
        assert!(join(&queue, "c").turn().now_or_never().is_none());
        drop((turn, waiting));
        assert!(queue.lines.lock().unwrap().is_empty());
        assert_eq!(queue.turns.available_permits(), 1);
    }
}
