//! The only way to the database: an SQL text, its arguments, and rows by `FromRow`, on either database.

use std::borrow::Cow;
use std::sync::Arc;

use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, FromRow, Postgres, Sqlite, Transaction, query, query_as};
use tokio::sync::Notify;

use super::audit_chain::Line;
use super::database_file::DatabaseFile;
use super::error::read_in_place;
use super::in_place::InPlace;
use super::servers::Servers;
use super::timing::{self, Kind, Statement};
use super::{Db, Pools, PostgresStore, SqliteStore, stored};
use crate::{AuditEntry, NewMail, StoreError, Stored};
pub(super) use sqlite::Arg;
use sqlite::pass_moment;

/// The arguments `$1`, `$2`… of a statement.
macro_rules! args {
    ($($value:expr),* $(,)?) => { &[$(sqlite::Arg::from($value)),*] };
}
pub(super) use args;

/// A row that both databases can give, SQLite in either way: declared by `in_place::row`, or a tuple.
pub(super) trait DbRow:
    for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + InPlace + Send + Unpin
{
}
impl<T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + InPlace + Send + Unpin> DbRow for T {}

/// PostgreSQL's text cannot hold U+0000, which would fail the whole statement. What is stored never has it, so this can
/// only be a search that finds nothing.
fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { text.replace('\0', "\u{fffd}").into() } else { text.into() }
}

macro_rules! bind {
    ($query:expr, $args:expr) => {{
        let mut query = $query;
        for arg in $args {
            query = match *arg {
                Arg::Text(text) => query.bind(text.map(without_nul)),
                Arg::Whole(number) => query.bind(number),
            };
        }
        query
    }};
}

/// Runs the same expression on a connection of either database: from SQLite's `$pool`, or from PostgreSQL's only one.
///
/// What waits for a database is boxed, here and below: sqlx's futures are large, and would be part of every future that
/// waits for one.
macro_rules! on {
    ($db:expr, $kind:expr, $sql:expr, $pool:ident => $run:expr) => {{
        let mut statement = Statement::new($kind, $db.system(), $sql);
        let answer = match &$db.pools {
            Pools::Sqlite(SqliteStore { $pool, .. }) => {
                let asked = async {
                    let $pool = &mut *statement.connection($pool, stringify!($pool)).await?;
                    $run
                };
                Box::pin(asked).await.map_err(stored)
            }
            Pools::Postgres(PostgresStore { pool, name, servers, .. }) => {
                let asked = async {
                    let $pool = &mut *statement.connection(pool, name).await?;
                    $run
                };
                Box::pin(in_time(servers, asked)).await
            }
        };
        statement.end(answer)
    }};
}

/// Waits for PostgreSQL's answer. If the server is frozen or the network drops packets, nothing else ends the wait.
async fn in_time<T>(servers: &Servers, asked: impl Future<Output = sqlx::Result<T>>) -> Stored<T> {
    match tokio::time::timeout(servers.patience(), asked).await {
        Ok(answer) => answer.inspect_err(|error| servers.failed(Some(error))).map_err(stored),
        Err(_) => {
            servers.failed(None);
            Err(StoreError::Unavailable("PostgreSQL does not answer in time".into()))
        }
    }
}

impl Db {
    /// Returns the row that an index finds, if there is one.
    pub(super) async fn fetch_optional<T: DbRow>(&self, sql: &'static str, args: &[Arg<'_>]) -> Stored<Option<T>> {
        match &self.pools {
            Pools::Sqlite(SqliteStore { in_place, .. }) => {
                timing::in_place(sql, || in_place.fetch_optional(sql, args).map_err(read_in_place))
            }
            Pools::Postgres(_) => {
                on!(self, Kind::Read, sql, readers => bind!(query_as(sql), args).fetch_optional(readers).await)
            }
        }
    }

    /// Returns the rows that an index finds, up to a page of them.
    pub(super) async fn fetch_all<T: DbRow>(&self, sql: &'static str, args: &[Arg<'_>]) -> Stored<Vec<T>> {
        match &self.pools {
            Pools::Sqlite(SqliteStore { in_place, .. }) => {
                timing::in_place(sql, || in_place.fetch_all(sql, args).map_err(read_in_place))
            }
            Pools::Postgres(_) => {
                on!(self, Kind::Read, sql, readers => bind!(query_as(sql), args).fetch_all(readers).await)
            }
        }
    }

    /// The same for a statement that was built from fixed parts. PostgreSQL plans it for its arguments, and does not
    /// keep the plan.
    pub(super) async fn fetch_built<T: DbRow>(&self, sql: &str, args: &[Arg<'_>]) -> Stored<Vec<T>> {
        match &self.pools {
            Pools::Sqlite(SqliteStore { in_place, .. }) => {
                timing::in_place(sql, || in_place.fetch_all(sql, args).map_err(read_in_place))
            }
            Pools::Postgres(_) => self.scan(sql, args).await,
        }
    }

    /// Returns many rows, or rows for which many others are read, without making others wait. The statement is planned
    /// for its arguments and not kept.
    pub(super) async fn scan<T: DbRow>(&self, sql: &str, args: &[Arg<'_>]) -> Stored<Vec<T>> {
        on!(self, Kind::Scan, sql, readers => {
            bind!(query_as(AssertSqlSafe(sql.to_owned())).persistent(false), args).fetch_all(readers).await
        })
    }

    /// Writes with one statement. Returns how many rows it changed.
    pub(super) async fn execute(&self, sql: &'static str, args: &[Arg<'_>]) -> Stored<u64> {
        self.writing(async {
            on!(self, Kind::Write, sql, writer => bind!(query(sql), args).execute(writer).await.map(|done| done.rows_affected()))
        })
        .await
    }

    /// Writes with one statement that ends with `RETURNING`.
    ///
    /// All rows are fetched even if there is at most one: SQLite commits when the statement has run to its end, and
    /// only then reports a failure to do so.
    pub(super) async fn write_returning<T: DbRow>(&self, sql: &'static str, args: &[Arg<'_>]) -> Stored<Vec<T>> {
        self.writing(async {
            on!(self, Kind::Write, sql, writer => bind!(query_as(sql), args).fetch_all(writer).await)
        })
        .await
    }

    /// Acknowledges what `write` writes only if it can be found again.
    async fn writing<T>(&self, write: impl Future<Output = Stored<T>>) -> Stored<T> {
        let file = self.database_file();
        file.map_or(Ok(()), DatabaseFile::check)?;
        let written = write.await;
        pass_moment();
        acknowledged(file, written)
    }

    /// Begins a transaction that may write.
    pub(super) async fn begin(&self) -> Stored<Tx> {
        let file = self.database_file();
        file.map_or(Ok(()), DatabaseFile::check)?;
        let statement = Statement::new(Kind::Begin, self.system(), "BEGIN");
        let begun = match &self.pools {
            // A transaction that begins as a reader cannot always become a writer.
            Pools::Sqlite(SqliteStore { writer, .. }) => {
                let begun = Box::pin(timing::waiting("writer", writer.begin_with("BEGIN IMMEDIATE"))).await;
                begun.map(Begun::Sqlite).map_err(stored)
            }
            Pools::Postgres(PostgresStore { pool, name, servers, .. }) => {
                let begun = Box::pin(in_time(servers, timing::waiting(name, pool.begin()))).await;
                begun.map(|begun| Begun::Postgres(begun, servers.clone()))
            }
        };
        let begun = statement.end(begun)?;
        let (mail_written, webhook_written) = (self.mail_written.clone(), self.webhook_written.clone());
        Ok(Tx { begun, file: file.cloned(), mail_written, mailed: false, webhook_written, hooked: false })
    }

    /// Checks that writes are kept. If the last write to SQLite failed, tries one that changes nothing.
    pub(super) async fn can_write(&self) -> Stored<()> {
        let Some(file) = self.database_file() else { return Ok(()) };
        file.check()?;
        if file.has_failed() {
            // Rewrites the file's first page as it is.
            self.execute("PRAGMA user_version = 0", args![]).await?;
        }
        Ok(())
    }

    /// Returns the same database over reserved connections, for what is short and must not wait.
    pub(super) fn reserved(&self) -> Cow<'_, Db> {
        match &self.pools {
            Pools::Sqlite(_) => Cow::Borrowed(self),
            Pools::Postgres(store) => {
                let pools =
                    Pools::Postgres(PostgresStore { pool: store.reserve.clone(), name: "reserve", ..store.clone() });
                Cow::Owned(Db { pools, ..self.clone() })
            }
        }
    }

    /// Returns the database's name in traces.
    fn system(&self) -> &'static str {
        self.pick("sqlite", "postgresql")
    }

    fn database_file(&self) -> Option<&DatabaseFile> {
        match &self.pools {
            Pools::Sqlite(SqliteStore { file, .. }) => Some(file),
            Pools::Postgres(_) => None,
        }
    }
}

/// Acknowledges a write if its file is still there.
fn acknowledged<T>(file: Option<&DatabaseFile>, written: Stored<T>) -> Stored<T> {
    let Some(file) = file else { return written };
    let written = written.and_then(|written| file.check_written().map(|()| written));
    match &written {
        Ok(_) => file.set_failed(false),
        Err(StoreError::Unavailable(_)) => file.set_failed(true),
        Err(_) => {}
    }
    written
}

/// A transaction. Dropped before [`commit`](Self::commit), it changes nothing.
pub(super) struct Tx {
    begun: Begun,
    file: Option<DatabaseFile>,
    mail_written: Arc<Notify>,
    mailed: bool,
    webhook_written: Arc<Notify>,
    hooked: bool,
}

enum Begun {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>, Servers),
}

macro_rules! within {
    ($tx:expr, $kind:expr, $sql:expr, $connection:ident => $run:expr) => {{
        let statement = Statement::new($kind, $tx.system(), $sql);
        let answer = match &mut $tx.begun {
            Begun::Sqlite($connection) => Box::pin(async { $run }).await.map_err(stored),
            Begun::Postgres($connection, servers) => Box::pin(in_time(servers, async { $run })).await,
        };
        statement.end(answer)
    }};
}

impl Tx {
    /// Runs a statement. Returns how many rows it changed.
    pub(super) async fn execute(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Stored<u64> {
        within!(self, Kind::Write, sql, tx => {
            bind!(query(sql), args).execute(&mut **tx).await.map(|done| done.rows_affected())
        })
    }

    pub(super) async fn fetch_all<T: DbRow>(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Stored<Vec<T>> {
        within!(self, Kind::Read, sql, tx => bind!(query_as(sql), args).fetch_all(&mut **tx).await)
    }

    /// Records who did what, at the end of the chain of its subject.
    pub(super) async fn audit(&mut self, entry: &AuditEntry) -> Stored<()> {
        let AuditEntry { id, at, actor, subject, action, detail } = entry;
        self.execute(
            "INSERT INTO audit (id, happened_at, actor, subject, action, detail) VALUES ($1, $2, $3, $4, $5, $6)",
            args![id, *at, actor, subject, *action, &detail.to_string()],
        )
        .await?;
        let line = Line {
            id: id.clone(),
            happened_at: *at,
            actor: actor.clone(),
            subject: subject.clone(),
            action: (*action).to_owned(),
            detail: detail.to_string(),
        };
        self.chain(&line).await
    }

    fn system(&self) -> &'static str {
        match self.begun {
            Begun::Sqlite(_) => "sqlite",
            Begun::Postgres(..) => "postgresql",
        }
    }

    /// Wakes the outbox once this is committed, for a mail that was written before.
    pub(super) fn mail_again(&mut self) {
        self.mailed = true;
    }

    /// Wakes the worker that delivers events once this is committed.
    pub(super) fn wake_webhooks(&mut self) {
        self.hooked = true;
    }

    /// Writes a mail to the outbox, due at once unless it is held back.
    pub(super) async fn mail(&mut self, mail: &NewMail) -> Stored<()> {
        let NewMail { id, applicant_id, about, template, to, subject, text, html, .. } = mail;
        let NewMail { attachment, message, sealed, unsubscribe_url, created_at, .. } = mail;
        // A closed account has no address, whatever happens to what is kept of it.
        if to.is_empty() {
            return Ok(());
        }
        let attachment = attachment.as_ref().map(super::outbox::stored_attachment);
        let why_held = super::outbox::why_held(self, mail).await?;
        let state = if why_held.is_some() { "kept" } else { "waiting" };
        self.execute(
            "INSERT INTO outbox (id, applicant_id, template, recipient, subject, body_text, body_html, message_text, \
             state, attempts, due_at, created_at, attachment, about_applicant_id, traceparent, sealed, held_at, \
             unsubscribe_url) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $14, 0, $9, $9, $10, $11, $12, $13, $15, $16)",
            args![
                id,
                applicant_id.as_deref(),
                *template,
                to,
                subject,
                text,
                html,
                message.as_deref(),
                *created_at,
                attachment.as_deref(),
                about.as_deref(),
                telemetry::traceparent().as_deref(),
                sealed.as_deref(),
                state,
                why_held.map(|_| *created_at),
                unsubscribe_url.as_deref(),
            ],
        )
        .await?;
        match why_held {
            None => self.mailed = true,
            Some(why) => {
                tracing::info!(mail = id, template, why, "a mail is held back");
                metrics::counter!("mails_held_total", "why" => why).increment(1);
            }
        }
        Ok(())
    }

    pub(super) async fn commit(self) -> Stored<()> {
        let statement = Statement::new(Kind::Commit, self.system(), "COMMIT");
        let committed = match self.begun {
            Begun::Sqlite(tx) => Box::pin(tx.commit()).await.map_err(stored),
            Begun::Postgres(tx, servers) => Box::pin(in_time(&servers, tx.commit())).await,
        };
        pass_moment();
        acknowledged(self.file.as_ref(), statement.end(committed))?;
        if self.mailed {
            self.mail_written.notify_one();
        }
        if self.hooked {
            self.webhook_written.notify_one();
        }
        Ok(())
    }
}
