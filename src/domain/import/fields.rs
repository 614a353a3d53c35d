//! What a column of an import can be for: the applicant, the application, and each of its answers.

use super::row::Outcome;
use crate::application::{self, Choice, TABLE};
use crate::language::Language;
use crate::program::Program;
use crate::questionnaire::{self, Offer, QuestionSet, QuestionSets, path};

/// Number of previous employers that have columns.
const PREVIOUS_EMPLOYERS: usize = 3;

/// How the text of a cell is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Phone,
    Date,
    Country,
    State,
    Intake,
    YesNo,
    Whole,
    Money,
    /// Values with their labels. A value can have several: the first one is shown.
    One(Vec<(String, String)>),
    /// Several of them, separated by semicolons.
    Several(Vec<(String, String)>),
}

/// Something that a column can be for.
#[derive(Debug, Clone)]
pub struct Field {
    /// Identifies it in mappings and in rows that programs send: `email`, `education.country`.
    pub key: String,
    pub label: String,
    /// The heading above it in lists.
    pub group: String,
    /// What its cells can say.
    pub hint: String,
    /// Whether an import needs it.
    pub required: bool,
    /// Other headings by which it is recognised, in lower-case letters and digits.
    aliases: &'static [&'static str],
    pub(super) kind: Kind,
}

/// Everything that columns can be for, with the questions of the programs.
#[derive(Debug, Clone)]
pub struct Fields {
    all: Vec<Field>,
    pub(super) asked: QuestionSets,
}

impl Fields {
    pub fn new(asked: QuestionSets) -> Fields {
        let mut all = own();
        for (section, questions) in &TABLE {
            let group = section.title().to_string();
            for question in *questions {
                add_question(&mut all, &group, question, String::new(), question.path.to_owned());
            }
        }
        for set in [&asked.bachelor, &asked.masters] {
            add_questionnaire(&mut all, set);
        }
        Fields { all, asked }
    }

    pub fn all(&self) -> &[Field] {
        &self.all
    }

    pub fn find(&self, key: &str) -> Option<&Field> {
        self.all.iter().find(|field| field.key == key)
    }

    /// Returns the field that a heading names.
    pub(super) fn named(&self, header: &str) -> Option<&Field> {
        let name = plain(header);
        let exact = |field: &&Field| {
            let short = field.key.rsplit('.').next().unwrap_or_default();
            plain(&field.key) == name || plain(&field.label) == name || plain(short) == name
        };
        let known = |field: &&Field| field.aliases.contains(&name.as_str());
        (!name.is_empty()).then(|| self.all.iter().find(exact).or_else(|| self.all.iter().find(known))).flatten()
    }
}

/// Returns a heading's letters and digits in lower case.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn own() -> Vec<Field> {
    let field = |group: &str, key: &str, label: &str, hint: &str, kind: Kind, aliases: &'static [&'static str]| Field {
        key: key.to_owned(),
        label: label.to_owned(),
        group: group.to_owned(),
        hint: hint.to_owned(),
        required: false,
        aliases,
        kind,
    };
    let needed = |field: Field| Field { required: true, ..field };
    let programs = Program::ALL.map(|program| (program, program.name().to_string()));
    let [bachelor, masters] = Program::ALL;
    let short = [(bachelor, "bachelor"), (bachelor, "bachelors"), (masters, "master"), (masters, "masters")];
    let short = short.map(|(program, name)| (program, name.to_owned()));
    let programs: Vec<(String, String)> = programs
        .into_iter()
        .chain(short)
        .map(|(program, name)| (program.application_type().to_owned(), name))
        .collect();
    let outcomes = Outcome::ALL.map(|outcome| (outcome.as_str().to_owned(), outcome.label().to_owned()));
    let languages = Language::ALL.map(|language| (language.as_str().to_owned(), language.name().to_string()));
    let (who, what) = ("Applicant", "Application");
    vec![
        needed(field(who, "email", "Email", "An email address", Kind::Text, &["mail", "emailaddress", "mailaddress"])),
        needed(field(who, "firstName", "First name", "", Kind::Text, &["givenname", "forename", "first"])),
        needed(field(who, "lastName", "Last name", "", Kind::Text, &["surname", "familyname", "last"])),
        needed(field(
            who,
            "dateOfBirth",
            "Date of birth",
            "A day such as 1990-02-28",
            Kind::Date,
            &["birthdate", "birthday", "dob", "born"],
        )),
        needed(field(
            who,
            "phoneNumber",
            "Phone number",
            "With + and the country’s code, or as dialled within the country",
            Kind::Phone,
            &["phone", "mobile", "mobilephone", "cell", "cellphone", "telephone", "tel"],
        )),
        needed(field(
            who,
            "country",
            "Country",
            "A name such as Germany, or its two-letter code",
            Kind::Country,
            &["countryofresidence", "nation"],
        )),
        field(who, "state", "State", "A name such as Texas, or its two-letter code", Kind::State, &["usstate"]),
        field(who, "language", "Language", "en or es", Kind::One(languages.into()), &["preferredlanguage"]),
        needed(field(
            what,
            "applicationType",
            "Program",
            "ba for the bachelor’s, msc for the master’s",
            Kind::One(programs),
            &["course", "degree", "studyprogram", "programme"],
        )),
        needed(field(
            what,
            "outcome",
            "Outcome",
            "draft, submitted, enrolled, accepted, declined, rejected or withdrawn",
            Kind::One(outcomes.into()),
            &["status", "decision", "result", "stage"],
        )),
        field(
            what,
            "submittedOn",
            "Submitted on",
            "A day such as 2024-05-31",
            Kind::Date,
            &["submitted", "submissiondate", "datesubmitted", "appliedon", "applicationdate"],
        ),
        field(
            what,
            "decidedOn",
            "Ended on",
            "The day of the decision, or of whatever ended it",
            Kind::Date,
            &["decisiondate", "decided", "datedecided", "enddate"],
        ),
        field(
            what,
            "intake",
            "Intake",
            "A month such as 2026-08",
            Kind::Intake,
            &["term", "startterm", "cohort", "start"],
        ),
        field(
            what,
            "formerReference",
            "Former reference",
            "The application’s number where it comes from; each is imported once",
            Kind::Text,
            &["reference", "applicationid", "applicationnumber", "id", "formerid", "externalid", "number"],
        ),
    ]
}

fn choices(of: &[Choice]) -> Vec<(String, String)> {
    of.iter().map(|choice| (choice.value.to_owned(), choice.label.to_string())).collect()
}

fn offers(of: &[Offer]) -> Vec<(String, String)> {
    of.iter().map(|offer| (offer.value.clone(), offer.label.clone())).collect()
}

fn values(of: &[(String, String)]) -> String {
    of.iter().map(|(value, _)| value.as_str()).collect::<Vec<_>>().join(", ")
}

fn hint(kind: &Kind) -> String {
    match kind {
        Kind::Text | Kind::Phone => String::new(),
        Kind::Date => "A day such as 2024-05-31".into(),
        Kind::Country => "A name such as Germany, or its two-letter code".into(),
        Kind::State => "A name such as Texas, or its two-letter code".into(),
        Kind::Intake => "A month such as 2026-08".into(),
        Kind::YesNo => "yes or no".into(),
        Kind::Whole => "A whole number".into(),
        Kind::Money => "An amount in dollars".into(),
        Kind::One(of) => format!("One of {}", values(of)),
        Kind::Several(of) => format!("Any of {}, separated by semicolons", values(of)),
    }
}

/// Adds a question, or the parts of a group. `within` is the label of the group.
fn add_question(all: &mut Vec<Field>, group: &str, question: &application::Question, within: String, key: String) {
    use application::Kind as Asked;
    let label = match within.as_str() {
        "" => question.label.to_string(),
        within => format!("{within}: {}", question.label.to_string().to_lowercase()),
    };
    let kind = match &question.kind {
        Asked::Group(parts) | Asked::AnyOf(parts) => {
            for part in *parts {
                add_question(all, group, part, label.clone(), format!("{key}.{}", part.path));
            }
            return;
        }
        Asked::Repeated { of, .. } => {
            for n in 0..PREVIOUS_EMPLOYERS {
                for part in *of {
                    add_question(all, group, part, format!("{label} {}", n + 1), format!("{key}.{n}.{}", part.path));
                }
            }
            return;
        }
        Asked::YesNo => Kind::YesNo,
        Asked::Country => Kind::Country,
        Asked::State => Kind::State,
        Asked::Text { .. } => Kind::Text,
        Asked::Whole { .. } => Kind::Whole,
        Asked::Money { .. } => Kind::Money,
        Asked::One { of, .. } => Kind::One(choices(of)),
        Asked::Several { of, .. } => Kind::Several(choices(of)),
    };
    all.push(Field { hint: hint(&kind), key, label, group: group.to_owned(), required: false, aliases: &[], kind });
}

fn add_questionnaire(all: &mut Vec<Field>, set: &QuestionSet) {
    let Some(program) = set.program else { return };
    for question in &set.questions {
        let key = path(&question.key);
        let kind = match &question.kind {
            questionnaire::Kind::File => continue,
            questionnaire::Kind::Text { .. } | questionnaire::Kind::LongText { .. } => Kind::Text,
            questionnaire::Kind::Choice { options } => Kind::One(offers(options)),
            questionnaire::Kind::Several { options } => Kind::Several(offers(options)),
            questionnaire::Kind::Number { .. } => Kind::Whole,
            questionnaire::Kind::Date { .. } => Kind::Date,
            questionnaire::Kind::YesNo => Kind::YesNo,
        };
        // Both programs can ask the same question.
        if all.iter().any(|field| field.key == key) {
            continue;
        }
        all.push(Field {
            hint: hint(&kind),
            key,
            label: question.label.clone(),
            group: format!("Questions of the {}", program.name().to_string().to_lowercase()),
            required: false,
            aliases: &[],
            kind,
        });
    }
}
