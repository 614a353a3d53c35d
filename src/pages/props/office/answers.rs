//! The tab "Application".

use std::borrow::Cow;

use serde::Serialize;

use super::Choice;
use super::dossier::{Frame, Line};
use crate::page::FormState;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnswerLine {
    pub name: Cow<'static, str>,
    /// Null if only the earlier version has it.
    pub value: Option<Cow<'static, str>>,
    /// `changed`, `added`, `gone`
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "'changed' | 'added' | 'gone'"))]
    pub change: Option<&'static str>,
    /// What it said in the earlier version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub before: Option<Cow<'static, str>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnswerSection {
    pub title: Sentence,
    pub answers: Vec<AnswerLine>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminApplicationProps {
    pub frame: Frame,
    /// Null for a role that may not see it.
    pub person: Option<Vec<Line>>,
    /// What was submitted, and the present answers if they differ; oldest first.
    pub versions: Vec<Choice>,
    pub version: String,
    /// The version to compare with; empty for none.
    pub against: String,
    pub changes_text: Option<String>,
    pub sections: Vec<AnswerSection>,
    pub form: FormState,
}
