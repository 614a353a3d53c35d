//! The status of an application: the values sent, what each one means to the applicant, and the single table of how an
//! application gets from stage to stage. Only [`decide`] computes a new one; `docs/status.md` shows the table.

mod act;
pub mod diagram;
mod effect;
mod facts;
mod stage;
mod table;

pub use act::{Act, ActorKind, Who};
pub use effect::{Effect, Reminders};
pub use facts::{Ended, Facts, GRACE as UNDO_MINUTES, Guard, Outcome};
pub use stage::Stage;
pub use table::{Change, Refused, Rule, TABLE, To, decide, visible_to_applicant};

use serde::Serialize;

use crate::sentence::Sentence;

/// Status of an application as sent by the API. `none` for an account without an active application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema, ts_rs::TS)]
#[ts(rename = "ApplicationStatus")]
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
}

/// What a stage means to the applicant, in plain words.
#[derive(Debug, Clone)]
pub struct Words {
    pub title: Sentence,
    pub meaning: Sentence,
    pub whose_turn: Sentence,
}
