//! Who is signed in to the office, and how one gets in.

use serde::Serialize;

use super::super::super::page::FormState;
use super::super::second_factor::PasskeyProps;

/// Who is signed in to the office; on its pages only.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfficeInfo {
    /// Empty until it is told.
    pub name: String,
    pub email: String,
    /// As it is read: "Owner".
    pub role: &'static str,
    /// What the role may open; empty for a session that is idle.
    #[cfg_attr(
        test,
        ts(
            type = "`/admin-panel/${'work' | 'applications' | 'interviews' | 'committee' | 'decisions' | 'questionnaires' | 'contracts' | 'finance' | 'admins' | 'settings'}`[]"
        )
    )]
    pub menu: Vec<&'static str>,
    /// How many tasks are theirs, as it is read; empty for none.
    pub tasks: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LoginStep {
    Password,
    Code,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminLoginProps {
    /// The password was right, and the second factor is asked for.
    pub step: LoginStep,
    /// Without one, the only codes are recovery codes.
    pub authenticator_app: bool,
    /// To log in with a passkey alone, or as the second step; null where browsers have none.
    pub passkey: Option<PasskeyProps>,
    #[serde(flatten)]
    pub form: FormState,
}

/// How far somebody is who forgot their password.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ForgottenStep {
    Ask,
    Asked,
    Choose,
    Done,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminForgottenProps {
    pub step: ForgottenStep,
    /// Of the mailed link, where a new password is chosen.
    pub token: String,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Invited {
    pub email: String,
    pub role: &'static str,
    pub purpose: &'static str,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminInvitationProps {
    pub token: String,
    /// Null for a link that does not work any more.
    pub invited: Option<Invited>,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CarriedField {
    pub name: String,
    pub value: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminStepUpProps {
    /// Nothing was done for a while.
    pub idle: bool,
    pub needs_code: bool,
    /// Without one, the only codes are recovery codes.
    pub authenticator_app: bool,
    /// To be given in the place of the password.
    pub passkey: Option<PasskeyProps>,
    pub email: String,
    /// Where it goes on.
    pub to: String,
    /// Of the form that is carried along; null for a page that is opened.
    pub fields: Option<Vec<CarriedField>>,
    pub form: FormState,
}
