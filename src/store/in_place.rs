//! SQLite looked up in place. A row found by an index is there in microseconds and never waits for a writer, while
//! sqlx runs every statement of SQLite in another thread, and waking that one and being woken costs several times as
//! much. So single rows are read on the thread that asks; lists, counts and all that writes stay with sqlx.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::types::{FromSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, ToSql};

use super::error::read_in_place;
use super::query::Arg;
use crate::app::ports::{StoreError, Stored};

/// A row that can be read in place.
pub(super) trait InPlace: Sized {
    fn in_place(columns: &mut Columns<'_>) -> rusqlite::Result<Self>;
}

/// The columns of a row, from the first on: looking each one up by its name would cost more than the query.
pub(super) struct Columns<'r> {
    row: &'r Row<'r>,
    next: usize,
}

impl Columns<'_> {
    pub(super) fn next<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        let value = self.row.get(self.next)?;
        self.next += 1;
        Ok(value)
    }

    /// Whether the next column is null.
    pub(super) fn is_null(&self) -> rusqlite::Result<bool> {
        Ok(self.row.get_ref(self.next)? == ValueRef::Null)
    }
}

/// A row of the columns named like its fields and in their order, for both databases.
macro_rules! row {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(sqlx::FromRow)]
        $vis struct $name {
            $($field: $type,)*
        }

        impl $crate::store::in_place::InPlace for $name {
            fn in_place(columns: &mut $crate::store::in_place::Columns<'_>) -> rusqlite::Result<Self> {
                Ok(Self { $($field: columns.next()?,)* })
            }
        }
    };
}
pub(super) use row;

/// A row of several joined ones, in the order of their columns, for both databases.
macro_rules! joined_row {
    ($vis:vis struct $name:ident { $($field:ident: $type:ty,)* }) => {
        #[derive(sqlx::FromRow)]
        $vis struct $name {
            $(#[sqlx(flatten)] $field: $type,)*
        }

        impl $crate::store::in_place::InPlace for $name {
            fn in_place(columns: &mut $crate::store::in_place::Columns<'_>) -> rusqlite::Result<Self> {
                Ok(Self { $($field: <$type>::in_place(columns)?,)* })
            }
        }
    };
}
pub(super) use joined_row;

impl InPlace for (i64,) {
    fn in_place(columns: &mut Columns<'_>) -> rusqlite::Result<Self> {
        Ok((columns.next()?,))
    }
}

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
pub(super) struct Reader(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: PathBuf,
    busy_timeout: Duration,
    /// `None` once the store is closed.
    idle: Mutex<Option<Vec<Connection>>>,
}

impl Reader {
    /// The file must be there when something is read.
    pub(super) fn new(file: &Path, busy_timeout: Duration) -> Reader {
        Reader(Arc::new(Inner { file: file.to_owned(), busy_timeout, idle: Mutex::new(Some(Vec::new())) }))
    }

    /// The first row of a query that an index answers. Blocks the thread, for as long as reading some pages takes.
    pub(super) fn fetch_optional<T: InPlace>(&self, sql: &str, args: &[Arg<'_>]) -> Stored<Option<T>> {
        let connection = match self.0.idle().as_mut().map(Vec::pop) {
            Some(Some(connection)) => connection,
            Some(None) => self.open().map_err(read_in_place)?,
            None => return Err(StoreError::Unavailable("the store is closed".into())),
        };
        let read = |row: &Row<'_>| T::in_place(&mut Columns { row, next: 0 });
        let row = connection
            .prepare_cached(sql)
            .and_then(|mut query| query.query_row(rusqlite::params_from_iter(args), read).optional());
        if let Some(idle) = self.0.idle().as_mut() {
            idle.push(connection);
        }
        row.map_err(read_in_place)
    }

    /// Closes what is open, for good.
    pub(super) fn close(&self) {
        *self.0.idle() = None;
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        // No lock of its own: a connection is used by one thread at a time.
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.0.file, flags)?;
        connection.busy_timeout(self.0.busy_timeout)?;
        // Every statement of this room.
        connection.set_prepared_statement_cache_capacity(64);
        Ok(connection)
    }
}

impl Inner {
    fn idle(&self) -> MutexGuard<'_, Option<Vec<Connection>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
