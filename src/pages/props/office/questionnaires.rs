//! The questions that the office asks applicants and their referees.

use serde::Serialize;

use super::Choice;
use crate::page::FormState;
use domain::language::Language;
use domain::questionnaire::draft::{Difference, DraftQuestion, DraftedReferences};
use domain::questionnaire::{LetterRule, QuestionSet};
use domain::sentence::Sentence;

/// Who last changed a draft, and when.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DraftInfo {
    pub changed_text: Sentence,
    pub changed_by: String,
    /// The number of mistakes that prevent publishing it.
    pub mistakes: usize,
}

/// A version of a program's questions.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VersionRow {
    pub id: String,
    pub version: i64,
    #[cfg_attr(test, ts(type = "'published' | 'earlier' | 'archived'"))]
    pub state: &'static str,
    /// The number of questions.
    pub questions: usize,
    /// Null if no references are asked for.
    pub references: Option<ReferencesInShort>,
    pub published_text: Sentence,
    /// Null for the built-in version.
    pub published_by: Option<String>,
    /// The earlier version that this one restores.
    pub restored_from: Option<i64>,
    pub preview_href: String,
    pub restore_href: String,
}

/// What a version asks of referees.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReferencesInShort {
    pub needed: i64,
    /// How many can be named.
    pub most: i64,
    pub letter: LetterRule,
    /// The number of questions.
    pub questions: usize,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProgramQuestions {
    pub name: Sentence,
    pub edit_href: String,
    pub draft: Option<DraftInfo>,
    /// Newest first.
    pub versions: Vec<VersionRow>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminQuestionnairesProps {
    pub programs: Vec<ProgramQuestions>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminQuestionnaireProps {
    pub name: Sentence,
    pub path: String,
    pub preview_href: String,
    pub publish_href: String,
    /// Of the stored draft; 0 for none.
    pub revision: i64,
    /// What the names of new questions and options are derived from.
    pub names: String,
    /// The version that is asked now; 0 for none.
    pub published: i64,
    /// Null until something is saved.
    pub info: Option<DraftInfo>,
    pub questions: Vec<DraftQuestion>,
    pub references: DraftedReferences,
    /// The rules for letters of referees.
    pub letters: Vec<Choice>,
    /// Maximum number of referees that can be named.
    pub most_referees: i64,
    pub kinds: Vec<Choice>,
    pub languages: Vec<TranslationLanguage>,
    /// Maximum number of questions, for applicants and for referees.
    pub most: usize,
    /// From what somebody else has saved meanwhile: first mine, second theirs.
    pub differences: Vec<Difference>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminQuestionnairePreviewProps {
    pub name: Sentence,
    /// Null for the draft.
    pub version: Option<i64>,
    pub path: String,
    pub back_href: String,
    /// In the language of the preview.
    pub set: QuestionSet,
    /// Of the preview, with links to it in other languages.
    pub language: Language,
    pub languages: Vec<PreviewLink>,
    /// The same as applicants and as referees see it; empty if referees are not asked.
    pub audiences: Vec<PreviewLink>,
    /// Whether it shows what referees are asked.
    pub of_referees: bool,
    /// Whether they upload a letter; null for applicants.
    pub letter: Option<LetterRule>,
    /// Number of questions in the draft that have mistakes.
    pub left_out: usize,
    /// Whether the answers were checked.
    pub checked: bool,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PreviewLink {
    pub name: Sentence,
    pub href: String,
    pub current: bool,
}

/// What a questionnaire is translated into.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TranslationLanguage {
    pub language: Language,
    pub name: Sentence,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminQuestionnairePublishProps {
    pub name: Sentence,
    pub path: String,
    pub back_href: String,
    /// The earlier version to restore; null to publish the draft.
    pub version: Option<i64>,
    pub published: i64,
    pub revision: i64,
    /// Not `key`, which React reserves.
    pub form_key: String,
    /// Number of applications that can still be changed, and so ask other questions.
    pub applications: i64,
    /// From what is asked now.
    pub differences: Vec<Difference>,
    pub form: FormState,
}
