//! The tab "Documents".

use serde::Serialize;

use super::dossier::Frame;
use crate::page::FormState;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeFile {
    pub id: String,
    pub name: String,
    pub words: String,
    /// Null if it is not kept.
    pub href: Option<String>,
    /// Null for a kind that browsers do not show.
    pub preview_href: Option<String>,
    /// Whether the preview is a picture rather than a document of its own.
    pub is_picture: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeDocument {
    pub slot: String,
    pub label: String,
    pub why: String,
    pub required: bool,
    #[cfg_attr(test, ts(as = "domain::documents::SlotState"))]
    pub state: &'static str,
    pub word: &'static str,
    /// Who decided what, and when.
    pub decided_text: Option<String>,
    pub reason: Option<String>,
    /// The state that was seen; the form sends it along.
    pub seen: String,
    pub may_accept: bool,
    pub may_replace: bool,
    pub may_waive: bool,
    pub files: Vec<OfficeFile>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminDocumentsProps {
    pub frame: Frame,
    pub slots: Vec<OfficeDocument>,
    /// Documents with files, no longer called for.
    pub others: Vec<OfficeDocument>,
    /// The slot being read; empty for none.
    pub open: String,
    pub form: FormState,
}
