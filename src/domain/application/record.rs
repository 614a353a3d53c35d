//! An application as stored, and what it is queried by.

use jiff::civil::Date;

use super::{Answers, Section};
use crate::moments::{MINUTE, Millis};
use crate::program::Program;
use crate::status::{Act, Facts, Stage, Status, visible_to_applicant};

/// Identifies an application.
#[derive(Debug, Clone, Copy)]
pub enum ApplicationKey<'a> {
    Id(&'a str),
    /// The reference number.
    Reference(&'a str),
}

/// An application with its answers.
#[derive(Debug, Clone)]
pub struct Application {
    pub id: String,
    pub applicant_id: String,
    pub program: Program,
    pub stage: Stage,
    pub answers: Answers,
    /// Starts at 1 and increases with every save and every change of stage.
    pub revision: i64,
    /// Assigned at the first submission, and kept as long as it matches the program.
    pub reference: Option<String>,
    pub created_at: Millis,
    pub updated_at: Millis,
    /// When it was last submitted.
    pub submitted_at: Option<Millis>,
    /// When it was withdrawn or declined.
    pub archived_at: Option<Millis>,
    /// The latest release of a decision on it.
    pub released: Option<Release>,
}

impl Application {
    pub fn status(&self) -> Status {
        self.stage.status()
    }

    /// Adds the release of the current decision to the facts.
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

    /// Returns the application with all answers replaced.
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

/// A request by staff to change the application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRequest {
    pub id: String,
    pub application_id: String,
    /// The sections opened for editing.
    pub sections: Vec<Section>,
    pub message: String,
    /// The last day to make the changes.
    pub due_on: Date,
    pub created_at: Millis,
}

/// An application that has ended, and how.
#[derive(Debug, Clone)]
pub struct EndedApplication {
    pub application: Application,
    pub ended_at: Millis,
    pub act: Act,
    /// The stage before it ended.
    pub former: Option<Stage>,
}

impl EndedApplication {
    /// Returns the stage before it ended as its applicant saw it: a decision that was held then never showed.
    pub fn shown_former(&self) -> Option<Stage> {
        // What was imported has been decided elsewhere, and nothing was held here.
        let released = self.application.released.filter(|_| self.act != Act::ImportPast);
        let facts = released.map_or_else(Facts::default, |released| Facts {
            minutes_since_release: Some((self.ended_at - released.at).div_euclid(MINUTE)),
            former: Some(released.from),
            ..Facts::default()
        });
        self.former.map(|former| visible_to_applicant(former, &facts))
    }
}

/// The answers as submitted.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub application_id: String,
    /// Number of the submission, from 1.
    pub number: i64,
    pub program: Program,
    pub answers: Answers,
    pub taken_at: Millis,
}
