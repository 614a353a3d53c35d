//! The table of questions: path, kind and limits of every answer. Checking a JSON body, reading a posted form and
//! naming an answer to a person all walk this one table.

use super::answers::not_asked;
use super::sections::is_in;
use crate::domain::characters;
use crate::domain::input::{FieldError, Input, unknown_field};
use crate::domain::money::cents;
use crate::domain::reference;
use crate::domain::sentence::Sentence;
use crate::text;
use serde::Serialize;
use serde_json::{Map, Value};

/// One entry of a closed list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Choice {
    pub value: &'static str,
    pub label: Sentence,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub hint: Option<Sentence>,
}

const fn choice(value: &'static str, label: Sentence) -> Choice {
    Choice { value, label, hint: None }
}

const fn hinted(value: &'static str, label: Sentence, hint: Sentence) -> Choice {
    Choice { value, label, hint: Some(hint) }
}

/// Ways to pay, `financialPlan.selectedPayments`.
pub static PAYMENTS: [Choice; 5] = [
    hinted(
        "tuition_assistance",
        text!("Tuition assistance"),
        text!("From your branch of service or the DoD; approved later is fine."),
    ),
    hinted("gi_bill", text!("GI Bill"), text!("Post-9/11, Montgomery or transferred benefits.")),
    hinted("employer", text!("Employer"), text!("Your employer pays all or part.")),
    hinted("scholarship", text!("Scholarship"), text!("A scholarship or grant from any source.")),
    hinted("self_pay", text!("Self-pay"), text!("An amount up front and monthly payments.")),
];

/// Where credits may come from, `creditTransfer.selectedPrograms`.
pub static TRANSFER_PROGRAMS: [Choice; 7] = [
    hinted("college", text!("Courses at another college"), text!("Accredited courses you passed.")),
    hinted("jst", text!("Joint Services Transcript"), text!("Army, Navy, Marine Corps and Coast Guard.")),
    hinted("ccaf", text!("Community College of the Air Force"), text!("Air Force and Space Force.")),
    hinted("ace", text!("Training recommended by ACE"), text!("Courses and certificates with ACE credit.")),
    hinted("clep", text!("CLEP exams"), text!("College-Level Examination Program.")),
    hinted("dsst", text!("DSST exams"), text!("Formerly DANTES.")),
    hinted("coach_training", text!("Coach training"), text!("An accredited coach-training program.")),
];

/// `yearsInRole`.
pub static YEARS_IN_ROLE: [Choice; 5] = [
    choice("<1", text!("Less than 1 year")),
    choice("1-2", text!("1 to 2 years")),
    choice("3-5", text!("3 to 5 years")),
    choice("6-10", text!("6 to 10 years")),
    choice(">10", text!("More than 10 years")),
];

/// Most previous employers.
pub const MAX_PREVIOUS_EMPLOYERS: usize = 20;
/// Most cents of a contribution: a million dollars.
const MAX_CONTRIBUTION: i64 = 100_000_000;

/// What one answer accepts.
pub(super) enum Kind {
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
        unknown: Sentence,
    },
    Several {
        of: &'static [Choice],
        unknown: Sentence,
    },
    Group(&'static [Question]),
    Repeated {
        of: &'static [Question],
        max: usize,
    },
}

/// A question, or a group of them.
pub(super) struct Question {
    /// The key in its group.
    pub name: &'static str,
    /// What it is called where it stands without its question.
    pub label: Sentence,
    pub kind: Kind,
}

const fn question(name: &'static str, label: Sentence, kind: Kind) -> Question {
    Question { name, label, kind }
}

static EMPLOYER: [Question; 4] = [
    question("name", text!("Employer name"), Kind::Text { max: 200 }),
    question("jobTitle", text!("Job title"), Kind::Text { max: 200 }),
    question("hoursPerWeek", text!("Hours per week"), Kind::Whole { min: 0, max: 168 }),
    question(
        "yearsInRole",
        text!("Years in role"),
        Kind::One { of: &YEARS_IN_ROLE, unknown: text!("Choose the years in the role from the list.") },
    ),
];

static CREDIT_TRANSFER: [Question; 1] = [question(
    "selectedPrograms",
    text!("Transfer programs"),
    Kind::Several { of: &TRANSFER_PROGRAMS, unknown: text!("Choose a transfer program from the list.") },
)];

static SELF_PAY: [Question; 2] = [
    question(
        "upFrontContribution",
        text!("Up-front contribution"),
        Kind::Money { code: "financialPlan.upFrontContribution" },
    ),
    question(
        "monthlyPaymentContribution",
        text!("Monthly contribution"),
        Kind::Money { code: "financialPlan.monthlyPaymentContribution" },
    ),
];

static FINANCIAL_PLAN: [Question; 2] = [
    question(
        "selectedPayments",
        text!("Payment plans"),
        Kind::Several { of: &PAYMENTS, unknown: text!("Choose a payment plan from the list.") },
    ),
    question("selfPayContribution", text!("Self-pay contribution"), Kind::Group(&SELF_PAY)),
];

static EMPLOYMENT: [Question; 5] = [
    question("isSeeingCoachingClients", text!("Seeing coaching clients"), Kind::YesNo),
    question("isCurrentlyEmployed", text!("Currently employed"), Kind::YesNo),
    question("currentEmployer", text!("Current employer"), Kind::Group(&EMPLOYER)),
    question("hasPreviousEmployment", text!("Previous employment"), Kind::YesNo),
    question(
        "previousEmployers",
        text!("Previous employers"),
        Kind::Repeated { of: &EMPLOYER, max: MAX_PREVIOUS_EMPLOYERS },
    ),
];

static EDUCATION: [Question; 4] = [
    question("hasBachelors", text!("Bachelor’s degree"), Kind::YesNo),
    question("country", text!("Country of the bachelor’s degree"), Kind::Country),
    question("hasMasters", text!("Master’s degree"), Kind::YesNo),
    question("mastersCountry", text!("Country of the master’s degree"), Kind::Country),
];

static PERSONAL_INFO: [Question; 4] = [
    question("isUSCitizen", text!("US citizen"), Kind::YesNo),
    question("isMilitaryAffiliated", text!("Military affiliation"), Kind::YesNo),
    question("isDoDEmployee", text!("DoD employee"), Kind::YesNo),
    question("state", text!("State"), Kind::State),
];

pub(super) static ROOT: [Question; 5] = [
    question("personalInfo", text!("About you"), Kind::Group(&PERSONAL_INFO)),
    question("education", text!("Education"), Kind::Group(&EDUCATION)),
    question("employment", text!("Employment"), Kind::Group(&EMPLOYMENT)),
    question("financialPlan", text!("Financial plan"), Kind::Group(&FINANCIAL_PLAN)),
    question("creditTransfer", text!("Credit transfer"), Kind::Group(&CREDIT_TRANSFER)),
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

        (Kind::Several { of, unknown }, Input::List(items)) => {
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

        (Kind::Group(questions), Input::Map(entries)) => Some(group(questions, path, entries.iter(), errors)),
        (Kind::Group(_), _) => fail("type", text!("{label} must be an object.", label)),

        (Kind::Repeated { of, max }, Input::List(items)) => {
            if items.len() > *max {
                return fail("too_many", text!("Add at most {max} previous employers.", max));
            }
            let mut checked = Vec::new();
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}.{index}");
                match item {
                    Input::Map(entries) => checked.push(group(of, &path, entries.iter(), errors)),
                    _ => {
                        let message = text!("{label} must be an object.", label);
                        errors.push(FieldError::new(&path, format!("{path}.type"), message));
                    }
                }
            }
            Some(checked.into())
        }
        (Kind::Repeated { .. }, _) => fail("type", text!("{label} must be a list.", label)),
    }
}

/// A posted form as the same tree that a JSON body gives. Form fields are named by the answers' paths, list items by
/// their index; what cannot be read as its kind stays text, so that the check can say so. Fields that the form itself
/// hides behind another answer are on it all the same, and nobody who cannot see them should have to mend them.
pub fn from_form(fields: &[(String, String)]) -> Input {
    const PAYMENTS: &str = "financialPlan.selectedPayments";
    // A question that is not on the form hides nothing.
    let said =
        |path: &str| Some(fields.iter().rev().find(|(name, _)| name == path).is_none_or(|(_, value)| value == "yes"));
    let payments: Vec<&str> =
        fields.iter().filter(|(name, _)| name == PAYMENTS).map(|(_, value)| value.as_str()).collect();
    let pays_themselves = payments.is_empty() || payments.contains(&"self_pay");
    let hidden = not_asked(said, pays_themselves);
    let shown = |name: &str| !hidden.iter().any(|path| is_in(name, path));
    let fields: Vec<(String, String)> = fields.iter().filter(|(name, _)| shown(name)).cloned().collect();
    let mut entries = form_group(&ROOT, "", &fields);
    let answers = questionnaire_from_form(&fields);
    if !answers.is_empty() {
        entries.push(("questionnaire".into(), Input::Map(vec![("answers".into(), Input::Map(answers))])));
    }
    Input::Map(entries)
}

/// Answers to the questions of the program, as text; where several boxes are ticked, as a list. An empty one beside them
/// says that the question was on the page.
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
