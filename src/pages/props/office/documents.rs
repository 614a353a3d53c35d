//! The tab "Documents", with the references.

use serde::Serialize;

use super::dossier::{Frame, Line};
use crate::page::FormState;
use domain::referee::RefereeState;

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

/// Who was named as a referee, and what they have told us.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeReferee {
    pub id: String,
    pub name: String,
    /// How they know the applicant and, if they said so, where they work.
    pub relationship: String,
    pub email: String,
    pub state: RefereeState,
    pub word: &'static str,
    /// Whether the applicant waived the right to read the reference.
    pub waived: bool,
    /// What happened, and when.
    pub dates: Vec<Line>,
    /// Why they declined; null if they did not say.
    pub reason: Option<String>,
    /// What they answered, by question.
    pub answers: Vec<Line>,
    pub letter: Option<OfficeFile>,
    pub may_remind: bool,
    /// From when they can be reminded again, for users who may do that later.
    pub remind_from_text: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeReferences {
    /// “1 of 2 have come”
    pub text: String,
    /// Whether fewer have come than are needed.
    pub is_missing: bool,
    pub referees: Vec<OfficeReferee>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminDocumentsProps {
    pub frame: Frame,
    pub slots: Vec<OfficeDocument>,
    /// Documents with files, no longer called for.
    pub others: Vec<OfficeDocument>,
    /// Null if none are asked for and none were.
    pub references: Option<OfficeReferences>,
    /// The slot being read; empty for none.
    pub open: String,
    pub form: FormState,
}
