//! The PostgreSQL servers that a database URL names: `postgres://USER@HOST:PORT,HOST:PORT/DATABASE`. One of them takes
//! writes, and which one may change.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use sqlx::pool::PoolConnectionMetadata;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::SetupError;

/// How long one of several servers may take to say whether it takes writes.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long to wait for the others once one says so: a former primary that came back may say it too, and sooner.
const GRACE: Duration = Duration::from_millis(250);
/// The pause between two rounds of asking all of them.
const ROUND: Duration = Duration::from_millis(100);
/// How long connections are checked before use, after one has failed.
const DOUBT: Duration = Duration::from_secs(10);
/// A connection that was idle for longer may have died unnoticed.
const RESTED: Duration = Duration::from_secs(5);
/// How long a connection that is checked may take to answer.
const ANSWER: Duration = Duration::from_secs(1);

/// Asks whether the server takes writes.
const TAKES_WRITES: &str = "SELECT current_setting('transaction_read_only') = 'off', 0::bigint";
/// Asks whether the server takes writes, and for its timeline, which counts the promotions before.
const TAKES_WRITES_SINCE: &str = "SELECT current_setting('transaction_read_only') = 'off', CASE WHEN pg_is_in_recovery() THEN 0 \
     ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint END";

/// The servers of a database URL. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Servers(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    each: Vec<PgConnectOptions>,
    /// How long to wait for an answer.
    patience: Duration,
    /// The highest timeline seen. A server behind it is a former primary, whatever it says.
    timeline: AtomicI64,
    started: Instant,
    /// Milliseconds since `started`, from 1: when a connection last failed, and when writing moved to another server.
    failed: AtomicU64,
    moved: AtomicU64,
    failure: Notify,
}

impl Servers {
    /// Creates the servers of `url`, each configured by `set`.
    pub(super) fn new(
        url: &str,
        patience: Duration,
        set: impl Fn(PgConnectOptions) -> PgConnectOptions,
    ) -> Result<Servers, SetupError> {
        let each: Result<Vec<_>, _> = urls(url).iter().map(|url| PgConnectOptions::from_str(url).map(&set)).collect();
        Ok(Servers(Arc::new(Inner {
            each: each.map_err(SetupError::Open)?,
            patience,
            timeline: AtomicI64::new(0),
            started: Instant::now(),
            failed: AtomicU64::new(0),
            moved: AtomicU64::new(0),
            failure: Notify::new(),
        })))
    }

    /// How long to wait for an answer.
    pub(super) fn patience(&self) -> Duration {
        self.0.patience
    }

    /// Returns how to connect to the server that takes writes. A single one is not asked.
    pub(super) async fn writable(&self, within: Duration) -> Result<PgConnectOptions, SetupError> {
        if let [only] = &*self.0.each {
            return Ok(only.clone());
        }
        let deadline = Instant::now() + within;
        loop {
            match self.find().await {
                Ok(found) => return Ok(found.clone()),
                Err(answers) if Instant::now() > deadline => return Err(SetupError::NoneTakesWrites(answers)),
                Err(_) => sleep(ROUND).await,
            }
        }
    }

    /// Asks all of them at once. Returns what they said if none takes writes.
    async fn find(&self) -> Result<&PgConnectOptions, String> {
        let ask = |index: usize| async move {
            let answer = timeout(CONNECT_TIMEOUT, self.ask_anew(&self.0.each[index])).await;
            (index, answer.unwrap_or_else(|_| Err("does not answer".into())))
        };
        let mut asked: FuturesUnordered<_> = (0..self.0.each.len()).map(ask).collect();
        let mut deadline = Instant::now() + CONNECT_TIMEOUT;
        let mut best: Option<(i64, usize)> = None;
        let mut refusals = Vec::new();
        while let Ok(Some((index, answer))) = timeout_at(deadline, asked.next()).await {
            match answer {
                Ok(timeline) => {
                    deadline = deadline.min(Instant::now() + GRACE);
                    best = best.max(Some((timeline, index)));
                }
                Err(refusal) => refusals.push(format!("{} {refusal}", name(&self.0.each[index]))),
            }
        }
        let Some((timeline, index)) = best else { return Err(refusals.join("; ")) };
        self.0.timeline.fetch_max(timeline, Ordering::Relaxed);
        Ok(&self.0.each[index])
    }

    /// Returns the timeline of a server that takes writes, or why it cannot be used.
    async fn ask_anew(&self, options: &PgConnectOptions) -> Result<i64, String> {
        let to_message = |error: sqlx::Error| error.to_string();
        let mut connection = options.connect().await.map_err(to_message)?;
        let timeline = self.ask(&mut connection).await;
        let _ = connection.close().await;
        timeline
    }

    async fn ask(&self, connection: &mut PgConnection) -> Result<i64, String> {
        let question = if self.are_several() { TAKES_WRITES_SINCE } else { TAKES_WRITES };
        let answer: sqlx::Result<(bool, i64)> = sqlx::query_as(question).fetch_one(connection).await;
        let (takes_writes, timeline) = answer.map_err(|error| error.to_string())?;
        if !takes_writes {
            return Err("only reads".into());
        }
        if timeline < self.0.timeline.load(Ordering::Relaxed) {
            return Err("was replaced by another server".into());
        }
        Ok(timeline)
    }

    pub(super) fn are_several(&self) -> bool {
        self.0.each.len() > 1
    }

    /// Checks that a new connection leads to the server that takes writes: it may have stopped doing so since it was
    /// found.
    pub(super) async fn check_new(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        if self.are_several() {
            self.ask(connection).await.map_err(sqlx::Error::Protocol)?;
        }
        Ok(())
    }

    /// Whether an idle connection can be used.
    pub(super) async fn check_rested(&self, connection: &mut PgConnection, meta: PoolConnectionMetadata) -> bool {
        let since = |moment: &AtomicU64| match moment.load(Ordering::Relaxed) {
            0 => Duration::MAX,
            moment => self.0.started.elapsed().saturating_sub(Duration::from_millis(moment)),
        };
        if meta.age > since(&self.0.moved) {
            return false;
        }
        if meta.idle_for < RESTED && since(&self.0.failed) > DOUBT {
            return true;
        }
        match timeout(ANSWER, self.ask(connection)).await {
            Ok(Ok(_)) => true,
            // A read-only server is better than nothing. But an address may lead to another server now.
            Ok(Err(_)) => !self.are_several() && meta.age < ANSWER && connection.ping().await.is_ok(),
            Err(_) => false,
        }
    }

    /// Remembers that a statement failed, if the server may be at fault.
    pub(super) fn failed(&self, error: Option<&sqlx::Error>) {
        if error.is_none_or(is_of_server) {
            self.0.failed.store(self.now(), Ordering::Relaxed);
            self.0.failure.notify_one();
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.0.started.elapsed().as_millis()).unwrap_or(u64::MAX).max(1)
    }

    /// Points the pools at whichever server takes writes, until they are closed.
    pub(super) async fn lead(self, pools: [PgPool; 2], mut current: PgConnectOptions) {
        let closed = pools[0].close_event();
        let lead = async {
            loop {
                self.0.failure.notified().await;
                let mut warned = false;
                let found = loop {
                    match self.find().await {
                        Ok(found) => break found,
                        Err(answers) if !warned => {
                            warned = true;
                            tracing::warn!(%answers, "no server of the database takes writes");
                        }
                        Err(_) => {}
                    }
                    sleep(ROUND).await;
                };
                if name(found) != name(&current) {
                    tracing::warn!(from = name(&current), to = name(found), "another server takes writes now");
                    current = found.clone();
                    for pool in &pools {
                        pool.set_connect_options(found.clone());
                    }
                    self.0.moved.store(self.now(), Ordering::Relaxed);
                }
                // Repeated failures are looked at again, but with pauses.
                sleep(ROUND).await;
            }
        };
        tokio::select! {
            () = closed => {}
            () = lead => {}
        }
    }
}

/// Whether an error may be due to the server, and not to a statement.
fn is_of_server(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::WorkerCrashed => true,
        // A connection's end, a shutdown, and a server that only reads.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            code.starts_with("08") || code.starts_with("57P") || code == "25006" || code == "25P02"
        }),
        _ => false,
    }
}

/// Returns a server's name without secrets.
fn name(server: &PgConnectOptions) -> String {
    match server.get_socket() {
        Some(socket) => format!("{}:{}", socket.display(), server.get_port()),
        None => format!("{}:{}", server.get_host(), server.get_port()),
    }
}

/// Returns the hosts that a PostgreSQL URL names without requiring TLS; none for another database.
pub fn hosts_without_tls(url: &str) -> Vec<String> {
    if !url.starts_with("postgres") {
        return Vec::new();
    }
    let servers = urls(url).into_iter().filter_map(|url| PgConnectOptions::from_str(&url).ok());
    let requires = |mode| matches!(mode, PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull);
    let open = servers.filter(|server| server.get_socket().is_none() && !requires(server.get_ssl_mode()));
    open.map(|server| server.get_host().to_owned()).collect()
}

/// Returns a URL for each server of a URL.
fn urls(url: &str) -> Vec<String> {
    let Some((scheme, rest)) = url.split_once("://") else { return vec![url.to_owned()] };
    let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, hosts) = match authority.rfind('@') {
        Some(at) => authority.split_at(at + 1),
        None => ("", authority),
    };
    hosts.split(',').map(|host| format!("{scheme}://{user}{host}{tail}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_server_of_a_url_has_its_own_port_and_everything_else_of_it() {
        let url = "postgres://u:p%2C@one:5433,two,[::1]:5434/db?sslmode=require";
        let tail = "/db?sslmode=require";
        let each = ["one:5433", "two", "[::1]:5434"].map(|host| format!("postgres://u:p%2C@{host}{tail}"));
        assert_eq!(urls(url), each);
        let servers = Servers::new(url, ANSWER, |options| options).unwrap();
        let names: Vec<_> = servers.0.each.iter().map(name).collect();
        assert_eq!(names, ["one:5433", "two:5432", "[::1]:5434"]);
    }

    #[test]
    fn a_url_with_one_server_stays_as_it_is() {
        for url in
            ["postgres:///db?host=/run/postgresql", "postgres://h/a,b", "postgres://u@h?options=a,b", "postgres:x"]
        {
            assert_eq!(urls(url), [url]);
        }
    }
}
