//! `/admins/settings…`: the office's settings, version by version. Texts of mails and letters are settings, too.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;

use super::LoggedInStaff;
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::{App, Error, Refusal};
use domain::body;
use domain::body::{sent_whole, wrong};
use domain::input::{FieldError, Input, unknown_field};
use domain::moments::rfc3339;
use domain::settings::{Setting as Named, SettingVersion, Values, values};
use domain::staff::Staff;

/// A setting, and its current version.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingSummary {
    /// Its name in addresses: `deadlines`, `reasons`, `mail-status-update`, `letter-offer`.
    name: &'static str,
    title: &'static str,
    purpose: &'static str,
    /// 0 for the built-in values.
    version: i64,
    #[schema(required, format = DateTime)]
    changed_at: Option<String>,
    /// The name of the member of staff who changed it last.
    #[schema(required)]
    changed_by: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SettingList {
    /// Those that the caller may change.
    settings: Vec<SettingSummary>,
}

/// A setting with its fields.
#[derive(Debug, Serialize, ToSchema)]
pub struct Setting {
    #[serde(flatten)]
    summary: SettingSummary,
    fields: Vec<SettingField>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingField {
    /// Such as `price`, `text.es`.
    name: String,
    label: String,
    /// The heading that several fields share; empty for a field that stands alone.
    group: String,
    value: String,
    /// The value the product came with.
    built_in: String,
}

/// The values set at a version.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingAtVersion {
    version: i64,
    #[schema(format = DateTime)]
    changed_at: String,
    changed_by: String,
    /// The earlier version that this one restores; 0 for the built-in values.
    #[schema(required)]
    restored_from: Option<i64>,
    /// Of the fields that differ from the built-in values.
    values: BTreeMap<String, String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SettingHistory {
    /// Newest first.
    versions: Vec<SettingAtVersion>,
}

/// The error if no version is given.
const WHICH_VERSION: &str = "Say which version it is, as a whole number.";

body! {
    pub struct SettingChange {
        /// The current version, to be replaced; 0 for the built-in values.
        replaces: i64 = sent_whole(WHICH_VERSION),
        /// By field name. Fields left out stay as they are.
        #[schema(value_type = BTreeMap<String, String>)]
        values: Values = sent_values,
    }
}

body! {
    pub struct SettingReturn {
        /// The current version, to be replaced.
        replaces: i64 = sent_whole(WHICH_VERSION),
        /// The earlier version to restore as a new one; 0 for the built-in values.
        version: i64 = sent_whole(WHICH_VERSION),
    }
}

/// Lists the settings that the caller may change.
#[utoipa::path(
    get,
    path = "/api/admins/settings",
    operation_id = "listSettings",
    tag = "Office: settings",
    responses((status = 200, description = "Each with its version.", body = SettingList))
)]
pub async fn list(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
) -> Result<Json<SettingList>, Problem> {
    let now = api.app.settings_now(&who.staff).await?;
    let theirs = Named::each().filter(|setting| who.staff.role.may(setting.permission()));
    let summary = |setting: Named| summary(setting, now.iter().find(|it| it.name == setting.name()));
    Ok(Json(SettingList { settings: theirs.map(summary).collect() }))
}

/// Returns a setting as it is now.
#[utoipa::path(
    get,
    path = "/api/admins/settings/{id}",
    operation_id = "loadSetting",
    tag = "Office: settings",
    params(("id" = String, Path, description = "The setting's name")),
    responses(
        (status = 200, description = "Its fields.", body = Setting),
        (status = 404, description = "`setting.not_found`"),
    )
)]
pub async fn load(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<Json<Setting>, Problem> {
    Ok(Json(now(&api.app, &who.staff, named(&id)?).await?))
}

/// Changes a setting, with immediate effect.
#[utoipa::path(
    patch,
    path = "/api/admins/settings/{id}",
    operation_id = "changeSetting",
    tag = "Office: settings",
    params(("id" = String, Path, description = "The setting's name")),
    request_body = SettingChange,
    responses(
        (status = 200, description = "As it is now.", body = Setting),
        (status = 404, description = "`setting.not_found`"),
        (status = 412, description = "`setting.stale`: another version holds now"),
    )
)]
pub async fn change(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<Json<Setting>, Problem> {
    let SettingChange { replaces, values: typed } = SettingChange::parse(&input)?;
    let setting = named(&id)?;
    let before = now(&api.app, &who.staff, setting).await?;
    let unknown = typed.keys().filter(|name| before.fields.iter().all(|field| field.name != **name));
    let unknown: Vec<FieldError> = unknown.map(|name| in_values(unknown_field(name, name))).collect();
    if !unknown.is_empty() {
        return Err(Error::from(unknown).into());
    }
    let changed = api.app.change_setting(&who.staff, setting, replaces, &typed).await;
    changed.map_err(|error| match error {
        Error::Invalid(errors) => Error::Invalid(errors.into_iter().map(in_values).collect()),
        other => other,
    })?;
    Ok(Json(now(&api.app, &who.staff, setting).await?))
}

/// Lists every version of a setting.
#[utoipa::path(
    get,
    path = "/api/admins/settings/{id}/versions",
    operation_id = "listSettingVersions",
    tag = "Office: settings",
    params(("id" = String, Path, description = "The setting's name")),
    responses(
        (status = 200, description = "None while it is as the product came.", body = SettingHistory),
        (status = 404, description = "`setting.not_found`"),
    )
)]
pub async fn versions(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<Json<SettingHistory>, Problem> {
    let versions = api.app.setting_versions(&who.staff, named(&id)?).await?;
    let version = |it: SettingVersion| SettingAtVersion {
        version: it.version,
        changed_at: rfc3339(it.changed_at),
        values: values(&it.value),
        changed_by: it.changed_by,
        restored_from: it.restored_from,
    };
    Ok(Json(SettingHistory { versions: versions.into_iter().map(version).collect() }))
}

/// Restores an earlier version as a new one.
#[utoipa::path(
    post,
    path = "/api/admins/settings/{id}/restore",
    operation_id = "restoreSetting",
    tag = "Office: settings",
    params(("id" = String, Path, description = "The setting's name")),
    request_body = SettingReturn,
    responses(
        (status = 200, description = "As it is now.", body = Setting),
        (status = 404, description = "`setting.not_found`"),
        (status = 412, description = "`setting.stale`: another version holds now, or there is no such version"),
    )
)]
pub async fn restore(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<Json<Setting>, Problem> {
    let SettingReturn { replaces, version } = SettingReturn::parse(&input)?;
    let setting = named(&id)?;
    api.app.restore_setting(&who.staff, setting, version, replaces).await?;
    Ok(Json(now(&api.app, &who.staff, setting).await?))
}

fn named(id: &str) -> Result<Named, Refusal> {
    Named::parse(id).ok_or(Refusal::NoSuchSetting)
}

async fn now(app: &App, staff: &Staff, setting: Named) -> Result<Setting, Error> {
    let versions = app.setting_versions(staff, setting).await?;
    let values = versions.first().map(|version| values(&version.value)).unwrap_or_default();
    let field = |field: domain::settings::Field| SettingField {
        value: values.get(&field.name).unwrap_or(&field.built_in).clone(),
        name: field.name,
        label: field.label,
        group: field.group,
        built_in: field.built_in,
    };
    let fields = setting.fields(app.today(), &values).into_iter().map(field).collect();
    Ok(Setting { summary: summary(setting, versions.first()), fields })
}

fn summary(setting: Named, now: Option<&SettingVersion>) -> SettingSummary {
    SettingSummary {
        name: setting.name(),
        title: setting.title(),
        purpose: setting.purpose(),
        version: now.map_or(0, |now| now.version),
        changed_at: now.map(|now| rfc3339(now.changed_at)),
        changed_by: now.map(|now| now.changed_by.clone()),
    }
}

/// Reads the values that were sent, each a text.
fn sent_values(path: &str, input: Option<&Input>) -> Result<Values, Vec<FieldError>> {
    let ask = |rule: &str| vec![wrong(path, rule, "Send the values by the names of their fields.")];
    let entries = match input {
        Some(Input::Map(entries)) => entries,
        Some(_) => return Err(ask("type")),
        None => return Err(ask("required")),
    };
    let (mut values, mut errors) = (Values::new(), Vec::new());
    for (name, value) in entries {
        match value {
            Input::Text(text) => drop(values.insert(name.clone(), text.clone())),
            _ => errors.push(FieldError::new(format!("{path}.{name}"), "values.type", "A value must be text.")),
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors) }
}

fn in_values(error: FieldError) -> FieldError {
    FieldError { path: format!("values.{}", error.path), ..error }
}
