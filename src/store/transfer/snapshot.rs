//! A database as it is at one moment, whatever is written meanwhile.

use std::path::Path;
use std::str::FromStr;

use rusqlite::{Connection, OpenFlags};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Executor, PgConnection};

use super::{
    Cells, MIGRATIONS_TABLE, Table, TransferError, is_postgres, postgres, postgres_rows, postgres_tables, quoted,
    sqlite_rows, sqlite_tables,
};
use crate::{APPLICATION_NAME, Options, SetupError};

/// A database at one moment. What is read of it does not change until this is dropped.
pub struct Snapshot {
    schema: i64,
    tables: Vec<Table>,
    from: From,
}

enum From {
    Sqlite(Connection),
    Postgres(PgConnection),
}

/// An object of the storage that a row names, with its size and SHA-256 if the file is finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedObject {
    pub name: String,
    pub expected: Option<(u64, String)>,
}

impl Snapshot {
    /// Opens the database at `url` as it is now. Others may go on writing.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub async fn take(url: &str) -> Result<Snapshot, TransferError> {
        Snapshot::open(url, false).await
    }

    /// Opens the database at `url`, to which nobody can write until this is dropped.
    ///
    /// # Errors
    /// A server has it open, there is none, or it cannot be read.
    pub async fn take_alone(url: &str) -> Result<Snapshot, TransferError> {
        Snapshot::open(url, true).await
    }

    async fn open(url: &str, alone: bool) -> Result<Snapshot, TransferError> {
        if is_postgres(url) { open_postgres(url, alone).await } else { open_sqlite(url, alone) }
    }

    /// Returns the version of its last migration.
    pub fn schema(&self) -> i64 {
        self.schema
    }

    pub fn kind(&self) -> &'static str {
        match self.from {
            From::Sqlite(_) => "sqlite",
            From::Postgres(_) => "postgres",
        }
    }

    pub fn tables(&self) -> Vec<Table> {
        self.tables.clone()
    }

    /// Counts the rows of all tables together.
    pub async fn count(&mut self) -> Result<u64, TransferError> {
        let mut all = 0;
        for table in &self.tables {
            let sql = format!("SELECT COUNT(*) FROM {}", quoted(&table.name));
            let count: i64 = match &mut self.from {
                From::Sqlite(connection) => connection.query_row(&sql, [], |row| row.get(0))?,
                From::Postgres(connection) => sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(connection).await?,
            };
            all += count.unsigned_abs();
        }
        Ok(all)
    }

    /// Passes on all rows of a table, in batches.
    pub async fn rows<E: std::convert::From<TransferError>>(
        &mut self,
        table: &Table,
        each: impl AsyncFnMut(Vec<Cells>) -> Result<(), E>,
    ) -> Result<(), E> {
        match &mut self.from {
            From::Sqlite(connection) => sqlite_rows(connection, table, each).await,
            From::Postgres(connection) => postgres_rows(connection, table, each).await,
        }
    }

    /// Returns what the storage must have: documents, signed contracts, letters of referees, and the parts of uploads in
    /// progress, by name.
    pub async fn objects(&mut self) -> Result<Vec<NamedObject>, TransferError> {
        let sql = "SELECT object, size, sha256 FROM documents WHERE object IS NOT NULL \
                   UNION SELECT object, NULL, NULL FROM document_parts \
                   UNION SELECT file_object, file_size, file_hash FROM contracts WHERE file_object IS NOT NULL \
                   UNION SELECT letter_object, letter_size, letter_hash FROM referees WHERE letter_object IS NOT NULL \
                   ORDER BY 1";
        type Found = (String, Option<i64>, Option<String>);
        let found: Vec<Found> = match &mut self.from {
            From::Sqlite(connection) => {
                let mut query = connection.prepare(sql)?;
                let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
                rows.collect::<Result<_, _>>()?
            }
            From::Postgres(connection) => sqlx::query_as(sql).fetch_all(connection).await?,
        };
        let named = |(name, size, sha256): Found| NamedObject {
            name,
            expected: size.zip(sha256).map(|(size, sha256)| (size.unsigned_abs(), sha256)),
        };
        Ok(found.into_iter().map(named).collect())
    }
}

fn open_sqlite(url: &str, alone: bool) -> Result<Snapshot, TransferError> {
    let options = SqliteConnectOptions::from_str(url).map_err(|_| SetupError::Scheme)?;
    let file: &Path = options.get_filename();
    if !file.exists() {
        return Err(TransferError::NoDatabase(file.display().to_string()));
    }
    let mode = if alone { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
    let connection = Connection::open_with_flags(file, mode | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    if alone {
        // Granted only while nobody else has the file open, and nobody else can open it before it is given back.
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        connection.execute_batch("BEGIN EXCLUSIVE").map_err(|error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => {
                TransferError::InUse("Another process".into())
            }
            _ => error.into(),
        })?;
    } else {
        connection.busy_timeout(Options::default().acquire_timeout)?;
        connection.execute_batch("BEGIN")?;
    }
    let tables = sqlite_tables(&connection)?;
    let sql = format!("SELECT MAX(version) FROM {MIGRATIONS_TABLE} WHERE success");
    let schema = connection.query_row(&sql, [], |row| row.get(0)).map_err(|_| TransferError::NotOurs)?;
    Ok(Snapshot { schema, tables, from: From::Sqlite(connection) })
}

async fn open_postgres(url: &str, alone: bool) -> Result<Snapshot, TransferError> {
    let mut connection = postgres(url).await?;
    let tables = postgres_tables(&mut connection).await?;
    if tables.is_empty() {
        return Err(TransferError::NotOurs);
    }
    if alone {
        let sql = "SELECT COUNT(*) FROM pg_stat_activity \
                   WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()";
        let servers: i64 = sqlx::query_scalar(sql).bind(APPLICATION_NAME).fetch_one(&mut connection).await?;
        if servers > 0 {
            return Err(TransferError::InUse(format!("A server with {servers} connections")));
        }
    }
    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
    if alone {
        // The snapshot is taken by the first statement after the locks: nothing slips in between.
        let names: Vec<String> = tables.iter().map(|table| quoted(&table.name)).collect();
        connection.execute(AssertSqlSafe(format!("LOCK TABLE {} IN SHARE MODE", names.join(", ")))).await?;
    }
    let tables = postgres_tables(&mut connection).await?;
    let sql = AssertSqlSafe(format!("SELECT MAX(version) FROM {MIGRATIONS_TABLE} WHERE success"));
    let schema: Option<i64> =
        sqlx::query_scalar(sql).fetch_one(&mut connection).await.map_err(|_| TransferError::NotOurs)?;
    Ok(Snapshot { schema: schema.ok_or(TransferError::NotOurs)?, tables, from: From::Postgres(connection) })
}
