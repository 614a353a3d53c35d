//! Checking JSON bodies, reading posted forms and finding questions by path, all driven by the [table](super::table).

use serde_json::{Map, Value};

use super::sections::is_in;
use super::table::{After, Kind, MAX_CONTRIBUTION, Question, TABLE};
use crate::input::{FieldError, Input, unknown_field};
use crate::money::cents;
use crate::sentence::Sentence;
use crate::{characters, reference, text};

impl Question {
    /// Returns its key within its object.
    pub fn name(&self) -> &'static str {
        self.path.rsplit_once('.').map_or(self.path, |(_, name)| name)
    }
}

/// Iterates over all questions, in the order of the form.
pub(super) fn all() -> impl Iterator<Item = &'static Question> {
    TABLE.iter().flat_map(|(_, questions)| questions.iter())
}

/// Iterates over the objects in which answers are sent, such as `personalInfo`, each once, with its title.
fn objects() -> impl Iterator<Item = (&'static str, Sentence)> {
    let mut known = Vec::new();
    let of = |path: &'static str| path.split_once('.').map_or(path, |(object, _)| object);
    let named = TABLE.iter().flat_map(move |(section, questions)| {
        questions.iter().map(move |question| (of(question.path), section.title()))
    });
    named.filter(move |(object, _)| {
        let is_new = !known.contains(object);
        known.push(*object);
        is_new
    })
}

fn in_object(object: &str) -> impl Iterator<Item = &'static Question> + Clone {
    let questions: Vec<&'static Question> = all().filter(|question| is_in(question.path, object)).collect();
    questions.into_iter()
}

/// Returns the paths of questions that do not apply because the answer they depend on was not given.
pub(super) fn not_asked(is_given: impl Fn(&After) -> bool) -> Vec<&'static str> {
    let follow = all().filter(|question| question.after.as_ref().is_some_and(|after| !is_given(after)));
    follow.map(|question| question.path).collect()
}

/// Checks the given answers, and returns them in the stored structure without filling in defaults.
pub(super) fn check<'a>(entries: impl Iterator<Item = &'a (String, Input)>, errors: &mut Vec<FieldError>) -> Value {
    let mut checked = Map::new();
    for (name, input) in entries {
        match (objects().find(|(object, _)| object == name), input) {
            (None, _) => errors.push(unknown_field(name, name)),
            (Some((object, _)), Input::Map(entries)) => {
                checked.insert(name.clone(), group(in_object(object), object, entries.iter(), errors));
            }
            (Some((object, label)), _) => errors.push(no_object(object, label)),
        }
    }
    Value::Object(checked)
}

fn no_object(path: &str, label: Sentence) -> FieldError {
    FieldError::new(path, format!("{path}.type"), text!("{label} must be an object.", label))
}

fn group<'a>(
    questions: impl Iterator<Item = &'static Question> + Clone,
    path: &str,
    entries: impl Iterator<Item = &'a (String, Input)>,
    errors: &mut Vec<FieldError>,
) -> Value {
    let mut checked = Map::new();
    for (name, input) in entries {
        let path = format!("{path}.{name}");
        match questions.clone().find(|question| question.name() == name) {
            None => errors.push(unknown_field(&path, name)),
            Some(question) => {
                if let Some(value) = answer(question, &path, input, errors) {
                    checked.insert(name.clone(), value);
                }
            }
        }
    }
    Value::Object(checked)
}

fn answer(question: &'static Question, path: &str, input: &Input, errors: &mut Vec<FieldError>) -> Option<Value> {
    let label = &question.label;
    let mut fail = |code: &str, message: Sentence| {
        errors.push(FieldError::new(path, format!("{path}.{code}"), message));
        None
    };
    match (&question.kind, input) {
        (Kind::YesNo, Input::Bool(yes)) => Some(Value::Bool(*yes)),
        (Kind::YesNo, _) => fail("type", text!("Answer yes or no.")),

        (Kind::Country, Input::Text(code)) if reference::country(code).is_some() => Some(code.as_str().into()),
        (Kind::Country, Input::Text(_)) => fail("unknown", text!("Choose a country from the list.")),
        (Kind::Country, _) => fail("type", text!("Choose a country from the list.")),

        (Kind::State, Input::Null) => Some(Value::Null),
        (Kind::State, Input::Text(code)) if code.is_empty() => Some(Value::Null),
        (Kind::State, Input::Text(code)) if reference::US_STATES.contains(&code.as_str()) => Some(code.as_str().into()),
        (Kind::State, Input::Text(_)) => fail("unknown", text!("Choose a state from the list.")),
        (Kind::State, _) => fail("type", text!("Choose a state from the list.")),

        (Kind::Text { max }, Input::Text(text)) => {
            if text.chars().count() > *max {
                fail("too_long", text!("{label} must be at most {max} characters.", label, max))
            } else if let Some(sentence) = characters::refused(label.clone(), text) {
                fail("invalid", sentence)
            } else {
                Some(text.trim().into())
            }
        }
        (Kind::Text { .. }, _) => fail("type", text!("{label} must be text.", label)),

        (Kind::Whole { min, max }, Input::Whole(number)) => {
            if (min..=max).contains(&number) {
                Some((*number).into())
            } else {
                fail("range", text!("{label} must be between {min} and {max}.", label, min, max))
            }
        }
        (Kind::Whole { .. }, _) => fail("type", text!("{label} must be a whole number.", label)),

        (Kind::Money { code }, input) => {
            let (code, message) = match input {
                Input::Whole(cents) if (0..=MAX_CONTRIBUTION).contains(cents) => return Some((*cents).into()),
                Input::Whole(cents) if *cents < 0 => {
                    (format!("{code}.range"), text!("Contribution must be 0 or more."))
                }
                Input::Whole(_) => (format!("{code}.range"), text!("Contribution must be at most $1,000,000.")),
                Input::Text(_) => (format!("{code}.type"), text!("Enter an amount in dollars, such as 1,200.50.")),
                _ => (format!("{code}.type"), text!("Contribution must be a whole number of cents.")),
            };
            errors.push(FieldError::new(path, code, message));
            None
        }

        (Kind::One { of, .. }, Input::Text(value)) if of.iter().any(|choice| choice.value == value) => {
            Some(value.as_str().into())
        }
        (Kind::One { unknown, .. }, Input::Text(_)) => fail("unknown", unknown.clone()),
        (Kind::One { unknown, .. }, _) => fail("type", unknown.clone()),

        (Kind::Several { of, unknown, .. }, Input::List(items)) => {
            let mut values: Vec<&'static str> = Vec::new();
            for item in items {
                let known = match item {
                    Input::Text(value) => of.iter().find(|choice| choice.value == value),
                    _ => None,
                };
                match known {
                    None => return fail("unknown", unknown.clone()),
                    Some(choice) if !values.contains(&choice.value) => values.push(choice.value),
                    Some(_) => {}
                }
            }
            Some(values.into())
        }
        (Kind::Several { .. }, _) => fail("type", text!("{label} must be a list.", label)),

        (Kind::Group(parts) | Kind::AnyOf(parts), Input::Map(entries)) => {
            Some(group(parts.iter(), path, entries.iter(), errors))
        }
        (Kind::Group(_) | Kind::AnyOf(_), _) => {
            errors.push(no_object(path, label.clone()));
            None
        }

        (Kind::Repeated { of, max }, Input::List(items)) => {
            if items.len() > *max {
                return fail("too_many", text!("Add at most {max} previous employers.", max));
            }
            let mut checked = Vec::new();
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}.{index}");
                match item {
                    Input::Map(entries) => checked.push(group(of.iter(), &path, entries.iter(), errors)),
                    _ => errors.push(no_object(&path, label.clone())),
                }
            }
            Some(checked.into())
        }
        (Kind::Repeated { .. }, _) => fail("type", text!("{label} must be a list.", label)),
    }
}

/// Converts a posted form to the structure of a JSON body. Form fields are named by answer paths, with an index for
/// list items; a value that cannot be parsed stays text, so that the check can report it. Fields that the form hides
/// because of another answer are posted anyway, but ignored: nobody should have to correct a field they cannot see.
pub fn from_form(fields: &[(String, String)]) -> Input {
    let values = |path: &str| -> Vec<&str> {
        fields.iter().filter(|(name, _)| name == path).map(|(_, value)| value.as_str()).collect()
    };
    // A question that is missing from the form hides nothing.
    let hidden = not_asked(|after| match after {
        After::Yes(path) => values(path).last().is_none_or(|value| *value == "yes"),
        After::Chosen(path, choice) => {
            let chosen = values(path);
            chosen.is_empty() || chosen.contains(choice)
        }
    });
    let shown = |name: &str| !hidden.iter().any(|path| is_in(name, path));
    let fields: Vec<(String, String)> = fields.iter().filter(|(name, _)| shown(name)).cloned().collect();
    let mut entries: Vec<(String, Input)> = objects()
        .map(|(object, _)| (object.to_owned(), form_group(in_object(object), object, &fields)))
        .filter(|(_, entries)| !entries.is_empty())
        .map(|(object, entries)| (object, Input::Map(entries)))
        .collect();
    let answers = questionnaire_from_form(&fields);
    if !answers.is_empty() {
        entries.push(("questionnaire".into(), Input::Map(vec![("answers".into(), Input::Map(answers))])));
    }
    Input::Map(entries)
}

/// Reads answers to the program's questions, as text, or as a list if several boxes are ticked. An empty value beside
/// them shows that the question was on the page.
fn questionnaire_from_form(fields: &[(String, String)]) -> Vec<(String, Input)> {
    let mut answers: Vec<(String, Input)> = Vec::new();
    for (name, value) in fields {
        let Some(key) = name.strip_prefix("questionnaire.answers.") else { continue };
        let value = Input::Text(value.clone());
        match answers.iter_mut().find(|(known, _)| known == key) {
            None => answers.push((key.to_owned(), value)),
            Some((_, first)) if *first == Input::Text(String::new()) => *first = value,
            Some((_, Input::List(items))) => items.push(value),
            Some((_, first)) => *first = Input::List(vec![first.clone(), value]),
        }
    }
    answers
}

fn form_group(
    questions: impl Iterator<Item = &'static Question>,
    path: &str,
    fields: &[(String, String)],
) -> Vec<(String, Input)> {
    let answers = questions.filter_map(|question| {
        let name = question.name();
        Some((name.to_owned(), form_answer(question, &format!("{path}.{name}"), fields)?))
    });
    answers.collect()
}

fn form_answer(question: &'static Question, path: &str, fields: &[(String, String)]) -> Option<Input> {
    let text = || fields.iter().rev().find(|(name, _)| name == path).map(|(_, value)| value.as_str());
    match &question.kind {
        Kind::YesNo => Some(match text()? {
            "yes" => Input::Bool(true),
            "no" => Input::Bool(false),
            other => Input::Text(other.into()),
        }),
        Kind::Whole { .. } => {
            let typed = text()?.trim();
            let number = if typed.is_empty() { Some(0) } else { typed.parse().ok() };
            Some(number.map_or_else(|| Input::Text(typed.into()), Input::Whole))
        }
        Kind::Money { .. } => {
            let typed = text()?;
            Some(cents(typed).map_or_else(|| Input::Text(typed.into()), Input::Whole))
        }
        // Unticked boxes are not posted; the hidden empty value beside them shows that the list was on the page.
        Kind::Several { .. } => {
            let mut values = fields.iter().filter(|(name, _)| name == path).map(|(_, value)| value).peekable();
            values.peek()?;
            Some(Input::List(values.filter(|value| !value.is_empty()).map(|v| Input::Text(v.clone())).collect()))
        }
        Kind::Group(parts) | Kind::AnyOf(parts) => {
            let entries = form_group(parts.iter(), path, fields);
            (!entries.is_empty()).then_some(Input::Map(entries))
        }
        Kind::Repeated { of, max } => {
            let items: Vec<Input> = (0..=*max)
                .map(|index| form_group(of.iter(), &format!("{path}.{index}"), fields))
                .filter(|entries| !entries.is_empty())
                .map(Input::Map)
                .collect();
            let on_page = !items.is_empty() || text().is_some();
            on_page.then_some(Input::List(items))
        }
        Kind::Country | Kind::State | Kind::Text { .. } | Kind::One { .. } => Some(Input::Text(text()?.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_form_hides_is_not_taken_from_it() {
        let fields = [
            ("employment.isCurrentlyEmployed", "no"),
            ("employment.currentEmployer.hoursPerWeek", "many"),
            ("financialPlan.selectedPayments", ""),
            ("financialPlan.selfPayContribution.upFrontContribution", "plenty"),
            ("education.country", "DE"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let Input::Map(entries) = from_form(&fields) else { unreachable!("a form is a map") };
        assert_eq!(
            entries,
            [
                ("education".into(), Input::Map(vec![("country".into(), Input::Text("DE".into()))])),
                ("employment".into(), Input::Map(vec![("isCurrentlyEmployed".into(), Input::Bool(false))])),
                ("financialPlan".into(), Input::Map(vec![("selectedPayments".into(), Input::List(Vec::new()))])),
            ]
        );
    }
}
