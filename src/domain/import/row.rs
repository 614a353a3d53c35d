//! What a row of an import means, and what is wrong with it.

use jiff::civil::Date;

use super::fields::{Field, Fields, Kind};
use super::mapping::Mapping;
use super::reading::{Read, read};
use super::{MAX_CELL, Problem};
use crate::account::{self, ImportedPerson};
use crate::application::{AnswerChange, Answers, Elsewhere, from_form, missing};
use crate::characters;
use crate::input::{FieldError, Input};
use crate::intake::Intake;
use crate::program::{Program, required_type};
use crate::sentence::Sentence;
use crate::status::{Act, Stage};

/// Maximum number of characters in the number of the former system.
const MAX_REFERENCE: usize = 100;

/// How far an application came in the system it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The applicant goes on with it here.
    Draft,
    /// Staff read it here.
    Submitted,
    Enrolled,
    /// The applicant accepted the offer, and did not enrol.
    Accepted,
    /// The applicant declined the offer.
    Declined,
    Rejected,
    Withdrawn,
}

impl Outcome {
    pub const ALL: [Outcome; 7] = [
        Outcome::Draft,
        Outcome::Submitted,
        Outcome::Enrolled,
        Outcome::Accepted,
        Outcome::Declined,
        Outcome::Rejected,
        Outcome::Withdrawn,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Draft => "draft",
            Outcome::Submitted => "submitted",
            Outcome::Enrolled => "enrolled",
            Outcome::Accepted => "accepted",
            Outcome::Declined => "declined",
            Outcome::Rejected => "rejected",
            Outcome::Withdrawn => "withdrawn",
        }
    }

    /// Returns the label for staff.
    pub fn label(self) -> &'static str {
        match self {
            Outcome::Draft => "Draft",
            Outcome::Submitted => "Submitted",
            Outcome::Enrolled => "Enrolled",
            Outcome::Accepted => "Accepted, not enrolled",
            Outcome::Declined => "Offer declined",
            Outcome::Rejected => "Rejected",
            Outcome::Withdrawn => "Withdrawn",
        }
    }

    fn parse(text: &str) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|outcome| outcome.as_str() == text)
    }

    /// Returns the act that brings it in.
    pub fn act(self) -> Act {
        match self {
            Outcome::Draft => Act::ImportDraft,
            Outcome::Submitted => Act::ImportSubmission,
            _ => Act::ImportPast,
        }
    }

    /// Whether the application goes on here.
    pub fn is_active(self) -> bool {
        self.act() != Act::ImportPast
    }

    /// Returns the stage that an application that is over had reached.
    pub fn reached(self) -> Option<Stage> {
        match self {
            Outcome::Draft | Outcome::Submitted => None,
            Outcome::Enrolled => Some(Stage::Enrolled),
            Outcome::Accepted => Some(Stage::Confirmed),
            Outcome::Declined => Some(Stage::Offered),
            Outcome::Rejected => Some(Stage::Rejected),
            Outcome::Withdrawn => Some(Stage::Submitted),
        }
    }

    /// Whether there was a decision.
    pub fn is_decided(self) -> bool {
        self.reached().is_some_and(Stage::is_decided)
    }
}

/// What a row brings in.
#[derive(Debug, Clone)]
pub struct RowOutline {
    pub person: ImportedPerson,
    pub program: Program,
    pub outcome: Outcome,
    pub submitted_on: Option<Date>,
    /// When it ended, if it did.
    pub decided_on: Option<Date>,
    pub intake: Option<Intake>,
    pub former_reference: Option<String>,
    pub answers: Answers,
}

/// A row that was looked at.
#[derive(Debug, Clone)]
pub struct Checked {
    pub problems: Vec<Problem>,
    /// `None` if there are errors.
    pub outline: Option<RowOutline>,
}

/// A field of a row, as it came and as it was understood.
#[derive(Debug, Clone)]
pub struct ShownField {
    /// Its key.
    pub field: String,
    pub label: String,
    /// The heading of its column; `None` if it is the same for every row.
    pub column: Option<String>,
    pub sent: String,
    /// In words; `None` if it was not understood.
    pub read: Option<String>,
    pub problems: Vec<Problem>,
}

impl Problem {
    fn error(error: FieldError) -> Problem {
        Problem { field: error.path, code: error.code, message: error.message.to_string(), warning: false }
    }

    pub fn warning(field: &str, code: &str, message: impl Into<String>) -> Problem {
        Problem { field: field.to_owned(), code: code.to_owned(), message: message.into(), warning: true }
    }

    /// An error whose code begins with the field's key, or with `row` if it is about the row.
    pub fn wrong(field: &str, rule: &str, message: impl Into<String>) -> Problem {
        let code = format!("{}.{rule}", if field.is_empty() { "row" } else { field });
        Problem { field: field.to_owned(), code, message: message.into(), warning: false }
    }
}

/// The cells of a row that say something, each with its field.
struct Cells<'a>(Vec<(&'a Field, &'a str, Read)>);

impl<'a> Cells<'a> {
    fn of(cells: &'a [String], mapping: &'a Mapping, fields: &'a Fields) -> Cells<'a> {
        let sent = |field: &Field| -> Option<&'a str> {
            let column = mapping.columns.iter().position(|key| key.as_ref() == Some(&field.key));
            let cell = column.and_then(|column| cells.get(column)).map(|cell| cell.trim());
            let same = mapping.values.get(&field.key).map(|value| value.trim());
            cell.filter(|cell| !cell.is_empty()).or(same).filter(|text| !text.is_empty())
        };
        let country = fields.find("country").and_then(sent);
        let country = country.map(|text| read(&Kind::Country, text, mapping.dates, None).values.concat());
        let said = fields.all().iter().filter_map(|field| {
            let text = sent(field)?;
            Some((field, text, read(&field.kind, text, mapping.dates, country.as_deref())))
        });
        Cells(said.collect())
    }

    fn get(&self, key: &str) -> Option<&str> {
        let (.., read) = self.0.iter().find(|(field, ..)| field.key == key)?;
        read.values.first().map(String::as_str)
    }

    fn input(&self, key: &str) -> Option<Input> {
        self.get(key).map(|text| Input::Text(text.to_owned()))
    }
}

impl Fields {
    /// Returns what is in a row, field by field. `problems` are those of the whole row.
    pub fn show(
        &self,
        cells: &[String],
        headers: &[String],
        mapping: &Mapping,
        problems: &[Problem],
    ) -> Vec<ShownField> {
        let said = Cells::of(cells, mapping, self);
        let mut shown = Vec::new();
        for field in self.all() {
            let column = mapping.columns.iter().position(|key| key.as_ref() == Some(&field.key));
            let found = said.0.iter().find(|(one, ..)| one.key == field.key);
            let own: Vec<Problem> = problems.iter().filter(|problem| problem.field == field.key).cloned().collect();
            if column.is_none() && found.is_none() && own.is_empty() {
                continue;
            }
            shown.push(ShownField {
                field: field.key.clone(),
                label: field.label.clone(),
                column: column.and_then(|column| headers.get(column).cloned()),
                sent: found.map(|(_, text, _)| (*text).to_owned()).unwrap_or_default(),
                read: found.and_then(|(.., read)| read.shown.clone()),
                problems: own,
            });
        }
        shown
    }

    /// Checks a row on its own.
    pub fn check(&self, cells: &[String], mapping: &Mapping, today: Date) -> Checked {
        let said = Cells::of(cells, mapping, self);
        let mut problems = Vec::new();
        for (field, text, _) in &said.0 {
            if text.chars().count() > MAX_CELL {
                let sentence = format!("The cell has more than {MAX_CELL} characters.");
                problems.push(Problem::wrong(&field.key, "too_long", sentence));
            }
        }
        let person = person(&said, today, &mut problems);
        let program = required_type("applicationType", said.input("applicationType").as_ref());
        let program = program.map_err(|error| problems.push(Problem::error(error))).ok();
        let outcome = outcome(&said, &mut problems);
        let (submitted_on, decided_on) = days(&said, today, &mut problems);
        let intake = said.get("intake").and_then(|code| {
            let intake = Intake::parse(code);
            if intake.is_none() {
                let sentence = "There is no intake in this month here. It is left out.";
                problems.push(Problem::warning("intake", "intake.unknown", sentence));
            }
            intake
        });
        let former_reference = reference(&said, &mut problems);
        let answers = program.and_then(|program| self.answers(&said, program, &mut problems));
        if let (Some(Outcome::Submitted), Some(program), Some(answers)) = (outcome, program, &answers) {
            let count = missing(answers, self.asked.of(program), &Elsewhere::default()).len();
            if count > 0 {
                let answers =
                    if count == 1 { "1 answer is missing".into() } else { format!("{count} answers are missing") };
                let sentence = format!("{answers}. You can ask the applicant for them once it is imported.");
                problems.push(Problem::warning("", "answers.missing", sentence));
            }
        }
        let is_right = problems.iter().all(|problem| problem.warning);
        let outline = (|| {
            Some(RowOutline {
                person: person?,
                program: program?,
                outcome: outcome?,
                submitted_on,
                decided_on,
                intake,
                former_reference,
                answers: answers?,
            })
        })();
        Checked { problems, outline: outline.filter(|_| is_right) }
    }

    fn answers(&self, said: &Cells<'_>, program: Program, problems: &mut Vec<Problem>) -> Option<Answers> {
        let set = self.asked.of(program);
        let mut form = Vec::new();
        for (field, _, read) in said.0.iter().filter(|(field, ..)| field.key.contains('.')) {
            if let Some(key) = field.key.strip_prefix("questionnaire.answers.")
                && set.question(key).is_none()
            {
                let sentence = "This program does not ask this. The answer is left out.";
                problems.push(Problem::warning(&field.key, "answer.not_asked", sentence));
                continue;
            }
            // As forms send lists: an empty value beside what is ticked.
            if matches!(field.kind, Kind::Several(_)) {
                form.push((field.key.clone(), String::new()));
            }
            form.extend(read.values.iter().map(|value| (field.key.clone(), value.clone())));
        }
        let Input::Map(mut entries) = from_form(&form) else { unreachable!("a form is a map") };
        entries.push(("applicationType".into(), Input::Text(program.application_type().into())));
        match AnswerChange::parse(&Input::Map(entries), &self.asked) {
            Ok(change) => Some(Answers::default().with(&change)),
            Err(errors) => {
                problems.extend(errors.into_iter().map(Problem::error));
                None
            }
        }
    }
}

fn person(said: &Cells<'_>, today: Date, problems: &mut Vec<Problem>) -> Option<ImportedPerson> {
    const KEYS: [&str; 8] =
        ["firstName", "lastName", "dateOfBirth", "country", "phoneNumber", "state", "email", "language"];
    let entries = KEYS.iter().filter_map(|key| Some(((*key).to_owned(), said.input(key)?)));
    let input = Input::Map(entries.collect());
    let doubts = account::doubts(&input, None, today);
    let person = ImportedPerson::parse(&input, today);
    let person = person.map_err(|errors| problems.extend(errors.into_iter().map(Problem::error))).ok();
    for doubt in doubts {
        let code = format!("{}.unusual", doubt.field);
        problems.push(Problem::warning(doubt.field, &code, unusual(doubt.field)));
    }
    person
}

/// The doubts that applicants are asked about, told to staff.
fn unusual(field: &str) -> &'static str {
    match field {
        "dateOfBirth" => "This is an unusual age. Check the year.",
        _ => "The number does not begin with the country’s code. Check both.",
    }
}

fn outcome(said: &Cells<'_>, problems: &mut Vec<Problem>) -> Option<Outcome> {
    let known = said.get("outcome").and_then(Outcome::parse);
    if known.is_none() {
        let [others @ .., last] = Outcome::ALL.map(Outcome::as_str);
        let rule = if said.get("outcome").is_some() { "unknown" } else { "required" };
        problems.push(Problem::wrong("outcome", rule, format!("Write {} or {last}.", others.join(", "))));
    }
    known
}

/// Reads the days on which it was submitted and ended.
fn days(said: &Cells<'_>, today: Date, problems: &mut Vec<Problem>) -> (Option<Date>, Option<Date>) {
    let mut day = |key: &str| {
        let text = said.get(key)?;
        let wrong = match text.parse::<Date>() {
            Err(_) => ("invalid", "This is not a day in the order that you chose, such as 2024-05-31."),
            Ok(day) if day > today => ("future", "This day is still to come."),
            Ok(day) if day.year() < 1900 => ("range", "The year must be after 1899."),
            Ok(day) => return Some(day),
        };
        problems.push(Problem::wrong(key, wrong.0, wrong.1));
        None
    };
    let (submitted, decided) = (day("submittedOn"), day("decidedOn"));
    if submitted.zip(decided).is_some_and(|(submitted, decided)| decided < submitted) {
        problems.push(Problem::wrong("decidedOn", "order", "It cannot have ended before it was submitted."));
    }
    (submitted, decided)
}

fn reference(said: &Cells<'_>, problems: &mut Vec<Problem>) -> Option<String> {
    let text = said.get("formerReference")?;
    let sentence = if text.chars().count() > MAX_REFERENCE {
        Some(format!("The former reference must be at most {MAX_REFERENCE} characters."))
    } else {
        characters::refused(Sentence::plain("The former reference"), text).map(|sentence| sentence.to_string())
    };
    match sentence {
        None => Some(text.to_owned()),
        Some(sentence) => {
            problems.push(Problem::wrong("formerReference", "invalid", sentence));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::civil::date;

    use super::*;
    use crate::import::DateOrder;
    use crate::questionnaire::QuestionSets;

    const RIGHT: [(&str, &str); 9] = [
        ("email", "demo.one@example.org"),
        ("firstName", "Demo"),
        ("lastName", "Applicant"),
        ("dateOfBirth", "1990-02-28"),
        ("phoneNumber", "(555) 010-0199"),
        ("country", "United States"),
        ("state", "Texas"),
        ("applicationType", "Bachelor"),
        ("outcome", "Rejected"),
    ];

    fn check(changes: &[(&str, &str)]) -> Checked {
        let mut cells: BTreeMap<&str, &str> = RIGHT.into();
        cells.extend(changes.iter().copied());
        let (keys, cells): (Vec<_>, Vec<_>) =
            cells.into_iter().map(|(key, cell)| (Some(key.to_owned()), cell.to_owned())).unzip();
        let mapping = Mapping { columns: keys, dates: DateOrder::MonthFirst, ..Mapping::default() };
        Fields::new(QuestionSets::default()).check(&cells, &mapping, date(2026, 5, 4))
    }

    fn codes(checked: &Checked, warning: bool) -> Vec<&str> {
        let of_kind = checked.problems.iter().filter(|problem| problem.warning == warning);
        of_kind.map(|problem| problem.code.as_str()).collect()
    }

    #[test]
    fn a_row_is_read_as_people_write_it() {
        let checked = check(&[
            ("submittedOn", "05/31/2024"),
            ("decidedOn", "6/15/2024"),
            ("intake", "August 2024"),
            ("formerReference", "A-17"),
            ("personalInfo.isUSCitizen", "TRUE"),
            ("education.hasBachelors", "no"),
            ("financialPlan.selectedPayments", "GI Bill; self_pay"),
            ("financialPlan.selfPayContribution.upFrontContribution", "$1,200.50"),
            ("employment.hasPreviousEmployment", "y"),
            ("employment.previousEmployers.0.name", "Demo Works"),
            ("employment.previousEmployers.0.hoursPerWeek", "20"),
            ("employment.previousEmployers.0.yearsInRole", "1 to 2 years"),
        ]);
        assert_eq!(checked.problems, []);
        let RowOutline { person, program, outcome, submitted_on, decided_on, intake, former_reference, answers } =
            checked.outline.unwrap();
        assert_eq!(person.phone_number, "+15550100199");
        assert_eq!(person.state.as_deref(), Some("TX"));
        assert_eq!((program, outcome), (Program::Bachelor, Outcome::Rejected));
        assert_eq!((submitted_on, decided_on), (Some(date(2024, 5, 31)), Some(date(2024, 6, 15))));
        assert_eq!(intake.map(Intake::code).as_deref(), Some("2024-08"));
        assert_eq!(former_reference.as_deref(), Some("A-17"));
        let data = answers.data();
        assert!(data.personal_info.is_us_citizen && !data.education.has_bachelors);
        assert_eq!(data.financial_plan.selected_payments, ["gi_bill", "self_pay"]);
        assert_eq!(data.financial_plan.self_pay_contribution.up_front_contribution, 120_050);
        let employer = &data.employment.previous_employers[0];
        assert_eq!(
            (employer.name.as_str(), employer.hours_per_week, employer.years_in_role.as_str()),
            ("Demo Works", 20, "1-2")
        );
    }

    #[test]
    fn each_error_is_at_its_field() {
        for (key, cell, code) in [
            ("email", "nobody", "email.invalid"),
            ("email", "", "email.required"),
            ("firstName", "", "firstName.required"),
            ("dateOfBirth", "31/12/1990", "dateOfBirth.invalid"),
            ("dateOfBirth", "1/1/2030", "dateOfBirth.future"),
            ("phoneNumber", "call me", "phoneNumber.invalid"),
            ("country", "Atlantis", "country.unknown"),
            ("state", "", "state.required"),
            ("state", "Bavaria", "state.unknown"),
            ("language", "xx", "language.unknown"),
            ("applicationType", "PhD", "applicationType.unknown"),
            ("outcome", "maybe", "outcome.unknown"),
            ("outcome", "", "outcome.required"),
            ("submittedOn", "yesterday", "submittedOn.invalid"),
            ("decidedOn", "12/31/2026", "decidedOn.future"),
            ("personalInfo.isDoDEmployee", "perhaps", "personalInfo.isDoDEmployee.type"),
            ("education.country", "Atlantis", "education.country.unknown"),
            ("employment.currentEmployer.hoursPerWeek", "200", "employment.currentEmployer.hoursPerWeek.range"),
            ("financialPlan.selectedPayments", "gold", "financialPlan.selectedPayments.unknown"),
        ] {
            let checked = check(&[(key, cell)]);
            assert_eq!(codes(&checked, false), [code], "{key} {cell}");
            assert_eq!(checked.problems[0].field, key);
            assert!(checked.outline.is_none());
        }
        assert_eq!(
            codes(&check(&[("submittedOn", "5/2/2026"), ("decidedOn", "5/1/2026")]), false),
            ["decidedOn.order"]
        );
        let long = "x".repeat(MAX_CELL + 1);
        assert_eq!(
            codes(&check(&[("formerReference", &long)]), false),
            ["formerReference.too_long", "formerReference.invalid"]
        );
    }

    #[test]
    fn warnings_do_not_prevent_an_import() {
        for (changes, code) in [
            (&[("intake", "2024-03")][..], "intake.unknown"),
            (&[("dateOfBirth", "1/1/1905")], "dateOfBirth.unusual"),
            (&[("outcome", "submitted")], "answers.missing"),
        ] {
            let checked = check(changes);
            assert_eq!(codes(&checked, true), [code]);
            assert!(checked.outline.is_some(), "{:?}", checked.problems);
        }
        assert_eq!(codes(&check(&[("outcome", "draft")]), true), <[&str; 0]>::default());
    }
}
