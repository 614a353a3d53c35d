//! Settings, and the texts among them.

use serde::Serialize;

use super::Choice;
use crate::page::FormState;
use domain::questionnaire::draft::Difference;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SettingRow {
    pub title: &'static str,
    pub purpose: &'static str,
    pub href: String,
    /// Whether it is built in, or when and by whom it was changed; null for an item that is not a setting.
    pub state_text: Option<String>,
    /// Its fields that match the search.
    pub found: Vec<String>,
}

/// Settings that belong together.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SettingRows {
    pub title: &'static str,
    pub rows: Vec<SettingRow>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminSettingsProps {
    /// What the user may change or see, and the search has found.
    pub groups: Vec<SettingRows>,
    pub search: String,
    /// The provider of card payments; null if that is not set up.
    pub payment_provider: Option<&'static str>,
}

/// The mails or letters to applicants, and those that cannot be changed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminTextsProps {
    pub title: &'static str,
    pub intro: &'static str,
    pub texts: Vec<SettingRow>,
    /// Texts that cannot be changed.
    pub fixed: Vec<&'static str>,
}

/// What the page of a mail or a letter has besides its fields.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TextEditor {
    /// Whether it must not reveal a decision.
    pub confidential: bool,
    pub fields: Vec<TextPlace>,
    /// None while something typed is invalid.
    pub previews: Vec<TextPreview>,
    /// Where a test is sent; `None` for a text that is not mailed.
    pub test_to: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextPlace {
    pub name: String,
    pub meaning: &'static str,
    pub needed: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextPreview {
    pub code: &'static str,
    pub language: &'static str,
    /// Empty for a letter.
    pub subject: Vec<TextRun>,
    pub parts: Vec<TextPart>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextPart {
    pub button: bool,
    pub runs: Vec<TextRun>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextRun {
    pub text: String,
    /// Whether it is sample text.
    pub sample: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SettingField {
    pub name: String,
    pub label: String,
    /// Empty for none.
    pub hint: &'static str,
    #[cfg_attr(test, ts(type = "'line' | 'longLine' | 'lines' | 'text' | 'number' | 'date' | 'choice'"))]
    pub kind: &'static str,
    pub value: String,
    /// The value the product came with.
    pub built_in: String,
    /// The heading of fields that belong together; empty for a field that stands alone.
    pub group: String,
    /// For a choice.
    pub choices: Vec<Choice>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SettingVersionRow {
    /// 0 for the built-in values.
    pub version: i64,
    pub changed_text: Option<Sentence>,
    pub changed_by: Option<String>,
    /// The earlier version that it restores.
    pub restored_from: Option<i64>,
    /// From the previous version.
    pub changes: Vec<Difference>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminSettingProps {
    pub title: &'static str,
    pub purpose: &'static str,
    pub path: String,
    /// The current version; 0 for the built-in values.
    pub version: i64,
    /// A page that shows it; null if there is none.
    pub see_href: Option<String>,
    pub fields: Vec<SettingField>,
    /// Deadlines that can be extended by a week.
    pub extend: Vec<Choice>,
    /// From what somebody else has saved meanwhile: first mine, second theirs.
    pub differences: Vec<Difference>,
    /// Newest first.
    pub versions: Vec<SettingVersionRow>,
    /// The list it is on.
    pub back: Choice,
    /// For a mail or a letter; null otherwise.
    pub text: Option<TextEditor>,
    pub form: FormState,
}
