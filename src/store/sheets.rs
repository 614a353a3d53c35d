//! Score sheets as readings and interviews store them.

use super::error::unreadable;
use crate::Stored;
use domain::rubric::{Recommendation, ScoreSheet, Scored};

/// The columns of a sheet.
pub(super) struct SheetColumns {
    pub scale: i64,
    pub lines: String,
    pub recommendation: String,
    pub comment: Option<String>,
}

impl SheetColumns {
    /// Returns the sheet in the row of `table` that `id` names.
    pub fn sheet(self, table: &str, id: &str) -> Stored<ScoreSheet> {
        let SheetColumns { scale, lines, recommendation, comment } = self;
        let lines: Vec<Scored> =
            serde_json::from_str(&lines).map_err(|_| unreadable(&format!("{table}: the criteria"), id))?;
        let recommendation =
            Recommendation::parse(&recommendation).ok_or_else(|| unreadable(&format!("{table}.recommendation"), id))?;
        Ok(ScoreSheet { scale, lines, recommendation, comment })
    }
}

/// Returns the criteria with their points, as they are stored.
pub(super) fn stored_lines(sheet: &ScoreSheet) -> String {
    serde_json::json!(sheet.lines).to_string()
}
