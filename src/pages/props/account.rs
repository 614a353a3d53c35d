//! The account: changing its email, and closing it.

use serde::Serialize;

use crate::page::FormState;
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
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub providers: Option<FormState>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AccountProps {
    pub profile: ProfileProps,
    /// Whether one is set up.
    pub authenticator_app: bool,
    /// The number of passkeys; null where browsers do not support them.
    pub passkeys: Option<i64>,
    /// The new address, until it is confirmed.
    pub pending_email: Option<String>,
    /// Whether reminders are mailed.
    pub reminders: bool,
    /// The language of mails.
    pub language: Language,
    pub time_zones: Vec<String>,
    /// The time zone of dates while none is chosen.
    pub institute_time_zone: String,
    /// Identity providers that are linked to the account.
    pub providers: Vec<LinkedProviderRow>,
    pub sessions: Vec<SessionInfo>,
    /// The form that came back, by its `_action`.
    pub forms: AccountForms,
}

/// An identity provider that is linked to the account.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LinkedProviderRow {
    pub id: String,
    pub name: String,
    pub since_text: Sentence,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PendingEmail {
    pub email: String,
    /// null if the present address is not asked, because it was never confirmed.
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
    /// For a change: the present address.
    Old,
    /// For a change: the new address.
    New,
    /// The only address of a new account.
    Own,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EmailLinkInfo {
    pub email: String,
    pub side: EmailSide,
    /// For a change: this address has confirmed it, and the other one has not yet. If only one address is asked: it is
    /// confirmed.
    pub confirmed: bool,
    /// For a change: whether the other address is asked, too.
    pub both: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum EmailOutcome {
    Waiting,
    Changed,
    Stopped,
    /// For a new account.
    Confirmed,
}

/// The page of a mailed link that confirms an email.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConfirmEmailProps {
    pub token: String,
    /// null if the link no longer works. `side` is the address it was mailed to, `email` the new one.
    pub link: Option<EmailLinkInfo>,
    /// The result of the posted form.
    pub outcome: Option<EmailOutcome>,
    pub error: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CloseAccountProps {
    pub email: String,
    /// The program of the application that is withdrawn along with it.
    pub application: Option<Sentence>,
    /// Whether an offer was accepted, so that the account cannot be closed here.
    pub bound: bool,
    pub retention_years: i32,
    /// Until when submitted data is kept if the account is closed today.
    pub kept_until: Sentence,
    pub contact_email: String,
    pub done: bool,
    pub form: FormState,
}
