//! References: whom applicants name, what referees send through their link, and who reads it.
//!
//! How many are needed and what referees are asked is part of the program's questionnaire. Applicants learn that a
//! reference came, and read it only if they did not waive the right to.

mod applicants;
mod by_link;
mod office;
mod requests;

use std::ops::Range;
use std::sync::Arc;

use crate::App;
use crate::error::{Error, Refusal};
use crate::ports::{StorageError, StoredBytes};
use domain::application::{Application, Elsewhere};
use domain::paper::Fact;
use domain::program::Program;
use domain::questionnaire::{Entry, LetterRule, QuestionSet, References};
use domain::referee::{Referee, RefereeState, ReferenceLetter};

pub use applicants::Asked;
pub use office::OfficeReferences;

/// Folder of letters in the storage.
pub(crate) const REFERENCES: &str = "references";

/// An application's referees, for its applicant.
#[derive(Debug, Clone)]
pub struct ReferencesView {
    pub rules: References,
    /// Without removed ones, in the order in which they were named. What the applicant may not read is not in it.
    pub references: Vec<Reference>,
    /// Whether the applicant's address is confirmed. Nobody is asked before it is.
    pub email_confirmed: bool,
    /// Whether referees can still be named, asked and removed.
    pub open: bool,
    /// Whether the application is submitted, so that referees are asked when they are named.
    pub submitted: bool,
}

impl ReferencesView {
    /// How many more can be named.
    pub fn room(&self) -> i64 {
        (self.rules.most - counted(self.referees())).max(0)
    }

    /// How far they are.
    pub fn summary(&self) -> ReferencesSummary {
        ReferencesSummary::of(self.rules.needed, self.referees())
    }

    fn referees(&self) -> impl Iterator<Item = &Referee> + Clone {
        self.references.iter().map(|reference| &reference.referee)
    }
}

/// How far an application's references are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferencesSummary {
    pub needed: i64,
    /// Named and not asked yet.
    pub named: i64,
    /// Asked, and waited for.
    pub asked: i64,
    pub received: i64,
}

impl ReferencesSummary {
    fn of<'a>(needed: i64, referees: impl Iterator<Item = &'a Referee> + Clone) -> ReferencesSummary {
        let count = |state| referees.clone().filter(|referee| referee.state == state).count() as i64;
        ReferencesSummary {
            needed,
            named: count(RefereeState::Named),
            asked: count(RefereeState::Asked),
            received: count(RefereeState::Received),
        }
    }
}

/// A referee, and what they say.
#[derive(Debug, Clone)]
pub struct Reference {
    pub referee: Referee,
    /// Questions and answers in words; they and the letter are there only once the reference was received.
    pub answers: Vec<Fact>,
}

impl Reference {
    /// A referee without what they say.
    fn unread(referee: Referee) -> Reference {
        Reference { referee: Referee { answers: Entry::new(), letter: None, ..referee }, answers: Vec::new() }
    }
}

/// What a referee's link leads to.
#[derive(Debug, Clone)]
pub struct OpenReference {
    pub referee: Referee,
    /// Full name of the applicant.
    pub applicant: String,
    pub program: Program,
    pub rules: References,
    /// The questions for this referee.
    pub set: QuestionSet,
    pub state: LinkState,
}

/// What can be done with a referee's link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkState {
    Open,
    Received,
    Declined,
    /// The reference is no longer needed.
    Over,
}

/// How many referees count towards the number that can be named.
fn counted<'a>(referees: impl Iterator<Item = &'a Referee>) -> i64 {
    referees.filter(|referee| referee.counts()).count() as i64
}

/// The rules of a program that asks for no references any more, for referees who were asked before.
fn no_rules() -> References {
    References { needed: 0, most: 0, letter: LetterRule::Optional, questions: Vec::new() }
}

impl App {
    /// How far the references of an application are; `None` if none are asked for and none were named.
    pub async fn references_summary(&self, application: &Application) -> Result<Option<ReferencesSummary>, Error> {
        let set = self.reference_set(application).await?;
        let referees = self.store.referees(&application.id).await?;
        if set.references.is_none() && referees.iter().all(|referee| referee.state == RefereeState::Removed) {
            return Ok(None);
        }
        Ok(Some(ReferencesSummary::of(set.references_needed(), referees.iter())))
    }

    /// What the applicant still has to do elsewhere than in the sections, before the application can be submitted with
    /// these questions.
    pub async fn elsewhere(&self, application: &Application, set: &QuestionSet) -> Result<Elsewhere, Error> {
        let unsent = self.unsent_files(application, set).await?;
        let referees = match set.references_needed() {
            0 => 0,
            needed => (needed - counted(self.store.referees(&application.id).await?.iter())).max(0),
        };
        Ok(Elsewhere { unsent, referees })
    }

    /// Reads a letter of a referee.
    ///
    /// # Errors
    /// [`Refusal::RefereeNotFound`] for one that the storage has lost; storage errors.
    pub async fn letter_bytes(&self, letter: &ReferenceLetter, range: Range<u64>) -> Result<StoredBytes, Error> {
        match self.storage.get(&letter.object, range).await {
            Err(StorageError::Missing) => {
                tracing::error!(object = letter.object, "a letter of a referee is not in the storage");
                Err(Refusal::RefereeNotFound.into())
            }
            found => Ok(found?),
        }
    }

    /// The questionnaire that says what referees are asked for: the current one while the application can be changed,
    /// otherwise the one with which it was submitted.
    pub(crate) async fn reference_set(&self, application: &Application) -> Result<Arc<QuestionSet>, Error> {
        if application.stage.is_editable() {
            return Ok(self.question_sets().await?.of(application.program).clone());
        }
        match self.store.references_version(&application.id).await? {
            Some(version) => self.questions_at(application.program, version).await,
            None => Ok(Arc::default()),
        }
    }

    /// The questions that a referee answers: of the version they have begun with, else of the application.
    async fn set_for(&self, referee: &Referee, application: &Application) -> Result<(References, QuestionSet), Error> {
        let set = match referee.questionnaire {
            Some((program, version)) => self.questions_at(program, version).await?,
            None => self.reference_set(application).await?,
        };
        Ok((set.references.clone().unwrap_or_else(no_rules), set.for_referees()))
    }

    /// A referee with what they say; what they have only begun to write is theirs.
    pub(crate) async fn reference(&self, referee: Referee, application: &Application) -> Result<Reference, Error> {
        if referee.state == RefereeState::Received {
            let answers = self.set_for(&referee, application).await?.1.in_words(&referee.answers);
            return Ok(Reference { referee, answers });
        }
        Ok(Reference::unread(referee))
    }
}
