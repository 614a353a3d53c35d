//! Two PostgreSQL servers in the database URL. The one that takes writes is lost, the other takes over, and the program
//! finds it by itself.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use matricula::store::Db;
use reqwest::StatusCode;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::support::databases;
use crate::support::ports::free_port;
use crate::support::program::{Program, Running};
use crate::support::replication::Pair;
use crate::support::server::{http_client, registration};
use crate::support::skip;

const WRITERS: usize = 4;
/// From the promotion to the next acknowledged write.
const RECOVERY: Duration = Duration::from_secs(3);

/// Attempts to register one account after the other: address, status of the answer, and when it came.
type Told = Vec<(String, StatusCode, Instant)>;

async fn register(http: &reqwest::Client, url: &str, email: &str) -> StatusCode {
    http.post(format!("{url}/api/users/register")).json(&registration(email)).send().await.unwrap().status()
}

fn writers(url: &str, stop: &Arc<AtomicBool>) -> Vec<JoinHandle<Told>> {
    let writer = |number: usize| {
        let (http, url, stop) = (http_client(), url.to_owned(), stop.clone());
        tokio::spawn(async move {
            let mut told = Vec::new();
            for round in 0.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let email = format!("demo{number}-{round}@example.com");
                let status = register(&http, &url, &email).await;
                assert!(status == 201 || status == 503, "{status}");
                told.push((email, status, Instant::now()));
                // As a browser that is told to try again.
                tokio::time::sleep(Duration::from_millis(if status == 201 { 1 } else { 50 })).await;
            }
            told
        })
    };
    (0..WRITERS).map(writer).collect()
}

/// The single column of a query at a server, as text.
async fn texts(url: &str, sql: &str) -> Vec<String> {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_all(&mut connection).await.unwrap()
}

async fn run(url: &str, sql: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
}

const ACCOUNTS: &str = "SELECT email FROM applicants";
const CONNECTIONS: &str = "SELECT pid::text FROM pg_stat_activity WHERE application_name = 'matricula'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_server_is_written_to_when_it_is_promoted() {
    let Some(mut pair) = Pair::start() else {
        skip("PostgreSQL's programs are not installed");
        return;
    };
    let (first, second) = (pair.url(pair.first), pair.url(pair.second));
    let program = Program {
        folder: TempDir::new().unwrap(),
        // The one that takes writes is not listed first.
        database: format!("postgres://postgres@127.0.0.1:{},127.0.0.1:{}/postgres", pair.second, pair.first),
        port: free_port(),
        more: vec![("MATRICULA_REGISTRATIONS_PER_HOUR", "100000".into())],
    };
    let _running = Running(program.start_logging());
    let url = format!("http://127.0.0.1:{}", program.port);
    let stop = Arc::new(AtomicBool::new(false));
    let writing = writers(&url, &stop);
    let start = Instant::now();
    while texts(&first, ACCOUNTS).await.len() < 20 {
        assert!(start.elapsed() < Duration::from_secs(60), "nobody can register");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    pair.tell("kill");
    tokio::time::sleep(Duration::from_millis(700)).await;
    let promoted = Instant::now();
    pair.tell("promote");
    tokio::time::sleep(RECOVERY + Duration::from_secs(1)).await;
    stop.store(true, Ordering::Relaxed);
    let mut told = Told::new();
    for writer in writing {
        told.extend(writer.await.unwrap());
    }
    let acknowledged: Vec<_> = told.iter().filter(|(_, status, _)| *status == 201).collect();
    let back = acknowledged.iter().map(|(.., at)| *at).filter(|at| *at > promoted).min().expect("it is found");
    let before = acknowledged.iter().filter(|(.., at)| *at < promoted).count();
    let (within, refused) = (back - promoted, told.len() - acknowledged.len());
    println!("{before} acknowledged before, {refused} refused, the next one {within:?} after the promotion began");
    assert!(within < RECOVERY, "{within:?}");
    assert!(before > 10, "{before}");

    let there = texts(&second, ACCOUNTS).await;
    let each: HashSet<&str> = there.iter().map(String::as_str).collect();
    assert_eq!(each.len(), there.len());
    for (email, ..) in &acknowledged {
        assert!(each.contains(&**email), "{email} was acknowledged");
    }
    let tried: HashSet<&str> = told.iter().map(|(email, ..)| &**email).collect();
    assert!(each.is_subset(&tried));
    // Each with everything that belongs to it, once.
    let doubled = "SELECT a.email FROM applicants a LEFT JOIN sessions s ON s.applicant_id = a.id \
                   GROUP BY a.id HAVING COUNT(s.id) <> 1";
    assert_eq!(texts(&second, doubled).await, Vec::<String>::new());

    // The former primary returns and takes writes as if nothing had happened. Nobody uses it, whatever the other does.
    pair.tell("back");
    let former = texts(&first, ACCOUNTS).await;
    let http = http_client();
    for round in 0..5 {
        run(&second, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'matricula'")
            .await;
        let start = Instant::now();
        while register(&http, &url, &format!("after{round}@example.com")).await != 201 {
            assert!(start.elapsed() < RECOVERY);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    assert_eq!(texts(&first, ACCOUNTS).await.len(), former.len());
    assert_eq!(texts(&first, CONNECTIONS).await, Vec::<String>::new());

    // It is made read-only, as before a planned change, and then writable again.
    run(&second, "ALTER SYSTEM SET default_transaction_read_only = on").await;
    run(&second, "SELECT pg_reload_conf()").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(register(&http, &url, "reading@example.com").await, 503);
    tokio::time::sleep(Duration::from_secs(1)).await;
    run(&second, "ALTER SYSTEM RESET default_transaction_read_only").await;
    run(&second, "SELECT pg_reload_conf()").await;
    let start = Instant::now();
    while register(&http, &url, "writing@example.com").await != 201 {
        assert!(start.elapsed() < RECOVERY);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let log = std::fs::read_to_string(program.log()).unwrap();
    assert!(log.lines().count() < 200, "{log}");
    assert!(!log.contains("after_connect"), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_says_nothing_delays_the_start_by_its_timeout_at_most() {
    // It accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = silent.local_addr().unwrap().port();
    let database = databases::Database::postgres().await;
    let story = move |database: Arc<databases::Database>| async move {
        let at = database.url.find('@').unwrap() + 1;
        let (user, rest) = database.url.split_at(at);
        for url in [format!("{user}127.0.0.1:{silent},{rest}"), format!("{user}127.0.0.1:{silent},127.0.0.1:1,{rest}")]
        {
            let start = Instant::now();
            let db = Db::connect(&url, &databases::options()).await.unwrap();
            Db::ping(&db).await.unwrap();
            db.close().await;
            assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        }
        let nobody = format!("{user}127.0.0.1:{silent},127.0.0.1:1/postgres");
        let options = matricula::store::Options { acquire_timeout: Duration::from_millis(100), ..databases::options() };
        let refused = Db::connect(&nobody, &options).await.unwrap_err().to_string();
        assert!(refused.contains(&format!("127.0.0.1:{silent}")) && refused.contains("127.0.0.1:1 "), "{refused}");
    };
    database.tell(story).await;
}
