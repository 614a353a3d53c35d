//! The office's settings: read by the product, and changed version by version.

use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::Date;
use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use domain::input::FieldError;
use domain::settings::{ProductSettings, Setting, SettingVersion, Values, values};
use domain::staff::Staff;
use store::NewSetting;

/// Days by which a deadline is extended at a time.
const GRACE_DAYS: i32 = 7;

impl App {
    /// The current settings. Without the database, the last known ones, or else the built-in ones: no page waits for a
    /// price.
    pub async fn product_settings(&self) -> Arc<ProductSettings> {
        let now = self.clock.now();
        let kept = self.product.get(now);
        if let Some((settings, true)) = &kept {
            return settings.clone();
        }
        match self.store.settings().await {
            Ok(stored) => {
                let stored = stored.into_iter().map(|it| (it.name, it.version, values(&it.value)));
                let settings = Arc::new(ProductSettings::new(stored));
                self.product.set(settings.clone(), now);
                settings
            }
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "the settings could not be looked up");
                kept.map(|(settings, _)| settings).unwrap_or_default()
            }
        }
    }

    /// The current version of every setting that was ever changed and that the caller may change.
    ///
    /// # Errors
    /// Store errors.
    pub async fn settings_now(&self, staff: &Staff) -> Result<Vec<SettingVersion>, Error> {
        let mut settings = self.store.settings().await?;
        settings.retain(|it| Setting::parse(&it.name).is_some_and(|setting| may_set(staff, setting).is_ok()));
        Ok(settings)
    }

    /// Every version of a setting, newest first; empty if it was never changed.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn setting_versions(&self, staff: &Staff, setting: Setting) -> Result<Vec<SettingVersion>, Error> {
        may_set(staff, setting)?;
        Ok(self.store.setting_versions(setting.name()).await?)
    }

    /// Saves the typed values on top of the version that was seen; 0 for the built-in one. Other values stay. Repeated
    /// calls save once.
    ///
    /// # Errors
    /// Bad fields, [`Refusal::RoleForbidden`], [`Refusal::SettingStale`] when somebody else has changed it since.
    pub async fn change_setting(
        &self,
        staff: &Staff,
        setting: Setting,
        seen: i64,
        typed: &Values,
    ) -> Result<(), Error> {
        may_set(staff, setting)?;
        let before = self.values_at(setting, seen).await?;
        let new = setting.check(self.today(), &before, typed)?;
        if new == before
            && self.store.setting_versions(setting.name()).await?.first().map_or(0, |it| it.version) == seen
        {
            return Ok(());
        }
        self.write_setting(staff, setting, seen, &before, new, None).await
    }

    /// Extends the deadline of an intake by a week.
    ///
    /// # Errors
    /// As for [`change_setting`](Self::change_setting); the deadline must stay before the start.
    pub async fn extend_deadline(&self, staff: &Staff, code: &str, seen: i64) -> Result<(), Error> {
        let setting = Setting::Deadlines;
        may_set(staff, setting)?;
        let before = self.values_at(setting, seen).await?;
        let field = setting.fields(self.today(), &before).into_iter().find(|field| field.name == code);
        let unknown = || FieldError::new(code, "deadline.unknown", "There is no such intake.");
        let field = field.ok_or_else(unknown)?;
        let day: Date = before.get(code).unwrap_or(&field.built_in).parse().map_err(|_| unknown())?;
        let later = day.checked_add(GRACE_DAYS.days()).map_err(|_| unknown())?;
        let mut typed = before.clone();
        typed.insert(code.to_owned(), later.to_string());
        let new = setting.check(self.today(), &before, &typed)?;
        self.write_setting(staff, setting, seen, &before, new, None).await
    }

    /// Restores an earlier version as a new one; 0 for the built-in one.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::SettingStale`], also for a version that does not exist.
    pub async fn restore_setting(&self, staff: &Staff, setting: Setting, version: i64, seen: i64) -> Result<(), Error> {
        may_set(staff, setting)?;
        let before = self.values_at(setting, seen).await?;
        let again = setting.restored(&before, self.values_at(setting, version).await?);
        self.write_setting(staff, setting, seen, &before, again, Some(version)).await
    }

    async fn write_setting(
        &self,
        staff: &Staff,
        setting: Setting,
        seen: i64,
        before: &Values,
        new: Values,
        restored_from: Option<i64>,
    ) -> Result<(), Error> {
        let at = self.clock.now();
        let by = staff.id.clone();
        let version = seen.checked_add(1).ok_or(Refusal::SettingStale)?;
        let changed: Vec<&String> = new
            .iter()
            .filter(|(name, value)| before.get(*name) != Some(value))
            .map(|(name, _)| name)
            .chain(before.keys().filter(|name| !new.contains_key(*name)))
            .collect();
        // Only the names of fields: their values are in the version.
        let detail = json!({ "version": version, "fields": changed, "restoredFrom": restored_from });
        let audit =
            self.audit_entry(format!("staff:{by}"), format!("setting:{}", setting.name()), "setting.changed", detail);
        let value = json!(new);
        let row = NewSetting { name: setting.name().into(), version, value, at, by, restored_from };
        if !self.store.write_setting(&row, &audit).await? {
            let versions = self.store.setting_versions(setting.name()).await?;
            let same = versions.first().is_some_and(|now| now.version == version && values(&now.value) == new);
            if !same {
                return Err(Refusal::SettingStale.into());
            }
        }
        self.product.clear();
        // There may be more places now.
        if let Setting::Places(program) = setting {
            self.store.plan_jobs(&[self.places_job(program, at, at)]).await?;
        }
        Ok(())
    }

    /// The values of a setting at a version.
    async fn values_at(&self, setting: Setting, version: i64) -> Result<Values, Error> {
        if version == 0 {
            return Ok(Values::new());
        }
        let versions = self.store.setting_versions(setting.name()).await?;
        let then = versions.iter().find(|then| then.version == version).ok_or(Refusal::SettingStale)?;
        Ok(values(&then.value))
    }
}

pub(crate) fn may_set(staff: &Staff, setting: Setting) -> Result<(), Error> {
    if staff.role.may(setting.permission()) { Ok(()) } else { Err(Refusal::RoleForbidden.into()) }
}
