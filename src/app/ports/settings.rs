//! What Owners set, version by version.

use async_trait::async_trait;
use serde_json::Value;

use super::{AuditEntry, Millis, Stored};

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

/// A setting to be written.
#[derive(Debug, Clone)]
pub struct NewSetting {
    pub name: String,
    /// One more than the version that it replaces.
    pub version: i64,
    pub value: Value,
    pub at: Millis,
    /// The id of who changes it.
    pub by: String,
    pub restored_from: Option<i64>,
}

#[async_trait]
pub trait SettingsStore: Send + Sync {
    /// Every setting that was ever changed, as it is now.
    async fn settings(&self) -> Stored<Vec<SettingVersion>>;
    /// Every version of one, newest first.
    async fn setting_versions(&self, name: &str) -> Stored<Vec<SettingVersion>>;
    /// Writes the version, if it is the next one. If not, nothing is changed: false.
    async fn write_setting(&self, new: &NewSetting, audit: &AuditEntry) -> Stored<bool>;
}
