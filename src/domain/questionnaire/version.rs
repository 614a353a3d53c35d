//! Published questionnaires and their drafts.

use super::QuestionSet;
use crate::moments::Millis;
use crate::program::Program;
use crate::questionnaire::draft::DraftedQuestions;

/// What must still be current when a draft is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedVersions {
    /// The published version; 0 if there is none.
    pub published: i64,
    /// The revision of the draft to publish; publishing ends the draft.
    pub draft: Option<i64>,
}

/// A current or earlier set of questions.
#[derive(Debug, Clone)]
pub struct QuestionnaireVersion {
    pub id: String,
    pub program: Program,
    pub set: QuestionSet,
    /// Whether it is the current version.
    pub is_published: bool,
    pub published_at: Millis,
    /// The publisher's name as shown to staff; `None` for the built-in questions.
    pub published_by: Option<String>,
    pub restored_from: Option<i64>,
    pub archived_at: Option<Millis>,
}

/// A program's draft questions.
#[derive(Debug, Clone)]
pub struct QuestionnaireDraft {
    pub program: Program,
    /// Starts at 1 and increases with every change.
    pub revision: i64,
    pub draft: DraftedQuestions,
    pub changed_at: Millis,
    /// Id and name of the member of staff who changed it last.
    pub changed_by: (String, String),
}
