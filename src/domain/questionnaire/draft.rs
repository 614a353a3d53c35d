//! Questions as staff edit them: each text as typed, including mistakes and unfinished questions. Only a draft without
//! mistakes can be published, as the questions that [`parse`] returns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::definition::MAX_QUESTIONS;
use super::{Definition, Expected, Kind, LetterRule, Offer, Question, QuestionSet, References, Translation, parse};
use crate::input::{FieldError, Input};
use crate::language::Language;
use crate::money;

/// Maximum number of questions in a draft, including removed ones: higher than for a set, so that the error can still
/// be reported.
const MAX_ROWS: usize = 2 * MAX_QUESTIONS;
/// Maximum number of options of a question in a draft.
const MAX_OPTION_ROWS: usize = 100;

/// A draft, serialised in the same way for storage and for pages.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DraftedQuestions {
    /// For applicants.
    pub questions: Vec<DraftQuestion>,
    #[serde(default)]
    pub references: DraftedReferences,
}

/// What referees are to be asked for, field by field as in the form.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ts_rs::TS)]
#[serde(default)]
pub struct DraftedReferences {
    /// How many are needed; empty is 0.
    pub needed: String,
    /// How many can be named. Empty or 0 if no references are asked for.
    pub most: String,
    /// A [`LetterRule`]; empty is `none`.
    pub letter: String,
    pub questions: Vec<DraftQuestion>,
}

/// Whom questions are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Applicants,
    Referees,
}

impl Audience {
    /// Returns the path of its questions in a definition, and the beginning of their fields' names.
    fn path(self) -> &'static str {
        match self {
            Audience::Applicants => "questions",
            Audience::Referees => "references.questions",
        }
    }
}

/// A question of a draft, field by field as in the form. Fields that do not apply to its type keep what was typed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ts_rs::TS)]
#[serde(default, rename_all = "camelCase")]
pub struct DraftQuestion {
    /// Identifies the answer. Assigned once, and the same in every version.
    pub key: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub label: String,
    pub help: String,
    pub required: bool,
    /// Omitted when the draft is published; can be brought back until then.
    pub removed: bool,
    pub max_length: String,
    pub min: String,
    pub max: String,
    pub earliest: String,
    pub latest: String,
    pub options: Vec<DraftOption>,
    /// The earlier question and the required answer: `KEY:yes`, `KEY:no` or `KEY=OPTION`. Empty without a condition.
    pub only_if: String,
    pub translations: BTreeMap<Language, DraftTranslation>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ts_rs::TS)]
#[serde(default)]
pub struct DraftTranslation {
    pub label: String,
    pub help: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ts_rs::TS)]
#[serde(default)]
pub struct DraftOption {
    /// Identifies the option in answers. Assigned once, and the same in every version.
    pub value: String,
    pub label: String,
    pub translations: BTreeMap<Language, String>,
}

/// A difference between two drafts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct Difference {
    /// The text of the question, or the aspect in which the whole differs.
    pub title: String,
    /// The part of it that differs; may be empty.
    pub field: String,
    pub first: String,
    pub second: String,
}

/// The types of questions: their names in definitions, and their labels.
pub const KINDS: [(&str, &str); 8] = [
    ("text", "One line of text"),
    ("longText", "Several lines of text"),
    ("choice", "One of several options"),
    ("several", "Any number of options"),
    ("number", "A whole number"),
    ("date", "A date"),
    ("yesNo", "Yes or no"),
    ("file", "A file among the documents"),
];

fn kind_in_words(kind: &str) -> String {
    KINDS.iter().find(|(name, _)| *name == kind).map_or(kind, |(_, words)| words).to_owned()
}

/// An action of one of the editor's buttons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit {
    /// Whose questions change.
    pub of: Audience,
    pub change: Change,
}

/// A change of the list of questions; questions and options are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Add,
    Remove(usize),
    BringBack(usize),
    Up(usize),
    Down(usize),
    OptionUp(usize, usize),
}

impl Edit {
    /// Parses a button's value: `up:3`, `referee-up:3`.
    pub fn parse(text: &str) -> Option<Edit> {
        let (of, text) = match text.strip_prefix("referee-") {
            Some(rest) => (Audience::Referees, rest),
            None => (Audience::Applicants, text),
        };
        let mut parts = text.split(':');
        let name = parts.next()?;
        let numbers: Vec<usize> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let change = match (name, numbers.as_slice()) {
            ("add", []) => Change::Add,
            ("remove", [at]) => Change::Remove(*at),
            ("bring-back", [at]) => Change::BringBack(*at),
            ("up", [at]) => Change::Up(*at),
            ("down", [at]) => Change::Down(*at),
            ("option-up", [at, option]) => Change::OptionUp(*at, *option),
            _ => return None,
        };
        Some(Edit { of, change })
    }
}

impl DraftedQuestions {
    /// Creates a draft from a published set.
    pub fn of(set: &QuestionSet) -> DraftedQuestions {
        DraftedQuestions {
            questions: set.questions.iter().map(DraftQuestion::of).collect(),
            references: set.references.as_ref().map(DraftedReferences::of).unwrap_or_default(),
        }
    }

    /// Returns the questions for this audience.
    pub fn of_audience(&self, of: Audience) -> &Vec<DraftQuestion> {
        match of {
            Audience::Applicants => &self.questions,
            Audience::Referees => &self.references.questions,
        }
    }

    fn of_audience_mut(&mut self, of: Audience) -> &mut Vec<DraftQuestion> {
        match of {
            Audience::Applicants => &mut self.questions,
            Audience::Referees => &mut self.references.questions,
        }
    }

    /// Reads the fields of the editor: `questions.0.label`, `questions.0.options.1.value`, `references.needed`,
    /// `references.questions.0.label`. Fields with the same number belong together; the order is that of the form.
    /// `None` if there are more than a draft can have; fields with other names are ignored.
    pub fn from_form(fields: &[(String, String)]) -> Option<DraftedQuestions> {
        let value = |name: &str| {
            let found = fields.iter().rev().find(|(field, _)| field == name);
            found.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
        };
        Some(DraftedQuestions {
            questions: questions_of_form(fields, Audience::Applicants)?,
            references: DraftedReferences {
                needed: value("references.needed"),
                most: value("references.most"),
                letter: value("references.letter"),
                questions: questions_of_form(fields, Audience::Referees)?,
            },
        })
    }

    /// Performs a button's action, if there is such a question.
    pub fn edit(&mut self, Edit { of, change }: Edit) {
        let questions = self.of_audience_mut(of);
        let count = questions.len();
        match change {
            Change::Add if count < MAX_ROWS => {
                let kind = "text".to_owned();
                questions.push(DraftQuestion { kind, required: true, ..DraftQuestion::default() });
            }
            Change::Remove(at) | Change::BringBack(at) => {
                if let Some(question) = questions.get_mut(at) {
                    question.removed = matches!(change, Change::Remove(_));
                }
            }
            Change::Up(at) if (1..count).contains(&at) => questions.swap(at - 1, at),
            Change::Down(at) if at + 1 < count => questions.swap(at, at + 1),
            Change::OptionUp(at, option) => {
                if let Some(question) = questions.get_mut(at).filter(|it| (1..it.options.len()).contains(&option)) {
                    question.options.swap(option - 1, option);
                }
            }
            Change::Add | Change::Up(_) | Change::Down(_) => {}
        }
    }

    /// Removes empty options and translations, and gives random names to new questions and options.
    pub fn settle(&mut self, mut random: impl FnMut() -> u64) {
        let mut new = |letter: char| format!("{letter}{:x}", random() >> 24);
        for question in self.questions.iter_mut().chain(&mut self.references.questions) {
            question.translations.retain(|_, it| *it != DraftTranslation::default());
            for option in &mut question.options {
                option.translations.retain(|_, label| !label.is_empty());
            }
            question.options.retain(|option| !option.label.is_empty());
            if question.key.is_empty() {
                question.key = new('q');
            }
            for option in question.options.iter_mut().filter(|option| option.value.is_empty()) {
                option.value = new('o');
            }
        }
    }

    /// Returns what would be published.
    ///
    /// # Errors
    /// What prevents publication, each with the path of the form's field.
    pub fn check(&self) -> Result<Definition, Vec<FieldError>> {
        let mut definition = Map::new();
        definition.insert("questions".into(), definitions(&self.questions));
        if let Some(references) = self.references.definition() {
            definition.insert("references".into(), references);
        }
        parse(&Input::from(Value::Object(definition))).map_err(|errors| {
            let of_applicants = without_consequences(&errors, Audience::Applicants, &self.questions);
            let errors = without_consequences(&of_applicants, Audience::Referees, &self.references.questions);
            let place = |error: FieldError| {
                let path = placed(&error.path, Audience::Applicants, &self.questions);
                FieldError { path: placed(&path, Audience::Referees, &self.references.questions), ..error }
            };
            errors.into_iter().map(place).collect()
        })
    }

    /// Returns an audience's questions without mistakes, and the number of others: what a preview can show.
    pub fn readable(&self, of: Audience) -> (Vec<Question>, usize) {
        let mut rest: Vec<DraftQuestion> = kept(self.of_audience(of)).cloned().collect();
        let all = rest.len();
        while !rest.is_empty() {
            let definition = json!({ "questions": definitions(&rest) });
            let errors = match parse(&Input::from(definition)) {
                Ok(Definition { questions, .. }) => return (questions, all - rest.len()),
                Err(errors) => errors,
            };
            let broken: Vec<usize> = without_consequences(&errors, Audience::Applicants, &rest)
                .iter()
                .filter_map(|error| row(&error.path, Audience::Applicants))
                .collect();
            if broken.is_empty() {
                break;
            }
            let mut index = 0;
            rest.retain(|_| {
                index += 1;
                !broken.contains(&(index - 1))
            });
        }
        (Vec::new(), all)
    }

    /// Returns all differences from `other`; the values of this draft come first.
    pub fn differences(&self, other: &DraftedQuestions) -> Vec<Difference> {
        let mut differences = differences(&self.questions, &other.questions, "All questions");
        let words = |references: &DraftedReferences| {
            let number = |text: &str| if text.is_empty() { "0".to_owned() } else { text.to_owned() };
            let letter = LetterRule::parse(&references.letter).unwrap_or(LetterRule::None).label().to_owned();
            [("Needed", number(&references.needed)), ("Can be named", number(&references.most)), ("Letter", letter)]
        };
        for ((field, first), (_, second)) in words(&self.references).into_iter().zip(words(&other.references)) {
            if first != second {
                differences.push(Difference { title: "References".into(), field: field.into(), first, second });
            }
        }
        let (ours, theirs) = (&self.references.questions, &other.references.questions);
        differences.extend(self::differences(ours, theirs, "All questions for referees"));
        differences
    }
}

impl DraftedReferences {
    fn of(references: &References) -> DraftedReferences {
        DraftedReferences {
            needed: references.needed.to_string(),
            most: references.most.to_string(),
            letter: references.letter.as_str().to_owned(),
            questions: references.questions.iter().map(DraftQuestion::of).collect(),
        }
    }

    /// Returns the definition; `None` if no references are asked for.
    fn definition(&self) -> Option<Value> {
        let is_none = |text: &str| text.is_empty() || text == "0";
        if is_none(&self.most) && is_none(&self.needed) && kept(&self.questions).next().is_none() {
            return None;
        }
        let number = |text: &str, empty: Value| match text {
            "" => empty,
            text => money::whole(text).map_or_else(|| text.into(), Value::from),
        };
        let letter = if self.letter.is_empty() { LetterRule::None.as_str() } else { &self.letter };
        Some(json!({
            "needed": number(&self.needed, 0.into()),
            "most": number(&self.most, Value::Null),
            "letter": letter,
            "questions": definitions(&self.questions),
        }))
    }
}

/// Returns the questions that are not removed.
fn kept(questions: &[DraftQuestion]) -> impl Iterator<Item = &DraftQuestion> {
    questions.iter().filter(|question| !question.removed)
}

fn definitions(questions: &[DraftQuestion]) -> Value {
    kept(questions).map(DraftQuestion::definition).collect()
}

/// Leaves out what follows from other errors: a question that depends on an invalid one is not itself invalid.
fn without_consequences(errors: &[FieldError], of: Audience, questions: &[DraftQuestion]) -> Vec<FieldError> {
    let kept: Vec<&DraftQuestion> = kept(questions).collect();
    let broken: Vec<usize> = errors.iter().filter_map(|error| row(&error.path, of)).collect();
    let follows = |error: &&FieldError| {
        let Some(question) = row(&error.path, of).and_then(|index| kept.get(index)) else { return false };
        let before = question.condition().0;
        error.code == "question.onlyIf.unknown"
            && broken.iter().any(|index| kept.get(*index).is_some_and(|question| question.key == before))
    };
    errors.iter().filter(|error| !follows(error)).cloned().collect()
}

fn differences(ours: &[DraftQuestion], theirs: &[DraftQuestion], all: &str) -> Vec<Difference> {
    let (ours, theirs): (Vec<DraftQuestion>, Vec<DraftQuestion>) =
        (kept(ours).cloned().collect(), kept(theirs).cloned().collect());
    let mut differences = Vec::new();
    for question in &ours {
        match theirs.iter().find(|other| other.key == question.key) {
            Some(other) => question.compare(other, [&ours, &theirs], &mut differences),
            None => differences.push(only(question, true)),
        }
    }
    let added = theirs.iter().filter(|question| ours.iter().all(|other| other.key != question.key));
    differences.extend(added.map(|question| only(question, false)));
    let order = |one: &[DraftQuestion], other: &[DraftQuestion]| -> Vec<String> {
        let both = one.iter().filter(|question| other.iter().any(|it| it.key == question.key));
        both.map(|question| question.key.clone()).collect()
    };
    if order(&ours, &theirs) != order(&theirs, &ours) {
        let titles = |questions: &[DraftQuestion]| {
            let titles: Vec<String> = questions.iter().map(DraftQuestion::title).collect();
            titles.join(" · ")
        };
        let (first, second) = (titles(&ours), titles(&theirs));
        differences.push(Difference { title: all.to_owned(), field: "Order".into(), first, second });
    }
    differences
}

/// Reads an audience's questions from the fields of the editor. `None` if there are too many.
fn questions_of_form(fields: &[(String, String)], of: Audience) -> Option<Vec<DraftQuestion>> {
    let mut questions: Vec<Row<(DraftQuestion, Vec<Row<DraftOption>>)>> = Vec::new();
    for (name, value) in fields {
        let Some(rest) = name.strip_prefix(of.path()).and_then(|rest| rest.strip_prefix('.')) else { continue };
        let mut parts = rest.split('.');
        let Some(number) = parts.next().and_then(|number| number.parse().ok()) else { continue };
        let (question, options) = numbered(&mut questions, number, MAX_ROWS)?;
        match parts.collect::<Vec<_>>()[..] {
            ["options", number, ref field @ ..] => {
                let Ok(number) = number.parse() else { continue };
                let option = numbered(options, number, MAX_OPTION_ROWS)?;
                match field {
                    ["value"] => option.value = value.trim().to_owned(),
                    ["label"] => option.label = value.trim().to_owned(),
                    ["translations", language] => {
                        let Some(language) = Language::parse(language) else { continue };
                        option.translations.insert(language, value.trim().to_owned());
                    }
                    _ => {}
                }
            }
            ["translations", language, field] => {
                let Some(language) = Language::parse(language) else { continue };
                let translation = question.translations.entry(language).or_default();
                match field {
                    "label" => value.trim().clone_into(&mut translation.label),
                    "help" => value.trim().clone_into(&mut translation.help),
                    _ => {}
                }
            }
            [field] => question.set(field, value),
            _ => {}
        }
    }
    let question = |(_, (question, options)): Row<(DraftQuestion, Vec<Row<DraftOption>>)>| DraftQuestion {
        options: options.into_iter().map(|(_, option)| option).collect(),
        ..question
    };
    Some(questions.into_iter().map(question).collect())
}

/// A form row with its number.
type Row<T> = (usize, T);

/// Returns the row with this number; `None` if there would be more than `most`.
fn numbered<T: Default>(rows: &mut Vec<Row<T>>, number: usize, most: usize) -> Option<&mut T> {
    let at = match rows.iter().position(|(known, _)| *known == number) {
        Some(at) => at,
        None if rows.len() == most => return None,
        None => {
            rows.push((number, T::default()));
            rows.len() - 1
        }
    };
    rows.get_mut(at).map(|(_, row)| row)
}

/// Returns the index of the question that a path refers to, not counting removed ones.
fn row(path: &str, of: Audience) -> Option<usize> {
    path.strip_prefix(of.path())?.strip_prefix('.')?.split('.').next()?.parse().ok()
}

/// Converts a path to that in the form, where removed questions count too.
fn placed(path: &str, of: Audience, questions: &[DraftQuestion]) -> String {
    let mut kept = questions.iter().enumerate().filter(|(_, question)| !question.removed);
    let Some((at, _)) = row(path, of).and_then(|index| kept.nth(index)) else { return path.to_owned() };
    let below = of.path().split('.').count() + 1;
    let field = path.splitn(below + 1, '.').nth(below).unwrap_or("label");
    format!("{}.{at}.{field}", of.path())
}

fn only(question: &DraftQuestion, in_first: bool) -> Difference {
    let (there, not) = ("Is there".to_owned(), "Is not there".to_owned());
    let (first, second) = if in_first { (there, not) } else { (not, there) };
    Difference { title: question.title(), field: "Question".into(), first, second }
}

impl DraftOption {
    fn definition(&self) -> Value {
        let mut map = Map::new();
        map.insert("value".into(), self.value.as_str().into());
        map.insert("label".into(), self.label.as_str().into());
        let written = self.translations.iter().filter(|(_, label)| !label.is_empty());
        let translations: Map<String, Value> =
            written.map(|(language, label)| (language.as_str().to_owned(), label.as_str().into())).collect();
        if !translations.is_empty() {
            map.insert("translations".into(), translations.into());
        }
        Value::Object(map)
    }
}

/// Returns a translation as used in definitions; `None` if it is empty.
fn in_definition((language, translation): (&Language, &DraftTranslation)) -> Option<(String, Value)> {
    let texts = [("label", &translation.label), ("help", &translation.help)];
    let written: Map<String, Value> = texts
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| (name.to_owned(), text.as_str().into()))
        .collect();
    (!written.is_empty()).then(|| (language.as_str().to_owned(), written.into()))
}

impl DraftQuestion {
    fn of(question: &Question) -> DraftQuestion {
        let Question { key, label, help, required, kind, only_if, translations, lang: _ } = question;
        let translated = |(language, Translation { label, help }): (&Language, &Translation)| {
            (*language, DraftTranslation { label: label.clone(), help: help.clone().unwrap_or_default() })
        };
        let mut draft = DraftQuestion {
            key: key.clone(),
            kind: kind.name().to_owned(),
            label: label.clone(),
            help: help.clone().unwrap_or_default(),
            required: *required,
            translations: translations.iter().map(translated).collect(),
            ..DraftQuestion::default()
        };
        let number = |number: &Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
        match kind {
            Kind::Text { max_length } | Kind::LongText { max_length } => draft.max_length = max_length.to_string(),
            Kind::Choice { options } | Kind::Several { options } => {
                let option = |Offer { value, label, translations }: &Offer| DraftOption {
                    value: value.clone(),
                    label: label.clone(),
                    translations: translations.clone(),
                };
                draft.options = options.iter().map(option).collect();
            }
            Kind::Number { min, max } => (draft.min, draft.max) = (number(min), number(max)),
            Kind::Date { earliest, latest } => {
                draft.earliest = earliest.clone().unwrap_or_default();
                draft.latest = latest.clone().unwrap_or_default();
            }
            Kind::YesNo | Kind::File => {}
        }
        if let Some(condition) = only_if {
            let answer = match &condition.is {
                Expected::YesNo(true) => ":yes".to_owned(),
                Expected::YesNo(false) => ":no".to_owned(),
                Expected::Option(option) => format!("={option}"),
            };
            draft.only_if = format!("{}{answer}", condition.question);
        }
        draft
    }

    fn set(&mut self, field: &str, value: &str) {
        let text = value.replace("\r\n", "\n").trim().to_owned();
        match field {
            "key" => self.key = text,
            "type" => self.kind = text,
            "label" => self.label = text,
            "help" => self.help = text,
            "required" => self.required = value == "yes",
            "removed" => self.removed = value == "yes",
            "maxLength" => self.max_length = text,
            "min" => self.min = text,
            "max" => self.max = text,
            "earliest" => self.earliest = text,
            "latest" => self.latest = text,
            "onlyIf" => self.only_if = text,
            _ => {}
        }
    }

    /// Returns the definition, with only the fields that apply to its type.
    fn definition(&self) -> Value {
        let mut map = Map::new();
        map.insert("key".into(), self.key.as_str().into());
        map.insert("type".into(), self.kind.as_str().into());
        map.insert("label".into(), self.label.as_str().into());
        map.insert("required".into(), self.required.into());
        let mut limit = |name: &str, text: &str, is_number: bool| {
            let number = money::whole(text).filter(|_| is_number);
            if !text.is_empty() {
                map.insert(name.to_owned(), number.map_or_else(|| text.into(), Value::from));
            }
        };
        limit("help", &self.help, false);
        match self.kind.as_str() {
            "text" | "longText" => limit("maxLength", &self.max_length, true),
            "number" => {
                limit("min", &self.min, true);
                limit("max", &self.max, true);
            }
            "date" => {
                limit("earliest", &self.earliest, false);
                limit("latest", &self.latest, false);
            }
            "choice" | "several" => {
                map.insert("options".into(), self.options.iter().map(DraftOption::definition).collect());
            }
            _ => {}
        }
        let translations: Map<String, Value> = self.translations.iter().filter_map(in_definition).collect();
        if !translations.is_empty() {
            map.insert("translations".into(), translations.into());
        }
        if !self.only_if.is_empty() {
            let (question, answer) = self.condition();
            let is = match answer {
                ":yes" => Value::Bool(true),
                ":no" => Value::Bool(false),
                option => option.trim_start_matches(['=', ':']).into(),
            };
            map.insert("onlyIf".into(), json!({ "question": question, "is": is }));
        }
        Value::Object(map)
    }

    /// Returns the key of the question it depends on, and the required answer with its sign.
    fn condition(&self) -> (&str, &str) {
        let end = self.only_if.find([':', '=']).unwrap_or(self.only_if.len());
        self.only_if.split_at(end)
    }

    /// Describes the condition for people.
    fn condition_in_words(&self, all: &[DraftQuestion]) -> String {
        let (key, answer) = self.condition();
        let Some(before) = all.iter().find(|question| !key.is_empty() && question.key == key) else {
            return self.only_if.clone();
        };
        let value = answer.trim_start_matches(['=', ':']);
        let option = before.options.iter().find(|option| option.value == value).map(|option| option.label.as_str());
        let words = match answer {
            ":yes" => "Yes",
            ":no" => "No",
            _ => option.unwrap_or(value),
        };
        format!("{} – {words}", before.title())
    }

    fn title(&self) -> String {
        if self.label.is_empty() { "(without words)".to_owned() } else { self.label.clone() }
    }

    /// Collects the differences from the question with the same key. `sets` has all questions of both drafts.
    fn compare(&self, other: &DraftQuestion, sets: [&[DraftQuestion]; 2], differences: &mut Vec<Difference>) {
        let yes_no = |yes: bool| if yes { "Yes" } else { "No" }.to_owned();
        let options = |question: &DraftQuestion| {
            let labels: Vec<&str> = question.options.iter().map(|option| option.label.as_str()).collect();
            labels.join(" · ")
        };
        let texts = |question: &DraftQuestion, set: &[DraftQuestion]| {
            let it = question.clone();
            let mut texts = vec![
                ("Question".to_owned(), it.label),
                ("Help".to_owned(), it.help),
                ("Type".to_owned(), kind_in_words(&it.kind)),
                ("Needs an answer".to_owned(), yes_no(it.required)),
                ("Most characters".to_owned(), it.max_length),
                ("Smallest number".to_owned(), it.min),
                ("Largest number".to_owned(), it.max),
                ("Earliest date".to_owned(), it.earliest),
                ("Latest date".to_owned(), it.latest),
                ("Options".to_owned(), options(question)),
                ("Asked only after".to_owned(), question.condition_in_words(set)),
            ];
            for language in Language::default().others() {
                let name = language.name();
                let translation = it.translations.get(&language).cloned().unwrap_or_default();
                let labels: Vec<&str> =
                    it.options.iter().filter_map(|option| Some(option.translations.get(&language)?.as_str())).collect();
                texts.push((format!("Question in {name}"), translation.label));
                texts.push((format!("Help in {name}"), translation.help));
                texts.push((format!("Options in {name}"), labels.join(" · ")));
            }
            texts
        };
        for ((field, first), (_, second)) in texts(self, sets[0]).into_iter().zip(texts(other, sets[1])) {
            if first != second {
                differences.push(Difference { title: self.title(), field, first, second });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;
    use crate::questionnaire::starter;

    fn form(fields: &[(&str, &str)]) -> DraftedQuestions {
        let fields: Vec<(String, String)> =
            fields.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let mut draft = DraftedQuestions::from_form(&fields).unwrap();
        let mut number = 0;
        draft.settle(|| {
            number += 1 << 24;
            number
        });
        draft
    }

    fn set(definition: &Definition) -> QuestionSet {
        let Definition { questions, references } = definition.clone();
        QuestionSet { questions, references, ..QuestionSet::default() }
    }

    fn wrong(draft: &DraftedQuestions) -> Vec<String> {
        draft.check().unwrap_err().into_iter().map(|error| error.path).collect()
    }

    #[test]
    fn what_was_published_is_written_on_and_is_the_same_again() {
        for program in Program::ALL {
            let definition = starter(program);
            let draft = DraftedQuestions::of(&set(&definition));
            assert_eq!(draft.check(), Ok(definition));
            let stored = serde_json::to_string(&draft).unwrap();
            assert_eq!(serde_json::from_str::<DraftedQuestions>(&stored).unwrap(), draft);
            assert!(draft.differences(&draft).is_empty());
        }
    }

    #[test]
    fn errors_stand_at_the_fields_of_the_form_and_removed_questions_have_none() {
        let draft = form(&[
            ("questions.0.label", "Gone"),
            ("questions.0.removed", "yes"),
            ("questions.0.type", "nothing"),
            ("questions.1.key", "q1"),
            ("questions.1.label", ""),
            ("questions.1.type", "yesNo"),
            ("questions.2.label", "How many?"),
            ("questions.2.type", "number"),
            ("questions.2.min", "many"),
            ("questions.2.max", "1,000"),
            ("questions.2.onlyIf", "q1:yes"),
            ("questions.3.type", "choice"),
            ("questions.3.label", "Which?"),
            ("questions.3.options.0.label", "One"),
            ("questions.3.options.1.label", " "),
            ("elsewhere.0.label", "x"),
        ]);
        assert_eq!(wrong(&draft), ["questions.1.label", "questions.2.min", "questions.3.options"]);
        assert_eq!(draft.questions[3].options.len(), 1);
        assert_eq!(draft.readable(Audience::Applicants), (Vec::new(), 3));
        let mut mended = draft;
        mended.questions[1].label = "Ready?".into();
        mended.questions[2].min = "1".into();
        assert_eq!(wrong(&mended), ["questions.3.options"]);
        let (shown, left_out) = mended.readable(Audience::Applicants);
        assert_eq!((shown.len(), left_out), (2, 1));
        assert_eq!(shown[1].kind, Kind::Number { min: Some(1), max: Some(1000) });
        assert!(shown[1].only_if.is_some());
        mended.questions[1].removed = true;
        assert_eq!(wrong(&mended), ["questions.2.onlyIf", "questions.3.options"], "nothing before it has that name");
    }

    #[test]
    fn buttons_move_remove_and_bring_back() {
        let mut draft = DraftedQuestions::of(&set(&starter(Program::Bachelor)));
        let first = draft.questions[0].key.clone();
        for (button, place) in [("down:0", 1), ("up:1", 0), ("up:0", 0), ("down:99", 0)] {
            draft.edit(Edit::parse(button).unwrap());
            assert_eq!(draft.questions[place].key, first, "{button}");
        }
        let count = draft.questions.len();
        let edit = |change| Edit { of: Audience::Applicants, change };
        draft.edit(edit(Change::Remove(0)));
        assert_eq!(draft.check().unwrap().questions.len(), count - 1);
        draft.edit(edit(Change::BringBack(0)));
        draft.edit(edit(Change::Add));
        assert_eq!((draft.questions.len(), wrong(&draft).len()), (count + 1, 2));
        let choice = draft.questions.iter().position(|question| question.kind == "choice").unwrap();
        let options = draft.questions[choice].options.clone();
        draft.edit(edit(Change::OptionUp(choice, 1)));
        assert_eq!(draft.questions[choice].options[0], options[1]);
        draft.edit(edit(Change::OptionUp(choice, 9)));
        draft.questions[choice].options[0].label.clear();
        draft.settle(|| 7 << 24);
        assert_eq!(draft.questions[choice].options.len(), options.len() - 1);
        for nothing in ["", "up", "up:x", "up:1:2", "option-up:1", "drop:1"] {
            assert_eq!(Edit::parse(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn two_drafts_are_compared_question_by_question() {
        let ours = DraftedQuestions::of(&set(&starter(Program::Bachelor)));
        let mut theirs = ours.clone();
        theirs.questions[0].label = "Why?".into();
        theirs.questions[1].removed = true;
        theirs.questions[2].max = "60".into();
        theirs.edit(Edit { of: Audience::Applicants, change: Change::Down(2) });
        let differences = ours.differences(&theirs);
        let rows: Vec<(&str, &str, &str)> =
            differences.iter().map(|it| (it.field.as_str(), it.first.as_str(), it.second.as_str())).collect();
        assert_eq!(rows[0], ("Question", "Why do you want to study coaching?", "Why?"));
        assert_eq!(rows[1], ("Question", "Is there", "Is not there"));
        assert_eq!(rows[2], ("Largest number", "80", "60"));
        assert_eq!((rows.len(), rows[3].0), (4, "Order"));
    }

    #[test]
    fn references_are_drafted_with_questions_of_their_own() {
        let fields = [
            ("questions.0.label", "Ready?"),
            ("questions.0.type", "yesNo"),
            ("references.needed", "2"),
            ("references.most", "1"),
            ("references.letter", "optional"),
            ("references.questions.0.label", "Gone"),
            ("references.questions.0.removed", "yes"),
            ("references.questions.1.label", ""),
            ("references.questions.1.type", "yesNo"),
        ];
        let mut draft = form(&fields);
        assert_eq!(wrong(&draft), ["references.needed", "references.questions.1.label"]);
        assert_eq!(draft.readable(Audience::Referees), (Vec::new(), 1));
        draft.references.most = "3".into();
        draft.references.questions[1].label = "Do you know them well?".into();
        let definition = draft.check().unwrap();
        assert_eq!(DraftedQuestions::of(&set(&definition)).check(), Ok(definition));
        assert_eq!(draft.readable(Audience::Referees).0.len(), 1);

        let mut other = draft.clone();
        other.edit(Edit::parse("referee-remove:1").unwrap());
        other.references.letter = "required".into();
        let fields: Vec<String> = draft.differences(&other).into_iter().map(|difference| difference.field).collect();
        assert_eq!(fields, ["Letter", "Question"]);
        let none = form(&[("questions.0.label", "Ready?"), ("questions.0.type", "yesNo"), ("references.most", "0")]);
        assert_eq!(none.check().unwrap().references, None);
    }

    #[test]
    fn a_form_is_read_in_its_order_and_of_too_many_rows_not_at_all() {
        let draft =
            form(&[("questions.7.label", "First"), ("questions.2.label", "Second"), ("questions.7.help", "Help")]);
        let read: Vec<(&str, &str)> = draft.questions.iter().map(|it| (it.label.as_str(), it.help.as_str())).collect();
        assert_eq!(read, [("First", "Help"), ("Second", "")]);
        let rows = |name: &dyn Fn(usize) -> String, count: usize| {
            let fields: Vec<(String, String)> = (0..count).map(|number| (name(number), "x".to_owned())).collect();
            DraftedQuestions::from_form(&fields)
        };
        let questions = |number| format!("questions.{number}.label");
        let options = |number| format!("questions.0.options.{number}.label");
        assert!(rows(&questions, 120).is_some() && rows(&questions, 121).is_none());
        assert!(rows(&options, 100).is_some() && rows(&options, 101).is_none());
    }
}
