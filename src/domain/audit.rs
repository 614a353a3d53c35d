//! The append-only record of who did what.

use serde_json::Value;

use crate::moments::Millis;

/// An entry in the record.
#[derive(Debug, Clone)]
pub struct AuditLine {
    pub id: String,
    pub at: Millis,
    pub actor: String,
    pub subject: String,
    pub action: String,
    pub detail: Value,
}
