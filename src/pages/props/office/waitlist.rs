//! The places of intakes, and the lines of those who wait for one.

use serde::Serialize;

use super::applications::ListTab;
use crate::page::FormState;
use domain::sentence::Sentence;

/// The places of an intake of a program, and what is to be expected.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CapacityFigures {
    /// Identifies it on the page of the waitlist.
    pub id: String,
    pub program: &'static str,
    pub intake: String,
    /// Its line on the page of the waitlist.
    pub href: String,
    /// For the list of applications.
    pub query: String,
    /// Null if there are as many as are needed.
    pub places: Option<i64>,
    /// How many more offers than places may be out at a time.
    pub over: i64,
    /// With what was declined or withdrawn so recently that it can be undone.
    pub offered: i64,
    pub confirmed: i64,
    pub enrolled: i64,
    /// Deferred to the intake.
    pub deferred: i64,
    pub waiting: i64,
    /// How many offers can still be made; negative if there are too many, null if places are not limited.
    pub left: Option<i64>,
    /// The places that nobody holds; null if they are not limited.
    pub free: Option<i64>,
    /// Of the offers for the last intakes, those that were accepted, and all that were replied to.
    pub accepted_before: i64,
    pub decided_before: i64,
    /// Null without enough history.
    pub yield_percent: Option<i64>,
    /// Null without enough history.
    pub expected_starters: Option<i64>,
    /// Offers that would fill the places; null without enough history, or if places are not limited.
    pub further_offers: Option<i64>,
}

/// The line of an intake.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WaitlistSection {
    pub capacity: CapacityFigures,
    /// Who offers a place that becomes free.
    pub release_text: &'static str,
    /// How soon studies start while somebody waits; null if there is time.
    pub warning: Option<String>,
    /// Those who wait, in the list of applications.
    pub list_href: String,
    /// The setting; null for users who may not change it.
    pub setting_href: Option<String>,
    /// First in line first.
    pub rows: Vec<WaitlistRow>,
    /// How many are left out.
    pub more_text: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WaitlistRow {
    /// Of the application.
    pub id: String,
    /// Identifies the row on the page.
    pub anchor: String,
    pub revision: i64,
    pub position: i64,
    pub name: String,
    /// Empty if it is the name.
    pub reference: String,
    /// The decision tab of the application.
    pub href: String,
    pub owner: Option<String>,
    pub joined_text: Sentence,
    /// Whether its place was given by hand.
    pub by_hand: bool,
    /// The mean of the readings, on their scale; null without any, or while the user's own is not sent.
    pub score: Option<String>,
    /// Whether the user may offer it the place now.
    pub may_offer: bool,
    /// Why it cannot be offered the place, other than for want of one.
    pub problem: Option<String>,
    /// Takes it off the waitlist; null for users who may not.
    pub leave_href: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminWaitlistProps {
    /// By program, with the number of those who wait.
    pub tabs: Vec<ListTab>,
    /// By program and start.
    pub sections: Vec<WaitlistSection>,
    pub may_move: bool,
    /// The program that is shown, for forms that return to it; empty for all.
    pub program: &'static str,
    /// Identifies the offers, so that a double click makes one.
    pub form_key: String,
    pub form: FormState,
}
