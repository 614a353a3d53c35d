//! Files as stored.

use super::{FileName, FileState, Rejection, SlotKind};
use crate::moments::{HOUR, Millis};

/// An applicant's file.
#[derive(Debug, Clone)]
pub struct StoredDocument {
    pub id: String,
    pub applicant_id: String,
    pub slot: SlotKind,
    pub name: FileName,
    pub state: FileState,
    /// Size of the file in bytes: first announced, then received, then stored.
    pub size: Option<u64>,
    /// Bytes received and safely stored.
    pub received: u64,
    /// SHA-256 of the stored file, hexadecimal.
    pub sha256: Option<String>,
    /// Name of the stored file in the object storage.
    pub object: Option<String>,
    pub rejection: Option<Rejection>,
    pub created_at: Millis,
    /// When bytes last arrived, or the state changed.
    pub updated_at: Millis,
}

/// Hours without progress after which an upload is abandoned.
pub const UPLOAD_HOURS: i64 = 24;

impl StoredDocument {
    /// Returns when an upload is abandoned if nothing more arrives.
    pub fn expires_at(&self) -> Millis {
        self.updated_at + UPLOAD_HOURS * HOUR
    }

    /// Whether the upload is abandoned at `now`.
    pub fn is_expired(&self, now: Millis) -> bool {
        self.state == FileState::Uploading && self.expires_at() <= now
    }
}
