//! Loads rows into an empty database: all of them or, if anything goes wrong, none.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql, params_from_iter};
use sqlx::postgres::{PgCopyIn, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection as _, Executor, PgConnection, Postgres, SqliteConnection, Transaction,
};

use super::{
    Cell, Cells, Table, TransferError, is_postgres, names, postgres, postgres_options, postgres_rows, postgres_tables,
    quoted, sqlite_rows, sqlite_tables,
};
use crate::{POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS, SetupError};

/// Bytes that are sent to PostgreSQL at a time.
const PIECE: usize = 256 * 1024;

/// A database that is being filled. Nobody sees anything of it before it is finished.
pub struct Loading {
    /// In the order in which they can be filled.
    tables: Vec<Table>,
    into: Into,
}

enum Into {
    /// Under another name until it is finished.
    Sqlite { connection: Connection, part: PathBuf, file: PathBuf },
    /// In one transaction.
    Postgres { transaction: Transaction<'static, Postgres> },
}

/// A table that is being filled.
pub enum TableLoad<'l> {
    Sqlite { connection: &'l Connection, insert: String },
    Postgres { copy: PgCopyIn<&'l mut PgConnection>, table: String, text: String },
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Cell::Null => ValueRef::Null,
            Cell::Whole(number) => ValueRef::Integer(*number),
            Cell::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

/// Returns the version of this program's last migration.
fn newest() -> i64 {
    SQLITE_MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

impl Loading {
    /// Checks that the database at `url` can be filled with rows of the version `schema`: it is empty, or does not
    /// exist.
    ///
    /// # Errors
    /// It is not empty, it cannot be reached, or the rows are those of a newer version.
    pub async fn check(url: &str, schema: i64) -> Result<(), TransferError> {
        if schema > newest() {
            return Err(TransferError::Newer { theirs: schema, ours: newest() });
        }
        if is_postgres(url) { is_empty(&mut postgres(url).await?).await } else { is_free(&sqlite_file(url)?) }
    }

    /// Creates the tables of the version `schema`, without rows.
    ///
    /// # Errors
    /// As [`check`](Self::check), or the tables cannot be created.
    pub async fn begin(url: &str, schema: i64) -> Result<Loading, TransferError> {
        Loading::check(url, schema).await?;
        if is_postgres(url) {
            begin_postgres(url, schema).await
        } else {
            begin_sqlite(&sqlite_file(url)?, schema).await
        }
    }

    /// Returns the tables in the order in which they can be filled.
    pub fn tables(&self) -> Vec<Table> {
        self.tables.clone()
    }

    /// Begins to fill a table. Its rows come in the order of its columns.
    pub async fn table(&mut self, table: &Table) -> Result<TableLoad<'_>, TransferError> {
        Ok(match &mut self.into {
            Into::Sqlite { connection, .. } => {
                let values = vec!["?"; table.columns.len()].join(", ");
                let insert = format!("INSERT INTO {} ({}) VALUES ({values})", quoted(&table.name), names(table));
                TableLoad::Sqlite { connection, insert }
            }
            Into::Postgres { transaction } => {
                let statement = format!("COPY {} ({}) FROM STDIN", quoted(&table.name), names(table));
                let copy = transaction.copy_in_raw(&statement).await?;
                TableLoad::Postgres { copy, table: table.name.clone(), text: String::new() }
            }
        })
    }

    /// Passes on all rows of a table that was filled, in batches.
    pub async fn rows<E: From<TransferError>>(
        &mut self,
        table: &Table,
        each: impl AsyncFnMut(Vec<Cells>) -> Result<(), E>,
    ) -> Result<(), E> {
        match &mut self.into {
            Into::Sqlite { connection, .. } => sqlite_rows(connection, table, each).await,
            Into::Postgres { transaction } => postgres_rows(transaction, table, each).await,
        }
    }

    /// Checks every reference, brings the tables to this program's version, and lets the database be seen.
    ///
    /// # Errors
    /// A row refers to one that is not there, or it cannot be written.
    pub async fn finish(self) -> Result<(), TransferError> {
        match self.into {
            Into::Sqlite { connection, part, file } => finish_sqlite(connection, &part, &file).await,
            Into::Postgres { mut transaction } => {
                // Runs the deferred checks now: tables with pending ones cannot be altered.
                transaction.execute("SET CONSTRAINTS ALL IMMEDIATE").await?;
                POSTGRES_MIGRATIONS.run_direct(None, &mut *transaction, false).await.map_err(SetupError::Migrate)?;
                transaction.execute("ANALYZE").await?;
                Ok(transaction.commit().await?)
            }
        }
    }
}

impl TableLoad<'_> {
    pub async fn rows(&mut self, rows: &[Cells]) -> Result<(), TransferError> {
        match self {
            TableLoad::Sqlite { connection, insert } => tokio::task::block_in_place(|| {
                let mut insert = connection.prepare_cached(insert)?;
                for row in rows {
                    insert.execute(params_from_iter(row))?;
                }
                Ok(())
            }),
            TableLoad::Postgres { copy, table, text } => {
                for row in rows {
                    copied(row, text).map_err(|Nul| TransferError::Nul(table.clone()))?;
                    if text.len() > PIECE {
                        copy.send(text.as_bytes()).await?;
                        text.clear();
                    }
                }
                Ok(())
            }
        }
    }

    pub async fn finish(self) -> Result<(), TransferError> {
        match self {
            TableLoad::Sqlite { .. } => {}
            TableLoad::Postgres { mut copy, text, .. } => {
                copy.send(text.as_bytes()).await?;
                copy.finish().await?;
            }
        }
        Ok(())
    }
}

/// A text with a character that PostgreSQL cannot store.
struct Nul;

/// Writes a row as `COPY` reads it. <https://www.postgresql.org/docs/current/sql-copy.html>
fn copied(row: &[Cell], text: &mut String) -> Result<(), Nul> {
    for (index, cell) in row.iter().enumerate() {
        if index > 0 {
            text.push('\t');
        }
        match cell {
            Cell::Null => text.push_str("\\N"),
            Cell::Whole(number) => text.push_str(&number.to_string()),
            Cell::Text(value) => {
                for character in value.chars() {
                    match character {
                        '\0' => return Err(Nul),
                        '\\' => text.push_str("\\\\"),
                        '\t' => text.push_str("\\t"),
                        '\n' => text.push_str("\\n"),
                        '\r' => text.push_str("\\r"),
                        other => text.push(other),
                    }
                }
            }
        }
    }
    text.push('\n');
    Ok(())
}

fn sqlite_file(url: &str) -> Result<PathBuf, TransferError> {
    if !url.starts_with("sqlite:") {
        return Err(SetupError::Scheme.into());
    }
    let options = SqliteConnectOptions::from_str(url).map_err(SetupError::Open)?;
    Ok(options.get_filename().to_owned())
}

fn is_free(file: &Path) -> Result<(), TransferError> {
    if file.exists() { Err(TransferError::NotEmpty(file.display().to_string())) } else { Ok(()) }
}

async fn is_empty(connection: &mut PgConnection) -> Result<(), TransferError> {
    let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1 LIMIT 1";
    let found: Option<String> = sqlx::query_scalar(sql).fetch_optional(connection).await?;
    found.map_or(Ok(()), |table| Err(TransferError::NotEmpty(format!("it has the table {table}"))))
}

async fn begin_sqlite(file: &Path, schema: i64) -> Result<Loading, TransferError> {
    let part = beside(file, ".part");
    // Left over from an interrupted attempt.
    for left in [part.clone(), beside(&part, "-journal"), beside(&part, "-wal"), beside(&part, "-shm")] {
        match fs::remove_file(left) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    let mut migrated = sqlite(&part, SqliteJournalMode::Delete).await?;
    SQLITE_MIGRATIONS.run_direct(Some(schema), &mut migrated, false).await.map_err(SetupError::Migrate)?;
    migrated.close().await?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&part, flags)?;
    // After a crash, it is begun anew anyway.
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN")?;
    let mut tables = sqlite_tables(&connection)?;
    for table in &tables {
        // What migrations put there is among the rows that come.
        connection.execute(&format!("DELETE FROM {}", quoted(&table.name)), [])?;
    }
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%INITIALLY DEFERRED%'";
    let first: Vec<String> = connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    // A ledger's entries come before their transaction, which closes them.
    tables.sort_by_key(|table| !first.contains(&table.name));
    Ok(Loading { tables, into: Into::Sqlite { connection, part, file: file.to_owned() } })
}

async fn sqlite(file: &Path, journal: SqliteJournalMode) -> Result<SqliteConnection, TransferError> {
    let options = SqliteConnectOptions::new().filename(file).create_if_missing(true).journal_mode(journal);
    Ok(options.connect().await.map_err(SetupError::Open)?)
}

async fn finish_sqlite(connection: Connection, part: &Path, file: &Path) -> Result<(), TransferError> {
    let sql = "SELECT \"table\" || ' → ' || parent FROM pragma_foreign_key_check LIMIT 1";
    let dangling: Option<String> = connection.prepare(sql)?.query_map([], |row| row.get(0))?.next().transpose()?;
    if let Some(dangling) = dangling {
        return Err(TransferError::Dangling(dangling));
    }
    connection.execute_batch("COMMIT")?;
    connection.close().map_err(|(_, error)| error)?;
    let mut migrated = sqlite(part, SqliteJournalMode::Wal).await?;
    SQLITE_MIGRATIONS.run_direct(None, &mut migrated, false).await.map_err(SetupError::Migrate)?;
    migrated.execute("ANALYZE").await?;
    // Closing the last connection merges the write-ahead log into the file.
    migrated.close().await?;
    File::open(part)?.sync_all()?;
    is_free(file)?;
    fs::rename(part, file)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(File::open(folder)?.sync_all()?)
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.to_owned().into_os_string();
    name.push(ending);
    name.into()
}

async fn begin_postgres(url: &str, schema: i64) -> Result<Loading, TransferError> {
    // A pool of one connection, whose transaction is not borrowed; each migration is a savepoint in it.
    let pool = PgPoolOptions::new().max_connections(1).connect_with(postgres_options(url).await?).await?;
    let mut transaction = pool.begin().await?;
    POSTGRES_MIGRATIONS.run_direct(Some(schema), &mut *transaction, false).await.map_err(SetupError::Migrate)?;
    let mut tables = postgres_tables(&mut transaction).await?;
    // Foreign keys that are checked immediately lead to tables that are filled earlier; deferred ones (a ledger's
    // entries, which come before their transaction) lead to tables that are filled later.
    let sql = "SELECT CASE WHEN condeferred THEN f.relname ELSE t.relname END::text, \
               CASE WHEN condeferred THEN t.relname ELSE f.relname END::text \
               FROM pg_constraint c JOIN pg_class f ON f.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid \
               WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace AND c.conrelid <> c.confrelid";
    let edges: Vec<(String, String)> = sqlx::query_as(sql).fetch_all(&mut *transaction).await?;
    let listed: Vec<String> = tables.iter().map(|table| table.name.clone()).collect();
    let order = ordered(listed.iter().map(String::as_str).collect(), &edges);
    let place = |table: &Table| order.iter().position(|name| *name == table.name);
    tables.sort_by_key(place);
    for table in tables.iter().rev() {
        transaction.execute(AssertSqlSafe(format!("DELETE FROM {}", quoted(&table.name)))).await?;
    }
    Ok(Loading { tables, into: Into::Postgres { transaction } })
}

/// Orders names so that the first of each pair comes before the second. Those in a cycle come last.
fn ordered<'n>(mut left: Vec<&'n str>, before: &[(String, String)]) -> Vec<&'n str> {
    let mut done: Vec<&str> = Vec::new();
    while !left.is_empty() {
        let is_free = |name: &&str| before.iter().all(|(first, then)| then != name || !left.contains(&&**first));
        let (free, rest): (Vec<&str>, Vec<&str>) = left.iter().partition(|name| is_free(name));
        if free.is_empty() {
            done.extend(rest);
            break;
        }
        done.extend(free);
        left = rest;
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_referred_to_comes_first() {
        let before =
            [("b", "a"), ("c", "b"), ("x", "y"), ("y", "x")].map(|(one, two)| (one.to_owned(), two.to_owned()));
        assert_eq!(ordered(vec!["a", "b", "c", "d", "x", "y"], &before), ["c", "d", "b", "a", "x", "y"]);
    }

    #[test]
    fn a_row_is_copied_with_its_separators_escaped() {
        let mut text = String::new();
        let row = [Cell::Text("a\tb\nc\\N\r".into()), Cell::Null, Cell::Whole(-7), Cell::Text(String::new())];
        assert!(copied(&row, &mut text).is_ok());
        assert_eq!(text, "a\\tb\\nc\\\\N\\r\t\\N\t-7\t\n");
        assert!(copied(&[Cell::Text("a\0".into())], &mut text).is_err());
    }
}
