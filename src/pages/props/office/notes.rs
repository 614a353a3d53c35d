//! The tab "Notes".

use serde::Serialize;

use super::dossier::Frame;
use crate::page::FormState;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeNote {
    pub id: String,
    pub author: String,
    pub text: String,
    pub revision: i64,
    pub pinned: bool,
    pub own: bool,
    pub written_text: String,
    pub edited_text: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminNotesProps {
    pub frame: Frame,
    pub notes: Vec<OfficeNote>,
    pub search: String,
    /// Names to mention, as they are written.
    pub names: Vec<String>,
    /// The note being edited.
    pub editing: Option<String>,
    pub idempotency_key: String,
    pub form: FormState,
}
