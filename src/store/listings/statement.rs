//! An SQL statement built from fixed parts, and the conditions of a query.

use crate::query::Arg;
use domain::listing::{Facet, ListingQuery, Tab};

/// A term, or a prefix of terms.
pub(super) struct Condition {
    pub(super) from: String,
    /// The end of the prefix's range; `None` for one term.
    pub(super) until: Option<String>,
}

impl Condition {
    pub(super) fn all(query: &ListingQuery) -> Vec<Condition> {
        let exact = query.terms.iter().filter(|term| stage_of_row(query) != Some(term.as_str()));
        let exact = exact.map(|term| Condition { from: term.clone(), until: None });
        let beginnings = query
            .prefixes
            .iter()
            .map(|prefix| Condition { from: prefix.clone(), until: Some(format!("{prefix}\u{10ffff}")) });
        exact.chain(beginnings).collect()
    }
}

/// Returns the term of a stage that is checked on the row itself: an index has the stages of rows that need action, and
/// of no others.
pub(super) fn stage_of_row(query: &ListingQuery) -> Option<&str> {
    let is_stage = |term: &&String| Facet::Stage.value_of(term).is_some();
    query.terms.iter().find(is_stage).filter(|_| query.tab == Tab::NeedsAction).map(String::as_str)
}

/// A statement and its arguments, as it grows.
#[derive(Default)]
pub(super) struct Statement {
    pub(super) sql: String,
    args: Vec<Value>,
}

pub(super) enum Value {
    Text(String),
    Whole(i64),
}

impl Statement {
    pub(super) fn push(&mut self, sql: &str) {
        self.sql.push_str(sql);
    }

    fn arg(&mut self, value: Value) {
        self.args.push(value);
        self.sql.push('$');
        self.sql.push_str(&self.args.len().to_string());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.arg(Value::Text(text.to_owned()));
    }

    /// Adds several texts, separated by commas.
    pub(super) fn texts<'a>(&mut self, texts: impl Iterator<Item = &'a str>) {
        for (index, text) in texts.enumerate() {
            self.push(if index == 0 { "" } else { ", " });
            self.text(text);
        }
    }

    pub(super) fn whole(&mut self, number: i64) {
        self.arg(Value::Whole(number));
    }

    /// Requires that `term` of the table matches the condition.
    pub(super) fn matches(&mut self, table: &str, condition: &Condition) {
        self.push(table);
        match &condition.until {
            None => {
                self.push(".term = ");
                self.text(&condition.from);
            }
            Some(until) => {
                self.push(".term >= ");
                self.text(&condition.from);
                self.push(&format!(" AND {table}.term < "));
                self.text(until);
            }
        }
    }

    pub(super) fn args(&self) -> Vec<Arg<'_>> {
        let arg = |value| match value {
            &Value::Whole(number) => Arg::from(number),
            Value::Text(text) => Arg::from(text.as_str()),
        };
        self.args.iter().map(arg).collect()
    }
}
