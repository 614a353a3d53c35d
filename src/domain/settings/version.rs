//! Versions of settings.

use serde_json::Value;

use crate::moments::Millis;

/// A current or earlier version of a setting.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingVersion {
    pub name: String,
    /// Numbered per setting, from 1.
    pub version: i64,
    pub value: Value,
    pub changed_at: Millis,
    /// Name of the person who changed it, as shown to staff.
    pub changed_by: String,
    /// The earlier version whose value was restored; 0 for the built-in one.
    pub restored_from: Option<i64>,
}
