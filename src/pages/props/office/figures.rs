//! Statistics about applications. Numbers link to the list: a query has what every list of the page asks for, and rows
//! and columns have what they add to it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Choice;
use super::waitlist::CapacityFigures;
use crate::page::FormState;

/// A period that can be chosen at once.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FiguresPeriod {
    pub label: String,
    pub href: String,
    pub current: bool,
}

/// What a column counts.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FiguresPart {
    pub label: String,
    pub query: String,
}

/// A week or a month.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FiguresSpan {
    /// Its first day, or its month.
    pub label: String,
    pub query: String,
    /// Applications submitted in it, by their present status, in the order of `statuses`.
    pub by_status: Vec<i64>,
    pub decided: FiguresTook,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FiguresTook {
    pub count: i64,
    /// The median, in days.
    pub median_days: Option<i64>,
    /// The 90th percentile, in days.
    pub most_days: Option<i64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FiguresStep {
    pub label: &'static str,
    pub count: i64,
    /// Percentage of the previous step.
    pub of_previous: Option<i64>,
    /// Percentage of those started.
    pub of_all: Option<i64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FiguresStay {
    pub stage: &'static str,
    pub took: FiguresTook,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FiguresWaiting {
    pub stage: &'static str,
    pub query: String,
    /// In the order of `waits`.
    pub counts: Vec<i64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FiguresReader {
    pub name: String,
    pub query: String,
    /// Applications they are responsible for now.
    pub owned: i64,
    /// Documents reviewed, interviews scored, decisions drafted.
    pub work: Vec<FiguresTook>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FiguresFunding {
    pub label: String,
    /// `None` for applications that name no means of payment.
    pub query: Option<String>,
    pub by_status: Vec<i64>,
}

/// A named view of the figures.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FiguresReport {
    pub id: String,
    pub name: String,
    pub href: String,
    /// Whether it is mailed to the user every week.
    pub is_mailed: bool,
    pub may_delete: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminFiguresProps {
    /// The filter as in the form, by field name.
    pub values: BTreeMap<String, String>,
    pub periods: Vec<FiguresPeriod>,
    pub programs: Vec<Choice>,
    pub intakes: Vec<Choice>,
    /// The period in words.
    pub days_text: String,
    /// For the lists that numbers link to: pending applications, and submitted ones.
    pub waiting_query: String,
    pub submitted_query: String,
    pub by_month: bool,
    pub statuses: Vec<FiguresPart>,
    /// Oldest first.
    pub spans: Vec<FiguresSpan>,
    pub steps: Vec<FiguresStep>,
    pub stays: Vec<FiguresStay>,
    /// "0 to 6 days"…
    pub waits: Vec<FiguresPart>,
    pub waiting: Vec<FiguresWaiting>,
    pub readers: Vec<FiguresReader>,
    pub funding: Vec<FiguresFunding>,
    /// By program and start.
    pub capacity: Vec<CapacityFigures>,
    pub csv_href: String,
    pub reports: Vec<FiguresReport>,
    /// Identifies the form that saves a report, so that it is not saved twice.
    pub form_key: String,
    /// The query of the page, for forms that return to it.
    pub here: String,
    pub counted_text: String,
    pub form: FormState,
}
