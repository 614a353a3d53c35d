//! The record, and which form fields fail.

use serde::Serialize;

use crate::page::FormState;
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
    /// The same as recorded, to search by.
    pub action: String,
    pub subject: String,
    /// Null if it has no page.
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
    /// The search, by field name.
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
    /// The number of days looked back.
    pub days: i64,
    pub spans: Vec<i64>,
    /// Most errors first.
    pub fields: Vec<FieldRow>,
}
