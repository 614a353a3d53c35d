//! Background care for files: those left behind are checked, and stalled uploads given up.

use crate::App;
use crate::error::Error;
use domain::documents::{FileState, UPLOAD_HOURS};
use domain::moments::{HOUR, MINUTE, Millis};

/// How often [`App::care_for_documents`] is to be called.
pub const CARE_PAUSE: Millis = MINUTE;
/// Files per batch.
const BATCH: i64 = 20;

impl App {
    /// Checks files left behind, and gives up abandoned uploads. Returns how many files.
    pub async fn care_for_documents(&self) -> Result<usize, Error> {
        let mut done = 0;
        for id in self.store.unchecked_documents(self.clock.now(), BATCH).await? {
            self.check_left_behind(&id).await?;
            done += 1;
        }
        let before = self.clock.now() - UPLOAD_HOURS * HOUR;
        for document in self.store.abandoned_documents(before, BATCH).await? {
            // A file that has moved on is in neither state, or has newer bytes and is left for the next round.
            if self.forget(&document, &[FileState::Uploading, FileState::Refused], None).await? {
                done += 1;
            }
        }
        Ok(done)
    }
}
