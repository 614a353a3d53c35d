//! Applications as this process last saved them, by session: an autosave builds on them, so that it does not need to
//! read the database before it writes. Nothing here is trusted on its own: the write names the revision, and a revision
//! never changes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::application::Application;
use domain::moments::{MINUTE, Millis};

/// Maximum number of sessions remembered: some tens of megabytes if each has filled in everything.
const CAPACITY: usize = 4096;
/// How long until the session is fully checked again, which records the visit.
const FRESH: Millis = MINUTE;

#[derive(Debug, Default)]
pub struct RecentSaves(Mutex<HashMap<String, Save>>);

#[derive(Debug)]
struct Save {
    application: Arc<Application>,
    until: Millis,
}

impl RecentSaves {
    /// The session's application, if it was saved at this revision recently.
    pub fn at(&self, session_id: &str, revision: i64, now: Millis) -> Option<Arc<Application>> {
        let saves = self.saves();
        let save = saves.get(session_id).filter(|save| now < save.until && save.application.revision == revision)?;
        Some(save.application.clone())
    }

    /// Remembers a save after a full check of the session.
    pub fn keep(&self, session_id: String, application: &Arc<Application>, now: Millis) {
        let mut saves = self.saves();
        if saves.len() >= CAPACITY {
            saves.retain(|_, save| now < save.until);
        }
        if saves.len() < CAPACITY {
            saves.insert(session_id, Save { application: application.clone(), until: now + FRESH });
        }
    }

    /// Remembers a save without a full check. Does not extend its time.
    pub fn saved_again(&self, session_id: &str, application: &Arc<Application>) {
        if let Some(save) = self.saves().get_mut(session_id) {
            save.application = application.clone();
        }
    }

    fn saves(&self) -> MutexGuard<'_, HashMap<String, Save>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
