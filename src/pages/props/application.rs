//! The application: its form, the check of the answers, and what follows the submission.

use serde::Serialize;

use super::auth::AuthDialogProps;
use super::fee::FeeLink;
use super::program::{ProgramName, Titled};
use super::schedule::ToldTime;
use crate::page::{FormState, Typed};
use domain::account::Profile;
use domain::application::{Answers, ApplicationData, ChangeRequest, Missing, MissingOn, Section, SectionStates};
use domain::documents::{QuestionFile, SlotKind};
use domain::moments;
use domain::questionnaire::QuestionSet;
use domain::sentence::Sentence;
use domain::status::{Stage, Status};

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ApplicationCopy {
    pub id: String,
    pub revision: i64,
    pub status: Status,
    pub stage: &'static str,
    pub data: ApplicationData,
    pub sections: SectionStates,
    /// "Saved 14:02" in the applicant's zone, or null if nothing was saved yet.
    pub saved_text: Option<Sentence>,
    pub suggested: Suggested,
}

/// What the form shows instead of defaults until the applicant has answered, based on what they said when they
/// registered. It does not count as an answer until its section is saved.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Suggested {
    /// Whether neither Yes nor No is chosen for "US citizen": the applicant lives elsewhere.
    pub no_citizenship: bool,
    /// The state the applicant lives in.
    pub state: Option<String>,
}

impl Suggested {
    pub fn of(answers: &Answers, profile: &Profile) -> Suggested {
        let is_open = |path: &str| !answers.is_said(path);
        Suggested {
            no_citizenship: profile.country != "US" && is_open("personalInfo.isUSCitizen"),
            state: profile.state.clone().filter(|_| is_open("personalInfo.state")),
        }
    }
}

impl ApplicationCopy {
    /// For a user who is no longer signed in: nothing but what their form says.
    pub fn unknown(form: &FormState) -> ApplicationCopy {
        ApplicationCopy {
            id: String::new(),
            revision: match form.values.get("revision") {
                Some(Typed::One(revision)) => revision.parse().unwrap_or(1),
                _ => 1,
            },
            status: Stage::Draft.status(),
            stage: Stage::Draft.as_str(),
            data: ApplicationData::default(),
            sections: SectionStates::of(&Answers::default()),
            saved_text: None,
            suggested: Suggested::default(),
        }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChangesAsked {
    pub sections: Vec<Section>,
    pub message: String,
    /// "Wednesday, May 20, 2026"
    pub due_text: Sentence,
}

impl From<&ChangeRequest> for ChangesAsked {
    fn from(request: &ChangeRequest) -> Self {
        ChangesAsked {
            sections: request.sections.clone(),
            message: request.message.clone(),
            due_text: moments::long_date(request.due_on),
        }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SentApplication {
    pub reference: Option<String>,
    pub submitted_text: Option<Sentence>,
    pub can_unsubmit: bool,
    pub can_withdraw: bool,
    /// Where to go while it waits for the application fee.
    pub fee: Option<FeeLink>,
    /// Identifies the act, so that a form sent twice does it once.
    pub idempotency_key: String,
    /// The form of an act that comes back.
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ApplicationProps {
    pub info: ProgramName,
    /// The section whose questions are on the page; null on the page that lists them.
    pub section: Option<Section>,
    /// Whether the section was opened from "Check your answers" and leads back there.
    pub from_check: bool,
    /// null if it could not be loaded: the page then offers Retry and never a new start.
    pub application: Option<ApplicationCopy>,
    /// What is not answered yet, for the list of sections; empty elsewhere.
    pub missing: Vec<MissingAnswer>,
    /// How many referees are still to be named; null if the program asks for no references.
    pub referees_lacking: Option<i64>,
    /// What staff ask the applicant to change after the submission: only these sections are open.
    pub changes: Option<ChangesAsked>,
    /// Set when the answers are final and can only be read: what the applicant can do instead.
    pub sent: Option<SentApplication>,
    /// What staff ask the applicants of the program; version 0 has no questions.
    pub questionnaire: QuestionSet,
    /// A form post that comes back (no JavaScript), or null. Names are the answers' paths:
    /// `employment.currentEmployer.hoursPerWeek`, `employment.previousEmployers.0.name`.
    pub form: Option<FormState>,
    /// The paths of the answers in which a form post and a newer revision differ; `form` has one value, `application`
    /// the other.
    pub conflict: Option<Vec<String>>,
    /// Set when the applicant's active application is for the other program.
    pub other_program: Option<ProgramName>,
    /// The login dialog, when nobody is signed in.
    pub dialog: Option<AuthDialogProps>,
}

/// A question that is asked but not answered.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MissingAnswer {
    pub path: String,
    pub section: Section,
    pub sentence: Sentence,
    /// Where it is answered, if not in the form.
    pub href: Option<String>,
}

impl From<Missing> for MissingAnswer {
    fn from(missing: Missing) -> Self {
        let Missing { path, section, sentence, elsewhere } = missing;
        let href = elsewhere.and_then(|page| match page {
            MissingOn::Documents(key) => Some(crate::documents::href(SlotKind::Question(QuestionFile::of(&key)?))),
            MissingOn::References => Some(crate::references::PATH.to_owned()),
        });
        MissingAnswer { path, section, sentence, href }
    }
}

/// "Check your answers"
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CheckProps {
    pub info: ProgramName,
    pub revision: i64,
    /// Identifies the submission, so that a form sent twice submits once.
    pub idempotency_key: String,
    pub data: ApplicationData,
    pub sections: SectionStates,
    /// What must be answered first, in the order of the form.
    pub missing: Vec<MissingAnswer>,
    /// Whether the submission asks the referees who have been named.
    pub asks_referees: bool,
    pub changes: Option<ChangesAsked>,
    /// What staff ask the applicants of the program; version 0 has no questions.
    pub questionnaire: QuestionSet,
    /// What the application fee will be, if there is one.
    pub fee: Option<Sentence>,
    pub declaration: Sentence,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ThankYouProps {
    pub program_name: Sentence,
    pub reference: String,
    pub submitted_text: Sentence,
    /// Where our mails go.
    pub email: String,
    pub steps: Vec<Titled>,
    pub application_href: String,
    /// Where to go while the application waits for its fee.
    pub fee: Option<FeeLink>,
    /// Documents still to be sent; required ones first.
    pub documents: Vec<WantedDocument>,
    /// Where the references are, if some are still to come.
    pub references: Option<Sentence>,
    /// The interview that has been booked since.
    pub interview: Option<ToldTime>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WantedDocument {
    pub href: String,
    pub label: Sentence,
    /// Whether it is required for a decision.
    pub required: bool,
}

/// An application that is over, as it was submitted.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PastApplicationProps {
    pub info: ProgramName,
    /// "Withdrawn on Monday, May 4, 2026"
    pub ended_text: Sentence,
    pub submitted_text: Option<Sentence>,
    pub reference: Option<String>,
    pub data: ApplicationData,
    /// What staff ask the applicants of the program; version 0 has no questions.
    pub questionnaire: QuestionSet,
}
