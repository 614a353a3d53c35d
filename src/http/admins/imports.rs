//! `/admins/imports…`: applicants and applications from a file, or from rows that a program sends. What is checked,
//! imported and undone is so in the background: the import says how far it is.

use std::collections::BTreeMap;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::json::{self, LargeJson, StrictJson};
use crate::problem::{Problem, kind};
use app::Refusal;
use app::office::imports::{ImportMapping, ImportStart, ImportUndo, NewImport};
use domain::import::{self, DateOrder, MAX_FILE, RowQuery, Show};
use domain::input::FieldError;
use domain::moments::rfc3339;
use domain::sentence::Sentence;
use wire::NotWhole;

/// What a file may be announced as. Its bytes tell what it is.
const FILE_TYPES: [&str; 3] =
    ["text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/octet-stream"];

/// An import of applicants and applications: each row is one application.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Import {
    id: String,
    name: String,
    format: &'static str,
    state: &'static str,
    /// Headings of the columns; for rows that a program sent, the keys of their fields.
    headers: Vec<String>,
    mapping: SavedMapping,
    counts: ImportCounts,
    /// Null unless it is `checking`, `running` or `undoing`.
    #[schema(required)]
    progress: Option<ImportProgress>,
    #[schema(format = DateTime)]
    created_at: String,
    /// Email of the member of staff.
    created_by: String,
    #[schema(required, format = DateTime)]
    started_at: Option<String>,
    #[schema(required, format = DateTime)]
    finished_at: Option<String>,
    #[schema(required, format = DateTime)]
    undone_at: Option<String>,
}

impl From<import::Import> for Import {
    fn from(found: import::Import) -> Self {
        Import {
            progress: found.progress().map(|(done, of)| ImportProgress { done, of }),
            id: found.id,
            name: found.name,
            format: found.format.as_str(),
            state: found.state.as_str(),
            headers: found.headers,
            mapping: found.mapping.into(),
            counts: found.counts.into(),
            created_at: rfc3339(found.created_at),
            created_by: found.created_by,
            started_at: found.started_at.map(rfc3339),
            finished_at: found.finished_at.map(rfc3339),
            undone_at: found.undone_at.map(rfc3339),
        }
    }
}

/// What each column is for. While the `state` is `mapping`, it is a guess.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SavedImportMapping)]
pub struct SavedMapping {
    /// The key of a field for each column; null for one that is left out.
    columns: Vec<Option<String>>,
    /// By the key of their fields: what is the same in every row.
    values: BTreeMap<String, String>,
    dates: DateOrder,
    /// Put on every application.
    #[schema(required)]
    tag: Option<String>,
    /// Whether applicants are told by mail about their draft or submission.
    tell: bool,
}

impl From<import::Mapping> for SavedMapping {
    fn from(mapping: import::Mapping) -> Self {
        let import::Mapping { columns, values, dates, tag, tell } = mapping;
        SavedMapping { columns, values, dates, tag, tell }
    }
}

/// Numbers of rows.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportCounts {
    /// In all states.
    rows: i64,
    unchecked: i64,
    ready: i64,
    /// Ready, with warnings.
    warned: i64,
    /// With errors; these are not imported.
    wrong: i64,
    imported: i64,
    undone: i64,
    /// Not undone, because somebody has worked on them.
    kept: i64,
}

impl From<import::Counts> for ImportCounts {
    fn from(counts: import::Counts) -> Self {
        let import::Counts { rows, unchecked, ready, warned, wrong, imported, undone, kept } = counts;
        ImportCounts { rows, unchecked, ready, warned, wrong, imported, undone, kept }
    }
}

/// How far an import is.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportProgress {
    /// Rows that are done.
    done: i64,
    /// Rows that are to be done in all.
    of: i64,
}

/// Newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Imports {
    imports: Vec<Import>,
}

/// What a column can be for.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportField {
    /// Its name in mappings and in rows: `email`, `education.country`.
    key: String,
    label: String,
    /// The heading that several fields share.
    group: String,
    /// What its cells can say.
    hint: String,
    /// Whether every import needs it.
    required: bool,
}

impl From<import::Field> for ImportField {
    fn from(field: import::Field) -> Self {
        let import::Field { key, label, group, hint, required, .. } = field;
        ImportField { key, label, group, hint, required }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ImportFields {
    fields: Vec<ImportField>,
}

/// Something to know about a row.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportProblem {
    /// Key of the field; empty if it is about the row.
    field: String,
    /// Stable and machine-readable: `email.invalid`.
    code: String,
    /// One plain sentence.
    message: String,
    /// Whether the row can be imported nevertheless.
    warning: bool,
}

impl From<import::Problem> for ImportProblem {
    fn from(problem: import::Problem) -> Self {
        let import::Problem { field, code, message, warning } = problem;
        ImportProblem { field, code, message, warning }
    }
}

/// A row of an import.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportRow {
    /// As the sheet counts: its header is row 1. Rows that a program sent are counted from 1.
    number: i64,
    state: &'static str,
    /// One for each column; null once they are deleted.
    #[schema(required)]
    cells: Option<Vec<String>>,
    problems: Vec<ImportProblem>,
    /// The application that was imported.
    #[schema(required)]
    application_id: Option<String>,
    /// Its number; null if it has none.
    #[schema(required)]
    reference: Option<String>,
}

impl From<import::Row> for ImportRow {
    fn from(row: import::Row) -> Self {
        ImportRow {
            number: row.number,
            state: row.state.as_str(),
            cells: row.cells,
            problems: problems(row.problems),
            application_id: row.application_id,
            reference: row.reference,
        }
    }
}

fn problems(found: Vec<import::Problem>) -> Vec<ImportProblem> {
    found.into_iter().map(ImportProblem::from).collect()
}

/// A page of rows.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportRows {
    rows: Vec<ImportRow>,
    /// The `after` of the next page; null on the last one.
    #[schema(required)]
    next: Option<i64>,
}

/// A row, and how it is understood.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadImportRow {
    #[serde(flatten)]
    row: ImportRow,
    /// Empty once the cells are deleted.
    fields: Vec<ReadImportField>,
}

/// A field of a row.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadImportField {
    /// Its key.
    field: String,
    label: String,
    /// Heading of the column; null for a value that is the same in every row.
    #[schema(required)]
    column: Option<String>,
    /// As it came.
    sent: String,
    /// As it is understood; null if it is not.
    #[schema(required)]
    read: Option<String>,
    problems: Vec<ImportProblem>,
}

impl From<import::ShownField> for ReadImportField {
    fn from(shown: import::ShownField) -> Self {
        ReadImportField {
            field: shown.field,
            label: shown.label,
            column: shown.column,
            sent: shown.sent,
            read: shown.read,
            problems: problems(shown.problems),
        }
    }
}

/// Lists the imports.
#[utoipa::path(
    get,
    path = "/api/admins/imports",
    operation_id = "listImports",
    tag = "Office: imports",
    responses((status = 200, description = "At most 100.", body = Imports))
)]
pub async fn list(request: StaffRequest) -> Result<Json<Imports>, Problem> {
    let found = request.app().imports(&request.who).await?;
    Ok(Json(Imports { imports: found.into_iter().map(Import::from).collect() }))
}

/// Makes an import of rows, and checks them.
///
/// Nothing is imported before it is started (`POST /api/admins/imports/{id}/start`). The body may have 10 MB.
#[utoipa::path(
    post,
    path = "/api/admins/imports",
    operation_id = "createImport",
    tag = "Office: imports",
    request_body = NewImport,
    responses(
        (status = 201, description = "The import, which is being checked.", body = Import),
        (status = 422, description = "`rows.too_many`, `values.unknown`, `columns.missing` and the like. What is wrong with the values \
            of a row is told with the row."),
    )
)]
pub async fn create(request: StaffRequest, LargeJson(input): LargeJson) -> Result<(StatusCode, Json<Import>), Problem> {
    let made = request.app().create_import(&request.who, &input).await?;
    Ok((StatusCode::CREATED, Json(made.into())))
}

/// Makes an import of a file: CSV, or an Excel workbook (XLSX), whose first sheet is read.
///
/// The first row has the headings. Next, say what each column is for (`PUT /api/admins/imports/{id}/mapping`).
#[utoipa::path(
    post,
    path = "/api/admins/imports/files",
    operation_id = "uploadImport",
    tag = "Office: imports",
    params(("name" = String, Query, description = "What to call the import, such as the file's name")),
    request_body(
        description = "The file's bytes, at most 10 MB.",
        content(
            (String = "text/csv"),
            (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
            (String = "application/octet-stream"),
        ),
    ),
    responses(
        (status = 201, description = "The import, with columns as its headings suggest or as the last import with the same headings had \
            them.", body = Import),
        (status = 408, description = "`request.timeout`: less than 16 KB in 30 seconds"),
        (status = 413, description = "`file.too_large`"),
        (status = 415, description = "`content_type`"),
        (status = 422, description = "`name.required`, `file.type`, `file.empty`, `file.broken`, `file.too_many_rows`, \
            `file.too_many_columns`"),
    )
)]
pub async fn upload(
    request: StaffRequest,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Import>), Problem> {
    let announced = json::content_type(&headers);
    if !FILE_TYPES.iter().any(|known| known.eq_ignore_ascii_case(announced)) {
        let sentence = "Send Content-Type: text/csv, application/octet-stream, or that of an Excel workbook (XLSX).";
        return Err(Problem::new(&kind::CONTENT_TYPE, sentence));
    }
    let content = file(body).await?;
    let name = request.query("name").unwrap_or_default();
    let made = request.app().upload_import(&request.who, &name, content).await?;
    Ok((StatusCode::CREATED, Json(made.into())))
}

async fn file(body: Body) -> Result<Bytes, Problem> {
    wire::whole_file(body, MAX_FILE).await.map_err(|why| match why {
        NotWhole::TooLarge => {
            let megabytes = MAX_FILE / 1024 / 1024;
            Problem::new(&kind::FILE_TOO_LARGE, Sentence::plain(format!("The file is larger than {megabytes} MB.")))
        }
        other => json::not_whole(other, MAX_FILE),
    })
}

/// Lists what columns can be for.
#[utoipa::path(
    get,
    path = "/api/admins/imports/fields",
    operation_id = "listImportFields",
    tag = "Office: imports",
    responses((status = 200, description = "In the order of the form, with the questions that are asked now.", body = ImportFields))
)]
pub async fn fields(request: StaffRequest) -> Result<Json<ImportFields>, Problem> {
    let found = request.app().import_fields(&request.who).await?;
    Ok(Json(ImportFields { fields: found.into_iter().map(ImportField::from).collect() }))
}

/// Loads an import.
#[utoipa::path(
    get,
    path = "/api/admins/imports/{id}",
    operation_id = "loadImport",
    tag = "Office: imports",
    params(("id" = String, Path, description = "The import's id")),
    responses(
        (status = 200, description = "The import, without its rows.", body = Import),
        (status = 404, description = "`import.not_found`"),
    )
)]
pub async fn load(request: StaffRequest) -> Result<Json<Import>, Problem> {
    Ok(Json(request.app().import(&request.who, request.id()).await?.into()))
}

/// Deletes an import with its rows. One of which something stands imported has to be undone instead.
#[utoipa::path(
    delete,
    path = "/api/admins/imports/{id}",
    operation_id = "deleteImport",
    tag = "Office: imports",
    params(("id" = String, Path, description = "The import's id")),
    responses(
        (status = 204, description = "It is deleted."),
        (status = 404, description = "`import.not_found`"),
        (status = 409, description = "`import.state`"),
    )
)]
pub async fn delete(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().delete_import(&request.who, request.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Says what each column is for, and checks the rows, anew if they have been checked before.
#[utoipa::path(
    put,
    path = "/api/admins/imports/{id}/mapping",
    operation_id = "mapImport",
    tag = "Office: imports",
    params(("id" = String, Path, description = "The import's id")),
    request_body = ImportMapping,
    responses(
        (status = 200, description = "The import, which is being checked.", body = Import),
        (status = 404, description = "`import.not_found`"),
        (status = 409, description = "`import.state`: it has been started, or is being checked"),
        (status = 422, description = "`columns.missing`: a field that every import needs has neither a column nor a value; \
            `columns.unknown`, `columns.duplicate`, `columns.count`, `values.unknown` and the like"),
    )
)]
pub async fn map(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<Import>, Problem> {
    Ok(Json(request.app().map_import(&request.who, request.id(), &input).await?.into()))
}

/// Lists the rows of an import, page by page.
#[utoipa::path(
    get,
    path = "/api/admins/imports/{id}/rows",
    operation_id = "listImportRows",
    tag = "Office: imports",
    params(
        ("id" = String, Path, description = "The import's id"),
        ("show" = Option<String>, Query, nullable = false, description = "Only rows in this state; `all` if absent"),
        ("after" = Option<i64>, Query, nullable = false, minimum = 0,
            description = "The `next` of a page, for the one after it"),
    ),
    responses(
        (status = 200, description = "At most 50 rows.", body = ImportRows),
        (status = 404, description = "`import.not_found`"),
        (status = 422, description = "`show.unknown`, `after.invalid`"),
    )
)]
pub async fn rows(request: StaffRequest) -> Result<Json<ImportRows>, Problem> {
    let query = row_query(|name| request.query(name))?;
    let page = request.app().import_rows(&request.who, request.id(), &query).await?;
    Ok(Json(ImportRows { rows: page.rows.into_iter().map(ImportRow::from).collect(), next: page.next }))
}

/// Reads which rows are asked for.
fn row_query(query: impl Fn(&str) -> Option<String>) -> Result<RowQuery, Vec<FieldError>> {
    let (show, after) = (query("show"), query("after"));
    let show = show.map_or(Some(Show::All), |text| Show::parse(&text));
    let after = after.map_or(Some(0), |text| text.parse::<i64>().ok().filter(|number| *number >= 0));
    let mut errors = Vec::new();
    if show.is_none() {
        let words = "Show all, wrong, warned, ready, imported or kept rows.";
        errors.push(FieldError::new("show", "show.unknown", words));
    }
    if after.is_none() {
        errors.push(FieldError::new("after", "after.invalid", "Send the number of the last row of the page before."));
    }
    show.zip(after).map(|(show, after)| RowQuery { show, after }).ok_or(errors)
}

/// Loads a row of an import, and how each of its fields is understood.
#[utoipa::path(
    get,
    path = "/api/admins/imports/{id}/rows/{number}",
    operation_id = "loadImportRow",
    tag = "Office: imports",
    params(
        ("id" = String, Path, description = "The import's id"),
        ("number" = i64, Path, description = "The row's number"),
    ),
    responses(
        (status = 200, description = "The row.", body = ReadImportRow),
        (status = 404, description = "`import.not_found`: there is no such import, or no such row"),
    )
)]
pub async fn row(request: StaffRequest) -> Result<Json<ReadImportRow>, Problem> {
    let number = request.part("number").parse::<i64>().map_err(|_| Refusal::ImportNotFound)?;
    let (row, fields) = request.app().import_row(&request.who, request.id(), number).await?;
    let fields = fields.into_iter().map(ReadImportField::from).collect();
    Ok(Json(ReadImportRow { row: row.into(), fields }))
}

/// Imports the rows that are right.
#[utoipa::path(
    post,
    path = "/api/admins/imports/{id}/start",
    operation_id = "startImport",
    tag = "Office: imports",
    params(("id" = String, Path, description = "The import's id")),
    request_body = ImportStart,
    responses(
        (status = 202, description = "It is running.", body = Import),
        (status = 404, description = "`import.not_found`"),
        (status = 409, description = "`import.state`: it is not checked, or has been started; `import.rows_wrong`: there are rows with \
            errors, and `leaveOut` is not true; `import.nothing_ready`"),
    )
)]
pub async fn start(
    request: StaffRequest,
    StrictJson(input): StrictJson,
) -> Result<(StatusCode, Json<Import>), Problem> {
    let started = request.app().start_import(&request.who, request.id(), &input).await?;
    Ok((StatusCode::ACCEPTED, Json(started.into())))
}

/// Undoes an import: deletes the applications that it has made, and the accounts made for them.
#[utoipa::path(
    post,
    path = "/api/admins/imports/{id}/undo",
    operation_id = "undoImport",
    tag = "Office: imports",
    params(("id" = String, Path, description = "The import's id")),
    request_body = ImportUndo,
    responses(
        (status = 202, description = "It is being undone.", body = Import),
        (status = 404, description = "`import.not_found`"),
        (status = 409, description = "`import.state`: it is not done; `import.worked_on`: somebody has worked on some of the applications, \
            and `leave` is not true"),
    )
)]
pub async fn undo(request: StaffRequest, StrictJson(input): StrictJson) -> Result<(StatusCode, Json<Import>), Problem> {
    let undone = request.app().undo_import(&request.who, request.id(), &input).await?;
    Ok((StatusCode::ACCEPTED, Json(undone.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_asked_for_by_state_and_page() {
        let read = |query: &[(&str, &str)]| {
            let given = |name: &str| query.iter().find(|(key, _)| *key == name).map(|(_, text)| (*text).to_owned());
            match row_query(given) {
                Ok(RowQuery { show, after }) => format!("{} {after}", show.as_str()),
                Err(errors) => errors.into_iter().map(|error| error.code).collect::<Vec<_>>().join(" "),
            }
        };
        assert_eq!(read(&[]), "all 0");
        assert_eq!(read(&[("show", "wrong"), ("after", "51")]), "wrong 51");
        assert_eq!(read(&[("show", "Wrong"), ("after", "-1")]), "show.unknown after.invalid");
        assert_eq!(read(&[("show", ""), ("after", "51.0")]), "show.unknown after.invalid");
    }
}
