//! Applications that are read and scored by several people.

use jiff::civil::Date;

use crate::moments::Millis;
use crate::program::Program;
use crate::rubric::ScoreSheet;
use crate::status::Stage;

/// Somebody who is asked to read an application, and what they say.
#[derive(Debug, Clone)]
pub struct Reading {
    pub application_id: String,
    pub reader_id: String,
    pub asked_by: String,
    pub asked_at: Millis,
    /// The last day on which it is expected.
    pub due_on: Option<Date>,
    pub sent: Option<SentReading>,
}

#[derive(Debug, Clone)]
pub struct SentReading {
    pub at: Millis,
    pub sheet: ScoreSheet,
}

/// An application as a committee goes through it.
#[derive(Debug, Clone)]
pub struct CommitteeEntry {
    pub application_id: String,
    pub first_name: String,
    pub last_name: String,
    pub reference: Option<String>,
    pub program: Program,
    pub stage: Stage,
    pub asked: i64,
    pub sent: i64,
    /// The mean of the scores that were sent, in thousandths; none where nobody has sent one.
    pub score: Option<i64>,
    /// How many recommend to accept, are not sure, and recommend to reject.
    pub recommended: [i64; 3],
    /// Whoever looks is asked to read it, and has not sent theirs.
    pub is_blind: bool,
}
