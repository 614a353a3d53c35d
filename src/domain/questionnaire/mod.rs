//! Questions that staff ask the applicants of a program, besides those of the form: a versioned set for each program.
//!
//! A definition is checked when it is written ([`definition`]), and answers when they come in ([`answers`]). Both come as
//! [`Input`](super::input::Input), so that JSON bodies and posted forms go by the same rules.

mod answers;
mod definition;
pub mod draft;
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
pub use starter::starter;
pub use version::{ExpectedVersions, QuestionnaireDraft, QuestionnaireVersion};

/// The questions of a program, at a version.
#[derive(Debug, Clone, PartialEq, Default, Serialize, ts_rs::TS)]
pub struct QuestionSet {
    /// Whose it is; of none where nothing is asked.
    #[serde(skip)]
    pub program: Option<Program>,
    /// Counts up for each program, from 1. 0 where nothing is asked.
    pub version: i64,
    pub questions: Vec<Question>,
}

/// What is asked of the applicants of each program now.
#[derive(Debug, Clone, Default)]
pub struct QuestionSets {
    pub bachelor: Arc<QuestionSet>,
    pub masters: Arc<QuestionSet>,
}

impl QuestionSet {
    /// The questions as those get them who read this language. What is not translated is in English, and marked as that.
    #[must_use]
    pub fn in_language(&self, language: Language) -> QuestionSet {
        let questions = self.questions.iter().map(|question| question.in_language(language)).collect();
        QuestionSet { program: self.program, version: self.version, questions }
    }

    /// Names the set among all of both programs: `ba 3`.
    pub fn name(&self) -> String {
        format!("{} {}", self.program.map_or("none", Program::application_type), self.version)
    }
}

impl QuestionSets {
    /// Where no other program matters.
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

/// A question, as it is stored and as pages get it.
#[derive(Debug, Clone, PartialEq, Serialize, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Names the answer, in every version: letters and digits.
    pub key: String,
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub help: Option<String>,
    pub required: bool,
    #[serde(flatten)]
    pub kind: Kind,
    /// Asked only after a certain answer to an earlier question.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub only_if: Option<Condition>,
    /// In other languages, as a whole or not at all. Pages get it in one language.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(skip)]
    pub translations: BTreeMap<Language, Translation>,
    /// The language that it is in, where a page is in another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lang: Option<Language>,
}

/// The words of a question in another language; those of its options stand with them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Translation {
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Question {
    /// In the language of whoever is told.
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
    /// In the language of whoever is told.
    pub fn said(&self) -> Sentence {
        Sentence::each(&self.label, self.translations.get(&Language::Es).unwrap_or(&self.label))
    }
}

/// What a question takes for an answer.
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
    /// A whole number.
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
    /// A file among the applicant's documents.
    File,
}

impl Kind {
    /// As `type` in a definition. An answer is carried into another version only to a question of the same type.
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

/// The earlier question, and the answer to it after which this one is asked.
#[derive(Debug, Clone, PartialEq, Serialize, ts_rs::TS)]
pub struct Condition {
    /// Its key.
    pub question: String,
    /// Yes or no, or the option that is chosen.
    #[ts(inline)]
    pub is: Expected,
}

#[derive(Debug, Clone, PartialEq, Serialize, ts_rs::TS)]
#[serde(untagged)]
pub enum Expected {
    YesNo(bool),
    /// The option that is chosen, or among those chosen.
    Option(String),
}

/// Where the answer to the question with this key stands.
pub fn path(key: &str) -> String {
    format!("questionnaire.answers.{key}")
}
