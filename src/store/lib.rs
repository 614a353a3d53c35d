//! The store on SQLite or PostgreSQL, and the only crate that knows sqlx.
//!
//! # To add a query
//!
//! 1. Write a method of `Db` in the file for its subject, named by what it means to the product, with its meaning and
//!    errors above it: one method is one transaction, which happens as a whole or not at all, so that status, audit and
//!    outbox are never written separately. What it takes and returns is a type of `domain`, or of the same file.
//! 2. One SQL text serves both databases, with `$1` parameters. Times are milliseconds in integer columns, JSON is
//!    text, a flag is the time it was set, identifiers are text. If the dialects differ, give both texts to `Db::pick`.
//! 3. Run it with what `query` offers:
//!    - a read: `Db::fetch_optional` for a row that an index finds, `Db::fetch_all` for the rows of a page, `Db::scan`
//!      for what reads many, each with a row type declared by `in_place::row`, whose fields are the columns in order;
//!    - one statement that writes, which is a transaction by itself: `Db::execute`, `Db::write_returning`;
//!    - several: `Db::begin`, then the same on the `query::Tx`, `query::Tx::audit`, `query::Tx::mail`, and at
//!      the end `query::Tx::commit`. A dropped `Tx` changes nothing.
//! 4. A new unique constraint that users can run into gets its line in `error`.
//! 5. A new table or column is a new file in `migrations/sqlite` **and** `migrations/postgres` under the same name;
//!    released files are never edited, and `migrations` says what they may contain. Every list and every
//!    lookup has an index.
//! 6. Test it in `tests/it/store.rs`, which runs on both databases.

mod accounts;
mod api_keys;
mod application_fees;
mod applications;
mod audit_chain;
mod booking_requests;
mod calendars;
mod card_payments;
mod conditions;
mod contract_templates;
mod contracts;
mod conversations;
mod database_file;
mod decisions;
mod deliveries;
mod directory;
mod documents;
mod dossiers;
mod drafts;
mod duplicates;
mod email_changes;
mod email_confirmations;
mod error;
mod figure_reports;
mod finance;
mod funding;
mod idempotency;
mod imports;
mod in_place;
mod insight;
mod interviews;
mod jobs;
mod ledger;
mod list_views;
mod listings;
mod messages;
mod migrations;
mod open_days;
mod outbox;
mod passkeys;
mod places;
mod program_secret;
mod prospects;
mod query;
mod questionnaires;
mod readings;
mod records;
mod referees;
mod rows;
mod second_factors;
mod servers;
mod sessions;
mod settings;
mod sheets;
mod sign_on;
mod staff;
mod staff_invitations;
mod staff_sessions;
mod storage_claims;
mod tasks;
mod throttles;
mod timing;
pub mod transfer;
mod waitlist;
mod webhooks;

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::{Migration, Migrator};
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, PgPool, SqlitePool};
use tokio::sync::Notify;

use database_file::DatabaseFile;
use domain::moments::Millis;
use error::stored;
use query::args;
use servers::Servers;
use sqlite::Reader;

pub use application_fees::{FeeChange, NewFee};
pub use applications::{SaveOutcome, Transition, TransitionOutcome};
pub use audit_chain::{AuditEntry, Broken};
pub use booking_requests::RequestEnd;
pub use card_payments::{CardRefund, CardRefundState, ChargeEffects, EventState, KeptEvent, PaymentCard, RefundsSeen};
pub use conditions::{JudgedCondition, NewConditionVerdict};
pub use contract_templates::NewTemplate;
pub use contracts::{CONTRACT_EXPIRY, CONTRACT_REMINDER, ContractChange, contract_subject};
pub use conversations::ConversationOf;
pub use decisions::{DecisionWrite, Milestones, RELEASE, release_subject};
pub use directory::{AccountChange, AccountStep};
pub use documents::{DocumentStates, KeptObject, NewDocument, Part, SlotReview, lost_detail};
pub use dossiers::{ChainEnd, RecordedLine, StoredChange};
pub use duplicates::{Alike, DuplicateVerdict, Likeness};
pub use email_changes::EmailChange;
pub use email_confirmations::MailedLink;
pub use error::{StoreError, Stored};
pub use figure_reports::{DueReport, FigureReport};
pub use finance::MoneyCounts;
pub use funding::{FundingEffects, NewFunding, NewVerdict};
pub use idempotency::KeyUse;
pub use imports::{BroughtIn, CheckedRow, Claimed, ImportedRow, KnownAccount, NewImport};
pub use insight::AuditQuery;
pub use interviews::{InterviewChange, NewSlot, SlotRequest};
pub use jobs::{Job, NewJob};
pub use ledger::{LedgerFault, Posting};
pub use list_views::{ListView, ViewRenamed, ViewSaved};
pub use open_days::{Booked, BookingMail, CancelMail, Cancelling, DayChanged, NewBooking};
pub use outbox::NewMail;
pub use passkeys::PasskeyAdded;
pub use program_secret::{KeptWithSecret, SecretUse};
pub use prospects::{NewInquiry, ProspectMail};
pub use questionnaires::{Deleted, NewQuestionSet};
pub use readings::NewReading;
pub use records::{Closing, RecordedAct, StageChange, StoredInterview, StoredRecords, StoredSession};
pub use referees::RefereeRequest;
pub use second_factors::NewSecondFactor;
pub use servers::hosts_without_tls;
pub use sessions::{MAX_SESSIONS, NewSession, SessionKey};
pub use settings::NewSetting;
pub use sign_on::{Known, SignOnEntry};
pub use sqlite::at_one_moment;
pub use staff::{StaffChange, StaffChanged};
pub use storage_claims::{StorageClaim, SweepFigures, UnnamedObject};
pub use tasks::{TaskQuery, TasksOf};
pub use throttles::{Limit, Throttle};
pub use waitlist::{FirstInLine, InLine, LineMove};
pub use webhooks::{ClaimedDelivery, EndpointCall, NewEndpoint};

/// The name under which PostgreSQL lists our connections.
const APPLICATION_NAME: &str = "matricula";

static SQLITE_MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/sqlite");
static POSTGRES_MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/postgres");

/// The database. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Db {
    pools: Pools,
    mail_written: Arc<Notify>,
    webhook_written: Arc<Notify>,
}

#[derive(Debug, Clone)]
enum Pools {
    Sqlite(SqliteStore),
    Postgres(PostgresStore),
}

#[derive(Debug, Clone)]
struct PostgresStore {
    pool: PgPool,
    /// Its name in the metrics.
    name: &'static str,
    /// For readiness and sessions, which must not wait behind everything else.
    reserve: PgPool,
    servers: Servers,
}

/// SQLite lets one connection write at a time. Queueing for the one writer here is fair and cheap, where several
/// connections would poll for the file's lock.
#[derive(Debug, Clone)]
struct SqliteStore {
    writer: SqlitePool,
    readers: SqlitePool,
    in_place: Reader,
    file: DatabaseFile,
}

/// How to use the database.
#[derive(Debug, Clone)]
pub struct Options {
    /// Maximum connections to PostgreSQL, besides [`RESERVE`].
    pub postgres_connections: u32,
    /// Connections that read SQLite, besides the one that writes.
    pub sqlite_readers: u32,
    /// How long a request waits for a free connection, for a lock of PostgreSQL, or for another process that writes to
    /// the same SQLite file.
    pub acquire_timeout: Duration,
    /// How long PostgreSQL works on one statement before it gives up.
    pub statement_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            postgres_connections: 16,
            sqlite_readers: 4,
            acquire_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(10),
        }
    }
}

/// Connections to PostgreSQL that are kept for readiness and for sessions.
pub const RESERVE: u32 = 2;

/// Why the database cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("the database URL must start with sqlite: or postgres:")]
    Scheme,
    #[error("the database URL names an SQLite database in memory; name a file")]
    Memory,
    #[error("cannot open the database")]
    Open(#[source] sqlx::Error),
    #[error("no server of the database URL takes writes: {0}")]
    NoneTakesWrites(String),
    #[error("cannot bring the database's tables up to date")]
    Migrate(#[source] sqlx::migrate::MigrateError),
}

impl Db {
    /// Opens the database at `url` (`sqlite:FILE` or `postgres://…`, with several servers separated by commas). An
    /// SQLite file is created if it is missing; its folder must be there.
    pub async fn connect(url: &str, options: &Options) -> Result<Db, SetupError> {
        let pools = match url.split(':').next() {
            Some("sqlite") => Pools::Sqlite(SqliteStore::open(url, options).await?),
            Some("postgres" | "postgresql") => Pools::Postgres(PostgresStore::open(url, options).await?),
            _ => return Err(SetupError::Scheme),
        };
        Ok(Db { pools, mail_written: Arc::default(), webhook_written: Arc::default() })
    }

    /// Returns the file of an SQLite database that does not exist yet; connecting would create it.
    pub fn missing_file(url: &str) -> Option<PathBuf> {
        let options = SqliteConnectOptions::from_str(url)
            .ok()
            .filter(|_| url.starts_with("sqlite:") && !url.contains("memory"))?;
        let file = options.get_filename().to_owned();
        (!file.exists()).then_some(file)
    }

    /// Runs the embedded migrations that have not been run yet. Several processes may do so at once.
    pub async fn migrate(&self) -> Result<(), SetupError> {
        match &self.pools {
            Pools::Sqlite(SqliteStore { writer, .. }) => {
                // The transaction is the lock that keeps another process out.
                let mut tx = writer.begin_with("BEGIN IMMEDIATE").await.map_err(SetupError::Open)?;
                SQLITE_MIGRATIONS.run_direct(None, &mut *tx, false).await.map_err(SetupError::Migrate)?;
                tx.commit().await.map_err(SetupError::Open)
            }
            Pools::Postgres(PostgresStore { pool, .. }) => {
                let mut connection = pool.acquire().await.map_err(SetupError::Open)?;
                migrations::migrate(&mut connection, &POSTGRES_MIGRATIONS).await.map_err(SetupError::Migrate)?;
                // Not returned to the pool, because it has no timeouts.
                connection.close().await.map_err(SetupError::Open)
            }
        }
    }

    /// Returns what is notified whenever this process commits a mail to the outbox.
    pub fn mail_written(&self) -> Arc<Notify> {
        self.mail_written.clone()
    }

    /// Returns what is notified whenever this process commits something to be delivered by a webhook.
    pub fn webhook_written(&self) -> Arc<Notify> {
        self.webhook_written.clone()
    }

    /// Closes every connection, after the statements in progress.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite(SqliteStore { writer, readers, in_place, .. }) => {
                in_place.close();
                readers.close().await;
                writer.close().await;
            }
            Pools::Postgres(PostgresStore { pool, reserve, .. }) => {
                reserve.close().await;
                pool.close().await;
            }
        }
    }

    /// Picks the text for this database, where the dialects differ.
    fn pick(&self, sqlite: &'static str, postgres: &'static str) -> &'static str {
        match self.pools {
            Pools::Sqlite(_) => sqlite,
            Pools::Postgres(_) => postgres,
        }
    }
}

impl SqliteStore {
    async fn open(url: &str, options: &Options) -> Result<SqliteStore, SetupError> {
        let both = SqliteConnectOptions::from_str(url).map_err(SetupError::Open)?;
        let name = both.get_filename().to_owned();
        if name.as_os_str().is_empty() || url.contains(":memory:") || url.contains("mode=memory") {
            return Err(SetupError::Memory);
        }
        // sqlx sets the timeout while opening, before any other pragma could meet a locked file.
        let both = both.busy_timeout(options.acquire_timeout).foreign_keys(true);
        let pool = || {
            SqlitePoolOptions::new()
                .acquire_timeout(options.acquire_timeout)
                .test_before_acquire(false)
                .idle_timeout(None)
                .max_lifetime(None)
        };
        let writer = both.clone().journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
        let writers = pool().max_connections(1).after_release(|connection, _| {
            Box::pin(async move {
                // A connection whose transaction could neither be committed nor rolled back would let nobody begin
                // another. One that was only dropped is rolled back before the ping is answered.
                Ok(!connection.is_in_transaction()
                    || connection.ping().await.is_ok() && !connection.is_in_transaction())
            })
        });
        // The writer first: it creates the file and sets its journal mode.
        let once = writer.clone().create_if_missing(true);
        let writers = writers.connect_with(once).await.map_err(SetupError::Open)?;
        // Later connections open the existing file, and create no empty one in the place of one that was removed.
        writers.set_connect_options(writer);
        let readers = pool().max_connections(options.sqlite_readers).connect_lazy_with(both.read_only(true));
        let in_place = Reader::new(&name, options.acquire_timeout);
        Ok(SqliteStore { writer: writers, readers, in_place, file: DatabaseFile::new(name) })
    }
}

impl PostgresStore {
    async fn open(url: &str, options: &Options) -> Result<PostgresStore, SetupError> {
        let milliseconds = |limit: Duration| limit.as_millis().to_string();
        let (timeout, lock_timeout) = (milliseconds(options.statement_timeout), milliseconds(options.acquire_timeout));
        let patience = options.acquire_timeout + options.statement_timeout + Duration::from_secs(1);
        let servers = Servers::new(url, patience, |server| {
            server.application_name(APPLICATION_NAME).options([
                ("statement_timeout", &*timeout),
                ("lock_timeout", &*lock_timeout),
                ("idle_in_transaction_session_timeout", &*timeout),
                // Compiling takes longer than any statement here: a batch of a migration took a second for it.
                ("jit", "off"),
            ])
        })?;
        let pool = || {
            let (new, rested) = (servers.clone(), servers.clone());
            PgPoolOptions::new()
                .acquire_timeout(options.acquire_timeout)
                // A ping costs as much as most queries.
                .test_before_acquire(false)
                .after_connect(move |connection, _| {
                    let servers = new.clone();
                    Box::pin(async move { servers.check_new(connection).await })
                })
                .before_acquire(move |connection, meta| {
                    let servers = rested.clone();
                    Box::pin(async move { Ok(servers.check_rested(connection, meta).await) })
                })
        };
        let connect = servers.writable(options.acquire_timeout).await?;
        let reserve = pool().max_connections(RESERVE).connect_lazy_with(connect.clone());
        let pool = pool().max_connections(options.postgres_connections).connect_with(connect.clone()).await;
        let pool = pool.map_err(SetupError::Open)?;
        if servers.are_several() {
            tokio::spawn(servers.clone().lead([pool.clone(), reserve.clone()], connect));
        }
        Ok(PostgresStore { pool, name: "requests", reserve, servers })
    }
}

impl Db {
    /// Whether the database answers and its migrations are the ones of this program.
    pub async fn ping(&self) -> Stored<()> {
        self.can_write().await?;
        let sql = "SELECT version, checksum FROM _sqlx_migrations WHERE success ORDER BY version";
        let applied: Vec<(i64, Vec<u8>)> = self.reserved().fetch_all(sql, args![]).await?;
        let embedded = match self.pools {
            Pools::Sqlite(_) => &SQLITE_MIGRATIONS,
            Pools::Postgres(_) => &POSTGRES_MIGRATIONS,
        };
        let is_there = |migration: &Migration| {
            applied.iter().any(|(version, checksum)| *version == migration.version && *checksum == *migration.checksum)
        };
        // Additional ones are those of a newer version, which is being rolled out alongside this one.
        if embedded.iter().all(is_there) {
            Ok(())
        } else {
            Err(StoreError::Broken("the database has not all migrations of this program".into()))
        }
    }

    /// Returns the damage that the database's own check of its file finds: nothing if all is well. A `thorough` check
    /// reads everything, and follows every reference from one table to another. PostgreSQL takes care of both itself.
    pub async fn damage(&self, thorough: bool) -> Stored<Vec<String>> {
        if matches!(self.pools, Pools::Postgres(_)) {
            return Ok(Vec::new());
        }
        let check = if thorough { "PRAGMA integrity_check" } else { "PRAGMA quick_check" };
        let found: Vec<(String,)> = self.scan(check, args![]).await?;
        let mut damage: Vec<String> = found.into_iter().map(|(found,)| found).filter(|found| found != "ok").collect();
        if thorough {
            let dangling: Vec<(String, Option<i64>, String, i64)> =
                self.scan("PRAGMA foreign_key_check", args![]).await?;
            damage.extend(dangling.into_iter().map(|(table, row, parent, _)| {
                format!("row {} of {table} refers to a row of {parent} that is not there", row.unwrap_or_default())
            }));
        }
        Ok(damage)
    }

    /// Returns since when the mail, and the job, that has waited longest is due.
    pub async fn due_since(&self, now: Millis) -> Stored<(Option<Millis>, Option<Millis>)> {
        let sql = "SELECT (SELECT MIN(due_at) FROM outbox WHERE state = 'waiting' AND due_at <= $1), \
                   (SELECT MIN(due_at) FROM jobs WHERE state = 'waiting' AND due_at <= $1)";
        let oldest: Vec<(Option<i64>, Option<i64>)> = self.scan(sql, args![now]).await?;
        Ok(oldest.first().copied().unwrap_or_default())
    }

    /// Returns open connections by purpose, and how many of them are idle.
    pub fn connections(&self) -> Vec<(&'static str, u32, u32)> {
        let idle = |idle: usize| u32::try_from(idle).unwrap_or(u32::MAX);
        match &self.pools {
            Pools::Sqlite(SqliteStore { writer, readers, .. }) => vec![
                ("writer", writer.size(), idle(writer.num_idle())),
                ("readers", readers.size(), idle(readers.num_idle())),
            ],
            Pools::Postgres(PostgresStore { pool, reserve, .. }) => vec![
                ("requests", pool.size(), idle(pool.num_idle())),
                ("reserve", reserve.size(), idle(reserve.num_idle())),
            ],
        }
    }

    /// Returns `sqlite` or `postgres`.
    pub fn kind(&self) -> &'static str {
        self.pick("sqlite", "postgres")
    }
}
