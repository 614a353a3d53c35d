//! The table of questions: path, kind and limits of every answer. Checking a JSON body, reading a posted form and
//! naming an answer to a person all walk this one table.

use crate::domain::input::{FieldError, Input, unknown_field};
use crate::domain::reference;
use serde::Serialize;
use serde_json::{Map, Value};

/// One entry of a closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Choice {
    pub value: &'static str,
    pub label: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
}

const fn choice(value: &'static str, label: &'static str) -> Choice {
    Choice { value, label, hint: None }
}

const fn hinted(value: &'static str, label: &'static str, hint: &'static str) -> Choice {
    Choice { value, label, hint: Some(hint) }
}

/// Ways to pay, `financialPlan.selectedPayments`.
pub const PAYMENTS: [Choice; 5] = [
    hinted(
        "tuition_assistance",
        "Tuition assistance",
        "From your branch of service or the DoD; approved later is fine.",
    ),
    hinted("gi_bill", "GI Bill", "Post-9/11, Montgomery or transferred benefits."),
    hinted("employer", "Employer", "Your employer pays all or part."),
    hinted("scholarship", "Scholarship", "A scholarship or grant from anyone."),
    hinted("self_pay", "Self-pay", "An amount up front and monthly payments."),
];

/// Where credits may come from, `creditTransfer.selectedPrograms`.
pub const TRANSFER_PROGRAMS: [Choice; 7] = [
    hinted("college", "Courses at another college", "Accredited courses you passed."),
    hinted("jst", "Joint Services Transcript", "Army, Navy, Marine Corps and Coast Guard."),
    hinted("ccaf", "Community College of the Air Force", "Air Force and Space Force."),
    hinted("ace", "Training recommended by ACE", "Courses and certificates with ACE credit."),
    hinted("clep", "CLEP exams", "College-Level Examination Program."),
    hinted("dsst", "DSST exams", "Formerly DANTES."),
    hinted("coach_training", "Coach training", "An accredited coach-training program."),
];

/// `yearsInRole`.
pub const YEARS_IN_ROLE: [Choice; 5] = [
    choice("<1", "Less than 1 year"),
    choice("1-2", "1 to 2 years"),
    choice("3-5", "3 to 5 years"),
    choice("6-10", "6 to 10 years"),
    choice(">10", "More than 10 years"),
];

/// Most previous employers.
pub const MAX_PREVIOUS_EMPLOYERS: usize = 20;
/// Most cents of a contribution: a million dollars.
const MAX_CONTRIBUTION: i64 = 100_000_000;

/// What one answer accepts.
enum Kind {
    YesNo,
    Country,
    State,
    Text {
        max: usize,
    },
    Whole {
        min: i64,
        max: i64,
    },
    /// Whole cents.
    Money {
        code: &'static str,
    },
    One {
        of: &'static [Choice],
        unknown: &'static str,
    },
    Several {
        of: &'static [Choice],
        unknown: &'static str,
    },
    Group(&'static [Question]),
    Repeated {
        of: &'static [Question],
        max: usize,
    },
}

/// A question, or a group of them.
struct Question {
    /// The key in its group.
    name: &'static str,
    /// How error sentences call it.
    label: &'static str,
    kind: Kind,
}

const fn question(name: &'static str, label: &'static str, kind: Kind) -> Question {
    Question { name, label, kind }
}

static EMPLOYER: [Question; 4] = [
    question("name", "Employer name", Kind::Text { max: 200 }),
    question("jobTitle", "Job title", Kind::Text { max: 200 }),
    question("hoursPerWeek", "Hours per week", Kind::Whole { min: 0, max: 168 }),
    question(
        "yearsInRole",
        "Years in role",
        Kind::One { of: &YEARS_IN_ROLE, unknown: "Choose the years in the role from the list." },
    ),
];

static ROOT: [Question; 5] = [
    question(
        "personalInfo",
        "About you",
        Kind::Group(&[
            question("isUSCitizen", "US citizen", Kind::YesNo),
            question("isMilitaryAffiliated", "Military affiliation", Kind::YesNo),
            question("isDoDEmployee", "DoD employee", Kind::YesNo),
            question("state", "State", Kind::State),
        ]),
    ),
    question(
        "education",
        "Education",
        Kind::Group(&[
            question("hasBachelors", "Bachelor’s degree", Kind::YesNo),
            question("country", "Country of the bachelor’s degree", Kind::Country),
            question("hasMasters", "Master’s degree", Kind::YesNo),
            question("mastersCountry", "Country of the master’s degree", Kind::Country),
        ]),
    ),
    question(
        "employment",
        "Employment",
        Kind::Group(&[
            question("isSeeingCoachingClients", "Seeing coaching clients", Kind::YesNo),
            question("isCurrentlyEmployed", "Currently employed", Kind::YesNo),
            question("currentEmployer", "Current employer", Kind::Group(&EMPLOYER)),
            question("hasPreviousEmployment", "Previous employment", Kind::YesNo),
            question(
                "previousEmployers",
                "Previous employers",
                Kind::Repeated { of: &EMPLOYER, max: MAX_PREVIOUS_EMPLOYERS },
            ),
        ]),
    ),
    question(
        "financialPlan",
        "Financial plan",
        Kind::Group(&[
            question(
                "selectedPayments",
                "Payment plans",
                Kind::Several { of: &PAYMENTS, unknown: "Choose a payment plan from the list." },
            ),
            question(
                "selfPayContribution",
                "Self-pay contribution",
                Kind::Group(&[
                    question(
                        "upFrontContribution",
                        "Up-front contribution",
                        Kind::Money { code: "financialPlan.upFrontContribution" },
                    ),
                    question(
                        "monthlyPaymentContribution",
                        "Monthly contribution",
                        Kind::Money { code: "financialPlan.monthlyPaymentContribution" },
                    ),
                ]),
            ),
        ]),
    ),
    question(
        "creditTransfer",
        "Credit transfer",
        Kind::Group(&[question(
            "selectedPrograms",
            "Transfer programs",
            Kind::Several { of: &TRANSFER_PROGRAMS, unknown: "Choose a transfer program from the list." },
        )]),
    ),
];

/// The given answers, checked: only what was given, in the shape they are stored in.
pub(super) fn check<'a>(entries: impl Iterator<Item = &'a (String, Input)>, errors: &mut Vec<FieldError>) -> Value {
    group(&ROOT, "", entries, errors)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn group<'a>(
    questions: &[Question],
    path: &str,
    entries: impl Iterator<Item = &'a (String, Input)>,
    errors: &mut Vec<FieldError>,
) -> Value {
    let mut checked = Map::new();
    for (name, input) in entries {
        let path = join(path, name);
        match questions.iter().find(|question| question.name == name) {
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

fn answer(question: &Question, path: &str, input: &Input, errors: &mut Vec<FieldError>) -> Option<Value> {
    let label = question.label;
    let mut fail = |code: &str, message: String| {
        errors.push(FieldError::new(path, format!("{path}.{code}"), message));
        None
    };
    match (&question.kind, input) {
        (Kind::YesNo, Input::Bool(yes)) => Some(Value::Bool(*yes)),
        (Kind::YesNo, _) => fail("type", "Answer yes or no.".into()),

        (Kind::Country, Input::Text(code)) if reference::country(code).is_some() => Some(code.as_str().into()),
        (Kind::Country, Input::Text(_)) => fail("unknown", "Choose a country from the list.".into()),
        (Kind::Country, _) => fail("type", "Choose a country from the list.".into()),

        (Kind::State, Input::Null) => Some(Value::Null),
        (Kind::State, Input::Text(code)) if code.is_empty() => Some(Value::Null),
        (Kind::State, Input::Text(code)) if reference::US_STATES.contains(&code.as_str()) => Some(code.as_str().into()),
        (Kind::State, Input::Text(_)) => fail("unknown", "Choose a state from the list.".into()),
        (Kind::State, _) => fail("type", "Choose a state from the list.".into()),

        (Kind::Text { max }, Input::Text(text)) => {
            if text.chars().count() > *max {
                fail("too_long", format!("{label} must be at most {max} characters."))
            } else if text.chars().any(char::is_control) {
                fail("invalid", format!("{label} contains characters that are not allowed."))
            } else {
                Some(text.trim().into())
            }
        }
        (Kind::Text { .. }, _) => fail("type", format!("{label} must be text.")),

        (Kind::Whole { min, max }, Input::Whole(number)) => {
            if (min..=max).contains(&number) {
                Some((*number).into())
            } else {
                fail("range", format!("{label} must be between {min} and {max}."))
            }
        }
        (Kind::Whole { .. }, _) => fail("type", format!("{label} must be a whole number.")),

        (Kind::Money { code }, input) => {
            let (code, message) = match input {
                Input::Whole(cents) if (0..=MAX_CONTRIBUTION).contains(cents) => return Some((*cents).into()),
                Input::Whole(cents) if *cents < 0 => (format!("{code}.range"), "Contribution must be 0 or more."),
                Input::Whole(_) => (format!("{code}.range"), "Contribution must be at most $1,000,000."),
                Input::Text(_) => (format!("{code}.type"), "Enter an amount in dollars, such as 1,200.50."),
                _ => (format!("{code}.type"), "Contribution must be a whole number of cents."),
            };
            errors.push(FieldError::new(path, code, message));
            None
        }

        (Kind::One { of, .. }, Input::Text(value)) if of.iter().any(|choice| choice.value == value) => {
            Some(value.as_str().into())
        }
        (Kind::One { unknown, .. }, Input::Text(_)) => fail("unknown", (*unknown).into()),
        (Kind::One { unknown, .. }, _) => fail("type", (*unknown).into()),

        (Kind::Several { of, unknown }, Input::List(items)) => {
            let mut values: Vec<&'static str> = Vec::new();
            for item in items {
                let known = match item {
                    Input::Text(value) => of.iter().find(|choice| choice.value == value),
                    _ => None,
                };
                match known {
                    None => return fail("unknown", (*unknown).into()),
                    Some(choice) if !values.contains(&choice.value) => values.push(choice.value),
                    Some(_) => {}
                }
            }
            Some(values.into())
        }
        (Kind::Several { .. }, _) => fail("type", format!("{label} must be a list.")),

        (Kind::Group(questions), Input::Map(entries)) => Some(group(questions, path, entries.iter(), errors)),
        (Kind::Group(_), _) => fail("type", format!("{label} must be an object.")),

        (Kind::Repeated { of, max }, Input::List(items)) => {
            if items.len() > *max {
                return fail("too_many", format!("Add at most {max} {}.", label.to_lowercase()));
            }
            let mut checked = Vec::new();
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}.{index}");
                match item {
                    Input::Map(entries) => checked.push(group(of, &path, entries.iter(), errors)),
                    _ => {
                        let message = format!("Each of {} must be an object.", label.to_lowercase());
                        errors.push(FieldError::new(&path, format!("{path}.type"), message));
                    }
                }
            }
            Some(checked.into())
        }
        (Kind::Repeated { .. }, _) => fail("type", format!("{label} must be a list.")),
    }
}

/// A posted form as the same tree that a JSON body gives. Form fields are named by the answers' paths, list items by
/// their index; what cannot be read as its kind stays text, so that the check can say so.
pub fn from_form(fields: &[(String, String)]) -> Input {
    Input::Map(form_group(&ROOT, "", fields))
}

fn form_group(questions: &[Question], path: &str, fields: &[(String, String)]) -> Vec<(String, Input)> {
    let mut entries = Vec::new();
    for question in questions {
        let path = join(path, question.name);
        if let Some(input) = form_answer(question, &path, fields) {
            entries.push((question.name.to_owned(), input));
        }
    }
    entries
}

fn form_answer(question: &Question, path: &str, fields: &[(String, String)]) -> Option<Input> {
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
        // An unticked box is not posted; the hidden empty value beside the boxes says that the list was on the page.
        Kind::Several { .. } => {
            let mut values = fields.iter().filter(|(name, _)| name == path).map(|(_, value)| value).peekable();
            values.peek()?;
            Some(Input::List(values.filter(|value| !value.is_empty()).map(|v| Input::Text(v.clone())).collect()))
        }
        Kind::Group(questions) => {
            let entries = form_group(questions, path, fields);
            (!entries.is_empty()).then_some(Input::Map(entries))
        }
        Kind::Repeated { of, max } => {
            let items: Vec<Input> = (0..=*max)
                .map(|index| form_group(of, &format!("{path}.{index}"), fields))
                .filter(|entries| !entries.is_empty())
                .map(Input::Map)
                .collect();
            let on_page = !items.is_empty() || text().is_some();
            on_page.then_some(Input::List(items))
        }
        Kind::Country | Kind::State | Kind::Text { .. } | Kind::One { .. } => Some(Input::Text(text()?.into())),
    }
}

/// Cents of an amount as people type it: `1200`, `$1,200.50`, `1 200`. Empty is nothing.
pub fn cents(typed: &str) -> Option<i64> {
    let text: String = typed.chars().filter(|c| !matches!(c, ' ' | '$' | ',' | '\u{a0}')).collect();
    if text.is_empty() {
        return Some(0);
    }
    let (sign, text) = text.strip_prefix('-').map_or((1, text.as_str()), |rest| (-1, rest));
    let (dollars, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !digits(dollars) || !digits(fraction) || fraction.len() > 2 || (dollars.is_empty() && fraction.is_empty()) {
        return None;
    }
    let dollars: i64 = if dollars.is_empty() { 0 } else { dollars.parse().ok()? };
    let fraction: i64 = format!("{fraction:0<2}").parse().ok()?;
    dollars.checked_mul(100)?.checked_add(fraction)?.checked_mul(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_people_type_them() {
        for (typed, expected) in [
            ("", Some(0)),
            ("1200", Some(120_000)),
            ("$1,200.50", Some(120_050)),
            ("1 200.5", Some(120_050)),
            (".5", Some(50)),
            ("-5", Some(-500)),
            ("1.234", None),
            ("12a", None),
            (".", None),
            ("1e5", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(cents(typed), expected, "{typed:?}");
        }
    }
}
