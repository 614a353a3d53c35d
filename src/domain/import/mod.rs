//! Imports: applicants and applications from a table, one application in each row.
//!
//! What a column can be for is in [`fields`], which column is for what in [`mapping`], and what a row means in [`row`].

mod fields;
mod mapping;
mod reading;
mod row;

pub use fields::{Field, Fields};
pub use mapping::{DateOrder, Mapping};
pub use row::{Checked, Outcome, RowOutline, ShownField};

use crate::moments::Millis;

/// Maximum number of rows, without the header.
pub const MAX_ROWS: usize = 5_000;
pub const MAX_COLUMNS: usize = 100;
/// Maximum number of characters in a heading; the rest is left out.
pub const MAX_HEADER: usize = 100;
/// Maximum number of characters in a cell.
pub const MAX_CELL: usize = 5_000;
/// Maximum number of bytes in a file.
pub const MAX_FILE: usize = 10 * 1024 * 1024;
pub const ROWS_ON_A_PAGE: i64 = 50;

/// Where the rows come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    Xlsx,
    /// A program sent them.
    Api,
}

impl Format {
    pub const ALL: [Format; 3] = [Format::Csv, Format::Xlsx, Format::Api];

    pub fn as_str(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Xlsx => "xlsx",
            Format::Api => "api",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Format::Csv => "CSV",
            Format::Xlsx => "XLSX",
            Format::Api => "API",
        }
    }

    pub fn parse(text: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.as_str() == text)
    }
}

/// A table as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub format: Format,
    pub headers: Vec<String>,
    /// Each row with its number and as many cells as there are headers. Empty rows are left out.
    pub rows: Vec<(i64, Vec<String>)>,
}

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Somebody has to say which column is for what.
    Mapping,
    Checking,
    Checked,
    Running,
    Done,
    Undoing,
    Undone,
}

impl State {
    pub const ALL: [State; 7] =
        [State::Mapping, State::Checking, State::Checked, State::Running, State::Done, State::Undoing, State::Undone];

    pub fn as_str(self) -> &'static str {
        match self {
            State::Mapping => "mapping",
            State::Checking => "checking",
            State::Checked => "checked",
            State::Running => "running",
            State::Done => "done",
            State::Undoing => "undoing",
            State::Undone => "undone",
        }
    }

    pub fn parse(text: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.as_str() == text)
    }

    /// Whether a job is working on it.
    pub fn is_busy(self) -> bool {
        matches!(self, State::Checking | State::Running | State::Undoing)
    }

    /// Whether its columns can be mapped.
    pub fn is_mappable(self) -> bool {
        matches!(self, State::Mapping | State::Checked)
    }
}

/// The state of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowState {
    Unchecked,
    Ready,
    /// Ready, with warnings.
    Warned,
    /// It has errors, and is not imported.
    Wrong,
    Imported,
    Undone,
    /// It was not undone because somebody has worked on it.
    Kept,
}

impl RowState {
    pub const ALL: [RowState; 7] = [
        RowState::Unchecked,
        RowState::Ready,
        RowState::Warned,
        RowState::Wrong,
        RowState::Imported,
        RowState::Undone,
        RowState::Kept,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            RowState::Unchecked => "unchecked",
            RowState::Ready => "ready",
            RowState::Warned => "warned",
            RowState::Wrong => "wrong",
            RowState::Imported => "imported",
            RowState::Undone => "undone",
            RowState::Kept => "kept",
        }
    }

    pub fn parse(text: &str) -> Option<RowState> {
        RowState::ALL.into_iter().find(|state| state.as_str() == text)
    }

    /// Returns the label for staff.
    pub fn label(self) -> &'static str {
        match self {
            RowState::Unchecked => "Not checked yet",
            RowState::Ready => "Ready",
            RowState::Warned => "Ready, with warnings",
            RowState::Wrong => "Errors",
            RowState::Imported => "Imported",
            RowState::Undone => "Undone",
            RowState::Kept => "Kept",
        }
    }
}

/// The number of rows in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// In all states.
    pub rows: i64,
    pub unchecked: i64,
    pub ready: i64,
    pub warned: i64,
    pub wrong: i64,
    pub imported: i64,
    pub undone: i64,
    pub kept: i64,
}

impl Counts {
    pub fn of(states: impl IntoIterator<Item = (RowState, i64)>) -> Counts {
        let mut counts = Counts::default();
        for (state, count) in states {
            counts.rows += count;
            *match state {
                RowState::Unchecked => &mut counts.unchecked,
                RowState::Ready => &mut counts.ready,
                RowState::Warned => &mut counts.warned,
                RowState::Wrong => &mut counts.wrong,
                RowState::Imported => &mut counts.imported,
                RowState::Undone => &mut counts.undone,
                RowState::Kept => &mut counts.kept,
            } += count;
        }
        counts
    }

    /// Returns how many rows can be imported.
    pub fn importable(self) -> i64 {
        self.ready + self.warned
    }
}

/// An import.
#[derive(Debug, Clone)]
pub struct Import {
    pub id: String,
    pub name: String,
    pub format: Format,
    pub headers: Vec<String>,
    pub mapping: Mapping,
    pub state: State,
    pub counts: Counts,
    pub created_at: Millis,
    /// Email of the member of staff.
    pub created_by: String,
    pub started_at: Option<Millis>,
    pub finished_at: Option<Millis>,
    pub undone_at: Option<Millis>,
}

impl Import {
    /// Returns how many rows are done, and of how many, while a job is working on it.
    pub fn progress(&self) -> Option<(i64, i64)> {
        let Counts { rows, unchecked, imported, undone, kept, .. } = self.counts;
        match self.state {
            State::Checking => Some((rows - unchecked, rows)),
            State::Running => Some((imported, imported + self.counts.importable())),
            State::Undoing => Some((undone + kept, undone + kept + imported)),
            _ => None,
        }
    }

    /// Whether it can be deleted: nothing that it brought in is there.
    pub fn is_deletable(&self) -> bool {
        !matches!(self.state, State::Running | State::Undoing) && self.counts.imported == 0 && self.counts.kept == 0
    }
}

/// Something to know about a row.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Problem {
    /// Key of the field; empty if it is about the row.
    pub field: String,
    /// Stable and machine-readable: `email.invalid`.
    pub code: String,
    /// One plain sentence for staff.
    pub message: String,
    /// It does not prevent the import.
    pub warning: bool,
}

/// A row of an import.
#[derive(Debug, Clone)]
pub struct Row {
    pub number: i64,
    /// `None` once they are deleted.
    pub cells: Option<Vec<String>>,
    pub state: RowState,
    pub problems: Vec<Problem>,
    /// What was imported.
    pub application_id: Option<String>,
    /// Name of the applicant, once imported.
    pub name: Option<String>,
    /// Reference number of the application, once imported.
    pub reference: Option<String>,
}

/// Which rows of an import to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Show {
    #[default]
    All,
    Wrong,
    Warned,
    Ready,
    Imported,
    Kept,
}

impl Show {
    pub const ALL: [Show; 6] = [Show::All, Show::Wrong, Show::Warned, Show::Ready, Show::Imported, Show::Kept];

    pub fn as_str(self) -> &'static str {
        self.state().map_or("all", RowState::as_str)
    }

    pub fn parse(text: &str) -> Option<Show> {
        Show::ALL.into_iter().find(|show| show.as_str() == text)
    }

    pub fn label(self) -> &'static str {
        self.state().map_or("All", RowState::label)
    }

    /// Returns the state of the rows; `None` for all.
    pub fn state(self) -> Option<RowState> {
        match self {
            Show::All => None,
            Show::Wrong => Some(RowState::Wrong),
            Show::Warned => Some(RowState::Warned),
            Show::Ready => Some(RowState::Ready),
            Show::Imported => Some(RowState::Imported),
            Show::Kept => Some(RowState::Kept),
        }
    }

    /// Returns how many rows it shows.
    pub fn count(self, counts: &Counts) -> i64 {
        match self {
            Show::All => counts.rows,
            Show::Wrong => counts.wrong,
            Show::Warned => counts.warned,
            Show::Ready => counts.ready,
            Show::Imported => counts.imported,
            Show::Kept => counts.kept,
        }
    }
}

/// A page of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowQuery {
    pub show: Show,
    /// Number of the last row of the page before; 0 for the first page.
    pub after: i64,
}

#[derive(Debug, Clone)]
pub struct RowPage {
    pub rows: Vec<Row>,
    /// The `after` of the next page.
    pub next: Option<i64>,
}

/// Where an application comes from.
#[derive(Debug, Clone)]
pub struct ImportedFrom {
    pub import_id: String,
    pub import_name: String,
    /// Number of its row.
    pub number: i64,
    /// Its number in the former system.
    pub former_reference: Option<String>,
}
