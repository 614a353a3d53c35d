//! Applications as this process has last saved them, by the session that did: what an autosave is made from, so that it
//! needs no look at the database before it writes. Nothing here is trusted without the database: the write names the
//! revision, and a revision never changes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::application::Application;
use domain::moments::{MINUTE, Millis};

/// Most sessions that are remembered: some tens of megabytes when each has filled in everything.
const CAPACITY: usize = 4096;
/// How long until the session is looked up in full again, which notes the visit.
const FRESH: Millis = MINUTE;

#[derive(Debug, Default)]
pub struct RecentSaves(Mutex<HashMap<String, Save>>);

#[derive(Debug)]
struct Save {
    application: Arc<Application>,
    until: Millis,
}

impl RecentSaves {
    /// The application of the session, if it was saved at this revision a short while ago.
    pub fn at(&self, session_id: &str, revision: i64, now: Millis) -> Option<Arc<Application>> {
        let saves = self.saves();
        let save = saves.get(session_id).filter(|save| now < save.until && save.application.revision == revision)?;
        Some(save.application.clone())
    }

    /// Remembers what was saved after a full look at the session.
    pub fn keep(&self, session_id: String, application: &Arc<Application>, now: Millis) {
        let mut saves = self.saves();
        if saves.len() >= CAPACITY {
            saves.retain(|_, save| now < save.until);
        }
        if saves.len() < CAPACITY {
            saves.insert(session_id, Save { application: application.clone(), until: now + FRESH });
        }
    }

    /// Remembers what was saved without a full look, for no longer than before.
    pub fn saved_again(&self, session_id: &str, application: &Arc<Application>) {
        if let Some(save) = self.saves().get_mut(session_id) {
            save.application = application.clone();
        }
    }

    fn saves(&self) -> MutexGuard<'_, HashMap<String, Save>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
