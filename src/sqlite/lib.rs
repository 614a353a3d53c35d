//! SQLite read in place (ADR 8). Rows found by an index are there in microseconds and never wait for a writer, while
//! sqlx runs every SQLite statement in another thread, and waking that one and being woken costs several times as much.
//! So short reads happen on the calling thread; scans and all writes stay with sqlx. What a request reads between two
//! waits, it reads in one transaction; see `moment`.

mod moment;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{FromSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, Row, Statement, ToSql};

pub use moment::{at_one_moment, pass as pass_moment};
pub use rusqlite::Result;

/// An argument of a statement.
#[derive(Clone, Copy)]
pub enum Arg<'a> {
    Text(Option<&'a str>),
    Whole(Option<i64>),
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(text: &'a str) -> Self {
        Arg::Text(Some(text))
    }
}

impl<'a> From<&'a String> for Arg<'a> {
    fn from(text: &'a String) -> Self {
        Arg::Text(Some(text))
    }
}

impl<'a> From<Option<&'a str>> for Arg<'a> {
    fn from(text: Option<&'a str>) -> Self {
        Arg::Text(text)
    }
}

impl From<i64> for Arg<'_> {
    fn from(number: i64) -> Self {
        Arg::Whole(Some(number))
    }
}

impl From<Option<i64>> for Arg<'_> {
    fn from(number: Option<i64>) -> Self {
        Arg::Whole(number)
    }
}

/// Why nothing was read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("the store is closed")]
    Closed,
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
}

/// A row that can be read in place.
pub trait InPlace: Sized {
    fn in_place(columns: &mut Columns<'_>) -> rusqlite::Result<Self>;
}

/// The columns of a row, from the first on: looking each one up by name would cost more than the query.
pub struct Columns<'r> {
    row: &'r Row<'r>,
    next: usize,
}

impl Columns<'_> {
    pub fn take<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        let value = self.row.get(self.next)?;
        self.next += 1;
        Ok(value)
    }

    /// Returns the next column, which has this name.
    pub fn named<T: FromSql>(&mut self, name: &str) -> rusqlite::Result<T> {
        debug_assert_eq!(
            self.row.as_ref().column_name(self.next),
            Ok(name),
            "columns stand in the order of the fields"
        );
        self.take()
    }

    /// Whether the next column is null.
    pub fn is_null(&self) -> rusqlite::Result<bool> {
        Ok(self.row.get_ref(self.next)? == ValueRef::Null)
    }
}

/// Rows of a few columns that need no names.
macro_rules! tuples {
    ($(($($type:ident),+))*) => {
        $(impl<$($type: FromSql),+> InPlace for ($($type,)+) {
            fn in_place(columns: &mut Columns<'_>) -> rusqlite::Result<Self> {
                Ok(($(columns.take::<$type>()?,)+))
            }
        })*
    };
}
tuples! { (A) (A, B) (A, B, C) (A, B, C, D) (A, B, C, D, E) }

impl ToSql for Arg<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = match *self {
            Arg::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
            Arg::Whole(Some(number)) => ValueRef::Integer(number),
            Arg::Text(None) | Arg::Whole(None) => ValueRef::Null,
        };
        Ok(ToSqlOutput::Borrowed(value))
    }
}

/// Connections that read one SQLite file, as many as ever read at once: at most one per thread.
#[derive(Debug, Clone)]
pub struct Reader(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: PathBuf,
    busy_timeout: Duration,
    /// `None` once the store is closed.
    idle: Mutex<Option<Vec<Connection>>>,
}

impl Reader {
    /// The file must exist by the time something is read.
    pub fn new(file: &Path, busy_timeout: Duration) -> Reader {
        Reader(Arc::new(Inner { file: file.to_owned(), busy_timeout, idle: Mutex::new(Some(Vec::new())) }))
    }

    /// Returns the first row of a query that an index answers. Blocks the thread while it reads a few pages.
    pub fn fetch_optional<T: InPlace>(&self, sql: &str, args: &[Arg<'_>]) -> Result<Option<T>, ReadError> {
        self.read(|connection| first_row(connection, sql, args))
    }

    /// Returns all rows of a query that an index answers: no more than a page of the list, because this blocks.
    pub fn fetch_all<T: InPlace>(&self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<T>, ReadError> {
        self.read(|connection| all_rows(connection, sql, args))
    }

    fn read<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, ReadError> {
        let (connection, of_moment) = match moment::held(&self.0) {
            Some(connection) => (connection, true),
            None => {
                let connection = self.connection()?;
                let begins = moment::begins(&connection);
                (connection, begins)
            }
        };
        let found = read(&connection);
        if of_moment {
            moment::hold(self.0.clone(), connection);
        } else {
            self.0.keep(connection);
        }
        Ok(found?)
    }

    #[cfg(test)]
    fn idle_connections(&self) -> usize {
        self.0.idle().as_ref().map_or(0, Vec::len)
    }

    fn connection(&self) -> Result<Connection, ReadError> {
        match self.0.idle().as_mut().map(Vec::pop) {
            Some(Some(connection)) => Ok(connection),
            Some(None) => Ok(self.open()?),
            None => Err(ReadError::Closed),
        }
    }

    /// Closes all connections, for good.
    pub fn close(&self) {
        *self.0.idle() = None;
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        // No internal lock: a connection is used by one thread at a time.
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.0.file, flags)?;
        connection.busy_timeout(self.0.busy_timeout)?;
        // One plan for all arguments. Otherwise a statement with an argument as its limit, or one that a partial index
        // may answer, is planned again each time it runs, which takes longer than running it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        // Enough for every statement of the store, and those that are built for the views in use.
        connection.set_prepared_statement_cache_capacity(512);
        Ok(connection)
    }
}

fn first_row<T: InPlace>(connection: &Connection, sql: &str, args: &[Arg<'_>]) -> rusqlite::Result<Option<T>> {
    let mut query = connection.prepare_cached(sql)?;
    bind(&mut query, args)?;
    let mut rows = query.raw_query();
    rows.next()?.map(read).transpose()
}

fn all_rows<T: InPlace>(connection: &Connection, sql: &str, args: &[Arg<'_>]) -> rusqlite::Result<Vec<T>> {
    let mut query = connection.prepare_cached(sql)?;
    bind(&mut query, args)?;
    let mut rows = query.raw_query();
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(row)?);
    }
    Ok(all)
}

fn read<T: InPlace>(row: &Row<'_>) -> rusqlite::Result<T> {
    T::in_place(&mut Columns { row, next: 0 })
}

/// Binds by the numbers in the text, as sqlx and PostgreSQL do: by default, SQLite numbers `$2` and `$1` in the order
/// in which they first occur.
fn bind(query: &mut Statement<'_>, args: &[Arg<'_>]) -> rusqlite::Result<()> {
    if query.parameter_count() != args.len() {
        return Err(rusqlite::Error::InvalidParameterCount(args.len(), query.parameter_count()));
    }
    for index in 1..=args.len() {
        let number = query.parameter_name(index).and_then(|name| name.strip_prefix('$')?.parse().ok());
        let arg = number.and_then(|number: usize| args.get(number.checked_sub(1)?));
        let arg = arg.ok_or_else(|| rusqlite::Error::InvalidParameterName(format!("at {index}")))?;
        query.raw_bind_parameter(index, arg)?;
    }
    Ok(())
}

impl Inner {
    /// Keeps a connection for the next reader.
    fn keep(&self, connection: Connection) {
        if let Some(idle) = self.idle().as_mut() {
            idle.push(connection);
        }
    }

    fn idle(&self) -> MutexGuard<'_, Option<Vec<Connection>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_bound_by_their_numbers() {
        let connection = Connection::open_in_memory().unwrap();
        let args = [Arg::from(1), Arg::from("two")];
        for sql in [
            "SELECT $1 AS first, $2 AS second",
            "SELECT $1 AS first, $2 AS second WHERE $2 = 'two' AND $1 = 1",
            "SELECT 1 AS first, 'two' AS second WHERE $2 = 'two' AND $1 = 1",
        ] {
            let row: (i64, String) = first_row(&connection, sql, &args).unwrap().unwrap();
            assert_eq!(row, (1, "two".to_owned()), "{sql}");
        }
        for sql in ["SELECT $1, 'two'", "SELECT $1, $2 WHERE $3 IS NULL", "SELECT $1, $7"] {
            assert!(first_row::<(i64, String)>(&connection, sql, &args).is_err(), "{sql}");
        }
    }
}
