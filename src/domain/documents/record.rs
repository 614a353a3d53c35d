//! Files as they are stored.

use super::{FileName, FileState, Rejection, SlotKind};
use crate::moments::{HOUR, Millis};

/// A file of an applicant.
#[derive(Debug, Clone)]
pub struct StoredDocument {
    pub id: String,
    pub applicant_id: String,
    pub slot: SlotKind,
    pub name: FileName,
    pub state: FileState,
    /// Bytes of the whole: announced, then arrived, then kept.
    pub size: Option<u64>,
    /// Bytes that are safe.
    pub received: u64,
    /// SHA-256 of what is kept, hexadecimal.
    pub sha256: Option<String>,
    /// The name of what is kept in the storage.
    pub object: Option<String>,
    pub rejection: Option<Rejection>,
    pub created_at: Millis,
    /// When bytes came last, or the state changed.
    pub updated_at: Millis,
}

/// An upload without progress for this long is given up.
pub const UPLOAD_HOURS: i64 = 24;

impl StoredDocument {
    /// When an upload is given up if nothing more comes.
    pub fn expires_at(&self) -> Millis {
        self.updated_at + UPLOAD_HOURS * HOUR
    }

    /// Whether it was given up at `now`.
    pub fn is_expired(&self, now: Millis) -> bool {
        self.state == FileState::Uploading && self.expires_at() <= now
    }
}
