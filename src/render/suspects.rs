//! Pages that had to be stopped, and are likely to have to be stopped again: they never get all isolates.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Identifies what is rendered, to tell how it is likely to behave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    pub screen: &'static str,
    /// Tells the pages of a screen apart: a hash of what determines the content, such as address and person.
    pub page: u64,
}

/// How long a page stays suspect after it was stopped.
const LONG: Duration = Duration::from_secs(60);
/// This many different suspect pages make the whole screen suspect.
const PAGES_OF_SCREEN: usize = 5;
/// Maximum number of pages remembered; then the oldest are forgotten.
const MAX: usize = 256;

#[derive(Default)]
pub struct Suspects(HashMap<Origin, Instant>);

impl Suspects {
    /// Notes that a page had to be stopped.
    pub fn add(&mut self, origin: Origin) {
        let now = Instant::now();
        self.0.retain(|_, since| now.duration_since(*since) < LONG);
        if self.0.len() >= MAX
            && let Some(oldest) = self.0.iter().min_by_key(|(_, since)| **since).map(|(origin, _)| *origin)
        {
            self.0.remove(&oldest);
        }
        self.0.insert(origin, now);
    }

    pub fn has(&self, origin: Origin) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let is_recent = |since: &Instant| since.elapsed() < LONG;
        self.0.get(&origin).is_some_and(is_recent) || {
            let of_screen = self.0.iter().filter(|(other, since)| other.screen == origin.screen && is_recent(since));
            of_screen.count() >= PAGES_OF_SCREEN
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_is_suspect_when_several_of_its_pages_are() {
        let mut suspects = Suspects::default();
        let page = |page| Origin { screen: "dashboard", page };
        assert!(!suspects.has(page(1)));
        for stopped in 1..5 {
            suspects.add(page(stopped));
            suspects.add(page(stopped));
            assert!(suspects.has(page(stopped)) && !suspects.has(page(99)));
        }
        suspects.add(page(5));
        assert!(suspects.has(page(99)));
        assert!(!suspects.has(Origin { screen: "login", page: 1 }));
        for stopped in 0..1000 {
            suspects.add(page(stopped));
        }
        assert_eq!(suspects.0.len(), MAX);
    }
}
