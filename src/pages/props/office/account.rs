//! The account of a member of staff.

use serde::Serialize;

use super::admins::RoleChoice;
use crate::page::FormState;
use crate::props::account::SessionInfo;
use crate::props::second_factor::{PasskeyInfo, PasskeyProps, SecondFactorSetup};
use domain::sentence::Sentence;

#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminAccountForms {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub password: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub second_factor: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub sessions: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub leave: Option<FormState>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminAccountProps {
    pub name: String,
    pub email: String,
    pub role: &'static str,
    pub purpose: &'static str,
    pub has_password: bool,
    /// The identity provider that they log in with.
    pub sign_on: Option<String>,
    pub authenticator_app: bool,
    /// The number of passkeys; null where browsers do not support them.
    pub passkeys: Option<i64>,
    pub second_factor_required: bool,
    pub recovery_codes_left: i64,
    pub sessions: Vec<SessionInfo>,
    /// The form that was sent.
    pub forms: AdminAccountForms,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminSecondFactorProps {
    pub setup: SecondFactorSetup,
    /// Whether all staff must have one.
    pub required: bool,
    /// Whether browsers support passkeys, which will do as well.
    pub passkeys: bool,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminPasskeysProps {
    pub passkeys: Vec<PasskeyInfo>,
    /// For creating one; null where browsers do not support them.
    pub new: Option<PasskeyProps>,
    pub second_factor: bool,
    /// Whether all staff must have a second factor.
    pub required: bool,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminApiKeysProps {
    pub keys: Vec<ApiKeyRow>,
    /// The key that was just made.
    pub made: Option<MadeKey>,
    /// What the member's own role includes.
    pub roles: Vec<RoleChoice>,
    /// In days.
    pub lifetimes: Vec<i64>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ApiKeyRow {
    pub id: String,
    pub name: String,
    pub role_title: &'static str,
    pub read_only: bool,
    pub expired: bool,
    pub created_text: Sentence,
    pub expires_text: Sentence,
    /// Null before the first call.
    pub last_used_text: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MadeKey {
    pub name: String,
    /// Shown this once.
    pub secret: String,
}
