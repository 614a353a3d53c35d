//! Answers in human-readable form.

use std::borrow::Cow;

use serde_json::Value;

use super::answers::Answers;
use super::sections::Section;
use super::table::{Kind, Question};
use crate::money::dollars;
use crate::paper::Fact;
use crate::reference;
use crate::text;

/// Answers, to be shown section by section.
pub struct InWords<'a> {
    answers: &'a Answers,
    hidden: Vec<&'static str>,
}

impl<'a> InWords<'a> {
    pub fn of(answers: &'a Answers) -> InWords<'a> {
        InWords { answers, hidden: answers.hidden() }
    }

    /// Returns the questions of a section that apply to this applicant, with their answers. Does not cover the
    /// questions that staff write.
    pub fn section(&self, section: Section) -> Vec<Fact> {
        let asked = section.questions().iter().filter(|question| !self.hidden.contains(&question.path));
        let mut facts = Vec::new();
        for question in asked {
            let value = self.answers.given(question.path);
            match question.kind {
                Kind::Group(parts) => {
                    for part in parts {
                        let name = format!("{}: {}", question.label.spoken(), lower_first(&part.label.spoken()));
                        tell(part, name.into(), value.and_then(|value| value.get(part.path)), &mut facts);
                    }
                }
                Kind::AnyOf(parts) => {
                    for part in parts {
                        tell(part, part.label.spoken(), value.and_then(|value| value.get(part.path)), &mut facts);
                    }
                }
                _ => tell(question, question.label.spoken(), value, &mut facts),
            }
        }
        facts
    }
}

fn tell(question: &Question, name: Cow<'static, str>, value: Option<&Value>, facts: &mut Vec<Fact>) {
    match (&question.kind, value) {
        (Kind::Repeated { of, .. }, Some(Value::Array(items))) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                let parts = of.iter().filter_map(|part| item.get(part.path).map(|value| (part, value)));
                let words: Vec<Cow<'static, str>> = parts
                    .map(|(part, value)| match part.kind {
                        Kind::Whole { .. } => {
                            format!("{}: {}", lower_first(&part.label.spoken()), words(part, value)).into()
                        }
                        _ => words(part, value),
                    })
                    .filter(|words| !words.is_empty())
                    .collect();
                let is_free_text = of.iter().any(|part| matches!(part.kind, Kind::Text { .. }));
                facts.push(Fact { is_free_text, ..Fact::new(format!("{} {}", name, index + 1), words.join(", ")) });
            }
        }
        (_, Some(value)) => {
            let words = words(question, value);
            let is_free_text = matches!(question.kind, Kind::Text { .. }) && !words.is_empty();
            let words = if words.is_empty() { text!("None").spoken() } else { words };
            facts.push(Fact { is_free_text, ..Fact::new(name, words) });
        }
        (_, None) => facts.push(Fact::new(name, text!("Not answered").spoken())),
    }
}

/// Lowers the first letter of a label such as `Hours per week`, for use within a line. Names and abbreviations stay as
/// they are.
fn lower_first(label: &str) -> String {
    let mut letters = label.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(std::iter::once(second)).chain(letters).collect()
        }
        _ => label.to_owned(),
    }
}

fn words(question: &Question, value: &Value) -> Cow<'static, str> {
    let choice = |of: &[super::Choice], value: &str| {
        let chosen = of.iter().find(|choice| choice.value == value);
        chosen.map_or_else(|| value.to_owned().into(), |choice| choice.label.spoken())
    };
    match (&question.kind, value) {
        (Kind::YesNo, Value::Bool(true)) => text!("Yes").spoken(),
        (Kind::YesNo, Value::Bool(false)) => text!("No").spoken(),
        (Kind::Country, Value::String(code)) => {
            reference::country(code).map_or_else(|| code.clone().into(), |country| country.label().spoken())
        }
        (Kind::State, Value::String(code)) => {
            reference::us_state_name(code).map_or_else(|| code.clone().into(), Cow::from)
        }
        (Kind::State, Value::Null) => text!("Outside the United States").spoken(),
        (Kind::Money { .. }, Value::Number(cents)) => dollars(cents.as_i64().unwrap_or_default()).into(),
        (Kind::One { of, .. }, Value::String(value)) => choice(of, value),
        (Kind::Several { of, .. }, Value::Array(values)) => {
            values.iter().filter_map(Value::as_str).map(|value| choice(of, value)).collect::<Vec<_>>().join(", ").into()
        }
        (_, Value::String(text)) => text.clone().into(),
        (_, Value::Number(number)) => number.to_string().into(),
        _ => Cow::default(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn words_of(section: Section, answers: &Value) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
        let answers = Answers::from_stored(answers.to_string()).unwrap();
        InWords::of(&answers).section(section).into_iter().map(|fact| (fact.name, fact.value)).collect()
    }

    #[test]
    fn answers_are_told_as_people_say_them() {
        let answers = json!({
            "personalInfo": {"isUSCitizen": true, "state": "TX"},
            "education": {"hasBachelors": true, "country": "DE", "hasMasters": false, "mastersCountry": "US"},
            "employment": {
                "isSeeingCoachingClients": false, "isCurrentlyEmployed": true,
                "currentEmployer": {"name": "Demo Company", "jobTitle": "Coach", "hoursPerWeek": 40, "yearsInRole": "<1"},
                "hasPreviousEmployment": true,
                "previousEmployers": [{"name": "Older", "jobTitle": "Clerk", "hoursPerWeek": 8, "yearsInRole": ">10"}],
            },
            "financialPlan": {
                "selectedPayments": ["gi_bill", "self_pay"],
                "selfPayContribution": {"upFrontContribution": 123_456_750, "monthlyPaymentContribution": 20_000},
            },
            "creditTransfer": {"selectedPrograms": []},
        });
        let fact = |name: &'static str, value: &'static str| (name.into(), value.into());
        assert_eq!(words_of(Section::AboutYou, &answers), [fact("US citizen", "Yes"), fact("State", "Texas")]);
        assert_eq!(
            words_of(Section::Education, &answers),
            [
                fact("Bachelor’s degree", "Yes"),
                fact("Country of the bachelor’s degree", "Germany"),
                fact("Master’s degree", "No"),
            ],
            "what is not asked is not told"
        );
        let employment = words_of(Section::Employment, &answers);
        assert!(employment.contains(&fact("Current employer: hours per week", "40")), "{employment:?}");
        assert!(
            employment.contains(&fact("Previous employers 1", "Older, Clerk, hours per week: 8, More than 10 years")),
            "{employment:?}"
        );
        assert_eq!(
            words_of(Section::FinancialPlan, &answers),
            [
                fact("Ways to pay", "GI Bill, Self-pay"),
                fact("Up-front contribution", "$1,234,567.50"),
                fact("Monthly contribution", "$200"),
            ]
        );
        assert_eq!(words_of(Section::CreditTransfer, &answers), [fact("Transfer programs", "None")]);
        assert_eq!(words_of(Section::Military, &answers)[0], fact("Military affiliation", "Not answered"));
        assert_eq!(
            words_of(Section::AboutYou, &json!({"personalInfo": {"state": null}}))[1],
            fact("State", "Outside the United States")
        );
    }
}
