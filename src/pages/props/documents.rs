//! The documents of an application.

use serde::Serialize;

use domain::documents::{FileState, SlotState};
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DocumentsProps {
    /// What the answers call for; null without an application.
    pub slots: Option<Vec<DocumentSlot>>,
    /// Slots with files that the answers no longer call for.
    pub others: Vec<DocumentSlot>,
    /// Whether the application could not be loaded: it is unknown whether there is one.
    pub load_failed: bool,
    pub progress: Option<ReceivedSoFar>,
    /// How many references have been received, if any are asked for; they have a page of their own.
    pub references: Option<Sentence>,
    /// How many more files there is room for.
    pub room: i64,
    /// Per file.
    pub max_bytes: u64,
    /// Per applicant.
    pub max_files: i64,
    /// File name extensions, for the file dialog.
    pub accept: &'static str,
    /// Where to start an application.
    pub start_href: String,
    /// The success message of a form on this page.
    pub message: Option<Sentence>,
    /// Why a form on this page did nothing.
    pub error: Option<Sentence>,
}

/// "2 of 4 documents received", and what that means.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReceivedSoFar {
    pub settled: usize,
    pub of: usize,
    pub text: Sentence,
    pub hint: Sentence,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DocumentSlot {
    pub slot: String,
    pub label: Sentence,
    pub why: Sentence,
    pub required: bool,
    pub state: SlotState,
    /// The state, as applicants see it.
    pub word: Sentence,
    /// What staff say about it.
    pub reason: Option<String>,
    /// Whether files can be added.
    pub is_open: bool,
    pub files: Vec<DocumentFile>,
    /// Why files in a form were not accepted.
    pub errors: Vec<Sentence>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DocumentFile {
    pub id: String,
    pub name: String,
    pub state: FileState,
    pub words: Sentence,
    /// For an upload under way.
    pub percent: Option<u64>,
    /// Where to download it.
    pub href: Option<String>,
    pub removable: bool,
}
