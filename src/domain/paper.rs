//! A document to print or keep as a file: its content, not its layout.

use std::borrow::Cow;

use serde::Serialize;

use super::language::Language;

/// A document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paper {
    pub title: String,
    pub language: Language,
    /// Who issues it.
    pub issuer: String,
    /// Printed at the foot of every page, before the page number.
    pub footer: String,
    /// Date of the content, in milliseconds since 1970-01-01 UTC.
    pub dated: i64,
    pub blocks: Vec<Block>,
}

/// A part of a paper; the parts run from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    Heading(String),
    Paragraph(String),
    /// A paragraph that may contain bold words.
    Words(Vec<Run>),
    List(Vec<Vec<Run>>),
    /// A page break.
    NewPage,
    /// Related facts, one per line, each with a name and a value.
    Facts(Vec<Fact>),
}

/// A run of text, all of it bold or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(rename = "ContractRun")]
pub struct Run {
    pub text: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub bold: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub name: Cow<'static, str>,
    pub value: Cow<'static, str>,
    /// Free text, which may identify its author.
    pub is_free_text: bool,
}

impl Fact {
    pub fn new(name: impl Into<Cow<'static, str>>, value: impl Into<Cow<'static, str>>) -> Fact {
        Fact { name: name.into(), value: value.into(), is_free_text: false }
    }

    /// Replaces the value with `instead` if it is free text.
    #[must_use]
    pub fn without_free_text(self, instead: &'static str) -> Fact {
        if self.is_free_text { Fact { value: instead.into(), ..self } } else { self }
    }
}

/// A fact compared with the same one in an earlier paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    pub name: Cow<'static, str>,
    /// Its current value; `None` if only the earlier paper has it.
    pub value: Option<Cow<'static, str>>,
    pub change: Change,
}

/// How a fact differs from the earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Same,
    /// Only in the later paper.
    Added,
    /// Had this value before.
    Changed(Cow<'static, str>),
    /// Only in the earlier paper, with this value.
    Gone(Cow<'static, str>),
}

/// Compares the facts with those of `before`; facts that are gone come last. Without `before`, all count as the same.
pub fn compared(facts: Vec<Fact>, before: Option<Vec<Fact>>) -> Vec<Compared> {
    let is_compared = before.is_some();
    let mut before = before.unwrap_or_default();
    let mut compared: Vec<Compared> = facts
        .into_iter()
        .map(|Fact { name, value, .. }| {
            let earlier = before.iter().position(|fact| fact.name == name).map(|at| before.remove(at).value);
            let change = match earlier {
                Some(earlier) if earlier == value => Change::Same,
                Some(earlier) => Change::Changed(earlier),
                None if is_compared => Change::Added,
                None => Change::Same,
            };
            Compared { name, value: Some(value), change }
        })
        .collect();
    compared.extend(before.into_iter().map(|Fact { name, value, .. }| Compared {
        name,
        value: None,
        change: Change::Gone(value),
    }));
    compared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_compared_by_their_names() {
        let before = vec![Fact::new("State", "Texas"), Fact::new("Hours", "20"), Fact::new("Employer", "Demo")];
        let now = vec![Fact::new("Hours", "40"), Fact::new("State", "Texas"), Fact::new("Rank", "None")];
        let changes: Vec<(Cow<'static, str>, Change)> =
            compared(now.clone(), Some(before)).into_iter().map(|one| (one.name, one.change)).collect();
        assert_eq!(
            changes,
            [
                ("Hours".into(), Change::Changed("20".into())),
                ("State".into(), Change::Same),
                ("Rank".into(), Change::Added),
                ("Employer".into(), Change::Gone("Demo".into())),
            ]
        );
        assert!(compared(now, None).iter().all(|one| one.change == Change::Same));
    }
}
