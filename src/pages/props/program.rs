//! A program as pages describe it.

use serde::Serialize;

use domain::sentence::Sentence;

/// A program as the public pages describe it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProgramInfo {
    #[cfg_attr(test, ts(as = "domain::program::Program"))]
    pub path: &'static str,
    #[cfg_attr(test, ts(type = "'ba' | 'msc'"))]
    pub application_type: &'static str,
    /// "Bachelor's program"
    pub name: Sentence,
    /// "Bachelor of Arts"
    pub degree: Sentence,
    pub promise: Sentence,
    pub length: Sentence,
    pub cost: Sentence,
    /// The application fee, if there is one.
    pub fee: Option<Sentence>,
    pub next_intake: Sentence,
    pub deadline: Sentence,
    pub audience: Vec<Sentence>,
    pub needs: Vec<Sentence>,
    pub steps: Vec<Titled>,
    pub payment: Vec<Titled>,
    pub questions: Vec<FrequentQuestion>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Titled {
    pub title: Sentence,
    pub text: Sentence,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FrequentQuestion {
    pub question: Sentence,
    pub answer: Sentence,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProgramName {
    #[cfg_attr(test, ts(as = "domain::program::Program"))]
    pub path: &'static str,
    #[cfg_attr(test, ts(type = "'ba' | 'msc'"))]
    pub application_type: &'static str,
    pub name: Sentence,
    pub degree: Sentence,
}
