//! The record, and which fields of forms fail.

use serde::Serialize;

use super::super::super::page::FormState;
use domain::sentence::Sentence;

/// A line of the record.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AuditRow {
    pub id: String,
    pub at_text: Sentence,
    /// Who did it.
    pub actor: String,
    /// What was done, in words.
    pub words: String,
    /// The same as it is recorded, to be searched by.
    pub action: String,
    pub subject: String,
    /// Null for what has no page.
    pub subject_href: Option<String>,
    /// May be empty.
    pub detail: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminAuditProps {
    /// Newest first.
    pub rows: Vec<AuditRow>,
    pub next_href: Option<String>,
    /// The search, by the fields' names.
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldRow {
    pub path: String,
    pub errors: i64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminFormHealthProps {
    /// How many are looked back on.
    pub days: i64,
    pub spans: Vec<i64>,
    /// Most errors first.
    pub fields: Vec<FieldRow>,
}
