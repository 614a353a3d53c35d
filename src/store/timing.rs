//! How long the database makes callers wait, for the metrics and in the callers' traces.

use std::sync::LazyLock;
use std::time::Instant;

use metrics::Histogram;
use sqlx::pool::PoolConnection;
use sqlx::{Database, Pool};

use crate::{StoreError, Stored};
use telemetry::Span;

/// What a statement is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Read,
    Scan,
    Write,
    Begin,
    Commit,
}

/// Looked up once: what is read in place takes microseconds.
static TIMES: LazyLock<[Histogram; 5]> = LazyLock::new(|| {
    ["read", "scan", "write", "begin", "commit"]
        .map(|kind| metrics::histogram!("database_statement_seconds", "kind" => kind))
});

/// A statement in progress.
pub(super) struct Statement {
    kind: Kind,
    span: Span,
    since: Instant,
}

impl Statement {
    pub(super) fn new(kind: Kind, system: &'static str, sql: &str) -> Statement {
        Statement { kind, span: telemetry::statement(system, sql), since: Instant::now() }
    }

    /// Returns a connection for it. Waiting for one is not the statement's time.
    pub(super) async fn connection<D: Database>(
        &mut self,
        pool: &Pool<D>,
        name: &'static str,
    ) -> sqlx::Result<PoolConnection<D>> {
        let connection = waiting(name, pool.acquire()).await;
        self.since = Instant::now();
        connection
    }

    /// Records how it ended.
    pub(super) fn end<T>(self, outcome: Stored<T>) -> Stored<T> {
        TIMES[self.kind as usize].record(self.since.elapsed());
        match &outcome {
            Ok(_) => {}
            Err(StoreError::Taken(_)) => self.span.fail("taken"),
            Err(StoreError::Unavailable(_)) => self.span.fail("unavailable"),
            Err(StoreError::Broken(_)) => self.span.fail("broken"),
        }
        outcome
    }
}

/// Times a statement that is read in place.
pub(super) fn in_place<T>(sql: &str, read: impl FnOnce() -> Stored<T>) -> Stored<T> {
    let statement = Statement::new(Kind::Read, "sqlite", sql);
    statement.end(read())
}

/// A caller that waits for a connection.
struct Waiting(&'static str);

impl Drop for Waiting {
    fn drop(&mut self) {
        metrics::gauge!("database_waiting", "pool" => self.0).decrement(1);
    }
}

/// Waits for a connection, or for a transaction to begin on one.
pub(super) async fn waiting<T>(pool: &'static str, asked: impl Future<Output = T>) -> T {
    metrics::gauge!("database_waiting", "pool" => pool).increment(1);
    let _waits = Waiting(pool);
    let since = Instant::now();
    let given = asked.await;
    metrics::histogram!("database_wait_seconds", "pool" => pool).record(since.elapsed());
    given
}
