//! The tab about readings, and the committee’s list.

use serde::Serialize;

use super::super::super::admin::dossier::basis::DecisionBasis;
use super::super::super::page::FormState;
use super::Choice;
use super::applications::ListTab;
use super::dossier::Frame;
use super::sheets::{SheetForm, SheetView};

/// What is told of one who reads an application.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReadingView {
    /// A member of staff, by their id.
    pub reader: String,
    pub name: String,
    pub own: bool,
    /// Since when they are asked, by when it is expected, or when they sent it.
    pub state_text: String,
    pub sent: bool,
    /// Null until it may be known.
    pub sheet: Option<SheetView>,
}

/// All that is told of the readings of an application.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReadingsView {
    pub readings: Vec<ReadingView>,
    /// The mean over all that were sent, on the scale of the rubric: `3.8 of 5`.
    pub mean_text: Option<String>,
    /// Whoever looks has to send theirs before they learn what the others say.
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
    /// For who is asked to read it, and has not sent theirs.
    pub own: Option<OwnReading>,
    /// Who can be asked, by who may ask; empty otherwise.
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
    /// How many of those who are asked have sent theirs.
    pub sent_text: String,
    /// The mean on the scale of the rubric; null where it is not known.
    pub mean: Option<String>,
    /// The mean in percent of what was to be had, for a bar.
    pub percent: Option<i64>,
    pub accept: i64,
    pub unsure: i64,
    pub reject: i64,
    /// Whoever looks has to send theirs first.
    pub is_blind: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminCommitteeProps {
    pub tabs: Vec<ListTab>,
    pub rows: Vec<CommitteeRow>,
    /// Whether there are more than are listed.
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
    /// The tab in which it is decided.
    pub decision_href: String,
    pub application_href: String,
    pub basis: DecisionBasis,
}
