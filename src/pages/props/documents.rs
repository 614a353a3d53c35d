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
    /// Slots with files that the answers do not call for any more.
    pub others: Vec<DocumentSlot>,
    /// The application could not be loaded: whether there is one is not known.
    pub load_failed: bool,
    pub progress: Option<DocumentsProgress>,
    /// How many more files there is room for.
    pub room: i64,
    /// Of a file.
    pub max_bytes: u64,
    /// Of one person.
    pub max_files: i64,
    /// Endings of names, for the dialog that chooses a file.
    pub accept: &'static str,
    /// Where an application is started.
    pub start_href: String,
    /// What a form of this page did.
    pub message: Option<Sentence>,
    /// Why a form of this page did nothing.
    pub error: Option<Sentence>,
}

/// "2 of 4 documents received", and what that means.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DocumentsProgress {
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
    /// The state as the applicant reads it.
    pub word: Sentence,
    /// What staff say about it.
    pub reason: Option<String>,
    /// Whether files can be added.
    pub is_open: bool,
    pub files: Vec<DocumentFile>,
    /// Why files of a form were not taken.
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
    /// Of an upload under way.
    pub percent: Option<u64>,
    /// Where it can be saved from.
    pub href: Option<String>,
    pub removable: bool,
}
