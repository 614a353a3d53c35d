//! The tab "Readings", and the committee’s list.

use serde::Serialize;

use super::Choice;
use super::applications::ListTab;
use super::dossier::Frame;
use super::sheets::{SheetForm, SheetView};
use crate::admin::dossier::basis::DecisionBasis;
use crate::page::FormState;

/// A reading, as far as it may be seen.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReadingView {
    /// The id of a member of staff.
    pub reader: String,
    pub name: String,
    pub own: bool,
    /// Since when they have been asked, when it is due, or when they sent it.
    pub state_text: String,
    pub sent: bool,
    /// Null until it may be seen.
    pub sheet: Option<SheetView>,
}

/// The readings of an application, as far as they may be seen.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReadingsView {
    pub readings: Vec<ReadingView>,
    /// The mean of all that were sent, on the scale of the rubric: `3.8 of 5`.
    pub mean_text: Option<String>,
    /// Whether the user has to send theirs before seeing the others.
    pub is_blind: bool,
    pub href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OwnReading {
    pub form: SheetForm,
    pub due_text: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminReadingsProps {
    pub frame: Frame,
    pub view: ReadingsView,
    /// For a user who is asked to read it and has not sent theirs.
    pub own: Option<OwnReading>,
    /// Who can be asked, for users who may ask; empty otherwise.
    pub candidates: Vec<Choice>,
    pub may_ask: bool,
    pub is_over: bool,
    pub form: FormState,
}

/// An application on the committee’s list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CommitteeRow {
    pub href: String,
    pub name: String,
    pub reference: String,
    pub program: &'static str,
    pub stage: &'static str,
    /// How many of those asked have sent theirs.
    pub sent_text: String,
    /// The mean on the scale of the rubric; null if it is unknown.
    pub mean: Option<String>,
    /// The mean in percent of the possible score, for a bar.
    pub percent: Option<i64>,
    pub accept: i64,
    pub unsure: i64,
    pub reject: i64,
    /// Whether the user has to send theirs first.
    pub is_blind: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminCommitteeProps {
    pub tabs: Vec<ListTab>,
    pub rows: Vec<CommitteeRow>,
    /// Whether there are more than listed.
    pub is_cut: bool,
}

/// One application before the committee.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminSittingProps {
    pub name: String,
    pub facts: String,
    /// `3 of 12`
    pub place_text: String,
    pub list_href: String,
    pub previous_href: Option<String>,
    pub next_href: Option<String>,
    /// The tab where it is decided.
    pub decision_href: String,
    pub application_href: String,
    pub basis: DecisionBasis,
}
