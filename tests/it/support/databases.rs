//! Databases for stories: a fresh one for each test, SQLite in a temporary folder or a database of a PostgreSQL server.
//!
//! The server is the one in `DATABASE_URL` if that is a `postgres:` URL. Otherwise, if PostgreSQL's programs are
//! installed, one is started for this test run and removed after it: it does not sync to disk, so that making and
//! dropping a story's database takes a quarter of the time. Failing that, it is the one on 127.0.0.1:5432, if it
//! accepts the user `postgres`.

use std::future::Future;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use matricula::store::{Db, Options};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use super::ports::free_port;

/// Tells a story once, and runs it on both databases.
///
/// ```ignore
/// story! {
///     async fn a_mail_is_sent_once(database: Database) { let db = database.db(); … }
/// }
/// ```
macro_rules! story {
    ($(async fn $name:ident($database:ident: Database) $body:block)+) => {$(
        mod $name {
            #[expect(clippy::allow_attributes, reason = "not every story uses what its file imports")]
            #[allow(unused_imports)]
            use super::*;

            async fn story($database: std::sync::Arc<$crate::support::databases::Database>) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_sqlite() {
                $crate::support::databases::Database::sqlite().await.tell(story).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_postgres() {
                $crate::support::databases::Database::postgres().await.tell(story).await;
            }
        }
    )+};
}
pub(crate) use story;

/// A database for one test.
pub struct Database {
    /// The value of `DATABASE_URL` for the product.
    pub url: String,
    db: Db,
    place: Place,
}

enum Place {
    /// Removed when dropped.
    Folder { folder: TempDir },
    /// The name of a database on the server.
    Server { name: String },
}

/// Few connections and short timeouts, so that many tests fit on one server and stories about waiting are short.
pub fn options() -> Options {
    Options {
        postgres_connections: 6,
        sqlite_readers: 2,
        acquire_timeout: Duration::from_secs(20),
        statement_timeout: Duration::from_secs(20),
    }
}

impl Database {
    /// With all migrations run: a copy of one made for all tests.
    pub async fn sqlite() -> Database {
        static MADE: OnceCell<Vec<u8>> = OnceCell::const_new();
        let make = async || {
            let database = Self::empty_sqlite().await;
            database.db.migrate().await.expect("migrations run on SQLite");
            database.db.close().await;
            let Place::Folder { folder } = &database.place else { unreachable!("it is SQLite") };
            assert!(!folder.path().join("test.db-wal").exists(), "the file has everything");
            std::fs::read(folder.path().join("test.db")).expect("it was made")
        };
        let made = MADE.get_or_init(make).await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("test.db"), made).expect("there is room");
        Self::in_folder(folder).await
    }

    /// With all migrations run: on a server of this run, a copy of one made for all tests, removed with the server.
    pub async fn postgres() -> Database {
        static MADE: OnceCell<String> = OnceCell::const_new();
        let migrated = async || {
            let database = Self::empty_postgres().await;
            database.db.migrate().await.expect("migrations run on PostgreSQL");
            database
        };
        if !server().await.is_ours {
            return migrated().await;
        }
        let make = async || {
            let database = migrated().await;
            database.db.close().await;
            let Place::Server { name } = database.place else { unreachable!("it is PostgreSQL") };
            // Otherwise the server's own maintenance may be connected to it, and then it cannot be copied.
            at_server(&format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")).await;
            name
        };
        let made = MADE.get_or_init(make).await;
        Self::on_server(&format!("TEMPLATE {made}")).await
    }

    pub async fn empty_sqlite() -> Database {
        Self::in_folder(tempfile::tempdir().expect("a temporary folder")).await
    }

    pub async fn empty_postgres() -> Database {
        Self::on_server("").await
    }

    async fn in_folder(folder: TempDir) -> Database {
        let url = format!("sqlite:{}", folder.path().join("test.db").display());
        let db = Db::connect(&url, &options()).await.expect("SQLite opens");
        Database { url, db, place: Place::Folder { folder } }
    }

    async fn on_server(made_from: &str) -> Database {
        let name = name();
        at_server(&format!("CREATE DATABASE {name} {made_from}")).await;
        let mut url = url::Url::parse(&server().await.url).expect("it was connected to");
        url.set_path(&name);
        let url = String::from(url);
        let db = Db::connect(&url, &options()).await.expect("PostgreSQL answers");
        Database { url, db, place: Place::Server { name } }
    }

    pub fn db(&self) -> Db {
        self.db.clone()
    }

    /// The same database as another process would open it.
    pub async fn opened_again(&self) -> Db {
        self.opened_with(&options()).await
    }

    pub async fn opened_with(&self, options: &Options) -> Db {
        Db::connect(&self.url, options).await.expect("the database opens again")
    }

    /// Runs statements without the product.
    pub async fn run(&self, sql: &str) -> Result<(), sqlx::Error> {
        let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        match self.place {
            Place::Folder { .. } => sql.execute(&mut self.sqlite_connection().await).await.map(drop),
            Place::Server { .. } => sql.execute(&mut self.postgres_connection().await).await.map(drop),
        }
    }

    /// Changes what triggers protect, as the owner of the database can.
    pub async fn tamper(&self, sql: &str) {
        let unguarded = match self.place {
            Place::Folder { .. } => {
                let guards = "DROP TRIGGER audit_no_update; DROP TRIGGER audit_chain_no_delete;";
                format!("{guards} {sql}")
            }
            Place::Server { .. } => {
                format!("ALTER TABLE audit DISABLE TRIGGER USER; ALTER TABLE audit_chain DISABLE TRIGGER USER; {sql}")
            }
        };
        self.run(&unguarded).await.expect("the test's statement is good");
    }

    /// The single column of a query, as text.
    pub async fn texts(&self, sql: &str) -> Vec<String> {
        let sql = AssertSqlSafe(sql.to_owned());
        let texts = match self.place {
            Place::Folder { .. } => sqlx::query_scalar(sql).fetch_all(&mut self.sqlite_connection().await).await,
            Place::Server { .. } => sqlx::query_scalar(sql).fetch_all(&mut self.postgres_connection().await).await,
        };
        texts.expect("the test's query is good")
    }

    /// How many rows `table` has.
    pub async fn count(&self, table: &str) -> i64 {
        let counted = self.texts(&format!("SELECT CAST(COUNT(*) AS TEXT) FROM {table}")).await;
        counted[0].parse().expect("a count is a number")
    }

    pub async fn sqlite_connection(&self) -> SqliteConnection {
        SqliteConnection::connect(&self.url).await.expect("SQLite opens")
    }

    pub async fn postgres_connection(&self) -> PgConnection {
        PgConnection::connect(&self.url).await.expect("PostgreSQL answers")
    }

    /// Tells a story, and removes the database after it, however it ended.
    pub async fn tell<F>(self, story: impl FnOnce(std::sync::Arc<Database>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let database = std::sync::Arc::new(self);
        let told = tokio::spawn(story(database.clone())).await;
        database.remove().await;
        if let Err(error) = told {
            std::panic::resume_unwind(error.into_panic());
        }
    }

    /// Removes it from its server. (A folder is removed on drop.)
    pub async fn remove(&self) {
        self.db.close().await;
        match &self.place {
            Place::Folder { .. } => {}
            Place::Server { name } => at_server(&format!("DROP DATABASE {name} WITH (FORCE)")).await,
        }
    }
}

/// A name unique to this test.
fn name() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("matricula_test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

async fn at_server(sql: &str) {
    let mut connection = PgConnection::connect(&server().await.url).await.expect("PostgreSQL answers");
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await;
    done.unwrap_or_else(|error| panic!("PostgreSQL lets tests {sql}: {error}"));
}

/// The PostgreSQL server for this run.
struct Server {
    url: String,
    /// Whether it was started for this run, and is removed after it.
    is_ours: bool,
}

async fn server() -> &'static Server {
    static SERVER: OnceCell<Server> = OnceCell::const_new();
    SERVER.get_or_init(find_server).await
}

async fn find_server() -> Server {
    if let Ok(url) = std::env::var("DATABASE_URL")
        && url.starts_with("postgres")
    {
        return Server { url, is_ours: false };
    }
    let missing = match start_server() {
        Ok(url) => return Server { url, is_ours: true },
        Err(missing) => missing,
    };
    let local = "postgres://postgres@127.0.0.1:5432/postgres";
    let answer = tokio::time::timeout(Duration::from_secs(5), PgConnection::connect(local)).await;
    if matches!(answer, Ok(Ok(_))) {
        return Server { url: local.to_owned(), is_ours: false };
    }
    panic!(
        "There is no PostgreSQL for the tests: {missing}\n\
         Set DATABASE_URL to one, install one (Debian: apt-get install postgresql), or let the user postgres into the \
         one on 127.0.0.1:5432 without a password."
    )
}

/// Starts a server in its own folder and says `ready`; stops it and removes the folder when its standard input closes,
/// which happens when the test process ends, however it ends.
const SUPERVISOR: &str = r#"
trap '' INT TERM HUP
folder=$(mktemp -d || mktemp -d -p /tmp) || exit 1
cd "$folder" || exit 1
{
    "$1/initdb" -D data -U postgres -A trust -E UTF8 --locale=C --no-sync &&
    "$1/pg_ctl" -D data -l log -w -o "-p $2 -k $folder -c listen_addresses=127.0.0.1 -c fsync=off -c full_page_writes=off" start
} >start.log 2>&1 && echo ready || tail -n 5 start.log log 2>/dev/null
exec >/dev/null
cat
"$1/pg_ctl" -D data -m immediate stop
rm -rf "$folder"
"#;

fn start_server() -> Result<String, String> {
    static SUPERVISED: Mutex<Option<Child>> = Mutex::new(None);
    let programs = programs().ok_or("no initdb in /usr/lib/postgresql/*/bin or on the PATH.")?;
    let port = free_port();
    let mut child = as_postgres("sh")
        .args(["-c", SUPERVISOR, "sh"])
        .arg(programs)
        .arg(port.to_string())
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("a shell cannot be run as who may start it ({error})."))?;
    let mut said = String::new();
    for line in BufReader::new(child.stdout.take().expect("standard output is piped")).lines() {
        let line = line.map_err(|error| error.to_string())?;
        if line == "ready" {
            // Kept for its standard input, which must stay open until the process ends.
            *SUPERVISED.lock().expect("nothing panics while it is held") = Some(child);
            return Ok(format!("postgres://postgres@127.0.0.1:{port}/postgres"));
        }
        said.push_str(&line);
        said.push('\n');
    }
    Err(format!("one could not be started (as the user postgres if this is root): {said}"))
}

/// A program run as a user who may run PostgreSQL, which refuses to run as root.
pub fn as_postgres(program: &str) -> Command {
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0);
    if !is_root {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--init-groups", program]);
    command
}

/// The folder of the newest installed server.
pub fn programs() -> Option<PathBuf> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<(u32, PathBuf)> = debian
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, folder)| folder.join("initdb").exists())
        .collect();
    versions.sort();
    let on_path = || std::env::split_paths(&std::env::var_os("PATH")?).find(|folder| folder.join("initdb").exists());
    versions.pop().map(|(_, folder)| folder).or_else(on_path)
}
