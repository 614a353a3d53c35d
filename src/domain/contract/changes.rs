//! What publishing a template changes: a line-by-line comparison with the template currently in use.

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

/// Unchanged lines shown around changed ones.
const CONTEXT: usize = 1;

/// Changed lines, with the unchanged lines around them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(rename = "TemplateChange")]
pub struct Change {
    pub lines: Vec<ChangedLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct ChangedLine {
    pub kind: LineKind,
    pub pieces: Vec<ChangedPiece>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
pub enum LineKind {
    Same,
    Removed,
    Added,
}

/// Part of a line, and whether it differs from the line that was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
pub struct ChangedPiece {
    pub text: String,
    pub is_changed: bool,
}

/// Returns the differences in the order of the text; none if both texts are the same.
pub fn changes(before: &str, after: &str) -> Vec<Change> {
    // The last line counts the same with or without a line break at its end.
    let ended = |text: &str| format!("{}\n", text.trim_end());
    let (before, after) = (ended(before), ended(after));
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let groups = diff.grouped_ops(CONTEXT);
    let line = |change: similar::InlineChange<'_, str>| ChangedLine {
        kind: match change.tag() {
            ChangeTag::Equal => LineKind::Same,
            ChangeTag::Delete => LineKind::Removed,
            ChangeTag::Insert => LineKind::Added,
        },
        pieces: change
            .iter_strings_lossy()
            .map(|(is_changed, text)| ChangedPiece { text: text.trim_end_matches('\n').to_owned(), is_changed })
            .filter(|piece| !piece.text.is_empty())
            .collect(),
    };
    let change = |ops: &Vec<similar::DiffOp>| Change {
        lines: ops.iter().flat_map(|op| diff.iter_inline_changes(op)).map(line).collect(),
    };
    groups.iter().map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_is_told_with_the_lines_around_it() {
        let before = "# Refunds\nWithin 30 days.\n\nOne\nTwo\nThree";
        let after = "# Refunds\nWithin 60 days.\n\nOne\nTwo\nThree\nFour\n";
        let lines: Vec<Vec<(LineKind, String)>> = changes(before, after)
            .into_iter()
            .map(|change| {
                let line = |line: ChangedLine| (line.kind, line.pieces.into_iter().map(|piece| piece.text).collect());
                change.lines.into_iter().map(line).collect()
            })
            .collect();
        let line = |kind, text: &str| (kind, text.to_owned());
        assert_eq!(
            lines,
            [
                vec![
                    line(LineKind::Same, "# Refunds"),
                    line(LineKind::Removed, "Within 30 days."),
                    line(LineKind::Added, "Within 60 days."),
                    line(LineKind::Same, ""),
                ],
                vec![line(LineKind::Same, "Three"), line(LineKind::Added, "Four")],
            ]
        );
        let marked = |line: &ChangedLine| {
            line.pieces.iter().filter(|it| it.is_changed).map(|it| it.text.clone()).collect::<String>()
        };
        assert_eq!(marked(&changes(before, after)[0].lines[2]), "60");
        assert_eq!(changes(before, before), []);
    }
}
