//! What nobody asks for: files left behind are checked, uploads without progress given up, and objects that no row names
//! removed.

use futures::StreamExt;

use super::super::App;
use super::super::error::Error;
use super::super::ports::{DAY, HOUR, MINUTE, Millis};
use super::uploads::UPLOAD_HOURS;
use super::{CONTRACTS, DOCUMENTS, UPLOADS};
use crate::domain::documents::FileState;

/// How often [`App::care_for_documents`] is to be called.
pub const CARE_PAUSE: Millis = MINUTE;
/// How often [`App::remove_nameless_objects`] is to be called.
pub const RECONCILE_PAUSE: Millis = DAY;
/// Longer than the bytes of any request wait for the row that names them.
const GRACE: Millis = 2 * DAY;
/// Files looked at in one go.
const BATCH: i64 = 20;

/// Whether an object has a name as we give them: others may keep something in the same storage.
pub fn is_ours(object: &str) -> bool {
    object.split_once('/').is_some_and(|(folder, _)| [DOCUMENTS, UPLOADS, CONTRACTS].contains(&folder))
}

impl App {
    /// Checks what was left behind, and gives up what was abandoned. How many files.
    pub async fn care_for_documents(&self) -> Result<usize, Error> {
        let mut done = 0;
        for id in self.store.unchecked_documents(self.clock.now(), BATCH).await? {
            self.check_left_behind(&id).await?;
            done += 1;
        }
        let before = self.clock.now() - UPLOAD_HOURS * HOUR;
        for document in self.store.abandoned_documents(before, BATCH).await? {
            // What has moved on meanwhile is in neither state, or has newer bytes and is left to the next round.
            if self.forget(&document, &[FileState::Uploading, FileState::Refused], None).await? {
                done += 1;
            }
        }
        Ok(done)
    }

    /// Removes objects of ours that no row names and that are too old to be on their way to one. How many.
    pub async fn remove_nameless_objects(&self) -> Result<usize, Error> {
        let before = self.clock.now() - GRACE;
        let mut removed = 0;
        let mut objects = self.storage.list().await;
        while let Some(object) = objects.next().await {
            let object = object?;
            if is_ours(&object.name) && object.modified_at < before && !self.store.is_object_known(&object.name).await?
            {
                self.storage.delete(&object.name).await?;
                tracing::info!(object = object.name, "removed an object that no row names");
                removed += 1;
            }
        }
        Ok(removed)
    }
}
