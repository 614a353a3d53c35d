//! Faults underneath the program: what was acknowledged is kept, what cannot be stored is refused, and when the fault
//! is over, so are its consequences.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::future::join_all;
use matricula::app::ports::{DocumentStorage, StorageError};
use matricula::documents::{Clamd, ObjectStorage};
use matricula::domain::mail::Mail;
use matricula::domain::moments::HOUR;
use matricula::mail::{Mailer, SendError};
use matricula::store::{Db, Options, StoreError, Throttle};
use reqwest::{Response, StatusCode};
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

use crate::api::documents::form;
use crate::support::databases::{self, Database};
use crate::support::files::{below, pdf};
use crate::support::ports::free_port;
use crate::support::program::Program;
use crate::support::proxy::{Proxy, Way};
use crate::support::rows::{NOW, id};
use crate::support::server::{PASSWORD, complete_answers, http_client, registration};
use crate::support::silent::Silent;

/// The program, killed on drop.
pub struct Faulty {
    pub program: Program,
    child: Child,
    http: reqwest::Client,
}

impl Faulty {
    pub fn start(start: impl FnOnce(&Program) -> Child) -> Faulty {
        let folder = TempDir::new().unwrap();
        let database = format!("sqlite:{}", folder.path().join("matricula.db").display());
        Faulty::start_on(folder, database, start)
    }

    pub fn start_on(folder: TempDir, database: String, start: impl FnOnce(&Program) -> Child) -> Faulty {
        let program = Program { folder, database, port: free_port(), more: Vec::new() };
        let child = start(&program);
        Faulty { program, child, http: http_client() }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.program.folder.path().join(name)
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.program.port)
    }

    pub async fn post(&self, path: &str, body: serde_json::Value) -> Response {
        self.http.post(self.url(path)).json(&body).send().await.unwrap()
    }

    /// Requests the applicant's own application, with the token that registration returned.
    pub async fn application(&self, token: &str) -> Response {
        self.http.get(self.url("/api/users/application")).bearer_auth(token).send().await.unwrap()
    }

    pub async fn register(&self, name: &str) -> Response {
        self.post("/api/users/register", registration(&format!("{name}@example.com"))).await
    }

    pub async fn log_in(&self, name: &str) -> StatusCode {
        let entered = json!({ "email": format!("{name}@example.com"), "password": PASSWORD });
        self.post("/api/users/login", entered).await.status()
    }

    pub async fn ready(&self) -> StatusCode {
        self.http.get(self.url("/readyz")).send().await.unwrap().status()
    }

    /// Asserts that nothing is acknowledged, and that readiness says so.
    pub async fn refuses(&self) {
        for attempt in 0..3 {
            let refused = self.register(&format!("refused{attempt}")).await;
            assert_eq!(refused.status(), 503);
            assert!(refused.headers().contains_key("retry-after"));
            assert_eq!(self.log_in("before").await, 503);
            assert_eq!(self.ready().await, 503);
        }
    }

    /// Asserts that everything works again in time.
    pub async fn heals(&self, name: &str, within: Duration) {
        let start = Instant::now();
        while self.ready().await != 200 {
            assert!(start.elapsed() < within, "it does not heal");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(self.register(name).await.status(), 201);
        assert_eq!(self.log_in("before").await, 200);
    }

    /// Asserts that acknowledged accounts exist, refused ones do not, and the doctor finds nothing.
    pub async fn has_kept(&self, names: &[&str]) {
        for name in names {
            assert_eq!(self.log_in(name).await, 200, "{name}");
        }
        assert_eq!(self.log_in("refused0").await, 401);
        let doctor = self.program.run(&["doctor"]);
        assert!(doctor.status.success(), "{}", String::from_utf8_lossy(&doctor.stdout));
    }

    /// Stops it as its operator would, so that nothing is left in the write-ahead log.
    fn stop(&mut self) {
        assert!(Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap().success());
        assert!(tokio::task::block_in_place(|| self.child.wait()).unwrap().success());
    }

    fn restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.child = self.program.start();
    }
}

impl Drop for Faulty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub const SECOND: Duration = Duration::from_secs(1);

/// Bytes of a page in the write-ahead log, including its header.
const LOGGED_PAGE: u64 = 4096 + 24;

/// Limits how many bytes of a file the process may write.
fn limit_files(child: &Child, limit: &str) {
    let (process, limit) = (child.id().to_string(), format!("--fsize={limit}:unlimited"));
    let set = Command::new("prlimit").args(["--pid", &process, &limit]).status().expect("util-linux is there");
    assert!(set.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_written_is_refused_and_writing_heals_by_itself() {
    let mut faulty = Faulty::start(Program::start_with_files_limited);
    assert_eq!(faulty.register("before").await.status(), 201);
    limit_files(&faulty.child, "0");
    faulty.refuses().await;
    limit_files(&faulty.child, "unlimited");
    faulty.heals("once", SECOND).await;

    // With a little more room each time, sometimes a statement fails and sometimes a commit.
    for pages in 1..=12 {
        let log = fs::metadata(faulty.file("matricula.db-wal")).unwrap().len();
        limit_files(&faulty.child, &(log + pages * LOGGED_PAGE).to_string());
        let status = faulty.register(&format!("page{pages}")).await.status();
        assert!(status == 201 || status == 503, "{status}");
    }
    limit_files(&faulty.child, "unlimited");
    faulty.heals("twice", SECOND).await;
    faulty.restart();
    faulty.has_kept(&["before", "once", "twice"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_acknowledged_into_a_database_that_was_taken_away() {
    let faulty = Faulty::start(Program::start);
    assert_eq!(faulty.register("before").await.status(), 201);

    // Another file takes its place, as after a restore while the program is running.
    let (file, aside) = (faulty.file("matricula.db"), faulty.file("aside.db"));
    fs::rename(&file, &aside).unwrap();
    fs::copy(&aside, &file).unwrap();
    faulty.refuses().await;
    fs::rename(&aside, &file).unwrap();
    faulty.heals("after", SECOND).await;

    fs::remove_file(faulty.file("matricula.db-wal")).unwrap();
    faulty.refuses().await;
    fs::remove_file(&file).unwrap();
    faulty.refuses().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_away_is_no_error_of_ours() {
    Database::postgres().await.tell(away).await;
}

async fn away(database: Arc<Database>) {
    let proxy = Proxy::before(&database.url).await;
    let faulty = Faulty::start_on(TempDir::new().unwrap(), proxy.url.clone(), Program::start_logging);
    assert_eq!(faulty.register("before").await.status(), 201);
    for name in ["once", "twice"] {
        proxy.set(Way::Closed);
        faulty.refuses().await;
        let pages = ["/dashboard", "/admin-panel", "/bachelor/application", "/bachelor/apply?dialog=login"];
        for page in pages {
            let page = faulty.http.get(faulty.url(page)).header("cookie", "auth_token=1").send().await.unwrap();
            assert_ne!(page.status(), 500, "{}", page.url());
        }
        proxy.set(Way::Open);
        faulty.heals(name, 3 * SECOND).await;
    }
    let log = fs::read_to_string(faulty.program.log()).unwrap();
    assert!(log.lines().count() < 10, "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_says_nothing_is_waited_for_as_long_as_is_said() {
    Database::postgres().await.tell(frozen).await;
}

async fn frozen(database: Arc<Database>) {
    let proxy = Proxy::before(&database.url).await;
    let impatient = Options {
        acquire_timeout: Duration::from_millis(500),
        statement_timeout: Duration::from_millis(500),
        ..databases::options()
    };
    let db = Db::connect(&proxy.url, &impatient).await.unwrap();
    db.ping().await.unwrap();
    proxy.set(Way::Frozen);
    let start = Instant::now();
    assert!(matches!(db.staff_count().await, Err(StoreError::Unavailable(_))));
    assert!(db.ping().await.is_err());
    assert!(start.elapsed() < 6 * SECOND, "{:?}", start.elapsed());
    proxy.set(Way::Open);
    let start = Instant::now();
    while db.ping().await.is_err() || db.staff_count().await.is_err() {
        assert!(start.elapsed() < 3 * SECOND, "it does not heal");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_process_that_keeps_on_writing_is_waited_for_as_long_as_is_said() {
    Database::sqlite().await.tell(locked_file).await;
}

async fn locked_file(database: Arc<Database>) {
    let impatient = Options { acquire_timeout: SECOND / 2, ..databases::options() };
    let db = Db::connect(&database.url, &impatient).await.unwrap();
    let mut other = database.sqlite_connection().await;
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let start = Instant::now();
    // More of them than the one connection that may write.
    let refused = join_all(["a", "b", "c"].map(|key| db.attempt(key, 5, HOUR, NOW))).await;
    assert!(refused.iter().all(|answer| matches!(answer, Err(StoreError::Unavailable(_)))), "{refused:?}");
    assert!(start.elapsed() < 3 * SECOND, "{:?}", start.elapsed());
    assert_eq!(db.staff_count().await.unwrap(), 0, "reading goes on");
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    assert!(matches!(db.attempt("a", 5, HOUR, NOW).await, Ok(Throttle::Allowed)));
}

#[tokio::test]
async fn a_storage_that_says_nothing_is_not_waited_for() {
    let silent = Silent::start().await;
    let address =
        format!("s3://documents?endpoint=http://{}&region=x&access_key_id=x&secret_access_key=x", silent.address);
    let storage = ObjectStorage::open(&address).unwrap().with_patience(SECOND / 2);
    let start = Instant::now();
    assert!(matches!(storage.put("a", "x".into()).await, Err(StorageError::Unavailable(_))));
    assert!(matches!(storage.get("a", 0..1).await, Err(StorageError::Unavailable(_))));
    assert!(matches!(storage.delete("a").await, Err(StorageError::Unavailable(_))));
    assert!(matches!(storage.list().await.next().await, Some(Err(StorageError::Unavailable(_)))));
    assert!(start.elapsed() < 5 * SECOND, "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_virus_scanner_that_says_nothing_is_not_waited_for() {
    let silent = Silent::start().await;
    let clamd = Clamd::new(format!("tcp://{}", silent.address).parse().unwrap()).with_patience(SECOND / 2);
    let start = Instant::now();
    assert!(clamd.is_clean(b"x").await.is_err());
    assert!(start.elapsed() < 3 * SECOND, "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_mail_server_that_says_nothing_is_not_waited_for() {
    let silent = Silent::start().await;
    let url = format!("smtp://{}", silent.address);
    let mailer = Mailer::new(Some(&url), "Admissions <admissions@example.org>").unwrap().with_patience(SECOND / 2);
    let mail = Mail {
        id: id(),
        to: "demo@example.com".into(),
        subject: "Words".into(),
        text: "Words".into(),
        html: "<p>Words</p>".into(),
        attachment: None,
        attempts: 1,
        state: "waiting".into(),
        created_at: NOW,
        traceparent: None,
        sealed: None,
        unsubscribe_url: None,
    };
    let start = Instant::now();
    assert!(matches!(mailer.send(&mail).await, Err(SendError::Slow)));
    assert!(start.elapsed() < 3 * SECOND, "{:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_table_does_not_make_a_process_unready() {
    Database::postgres().await.tell(locked).await;
}

async fn locked(database: Arc<Database>) {
    let faulty = Faulty::start_on(TempDir::new().unwrap(), database.url.clone(), Program::start);
    let registered = faulty.register("before").await.json::<serde_json::Value>().await.unwrap();
    let token = registered["token"].as_str().unwrap();
    let save = faulty.http.post(faulty.url("/api/users/application")).bearer_auth(token);
    assert_eq!(save.json(&json!({ "applicationType": "ba" })).send().await.unwrap().status(), 200);
    let mut lock = database.postgres_connection().await;
    let locked = "BEGIN; LOCK TABLE applications IN ACCESS EXCLUSIVE MODE";
    sqlx::raw_sql(locked).execute(&mut lock).await.unwrap();

    // More than there are connections.
    let waiting = join_all((0..40).map(|_| faulty.application(token)));
    let watched = async {
        for _ in 0..15 {
            assert_eq!(faulty.ready().await, 200);
            tokio::time::sleep(SECOND / 5).await;
        }
    };
    let (answers, ()) = tokio::join!(waiting, watched);
    for answer in answers {
        assert_eq!(answer.status(), 503);
        assert!(answer.headers().contains_key("retry-after"));
    }
    sqlx::raw_sql("ROLLBACK").execute(&mut lock).await.unwrap();
    assert_eq!(faulty.application(token).await.status(), 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_doctor_finds_what_a_disk_has_lost() {
    let mut faulty = Faulty::start(Program::start);
    let registered = faulty.register("before").await.json::<serde_json::Value>().await.unwrap();
    let token = registered["token"].as_str().unwrap();
    let save = faulty.http.post(faulty.url("/api/users/application")).bearer_auth(token);
    assert_eq!(save.json(&complete_answers()).send().await.unwrap().status(), 200);
    let sent = faulty.http.post(faulty.url("/api/users/documents")).bearer_auth(token);
    let sent = sent.header("content-type", "multipart/form-data; boundary=edge");
    let sent = sent.body(form("identity", "passport.pdf", &pdf(1000))).send().await.unwrap();
    assert_eq!(sent.status(), 201);
    faulty.stop();
    let doctor = || {
        let output = faulty.program.run(&["doctor"]);
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    let (is_well, words) = doctor();
    assert!(is_well && words.contains("1, each as it was sent"), "{words}");

    // The folder of documents has exactly one file.
    let files = below(faulty.file("data/documents/documents"));
    let [file] = &*files else { panic!("{files:?}") };
    let content = fs::read(file).unwrap();
    let changed = [&content[..content.len() - 1], b"x"].concat();
    for (bad, told) in
        [(&*changed, "not as they were sent"), (&[content.as_slice(), b"x"].concat(), "not as they were sent")]
    {
        fs::write(file, bad).unwrap();
        let (is_well, words) = doctor();
        assert!(!is_well && words.contains(told), "{words}");
    }
    fs::remove_file(file).unwrap();
    let (is_well, words) = doctor();
    assert!(!is_well && words.contains("1 of 1 are not in the storage"), "{words}");
    fs::write(file, &content).unwrap();

    let database = faulty.file("matricula.db");
    let whole = fs::read(&database).unwrap();
    let mut connection = SqliteConnectOptions::new().filename(&database).foreign_keys(false).connect().await.unwrap();
    sqlx::raw_sql("DELETE FROM applicants").execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let (is_well, words) = doctor();
    assert!(!is_well && words.contains("refers to a row of applicants that is not there"), "{words}");

    let mut damaged = whole.clone();
    for page in damaged.chunks_mut(4096).skip(30).step_by(3) {
        page[..512].fill(0xa5);
    }
    fs::write(&database, damaged).unwrap();
    let (is_well, words) = doctor();
    assert!(!is_well && (words.contains("is damaged") || words.contains("malformed")), "{words}");
    fs::write(&database, whole).unwrap();
    assert!(doctor().0);
}
