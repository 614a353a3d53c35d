//! SQLite looked up in place. Rows found by an index are there in microseconds and never wait for a writer, while
//! sqlx runs every statement of SQLite in another thread, and waking that one and being woken costs several times as
//! much. So what is short is read on the thread that asks; scans and all that writes stay with sqlx. What a request reads
//! between two waits it reads with one transaction, see `moment`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{FromSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, Row, Statement, ToSql};

use super::error::read_in_place;
use super::moment;
use super::query::Arg;
use app::ports::{StoreError, Stored};

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

    /// The next column, which has this name.
    pub(super) fn named<T: FromSql>(&mut self, name: &str) -> rusqlite::Result<T> {
        debug_assert_eq!(
            self.row.as_ref().column_name(self.next),
            Ok(name),
            "columns stand in the order of the fields"
        );
        self.next()
    }

    /// Whether the next column is null.
    pub(super) fn is_null(&self) -> rusqlite::Result<bool> {
        Ok(self.row.get_ref(self.next)? == ValueRef::Null)
    }
}

/// A row of the columns named like its fields and in their order, for both databases.
macro_rules! row {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(sqlx::FromRow)]
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type,)*
        }

        impl $crate::in_place::InPlace for $name {
            fn in_place(columns: &mut $crate::in_place::Columns<'_>) -> rusqlite::Result<Self> {
                Ok(Self { $($field: columns.named(stringify!($field))?,)* })
            }
        }
    };
}
pub(super) use row;

/// A row of several joined ones, in the order of their columns, for both databases.
macro_rules! joined_row {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($field_vis:vis $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(sqlx::FromRow)]
        $vis struct $name {
            $(#[sqlx(flatten)] $field_vis $field: $type,)*
        }

        impl $crate::in_place::InPlace for $name {
            fn in_place(columns: &mut $crate::in_place::Columns<'_>) -> rusqlite::Result<Self> {
                Ok(Self { $($field: <$type>::in_place(columns)?,)* })
            }
        }
    };
}
pub(super) use joined_row;

/// Rows of a few columns that need no names.
macro_rules! tuples {
    ($(($($type:ident),+))*) => {
        $(impl<$($type: FromSql),+> InPlace for ($($type,)+) {
            fn in_place(columns: &mut Columns<'_>) -> rusqlite::Result<Self> {
                Ok(($(columns.next::<$type>()?,)+))
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
pub(super) struct Reader(Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
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
        self.read(|connection| first_row(connection, sql, args))
    }

    /// All rows of a query that an index answers; as it blocks, no more than a page has.
    pub(super) fn fetch_all<T: InPlace>(&self, sql: &str, args: &[Arg<'_>]) -> Stored<Vec<T>> {
        self.read(|connection| all_rows(connection, sql, args))
    }

    fn read<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Stored<T> {
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
        found.map_err(read_in_place)
    }

    #[cfg(test)]
    pub(super) fn idle_connections(&self) -> usize {
        self.0.idle().as_ref().map_or(0, Vec::len)
    }

    fn connection(&self) -> Stored<Connection> {
        match self.0.idle().as_mut().map(Vec::pop) {
            Some(Some(connection)) => Ok(connection),
            Some(None) => self.open().map_err(read_in_place),
            None => Err(StoreError::Unavailable("the store is closed".into())),
        }
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
        // A plan is for all arguments. Else a statement with an argument as its limit, or that an index of some rows may answer,
        // is planned again each time that it runs, which takes longer than running it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        // Every statement of this module, and those that are put together for the views that are looked at.
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

/// Binds by the numbers in the text, as sqlx does and PostgreSQL: left to itself, SQLite numbers `$2` and `$1` in the order in
/// which they first stand there.
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
    /// For the next one who reads.
    pub(super) fn keep(&self, connection: Connection) {
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

    row! {
        struct TwoRow {
            first: i64,
            second: String,
        }
    }

    #[test]
    fn arguments_are_bound_by_their_numbers() {
        let connection = Connection::open_in_memory().unwrap();
        let args = [Arg::from(1), Arg::from("two")];
        for sql in [
            "SELECT $1 AS first, $2 AS second",
            "SELECT $1 AS first, $2 AS second WHERE $2 = 'two' AND $1 = 1",
            "SELECT 1 AS first, 'two' AS second WHERE $2 = 'two' AND $1 = 1",
        ] {
            let row: TwoRow = first_row(&connection, sql, &args).unwrap().unwrap();
            assert_eq!((row.first, row.second.as_str()), (1, "two"), "{sql}");
        }
        for sql in ["SELECT $1, 'two'", "SELECT $1, $2 WHERE $3 IS NULL", "SELECT $1, $7"] {
            assert!(first_row::<TwoRow>(&connection, sql, &args).is_err(), "{sql}");
        }
    }
}
