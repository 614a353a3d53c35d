//! Parsing a definition: `{"questions": [{"key", "type", "label", "help", "required", "onlyIf", "translations", …}],
//! "references": {"needed", "most", "letter", "questions"}}`.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::references::{LetterRule, MAX_REFEREES, References};
use super::{Condition, Definition, Expected, Kind, Offer, Question, Translation};
use crate::characters;
use crate::input::{FieldError, Input, unknown_fields};
use crate::language::Language;
use crate::sentence::Sentence;

/// Maximum number of questions in a set.
pub const MAX_QUESTIONS: usize = 60;
/// Maximum number of options of a choice.
const MAX_OPTIONS: usize = 50;
const MAX_LABEL_LENGTH: usize = 300;
const MAX_HELP_LENGTH: usize = 1000;
/// Highest limit on the length of an answer that a definition can set, in characters.
const MAX_TEXT_LENGTH: i64 = 500;
const MAX_LONG_TEXT_LENGTH: i64 = 10_000;

/// Parses a definition.
///
/// # Errors
/// One for each mistake, with its path: unknown types and fields, invalid or duplicate keys, conditions that do not
/// refer to an earlier question, limits that cannot be met.
pub fn parse(input: &Input) -> Result<Definition, Vec<FieldError>> {
    let entries = input.entries()?;
    let mut errors: Vec<FieldError> = unknown_fields(entries, &["questions", "references"]).collect();
    let questions = questions(entries, "", 1, &mut errors);
    let references = match Input::get(entries, "references") {
        None | Some(Input::Null) => None,
        Some(Input::Map(entries)) => references(entries, &mut errors),
        Some(_) => {
            let message = "References are an object with the number needed, the letter and the questions.";
            errors.push(FieldError::new("references", "references.type", message));
            None
        }
    };
    if errors.is_empty() { Ok(Definition { questions, references }) } else { Err(errors) }
}

/// Parses at least `least` questions below `path`.
fn questions(entries: &Entries, path: &str, least: usize, errors: &mut Vec<FieldError>) -> Vec<Question> {
    let path = format!("{path}questions");
    let mut questions: Vec<Question> = Vec::new();
    match Input::get(entries, "questions") {
        Some(Input::List(items)) if items.len() < least || items.len() > MAX_QUESTIONS => {
            let message = match least {
                0 => Sentence::plain(format!("Ask at most {MAX_QUESTIONS} questions.")),
                _ => Sentence::plain(format!("Ask at least one question and at most {MAX_QUESTIONS}.")),
            };
            errors.push(FieldError::new(path, "questions.count", message));
        }
        Some(Input::List(items)) => {
            for (index, item) in items.iter().enumerate() {
                let mut reader = Reader { path: format!("{path}.{index}"), errors };
                if let Some(question) = reader.question(item, &questions) {
                    questions.push(question);
                }
            }
        }
        _ => errors.push(FieldError::new(path, "questions.type", "The questions must be a list.")),
    }
    questions
}

fn references(entries: &Entries, errors: &mut Vec<FieldError>) -> Option<References> {
    let before = errors.len();
    let unknown = unknown_fields(entries, &["needed", "most", "letter", "questions"]);
    errors.extend(unknown.map(|error| FieldError { path: format!("references.{}", error.path), ..error }));
    let mut wrong = |name: &str, rule: &str, message: Sentence| {
        errors.push(FieldError::new(format!("references.{name}"), format!("references.{name}.{rule}"), message));
    };
    let most = match Input::get(entries, "most") {
        Some(Input::Whole(most)) if (1..=MAX_REFEREES).contains(most) => *most,
        _ => {
            let message = format!("An applicant can name 1 to {MAX_REFEREES} referees.");
            wrong("most", "range", Sentence::plain(message));
            MAX_REFEREES
        }
    };
    let needed = match Input::get(entries, "needed") {
        Some(Input::Whole(needed)) if (0..=most).contains(needed) => *needed,
        _ => {
            let message = "The number needed is at least 0, and not more than can be named.";
            wrong("needed", "range", Sentence::plain(message));
            0
        }
    };
    let letter = match Input::get(entries, "letter") {
        Some(Input::Text(letter)) => LetterRule::parse(letter),
        _ => None,
    };
    if letter.is_none() {
        wrong("letter", "unknown", Sentence::plain("Choose whether referees can or must upload a letter."));
    }
    let questions = questions(entries, "references.", 0, errors);
    for (index, _) in questions.iter().enumerate().filter(|(_, question)| question.kind == Kind::File) {
        let message = "Referees cannot be asked for files. Ask for a letter instead.";
        errors.push(FieldError::new(format!("references.questions.{index}.type"), "question.type.referee", message));
    }
    if questions.is_empty() && letter == Some(LetterRule::None) && errors.len() == before {
        let message = "Ask referees for a letter, or at least one question.";
        errors.push(FieldError::new("references.letter", "references.letter.required", message));
    }
    (errors.len() == before).then_some(References { needed, most, letter: letter?, questions })
}

/// Reads one question and collects the mistakes.
struct Reader<'a> {
    path: String,
    errors: &'a mut Vec<FieldError>,
}

type Entries = [(String, Input)];

impl Reader<'_> {
    fn fail(&mut self, name: &str, rule: &str, message: impl Into<Sentence>) {
        let path = format!("{}.{name}", self.path);
        self.errors.push(FieldError::new(path, format!("question.{name}.{rule}"), message));
    }

    fn question(&mut self, item: &Input, earlier: &[Question]) -> Option<Question> {
        let Input::Map(entries) = item else {
            let message = "Each question must be an object.";
            self.errors.push(FieldError::new(self.path.clone(), "question.type", message));
            return None;
        };
        let key = self.key(entries, earlier);
        let label = self.text(entries, "label", MAX_LABEL_LENGTH);
        if label.is_none() && Input::get(entries, "label").is_none() {
            self.fail("label", "required", "Every question needs its words.");
        }
        let help = self.text(entries, "help", MAX_HELP_LENGTH);
        let required = self.yes_no(entries, "required").unwrap_or(true);
        let (kind, limits) = self.kind(entries)?;
        let known = [&["key", "type", "label", "help", "required", "onlyIf", "translations"][..], limits].concat();
        let unknown: Vec<FieldError> = unknown_fields(entries, &known).collect();
        for error in unknown {
            let path = format!("{}.{}", self.path, error.path);
            self.errors.push(FieldError { path, ..error });
        }
        let only_if = self.only_if(entries, earlier);
        let translations = self.translations(entries, help.is_some());
        let options = match &kind {
            Kind::Choice { options } | Kind::Several { options } => options.as_slice(),
            _ => &[],
        };
        self.expect_whole(&translations, options);
        Some(Question { key: key?, label: label?, help, required, kind, only_if, translations, lang: None })
    }

    /// Returns the entries under `translations`, by language.
    fn by_language<'a>(&mut self, entries: &'a Entries) -> Vec<(Language, &'a Input)> {
        let entries = match Input::get(entries, "translations") {
            None => return Vec::new(),
            Some(Input::Map(entries)) => entries,
            Some(_) => {
                self.fail(
                    "translations",
                    "type",
                    "The translations must be an object with an entry for each language.",
                );
                return Vec::new();
            }
        };
        let mut found = Vec::new();
        for (name, input) in entries {
            match Language::parse(name).filter(|language| *language != Language::default()) {
                Some(language) => found.push((language, input)),
                None => {
                    let shown: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
                    self.fail(
                        "translations",
                        "unknown",
                        Sentence::plain(format!("There is no translation into {shown}.")),
                    );
                }
            }
        }
        found
    }

    fn translations(&mut self, entries: &Entries, has_help: bool) -> BTreeMap<Language, Translation> {
        let mut translations = BTreeMap::new();
        for (language, input) in self.by_language(entries) {
            let path = format!("{}.translations.{}", self.path, language.as_str());
            let mut reader = Reader { path, errors: self.errors };
            let Input::Map(entries) = input else {
                reader.fail("label", "type", "A translation has a label, and a help where the question has one.");
                continue;
            };
            for error in unknown_fields(entries, &["label", "help"]) {
                let path = format!("{}.{}", reader.path, error.path);
                reader.errors.push(FieldError { path, ..error });
            }
            let label = reader.text(entries, "label", MAX_LABEL_LENGTH);
            if label.is_none() && Input::get(entries, "label").is_none() {
                reader.fail("label", "required", "Translate the question, too.");
            }
            let help = reader.text(entries, "help", MAX_HELP_LENGTH);
            match (Input::get(entries, "help"), has_help) {
                (None, true) => reader.fail("help", "required", "Translate the help, too."),
                (Some(_), false) => reader.fail("help", "unknown", "There is no help that this translates."),
                _ => {}
            }
            if let Some(label) = label {
                translations.insert(language, Translation { label, help });
            }
        }
        translations
    }

    /// Checks that translations are complete: a question half in one language and half in another helps nobody.
    fn expect_whole(&mut self, translations: &BTreeMap<Language, Translation>, options: &[Offer]) {
        for language in Language::default().others() {
            let is_translated = |option: &Offer| option.translations.contains_key(&language);
            let has_options = options.iter().any(is_translated);
            let path = format!("translations.{}", language.as_str());
            let begins = format!("{}.{path}", self.path);
            if has_options
                && !translations.contains_key(&language)
                && !self.errors.iter().any(|error| error.path.starts_with(&begins))
            {
                self.errors.push(FieldError::new(
                    format!("{begins}.label"),
                    "question.label.required",
                    "Translate the question, too.",
                ));
            }
            if has_options || translations.contains_key(&language) {
                for (index, _) in options.iter().enumerate().filter(|(_, option)| !is_translated(option)) {
                    let path = format!("{}.options.{index}.{path}", self.path);
                    self.errors.push(FieldError::new(
                        path,
                        "question.options.translation",
                        "Translate this option, too.",
                    ));
                }
            }
        }
    }

    fn key(&mut self, entries: &Entries, earlier: &[Question]) -> Option<String> {
        let Some(Input::Text(key)) = Input::get(entries, "key") else {
            self.fail("key", "required", "Every question needs a key.");
            return None;
        };
        let mut bytes = key.bytes();
        let starts = bytes.next().is_some_and(|first| first.is_ascii_lowercase());
        if !starts || key.len() > 40 || !bytes.all(|byte| byte.is_ascii_alphanumeric()) {
            let message = "A key is a small letter and up to 39 more letters and digits.";
            self.fail("key", "invalid", message);
            return None;
        }
        if earlier.iter().any(|question| question.key == *key) {
            self.fail("key", "taken", Sentence::plain(format!("The key {key} is there twice.")));
            return None;
        }
        Some(key.clone())
    }

    fn text(&mut self, entries: &Entries, name: &str, longest: usize) -> Option<String> {
        let text = match Input::get(entries, name)? {
            Input::Text(text) => text.trim(),
            _ => {
                self.fail(name, "type", "This must be text.");
                return None;
            }
        };
        if text.is_empty() {
            self.fail(name, "required", "This must not be empty.");
        } else if text.chars().count() > longest {
            self.fail(name, "too_long", Sentence::plain(format!("This must be at most {longest} characters.")));
        } else if let Some(sentence) = characters::refused("This", text) {
            self.fail(name, "invalid", sentence);
        } else {
            return Some(text.to_owned());
        }
        None
    }

    fn yes_no(&mut self, entries: &Entries, name: &str) -> Option<bool> {
        match Input::get(entries, name)? {
            Input::Bool(yes) => Some(*yes),
            _ => {
                self.fail(name, "type", "Answer yes or no.");
                None
            }
        }
    }

    fn whole(&mut self, entries: &Entries, name: &str) -> Option<i64> {
        match Input::get(entries, name)? {
            Input::Whole(number) => Some(*number),
            _ => {
                self.fail(name, "type", "This must be a whole number.");
                None
            }
        }
    }

    /// Reads the question's type, and returns the names of its limits.
    fn kind(&mut self, entries: &Entries) -> Option<(Kind, &'static [&'static str])> {
        let Some(Input::Text(kind)) = Input::get(entries, "type") else {
            self.fail("type", "required", "Every question needs a type.");
            return None;
        };
        Some(match kind.as_str() {
            "text" => (Kind::Text { max_length: self.max_length(entries, 200, MAX_TEXT_LENGTH) }, &["maxLength"]),
            "longText" => {
                (Kind::LongText { max_length: self.max_length(entries, 2000, MAX_LONG_TEXT_LENGTH) }, &["maxLength"])
            }
            "choice" => (Kind::Choice { options: self.options(entries) }, &["options"]),
            "several" => (Kind::Several { options: self.options(entries) }, &["options"]),
            "number" => {
                let (min, max) = (self.whole(entries, "min"), self.whole(entries, "max"));
                if matches!((min, max), (Some(min), Some(max)) if min > max) {
                    self.fail("max", "range", "The largest number must not be below the smallest.");
                }
                (Kind::Number { min, max }, &["min", "max"])
            }
            "date" => {
                let (earliest, latest) = (self.date(entries, "earliest"), self.date(entries, "latest"));
                if matches!((&earliest, &latest), (Some(earliest), Some(latest)) if earliest > latest) {
                    self.fail("latest", "range", "The latest date must not be before the earliest.");
                }
                (Kind::Date { earliest, latest }, &["earliest", "latest"])
            }
            "yesNo" => (Kind::YesNo, &[]),
            "file" => (Kind::File, &[]),
            unknown => {
                let shown: String = unknown.chars().filter(|c| !c.is_control()).take(60).collect();
                self.fail("type", "unknown", Sentence::plain(format!("There is no type of question called {shown}.")));
                return None;
            }
        })
    }

    fn max_length(&mut self, entries: &Entries, usual: i64, most: i64) -> i64 {
        match self.whole(entries, "maxLength") {
            Some(length) if !(1..=most).contains(&length) => {
                self.fail("maxLength", "range", Sentence::plain(format!("The length must be between 1 and {most}.")));
                usual
            }
            given => given.unwrap_or(usual),
        }
    }

    fn date(&mut self, entries: &Entries, name: &str) -> Option<String> {
        match Input::get(entries, name)? {
            Input::Text(text) if is_date(text) => Some(text.clone()),
            _ => {
                self.fail(name, "invalid", "Write a date like 2026-05-31.");
                None
            }
        }
    }

    fn options(&mut self, entries: &Entries) -> Vec<Offer> {
        let items = match Input::get(entries, "options") {
            Some(Input::List(items)) => items.as_slice(),
            _ => &[],
        };
        if !(2..=MAX_OPTIONS).contains(&items.len()) {
            self.fail(
                "options",
                "count",
                Sentence::plain(format!("Offer at least 2 options and at most {MAX_OPTIONS}.")),
            );
        }
        let mut options: Vec<Offer> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let path = format!("{}.options.{index}", self.path);
            let mut reader = Reader { path, errors: self.errors };
            let Input::Map(entries) = item else {
                reader.fail("value", "required", "Each option needs a value and a label.");
                continue;
            };
            let value = reader.text(entries, "value", 40).filter(|value| {
                value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
            });
            let label = reader.text(entries, "label", MAX_LABEL_LENGTH);
            let mut translations = BTreeMap::new();
            for (language, input) in reader.by_language(entries) {
                let entry = [(language.as_str().to_owned(), input.clone())];
                let path = format!("{}.translations", reader.path);
                let mut reader = Reader { path, errors: reader.errors };
                if let Some(label) = reader.text(&entry, language.as_str(), MAX_LABEL_LENGTH) {
                    translations.insert(language, label);
                }
            }
            match (value, label) {
                (Some(value), _) if options.iter().any(|option| option.value == value) => {
                    reader.fail("value", "taken", Sentence::plain(format!("The option {value} is there twice.")));
                }
                (Some(value), Some(label)) => options.push(Offer { value, label, translations }),
                (None, _) => {
                    reader.fail("value", "invalid", "The value of an option is small letters, digits and underscores.");
                }
                (_, None) => reader.fail("label", "required", "Each option needs its words."),
            }
        }
        options
    }

    fn only_if(&mut self, entries: &Entries, earlier: &[Question]) -> Option<Condition> {
        let (question, is) = match Input::get(entries, "onlyIf")? {
            Input::Map(condition) => match (Input::get(condition, "question"), Input::get(condition, "is")) {
                (Some(Input::Text(question)), Some(is)) if condition.len() == 2 => (question, is),
                _ => {
                    self.fail("onlyIf", "invalid", "Name an earlier question, and the answer that it must have.");
                    return None;
                }
            },
            _ => {
                self.fail("onlyIf", "type", "Name an earlier question, and the answer that it must have.");
                return None;
            }
        };
        let Some(before) = earlier.iter().find(|before| before.key == *question) else {
            self.fail("onlyIf", "unknown", "This depends on a question that does not come before it.");
            return None;
        };
        let is = match (&before.kind, is) {
            (Kind::YesNo, Input::Bool(yes)) => Some(Expected::YesNo(*yes)),
            (Kind::Choice { options } | Kind::Several { options }, Input::Text(value))
                if options.iter().any(|option| option.value == *value) =>
            {
                Some(Expected::Option(value.clone()))
            }
            _ => None,
        };
        if is.is_none() {
            self.fail("onlyIf", "answer", "The question before cannot be answered like that.");
        }
        Some(Condition { question: question.clone(), is: is? })
    }
}

/// Whether it is a full date: `2026-05-31`.
pub(super) fn is_date(text: &str) -> bool {
    text.len() == 10 && text.parse::<Date>().is_ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(definition: Value) -> Result<Vec<Question>, Vec<FieldError>> {
        parse(&Input::from(definition)).map(|definition| definition.questions)
    }

    fn errors(question: Value) -> Vec<(String, String)> {
        let earlier = json!({"key": "studied", "type": "yesNo", "label": "Have you studied before?"});
        let mode = json!({
            "key": "mode", "type": "choice", "label": "How?",
            "options": [{"value": "full", "label": "Full time"}, {"value": "part", "label": "Part time"}]
        });
        let errors = read(json!({"questions": [earlier, mode, question]})).err().unwrap_or_default();
        errors.into_iter().map(|error| (error.path, error.code)).collect()
    }

    #[test]
    fn a_definition_is_read_back_as_it_is_stored() {
        let options = json!([{"value": "a", "label": "One"}, {"value": "b", "label": "Two"}]);
        let definition = json!({"questions": [
            {"key": "name", "type": "text", "label": "Name", "required": true, "maxLength": 200},
            {"key": "why", "type": "longText", "label": "Why?", "help": "Briefly.", "required": false, "maxLength": 900},
            {"key": "mode", "type": "choice", "label": "Mode", "required": true, "options": options},
            {"key": "days", "type": "several", "label": "Days", "required": true, "options": options},
            {"key": "hours", "type": "number", "label": "Hours", "required": true, "min": 0, "max": 20},
            {"key": "start", "type": "date", "label": "Start", "required": true, "earliest": "2026-01-01"},
            {"key": "abroad", "type": "yesNo", "label": "Abroad?", "required": true},
            {"key": "proof", "type": "file", "label": "Proof", "required": true,
                "onlyIf": {"question": "abroad", "is": true}},
            {"key": "where", "type": "text", "label": "Where?", "required": true, "maxLength": 20,
                "onlyIf": {"question": "days", "is": "b"}},
        ]});
        let questions = read(definition.clone()).unwrap();
        assert_eq!(json!({ "questions": questions }), definition);
    }

    #[test]
    fn a_question_is_translated_as_a_whole() {
        let question = |changes: Value| {
            let mut question = json!({"key": "next", "type": "choice", "label": "Next?", "help": "Soon.", "required": true,
                "options": [{"value": "a", "label": "One", "translations": {"es": "Uno"}},
                    {"value": "b", "label": "Two", "translations": {"es": "Dos"}}],
                "translations": {"es": {"label": "¿Y luego?", "help": "Pronto."}}});
            question.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            question
        };
        assert_eq!(errors(question(json!({}))), []);
        let whole = read(json!({"questions": [question(json!({}))]})).unwrap();
        assert_eq!(json!({ "questions": whole })["questions"][0], question(json!({})), "as it was written");
        let set = crate::questionnaire::QuestionSet { questions: whole, ..Default::default() };
        let spanish = json!(set.in_language(Language::Es).questions[0]);
        let asked = json!({"key": "next", "type": "choice", "label": "¿Y luego?", "help": "Pronto.", "required": true,
            "options": [{"value": "a", "label": "Uno"}, {"value": "b", "label": "Dos"}]});
        assert_eq!(spanish, asked);
        assert_eq!(set.in_language(Language::En).questions[0].label, "Next?");
        let plain = read(json!({"questions": [{"key": "a", "type": "yesNo", "label": "Ready?"}]})).unwrap();
        let plain = crate::questionnaire::QuestionSet { questions: plain, ..Default::default() };
        assert_eq!(plain.in_language(Language::Es).questions[0].lang, Some(Language::En));
        assert_eq!(plain.in_language(Language::En).questions[0].lang, None);
        let half =
            json!([{"value": "a", "label": "One", "translations": {"es": "Uno"}}, {"value": "b", "label": "Two"}]);
        for (changes, path, code) in [
            (json!({"options": half}), "options.1.translations.es", "question.options.translation"),
            (json!({"translations": {"es": {"label": "x"}}}), "translations.es.help", "question.help.required"),
            (json!({"translations": {"es": {"help": "x"}}}), "translations.es.label", "question.label.required"),
            (json!({"translations": {}}), "translations.es.label", "question.label.required"),
            (json!({"translations": {"es": 1}}), "translations.es.label", "question.label.type"),
            (
                json!({"translations": {"fr": {}}, "options": [{"value": "a", "label": "1"}, {"value": "b", "label": "2"}]}),
                "translations",
                "question.translations.unknown",
            ),
            (
                json!({"help": null, "translations": {"es": {"label": "x", "help": "y"}}}),
                "translations.es.help",
                "question.help.unknown",
            ),
        ] {
            let found = errors(question(changes.clone()));
            assert!(found.contains(&(format!("questions.2.{path}"), code.to_owned())), "{changes}: {found:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_by_path() {
        let with = |changes: Value| {
            let mut question = json!({"key": "next", "type": "text", "label": "Next"});
            question.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            question
        };
        let option = json!([{"value": "a", "label": "A"}, {"value": "a", "label": "B"}]);
        for (question, path, code) in [
            (json!(1), "questions.2", "question.type"),
            (with(json!({"type": "essay"})), "questions.2.type", "question.type.unknown"),
            (with(json!({"key": "mode"})), "questions.2.key", "question.key.taken"),
            (with(json!({"key": "not a key"})), "questions.2.key", "question.key.invalid"),
            (with(json!({"label": " "})), "questions.2.label", "question.label.required"),
            (with(json!({"label": null})), "questions.2.label", "question.label.required"),
            (with(json!({"maxLength": 0})), "questions.2.maxLength", "question.maxLength.range"),
            (with(json!({"min": 1})), "questions.2.min", "field.unknown"),
            (with(json!({"type": "choice"})), "questions.2.options", "question.options.count"),
            (with(json!({"type": "choice", "options": option})), "questions.2.options.1.value", "question.value.taken"),
            (with(json!({"type": "number", "min": 2, "max": 1})), "questions.2.max", "question.max.range"),
            (with(json!({"type": "date", "latest": "2026-02-30"})), "questions.2.latest", "question.latest.invalid"),
            (
                with(json!({"onlyIf": {"question": "next", "is": true}})),
                "questions.2.onlyIf",
                "question.onlyIf.unknown",
            ),
            (
                with(json!({"onlyIf": {"question": "later", "is": true}})),
                "questions.2.onlyIf",
                "question.onlyIf.unknown",
            ),
            (
                with(json!({"onlyIf": {"question": "mode", "is": "half"}})),
                "questions.2.onlyIf",
                "question.onlyIf.answer",
            ),
            (
                with(json!({"onlyIf": {"question": "studied", "is": "yes"}})),
                "questions.2.onlyIf",
                "question.onlyIf.answer",
            ),
            (with(json!({"onlyIf": "studied"})), "questions.2.onlyIf", "question.onlyIf.type"),
        ] {
            assert_eq!(errors(question.clone()), [(path.to_owned(), code.to_owned())], "{question}");
        }
        assert_eq!(errors(with(json!({"onlyIf": {"question": "mode", "is": "part"}}))), []);
        assert_eq!(read(json!({"questions": []})).unwrap_err()[0].code, "questions.count");
        assert_eq!(read(json!({})).unwrap_err()[0].code, "questions.type");
    }

    #[test]
    fn references_are_part_of_a_definition() {
        let about = json!({"key": "known", "type": "text", "label": "How long have you known them?", "required": true,
            "maxLength": 200});
        let with = |changes: Value| {
            let mut references = json!({"needed": 1, "most": 2, "letter": "optional", "questions": [about]});
            references.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            parse(&Input::from(json!({
                "questions": [{"key": "ready", "type": "yesNo", "label": "Ready?"}], "references": references
            })))
        };
        let read = with(json!({})).unwrap().references.unwrap();
        assert_eq!(
            json!(read),
            json!({"needed": 1, "most": 2, "letter": "optional", "questions": [about]}),
            "as it was written"
        );
        assert_eq!(with(json!({"letter": "required", "questions": []})).unwrap().references.unwrap().questions, []);
        let file = json!({"key": "proof", "type": "file", "label": "Proof"});
        for (changes, path, code) in [
            (json!({"needed": 3}), "references.needed", "references.needed.range"),
            (json!({"needed": -1}), "references.needed", "references.needed.range"),
            (json!({"most": 0}), "references.most", "references.most.range"),
            (json!({"most": 6}), "references.most", "references.most.range"),
            (json!({"letter": "maybe"}), "references.letter", "references.letter.unknown"),
            (json!({"letter": "none", "questions": []}), "references.letter", "references.letter.required"),
            (json!({"questions": [file]}), "references.questions.0.type", "question.type.referee"),
            (json!({"questions": [{"key": "a"}]}), "references.questions.0.label", "question.label.required"),
            (json!({"questions": 1}), "references.questions", "questions.type"),
            (json!({"more": 1}), "references.more", "field.unknown"),
        ] {
            let errors = with(changes.clone()).unwrap_err();
            assert!(errors.iter().any(|error| error.path == path && error.code == code), "{changes}: {errors:?}");
        }
        let none = json!({"questions": [{"key": "ready", "type": "yesNo", "label": "Ready?"}], "references": null});
        assert_eq!(parse(&Input::from(none)).unwrap().references, None);
    }
}
