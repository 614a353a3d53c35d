//! What pages read so often that they do not go to the database for it.

use std::sync::{PoisonError, RwLock};

use domain::moments::Millis;

/// How long another process may keep using what this one has just replaced: five seconds.
const FRESH: Millis = 5_000;

/// A value that is looked up again every five seconds.
#[derive(Debug)]
pub struct Cache<T>(RwLock<Option<(T, Millis)>>);

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<T: Clone> Cache<T> {
    /// Returns the last known value, and whether it is fresh.
    pub fn get(&self, now: Millis) -> Option<(T, bool)> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        kept.map(|(value, until)| (value, now < until))
    }

    pub fn set(&self, value: T, now: Millis) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some((value, now + FRESH));
    }

    pub fn clear(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
