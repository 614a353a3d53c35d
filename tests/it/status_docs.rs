//! `docs/status.md` shows the table of statuses that the code goes by.

use std::path::Path;

use matricula::domain::status::diagram;

const START: &str = "<!-- Generated from src/domain/status: start -->\n";
const END: &str = "<!-- Generated from src/domain/status: end -->\n";

#[test]
fn the_committed_diagram_and_rows_are_those_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/status.md");
    let committed = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = committed.split_once(START).expect("docs/status.md has a start marker");
    let (_, after) = rest.split_once(END).expect("docs/status.md has an end marker");
    let current =
        format!("{before}{START}\n```mermaid\n{}```\n\n{}\n{END}{after}", diagram::mermaid(), diagram::rows());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &current).unwrap();
    } else {
        assert!(
            committed == current,
            "docs/status.md is stale: run `UPDATE_DOCS=1 cargo test --test it -- status_docs`"
        );
    }
}
