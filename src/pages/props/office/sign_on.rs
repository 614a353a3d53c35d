//! Identity providers that staff log in with.

use std::collections::BTreeMap;

use serde::Serialize;

use super::admins::RoleChoice;
use crate::page::FormState;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminSignOnProps {
    /// Oldest first.
    pub providers: Vec<IdentityProviderRow>,
    /// What is to be entered at every provider of staff.
    pub redirect_uri: String,
    /// What is to be entered at every provider of applicants.
    pub applicant_redirect_uri: String,
    /// The claim that most providers list groups in.
    pub role_claim: &'static str,
    pub roles: Vec<RoleChoice>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct IdentityProviderRow {
    pub href: String,
    pub name: String,
    pub issuer: String,
    /// Whether applicants log in with it, rather than staff.
    pub for_applicants: bool,
    /// How many log in with it.
    pub people_text: String,
}

/// The settings of a provider, as they are typed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct IdentityProviderFields {
    pub name: String,
    pub issuer: String,
    pub client_id: String,
    pub role_claim: String,
    /// Names of groups, separated by commas, by role.
    pub groups: BTreeMap<&'static str, String>,
    /// A role, or empty.
    pub otherwise: &'static str,
    pub second_factor: bool,
    pub verified_emails: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminIdentityProviderProps {
    pub href: String,
    /// Whether applicants log in with it, rather than staff.
    pub for_applicants: bool,
    pub saved: IdentityProviderFields,
    pub people_text: String,
    /// What is to be entered at the provider.
    pub redirect_uri: String,
    pub logout_uri: String,
    pub directory: DirectoryProps,
    pub roles: Vec<RoleChoice>,
    pub form: FormState,
}

/// The users and groups that a provider sends.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DirectoryProps {
    /// What is to be entered at the provider.
    pub scim_base_url: String,
    /// Null if it sends none.
    pub provisioning: Option<ProvisioningInfo>,
    /// Its new token, shown this once.
    pub token: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProvisioningInfo {
    /// When its token was made.
    pub since_text: Sentence,
    /// Null before the first call.
    pub last_used_text: Option<Sentence>,
    pub users: i64,
    /// By name.
    pub groups: Vec<DirectoryGroupRow>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DirectoryGroupRow {
    pub name: String,
    pub members: usize,
    /// The role of somebody in this group alone; null for none.
    pub role: Option<&'static str>,
}
