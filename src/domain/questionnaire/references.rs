//! What referees are asked for: how many, a letter, and questions of their own.

use serde::Serialize;

use super::{Question, QuestionSet};

/// Maximum number of referees that an applicant can be allowed to name.
pub const MAX_REFEREES: i64 = 5;

/// What a program asks of referees, as part of its questionnaire.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct References {
    /// How many an application needs; may be 0.
    pub needed: i64,
    /// How many an applicant can name: at least 1, and not fewer than are needed.
    pub most: i64,
    pub letter: LetterRule,
    /// Questions for referees; may be empty if there can be a letter.
    pub questions: Vec<Question>,
}

/// Whether a referee uploads a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
pub enum LetterRule {
    None,
    Optional,
    Required,
}

impl LetterRule {
    pub const ALL: [LetterRule; 3] = [LetterRule::None, LetterRule::Optional, LetterRule::Required];

    pub fn as_str(self) -> &'static str {
        match self {
            LetterRule::None => "none",
            LetterRule::Optional => "optional",
            LetterRule::Required => "required",
        }
    }

    pub fn parse(text: &str) -> Option<LetterRule> {
        LetterRule::ALL.into_iter().find(|rule| rule.as_str() == text)
    }

    /// Returns the label for staff.
    pub fn label(self) -> &'static str {
        match self {
            LetterRule::None => "No letter",
            LetterRule::Optional => "They can upload a letter",
            LetterRule::Required => "They must upload a letter",
        }
    }
}

impl QuestionSet {
    /// Returns how many references an application needs; 0 if none are asked for.
    pub fn references_needed(&self) -> i64 {
        self.references.as_ref().map_or(0, |references| references.needed)
    }

    /// Returns the questions for referees as a set of its own, in the same version.
    #[must_use]
    pub fn for_referees(&self) -> QuestionSet {
        let questions = self.references.as_ref().map(|references| references.questions.clone()).unwrap_or_default();
        QuestionSet { program: self.program, version: self.version, questions, references: None }
    }
}
