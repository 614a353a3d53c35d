//! Decisions to release.

use serde::Serialize;

use crate::page::FormState;
use domain::sentence::Sentence;

/// A decision in the list of those to release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DecisionRow {
    pub id: String,
    /// The decision tab of the application.
    pub href: String,
    pub name: String,
    pub reference: String,
    pub program: &'static str,
    pub stage: &'static str,
    /// "Acceptance" or "Rejection".
    pub outcome: &'static str,
    pub rejects: bool,
    /// The letter, and the number of conditions or reasons.
    pub detail: String,
    /// Whether no interview was held, for a given reason.
    pub waived: bool,
    /// Whether documents are missing, with a reason to decide without them.
    pub without_documents: bool,
    pub drafted_text: String,
    /// When it is released automatically.
    pub planned_text: Option<String>,
    /// Until when a released one can be recalled.
    pub held_until_text: Option<Sentence>,
    pub released_text: Option<String>,
    /// Why it cannot be released as it is.
    pub problem: Option<String>,
    /// The outcome.
    pub result: Option<String>,
    pub failed: bool,
}

/// Several decisions about to be released, or their outcome.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DecisionStep {
    pub title: String,
    pub rows: Vec<DecisionRow>,
    pub done: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminDecisionsProps {
    /// Oldest first.
    pub drafts: Vec<DecisionRow>,
    pub more_text: Option<String>,
    pub held: Vec<DecisionRow>,
    pub step: Option<DecisionStep>,
    /// The institute's time zone, IANA.
    pub zone: String,
    pub form: FormState,
}
