//! The sections of the application form: the questions of each, its progress, and what is still missing.
//!
//! A question counts as answered only if the applicant answered it. A default in the form is nobody's answer, and we
//! must not tell an institute that someone is a citizen because they left a box unchanged.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answers::Answers;
use super::table::{Kind, Question, TABLE};
use crate::input::FieldError;
use crate::questionnaire::{self, Entry, QuestionSet};
use crate::sentence::Sentence;
use crate::text;

/// A section of the form, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(rename = "SectionId")]
#[serde(rename_all = "kebab-case")]
pub enum Section {
    AboutYou,
    Military,
    Education,
    Employment,
    FinancialPlan,
    CreditTransfer,
    Questions,
}

/// Progress of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "kebab-case")]
pub enum SectionState {
    /// No question is answered.
    NotStarted,
    InProgress,
    /// Every question that applies is answered.
    Complete,
}

/// Progress of each section, by its slug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "kebab-case")]
pub struct SectionStates {
    pub about_you: SectionState,
    pub military: SectionState,
    pub education: SectionState,
    pub employment: SectionState,
    pub financial_plan: SectionState,
    pub credit_transfer: SectionState,
    /// Progress of the program's own questions, as of the last save.
    pub questions: SectionState,
}

impl SectionStates {
    pub fn of(answers: &Answers) -> SectionStates {
        let hidden = answers.hidden();
        let state = |section: Section| section.state_with(answers, &hidden);
        SectionStates {
            about_you: state(Section::AboutYou),
            military: state(Section::Military),
            education: state(Section::Education),
            employment: state(Section::Employment),
            financial_plan: state(Section::FinancialPlan),
            credit_transfer: state(Section::CreditTransfer),
            questions: answers.questionnaire_state(),
        }
    }
}

/// An unanswered question that applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Dotted path of the question: `employment.previousEmployers.0.name`.
    pub path: String,
    pub section: Section,
    /// Tells the applicant what to do, in plain words.
    pub sentence: Sentence,
    /// Where it is dealt with, if not in its section.
    pub elsewhere: Option<MissingOn>,
}

/// A page other than a section on which something is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MissingOn {
    /// The documents: the file for the question with this key.
    Documents(String),
    References,
}

/// What applicants still have to do on other pages than the sections.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Elsewhere {
    /// Keys of the questions whose file has not been sent.
    pub unsent: Vec<String>,
    /// How many referees are still to be named.
    pub referees: i64,
}

impl Section {
    pub const ALL: [Section; 7] = [
        Section::AboutYou,
        Section::Military,
        Section::Education,
        Section::Employment,
        Section::FinancialPlan,
        Section::CreditTransfer,
        Section::Questions,
    ];

    /// Returns its path segment: `about-you`.
    pub fn slug(self) -> &'static str {
        match self {
            Section::AboutYou => "about-you",
            Section::Military => "military",
            Section::Education => "education",
            Section::Employment => "employment",
            Section::FinancialPlan => "financial-plan",
            Section::CreditTransfer => "credit-transfer",
            Section::Questions => "questions",
        }
    }

    pub fn parse(slug: &str) -> Option<Section> {
        Section::ALL.into_iter().find(|section| section.slug() == slug)
    }

    pub fn title(self) -> Sentence {
        match self {
            Section::AboutYou => text!("About you"),
            Section::Military => text!("Military and DoD"),
            Section::Education => text!("Education"),
            Section::Employment => text!("Employment"),
            Section::FinancialPlan => text!("Financial plan"),
            Section::CreditTransfer => text!("Credit transfer"),
            Section::Questions => text!("Questions of this program"),
        }
    }

    /// Returns the section after it.
    pub fn next(self) -> Option<Section> {
        let at = Section::ALL.iter().position(|section| *section == self)?;
        Section::ALL.get(at + 1).copied()
    }

    /// Returns its questions from the [table](super::table).
    pub fn questions(self) -> &'static [Question] {
        TABLE.iter().find(|(section, _)| *section == self).map_or(&[], |(_, questions)| questions)
    }

    /// Returns the progress of a program's questions, given the answers to them.
    pub(super) fn questionnaire_state(set: &QuestionSet, answers: &Entry) -> SectionState {
        state_of(!answers.is_empty(), set.missing(answers, &[]).next().is_none())
    }

    fn state_with(self, answers: &Answers, hidden: &[&str]) -> SectionState {
        let mut missing = Vec::new();
        let started = self.look(answers, hidden, &mut missing);
        state_of(started, missing.is_empty())
    }

    /// Collects what is missing and returns whether anything is answered. `hidden` has the paths of questions that do
    /// not apply.
    fn look(self, answers: &Answers, hidden: &[&str], missing: &mut Vec<Missing>) -> bool {
        let mut started = false;
        let mut ask = |question: &Question, path: String, value: Option<&Value>, n: Option<usize>| {
            if value.is_some_and(|value| question.is_answered(value)) {
                return true;
            }
            missing.extend(question.missing.clone().map(|sentence| {
                let sentence = if let Some(n) = n { sentence.with("n", n) } else { sentence };
                Missing::new(self, path, sentence)
            }));
            false
        };
        for question in self.questions().iter().filter(|question| !hidden.contains(&question.path)) {
            let path = question.path;
            let value = answers.given(path);
            match question.kind {
                Kind::Group(parts) => {
                    for part in parts {
                        let value = value.and_then(|value| value.get(part.path));
                        started |= ask(part, format!("{path}.{}", part.path), value, None);
                    }
                }
                // An error needs a field to stand beside, and the group has none of its own.
                Kind::AnyOf(parts) => {
                    let first = parts.first().map_or(path, |part| part.path);
                    started |= ask(question, format!("{path}.{first}"), value, None);
                }
                Kind::Repeated { of, .. } => {
                    started |= ask(question, path.to_owned(), value, None);
                    let items = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                    for (index, item) in items.iter().enumerate() {
                        for part in of {
                            let path = format!("{path}.{index}.{}", part.path);
                            ask(part, path, item.get(part.path), Some(index + 1));
                        }
                    }
                }
                _ => started |= ask(question, path.to_owned(), value, None),
            }
        }
        started
    }
}

impl Question {
    /// Whether a stored value counts as an answer.
    fn is_answered(&self, value: &Value) -> bool {
        let is_more_than_nothing = |value: &Value| value.as_i64().is_some_and(|number| number > 0);
        match self.kind {
            Kind::YesNo | Kind::Country | Kind::One { .. } => !value.is_null(),
            Kind::State => true,
            Kind::Text { .. } => value.as_str().is_some_and(|text| !text.trim().is_empty()),
            // A job has at least one hour, and an untouched field holds 0.
            Kind::Whole { .. } | Kind::Money { .. } => is_more_than_nothing(value),
            Kind::Several { or_none: true, .. } => value.is_array(),
            Kind::Several { .. } | Kind::Repeated { .. } => value.as_array().is_some_and(|list| !list.is_empty()),
            Kind::Group(parts) => {
                parts.iter().all(|part| value.get(part.path).is_some_and(|value| part.is_answered(value)))
            }
            // Paying everything up front, or everything monthly, leaves the other amount empty.
            Kind::AnyOf(parts) => {
                parts.iter().any(|part| value.get(part.path).is_some_and(|value| part.is_answered(value)))
            }
        }
    }
}

fn state_of(started: bool, is_complete: bool) -> SectionState {
    match (started, is_complete) {
        (_, true) => SectionState::Complete,
        (true, false) => SectionState::InProgress,
        (false, false) => SectionState::NotStarted,
    }
}

/// Returns everything that is missing, in the order of the form, including the program's questions. If empty, the
/// application can be submitted.
pub fn missing(answers: &Answers, set: &QuestionSet, elsewhere: &Elsewhere) -> Vec<Missing> {
    let hidden = answers.hidden();
    let mut missing = Vec::new();
    for section in Section::ALL {
        section.look(answers, &hidden, &mut missing);
    }
    let none = Entry::new();
    missing.extend(set.missing(answers.questionnaire().unwrap_or(&none), &elsewhere.unsent).map(|question| {
        let sentence = match question.kind {
            questionnaire::Kind::File => {
                text!("Send a file for “{label}” on your documents page.", label = question.said())
            }
            _ => text!("Answer the question “{label}”.", label = question.said()),
        };
        let file = question.kind == questionnaire::Kind::File;
        let elsewhere = file.then(|| MissingOn::Documents(question.key.clone()));
        Missing { elsewhere, ..Missing::new(Section::Questions, questionnaire::path(&question.key), sentence) }
    }));
    if elsewhere.referees > 0 {
        let sentence = match elsewhere.referees {
            1 => text!("Name a referee on your references page."),
            count => text!("Name {count} referees on your references page.", count),
        };
        let elsewhere = Some(MissingOn::References);
        missing.push(Missing { elsewhere, ..Missing::new(Section::Questions, "references", sentence) });
    }
    missing
}

/// Whether `path` is `whole` or below it.
pub(super) fn is_in(path: &str, whole: &str) -> bool {
    path.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl Missing {
    fn new(section: Section, path: impl Into<String>, sentence: Sentence) -> Missing {
        Missing { path: path.into(), section, sentence, elsewhere: None }
    }
}

impl From<Missing> for FieldError {
    fn from(missing: Missing) -> FieldError {
        let code = format!("{}.required", missing.path);
        FieldError::new(missing.path, code, missing.sentence)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::application::ApplicationData;

    fn answers(value: &Value) -> Answers {
        Answers::from_stored(value.to_string()).unwrap()
    }

    /// Answers every question that applies to this applicant, as briefly as possible.
    fn complete() -> Value {
        json!({
            "personalInfo": {
                "isUSCitizen": false, "isMilitaryAffiliated": false, "isDoDEmployee": false, "state": null
            },
            "education": {"hasBachelors": false, "hasMasters": false},
            "employment": {
                "isSeeingCoachingClients": false, "isCurrentlyEmployed": false, "hasPreviousEmployment": false
            },
            "financialPlan": {"selectedPayments": ["employer"]},
            "creditTransfer": {"selectedPrograms": []},
        })
    }

    /// The complete answers with some of them replaced.
    fn with(changes: &[(&str, Value)]) -> Answers {
        let mut value = complete();
        for (path, change) in changes {
            let (section, name) = path.split_once('.').unwrap();
            value[section][name] = change.clone();
        }
        answers(&value)
    }

    fn missing_paths(answers: &Answers) -> Vec<String> {
        missing(answers, &QuestionSet::default(), &Elsewhere::default())
            .into_iter()
            .map(|missing| missing.path)
            .collect()
    }

    #[test]
    fn nothing_is_answered_by_its_default() {
        let empty = Answers::default();
        for section in Section::ALL {
            // There are no additional questions.
            let state = if section == Section::Questions { "complete" } else { "not-started" };
            assert_eq!(json!(SectionStates::of(&empty))[section.slug()], state, "{section:?}");
        }
        // Questions hidden by a default do not apply yet.
        assert_eq!(
            missing_paths(&empty),
            [
                "personalInfo.isUSCitizen",
                "personalInfo.state",
                "personalInfo.isMilitaryAffiliated",
                "personalInfo.isDoDEmployee",
                "education.hasBachelors",
                "education.country",
                "education.hasMasters",
                "employment.isSeeingCoachingClients",
                "employment.isCurrentlyEmployed",
                "employment.currentEmployer.name",
                "employment.currentEmployer.jobTitle",
                "employment.currentEmployer.hoursPerWeek",
                "employment.currentEmployer.yearsInRole",
                "employment.hasPreviousEmployment",
                "financialPlan.selectedPayments",
                "creditTransfer.selectedPrograms",
            ]
        );
    }

    #[test]
    fn the_shortest_complete_answers() {
        let complete = with(&[]);
        assert_eq!(missing(&complete, &QuestionSet::default(), &Elsewhere::default()), []);
        let states = json!(SectionStates::of(&complete));
        for section in Section::ALL {
            assert_eq!(states[section.slug()], "complete", "{section:?}");
        }
    }

    #[test]
    fn each_question_is_missed_and_says_what_to_do() {
        let employer = json!({"name": "Demo Works", "jobTitle": "Coach", "hoursPerWeek": 40, "yearsInRole": "<1"});
        let without = |name: &str, value: Value| {
            let mut employer = employer.clone();
            employer[name] = value;
            employer
        };
        let employed = |employer: Value| {
            vec![("employment.isCurrentlyEmployed", json!(true)), ("employment.currentEmployer", employer)]
        };
        let before = |employers: Value| {
            vec![("employment.hasPreviousEmployment", json!(true)), ("employment.previousEmployers", employers)]
        };
        let self_pay = |contribution: Value| {
            vec![
                ("financialPlan.selectedPayments", json!(["gi_bill", "self_pay"])),
                ("financialPlan.selfPayContribution", contribution),
            ]
        };
        let up_front = "financialPlan.selfPayContribution.upFrontContribution";
        let citizen = ("personalInfo.isUSCitizen", json!(true));
        for (changes, path) in [
            (vec![("personalInfo.isUSCitizen", json!(null))], "personalInfo.isUSCitizen"),
            (vec![citizen.clone(), ("personalInfo.state", json!("TX"))], ""),
            (vec![citizen, ("personalInfo.state", json!(null))], ""),
            (vec![("education.hasBachelors", json!(true))], "education.country"),
            (vec![("education.hasBachelors", json!(true)), ("education.country", json!("DE"))], ""),
            (vec![("education.hasMasters", json!(true))], "education.mastersCountry"),
            (employed(employer.clone()), ""),
            (employed(without("name", json!(" "))), "employment.currentEmployer.name"),
            (employed(without("jobTitle", json!(""))), "employment.currentEmployer.jobTitle"),
            (employed(without("hoursPerWeek", json!(0))), "employment.currentEmployer.hoursPerWeek"),
            (employed(without("yearsInRole", json!(null))), "employment.currentEmployer.yearsInRole"),
            (before(json!([])), "employment.previousEmployers"),
            (before(json!([employer])), ""),
            (
                before(
                    json!([employer, without("hoursPerWeek", json!(0)), {"name": "Sample Shop", "hoursPerWeek": 1}]),
                ),
                "employment.previousEmployers.1.hoursPerWeek employment.previousEmployers.2.jobTitle \
                 employment.previousEmployers.2.yearsInRole",
            ),
            (vec![("financialPlan.selectedPayments", json!([]))], "financialPlan.selectedPayments"),
            (self_pay(json!({})), up_front),
            (self_pay(json!({"upFrontContribution": 0, "monthlyPaymentContribution": 0})), up_front),
            (self_pay(json!({"monthlyPaymentContribution": 5_000})), ""),
            (self_pay(json!({"upFrontContribution": 100_000, "monthlyPaymentContribution": 0})), ""),
            (vec![("creditTransfer.selectedPrograms", json!(null))], "creditTransfer.selectedPrograms"),
        ] {
            let answers = with(&changes);
            assert_eq!(missing_paths(&answers).join(" "), path, "{changes:?}");
            for missing in missing(&answers, &QuestionSet::default(), &Elsewhere::default()) {
                let starts_well = ["Say ", "Enter ", "Choose ", "Add "]
                    .iter()
                    .any(|word| missing.sentence.to_string().starts_with(word));
                assert!(
                    starts_well
                        && missing.sentence.to_string().ends_with('.')
                        && !missing.sentence.to_string().contains('{'),
                    "{missing:?}"
                );
            }
        }
        let second = missing(&with(&before(json!([employer, {}]))), &QuestionSet::default(), &Elsewhere::default());
        assert_eq!(second[0].sentence, "Enter the name of previous employer 2.");
    }

    #[test]
    fn what_is_no_longer_asked_is_not_missing() {
        // As an older version may have stored it: hidden, but not dropped.
        let answers = with(&[("employment.currentEmployer", json!({"name": ""})), ("personalInfo.state", json!(null))]);
        assert_eq!(missing(&answers, &QuestionSet::default(), &Elsewhere::default()), []);
    }

    #[test]
    fn a_section_is_in_progress_between() {
        for (stored, section, state) in [
            (json!({"personalInfo": {"isDoDEmployee": false}}), Section::Military, SectionState::InProgress),
            (json!({"personalInfo": {"isDoDEmployee": false}}), Section::AboutYou, SectionState::NotStarted),
            (json!({"personalInfo": {"isUSCitizen": true}}), Section::AboutYou, SectionState::InProgress),
            (json!({"personalInfo": {"isUSCitizen": false, "state": null}}), Section::AboutYou, SectionState::Complete),
            (json!({"employment": {}}), Section::Employment, SectionState::NotStarted),
            (
                json!({"employment": {"currentEmployer": {"name": "", "hoursPerWeek": 0}}}),
                Section::Employment,
                SectionState::NotStarted,
            ),
            (json!({"employment": {"currentEmployer": {"name": "A"}}}), Section::Employment, SectionState::InProgress),
            (json!({"financialPlan": {"selectedPayments": []}}), Section::FinancialPlan, SectionState::NotStarted),
            (
                json!({"financialPlan": {"selectedPayments": ["self_pay"]}}),
                Section::FinancialPlan,
                SectionState::InProgress,
            ),
        ] {
            assert_eq!(
                section.state_with(&answers(&stored), &answers(&stored).hidden()),
                state,
                "{stored} {section:?}"
            );
        }
    }

    #[test]
    fn a_missing_answer_is_an_error_of_its_field() {
        let answers = with(&[("employment.hasPreviousEmployment", json!(true))]);
        let error = FieldError::from(missing(&answers, &QuestionSet::default(), &Elsewhere::default()).remove(0));
        let (code, message) = ("employment.previousEmployers.required", "Add at least one previous employer.");
        assert_eq!(error, FieldError::new("employment.previousEmployers", code, message));
    }

    #[test]
    fn every_answer_belongs_to_one_section() {
        fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
            match value {
                Value::Object(map) => {
                    for (name, value) in map {
                        leaves(value, &if path.is_empty() { name.clone() } else { format!("{path}.{name}") }, found);
                    }
                }
                _ => found.push(path.to_owned()),
            }
        }
        let mut found = Vec::new();
        leaves(&serde_json::to_value(ApplicationData::default()).unwrap(), "", &mut found);
        assert_eq!(found.len(), 21);
        for path in found.into_iter().filter(|path| path != "questionnaire.version") {
            let of = |section: &Section| section.questions().iter().any(|known| is_in(&path, known.path));
            assert_eq!(Section::ALL.iter().filter(|section| of(section)).count(), 1, "{path}");
        }
    }

    #[test]
    fn slugs_are_read_back() {
        for section in Section::ALL {
            assert_eq!(Section::parse(section.slug()), Some(section));
            assert_eq!(json!(section), json!(section.slug()));
        }
        assert_eq!(Section::parse("declaration"), None);
        let in_order = std::iter::successors(Some(Section::AboutYou), |section| section.next());
        assert!(in_order.eq(Section::ALL));
    }
}
