//! Checking answers, and what follows from them: which questions apply, and what is missing.

use std::borrow::Cow;

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::definition::is_date;
use super::{Condition, Expected, Kind, Offer, Question, QuestionSet, path};
use crate::input::{FieldError, Input, unknown_field};
use crate::paper::Fact;
use crate::sentence::Sentence;
use crate::{characters, letters, moments, text};

/// Stored answers by key. Each records the type of the question it answered.
pub type Entry = Map<String, Value>;

/// New answers by question key; `None` removes an answer.
pub type GivenAnswers = Vec<(String, Option<Value>)>;

impl QuestionSet {
    /// Checks answers by key. Numbers and yes/no can be text, as sent by forms.
    pub fn check(&self, input: &Input, errors: &mut Vec<FieldError>) -> GivenAnswers {
        const PATH: &str = "questionnaire";
        let Input::Map(entries) = input else {
            errors.push(FieldError::new(PATH, "questionnaire.type", text!("The questionnaire must be an object.")));
            return Vec::new();
        };
        let mut given = Vec::new();
        for (name, input) in entries {
            match (name.as_str(), input) {
                ("answers", Input::Map(answers)) => {
                    given.extend(answers.iter().filter_map(|(key, input)| self.check_one(key, input, errors)));
                }
                ("answers", _) => {
                    let message = text!("The answers must be an object.");
                    errors.push(FieldError::new("questionnaire.answers", "questionnaire.answers.type", message));
                }
                // Sent along with the loaded answers; the current questions are used anyway.
                ("version", _) => {}
                _ => errors.push(unknown_field(&format!("{PATH}.{name}"), name)),
            }
        }
        given
    }

    fn check_one(&self, key: &str, input: &Input, errors: &mut Vec<FieldError>) -> Option<(String, Option<Value>)> {
        let path = path(key);
        let Some(question) = self.question(key) else {
            let message = text!("This question is no longer asked. Reload the page to see the current ones.");
            errors.push(FieldError::new(path.clone(), format!("{path}.unknown"), message));
            return None;
        };
        match question.kind.check(input) {
            Ok(value) => Some((question.key.clone(), value.map(|value| question.entry(value)))),
            Err((rule, message)) => {
                errors.push(FieldError::new(path.clone(), format!("{path}.{rule}"), message));
                None
            }
        }
    }

    pub fn question(&self, key: &str) -> Option<&Question> {
        self.questions.iter().find(|question| question.key == key)
    }

    /// Returns the questions that apply given these answers, with their answers.
    pub fn asked<'a>(&'a self, answers: &'a Entry) -> Vec<(&'a Question, Option<&'a Value>)> {
        let mut asked: Vec<(&Question, Option<&Value>)> = Vec::new();
        for question in &self.questions {
            let holds = |condition: &Condition| {
                let before = asked.iter().find(|(before, _)| before.key == condition.question);
                before.and_then(|(_, value)| *value).is_some_and(|value| condition.holds(value))
            };
            if question.only_if.as_ref().is_none_or(holds) {
                asked.push((question, question.answer(answers)));
            }
        }
        asked
    }

    /// Returns the questions that apply and their answers in human-readable form.
    pub fn in_words(&self, answers: &Entry) -> Vec<Fact> {
        let asked = self.asked(answers).into_iter();
        let words = asked.map(|(question, value)| {
            let words = match (&question.kind, value) {
                (Kind::File, _) => text!("Among the documents").spoken(),
                (_, None) => text!("Not answered").spoken(),
                (kind, Some(value)) => kind.words(value),
            };
            let is_free_text = matches!(question.kind, Kind::Text { .. } | Kind::LongText { .. }) && value.is_some();
            Fact { is_free_text, ..Fact::new(question.said().spoken(), words) }
        });
        words.collect()
    }

    /// Returns the required questions without an answer. Files are sent with the documents: `unsent` has the keys of
    /// questions whose file has not been sent.
    pub fn missing<'a>(&'a self, answers: &'a Entry, unsent: &'a [String]) -> impl Iterator<Item = &'a Question> {
        let is_open = |(question, value): &(&Question, Option<&Value>)| match question.kind {
            Kind::File => unsent.contains(&question.key),
            _ => value.is_none(),
        };
        let asked = self.asked(answers).into_iter().filter(|(question, _)| question.required);
        asked.filter(is_open).map(|(question, _)| question)
    }

    /// Returns the questions for a file that apply given these answers.
    pub fn files(&self, answers: &Entry) -> Vec<&Question> {
        let asked: Vec<&str> = self.asked(answers).into_iter().map(|(question, _)| question.key.as_str()).collect();
        let is_asked = |question: &&Question| asked.contains(&question.key.as_str());
        self.questions.iter().filter(|question| question.kind == Kind::File).filter(is_asked).collect()
    }
}

impl Question {
    /// Returns the stored form of an answer.
    fn entry(&self, value: Value) -> Value {
        json!({ "type": self.kind.name(), "value": value })
    }

    /// Returns the stored answer, if it was given to a question of this type and is still valid.
    pub fn answer<'a>(&self, answers: &'a Entry) -> Option<&'a Value> {
        let entry = answers.get(&self.key)?;
        let is_offered = |value: &Value, options: &[Offer]| options.iter().any(|option| value == option.value.as_str());
        let value = entry.get("value").filter(|_| entry.get("type").is_some_and(|kind| kind == self.kind.name()))?;
        match &self.kind {
            Kind::Choice { options } if !is_offered(value, options) => None,
            Kind::Several { options } if !value.as_array()?.iter().all(|value| is_offered(value, options)) => None,
            _ => Some(value),
        }
    }
}

impl Condition {
    fn holds(&self, value: &Value) -> bool {
        match &self.is {
            Expected::YesNo(yes) => value == yes,
            Expected::Option(option) => match value {
                Value::Array(chosen) => chosen.iter().any(|value| value == option.as_str()),
                value => value == option.as_str(),
            },
        }
    }
}

impl Kind {
    fn words(&self, value: &Value) -> Cow<'static, str> {
        match (self, value) {
            (Kind::Choice { options } | Kind::Several { options }, value) => {
                let is_chosen = |option: &&Offer| match value {
                    Value::Array(chosen) => chosen.iter().any(|value| value == option.value.as_str()),
                    value => value == option.value.as_str(),
                };
                let labels: Vec<Cow<'_, str>> =
                    options.iter().filter(is_chosen).map(|option| option.said().spoken()).collect();
                labels.join(", ").into()
            }
            (_, Value::Bool(true)) => text!("Yes").spoken(),
            (_, Value::Bool(false)) => text!("No").spoken(),
            (Kind::Date { .. }, Value::String(text)) => {
                text.parse::<Date>().map_or_else(|_| text.clone().into(), |date| moments::plain_date(date).spoken())
            }
            (_, Value::String(text)) => text.clone().into(),
            (_, value) => value.to_string().into(),
        }
    }
}

type Checked = Result<Option<Value>, (&'static str, Sentence)>;

fn refuse(rule: &'static str, message: Sentence) -> Checked {
    Err((rule, message))
}

impl Kind {
    /// Returns the value to store; `None` if left empty.
    fn check(&self, input: &Input) -> Checked {
        if matches!(input, Input::Null) || matches!(input, Input::Text(text) if text.trim().is_empty()) {
            return Ok(None);
        }
        match (self, input) {
            (Kind::Text { max_length }, Input::Text(text)) => check_text(text, *max_length, false),
            (Kind::LongText { max_length }, Input::Text(text)) => check_text(text, *max_length, true),
            (Kind::Text { .. } | Kind::LongText { .. }, _) => refuse("type", text!("Your answer must be text.")),
            (Kind::Choice { options }, Input::Text(text)) => match chosen(options, text) {
                Some(value) => Ok(Some(value.into())),
                None => refuse("unknown", text!("Choose one from the list.")),
            },
            (Kind::Choice { .. }, _) => refuse("type", text!("Choose one from the list.")),
            (Kind::Several { options }, Input::List(items)) => check_several(options, items),
            (Kind::Several { options }, one @ Input::Text(_)) => check_several(options, std::slice::from_ref(one)),
            (Kind::Several { .. }, _) => refuse("type", text!("Choose from the list.")),
            (Kind::Number { min, max }, Input::Whole(number)) => check_number(*number, *min, *max),
            (Kind::Number { min, max }, Input::Text(text)) => match text.trim().parse() {
                Ok(number) => check_number(number, *min, *max),
                Err(_) => refuse("type", text!("Enter a whole number, without a comma or a point.")),
            },
            (Kind::Number { .. }, _) => refuse("type", text!("Enter a whole number, without a comma or a point.")),
            (Kind::Date { earliest, latest }, Input::Text(text)) if is_date(text.trim()) => {
                let text = text.trim();
                if earliest.as_deref().is_some_and(|earliest| text < earliest) {
                    refuse(
                        "range",
                        text!("The date must not be before {date}.", date = earliest.as_deref().unwrap_or_default()),
                    )
                } else if latest.as_deref().is_some_and(|latest| text > latest) {
                    refuse(
                        "range",
                        text!("The date must not be after {date}.", date = latest.as_deref().unwrap_or_default()),
                    )
                } else {
                    Ok(Some(text.into()))
                }
            }
            (Kind::Date { .. }, _) => refuse("invalid", text!("Enter a date like 2026-05-31.")),
            (Kind::YesNo, Input::Bool(yes)) => Ok(Some((*yes).into())),
            (Kind::YesNo, Input::Text(text)) if text == "yes" || text == "no" => Ok(Some((text == "yes").into())),
            (Kind::YesNo, _) => refuse("type", text!("Answer yes or no.")),
            (Kind::File, _) => refuse("type", text!("Upload the file with your documents.")),
        }
    }
}

fn check_text(text: &str, longest: i64, has_lines: bool) -> Checked {
    let text = text.trim().replace("\r\n", "\n");
    if i64::try_from(text.chars().count()).is_ok_and(|length| length > longest) {
        refuse("too_long", text!("Your answer must be at most {longest} characters.", longest))
    } else if has_lines && text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        refuse("invalid", text!("Your answer contains characters that are not allowed."))
    } else if let Some(sentence) = match has_lines {
        true => letters::refused(text!("Your answer"), &text),
        false => characters::refused(text!("Your answer"), &text),
    } {
        refuse("invalid", sentence)
    } else {
        Ok(Some(text.into()))
    }
}

fn chosen<'a>(options: &'a [Offer], text: &str) -> Option<&'a str> {
    options.iter().map(|option| option.value.as_str()).find(|value| *value == text)
}

/// Returns the values in the order of the options, each once.
fn check_several(options: &[Offer], items: &[Input]) -> Checked {
    let known = |item: &Input| matches!(item, Input::Text(text) if text.is_empty() || chosen(options, text).is_some());
    if !items.iter().all(known) {
        return refuse("unknown", text!("Choose from the list."));
    }
    let is_chosen =
        |option: &&Offer| items.iter().any(|item| matches!(item, Input::Text(text) if *text == option.value));
    let values: Vec<&str> = options.iter().filter(is_chosen).map(|option| option.value.as_str()).collect();
    Ok((!values.is_empty()).then(|| values.into()))
}

fn check_number(number: i64, min: Option<i64>, max: Option<i64>) -> Checked {
    let message = match (min, max) {
        (Some(min), Some(max)) => text!("The number must be between {min} and {max}.", min, max),
        (Some(min), None) => text!("The number must be {min} or more.", min),
        (None, Some(max)) => text!("The number must be {max} or less.", max),
        (None, None) => return Ok(Some(number.into())),
    };
    let fits = min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
    if fits { Ok(Some(number.into())) } else { refuse("range", message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(questions: Value) -> QuestionSet {
        let definition = crate::questionnaire::parse(&Input::from(json!({ "questions": questions }))).unwrap();
        QuestionSet { version: 1, questions: definition.questions, ..QuestionSet::default() }
    }

    fn asked_set() -> QuestionSet {
        let options = json!([{"value": "full", "label": "Full time"}, {"value": "part", "label": "Part time"}]);
        set(json!([
            {"key": "name", "type": "text", "label": "Name", "maxLength": 5},
            {"key": "why", "type": "longText", "label": "Why?", "required": false},
            {"key": "mode", "type": "choice", "label": "Mode", "options": options},
            {"key": "days", "type": "several", "label": "Days", "options": options, "required": false},
            {"key": "hours", "type": "number", "label": "Hours", "min": 1, "max": 20,
                "onlyIf": {"question": "mode", "is": "part"}},
            {"key": "start", "type": "date", "label": "Start", "earliest": "2026-01-01", "required": false},
            {"key": "abroad", "type": "yesNo", "label": "Abroad?"},
            {"key": "proof", "type": "file", "label": "Proof", "onlyIf": {"question": "abroad", "is": true}},
        ]))
    }

    fn check(answers: Value) -> Result<Value, Vec<(String, String)>> {
        let mut errors = Vec::new();
        let given = asked_set().check(&Input::from(json!({ "answers": answers })), &mut errors);
        if errors.is_empty() {
            let values = given.into_iter().map(|(key, entry)| (key, entry.map_or(Value::Null, |e| e["value"].clone())));
            Ok(Value::Object(values.collect()))
        } else {
            Err(errors.into_iter().map(|error| (error.code, error.message.to_string())).collect())
        }
    }

    #[test]
    fn answers_come_as_json_or_as_a_form_has_them() {
        let stored = json!({
            "name": "Demo", "why": "One.\nTwo.", "mode": "part", "days": ["full", "part"], "hours": 12,
            "start": "2026-05-31", "abroad": false
        });
        assert_eq!(check(stored.clone()), Ok(stored));
        let form = json!({"why": "One.\r\nTwo. ", "days": ["", "part", "full"], "hours": " 12 ", "abroad": "no"});
        let read = json!({"why": "One.\nTwo.", "days": ["full", "part"], "hours": 12, "abroad": false});
        assert_eq!(check(form), Ok(read));
        let empty = json!({"name": " ", "days": "", "hours": "", "abroad": null, "mode": ""});
        let none = json!({"name": null, "days": null, "hours": null, "abroad": null, "mode": null});
        assert_eq!(check(empty), Ok(none));
        assert_eq!(check(json!({"days": "part"})), Ok(json!({"days": ["part"]})));
    }

    #[test]
    fn what_is_no_answer_is_told_beside_its_question() {
        for (answers, rule, message) in [
            (json!({"name": "Longer"}), "name.too_long", "Your answer must be at most 5 characters."),
            (
                json!({"name": "a\nb"}),
                "name.invalid",
                "Your answer contains characters that cannot be seen. Type it, instead of pasting it.",
            ),
            (
                json!({"name": "A\u{202e}b"}),
                "name.invalid",
                "Your answer contains characters that cannot be seen. Type it, instead of pasting it.",
            ),
            (json!({"name": 1}), "name.type", "Your answer must be text."),
            (json!({"mode": "half"}), "mode.unknown", "Choose one from the list."),
            (json!({"days": ["half"]}), "days.unknown", "Choose from the list."),
            (json!({"days": true}), "days.type", "Choose from the list."),
            (json!({"hours": 21}), "hours.range", "The number must be between 1 and 20."),
            (json!({"hours": "1.5"}), "hours.type", "Enter a whole number, without a comma or a point."),
            (json!({"hours": "1,5"}), "hours.type", "Enter a whole number, without a comma or a point."),
            (json!({"start": "2025-12-31"}), "start.range", "The date must not be before 2026-01-01."),
            (json!({"start": "31.5.2026"}), "start.invalid", "Enter a date like 2026-05-31."),
            (json!({"abroad": "perhaps"}), "abroad.type", "Answer yes or no."),
            (json!({"proof": "x.pdf"}), "proof.type", "Upload the file with your documents."),
            (
                json!({"older": "x"}),
                "older.unknown",
                "This question is no longer asked. Reload the page to see the current ones.",
            ),
        ] {
            let code = format!("questionnaire.answers.{rule}");
            assert_eq!(check(answers), Err(vec![(code, message.to_owned())]));
        }
        let mut errors = Vec::new();
        asked_set().check(&Input::from(json!({"answers": [], "userId": 1, "version": 9})), &mut errors);
        let codes: Vec<&str> = errors.iter().map(|error| error.code.as_str()).collect();
        assert_eq!(codes, ["questionnaire.answers.type", "field.unknown"]);
    }

    #[test]
    fn answers_read_as_words_under_their_questions() {
        let entry = |kind: &str, value: Value| json!({ "type": kind, "value": value });
        let answers = json!({
            "name": entry("text", json!("Demo")), "mode": entry("choice", json!("part")),
            "days": entry("several", json!(["full", "part"])), "hours": entry("number", json!(12)),
            "start": entry("date", json!("2026-05-31")), "abroad": entry("yesNo", json!(true)),
        });
        let entries: Entry = serde_json::from_value(answers).unwrap();
        let words: Vec<_> = asked_set().in_words(&entries).into_iter().map(|fact| fact.value).collect();
        let expected = [
            "Demo",
            "Not answered",
            "Part time",
            "Full time, Part time",
            "12",
            "May 31, 2026",
            "Yes",
            "Among the documents",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn what_is_asked_follows_from_the_answers_before() {
        let set = asked_set();
        let keys = |answers: Value| -> Vec<String> {
            let entries: Entry = serde_json::from_value(answers).unwrap();
            set.missing(&entries, &[]).map(|question| question.key.clone()).collect()
        };
        assert_eq!(keys(json!({})), ["name", "mode", "abroad"]);
        let part = json!({"mode": {"type": "choice", "value": "part"}});
        assert_eq!(keys(part), ["name", "hours", "abroad"]);
        // Of another type, or no longer on offer: not an answer.
        let changed = json!({"mode": {"type": "text", "value": "part"}, "abroad": {"type": "yesNo", "value": true}});
        assert_eq!(keys(changed), ["name", "mode"]);
        assert_eq!(keys(json!({"mode": {"type": "choice", "value": "half"}})), ["name", "mode", "abroad"]);
    }
}
