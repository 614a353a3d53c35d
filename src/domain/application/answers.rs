//! The answers as they are stored: only what was given. Defaults are filled in when they are read, so that a
//! question nobody has answered is known to be unanswered.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{ApplicationData, questions};
use crate::domain::input::{FieldError, Input};
use crate::domain::program::Program;

/// Stored answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers(Value);

/// A checked change of the answers.
#[derive(Debug, Clone)]
pub struct AnswerChange {
    pub program: Program,
    /// The applicant has agreed to move an application of the other program to this one.
    pub switch_program: bool,
    given: Value,
}

impl Default for Answers {
    fn default() -> Self {
        Self(Value::Object(Map::new()))
    }
}

impl Answers {
    /// The answers of a stored text.
    ///
    /// # Errors
    /// The text is no JSON object.
    pub fn from_stored(text: &str) -> Result<Answers, serde_json::Error> {
        serde_json::from_str::<Map<String, Value>>(text).map(|map| Answers(Value::Object(map)))
    }

    pub fn to_stored(&self) -> String {
        self.0.to_string()
    }

    /// With the defaults filled in.
    pub fn data(&self) -> ApplicationData {
        ApplicationData::deserialize_lenient(&self.0)
    }

    /// The answers after `change`: given ones replace, lists as a whole, others stay. Answers to questions that are
    /// no longer asked are dropped.
    pub fn with(&self, change: &AnswerChange) -> Answers {
        let mut value = self.0.clone();
        merge(&mut value, &change.given);
        let mut answers = Answers(value);
        answers.drop_hidden();
        answers
    }

    /// What was given under a path in dots; nothing where the default stands.
    pub(super) fn given(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(&self.0, |value, name| value.get(name))
    }

    /// The paths of what is not asked: each is asked only after a certain other answer.
    pub(super) fn hidden(&self) -> Vec<&'static str> {
        let yes = |path: &str, default: bool| self.given(path).and_then(Value::as_bool).unwrap_or(default);
        let ApplicationData { education, employment, .. } = ApplicationData::default();
        let payments = self.given("financialPlan.selectedPayments").and_then(Value::as_array);
        let asked = [
            ("education.country", yes("education.hasBachelors", education.has_bachelors)),
            ("education.mastersCountry", yes("education.hasMasters", education.has_masters)),
            ("employment.currentEmployer", yes("employment.isCurrentlyEmployed", employment.is_currently_employed)),
            (
                "employment.previousEmployers",
                yes("employment.hasPreviousEmployment", employment.has_previous_employment),
            ),
            ("financialPlan.selfPayContribution", payments.is_some_and(|all| all.iter().any(|one| one == "self_pay"))),
        ];
        asked.into_iter().filter(|(_, asked)| !asked).map(|(path, _)| path).collect()
    }

    /// What is asked only after a certain other answer is kept only with that answer.
    fn drop_hidden(&mut self) {
        for path in self.hidden() {
            if let Some((section, name)) = path.split_once('.')
                && let Some(section) = self.0.get_mut(section).and_then(Value::as_object_mut)
            {
                section.shift_remove(name);
            }
        }
    }
}

impl ApplicationData {
    /// Stored answers were checked when they came in; what a later version no longer understands reads as its default
    /// rather than making the whole application unreadable.
    fn deserialize_lenient(value: &Value) -> ApplicationData {
        ApplicationData::deserialize(value).unwrap_or_else(|_| ApplicationData {
            personal_info: section(value, "personalInfo"),
            education: section(value, "education"),
            employment: section(value, "employment"),
            financial_plan: section(value, "financialPlan"),
            credit_transfer: section(value, "creditTransfer"),
        })
    }
}

fn section<'a, T: Deserialize<'a> + Default>(value: &'a Value, name: &str) -> T {
    value.get(name).and_then(|section| T::deserialize(section).ok()).unwrap_or_default()
}

impl AnswerChange {
    /// Checks the body of a save. A draft may be incomplete; what is given must be valid.
    ///
    /// # Errors
    /// One error for each bad field.
    pub fn parse(input: &Input) -> Result<AnswerChange, Vec<FieldError>> {
        let entries = input.entries()?;
        let mut errors = Vec::new();
        let program = program_of(entries).map_err(|error| errors.push(error)).ok();
        let switch_program = match Input::get(entries, "switchProgram") {
            None => false,
            Some(Input::Bool(switch)) => *switch,
            Some(_) => {
                errors.push(FieldError::new("switchProgram", "switchProgram.type", "Answer yes or no."));
                false
            }
        };
        let answers = entries.iter().filter(|(name, _)| name != "applicationType" && name != "switchProgram");
        let given = questions::check(answers, &mut errors);
        match program {
            Some(program) if errors.is_empty() => Ok(AnswerChange { program, switch_program, given }),
            _ => Err(errors),
        }
    }

    /// Whether anything was answered at all.
    pub fn is_empty(&self) -> bool {
        self.given.as_object().is_none_or(Map::is_empty)
    }
}

/// The program that `applicationType` names.
///
/// # Errors
/// `applicationType.required`, `applicationType.unknown`.
pub fn program_of(entries: &[(String, Input)]) -> Result<Program, FieldError> {
    let error =
        |rule: &str, message: &str| Err(FieldError::new("applicationType", format!("applicationType.{rule}"), message));
    match Input::get(entries, "applicationType") {
        None => error("required", "Application type is required."),
        Some(Input::Text(text)) => match Program::of_application_type(text) {
            Some(program) => Ok(program),
            None => error("unknown", "Application type must be ba or msc."),
        },
        Some(_) => error("unknown", "Application type must be ba or msc."),
    }
}

/// Puts `given` over `stored`, maps entry by entry, everything else as a whole.
fn merge(stored: &mut Value, given: &Value) {
    match (stored, given) {
        (Value::Object(stored), Value::Object(given)) => {
            for (name, value) in given {
                merge(stored.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (stored, given) => *stored = given.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[(&str, Input)]) -> Input {
        Input::Map(entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    }

    fn text(value: &str) -> Input {
        Input::Text(value.into())
    }

    fn save(section: &str, entries: &[(&str, Input)]) -> Result<AnswerChange, Vec<FieldError>> {
        AnswerChange::parse(&map(&[("applicationType", text("ba")), (section, map(entries))]))
    }

    fn error_of(section: &str, name: &str, value: Input) -> (String, String) {
        let error = save(section, &[(name, value)]).unwrap_err().remove(0);
        (error.code, error.message)
    }

    #[test]
    fn defaults_are_the_specified_ones() {
        let data = serde_json::to_value(Answers::default().data()).unwrap();
        let employer = serde_json::json!({"name": "", "jobTitle": "", "hoursPerWeek": 0, "yearsInRole": "<1"});
        assert_eq!(
            data,
            serde_json::json!({
                "personalInfo": {
                    "isUSCitizen": true, "isMilitaryAffiliated": false, "isDoDEmployee": false, "state": null
                },
                "education": {"hasBachelors": true, "country": "US", "hasMasters": false, "mastersCountry": "US"},
                "employment": {
                    "isSeeingCoachingClients": false, "isCurrentlyEmployed": true, "currentEmployer": employer,
                    "hasPreviousEmployment": false, "previousEmployers": []
                },
                "financialPlan": {
                    "selectedPayments": [],
                    "selfPayContribution": {"upFrontContribution": 0, "monthlyPaymentContribution": 0}
                },
                "creditTransfer": {"selectedPrograms": []}
            })
        );
    }

    #[test]
    fn a_change_keeps_what_it_does_not_name() {
        let first = save("personalInfo", &[("state", text("TX")), ("isDoDEmployee", Input::Bool(true))]).unwrap();
        let second = save("personalInfo", &[("state", Input::Null)]).unwrap();
        let data = Answers::default().with(&first).with(&second).data();
        assert_eq!(data.personal_info.state, None);
        assert!(data.personal_info.is_dod_employee);
    }

    #[test]
    fn hidden_answers_are_not_kept() {
        let masters = save("education", &[("hasMasters", Input::Bool(true)), ("mastersCountry", text("DE"))]).unwrap();
        let answers = Answers::default().with(&masters);
        assert_eq!(answers.data().education.masters_country, "DE");
        let none = save("education", &[("hasMasters", Input::Bool(false)), ("mastersCountry", text("FR"))]).unwrap();
        assert_eq!(answers.with(&none).to_stored(), r#"{"education":{"hasMasters":false}}"#);
    }

    #[test]
    fn each_kind_has_its_errors() {
        let list = |items: &[&str]| Input::List(items.iter().map(|item| text(item)).collect());
        let employer = |name: &str, value: Input| map(&[(name, value)]);
        for (section, name, value, code, message) in [
            ("personalInfo", "isUSCitizen", text("yes"), "personalInfo.isUSCitizen.type", "Answer yes or no."),
            ("personalInfo", "isUSCitizen", Input::Null, "personalInfo.isUSCitizen.type", "Answer yes or no."),
            ("personalInfo", "state", text("ZZ"), "personalInfo.state.unknown", "Choose a state from the list."),
            ("education", "country", text("XX"), "education.country.unknown", "Choose a country from the list."),
            (
                "employment",
                "currentEmployer",
                employer("hoursPerWeek", Input::Whole(-1)),
                "employment.currentEmployer.hoursPerWeek.range",
                "Hours per week must be between 0 and 168.",
            ),
            (
                "employment",
                "currentEmployer",
                employer("hoursPerWeek", Input::OtherNumber),
                "employment.currentEmployer.hoursPerWeek.type",
                "Hours per week must be a whole number.",
            ),
            (
                "employment",
                "currentEmployer",
                employer("__proto__", map(&[("isAdmin", Input::Bool(true))])),
                "field.unknown",
                "Unknown field: __proto__.",
            ),
            (
                "employment",
                "previousEmployers",
                Input::List(vec![map(&[]); 21]),
                "employment.previousEmployers.too_many",
                "Add at most 20 previous employers.",
            ),
            (
                "financialPlan",
                "selectedPayments",
                list(&["bitcoin"]),
                "financialPlan.selectedPayments.unknown",
                "Choose a payment plan from the list.",
            ),
            (
                "financialPlan",
                "selfPayContribution",
                map(&[("upFrontContribution", Input::Whole(-5))]),
                "financialPlan.upFrontContribution.range",
                "Contribution must be 0 or more.",
            ),
            (
                "creditTransfer",
                "selectedPrograms",
                map(&[]),
                "creditTransfer.selectedPrograms.type",
                "Transfer programs must be a list.",
            ),
        ] {
            assert_eq!(error_of(section, name, value), (code.to_owned(), message.to_owned()));
        }
    }

    #[test]
    fn unknown_fields_and_a_missing_type_are_errors() {
        let codes = |input: &Input| -> Vec<String> {
            AnswerChange::parse(input).unwrap_err().into_iter().map(|error| error.code).collect()
        };
        assert_eq!(codes(&map(&[])), ["applicationType.required"]);
        assert_eq!(codes(&map(&[("applicationType", text("ba")), ("userId", text("1"))])), ["field.unknown"]);
        assert_eq!(codes(&map(&[("applicationType", text("phd"))])), ["applicationType.unknown"]);
    }

    #[test]
    fn a_posted_form_gives_the_same_change_as_json() {
        let fields = [
            ("personalInfo.isUSCitizen", "no"),
            ("employment.hasPreviousEmployment", "yes"),
            ("employment.previousEmployers.0.name", "Demo Works"),
            ("employment.previousEmployers.0.hoursPerWeek", "12"),
            ("employment.previousEmployers.2.name", "Sample Shop"),
            ("financialPlan.selectedPayments", ""),
            ("financialPlan.selectedPayments", "self_pay"),
            ("financialPlan.selfPayContribution.upFrontContribution", "$1,200.50"),
            ("creditTransfer.selectedPrograms", ""),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let Input::Map(mut entries) = questions::from_form(&fields) else { unreachable!("a form is a map") };
        entries.push(("applicationType".into(), text("msc")));
        let data = Answers::default().with(&AnswerChange::parse(&Input::Map(entries)).unwrap()).data();
        assert!(!data.personal_info.is_us_citizen);
        assert_eq!(data.employment.previous_employers.len(), 2);
        assert_eq!(data.employment.previous_employers[0].hours_per_week, 12);
        assert_eq!(data.financial_plan.self_pay_contribution.up_front_contribution, 120_050);
        assert_eq!(data.financial_plan.selected_payments, ["self_pay"]);
        assert!(data.credit_transfer.selected_programs.is_empty());
    }
}
