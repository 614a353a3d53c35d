//! The list of tasks.

use serde::Serialize;

use super::applications::ListTab;
use crate::page::FormState;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WorkRow {
    pub id: String,
    /// What to do.
    pub title: &'static str,
    pub detail: Option<String>,
    /// Where to do it.
    pub href: String,
    pub application_id: String,
    pub name: String,
    pub reference: String,
    pub program: &'static str,
    pub stage: &'static str,
    /// How long it has waited, or until when there is time.
    pub when_text: String,
    /// The moment in full.
    pub moment_text: String,
    pub overdue: bool,
    /// Who it is assigned to; null for nobody.
    pub owner: Option<String>,
    /// Whether it is the user's own.
    pub own: bool,
}

/// How much a member of staff has to do.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WorkLoad {
    pub name: String,
    pub count: String,
    /// As a percentage of the largest load.
    pub share: i64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Unplaced {
    pub count: i64,
    pub href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminWorkProps {
    pub tabs: Vec<ListTab>,
    /// The kinds of tasks in the tab, to filter by.
    pub kinds: Vec<ListTab>,
    pub rows: Vec<WorkRow>,
    /// How much each colleague has to do, on the tab with everybody's tasks.
    pub load: Vec<WorkLoad>,
    /// Payments that belong to no application yet, for users who can match them.
    pub unplaced: Option<Unplaced>,
    pub first_href: Option<String>,
    pub next_href: Option<String>,
    /// The query of the page.
    pub here: String,
    pub form: FormState,
}
