//! The questions that staff ask, version by version, and those that they are writing.

use async_trait::async_trait;

use super::{AuditEntry, Millis, Stored};
use domain::program::Program;
use domain::questionnaire::draft::DraftedQuestions;
use domain::questionnaire::{Question, QuestionSet};

/// Questions for the applicants of a program, to be published.
#[derive(Debug, Clone)]
pub struct NewQuestionSet {
    pub id: String,
    pub program: Program,
    pub questions: Vec<Question>,
    pub at: Millis,
    /// Who of the staff publishes them.
    pub by: Option<String>,
    /// The earlier version whose questions they are again.
    pub restored_from: Option<i64>,
}

/// What must still be so when something is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
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

/// What became of a version that was to be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    Done,
    /// There is none, or it is the one that is asked now.
    NotThere,
    /// Somebody has answered it.
    InUse,
}

#[async_trait]
pub trait Questionnaires: Send + Sync {
    /// What is asked now: at most one set for each program.
    async fn published_questions(&self) -> Stored<Vec<(Program, QuestionSet)>>;
    /// A set that is or was asked.
    async fn questions_at(&self, program: Program, version: i64) -> Stored<Option<QuestionSet>>;
    /// Asks these from now on, at the next version, instead of those before. What was expected is not so: false.
    ///
    /// # Errors
    /// [`StoreError::Taken`](super::StoreError::Taken)`("questionnaire")` when somebody else has just published.
    async fn publish_questions(
        &self,
        new: &NewQuestionSet,
        expected: Option<Expected>,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// Asks these at version 1 if the program has never asked anything; whether it does now.
    async fn begin_questions(&self, new: &NewQuestionSet) -> Stored<bool>;
    /// Every set that is or was asked, newest first.
    async fn questionnaire_versions(&self) -> Stored<Vec<QuestionnaireVersion>>;
    async fn questionnaire_draft(&self, program: Program) -> Stored<Option<QuestionnaireDraft>>;
    /// Writes the draft at its revision, if the one before it is there; the first is 1. If not: false.
    async fn write_questionnaire_draft(&self, draft: &QuestionnaireDraft, audit: &AuditEntry) -> Stored<bool>;
    /// Forgets the draft at this revision. It is not there: false.
    async fn discard_questionnaire_draft(&self, program: Program, revision: i64, audit: &AuditEntry) -> Stored<bool>;
    /// Puts a version away that is not asked any more, or takes it out again. There is none: false.
    async fn archive_questionnaire(&self, id: &str, at: Option<Millis>, audit: &AuditEntry) -> Stored<bool>;
    /// Deletes a version that is not asked any more and that nobody has answered.
    async fn delete_questionnaire(&self, id: &str, audit: &AuditEntry) -> Stored<Deleted>;
    /// How many applications of the program can be changed, and so are asked what is published.
    async fn editable_applications(&self, program: Program) -> Stored<i64>;
}
