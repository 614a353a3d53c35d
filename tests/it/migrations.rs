//! The first process of a new version migrates PostgreSQL's tables while those of the previous version serve everybody.
//!
//! `MATRICULA_TEST_APPLICATIONS` sets the number of applications.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, Executor, PgPool, SqliteConnection};
use tempfile::TempDir;

use crate::support::databases::Database;
use crate::support::ports::free_port;
use crate::support::program::{Program, Running};
use crate::support::server::{http_client, registration};

/// The newest migration of the older version.
const OLDER: i64 = 14;
const CLIENTS: usize = 6;
/// No client waits longer for the database. A migration waits half a second for its lock.
const MAX_WAIT: Duration = Duration::from_secs(4);

/// Rows as the older version wrote them; `$1` is the number of applications.
const ROWS: [&str; 7] = [
    "INSERT INTO applicants (id, email, email_key, first_name, last_name, date_of_birth, phone_number, country, time_zone, \
     password_hash, created_at) SELECT 'p' || n, 'demo' || n || '@example.com', 'demo' || n || '@example.com', 'Demo', \
     'Number ' || n, '1990-02-28', '+1555' || n, 'US', '', '', 1777852800000 + n FROM generate_series(1, $1) n",
    "INSERT INTO applications (id, applicant_id, program, status, stage, answers, revision, reference, created_at, updated_at, \
     submitted_at) SELECT 'a' || n, 'p' || n, CASE n % 2 WHEN 0 THEN 'ba' ELSE 'msc' END, 'scheduled', 'submitted', \
     '{\"education\":{\"note\":\"' || repeat(md5(n::text), 12) || '\"}}', 2, 'MAT-' || n, 1777852800000 + n, 1777852800000 + n, \
     1777852800000 + n FROM generate_series(1, $1) n",
    "INSERT INTO listings (application_id, tab, needs_action, name_key, submitted_at, waiting_since) \
     SELECT id, 'new', 1, 'number ' || id, submitted_at, submitted_at FROM applications",
    "INSERT INTO listing_terms (term, application_id) SELECT term, id FROM applications, unnest(ARRAY['stage:submitted', \
     'program:' || program, 'country:US', 'w:demo', 'w:number', 'w:' || id, 'w:' || reference, 'w:' || md5(id)]) term",
    "INSERT INTO outbox (id, applicant_id, template, recipient, subject, body_text, body_html, state, attempts, due_at, \
     created_at) SELECT 'm' || n, 'p' || n, 'welcome', 'demo' || n || '@example.com', 'A demo', repeat('Demo ', 40), '', 'kept', \
     0, 1777852800000, 1777852800000 FROM generate_series(1, $1) n",
    "INSERT INTO audit (id, happened_at, actor, subject, action, detail) SELECT 'l' || n, 1777852800000, 'applicant:p' || n, \
     'application:a' || n, 'application.submitted', '{}' FROM generate_series(1, $1) n",
    "ANALYZE",
];

/// What a client of the older version does, in turn: reads an application, reads the list, saves, and submits.
async fn ask(pool: &PgPool, client: usize, round: usize, applications: usize) -> sqlx::Result<()> {
    let number = (client * 7919 + round * 31) % applications + 1;
    match round % 4 {
        0 => {
            let sql = "SELECT a.id, a.answers, p.email FROM applications a JOIN applicants p ON p.id = a.applicant_id \
                       WHERE a.applicant_id = $1 AND a.archived_at IS NULL";
            sqlx::query(sql).bind(format!("p{number}")).fetch_one(pool).await.map(drop)
        }
        1 => {
            let sql = "SELECT l.application_id, a.stage, p.last_name FROM listings l \
                       JOIN applications a ON a.id = l.application_id COLLATE \"default\" \
                       JOIN applicants p ON p.id = a.applicant_id ORDER BY l.waiting_since, l.application_id LIMIT 50";
            sqlx::query(sql).fetch_all(pool).await.map(drop)
        }
        2 => {
            let id = format!("a{number}");
            let mut tx = pool.begin().await?;
            let sql = "UPDATE applications SET revision = revision + 1, updated_at = updated_at + 1 WHERE id = $1";
            sqlx::query(sql).bind(&id).execute(&mut *tx).await?;
            let sql = "UPDATE listings SET waiting_since = waiting_since + 1 WHERE application_id = $1";
            sqlx::query(sql).bind(&id).execute(&mut *tx).await?;
            for sql in [
                "DELETE FROM listing_terms WHERE term = 'w:' || md5($1) AND application_id = $1",
                "INSERT INTO listing_terms (term, application_id) VALUES ('w:' || md5($1), $1)",
            ] {
                sqlx::query(sql).bind(&id).execute(&mut *tx).await?;
            }
            let sql = "INSERT INTO audit (id, happened_at, actor, subject, action, detail) \
                       VALUES ($1, 1777852800000, 'system', $2, 'application.saved', '{}')";
            let line = sqlx::query(sql).bind(format!("l{client}-{round}")).bind(format!("application:{id}"));
            line.execute(&mut *tx).await?;
            tx.commit().await
        }
        _ => {
            let new = format!("{client}-{round}");
            let mut tx = pool.begin().await?;
            for sql in [
                "INSERT INTO applicants (id, email, email_key, first_name, last_name, date_of_birth, phone_number, country, \
                 time_zone, password_hash, created_at) VALUES ('p' || $1, 'new' || $1, 'new' || $1, 'Demo', 'New', '1990-02-28', \
                 '+1', 'US', '', '', 1777852800000)",
                "INSERT INTO applications (id, applicant_id, program, status, stage, answers, revision, created_at, updated_at, \
                 submitted_at) VALUES ('a' || $1, 'p' || $1, 'ba', 'scheduled', 'submitted', '{}', 2, 1777852800000, \
                 1777852800000, 1777852800000)",
                "INSERT INTO listings (application_id, tab, needs_action, name_key, submitted_at, waiting_since) \
                 VALUES ('a' || $1, 'new', 1, 'new', 1777852800000, 1777852800000)",
                "INSERT INTO listing_terms (term, application_id) VALUES ('w:new', 'a' || $1)",
            ] {
                sqlx::query(sql).bind(&new).execute(&mut *tx).await?;
            }
            tx.commit().await
        }
    }
}

/// What the clients experienced.
#[derive(Default)]
struct Met {
    answered: AtomicUsize,
    faults: std::sync::Mutex<Vec<String>>,
    longest: std::sync::Mutex<Duration>,
}

async fn client(pool: PgPool, number: usize, applications: usize, stop: Arc<AtomicBool>, met: Arc<Met>) {
    for round in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let start = Instant::now();
        match ask(&pool, number, round, applications).await {
            Ok(()) => drop(met.answered.fetch_add(1, Ordering::Relaxed)),
            Err(error) => met.faults.lock().unwrap().push(error.to_string()),
        }
        {
            let mut longest = met.longest.lock().unwrap();
            *longest = start.elapsed().max(*longest);
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Tables and indexes, in comparable form.
const SHAPE: &str = "SELECT regexp_replace(indexdef, 'public\\.', '') FROM pg_indexes \
    WHERE schemaname = current_schema() UNION ALL \
    SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || COALESCE(column_default, '') \
    FROM information_schema.columns WHERE table_schema = current_schema() UNION ALL \
    SELECT conrelid::regclass::text || pg_get_constraintdef(oid) FROM pg_constraint \
    WHERE connamespace = current_schema()::regnamespace ORDER BY 1";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_kept_waiting_while_tables_are_brought_up_to_date() {
    Database::empty_postgres().await.tell(migrate).await;
}

async fn migrate(database: Arc<Database>) {
    let applications = std::env::var("MATRICULA_TEST_APPLICATIONS").map_or(4000, |count| count.parse().unwrap());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/postgres");
    let older = Migrator::new(folder).await.unwrap();
    let mut connection = database.postgres_connection().await;
    older.run_direct(Some(OLDER), &mut connection, false).await.unwrap();
    for sql in ROWS {
        let sql = sql.replace("$1", &applications.to_string());
        connection.execute(AssertSqlSafe(sql)).await.unwrap();
    }

    let as_product = database.url.parse::<PgConnectOptions>().unwrap().options([
        ("statement_timeout", "10s"),
        ("lock_timeout", "5s"),
        ("idle_in_transaction_session_timeout", "10s"),
        ("jit", "off"),
    ]);
    let pool = PgPoolOptions::new().max_connections(8).connect_with(as_product).await.unwrap();
    let (stop, met) = (Arc::new(AtomicBool::new(false)), Arc::new(Met::default()));
    let client = |number| tokio::spawn(client(pool.clone(), number, applications, stop.clone(), met.clone()));
    let clients: Vec<_> = (0..CLIENTS).map(client).collect();

    let program = || Program {
        folder: TempDir::new().unwrap(),
        database: database.url.clone(),
        port: free_port(),
        more: vec![
            ("MATRICULA_LOG", "info".into()),
            ("MATRICULA_SECRET", "a secret that all of the processes share".into()),
        ],
    };
    let programs = [program(), program()];
    // The first one does not get far.
    let start = Instant::now();
    let mut broken_off = Running(programs[0].start_after(async |_| {}).await);
    let under_way = "SELECT version::text FROM _sqlx_migrations WHERE NOT success";
    while database.texts(under_way).await.is_empty() {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing is migrated");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    broken_off.kill();
    // Two continue from there at the same time.
    let start = Instant::now();
    let (one, mut two) = tokio::task::block_in_place(|| {
        std::thread::scope(|scope| {
            let started = programs.each_ref().map(|program| scope.spawn(move || program.start_logging()));
            let [one, two] = started.map(|started| started.join().map(Running));
            (one.unwrap(), two.unwrap())
        })
    });
    let took = start.elapsed();
    tokio::time::sleep(Duration::from_secs(1)).await;
    stop.store(true, Ordering::Relaxed);
    join_all(clients).await.into_iter().for_each(Result::unwrap);

    let longest = *met.longest.lock().unwrap();
    println!(
        "{applications} applications, {took:?}; {} requests, the longest {longest:?}",
        met.answered.load(Ordering::Relaxed)
    );
    for program in &programs {
        let log = std::fs::read_to_string(program.log()).unwrap();
        log.lines().filter(|line| line.contains("migrat")).for_each(|line| println!("{line}"));
    }
    assert_eq!(*met.faults.lock().unwrap(), Vec::<String>::new());
    assert!(longest < MAX_WAIT, "{longest:?}");
    assert!(met.answered.load(Ordering::Relaxed) > 50);

    // Everything is as in a newly made database.
    let fresh = Database::postgres().await;
    let shape = fresh.texts(SHAPE).await;
    fresh.remove().await;
    assert_eq!(database.texts(SHAPE).await, shape);
    let unconfirmed = "SELECT id FROM applicants WHERE id ~ '^p[0-9]+$' AND email_confirmed_at IS NULL LIMIT 5";
    assert_eq!(database.texts(unconfirmed).await, Vec::<String>::new(), "accounts of before count as confirmed");
    let invalid = "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid";
    assert_eq!(database.texts(invalid).await, Vec::<String>::new());
    // The last process of the older version has stopped when the last one of the new version starts.
    two.kill();
    two = Running(programs[1].start_logging());
    // And what the new version reads follows from what the older one wrote, including meanwhile.
    let wrong = "SELECT l.application_id::text FROM listings l JOIN applications a ON a.id = l.application_id COLLATE \"default\" \
                 JOIN applicants p ON p.id = a.applicant_id WHERE l.stage <> a.stage OR l.program <> a.program \
                 OR l.reference <> a.reference OR l.email <> p.email OR l.last_name <> p.last_name LIMIT 5";
    let start = Instant::now();
    while let wrong = database.texts(wrong).await
        && !wrong.is_empty()
    {
        let log = || std::fs::read_to_string(programs[1].log()).unwrap();
        assert!(start.elapsed() < Duration::from_secs(90), "{wrong:?} {}", log());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let http = http_client();
    for (number, program) in programs.iter().enumerate() {
        let url = format!("http://127.0.0.1:{}", program.port);
        let body = registration(&format!("after{number}@example.com"));
        let registered = http.post(format!("{url}/api/users/register")).json(&body).send().await.unwrap();
        assert_eq!(registered.status(), 201);
        assert_eq!(http.get(format!("{url}/readyz")).send().await.unwrap().status(), 200);
    }
    drop((one, two));
}

/// A score sheet from before interviews had rubrics, without its interview.
const SHEET: &str = "INSERT INTO score_sheets (interview_id, points, recommendation, revision, written_by, written_at) VALUES \
                     ('i', '[[\"motivation\",5],[\"communication\",2]]', 'accept', 1, 's', 1)";
const LINES: &str = "SELECT lines FROM score_sheets WHERE scale = 5";

fn assert_lines(lines: &str) {
    let expected = serde_json::json!([
        { "label": "Motivation for this program", "weight": 1, "points": 5 },
        { "label": "Communication", "weight": 1, "points": 2 },
    ]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(lines).unwrap(), expected);
}

#[tokio::test]
async fn score_sheets_of_before_rubrics_keep_what_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let sqlite = Migrator::new(folder.join("sqlite")).await.unwrap();
    let options = SqliteConnectOptions::new().in_memory(true).foreign_keys(false);
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    sqlite.run_direct(Some(46), &mut connection, false).await.unwrap();
    connection.execute(SHEET).await.unwrap();
    sqlite.run_direct(None, &mut connection, false).await.unwrap();
    assert_lines(&sqlx::query_scalar::<_, String>(LINES).fetch_one(&mut connection).await.unwrap());

    let database = Database::empty_postgres().await;
    let mut connection = database.postgres_connection().await;
    let postgres = Migrator::new(folder.join("postgres")).await.unwrap();
    postgres.run_direct(Some(46), &mut connection, false).await.unwrap();
    connection.execute("SET session_replication_role = replica").await.unwrap();
    connection.execute(SHEET).await.unwrap();
    postgres.run_direct(None, &mut connection, false).await.unwrap();
    assert_lines(&sqlx::query_scalar::<_, String>(LINES).fetch_one(&mut connection).await.unwrap());
    drop(connection);
    database.remove().await;
}
