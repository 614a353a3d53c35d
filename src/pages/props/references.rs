//! The referees of an application, and what a referee is asked for.

use serde::Serialize;

use super::documents::ReceivedSoFar;
use crate::page::FormState;
use domain::questionnaire::{LetterRule, QuestionSet};
use domain::referee::RefereeState;
use domain::sentence::Sentence;

/// The applicant's page.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReferencesProps {
    /// Null if no references are asked for, and without an application.
    pub asked: Option<AskedReferences>,
    /// Where to start an application, if there is none.
    pub start_href: Option<String>,
    /// Whether the application could not be loaded: it is unknown whether there is one.
    pub load_failed: bool,
    /// The form to name a referee; its error may also be that of another form of the page.
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AskedReferences {
    /// How many are needed, and how many can be named.
    pub count_text: Sentence,
    /// What referees do; null if no more are asked for.
    pub what_text: Option<Sentence>,
    /// Null if they are of no more use.
    pub progress: Option<ReceivedSoFar>,
    /// First named first.
    pub referees: Vec<RefereeEntry>,
    /// Whether another one can be named.
    pub can_name: bool,
    /// Whether there are as many as are needed, so that few name another one.
    pub is_enough: bool,
    /// Whether we wait for the applicant's email to be confirmed before we write to anybody.
    pub waits_for_email: bool,
    /// The application, while it can be changed.
    pub application_href: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RefereeEntry {
    pub id: String,
    pub name: String,
    pub relationship: String,
    /// May be empty.
    pub organization: String,
    pub email: String,
    pub state: RefereeState,
    /// The state, as applicants see it.
    pub word: Sentence,
    /// What happens next.
    pub next: Sentence,
    /// Whether the applicant waived the right to read the reference.
    pub waived: bool,
    pub asked_text: Option<Sentence>,
    pub reminded_text: Option<Sentence>,
    /// When the reference was received or declined.
    pub finished_text: Option<Sentence>,
    /// Whether they can be asked or reminded now.
    pub can_ask: bool,
    pub can_remove: bool,
    /// What the reference says, if the applicant may read it.
    pub says: Option<ReferenceText>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReferenceText {
    pub answers: Vec<ReferenceAnswer>,
    pub letter: Option<LetterFile>,
    /// Where to download the letter.
    pub letter_href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReferenceAnswer {
    pub question: String,
    pub answer: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LetterFile {
    pub name: String,
    /// `340 KB`
    pub size_text: String,
}

/// The referee's page.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReferenceProps {
    /// The address of the page's forms, with the token of the link.
    pub action: String,
    pub state: ReferenceLinkState,
    /// The applicant's name.
    pub applicant: String,
    pub program_name: Sentence,
    /// The referee's name.
    pub referee: String,
    /// Whether the applicant waived the right to read the reference.
    pub waived: bool,
    /// What referees are asked.
    pub questionnaire: QuestionSet,
    pub letter_rule: LetterRule,
    /// The letter that was uploaded.
    pub letter: Option<LetterFile>,
    /// File name extensions, for the file dialog.
    pub accept: &'static str,
    pub max_megabytes: usize,
    /// When it was sent or declined.
    pub finished_text: Option<Sentence>,
    /// The answers so far, and those of a form that comes back.
    pub form: FormState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ReferenceLinkState {
    Open,
    Received,
    Declined,
    /// It is no longer needed.
    Over,
}
