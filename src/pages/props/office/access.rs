//! Who is signed in to the office, and how to get in.

use serde::Serialize;

use crate::page::FormState;
use crate::props::second_factor::PasskeyProps;

/// The signed-in member of staff; on pages of the office only.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfficeInfo {
    /// Empty until they give one.
    pub name: String,
    pub email: String,
    /// As displayed: "Owner".
    pub role: &'static str,
    /// What the role may open; empty for an idle session.
    #[cfg_attr(
        test,
        ts(
            type = "`/admin-panel/${'work' | 'applications' | 'prospects' | 'interviews' | 'committee' | 'decisions' | 'waitlist' | 'questionnaires' | 'contracts' | 'finance' | 'admins' | 'settings'}`[]"
        )
    )]
    pub menu: Vec<&'static str>,
    /// The number of their tasks, as displayed; empty for none.
    pub tasks: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LoginStep {
    Password,
    Code,
    /// After an identity provider: the page that was wanted is next.
    Done,
}

/// An identity provider to log in with.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignOnLink {
    pub href: String,
    pub name: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminLoginProps {
    /// Whether the password was right and the second factor is asked for.
    pub step: LoginStep,
    /// Without it, the only codes are recovery codes.
    pub authenticator_app: bool,
    /// For logging in with a passkey alone, or as the second step; null where browsers do not support them.
    pub passkey: Option<PasskeyProps>,
    pub providers: Vec<SignOnLink>,
    /// Where to continue, at the step `done`.
    pub to: Option<String>,
    #[serde(flatten)]
    pub form: FormState,
}

/// The step that somebody who forgot their password has reached.
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
    /// From the mailed link, when a new password is chosen.
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
    /// Null if the link no longer works.
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
    /// Whether the session was idle for a while.
    pub idle: bool,
    pub needs_code: bool,
    /// Without it, the only codes are recovery codes.
    pub authenticator_app: bool,
    pub has_password: bool,
    /// The provider that the session was opened with.
    pub provider: Option<SignOnLink>,
    /// To use instead of the password.
    pub passkey: Option<PasskeyProps>,
    pub email: String,
    /// Where to continue.
    pub to: String,
    /// Of the form that is carried along; null for a page to open.
    pub fields: Option<Vec<CarriedField>>,
    pub form: FormState,
}
