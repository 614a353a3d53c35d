//! Prospects: people who want to hear from us before they apply.

use super::account::{Email, name, optional_name};
use super::body::{by, ticked, wrong, yes_or_no};
use super::input::{FieldError, Input};
use super::language::Language;
use super::moments::Millis;
use super::program::Program;
use crate::{body, text};

/// Number of days for which the mailed link works.
pub const CONFIRMATION_DAYS: i64 = 7;
/// Maximum number of characters in a search.
const MAX_SEARCH_LENGTH: usize = 200;

body! {
    /// What somebody who is not ready to apply wants from us.
    pub struct Inquiry {
        #[schema(value_type = String, format = Email)]
        pub email: Email = by(Email::parse),
        /// At most 100 characters, and nothing that looks like a web address.
        #[schema(nullable = false)]
        pub first_name: Option<String> = optional_name(text!("First name"), name),
        /// To be told when applications open for the next intake.
        #[schema(nullable = false)]
        pub openings: Option<bool> = yes_or_no,
        /// To be sent the brochure. At least one of both is needed.
        #[schema(nullable = false)]
        pub brochure: Option<bool> = |path: &str, input: Option<&Input>| {
            let brochure = yes_or_no(path, input)?;
            match (openings, brochure) {
                (Some(Some(false) | None), Some(false) | None) => Err(nothing_wanted()),
                _ => Ok(brochure),
            }
        },
        /// That we may write to this address.
        pub consent: bool = ticked(text!("Check the box to allow us to email you.")),
    }
}

fn nothing_wanted() -> FieldError {
    wrong("openings", "required", text!("Choose what we should send you."))
}

impl Inquiry {
    pub fn wants(&self) -> Wants {
        Wants { openings: self.openings == Some(true), brochure: self.brochure == Some(true) }
    }
}

/// What a prospect wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wants {
    /// To be told when applications open for the next intake.
    pub openings: bool,
    pub brochure: bool,
}

/// One of those.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    Openings,
    Brochure,
}

impl Want {
    pub const ALL: [Want; 2] = [Want::Openings, Want::Brochure];

    /// Returns the name used in URLs.
    pub fn as_str(self) -> &'static str {
        match self {
            Want::Openings => "openings",
            Want::Brochure => "brochure",
        }
    }

    pub fn parse(text: &str) -> Option<Want> {
        Want::ALL.into_iter().find(|want| want.as_str() == text)
    }

    /// Returns the label for staff.
    pub fn label(self) -> &'static str {
        match self {
            Want::Openings => "News of openings",
            Want::Brochure => "Brochure",
        }
    }
}

/// How far a prospect has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProspectState {
    /// The address is not confirmed yet.
    Waiting,
    Confirmed,
    /// There is an account with the address.
    Applicant,
}

impl ProspectState {
    pub const ALL: [ProspectState; 3] = [ProspectState::Waiting, ProspectState::Confirmed, ProspectState::Applicant];

    /// Returns the name used in URLs.
    pub fn as_str(self) -> &'static str {
        match self {
            ProspectState::Waiting => "waiting",
            ProspectState::Confirmed => "confirmed",
            ProspectState::Applicant => "applicant",
        }
    }

    pub fn parse(text: &str) -> Option<ProspectState> {
        ProspectState::ALL.into_iter().find(|state| state.as_str() == text)
    }

    /// Returns the label for staff.
    pub fn label(self) -> &'static str {
        match self {
            ProspectState::Waiting => "Waiting for confirmation",
            ProspectState::Confirmed => "Confirmed",
            ProspectState::Applicant => "Became an applicant",
        }
    }
}

/// Somebody who wants to hear from us before they apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prospect {
    pub id: String,
    pub email: String,
    /// May be empty.
    pub first_name: String,
    pub program: Program,
    pub wants: Wants,
    /// Language of mails.
    pub language: Language,
    pub created_at: Millis,
    pub confirmed_at: Option<Millis>,
    pub applicant_id: Option<String>,
    /// The latest of the applicant.
    pub application_id: Option<String>,
    /// Whether the office has a page for that application; a draft has none.
    pub application_listed: bool,
}

impl Prospect {
    pub fn state(&self) -> ProspectState {
        match (&self.applicant_id, self.confirmed_at) {
            (Some(_), _) => ProspectState::Applicant,
            (None, Some(_)) => ProspectState::Confirmed,
            (None, None) => ProspectState::Waiting,
        }
    }
}

/// What to list. `None` and an empty search match anything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProspectQuery {
    /// How the email or the first name begins.
    pub search: String,
    pub program: Option<Program>,
    pub wants: Option<Want>,
    pub state: Option<ProspectState>,
    /// `TIME~ID` of the last one of the page before.
    pub after: Option<String>,
}

impl ProspectQuery {
    /// Reads the parameters of an address. What is invalid is left out, with an error for each.
    pub fn parse<'a>(query: impl IntoIterator<Item = (&'a str, &'a str)>) -> (ProspectQuery, Vec<FieldError>) {
        let (mut read, mut errors) = (ProspectQuery::default(), Vec::new());
        for (name, value) in query {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let is_valid = match name {
                "search" => {
                    let fits = value.chars().count() <= MAX_SEARCH_LENGTH && !value.chars().any(char::is_control);
                    if fits {
                        value.clone_into(&mut read.search);
                    }
                    fits
                }
                "program" => {
                    read.program = Program::of_application_type(value);
                    read.program.is_some()
                }
                "wants" => {
                    read.wants = Want::parse(value);
                    read.wants.is_some()
                }
                "state" => {
                    read.state = ProspectState::parse(value);
                    read.state.is_some()
                }
                "after" => {
                    read.after = place(value).map(|_| value.to_owned());
                    read.after.is_some()
                }
                _ => true,
            };
            if !is_valid {
                errors.push(wrong(name, "invalid", "This cannot be searched for. Choose one of the values."));
            }
        }
        (read, errors)
    }

    /// Returns the parameters of its address.
    pub fn to_query(&self) -> Vec<(&'static str, String)> {
        let text = |name, text: Option<&str>| text.map(|text| (name, text.to_owned()));
        let search = Some(self.search.as_str()).filter(|search| !search.is_empty());
        [
            text("search", search),
            text("program", self.program.map(Program::application_type)),
            text("wants", self.wants.map(Want::as_str)),
            text("state", self.state.map(ProspectState::as_str)),
            text("after", self.after.as_deref()),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Returns time and id of the last one of the page before.
    pub fn place(&self) -> Option<(Millis, &str)> {
        place(self.after.as_deref()?)
    }
}

fn place(after: &str) -> Option<(Millis, &str)> {
    let (at, id) = after.split_once('~')?;
    Some((at.parse().ok()?, id))
}

/// A page of the list.
#[derive(Debug, Clone)]
pub struct ProspectPage {
    /// Newest first.
    pub prospects: Vec<Prospect>,
    /// For [`ProspectQuery::after`]; `None` on the last page.
    pub next: Option<String>,
    /// Of all prospects, whatever is listed.
    pub counts: ProspectCounts,
}

/// How many there are. Each is counted in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProspectCounts {
    /// Asked in the last seven days, in any state.
    pub this_week: i64,
    pub waiting: i64,
    pub confirmed: i64,
    pub applicants: i64,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn codes(body: Value) -> Vec<String> {
        Inquiry::parse(&Input::from(body)).err().into_iter().flatten().map(|error| error.code).collect()
    }

    #[test]
    fn an_inquiry_wants_something_and_allows_us_to_write() {
        let asked = json!({ "email": " zoe@example.org ", "brochure": true, "consent": "yes", "firstName": " " });
        let asked = Inquiry::parse(&Input::from(asked)).unwrap();
        assert_eq!((asked.email.as_str(), asked.first_name.clone()), ("zoe@example.org", None));
        assert_eq!(asked.wants(), Wants { openings: false, brochure: true });
        assert_eq!(codes(json!({})), ["email.required", "openings.required", "consent.required"]);
        for (name, value, code) in [
            ("email", json!("zoe"), "email.invalid"),
            ("firstName", json!("evil.example"), "firstName.address"),
            ("firstName", json!("x".repeat(101)), "firstName.too_long"),
            ("firstName", json!(1), "firstName.type"),
            ("openings", json!("yes"), "openings.type"),
            ("brochure", json!(1), "brochure.type"),
            ("openings", json!(false), "openings.required"),
            ("consent", json!(false), "consent.required"),
            ("other", json!(1), "field.unknown"),
        ] {
            let mut body = json!({ "email": "zoe@example.org", "openings": true, "brochure": false, "consent": true });
            body[name] = value;
            assert_eq!(codes(body.clone()), [code], "{body}");
        }
    }

    #[test]
    fn a_query_is_the_one_that_was_written() {
        let typed = [("search", " Zoë "), ("program", "msc"), ("wants", "brochure"), ("state", "waiting")];
        let (query, errors) = ProspectQuery::parse(typed.into_iter().chain([("after", "12~a"), ("other", "x")]));
        assert!(errors.is_empty());
        assert_eq!(
            (query.search.as_str(), query.program, query.place()),
            ("Zoë", Some(Program::Masters), Some((12, "a")))
        );
        let written = query.to_query();
        assert_eq!(ProspectQuery::parse(written.iter().map(|(name, value)| (*name, value.as_str()))).0, query);

        let long = "x".repeat(201);
        let typed = [("search", long.as_str()), ("program", "phd"), ("wants", "x"), ("state", "x"), ("after", "~")];
        let (query, errors) = ProspectQuery::parse(typed);
        assert_eq!(query, ProspectQuery::default());
        assert_eq!(errors.iter().map(|error| error.path.as_str()).collect::<Vec<_>>(), typed.map(|(name, _)| name));
        assert_eq!(ProspectQuery::parse([("search", " "), ("program", "")]), (ProspectQuery::default(), Vec::new()));
    }

    #[test]
    fn a_prospect_is_in_one_state() {
        let waiting = Prospect {
            id: "1".into(),
            email: "zoe@example.org".into(),
            first_name: String::new(),
            program: Program::Bachelor,
            wants: Wants::default(),
            language: Language::En,
            created_at: 0,
            confirmed_at: None,
            applicant_id: None,
            application_id: None,
            application_listed: false,
        };
        let confirmed = Prospect { confirmed_at: Some(1), ..waiting.clone() };
        let applicant = Prospect { applicant_id: Some("a".into()), ..confirmed.clone() };
        let states = [waiting, confirmed, applicant].map(|prospect| prospect.state());
        assert_eq!(states, ProspectState::ALL);
        assert!(ProspectState::ALL.into_iter().all(|state| ProspectState::parse(state.as_str()) == Some(state)));
        assert!(Want::ALL.into_iter().all(|want| Want::parse(want.as_str()) == Some(want)));
    }
}
