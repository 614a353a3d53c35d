//! Prospects, as the office sees them.

use serde::Serialize;

use super::Choice;
use crate::page::FormState;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminProspectsProps {
    /// Of all prospects: what they are, and how many.
    pub counts: Vec<(&'static str, i64)>,
    /// Newest first.
    pub rows: Vec<ProspectRow>,
    pub filters: Vec<ProspectFilter>,
    /// The search and the filters, as in an address.
    pub here: String,
    /// All prospects; null if these are all.
    pub clear_href: Option<String>,
    /// The first page, if this is a later one.
    pub first_href: Option<String>,
    pub next_href: Option<String>,
    /// These prospects as a file.
    pub csv_href: String,
    /// To be confirmed.
    pub deleting: Option<DeletedProspect>,
    /// The search, by field name.
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProspectFilter {
    pub name: &'static str,
    pub label: &'static str,
    /// The first one is for all.
    pub options: Vec<Choice>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProspectRow {
    pub id: String,
    pub email: String,
    /// Empty if they gave none.
    pub first_name: String,
    pub program: &'static str,
    pub wants_text: String,
    #[cfg_attr(test, ts(type = "'waiting' | 'confirmed' | 'applicant'"))]
    pub state: &'static str,
    pub state_text: &'static str,
    /// Of those who have applied.
    pub application_href: Option<String>,
    pub asked_text: Sentence,
    /// Asks whether to delete them.
    pub delete_href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DeletedProspect {
    pub id: String,
    pub email: String,
    /// Leaves everything as it is.
    pub back_href: String,
}
