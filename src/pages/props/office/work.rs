//! The list of tasks.

use serde::Serialize;

use super::super::super::page::FormState;
use super::applications::ListTab;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WorkRow {
    pub id: String,
    /// What is to be done.
    pub title: &'static str,
    pub detail: Option<String>,
    /// Where it is done.
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
    /// Whose it is; null for nobody's.
    pub owner: Option<String>,
    /// It is of whoever looks.
    pub own: bool,
}

/// How much somebody has to do.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WorkLoad {
    pub name: String,
    pub count: String,
    /// Of the largest load, in per cent.
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
    /// The kinds of tasks that there are in the tab, to look at one.
    pub kinds: Vec<ListTab>,
    pub rows: Vec<WorkRow>,
    /// How many colleagues have to do, with everybody's tasks.
    pub load: Vec<WorkLoad>,
    /// Payments that belong to no application yet, where whoever looks can place them.
    pub unplaced: Option<Unplaced>,
    pub first_href: Option<String>,
    pub next_href: Option<String>,
    /// The query of the page.
    pub here: String,
    pub form: FormState,
}
