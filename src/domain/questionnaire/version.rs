//! Published questionnaires and their drafts.

use super::QuestionSet;
use crate::moments::Millis;
use crate::program::Program;
use crate::questionnaire::draft::DraftedQuestions;

/// What must still be so when something is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedVersions {
    /// The version that is asked now; 0 for none.
    pub published: i64,
    /// The revision of the draft that is published, which ends with it.
    pub draft: Option<i64>,
}

/// A set that is or was asked.
#[derive(Debug, Clone)]
pub struct QuestionnaireVersion {
    pub id: String,
    pub program: Program,
    pub set: QuestionSet,
    /// It is the one that is asked now.
    pub is_published: bool,
    pub published_at: Millis,
    /// What colleagues call who published it; `None` for what the product came with.
    pub published_by: Option<String>,
    pub restored_from: Option<i64>,
    pub archived_at: Option<Millis>,
}

/// The questions of a program that are being written.
#[derive(Debug, Clone)]
pub struct QuestionnaireDraft {
    pub program: Program,
    /// Counts up with every change, from 1.
    pub revision: i64,
    pub draft: DraftedQuestions,
    pub changed_at: Millis,
    /// Id and name of who changed it last.
    pub changed_by: (String, String),
}
