//! What nobody asks for: files left behind are checked, and uploads without progress given up.

use crate::App;
use crate::error::Error;
use domain::documents::{FileState, UPLOAD_HOURS};
use domain::moments::{HOUR, MINUTE, Millis};

/// How often [`App::care_for_documents`] is to be called.
pub const CARE_PAUSE: Millis = MINUTE;
/// Files looked at in one go.
const BATCH: i64 = 20;

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
}
