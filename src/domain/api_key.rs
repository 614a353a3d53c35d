//! API keys: how a program of the institute calls the API in the name of the member of staff who made the key.

use crate::moments::{MINUTE, Millis};
use crate::role::Role;

/// Prefix of the secret of every key, so that scanners recognise one that leaked.
pub const PREFIX: &str = "matricula_key_";
/// Days for which a key can be valid.
pub const LIFETIMES: [i64; 3] = [30, 90, 365];
/// Maximum number of keys per member of staff.
pub const MAX_KEYS: i64 = 20;
/// Maximum number of calls with one key per [`WINDOW`].
pub const MAX_CALLS: u32 = 600;
/// Starts with the first call.
pub const WINDOW: Millis = MINUTE;

/// A key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    pub id: String,
    pub staff_id: String,
    /// What it is for, in its owner's words.
    pub name: String,
    /// Calls with the key have this role, which its owner's role includes.
    pub role: Role,
    /// Allows only calls that change nothing.
    pub read_only: bool,
    pub created_at: Millis,
    pub expires_at: Millis,
    /// Updated at most once a minute.
    pub last_used_at: Option<Millis>,
}

impl ApiKey {
    pub fn is_expired(&self, now: Millis) -> bool {
        self.expires_at <= now
    }
}
