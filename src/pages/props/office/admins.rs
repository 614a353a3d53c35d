//! The staff of the office.

use serde::Serialize;

use crate::page::FormState;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoleChoice {
    pub value: &'static str,
    pub label: &'static str,
    pub hint: &'static str,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminRow {
    pub id: String,
    pub href: String,
    /// Empty until they give one.
    pub name: String,
    pub email: String,
    pub role: &'static str,
    pub role_title: &'static str,
    pub is_self: bool,
    pub suspended: bool,
    pub second_factor: bool,
    /// Null if they have not been seen for a while.
    pub last_seen_text: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InvitationRow {
    pub id: String,
    pub email: String,
    pub role_title: &'static str,
    pub sent_text: Sentence,
    pub until_text: Sentence,
    pub expired: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminAdminsProps {
    pub admins: Vec<AdminRow>,
    pub invitations: Vec<InvitationRow>,
    pub roles: Vec<RoleChoice>,
    pub second_factor_required: bool,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminAdminProps {
    pub admin: AdminRow,
    pub roles: Vec<RoleChoice>,
    pub form: FormState,
}
