//! Checks that `docs/status.md` shows the table of statuses used by the code.

use std::path::Path;

use matricula::domain::status::diagram;

#[test]
fn the_committed_diagram_and_rows_are_those_of_the_code() {
    let text = format!("```mermaid\n{}```\n\n{}", diagram::mermaid(), diagram::rows());
    keep_current("docs/status.md", "src/domain/status", &text);
}

/// Asserts that a document has this text between its markers; with `UPDATE_DOCS`, writes it there.
pub fn keep_current(document: &str, source: &str, text: &str) {
    let start = format!("<!-- Generated from {source}: start -->\n");
    let end = format!("<!-- Generated from {source}: end -->\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    let committed = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = committed.split_once(&start).unwrap_or_else(|| panic!("{document} has a start marker"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{document} has an end marker"));
    let current = format!("{before}{start}\n{text}\n{end}{after}");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &current).unwrap();
    } else {
        assert!(committed == current, "{document} is stale: run `make generate`");
    }
}
