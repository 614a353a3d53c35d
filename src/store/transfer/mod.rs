//! Copies all rows of a database, whatever they mean: out of one as of one moment, and into an empty one.
//!
//! Both databases have the same tables, and each column holds text or integers: what is read from one fits into the
//! other.

mod loading;
mod snapshot;

use std::error::Error as _;
use std::io;
use std::time::Duration;

use rusqlite::types::ValueRef;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{AssertSqlSafe, Column, ConnectOptions, Executor, PgConnection, Row, TypeInfo};

use super::SetupError;
use super::error::{read_in_place, stored};
use super::servers::Servers;
use crate::StoreError;
use domain::hex::hex;

pub use loading::{Loading, TableLoad};
pub use snapshot::{NamedObject, Snapshot};

/// Rows that are passed on at a time.
pub const BATCH: usize = 500;

/// The table that notes migrations, which is never copied: the target has been migrated itself.
const MIGRATIONS_TABLE: &str = "_sqlx_migrations";

/// A table, and its columns by name, which is the order of the values of its rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    pub name: String,
    pub columns: Vec<String>,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    Null,
    Whole(i64),
    Text(String),
}

pub type Cells = Vec<Cell>;

/// How many rows a table has, and a sum of their content that does not depend on their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowSum {
    pub rows: u64,
    sum: [u64; 4],
}

impl RowSum {
    /// Adds a row, given as its JSON.
    pub fn add(&mut self, row: &[u8]) {
        self.rows += 1;
        let digest = Sha256::digest(row);
        let mut carry = false;
        for (sum, bytes) in self.sum.iter_mut().zip(digest.chunks_exact(8)) {
            let part = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            let (added, first) = sum.overflowing_add(part);
            let (added, second) = added.overflowing_add(carry.into());
            (*sum, carry) = (added, first || second);
        }
    }

    /// Returns the sum of the rows' SHA-256, hexadecimal.
    pub fn sum(&self) -> String {
        hex(self.sum.map(u64::to_le_bytes).concat())
    }

    pub fn add_rows(&mut self, rows: &[Cells]) {
        for row in rows {
            // Text and numbers can always be written as JSON.
            self.add(&serde_json::to_vec(row).unwrap_or_default());
        }
    }
}

/// Why rows could not be read or loaded.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("{}", .0.source().map_or_else(|| .0.to_string(), ToString::to_string))]
    Store(#[from] StoreError),
    #[error("there is no database at {0}")]
    NoDatabase(String),
    #[error("the database has no tables of this program; run `matricula migrate`, or name another one")]
    NotOurs,
    #[error("{0} uses the database: stop every server, and try again")]
    InUse(String),
    #[error("there is a database already ({0}); name an empty one")]
    NotEmpty(String),
    #[error("it was made by a newer version of this program (database version {theirs}, this one knows {ours})")]
    Newer { theirs: i64, ours: i64 },
    #[error("table {0} is not the one that this program knows")]
    UnknownTable(String),
    #[error("a text of table {0} has a character that PostgreSQL does not keep (NUL)")]
    Nul(String),
    #[error("a row refers to another one that is not there: {0}")]
    Dangling(String),
    #[error("the file of the database")]
    File(#[from] io::Error),
}

impl From<sqlx::Error> for TransferError {
    fn from(error: sqlx::Error) -> TransferError {
        stored(error).into()
    }
}

impl From<rusqlite::Error> for TransferError {
    fn from(error: rusqlite::Error) -> TransferError {
        read_in_place(error.into()).into()
    }
}

/// Opens a separate connection to PostgreSQL.
async fn postgres(url: &str) -> Result<PgConnection, TransferError> {
    postgres_options(url).await?.connect().await.map_err(|error| SetupError::Open(error).into())
}

/// Returns connection options with which statements may take their time.
async fn postgres_options(url: &str) -> Result<PgConnectOptions, TransferError> {
    let patient = [("statement_timeout", "0"), ("lock_timeout", "10s"), ("idle_in_transaction_session_timeout", "0")];
    let servers =
        Servers::new(url, Duration::MAX, |server| server.application_name("matricula copy").options(patient))?;
    Ok(servers.writable(Duration::from_secs(5)).await?)
}

fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres:") || url.starts_with("postgresql:")
}

/// Quotes a name from the catalog for SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn sqlite_tables(connection: &rusqlite::Connection) -> Result<Vec<Table>, TransferError> {
    let sql = "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
               WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND m.name <> ?1 ORDER BY m.name, c.name";
    let mut query = connection.prepare(sql)?;
    let columns = query.query_map([MIGRATIONS_TABLE], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(tables(columns.collect::<Result<Vec<(String, String)>, _>>()?))
}

async fn postgres_tables(connection: &mut PgConnection) -> Result<Vec<Table>, TransferError> {
    let sql = "SELECT c.table_name::text, c.column_name::text FROM information_schema.columns c \
               JOIN pg_tables t ON t.schemaname = c.table_schema AND t.tablename = c.table_name \
               WHERE c.table_schema = current_schema() AND c.table_name <> $1 \
               ORDER BY c.table_name COLLATE \"C\", c.column_name COLLATE \"C\"";
    Ok(tables(sqlx::query_as(sql).bind(MIGRATIONS_TABLE).fetch_all(connection).await?))
}

/// Builds tables from ordered pairs of a table and a column.
fn tables(columns: Vec<(String, String)>) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for (table, column) in columns {
        match tables.last_mut() {
            Some(last) if last.name == table => last.columns.push(column),
            _ => tables.push(Table { name: table, columns: vec![column] }),
        }
    }
    tables
}

fn names(table: &Table) -> String {
    table.columns.iter().map(|column| quoted(column)).collect::<Vec<_>>().join(", ")
}

/// Passes on all rows of a table of SQLite, in batches.
async fn sqlite_rows<E: From<TransferError>>(
    connection: &rusqlite::Connection,
    table: &Table,
    mut each: impl AsyncFnMut(Vec<Cells>) -> Result<(), E>,
) -> Result<(), E> {
    let failed = |error: rusqlite::Error| E::from(error.into());
    let sql = format!("SELECT {} FROM {}", names(table), quoted(&table.name));
    let mut query = connection.prepare(&sql).map_err(failed)?;
    let mut rows = query.query([]).map_err(failed)?;
    loop {
        let batch = tokio::task::block_in_place(|| -> rusqlite::Result<Vec<Cells>> {
            let mut batch = Vec::with_capacity(BATCH);
            while batch.len() < BATCH {
                let Some(row) = rows.next()? else { break };
                batch.push((0..table.columns.len()).map(|index| sqlite_cell(row, index)).collect::<Result<_, _>>()?);
            }
            Ok(batch)
        });
        let batch = batch.map_err(failed)?;
        let is_last = batch.len() < BATCH;
        if !batch.is_empty() {
            each(batch).await?;
        }
        if is_last {
            return Ok(());
        }
    }
}

fn sqlite_cell(row: &rusqlite::Row<'_>, index: usize) -> rusqlite::Result<Cell> {
    Ok(match row.get_ref(index)? {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Whole(number),
        ValueRef::Text(_) => Cell::Text(row.get(index)?),
        ValueRef::Real(_) | ValueRef::Blob(_) => {
            return Err(rusqlite::Error::InvalidColumnType(index, String::new(), row.get_ref(index)?.data_type()));
        }
    })
}

/// Passes on all rows of a table of PostgreSQL, in batches.
async fn postgres_rows<E: From<TransferError>>(
    connection: &mut PgConnection,
    table: &Table,
    mut each: impl AsyncFnMut(Vec<Cells>) -> Result<(), E>,
) -> Result<(), E> {
    let failed = |error: sqlx::Error| E::from(error.into());
    // A cursor: the rows of a table are never in memory as a whole.
    let sql = format!("DECLARE all_rows NO SCROLL CURSOR FOR SELECT {} FROM {}", names(table), quoted(&table.name));
    connection.execute(AssertSqlSafe(sql)).await.map_err(failed)?;
    let fetch = format!("FETCH {BATCH} FROM all_rows");
    loop {
        // The statement is the same for each table, but its columns are not: it must not be cached.
        let rows =
            sqlx::query(AssertSqlSafe(&*fetch)).persistent(false).fetch_all(&mut *connection).await.map_err(failed)?;
        let batch = rows.iter().map(|row| (0..row.len()).map(|index| postgres_cell(row, index)).collect());
        let batch = batch.collect::<Result<Vec<Cells>, _>>().map_err(failed)?;
        let is_last = batch.len() < BATCH;
        if !batch.is_empty() {
            each(batch).await?;
        }
        if is_last {
            break;
        }
    }
    connection.execute("CLOSE all_rows").await.map_err(failed)?;
    Ok(())
}

fn postgres_cell(row: &PgRow, index: usize) -> sqlx::Result<Cell> {
    Ok(match row.column(index).type_info().name() {
        "INT8" => row.try_get::<Option<i64>, _>(index)?.map_or(Cell::Null, Cell::Whole),
        // For anything but text this is an error.
        _ => row.try_get::<Option<String>, _>(index)?.map_or(Cell::Null, Cell::Text),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_tells_rows_apart_and_not_their_order() {
        let sum = |rows: &[&str]| {
            let mut sum = RowSum::default();
            rows.iter().for_each(|row| sum.add(row.as_bytes()));
            (sum.rows, sum.sum())
        };
        assert_eq!(sum(&["[1]", "[2]", "[3]"]), sum(&["[3]", "[1]", "[2]"]));
        assert_ne!(sum(&["[1]", "[1]"]), sum(&["[2]", "[2]"]));
        assert_ne!(sum(&["[1]"]), sum(&["[1]", "[1]"]));
        assert_eq!(sum(&[]), (0, "0".repeat(64)));
    }

    #[test]
    fn a_row_is_what_its_json_says() {
        let row =
            vec![Cell::Text("a\n\"\\\u{1f}ü".into()), Cell::Whole(i64::MIN), Cell::Null, Cell::Text(String::new())];
        let json = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<Cells>(&json).unwrap(), row);
    }
}
