//! Applications read and scored by several people.

use jiff::civil::Date;

use crate::moments::Millis;
use crate::program::Program;
use crate::rubric::ScoreSheet;
use crate::status::Stage;

/// A request to read an application, and the reader's assessment.
#[derive(Debug, Clone)]
pub struct Reading {
    pub application_id: String,
    pub reader_id: String,
    pub asked_by: String,
    pub asked_at: Millis,
    /// The last day on which the reading is due.
    pub due_on: Option<Date>,
    pub sent: Option<SentReading>,
}

#[derive(Debug, Clone)]
pub struct SentReading {
    pub at: Millis,
    pub sheet: ScoreSheet,
}

/// An application as listed for the committee.
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
    /// The mean of the submitted scores, in thousandths; `None` if there are none.
    pub score: Option<i64>,
    /// Number of recommendations to accept, unsure, and to reject.
    pub recommended: [i64; 3],
    /// Whether the viewer is a reader of the application and has not sent their assessment yet.
    pub is_blind: bool,
}
