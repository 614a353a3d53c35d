//! The account, changing its email, and closing it.

use serde::Serialize;

use super::super::page::FormState;
use domain::language::Language;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    pub id: String,
    pub current: bool,
    /// "Chrome on Windows"
    pub device: Sentence,
    pub started_text: Sentence,
    pub last_seen_text: Sentence,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProfileProps {
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub date_of_birth: String,
    pub phone_number: String,
    pub country: String,
    pub state: Option<String>,
    pub time_zone: String,
}

#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccountForms {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub profile: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub password: Option<FormState>,
    #[serde(rename = "secondFactor", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub second_factor: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub sessions: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub notifications: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub language: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub data: Option<FormState>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AccountProps {
    pub profile: ProfileProps,
    /// Whether there is one.
    pub authenticator_app: bool,
    /// How many there are; null where browsers have none.
    pub passkeys: Option<i64>,
    /// The address that waits to be confirmed.
    pub pending_email: Option<String>,
    /// Whether reminders are mailed.
    pub reminders: bool,
    /// What mails are written in.
    pub language: Language,
    pub time_zones: Vec<String>,
    /// What dates are told in while no time zone is chosen.
    pub institute_time_zone: String,
    pub sessions: Vec<SessionInfo>,
    /// The form that came back, by its `_action`.
    pub forms: AccountForms,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PendingEmail {
    pub email: String,
    /// null where the present address is not asked, since it was never confirmed.
    pub old_confirmed: Option<bool>,
    pub new_confirmed: bool,
    pub until_text: Sentence,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangeEmailProps {
    pub email: String,
    /// Whether the present address is confirmed.
    pub confirmed: bool,
    pub pending: Option<PendingEmail>,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum EmailSide {
    /// Of a change: the present address.
    Old,
    /// The address to be.
    New,
    /// The only address of a new account.
    Own,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EmailLinkInfo {
    pub email: String,
    pub side: EmailSide,
    /// Of a change: this address has confirmed it, and the other one is waited for. Where only one address is asked: it is
    /// confirmed.
    pub confirmed: bool,
    /// Of a change: the other address is asked, too.
    pub both: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum EmailOutcome {
    Waiting,
    Changed,
    Stopped,
    /// Of a new account.
    Confirmed,
}

/// Where a mailed link leads that confirms an email.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConfirmEmailProps {
    pub token: String,
    /// null when the link works no more. `side` is the address that it was mailed to, `email` the one to be.
    pub link: Option<EmailLinkInfo>,
    /// What the posted form did.
    pub outcome: Option<EmailOutcome>,
    pub error: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CloseAccountProps {
    pub email: String,
    /// The program of the application that is withdrawn with it.
    pub application: Option<Sentence>,
    /// An offer was taken: the account cannot be closed here.
    pub bound: bool,
    pub retention_years: i32,
    /// Until when what was submitted is kept if the account is closed today.
    pub kept_until: Sentence,
    pub contact_email: String,
    pub done: bool,
    pub form: FormState,
}
