//! Versions of settings.

use serde_json::Value;

use crate::moments::Millis;

/// A setting as it was or is.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingVersion {
    pub name: String,
    /// Counts up for each name, from 1.
    pub version: i64,
    pub value: Value,
    pub changed_at: Millis,
    /// What colleagues call who changed it.
    pub changed_by: String,
    /// The earlier version whose value this is again; 0 for what the product came with.
    pub restored_from: Option<i64>,
}
