//! The status of an application: the wire values, what each one means to the applicant, and the one table of how an
//! application gets from stage to stage. [`decide`] is the only way to a new one; `docs/status.md` shows the table.

mod act;
pub mod diagram;
mod effect;
mod facts;
mod stage;
mod table;

pub use act::{Act, Actor, Who};
pub use effect::{Effect, Reminders};
pub use facts::{Ended, Facts, Guard, Outcome};
pub use stage::Stage;
pub use table::{Change, Refused, Rule, TABLE, To, decide, visible_to_applicant};

use serde::Serialize;

/// The wire value. `None` is what an account without an active application has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ApplicationStatus)]
pub enum Status {
    None,
    Incomplete,
    Scheduled,
    Accepted,
    Rejected,
    Enrolled,
    Deferred,
}

impl Status {
    pub const ALL: [Status; 7] = [
        Status::None,
        Status::Incomplete,
        Status::Scheduled,
        Status::Accepted,
        Status::Rejected,
        Status::Enrolled,
        Status::Deferred,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Status::None => "none",
            Status::Incomplete => "incomplete",
            Status::Scheduled => "scheduled",
            Status::Accepted => "accepted",
            Status::Rejected => "rejected",
            Status::Enrolled => "enrolled",
            Status::Deferred => "deferred",
        }
    }

    pub fn parse(text: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// What the status says to the applicant.
    pub fn words(self) -> Words {
        let words = |title, meaning, whose_turn| Words { title, meaning, whose_turn };
        match self {
            Status::None => words(
                "No application yet",
                "You have an account, and no application at the moment.",
                "It is your turn: start an application when you are ready.",
            ),
            Status::Incomplete => words(
                "In progress",
                "Your application is started and not yet sent. Only you can see your answers.",
                "It is your turn: complete your answers. You can stop and come back at any time.",
            ),
            Status::Scheduled => words(
                "Interview booked",
                "We have your application and will meet you for an interview.",
                "It is both our turns: we meet at the time you booked.",
            ),
            Status::Accepted => {
                words("Accepted", "We would like you to study with us.", "It is your turn: reply to our offer.")
            }
            Status::Rejected => {
                words("Not accepted", "We cannot offer you a place this time.", "Nothing is open. You may apply again.")
            }
            Status::Enrolled => words(
                "Enrolled",
                "You are a student of the institute.",
                "Nothing is open. We write to you before your intake starts.",
            ),
            Status::Deferred => words(
                "Deferred",
                "Your place is kept for a later intake.",
                "It is our turn: we write to you before that intake starts.",
            ),
        }
    }
}

/// A status in plain words.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    pub title: &'static str,
    pub meaning: &'static str,
    pub whose_turn: &'static str,
}

/// The finer step inside [`Status::Incomplete`] that every application starts with.
pub const STAGE_DRAFT: &str = Stage::Draft.as_str();
