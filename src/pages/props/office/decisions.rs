//! Decisions that are to be released.

use serde::Serialize;

use super::super::super::page::FormState;
use domain::sentence::Sentence;

/// A decision on the list of what is to be released.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DecisionRow {
    pub id: String,
    /// The application's decision.
    pub href: String,
    pub name: String,
    pub reference: String,
    pub program: &'static str,
    pub stage: &'static str,
    /// "Acceptance" or "Rejection".
    pub outcome: &'static str,
    pub rejects: bool,
    /// The letter, and how many conditions or reasons.
    pub detail: String,
    /// No interview was held, for a reason that was given.
    pub waived: bool,
    /// Documents are missing, and it is said why it is decided without them.
    pub without_documents: bool,
    pub drafted_text: String,
    /// When it is released by itself.
    pub planned_text: Option<String>,
    /// Until when it can be recalled, of one that is released.
    pub held_until_text: Option<Sentence>,
    pub released_text: Option<String>,
    /// Why it cannot be released as it is.
    pub problem: Option<String>,
    /// What became of it.
    pub result: Option<String>,
    pub failed: bool,
}

/// Several decisions that are about to be released, or what became of them.
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
    /// The institute's, IANA.
    pub zone: String,
    pub form: FormState,
}
