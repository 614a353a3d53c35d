//! Referees: people whom an applicant names, and who tell us about the applicant without an account.

use super::account::{self, Email, needed, optional_name};
use super::body::{by, lines, required, wrong};
use super::documents::FileName;
use super::input::{FieldError, Input};
use super::language::Language;
use super::moments::{DAY, Millis};
use super::program::Program;
use super::questionnaire::Entry;
use super::sentence::Sentence;
use super::status::Stage;
use crate::{body, text};

/// Maximum size of a letter in bytes.
pub const MAX_LETTER_BYTES: usize = 10 * 1024 * 1024;
/// The days after the request on which a referee is reminded.
pub const REMINDER_DAYS: [i64; 2] = [7, 14];
/// Minimum number of days between the last mail to a referee and a reminder by hand.
pub const REMIND_AFTER_DAYS: i64 = 3;
const MAX_REASON_LENGTH: usize = 1000;

body! {
    /// A referee to be named.
    pub struct NewReferee {
        /// At most 100 characters, and nothing that looks like a web address.
        pub name: String = needed(text!("Name"), account::name),
        #[schema(value_type = String, format = Email)]
        pub email: Email = by(Email::parse),
        /// How they know the applicant; at most 100 characters.
        pub relationship: String = needed(text!("Relationship"), account::name),
        /// Where they work; at most 100 characters.
        #[schema(nullable = false)]
        pub organization: Option<String> = optional_name(text!("Organization"), account::name),
        /// Of the mails to them; without one, that of the applicant.
        #[schema(nullable = false)]
        pub language: Option<Language> = language,
        /// Whether the applicant waives the right to read the reference.
        pub waived: bool = required(answer, text!("Choose whether you waive your right to read the reference.")),
    }
}

body! {
    /// Why a referee gives no reference.
    pub struct Decline {
        /// At most 1,000 characters; only staff read it.
        #[schema(nullable = false)]
        pub reason: Option<String> = lines(text!("The reason"), MAX_REASON_LENGTH),
    }
}

/// Reads an optional yes or no, which a form sends as text.
fn answer(path: &str, input: Option<&Input>) -> Result<Option<bool>, FieldError> {
    match input {
        None => Ok(None),
        Some(Input::Bool(yes)) => Ok(Some(*yes)),
        Some(Input::Text(text)) if text.is_empty() => Ok(None),
        Some(Input::Text(text)) if text == "yes" || text == "no" => Ok(Some(text == "yes")),
        Some(_) => Err(wrong(path, "type", text!("Answer yes or no."))),
    }
}

fn language(path: &str, input: Option<&Input>) -> Result<Option<Language>, FieldError> {
    match input {
        None => Ok(None),
        Some(input) => Language::of(input)
            .map(Some)
            .ok_or_else(|| wrong(path, "unknown", text!("Choose a language from the list."))),
    }
}

/// How far a reference has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
pub enum RefereeState {
    /// Named, and not asked yet.
    Named,
    Asked,
    Received,
    Declined,
    /// The applicant removed a referee who had been asked.
    Removed,
}

impl RefereeState {
    pub const ALL: [RefereeState; 5] = [
        RefereeState::Named,
        RefereeState::Asked,
        RefereeState::Received,
        RefereeState::Declined,
        RefereeState::Removed,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            RefereeState::Named => "named",
            RefereeState::Asked => "asked",
            RefereeState::Received => "received",
            RefereeState::Declined => "declined",
            RefereeState::Removed => "removed",
        }
    }

    pub fn parse(text: &str) -> Option<RefereeState> {
        RefereeState::ALL.into_iter().find(|state| state.as_str() == text)
    }

    /// Returns the label for staff.
    pub fn label(self) -> &'static str {
        match self {
            RefereeState::Named => "Not asked yet",
            RefereeState::Asked => "Asked",
            RefereeState::Received => "Received",
            RefereeState::Declined => "Declined",
            RefereeState::Removed => "Removed by the applicant",
        }
    }

    /// Returns what it is called for applicants.
    pub fn words(self) -> Sentence {
        match self {
            RefereeState::Named => text!("Not asked yet"),
            RefereeState::Asked => text!("Asked"),
            RefereeState::Received => text!("Received"),
            RefereeState::Declined => text!("Declined"),
            RefereeState::Removed => text!("Removed"),
        }
    }
}

/// A referee of an application, and what they have told us.
#[derive(Debug, Clone, PartialEq)]
pub struct Referee {
    pub id: String,
    pub application_id: String,
    pub name: String,
    pub email: String,
    pub relationship: String,
    /// May be empty.
    pub organization: String,
    /// Of the mails to them.
    pub language: Language,
    /// Whether the applicant waived the right to read the reference.
    pub waived: bool,
    pub state: RefereeState,
    pub created_at: Millis,
    pub asked_at: Option<Millis>,
    /// When they were reminded last, by us or by hand.
    pub reminded_at: Option<Millis>,
    /// How many of [`REMINDER_DAYS`] are behind us.
    pub reminders: i64,
    /// When they first opened the link.
    pub opened_at: Option<Millis>,
    /// When the reference was received or declined.
    pub finished_at: Option<Millis>,
    /// Program and version of the questionnaire that they answer, once they have begun.
    pub questionnaire: Option<(Program, i64)>,
    pub answers: Entry,
    /// Why they declined; may be empty.
    pub reason: String,
    pub letter: Option<ReferenceLetter>,
}

/// A letter of a referee, checked and stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceLetter {
    pub name: FileName,
    /// Name of the file in the object storage.
    pub object: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
}

impl Referee {
    /// Returns when they can next be reminded by hand; `None` unless we wait for them.
    pub fn remind_from(&self) -> Option<Millis> {
        let asked_at = self.asked_at.filter(|_| self.state == RefereeState::Asked)?;
        Some(self.reminded_at.unwrap_or(asked_at).max(asked_at) + REMIND_AFTER_DAYS * DAY)
    }

    /// Whether the applicant may read it.
    pub fn is_open_to_applicant(&self) -> bool {
        !self.waived && self.state == RefereeState::Received
    }

    /// Whether a reference can still come from them, or has come.
    pub fn counts(&self) -> bool {
        matches!(self.state, RefereeState::Named | RefereeState::Asked | RefereeState::Received)
    }
}

/// Whether references are still of use to an application at this stage.
pub fn takes_references(stage: Stage) -> bool {
    stage == Stage::Draft || stage.is_undecided() || matches!(stage, Stage::Offered | Stage::Confirmed)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn codes(body: Value) -> Vec<String> {
        NewReferee::parse(&Input::from(body)).err().into_iter().flatten().map(|error| error.code).collect()
    }

    #[test]
    fn a_referee_has_a_name_an_address_and_a_relationship() {
        let good = json!({"name": " Demo Referee ", "email": "demo@example.org", "relationship": "Supervisor",
            "organization": "", "language": "es", "waived": "yes"});
        let referee = NewReferee::parse(&Input::from(good.clone())).unwrap();
        assert_eq!((referee.name.as_str(), referee.organization, referee.waived), ("Demo Referee", None, true));
        assert_eq!(referee.language, Some(Language::Es));
        assert_eq!(codes(json!({})), ["name.required", "email.required", "relationship.required", "waived.required"]);
        for (field, value, code) in [
            ("name", json!("see evil.example"), "name.address"),
            ("email", json!("demo"), "email.invalid"),
            ("relationship", json!("x".repeat(101)), "relationship.too_long"),
            ("language", json!("fr"), "language.unknown"),
            ("waived", json!("maybe"), "waived.type"),
            ("more", json!(1), "field.unknown"),
        ] {
            let mut body = good.clone();
            body[field] = value;
            assert_eq!(codes(body), [code], "{field}");
        }
    }

    #[test]
    fn a_referee_is_reminded_by_hand_after_some_days() {
        let mut referee = Referee {
            id: "1".into(),
            application_id: "a".into(),
            name: "Demo Referee".into(),
            email: "demo@example.org".into(),
            relationship: "Supervisor".into(),
            organization: String::new(),
            language: Language::En,
            waived: false,
            state: RefereeState::Named,
            created_at: 0,
            asked_at: None,
            reminded_at: None,
            reminders: 0,
            opened_at: None,
            finished_at: None,
            questionnaire: None,
            answers: Entry::new(),
            reason: String::new(),
            letter: None,
        };
        assert_eq!(referee.remind_from(), None);
        (referee.state, referee.asked_at) = (RefereeState::Asked, Some(DAY));
        assert_eq!(referee.remind_from(), Some(4 * DAY));
        referee.reminded_at = Some(8 * DAY);
        assert_eq!(referee.remind_from(), Some(11 * DAY));
        assert!(referee.counts() && !referee.is_open_to_applicant());
        referee.state = RefereeState::Received;
        assert_eq!((referee.remind_from(), referee.is_open_to_applicant()), (None, true));
        assert!(RefereeState::ALL.into_iter().all(|state| RefereeState::parse(state.as_str()) == Some(state)));
    }
}
