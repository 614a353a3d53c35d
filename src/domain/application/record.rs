//! An application as it is stored, and what is asked of it.

use jiff::civil::Date;

use super::{Answers, Section};
use crate::moments::{MINUTE, Millis};
use crate::program::Program;
use crate::status::{Act, Facts, Stage, Status};

/// How an application is looked up.
#[derive(Debug, Clone, Copy)]
pub enum ApplicationKey<'a> {
    Id(&'a str),
    /// The reference number.
    Reference(&'a str),
}

/// An application and its answers.
#[derive(Debug, Clone)]
pub struct Application {
    pub id: String,
    pub applicant_id: String,
    pub program: Program,
    pub stage: Stage,
    pub answers: Answers,
    /// Counts up with every save and every change of stage, from 1.
    pub revision: i64,
    /// Given at the first submission, and kept as long as it tells the program.
    pub reference: Option<String>,
    pub created_at: Millis,
    pub updated_at: Millis,
    /// The latest submission.
    pub submitted_at: Option<Millis>,
    /// Withdrawn or declined.
    pub archived_at: Option<Millis>,
    /// The latest release of a decision on it.
    pub released: Option<Release>,
}

impl Application {
    pub fn status(&self) -> Status {
        self.stage.status()
    }

    /// The same facts, with what is known of the release of the decision that it is at.
    pub fn released_facts(&self, facts: Facts, now: Millis) -> Facts {
        match self.released {
            Some(released) if matches!(self.stage, Stage::Offered | Stage::Rejected) => Facts {
                minutes_since_release: Some((now - released.at).div_euclid(MINUTE)),
                former: facts.former.or(Some(released.from)),
                ..facts
            },
            _ => facts,
        }
    }

    /// The copy after a save of all answers.
    pub fn saved(&self, program: Program, answers: Answers, now: Millis) -> Application {
        Application {
            id: self.id.clone(),
            applicant_id: self.applicant_id.clone(),
            program,
            stage: self.stage,
            answers,
            revision: self.revision + 1,
            reference: self.reference.clone(),
            created_at: self.created_at,
            updated_at: now,
            submitted_at: self.submitted_at,
            archived_at: self.archived_at,
            released: self.released,
        }
    }
}

/// When a decision was released, and the stage before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    pub at: Millis,
    pub from: Stage,
}

/// What staff ask an applicant to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRequest {
    pub id: String,
    pub application_id: String,
    /// Those that are open for it.
    pub sections: Vec<Section>,
    pub message: String,
    /// The last day for it.
    pub due_on: Date,
    pub created_at: Millis,
}

/// An application that is over, and how it ended.
#[derive(Debug, Clone)]
pub struct EndedApplication {
    pub application: Application,
    pub ended_at: Millis,
    pub act: Act,
    /// Where it was before.
    pub former: Option<Stage>,
}

/// The answers as they were at a submission.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub application_id: String,
    /// Counts the submissions of the application, from 1.
    pub number: i64,
    pub program: Program,
    pub answers: Answers,
    pub taken_at: Millis,
}
