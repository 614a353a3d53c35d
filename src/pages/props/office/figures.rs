//! The figures of applications.

use serde::Serialize;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FiguresWeek {
    /// Its Monday.
    pub week: String,
    /// Applications that were submitted in it, by the status that they have now, in the order of `statuses`.
    pub by_status: Vec<i64>,
    pub submitted: i64,
    /// Decisions that were released in it.
    pub decided: i64,
    /// Days that half of them took at most.
    pub median_days: Option<i64>,
    /// Days that nine of ten took at most.
    pub most_days: Option<i64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FiguresWaiting {
    pub stage: &'static str,
    /// In the order of `waits`.
    pub counts: Vec<i64>,
    /// These applications in the list.
    pub href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminFiguresProps {
    pub statuses: Vec<String>,
    /// Oldest first.
    pub weeks: Vec<FiguresWeek>,
    /// "0 to 6 days"…
    pub waits: Vec<String>,
    pub waiting: Vec<FiguresWaiting>,
    /// When it was counted.
    pub counted_text: String,
}
