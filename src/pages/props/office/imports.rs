//! Imports of applicants and applications.

use serde::Serialize;

use super::Choice;
use super::dossier::Line;
use crate::page::FormState;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminImportsProps {
    /// Newest first.
    pub imports: Vec<ImportListRow>,
    /// What the columns of a file can be for.
    pub groups: Vec<ImportFieldGroup>,
    /// Limits of a file.
    pub max_rows: usize,
    pub max_megabytes: usize,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImportListRow {
    pub href: String,
    pub name: String,
    #[cfg_attr(test, ts(type = "'mapping' | 'checking' | 'checked' | 'running' | 'done' | 'undoing' | 'undone'"))]
    pub state: &'static str,
    pub state_text: &'static str,
    /// CSV, XLSX or API.
    pub format: &'static str,
    pub rows: i64,
    pub imported: i64,
    pub created_text: Sentence,
    /// Email of the member of staff.
    pub created_by: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportFieldGroup {
    pub title: String,
    pub fields: Vec<ImportFieldChoice>,
}

/// Something that a column can be for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportFieldChoice {
    pub key: String,
    pub label: String,
    /// What its cells can say.
    pub hint: String,
    pub required: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminImportProps {
    pub href: String,
    pub name: String,
    /// CSV, XLSX or API.
    pub format: &'static str,
    pub rows: i64,
    #[cfg_attr(test, ts(type = "'mapping' | 'checking' | 'checked' | 'running' | 'done' | 'undoing' | 'undone'"))]
    pub state: &'static str,
    pub state_text: &'static str,
    /// The form about its columns, while that is open.
    pub columns: Option<ImportColumnsForm>,
    /// While a job is working on it.
    pub progress: Option<ImportProgress>,
    /// The number of rows in each state.
    pub figures: Vec<ImportFigure>,
    /// How it is read, and what was done when.
    pub facts: Vec<Line>,
    /// What starting it would do; null if it cannot be started.
    pub start: Option<ImportStartForm>,
    /// What undoing it would do; null if it cannot be undone.
    pub undo: Option<ImportUndoForm>,
    /// The form about its columns, if it can be opened.
    pub columns_href: Option<String>,
    /// Its rows; null before they are checked.
    pub rows_href: Option<String>,
    /// Rows with errors, as a file.
    pub errors_href: Option<String>,
    /// What it brought in, in the list of applications.
    pub list_href: Option<String>,
    pub may_delete: bool,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImportColumnsForm {
    pub columns: Vec<ImportColumn>,
    pub groups: Vec<ImportFieldGroup>,
    /// Fields that can have a value for rows that say nothing.
    pub values: Vec<ImportValueField>,
    /// Orders in which days can be written.
    pub date_orders: Vec<Choice>,
    pub dates: &'static str,
    pub tag: String,
    /// Whether the applicants are written to.
    pub tell: bool,
    /// Leaves everything as it is, if the rows have been checked before.
    pub close_href: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportColumn {
    /// Of the input: `columns.3`
    pub name: String,
    pub header: String,
    /// What its first rows say.
    pub samples: Vec<String>,
    /// Key of the field that it is for, or empty.
    pub field: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportValueField {
    /// Of the input: `values.outcome`
    pub name: String,
    pub label: String,
    pub value: String,
    /// `None` for countries, which the client knows.
    pub options: Option<Vec<Choice>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportProgress {
    pub done: i64,
    pub of: i64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportFigure {
    #[cfg_attr(test, ts(type = "'ready' | 'warned' | 'wrong' | 'imported' | 'undone' | 'kept'"))]
    pub state: &'static str,
    pub label: &'static str,
    pub count: i64,
    /// The rows that it counts.
    pub href: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportStartForm {
    /// The number of rows that would be imported.
    pub rows: i64,
    /// The number of rows with errors.
    pub wrong: i64,
    /// Whether the applicants are written to.
    pub tell: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImportUndoForm {
    /// The number of applications that it brought in.
    pub imported: i64,
    /// How many of them somebody has worked on.
    pub worked_on: i64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminImportRowsProps {
    /// Of the import.
    pub name: String,
    pub href: String,
    /// Filters, each with the number of its rows.
    pub tabs: Vec<ImportRowsTab>,
    pub rows: Vec<ImportRowLine>,
    /// What to say if there are none.
    pub empty: &'static str,
    /// The row that is shown with all its fields.
    pub open: Option<OpenImportRow>,
    pub first_href: Option<String>,
    pub next_href: Option<String>,
    /// Rows with errors, as a file.
    pub errors_href: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportRowsTab {
    pub label: &'static str,
    pub href: String,
    pub count: i64,
    pub current: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImportRowLine {
    pub number: i64,
    /// Shows all its fields.
    pub href: String,
    /// Whether it is the one shown.
    pub current: bool,
    pub name: String,
    pub email: String,
    pub program: String,
    pub outcome: String,
    /// Of the application, once imported.
    pub reference: String,
    #[cfg_attr(test, ts(type = "'unchecked' | 'ready' | 'warned' | 'wrong' | 'imported' | 'undone' | 'kept'"))]
    pub state: &'static str,
    pub state_text: &'static str,
    pub problems: Vec<ImportProblem>,
    /// What was imported.
    pub application_href: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportProblem {
    /// What the column is called, or else the field; empty if it is about the whole row.
    pub column: String,
    pub message: String,
    /// It does not prevent the import.
    pub warning: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OpenImportRow {
    pub number: i64,
    #[cfg_attr(test, ts(type = "'unchecked' | 'ready' | 'warned' | 'wrong' | 'imported' | 'undone' | 'kept'"))]
    pub state: &'static str,
    pub state_text: &'static str,
    pub reference: Option<String>,
    pub application_href: Option<String>,
    /// What is about the whole row.
    pub problems: Vec<ImportProblem>,
    /// Empty once its cells are deleted.
    pub fields: Vec<ImportRowField>,
    pub close_href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportRowField {
    pub label: String,
    /// The heading of its column; null if it is the same for every row.
    pub column: Option<String>,
    pub sent: String,
    /// As it was understood; null if it was not.
    pub read: Option<String>,
    pub problems: Vec<ImportProblem>,
}
