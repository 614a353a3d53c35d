//! The settings that Owners change, in versions.

use serde_json::Value;

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::query::args;
use crate::{AuditEntry, StoreError, Stored};
use domain::moments::Millis;
use domain::settings::SettingVersion;

/// A setting to be written.
#[derive(Debug, Clone)]
pub struct NewSetting {
    pub name: String,
    /// One more than the version it replaces.
    pub version: i64,
    pub value: Value,
    pub at: Millis,
    /// The id of the member of staff who changes it.
    pub by: String,
    pub restored_from: Option<i64>,
}

row! {
    struct SettingRow {
        name: String,
        version: i64,
        value: String,
        changed_at: i64,
        changed_by: String,
        restored_from: Option<i64>,
    }
}

impl TryFrom<SettingRow> for SettingVersion {
    type Error = StoreError;

    fn try_from(row: SettingRow) -> Result<Self, StoreError> {
        let SettingRow { name, version, value, changed_at, changed_by, restored_from } = row;
        let value = serde_json::from_str(&value).map_err(|_| unreadable("settings.value", &name))?;
        Ok(SettingVersion { name, version, value, changed_at, changed_by, restored_from })
    }
}

impl Db {
    /// Returns every setting that was ever changed, as it is now.
    pub async fn settings(&self) -> Stored<Vec<SettingVersion>> {
        let sql = "SELECT s.name, s.version, s.value, s.changed_at, COALESCE(NULLIF(m.name, ''), m.email) AS changed_by, \
                   s.restored_from FROM settings s JOIN staff m ON m.id = s.changed_by \
                   WHERE NOT EXISTS (SELECT 1 FROM settings n WHERE n.name = s.name AND n.version > s.version)";
        let rows: Vec<SettingRow> = self.fetch_all(sql, args![]).await?;
        rows.into_iter().map(SettingVersion::try_from).collect()
    }

    /// Returns every version of a setting, newest first.
    pub async fn setting_versions(&self, name: &str) -> Stored<Vec<SettingVersion>> {
        let sql = "SELECT s.name, s.version, s.value, s.changed_at, COALESCE(NULLIF(m.name, ''), m.email) AS changed_by, \
                   s.restored_from FROM settings s JOIN staff m ON m.id = s.changed_by \
                   WHERE s.name = $1 ORDER BY s.version DESC";
        let rows: Vec<SettingRow> = self.fetch_all(sql, args![name]).await?;
        rows.into_iter().map(SettingVersion::try_from).collect()
    }

    /// Writes the version. Returns false and changes nothing if it is not the next one.
    pub async fn write_setting(&self, new: &NewSetting, audit: &AuditEntry) -> Stored<bool> {
        let NewSetting { name, version, value, at, by, restored_from } = new;
        let mut tx = self.begin().await?;
        // Of concurrent writes, the second waits here and then finds the version taken.
        let sql = "INSERT INTO settings (name, version, value, changed_at, changed_by, restored_from) \
                   SELECT $1, $2, $3, $4, $5, $6 \
                   WHERE $2 = (SELECT COALESCE(MAX(version), 0) + 1 FROM settings WHERE name = $1) \
                   ON CONFLICT DO NOTHING";
        let written = tx.execute(sql, args![name, *version, &value.to_string(), *at, by, *restored_from]).await?;
        if written == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}
