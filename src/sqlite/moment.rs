//! One moment of SQLite for everything that a task reads in place until it next waits: one transaction instead of one
//! for each statement, which costs less and sees nothing half changed.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;

use rusqlite::Connection;

use super::Inner;

thread_local! {
    static MOMENT: RefCell<Moment> = const { RefCell::new(Moment::None) };
}

enum Moment {
    /// Each read is of its own moment.
    None,
    /// The next read begins the moment.
    Open,
    Begun {
        reader: Arc<Inner>,
        connection: Connection,
    },
}

/// Runs `future` so that its reads in place between two waits are of one moment: one transaction, which holds no
/// connection while the task waits. What is read after a write is of a later moment.
pub async fn at_one_moment<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|context| {
        let _ends = open();
        future.as_mut().poll(context)
    })
    .await
}

/// Ends the moment with the poll.
struct Ends;

impl Drop for Ends {
    fn drop(&mut self) {
        finish(MOMENT.replace(Moment::None));
    }
}

/// Lets the next read begin a moment; `None` if it already will.
fn open() -> Option<Ends> {
    MOMENT.with_borrow_mut(|moment| {
        matches!(moment, Moment::None).then(|| {
            *moment = Moment::Open;
            Ends
        })
    })
}

/// Ends the moment: what is read from now on is of a later one.
pub fn pass() {
    let begun = MOMENT.with_borrow_mut(|moment| match moment {
        Moment::Begun { .. } => std::mem::replace(moment, Moment::Open),
        Moment::None | Moment::Open => Moment::None,
    });
    finish(begun);
}

/// Takes the connection that reads at this moment, if there is one. It is [given back](hold) afterwards.
pub(super) fn held(reader: &Arc<Inner>) -> Option<Connection> {
    MOMENT.with_borrow_mut(|moment| match moment {
        Moment::Begun { reader: whose, .. } if Arc::ptr_eq(whose, reader) => {
            match std::mem::replace(moment, Moment::Open) {
                Moment::Begun { connection, .. } => Some(connection),
                Moment::None | Moment::Open => None,
            }
        }
        _ => None,
    })
}

/// Begins the moment on a connection that reads for the first time, if one is to begin. Returns whether it did.
pub(super) fn begins(connection: &Connection) -> bool {
    let is_open = MOMENT.with_borrow(|moment| matches!(moment, Moment::Open));
    is_open && run(connection, "BEGIN").is_ok()
}

/// Keeps the connection for the next read at this moment.
pub(super) fn hold(reader: Arc<Inner>, connection: Connection) {
    finish(MOMENT.replace(Moment::Begun { reader, connection }));
}

fn finish(moment: Moment) {
    // A connection that cannot end its transaction is closed, which ends it.
    if let Moment::Begun { reader, connection } = moment
        && run(&connection, "COMMIT").is_ok()
    {
        reader.keep(connection);
    }
}

fn run(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.raw_execute().map(drop)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::Reader;

    fn numbered(file: &Path) -> Connection {
        let writer = Connection::open(file).unwrap();
        writer
            .execute_batch("PRAGMA journal_mode = wal; CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)")
            .unwrap();
        writer
    }

    #[tokio::test]
    async fn what_is_read_between_two_waits_is_of_one_moment() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("moment.db");
        let writer = numbered(&file);
        let reader = Reader::new(&file, Duration::from_secs(1));
        let raise = || writer.execute_batch("UPDATE t SET n = n + 1").unwrap();
        let number = || reader.fetch_optional::<(i64,)>("SELECT n FROM t", &[]).unwrap().unwrap().0;

        let seen = at_one_moment(async {
            let first = number();
            raise();
            let same = number();
            tokio::task::yield_now().await;
            let after_waiting = number();
            raise();
            pass();
            [first, same, after_waiting, number()]
        });
        assert_eq!(seen.await, [1, 1, 2, 3]);
        raise();
        assert_eq!(number(), 4, "whoever is not within a moment reads for itself");
    }

    #[tokio::test]
    async fn a_moment_keeps_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("moment.db");
        let writer = numbered(&file);
        let reader = Reader::new(&file, Duration::from_secs(1));
        let other = Reader::new(&file, Duration::from_secs(1));
        for _ in 0..3 {
            at_one_moment(async {
                // A second store has its own connections.
                for each in [&reader, &other, &reader] {
                    each.fetch_all::<(i64,)>("SELECT n FROM t", &[]).unwrap();
                }
                assert!(reader.fetch_all::<(i64,)>("SELECT n FROM nowhere", &[]).is_err());
                at_one_moment(async { reader.fetch_all::<(i64,)>("SELECT n FROM t", &[]).unwrap() }).await;
            })
            .await;
        }
        assert_eq!([reader.idle_connections(), other.idle_connections()], [1, 1]);
        // A reader that had not ended its transaction would hold the log back.
        writer.execute_batch("UPDATE t SET n = 7").unwrap();
        let held_back: i64 = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |row| row.get(0)).unwrap();
        assert_eq!(held_back, 0);
    }
}
