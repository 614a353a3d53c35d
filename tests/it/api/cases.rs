//! `tests/cases/bad-inputs.jsonl`: inputs and the answer each must get. Every row is executed or listed as pending.

use serde::Deserialize;

use matricula::domain::password;

use crate::support::server::Answer;

/// One row.
#[derive(Debug, Deserialize)]
pub struct Case {
    pub id: String,
    pub area: String,
    pub input: String,
    expect_status: u16,
    code: String,
    error: String,
}

/// Areas tested here.
const API: [&str; 4] = ["register", "login", "application-save", "upload"];
/// The area tested in `tests/it/office/cases.rs`, which lists the rows whose pages are not built yet.
const OFFICE: [&str; 1] = ["admin"];
/// The area tested with the pages, in `tests/it/pages.rs`.
const PAGES: [&str; 1] = ["ssr"];

fn all() -> Vec<Case> {
    let rows = include_str!("../../cases/bad-inputs.jsonl").lines().filter(|line| !line.is_empty());
    rows.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The rows of one area that are to be executed.
pub fn of(area: &str) -> Vec<Case> {
    assert!(API.contains(&area) || OFFICE.contains(&area), "{area}");
    let cases = all().into_iter().filter(|case| case.area == area);
    cases.collect()
}

impl Case {
    /// Asserts that an answer is the one the row asks for.
    #[track_caller]
    pub fn check(&self, answer: &Answer) {
        assert_eq!(answer.status, self.expect_status, "{} {}: {answer:?}", self.id, self.input);
        if self.code == "ok" {
            return;
        }
        assert_eq!(answer.code(), self.code, "{} {}: {answer:?}", self.id, self.input);
        let body = answer.json();
        let error = body["error"].as_str().unwrap_or_default();
        let expected = self.error.replace("{MIN}", &password::MIN.to_string());
        match expected.split_once("{n}") {
            None => assert_eq!(error, expected, "{}", self.id),
            Some((before, after)) => {
                let number = error.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
                assert!(number.is_some_and(|n| n.parse::<u32>().is_ok_and(|n| n > 0)), "{}: {error}", self.id);
            }
        }
        assert_eq!(body["detail"], body["error"], "{}", self.id);
        assert_eq!(answer.header("content-type"), "application/problem+json", "{}", self.id);
    }
}

#[test]
fn every_row_is_executed_or_named_as_waiting() {
    let cases = all();
    assert_eq!(cases.len(), 90);
    for case in &cases {
        let area = case.area.as_str();
        assert!(API.contains(&area) || PAGES.contains(&area) || OFFICE.contains(&area), "{} {area}", case.id);
    }
}
