//! A view of the list as a file, written page by page as it is read, so that its size does not matter.

pub mod csv;
mod xlsx;

use std::io;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures::stream;

use app::App;
use app::office::listings::Export;
use domain::clocks::day;
use domain::listing::{Facet, Listing, ListingQuery};
use domain::moments;
use domain::moments::{DAY, Millis};
use xlsx::Workbook;

/// The format of a file.
#[derive(Clone, Copy)]
pub enum Format {
    Csv,
    Xlsx,
}

impl Format {
    /// Returns the extension of the file's name.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Xlsx => "xlsx",
        }
    }
}

/// The content of a cell.
pub enum Cell {
    Text(String),
    Whole(i64),
}

/// A column of the file: its heading, its content, and whether only some roles may see it.
struct Column {
    head: &'static str,
    cell: fn(&Listing, &str, Millis) -> Cell,
    personal: bool,
}

const fn open(head: &'static str, cell: fn(&Listing, &str, Millis) -> Cell) -> Column {
    Column { head, cell, personal: false }
}

const fn personal(head: &'static str, cell: fn(&Listing, &str, Millis) -> Cell) -> Column {
    Column { head, cell, personal: true }
}

static COLUMNS: [Column; 21] = [
    open("Reference", |row, _, _| text(row.reference.as_deref().unwrap_or_default())),
    open("First name", |row, _, _| text(&row.first_name)),
    open("Last name", |row, _, _| text(&row.last_name)),
    open("Email", |row, _, _| text(&row.email)),
    personal("Phone", |row, _, _| text(&row.phone_number)),
    open("Program", |row, _, _| text(row.program.application_type())),
    open("Status", |row, _, _| text(row.stage.status().as_str())),
    open("Stage", |row, _, _| text(row.stage.as_str())),
    open("Intake", |row, _, _| all(row, Facet::Intake)),
    open("Submitted", |row, zone, _| text(&day(row.submitted_at, zone).to_string())),
    open("Days waiting", |row, _, now| Cell::Whole(((now - row.waiting_since) / DAY).max(0))),
    open("Interview", |row, zone, _| {
        Cell::Text(row.interview_at.map(|at| moments::full(at, zone).to_string()).unwrap_or_default())
    }),
    open("Owner", |row, _, _| text(row.owner.as_deref().unwrap_or_default())),
    open("Tags", |row, _, _| all(row, Facet::Tag)),
    personal("Country", |row, _, _| all(row, Facet::Country)),
    personal("State", |row, _, _| all(row, Facet::State)),
    personal("US citizen", |row, _, _| all(row, Facet::Citizen)),
    open("Military", |row, _, _| all(row, Facet::Military)),
    open("DoD employee", |row, _, _| all(row, Facet::Dod)),
    open("Funding", |row, _, _| all(row, Facet::Funding)),
    open("Fee", |row, _, _| all(row, Facet::Fee)),
];

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn all(row: &Listing, facet: Facet) -> Cell {
    Cell::Text(row.values(facet).collect::<Vec<_>>().join(", "))
}

/// A file being written.
enum Writer {
    Csv,
    Xlsx(Box<Workbook>),
}

impl Writer {
    fn rows(&mut self, rows: Vec<Vec<Cell>>) -> io::Result<Bytes> {
        match self {
            Writer::Csv => Ok(Bytes::from(rows.into_iter().map(csv::line).collect::<String>())),
            Writer::Xlsx(workbook) => {
                for row in rows {
                    workbook.row(&row)?;
                }
                Ok(workbook.written())
            }
        }
    }

    fn end(self) -> io::Result<Bytes> {
        match self {
            Writer::Csv => Ok(Bytes::new()),
            Writer::Xlsx(workbook) => workbook.end(),
        }
    }
}

/// The state of the writing.
struct Under {
    app: App,
    /// `None` when everything is read.
    query: Option<ListingQuery>,
    writer: Writer,
    columns: Vec<&'static Column>,
    zone: String,
    now: Millis,
}

/// Returns the file as a download.
pub fn file(app: App, export: Export, format: Format, zone: String, now: Millis) -> Response {
    let columns: Vec<&'static Column> =
        COLUMNS.iter().filter(|column| export.with_personal_data || !column.personal).collect();
    let writer = match format {
        Format::Csv => Writer::Csv,
        Format::Xlsx => Writer::Xlsx(Box::new(Workbook::new(columns.iter().map(|column| column.head)))),
    };
    let head = match format {
        // The byte order mark by which spreadsheets recognise UTF-8.
        Format::Csv => {
            Bytes::from(format!("\u{feff}{}", csv::line(columns.iter().map(|column| text(column.head)).collect())))
        }
        Format::Xlsx => Bytes::new(),
    };
    let under = Under { app, query: Some(export.query), writer, columns, zone, now };
    let pages = stream::try_unfold(Some(under), |under| async move {
        let Some(under) = under else { return Ok(None) };
        write_on(under).await.map(Some).inspect_err(|error| {
            // The download breaks off, so that nobody mistakes half of the list for all of it.
            tracing::error!(error = error as &dyn std::error::Error, "an export broke off");
        })
    });
    let body = Body::from_stream(futures::StreamExt::chain(stream::iter([Ok(head)]), pages));
    let (kind, disposition) = match format {
        Format::Csv => ("text/csv; charset=utf-8", "attachment; filename=\"applications.csv\""),
        Format::Xlsx => (
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "attachment; filename=\"applications.xlsx\"",
        ),
    };
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(disposition));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Returns the next piece of the file, and the state after it.
async fn write_on(mut under: Under) -> io::Result<(Bytes, Option<Under>)> {
    let Some(query) = under.query.take() else { return Ok((under.writer.end()?, None)) };
    let (rows, next) = under.app.exported(query).await.map_err(io::Error::other)?;
    let cells = |row: &Listing| -> Vec<Cell> {
        under.columns.iter().map(|column| (column.cell)(row, &under.zone, under.now)).collect()
    };
    let rows: Vec<Vec<Cell>> = rows.iter().map(cells).collect();
    let piece = under.writer.rows(rows)?;
    under.query = next;
    Ok((piece, Some(under)))
}
