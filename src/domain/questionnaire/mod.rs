//! Questions that staff add to a program's application form: a versioned set for each program.
//!
//! Definitions are checked when they are written ([`definition`]), and answers when they are sent ([`answers`]). Both
//! arrive as [`Input`](super::input::Input), so that the same rules apply to JSON bodies and posted forms.

mod answers;
mod definition;
pub mod draft;
mod references;
mod starter;
mod version;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::language::Language;
use super::program::Program;
use super::sentence::Sentence;

pub use answers::{Entry, GivenAnswers};
pub use definition::{MAX_QUESTIONS, parse};
pub use references::{LetterRule, MAX_REFEREES, References};
pub use starter::starter;
pub use version::{ExpectedVersions, QuestionnaireDraft, QuestionnaireVersion};

/// The questions of a program, in one version.
#[derive(Debug, Clone, PartialEq, Default, Serialize, ts_rs::TS)]
pub struct QuestionSet {
    /// The program; `None` if there are no questions.
    #[serde(skip)]
    pub program: Option<Program>,
    /// Numbered per program, from 1. 0 if there are no questions.
    pub version: i64,
    pub questions: Vec<Question>,
    /// What referees are asked for, if any are needed or welcome.
    #[serde(skip)]
    pub references: Option<References>,
}

/// What staff define, of a version that is still to be numbered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Definition {
    pub questions: Vec<Question>,
    pub references: Option<References>,
}

/// The current questions of each program.
#[derive(Debug, Clone, Default)]
pub struct QuestionSets {
    pub bachelor: Arc<QuestionSet>,
    pub masters: Arc<QuestionSet>,
}

impl QuestionSet {
    /// Returns the questions in this language. Those without a translation stay in English, and are marked accordingly.
    #[must_use]
    pub fn in_language(&self, language: Language) -> QuestionSet {
        let questions = self.questions.iter().map(|question| question.in_language(language)).collect();
        QuestionSet { program: self.program, version: self.version, questions, references: self.references.clone() }
    }

    /// Identifies the set among those of both programs: `ba 3`.
    pub fn name(&self) -> String {
        format!("{} {}", self.program.map_or("none", Program::application_type), self.version)
    }
}

impl QuestionSets {
    /// Creates the sets when the other program does not matter.
    pub fn only(program: Program, set: Arc<QuestionSet>) -> QuestionSets {
        match program {
            Program::Bachelor => QuestionSets { bachelor: set, ..QuestionSets::default() },
            Program::Masters => QuestionSets { masters: set, ..QuestionSets::default() },
        }
    }

    pub fn of(&self, program: Program) -> &Arc<QuestionSet> {
        match program {
            Program::Bachelor => &self.bachelor,
            Program::Masters => &self.masters,
        }
    }
}

/// A question, as stored and as sent to pages.
#[derive(Debug, Clone, PartialEq, Serialize, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Identifies the answer in every version: letters and digits.
    pub key: String,
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub help: Option<String>,
    pub required: bool,
    #[serde(flatten)]
    pub kind: Kind,
    /// The question applies only after a certain answer to an earlier question.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub only_if: Option<Condition>,
    /// Translations, each complete or missing. Not sent to pages, which get a single language.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(skip)]
    pub translations: BTreeMap<Language, Translation>,
    /// Language of the text, if it differs from that of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lang: Option<Language>,
}

/// A question's text in another language; translations of options are stored with the options.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Translation {
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Question {
    /// Returns the text in the reader's language.
    pub fn said(&self) -> Sentence {
        let spanish = self.translations.get(&Language::Es).map_or(&self.label, |translation| &translation.label);
        Sentence::each(&self.label, spanish)
    }

    pub fn help_said(&self) -> Option<Sentence> {
        let help = self.help.as_ref()?;
        let spanish = self.translations.get(&Language::Es).and_then(|translation| translation.help.as_ref());
        Some(Sentence::each(help, spanish.unwrap_or(help)))
    }

    fn in_language(&self, language: Language) -> Question {
        let is_there = language == Language::default() || self.translations.contains_key(&language);
        let said = |sentence: Sentence| sentence.in_language(language);
        let option =
            |option: &Offer| Offer { label: said(option.said()), translations: BTreeMap::new(), ..option.clone() };
        let kind = match &self.kind {
            Kind::Choice { options } => Kind::Choice { options: options.iter().map(option).collect() },
            Kind::Several { options } => Kind::Several { options: options.iter().map(option).collect() },
            kind => kind.clone(),
        };
        Question {
            key: self.key.clone(),
            label: said(self.said()),
            help: self.help_said().map(said),
            required: self.required,
            kind,
            only_if: self.only_if.clone(),
            translations: BTreeMap::new(),
            lang: (!is_there).then(Language::default),
        }
    }
}

impl Offer {
    /// Returns the label in the reader's language.
    pub fn said(&self) -> Sentence {
        Sentence::each(&self.label, self.translations.get(&Language::Es).unwrap_or(&self.label))
    }
}

/// The type of a question, which determines its answers.
#[derive(Debug, Clone, PartialEq, Serialize, ts_rs::TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Kind {
    Text {
        max_length: i64,
    },
    LongText {
        max_length: i64,
    },
    Choice {
        options: Vec<Offer>,
    },
    /// Any number of the options.
    Several {
        options: Vec<Offer>,
    },
    /// An integer.
    Number {
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        min: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        max: Option<i64>,
    },
    /// `2026-05-31`
    Date {
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        earliest: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        latest: Option<String>,
    },
    YesNo,
    /// A file, sent with the applicant's documents.
    File,
}

impl Kind {
    /// Returns the `type` in a definition. An answer is carried over to another version only if the question has the
    /// same type.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Text { .. } => "text",
            Kind::LongText { .. } => "longText",
            Kind::Choice { .. } => "choice",
            Kind::Several { .. } => "several",
            Kind::Number { .. } => "number",
            Kind::Date { .. } => "date",
            Kind::YesNo => "yesNo",
            Kind::File => "file",
        }
    }
}

/// One option of a choice.
#[derive(Debug, Clone, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "QuestionOption")]
pub struct Offer {
    pub value: String,
    pub label: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(skip)]
    pub translations: BTreeMap<Language, String>,
}

/// The earlier question, and the answer to it that makes this one apply.
#[derive(Debug, Clone, PartialEq, Serialize, ts_rs::TS)]
pub struct Condition {
    /// Key of the earlier question.
    pub question: String,
    /// Yes or no, or the chosen option.
    #[ts(inline)]
    pub is: Expected,
}

#[derive(Debug, Clone, PartialEq, Serialize, ts_rs::TS)]
#[serde(untagged)]
pub enum Expected {
    YesNo(bool),
    /// The chosen option, or one of those chosen.
    Option(String),
}

/// Returns the path of the answer to the question with this key.
pub fn path(key: &str) -> String {
    format!("questionnaire.answers.{key}")
}
