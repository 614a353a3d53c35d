//! Answers as stored: only those that were given. Defaults are filled in on reading, so that unanswered questions
//! remain recognisable.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::sections::{Section, SectionState, is_in};
use super::table::After;
use super::{ApplicationData, QuestionnaireAnswers, questions};
use crate::body::yes_or_no;
use crate::input::{FieldError, Input};
use crate::paper::Fact;
use crate::program::{Program, required_type};
use crate::questionnaire::{Entry, GivenAnswers, Question, QuestionSet, QuestionSets};

/// Stored answers. Most pages only pass them on, so they are parsed when one is first needed.
#[derive(Debug, Clone)]
pub struct Answers {
    /// The stored text, until the answers are changed.
    stored: Option<String>,
    value: OnceLock<Value>,
}

impl PartialEq for Answers {
    fn eq(&self, other: &Answers) -> bool {
        self.value() == other.value()
    }
}

/// Accepts any JSON object and discards its contents.
struct AnyObject;

impl<'de> Deserialize<'de> for AnyObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyObject, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = AnyObject;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AnyObject, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(AnyObject)
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

/// A validated change to the answers.
#[derive(Debug, Clone)]
pub struct AnswerChange {
    pub program: Program,
    /// Whether the applicant agreed to move an application from the other program to this one.
    pub switch_program: bool,
    given: Value,
    /// The questions of the program.
    questions: Arc<QuestionSet>,
    /// Answers to some of these questions; `None` if the change does not touch them.
    questionnaire: Option<GivenAnswers>,
}

impl Default for Answers {
    fn default() -> Self {
        Answers::of(Value::Object(Map::new()))
    }
}

impl Answers {
    /// Creates answers from their stored text.
    ///
    /// # Errors
    /// If the text is not a JSON object.
    pub fn from_stored(text: String) -> Result<Answers, serde_json::Error> {
        serde_json::from_str::<AnyObject>(&text)?;
        Ok(Answers { stored: Some(text), value: OnceLock::new() })
    }

    /// Like [`from_stored`](Self::from_stored), but parsed immediately: for submitted answers, which are read in order
    /// to show them.
    ///
    /// # Errors
    /// If the text is not a JSON object.
    pub fn from_submitted(text: String) -> Result<Answers, serde_json::Error> {
        let value = serde_json::from_str::<Map<String, Value>>(&text)?;
        Ok(Answers { stored: Some(text), value: OnceLock::from(Value::Object(value)) })
    }

    pub fn to_stored(&self) -> String {
        self.stored.clone().unwrap_or_else(|| self.value().to_string())
    }

    /// Whether both are stored as the same text.
    pub fn are_stored_as(&self, other: &Answers) -> bool {
        match (&self.stored, &other.stored) {
            (Some(own), Some(other)) => own == other,
            _ => self.to_stored() == other.to_stored(),
        }
    }

    fn of(value: Value) -> Answers {
        Answers { stored: None, value: OnceLock::from(value) }
    }

    fn value(&self) -> &Value {
        self.value.get_or_init(|| {
            let stored = self.stored.as_deref().unwrap_or("{}");
            serde_json::from_str(stored).expect("it was found to be JSON when it was read")
        })
    }

    /// Returns the answers for modification and drops the stored text.
    fn value_mut(&mut self) -> &mut Value {
        self.value();
        self.stored = None;
        self.value.get_mut().expect("it was just made")
    }

    /// Returns the answers with the defaults filled in.
    pub fn data(&self) -> ApplicationData {
        let mut data = ApplicationData::deserialize_lenient(self.value());
        let entries = self.questionnaire().into_iter().flatten();
        let answers = entries.filter_map(|(key, entry)| Some((key.clone(), entry.get("value")?.clone())));
        let version = self.questionnaire_version();
        data.questionnaire = QuestionnaireAnswers { version, answers: answers.collect::<BTreeMap<_, _>>() };
        data
    }

    /// Returns the version of the program's questions that was answered.
    pub fn questionnaire_version(&self) -> i64 {
        self.given("questionnaire.version").and_then(Value::as_i64).unwrap_or_default()
    }

    /// Returns the stored answers to the program's questions.
    pub(super) fn questionnaire(&self) -> Option<&Entry> {
        self.given("questionnaire.answers").and_then(Value::as_object)
    }

    /// Returns the program's questions that ask this applicant for a file.
    pub fn asked_files<'a>(&self, set: &'a QuestionSet) -> Vec<&'a Question> {
        set.files(self.questionnaire().unwrap_or(&Entry::new()))
    }

    /// Returns the program's questions that apply to this applicant, with their answers.
    pub fn to_questions(&self, set: &QuestionSet) -> Vec<Fact> {
        let none = Entry::new();
        set.in_words(self.questionnaire().unwrap_or(&none))
    }

    /// Returns the progress of the program's questions at the last save; the questions may have changed since. If there
    /// are no questions, nothing is missing.
    pub(super) fn questionnaire_state(&self) -> SectionState {
        let state = self.given("questionnaire.state").cloned();
        state.and_then(|state| SectionState::deserialize(state).ok()).unwrap_or(SectionState::Complete)
    }

    /// Returns the answers adapted to this set of questions: an answer is kept if its question still has the same key
    /// and type. Other answers are set aside and return when their question does; only those whose own condition no
    /// longer holds are dropped.
    pub fn asked_by(&self, set: &QuestionSet) -> Cow<'_, Answers> {
        let is_done = self.given("questionnaire.askedBy").is_some_and(|name| *name == set.name());
        if is_done || (set.questions.is_empty() && self.given("questionnaire").is_none()) {
            return Cow::Borrowed(self);
        }
        let mut answers = self.clone();
        let entries = |path: &str| self.given(path).and_then(Value::as_object).cloned().unwrap_or_default();
        let (mut open, mut aside) = (entries("questionnaire.answers"), entries("questionnaire.aside"));
        // The type is part of the key, so that answers to a question of another type, which may return, are kept as
        // well.
        let place = |key: &str, kind: &str| format!("{key} {kind}");
        let leaving: Vec<String> = open
            .keys()
            .filter(|key| set.question(key).is_none_or(|question| question.answer(&open).is_none()))
            .cloned()
            .collect();
        for key in leaving {
            if let Some(entry) = open.shift_remove(&key) {
                let kind = entry.get("type").and_then(Value::as_str).unwrap_or_default();
                aside.insert(place(&key, kind), entry);
            }
        }
        for question in &set.questions {
            let place = place(&question.key, question.kind.name());
            if let Some(entry) = aside.get(&place).filter(|_| question.answer(&open).is_none()) {
                let alone = Entry::from_iter([(question.key.clone(), entry.clone())]);
                if question.answer(&alone).is_some() {
                    aside.shift_remove(&place);
                    open.extend(alone);
                }
            }
        }
        let asked: Vec<String> = set.asked(&open).iter().map(|(question, _)| question.key.clone()).collect();
        open.retain(|key, _| asked.contains(key));
        let mut questionnaire = Map::new();
        let version = self.given("questionnaire.version").cloned().unwrap_or_else(|| 0.into());
        questionnaire.insert("version".into(), version);
        let state = Section::questionnaire_state(set, &open);
        questionnaire.insert("answers".into(), open.into());
        if !aside.is_empty() {
            questionnaire.insert("aside".into(), aside.into());
        }
        questionnaire.insert("state".into(), serde_json::to_value(state).unwrap_or_default());
        // So that this is done only once, not on every read.
        questionnaire.insert("askedBy".into(), set.name().into());
        if let Value::Object(all) = answers.value_mut() {
            all.insert("questionnaire".into(), questionnaire.into());
        }
        Cow::Owned(answers)
    }

    /// Returns the answers after `change`: given answers replace stored ones, lists as a whole; others stay. Answers to
    /// questions that no longer apply are dropped.
    pub fn with(&self, change: &AnswerChange) -> Answers {
        let mut value = self.value().clone();
        merge(&mut value, &change.given);
        let mut answers = Answers::of(value);
        answers.drop_hidden();
        if let Some(given) = &change.questionnaire {
            answers.answer_questions(change.questions.version, given);
        }
        answers.asked_by(&change.questions).into_owned()
    }

    fn answer_questions(&mut self, version: i64, given: &GivenAnswers) {
        let mut answers = self.questionnaire().cloned().unwrap_or_default();
        for (key, entry) in given {
            match entry {
                Some(entry) => answers.insert(key.clone(), entry.clone()),
                None => answers.shift_remove(key),
            };
        }
        let change = serde_json::json!({ "questionnaire": { "version": version } });
        merge(self.value_mut(), &change);
        if let Some(questionnaire) = self.value_mut().get_mut("questionnaire").and_then(Value::as_object_mut) {
            // An answer can be the condition of another question.
            questionnaire.shift_remove("askedBy");
            questionnaire.insert("answers".into(), answers.into());
        }
    }

    /// Whether the applicant has answered the question at a dotted path.
    pub fn is_said(&self, path: &str) -> bool {
        self.given(path).is_some()
    }

    /// Returns what was given under a dotted path; `None` if the default applies.
    pub(super) fn given(&self, path: &str) -> Option<&Value> {
        self.given_at(path.split('.'))
    }

    /// Same as [`given`](Self::given), for a path split into its parts.
    pub(super) fn given_at<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Option<&Value> {
        names.into_iter().try_fold(self.value(), |value, name| value.get(name))
    }

    /// Returns the paths of questions that do not apply because their condition is not met. Defaults count where no
    /// answer was given.
    pub(super) fn hidden(&self) -> Vec<&'static str> {
        static DEFAULTS: LazyLock<Answers> =
            LazyLock::new(|| Answers::of(serde_json::to_value(ApplicationData::default()).unwrap_or_default()));
        let answer = |path: &str| self.given(path).or_else(|| DEFAULTS.given(path));
        questions::not_asked(|after| match after {
            After::Yes(path) => answer(path).and_then(Value::as_bool).unwrap_or_default(),
            After::Chosen(path, choice) => {
                let chosen = answer(path).and_then(Value::as_array);
                chosen.is_some_and(|all| all.iter().any(|one| one == choice))
            }
        })
    }

    /// Drops answers whose condition is not met.
    fn drop_hidden(&mut self) {
        for path in self.hidden() {
            if let Some((section, name)) = path.split_once('.')
                && let Some(section) = self.value_mut().get_mut(section).and_then(Value::as_object_mut)
            {
                section.shift_remove(name);
            }
        }
    }
}

impl ApplicationData {
    /// Reads stored answers. They were valid when they were saved; if a later version no longer understands a section,
    /// it falls back to its defaults, so that the application stays readable.
    fn deserialize_lenient(value: &Value) -> ApplicationData {
        ApplicationData::deserialize(value).unwrap_or_else(|_| ApplicationData {
            personal_info: section(value, "personalInfo"),
            education: section(value, "education"),
            employment: section(value, "employment"),
            financial_plan: section(value, "financialPlan"),
            credit_transfer: section(value, "creditTransfer"),
            questionnaire: QuestionnaireAnswers::default(),
        })
    }
}

fn section<'a, T: Deserialize<'a> + Default>(value: &'a Value, name: &str) -> T {
    value.get(name).and_then(|section| T::deserialize(section).ok()).unwrap_or_default()
}

impl AnswerChange {
    /// Checks the body of a save; `asked` has the current questions of the programs. A draft may be incomplete, but
    /// every given answer must be valid.
    ///
    /// # Errors
    /// One error for each invalid field.
    pub fn parse(input: &Input, asked: &QuestionSets) -> Result<AnswerChange, Vec<FieldError>> {
        let entries = input.entries()?;
        let mut errors = Vec::new();
        let get = |name| Input::get(entries, name);
        let program = required_type("applicationType", get("applicationType"));
        let program = program.map_err(|error| errors.push(error)).ok();
        let switch_program = yes_or_no("switchProgram", get("switchProgram"));
        let switch_program = switch_program.map_err(|error| errors.push(error)).ok().flatten().unwrap_or_default();
        const OTHERS: [&str; 3] = ["applicationType", "switchProgram", "questionnaire"];
        let answers = entries.iter().filter(|(name, _)| !OTHERS.contains(&name.as_str()));
        let given = questions::check(answers, &mut errors);
        let questions = program.map(|program| asked.of(program).clone()).unwrap_or_default();
        let questionnaire = get("questionnaire").map(|answers| questions.check(answers, &mut errors));
        match program {
            Some(program) if errors.is_empty() => {
                Ok(AnswerChange { program, switch_program, given, questions, questionnaire })
            }
            _ => Err(errors),
        }
    }

    /// Returns the sections it concerns.
    pub fn sections(&self) -> Vec<Section> {
        let mut paths = Vec::new();
        leaves(&self.given, "", &mut paths);
        let is_about = |section: &Section| {
            let asks = |path: &String| {
                section.questions().iter().any(|asked| is_in(path, asked.path) || is_in(asked.path, path))
            };
            paths.iter().any(asks) || (*section == Section::Questions && self.questionnaire.is_some())
        };
        Section::ALL.into_iter().filter(is_about).collect()
    }

    /// Whether it contains no answers.
    pub fn is_empty(&self) -> bool {
        self.given.as_object().is_none_or(Map::is_empty) && self.questionnaire.is_none()
    }
}

/// Collects the paths of given values; a list counts as one value.
fn leaves(value: &Value, path: &str, paths: &mut Vec<String>) {
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            for (name, value) in entries {
                leaves(value, &if path.is_empty() { name.clone() } else { format!("{path}.{name}") }, paths);
            }
        }
        _ if path.is_empty() => {}
        _ => paths.push(path.to_owned()),
    }
}

/// Merges `given` into `stored`: maps entry by entry, everything else as a whole.
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
        let body = map(&[("applicationType", text("ba")), (section, map(entries))]);
        AnswerChange::parse(&body, &QuestionSets::default())
    }

    fn error_of(section: &str, name: &str, value: Input) -> (String, String) {
        let error = save(section, &[(name, value)]).unwrap_err().remove(0);
        (error.code, error.message.to_string())
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
                "creditTransfer": {"selectedPrograms": []},
                "questionnaire": {"version": 0, "answers": {}}
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

    /// Questions from these definitions, at a version.
    fn asking(version: i64, questions: &serde_json::Value) -> QuestionSets {
        let definition = crate::questionnaire::parse(&Input::from(serde_json::json!({ "questions": questions })));
        let questions = definition.unwrap().questions;
        let set = QuestionSet { program: Some(Program::Bachelor), version, questions, references: None };
        QuestionSets { bachelor: Arc::new(set), ..QuestionSets::default() }
    }

    fn answering(asked: &QuestionSets, answers: serde_json::Value) -> AnswerChange {
        let questionnaire = Input::from(serde_json::json!({ "answers": answers }));
        AnswerChange::parse(&map(&[("applicationType", text("ba")), ("questionnaire", questionnaire)]), asked).unwrap()
    }

    #[test]
    fn a_change_is_about_the_sections_of_its_answers() {
        use serde_json::json;
        let sections = |body: serde_json::Value| {
            let asked = asking(1, &json!([{"key": "why", "type": "text", "label": "Why?"}]));
            let mut body = body;
            body["applicationType"] = json!("ba");
            AnswerChange::parse(&Input::from(body), &asked).unwrap().sections()
        };
        assert_eq!(sections(json!({})), []);
        assert_eq!(sections(json!({"personalInfo": {"state": "TX"}})), [Section::AboutYou]);
        let employers = json!({"employment": {"previousEmployers": []}, "personalInfo": {"isDoDEmployee": true}});
        assert_eq!(sections(employers), [Section::Military, Section::Employment]);
        let own = json!({"financialPlan": {"selfPayContribution": {"upFrontContribution": 1}}});
        assert_eq!(sections(own), [Section::FinancialPlan]);
        assert_eq!(sections(json!({"questionnaire": {"answers": {"why": "So."}}})), [Section::Questions]);
    }

    #[test]
    fn answers_follow_their_question_into_the_next_version_and_none_is_lost() {
        use serde_json::json;
        let why = json!({"key": "why", "type": "longText", "label": "Why?"});
        let abroad = json!({"key": "abroad", "type": "yesNo", "label": "Abroad?"});
        let whereto =
            json!({"key": "whereTo", "type": "text", "label": "Where?", "onlyIf": {"question": "abroad", "is": true}});
        let first = asking(1, &json!([why, abroad, whereto]));
        let answers =
            Answers::default().with(&answering(&first, json!({"why": "So.", "abroad": true, "whereTo": "Norway"})));
        assert_eq!(answers.questionnaire_state(), SectionState::Complete);
        let shown = |answers: &Answers| json!(answers.data().questionnaire);
        let all = json!({"version": 1, "answers": {"why": "So.", "abroad": true, "whereTo": "Norway"}});
        assert_eq!(shown(&answers), all);

        // A question of another type is a different question, and a new question starts out unanswered.
        let why_short = json!({"key": "why", "type": "text", "label": "Why?"});
        let name = json!({"key": "name", "type": "text", "label": "Name?"});
        let second = asking(2, &json!([why_short, abroad, whereto, name]));
        let carried = answers.asked_by(&second.bachelor);
        assert_eq!(shown(&carried), json!({"version": 1, "answers": {"abroad": true, "whereTo": "Norway"}}));
        assert_eq!(carried.questionnaire_state(), SectionState::InProgress);
        let saved = carried.with(&answering(&second, json!({"name": "Demo", "why": "Short."})));
        assert_eq!(saved.questionnaire_state(), SectionState::Complete);
        assert_eq!(shown(&saved)["version"], 2);

        // Rolled back: answers that were set aside are back, and those to questions that existed only meanwhile are set
        // aside.
        let back = saved.asked_by(&asking(3, &json!([why, abroad, whereto])).bachelor);
        assert_eq!(shown(&back)["answers"], all["answers"]);
        assert!(back.to_stored().contains("Demo"), "{}", back.to_stored());

        // Answers whose condition no longer holds are not kept, and an answer can be taken back.
        let no = answers.with(&answering(&first, json!({"abroad": false, "why": ""})));
        assert_eq!(shown(&no)["answers"], json!({"abroad": false}));
        assert!(!no.to_stored().contains("Norway"));
        assert_eq!(no.questionnaire_state(), SectionState::InProgress);
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
            AnswerChange::parse(input, &QuestionSets::default())
                .unwrap_err()
                .into_iter()
                .map(|error| error.code)
                .collect()
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
        let change = AnswerChange::parse(&Input::Map(entries), &QuestionSets::default()).unwrap();
        let data = Answers::default().with(&change).data();
        assert!(!data.personal_info.is_us_citizen);
        assert_eq!(data.employment.previous_employers.len(), 2);
        assert_eq!(data.employment.previous_employers[0].hours_per_week, 12);
        assert_eq!(data.financial_plan.self_pay_contribution.up_front_contribution, 120_050);
        assert_eq!(data.financial_plan.selected_payments, ["self_pay"]);
        assert!(data.credit_transfer.selected_programs.is_empty());
    }
}
