//! Settings, and the texts among them.

use serde::Serialize;

use super::super::super::page::FormState;
use super::Choice;
use domain::questionnaire::draft::Difference;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SettingRow {
    pub title: &'static str,
    pub purpose: &'static str,
    pub href: String,
    /// Whether it is as the product came, or who changed it when; null for what is no setting.
    pub state_text: Option<String>,
    /// Fields of it that the search has found.
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
    /// What whoever looks may change or see, and the search has found.
    pub groups: Vec<SettingRows>,
    pub search: String,
    /// Who takes payments by card; null where that is not set up.
    pub payment_provider: Option<&'static str>,
}

/// The mails or the letters to applicants, and which of them nobody can change.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminTextsProps {
    pub title: &'static str,
    pub intro: &'static str,
    pub texts: Vec<SettingRow>,
    /// What nobody can change.
    pub fixed: Vec<&'static str>,
}

/// What the page of a mail or a letter has besides its fields.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TextEditor {
    /// It must not tell a decision.
    pub confidential: bool,
    pub fields: Vec<TextPlace>,
    /// None while something typed is not right.
    pub previews: Vec<TextPreview>,
    /// Where a test goes; `None` for what is not mailed.
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
    /// None of a letter.
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
    /// Made up.
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
    /// What the product came with.
    pub built_in: String,
    /// The heading of the fields that belong together; empty for one that stands by itself.
    pub group: String,
    /// Of a choice.
    pub choices: Vec<Choice>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SettingVersionRow {
    /// 0 for what the product came with.
    pub version: i64,
    pub changed_text: Option<Sentence>,
    pub changed_by: Option<String>,
    /// The earlier version that it is again.
    pub restored_from: Option<i64>,
    /// From the version before it.
    pub changes: Vec<Difference>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminSettingProps {
    pub title: &'static str,
    pub purpose: &'static str,
    pub path: String,
    /// The version that holds; 0 for what the product came with.
    pub version: i64,
    /// A page that shows it; null where there is none.
    pub see_href: Option<String>,
    pub fields: Vec<SettingField>,
    /// Deadlines that can be put off by a week.
    pub extend: Vec<Choice>,
    /// From what somebody else has saved in the meantime: first mine, second theirs.
    pub differences: Vec<Difference>,
    /// Newest first.
    pub versions: Vec<SettingVersionRow>,
    /// The list that it stands on.
    pub back: Choice,
    /// Of a mail or a letter; null for what is none.
    pub text: Option<TextEditor>,
    pub form: FormState,
}
