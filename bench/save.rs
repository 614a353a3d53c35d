//! The lower bound for saving an application: the statement in `src/store/applications.rs` alone, in its own
//! transaction, through pools set up as in `src/store/lib.rs`. No HTTP, sign-in, reading of former answers, or checks.

use std::error::Error;
use std::str::FromStr;
use std::time::{Duration, Instant};

use futures::future::try_join_all;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{PgPool, SqlitePool};

use crate::Round;

const APPLICATIONS: &str =
    "SELECT id, revision, program, answers FROM applications WHERE archived_at IS NULL ORDER BY id LIMIT $1";

const SAVE: &str = "UPDATE applications SET program = $3, answers = $4, revision = revision + 1, updated_at = $5 \
     WHERE id = $1 AND revision = $2 AND archived_at IS NULL";

/// An application: id, revision, program, answers.
type Application = (String, i64, String, String);
/// The connections that may write.
enum Writers {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl Writers {
    async fn open(url: &str) -> Result<Writers, sqlx::Error> {
        if url.starts_with("sqlite:") {
            let options = SqliteConnectOptions::from_str(url)?
                .busy_timeout(Duration::from_secs(5))
                .foreign_keys(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full);
            let pool = SqlitePoolOptions::new().max_connections(1).test_before_acquire(false);
            return pool.connect_with(options).await.map(Writers::Sqlite);
        }
        let pool = PgPoolOptions::new().max_connections(16).test_before_acquire(false);
        pool.connect_with(PgConnectOptions::from_str(url)?).await.map(Writers::Postgres)
    }

    async fn applications(&self, most: i64) -> Result<Vec<Application>, sqlx::Error> {
        match self {
            Writers::Sqlite(pool) => sqlx::query_as(APPLICATIONS).bind(most).fetch_all(pool).await,
            Writers::Postgres(pool) => sqlx::query_as(APPLICATIONS).bind(most).fetch_all(pool).await,
        }
    }

    async fn save(&self, (id, revision, program, answers): &Application) -> Result<u64, sqlx::Error> {
        // Any time will do: it is stored and not read.
        let now = revision;
        macro_rules! on {
            ($pool:expr) => {
                sqlx::query(SAVE).bind(id).bind(revision).bind(program).bind(answers).bind(now).execute($pool)
            };
        }
        match self {
            Writers::Sqlite(pool) => Ok(on!(pool).await?.rows_affected()),
            Writers::Postgres(pool) => Ok(on!(pool).await?.rows_affected()),
        }
    }
}

/// Saves the first applications of the database, each again as soon as its last save is done.
pub async fn run(url: &str, clients: i64, seconds: f64) -> Result<Round, Box<dyn Error>> {
    let writers = Writers::open(url).await?;
    let applications = writers.applications(clients).await?;
    if applications.len() as i64 != clients {
        return Err(format!("the database has {} applications, {clients} are wanted", applications.len()).into());
    }
    let started = Instant::now();
    let end = started + Duration::from_secs_f64(seconds);
    let latencies = try_join_all(applications.into_iter().map(|application| keep_saving(&writers, application, end)));
    let latencies = latencies.await?;
    Ok(Round::new(latencies.concat(), started.elapsed()))
}

async fn keep_saving(
    writers: &Writers,
    mut application: Application,
    end: Instant,
) -> Result<Vec<Duration>, Box<dyn Error>> {
    let mut latencies = Vec::new();
    while Instant::now() < end {
        let sent = Instant::now();
        let saved = writers.save(&application).await?;
        latencies.push(sent.elapsed());
        if saved != 1 {
            return Err("somebody else is saving too".into());
        }
        application.1 += 1;
    }
    Ok(latencies)
}
