//! Applications as this process has last saved them, by the session that did: what an autosave is made from, so that it
//! needs no look at the database before it writes. Nothing here is trusted without the database: the write names the
//! revision, and a revision never changes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::ports::{Application, MINUTE, Millis};

/// Most sessions that are remembered: some tens of megabytes when each has filled in everything.
const CAPACITY: usize = 4096;
/// How long until the session is looked up in full again, which notes the visit.
const FRESH: Millis = MINUTE;

#[derive(Debug, Default)]
pub struct Drafts(Mutex<HashMap<String, Draft>>);

#[derive(Debug)]
struct Draft {
    application: Arc<Application>,
    until: Millis,
}

impl Drafts {
    /// The application of the session, if it was saved at this revision a short while ago.
    pub fn at(&self, session_id: &str, revision: i64, now: Millis) -> Option<Arc<Application>> {
        let drafts = self.drafts();
        let draft =
            drafts.get(session_id).filter(|draft| now < draft.until && draft.application.revision == revision)?;
        Some(draft.application.clone())
    }

    /// Remembers what was saved after a full look at the session.
    pub fn keep(&self, session_id: String, application: &Arc<Application>, now: Millis) {
        let mut drafts = self.drafts();
        if drafts.len() >= CAPACITY {
            drafts.retain(|_, draft| now < draft.until);
        }
        if drafts.len() < CAPACITY {
            drafts.insert(session_id, Draft { application: application.clone(), until: now + FRESH });
        }
    }

    /// Remembers what was saved without a full look, for no longer than before.
    pub fn saved_again(&self, session_id: &str, application: &Arc<Application>) {
        if let Some(draft) = self.drafts().get_mut(session_id) {
            draft.application = application.clone();
        }
    }

    fn drafts(&self) -> MutexGuard<'_, HashMap<String, Draft>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
