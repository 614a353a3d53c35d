//! Score sheets, shown and filled in: of readings and of interviews.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Choice;

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SheetView {
    /// The weighted mean: `3.8`.
    pub mean: String,
    pub scale: i64,
    pub lines: Vec<SheetLine>,
    pub recommendation: &'static str,
    pub comment: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SheetLine {
    pub label: String,
    pub weight: i64,
    pub points: i64,
    /// The points in tenths of the scale, for a bar.
    pub tenths: i64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SheetForm {
    pub criteria: Vec<SheetCriterion>,
    pub scale: i64,
    /// What the comment is about; empty for anything.
    pub prompt: String,
    pub recommendations: Vec<Choice>,
    /// What it is already filled in with, by field name.
    pub values: BTreeMap<String, String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SheetCriterion {
    /// The field: `points.1`.
    pub name: String,
    pub label: String,
    pub weight: i64,
}
