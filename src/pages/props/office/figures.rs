//! The figures of applications. Numbers lead to the list: a query has what every list of the page asks for, and rows and
//! columns have what they add to it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::super::page::FormState;
use super::Choice;

/// Days that can be chosen at once.
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
    /// Its first day, or the month.
    pub label: String,
    pub query: String,
    /// Applications that were submitted in it, by the status that they have now, in the order of `statuses`.
    pub by_status: Vec<i64>,
    pub decided: FiguresTook,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FiguresTook {
    pub count: i64,
    /// Days that half of them took at most.
    pub median_days: Option<i64>,
    /// Days that nine of ten took at most.
    pub most_days: Option<i64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FiguresStep {
    pub label: &'static str,
    pub count: i64,
    /// Percent of the step before.
    pub of_previous: Option<i64>,
    /// Percent of those that were started.
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
    /// Applications that they look after now.
    pub owned: i64,
    /// Documents reviewed, interviews scored, decisions drafted.
    pub work: Vec<FiguresTook>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FiguresFunding {
    pub label: String,
    /// `None` for those that name no way to pay.
    pub query: Option<String>,
    pub by_status: Vec<i64>,
}

/// A view of the figures that has a name.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FiguresReport {
    pub id: String,
    pub name: String,
    pub href: String,
    /// It is mailed to whoever looks at it, every week.
    pub is_mailed: bool,
    pub may_delete: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminFiguresProps {
    /// The filter as its form has it, by the fields' names.
    pub values: BTreeMap<String, String>,
    pub periods: Vec<FiguresPeriod>,
    pub programs: Vec<Choice>,
    pub intakes: Vec<Choice>,
    /// Which days these are.
    pub days_text: String,
    /// Of the lists that numbers lead to: what those that wait have, and those that were submitted.
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
    pub csv_href: String,
    pub reports: Vec<FiguresReport>,
    /// Of the form that keeps a report, so that it is not kept twice.
    pub form_key: String,
    /// The query of the page, for forms that come back to it.
    pub here: String,
    /// When it was counted.
    pub counted_text: String,
    pub form: FormState,
}
