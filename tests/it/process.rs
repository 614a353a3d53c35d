//! The program as its operator sees it: commands, first output, shutdown.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use futures::future::join_all;
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

use crate::support::files::pdf;
use crate::support::ports::free_port;
use crate::support::program::Program;
use crate::support::server::{PASSWORD, http_client, registration};

/// The program without any of this machine's configuration.
fn matricula(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_matricula"));
    command.env_clear().current_dir(data).env("MATRICULA_DATA_DIR", data.join("data"));
    command
}

fn run(command: &mut Command, stdin: &str) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it was built");
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A server that is killed on drop.
struct Served {
    child: Child,
    url: String,
    words: BufReader<std::process::ChildStdout>,
}

impl Served {
    fn start(data: &Path) -> Served {
        let port = free_port();
        let address = format!("127.0.0.1:{port}");
        let mut child = matricula(data)
            .env("MATRICULA_BIND", &address)
            .env("MATRICULA_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .expect("it was built");
        let words = BufReader::new(child.stdout.take().unwrap());
        Served { child, url: format!("http://{address}"), words }
    }

    /// The first line of output, printed when it listens.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.words.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself, as intended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_run_says_where_it_is_and_how_to_create_a_staff_account() {
    let folder = TempDir::new().unwrap();
    let mut server = Served::start(folder.path());
    assert_eq!(server.line(), format!("Matricula is at {}", server.url));
    assert!(server.line().contains("matricula admin create --email"));
    let secret = folder.path().join("data/secret");
    let kept = std::fs::read(&secret).unwrap();
    assert!(kept.len() >= 32);
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&secret.metadata().unwrap().permissions()) & 0o777, 0o600);
    drop(server);

    let created = run(
        matricula(folder.path()).args(["admin", "create", "--email", "owner@example.org"]),
        "a phrase for the office\n",
    );
    assert!(created.status.success(), "{created:?}");
    let short = run(matricula(folder.path()).args(["admin", "create", "--email", "two@example.org"]), "short\n");
    assert!(!short.status.success());
    assert!(text(&short.stderr).contains("at least 10 characters"), "{short:?}");
    let taken = run(
        matricula(folder.path()).args(["admin", "create", "--email", "OWNER@example.org"]),
        "a phrase for the office\n",
    );
    assert!(!taken.status.success());

    let mut again = Served::start(folder.path());
    assert_eq!(again.line(), format!("Matricula is at {}", again.url));
    again.signal("-TERM");
    assert_eq!(again.line(), "", "nothing more is asked for");
    assert_eq!(std::fs::read(&secret).unwrap(), kept, "the secret is kept");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_accepted_is_finished_before_it_stops() {
    let folder = TempDir::new().unwrap();
    let mut server = Served::start(folder.path());
    server.line();
    let http = http_client();
    let post = |path: &str, body: serde_json::Value| http.post(format!("{}{path}", server.url)).json(&body).send();
    let registered = post("/api/users/register", registration("demo@example.org")).await.unwrap();
    assert_eq!(registered.status(), 201);

    // Hashing takes a while, so most of these are in progress when the signal arrives.
    let logins = (0..8).map(|_| post("/api/users/login", json!({ "email": "demo@example.org", "password": PASSWORD })));
    let logins = tokio::spawn(join_all(logins.collect::<Vec<_>>()));
    tokio::time::sleep(Duration::from_millis(150)).await;
    server.signal("-TERM");
    let answers = logins.await.unwrap();
    assert!(answers.iter().all(|answer| answer.as_ref().is_ok_and(|answer| answer.status() == 200)), "{answers:?}");
    let wait = move || {
        let mut server = server;
        server.child.wait().unwrap()
    };
    let ended = tokio::task::spawn_blocking(wait).await.unwrap();
    assert!(ended.success(), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_is_there_after_a_kill() {
    let folder = TempDir::new().unwrap();
    let mut server = Served::start(folder.path());
    server.line();
    let http = http_client();
    let registered = http.post(format!("{}/api/users/register", server.url)).json(&registration("demo@example.org"));
    let token = registered.send().await.unwrap().json::<serde_json::Value>().await.unwrap()["token"].clone();
    let token = token.as_str().unwrap().to_owned();
    let mut acknowledged = 0;
    for hours in 1..=20 {
        let body = json!({ "applicationType": "ba", "employment": { "currentEmployer": { "hoursPerWeek": hours } } });
        let save = http.post(format!("{}/api/users/application", server.url)).bearer_auth(&token).json(&body);
        assert_eq!(save.send().await.unwrap().status(), 200);
        acknowledged = hours;
    }
    server.signal("-KILL");
    drop(server);
    let mut again = Served::start(folder.path());
    again.line();
    let loaded = http.get(format!("{}/api/users/application", again.url)).bearer_auth(&token).send().await.unwrap();
    let loaded = loaded.json::<serde_json::Value>().await.unwrap();
    assert_eq!(loaded["data"]["employment"]["currentEmployer"]["hoursPerWeek"], acknowledged);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_goes_on_after_a_kill_from_where_it_was_acknowledged() {
    const PIECE: usize = 1024 * 1024;
    let folder = TempDir::new().unwrap();
    let mut server = Served::start(folder.path());
    server.line();
    let http = http_client();
    let mut person = registration("demo@example.org");
    person["applicationType"] = json!("ba");
    let registered = http.post(format!("{}/api/users/register", server.url)).json(&person).send().await.unwrap();
    let token = registered.json::<serde_json::Value>().await.unwrap()["token"].as_str().unwrap().to_owned();
    let content = pdf(6 * PIECE + 100_000);
    let tus = |method: reqwest::Method, url: String| {
        http.request(method, url).bearer_auth(&token).header("tus-resumable", "1.0.0")
    };
    let created = tus(reqwest::Method::POST, format!("{}/api/users/documents/uploads", server.url))
        .header("upload-length", content.len())
        .header("upload-metadata", "filename YS5wZGY=,slot aWRlbnRpdHk=");
    let created = created.send().await.unwrap();
    assert_eq!(created.status(), 201, "{created:?}");
    let path = created.headers()["location"].to_str().unwrap().to_owned();
    let piece = |url: &str, from: usize, body: reqwest::Body| {
        tus(reqwest::Method::PATCH, format!("{url}{path}"))
            .header("upload-offset", from)
            .header("content-type", "application/offset+octet-stream")
            .body(body)
            .send()
    };
    for n in 0..3 {
        let sent = piece(&server.url, n * PIECE, content[n * PIECE..(n + 1) * PIECE].to_vec().into()).await.unwrap();
        assert_eq!(sent.status(), 204);
    }
    // In the middle of the next chunk.
    let half = futures::stream::iter([Ok::<_, std::io::Error>(content[3 * PIECE..3 * PIECE + 500_000].to_vec())]);
    let endless = reqwest::Body::wrap_stream(futures::StreamExt::chain(half, futures::stream::pending()));
    let under_way = tokio::time::timeout(Duration::from_millis(300), piece(&server.url, 3 * PIECE, endless)).await;
    assert!(under_way.is_err(), "it waits for the rest");
    server.signal("-KILL");
    drop(server);

    let mut again = Served::start(folder.path());
    again.line();
    let told = tus(reqwest::Method::HEAD, format!("{}{path}", again.url)).send().await.unwrap();
    let at: usize = told.headers()["upload-offset"].to_str().unwrap().parse().unwrap();
    assert!((3 * PIECE..=3 * PIECE + 500_000).contains(&at), "{at}");
    assert_eq!(piece(&again.url, at, content[at..].to_vec().into()).await.unwrap().status(), 204);
    let file = format!("{}{}", again.url, path.replace("/uploads", ""));
    for _ in 0..200 {
        let loaded = http.get(&file).bearer_auth(&token).send().await.unwrap();
        if loaded.status() == 200 {
            assert!(loaded.bytes().await.unwrap() == content);
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it is not kept");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_is_changed_and_a_lost_one_is_missed() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join("data").join(name);
    let start = || {
        Served::start(folder.path()).line();
    };
    let doctor = || text(&run(matricula(folder.path()).arg("doctor"), "").stdout);
    start();
    assert!(doctor().contains("kept with the present secret"));

    std::fs::rename(file("secret"), file("secret.previous")).unwrap();
    start();
    assert!(file("secret").exists() && doctor().contains("kept with the present secret"));
    std::fs::remove_file(file("secret.previous")).unwrap();
    start();
    assert!(doctor().contains("kept with the present secret"), "the previous one is not needed for long");

    std::fs::remove_file(file("secret")).unwrap();
    start();
    let told = doctor();
    assert!(told.contains("WRONG second factors") && told.contains("accept-secret"), "{told}");
    let accepted = run(matricula(folder.path()).args(["admin", "accept-secret"]), "");
    assert!(text(&accepted.stdout).contains("from now on"), "{accepted:?}");
    assert!(doctor().contains("kept with the present secret"));
}

#[test]
fn the_doctor_finds_what_is_wrong() {
    let folder = TempDir::new().unwrap();
    let before = run(matricula(folder.path()).arg("doctor"), "");
    assert!(!before.status.success());
    assert!(text(&before.stdout).contains("run `matricula migrate`"), "{before:?}");
    assert!(!folder.path().join("data/matricula.db").exists(), "who looks changes nothing");
    assert!(run(matricula(folder.path()).arg("migrate"), "").status.success());
    // As in a file of variables that are left empty.
    let empty = [
        "SMTP_URL",
        "CLAMD_URL",
        "STORAGE_URL",
        "DATABASE_URL",
        "MATRICULA_PUBLIC_URL",
        "MATRICULA_WORKERS",
        "MATRICULA_ISOLATES",
    ];
    let well = run(matricula(folder.path()).arg("doctor").envs(empty.map(|variable| (variable, ""))), "");
    assert!(well.status.success(), "{well:?}");
    for found in [
        "sqlite, at this version",
        "no SMTP_URL",
        "no CLAMD_URL",
        "documents are kept in",
        "a page of",
        "can be written",
    ] {
        assert!(text(&well.stdout).contains(found), "{found}: {well:?}");
    }
    let broken = run(
        matricula(folder.path())
            .arg("doctor")
            .env("DATABASE_URL", "postgres://u:hunter2@127.0.0.1:1/none")
            .env("SMTP_URL", "smtp://127.0.0.1:1")
            .env("CLAMD_URL", "tcp://127.0.0.1:1")
            .env("STORAGE_URL", "/proc/documents"),
        "",
    );
    assert!(!broken.status.success());
    assert_eq!(text(&broken.stdout).matches("WRONG").count(), 4, "{broken:?}");
    assert!(!text(&broken.stdout).contains("hunter2"), "secrets never print");
}

#[test]
fn bad_configuration_is_named() {
    let folder = TempDir::new().unwrap();
    for (variable, value, words) in [
        ("MATRICULA_PUBLIC_URL", "apply.example.org", "--public-url"),
        ("MATRICULA_SECRET", "short", "MATRICULA_SECRET is shorter than 32 characters"),
        ("DATABASE_URL", "mysql://localhost/x", "must start with sqlite: or postgres:"),
        ("MATRICULA_TRUSTED_PROXIES", "not an address", "MATRICULA_TRUSTED_PROXIES"),
        ("MATRICULA_TIME_ZONE", "Mars/Base", "America/New_York"),
        ("STORAGE_URL", "ftp://example.org/documents", "STORAGE_URL must be a folder or s3://BUCKET"),
        ("CLAMD_URL", "clamd", "CLAMD_URL: use tcp://HOST:PORT"),
    ] {
        let output = run(matricula(folder.path()).env("MATRICULA_BIND", "127.0.0.1:0").env(variable, value), "");
        assert!(!output.status.success(), "{variable}");
        assert!(text(&output.stderr).contains(words), "{variable}: {output:?}");
    }
}

#[test]
fn the_demo_says_that_it_is_demo_data_and_is_made_once() {
    let folder = TempDir::new().unwrap();
    let first = run(matricula(folder.path()).args(["seed", "--demo"]), "");
    assert!(text(&first.stdout).contains("6 demo applicants created"), "{first:?}");
    let second = run(matricula(folder.path()).args(["seed", "--demo"]), "");
    assert!(text(&second.stdout).contains("0 demo applicants created"), "{second:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_tells_that_the_file_is_damaged() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("matricula.db");
    let database = format!("sqlite:{}", file.display());
    let program = Program { folder, database, port: free_port(), more: Vec::new() };
    let start = || {
        let mut server = program.start_logging();
        server.kill().unwrap();
        server.wait().unwrap();
        fs::read_to_string(program.log()).unwrap()
    };
    assert_eq!(start(), "");

    let mut connection = SqliteConnectOptions::new().filename(&file).connect().await.unwrap();
    // Nothing reads this index at startup.
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'outbox_newest'";
    let root: u32 = sqlx::query_scalar(root).fetch_one(&mut connection).await.unwrap();
    let size: u32 = sqlx::query_scalar("PRAGMA page_size").fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let mut content = fs::read(&file).unwrap();
    content[(root as usize - 1) * size as usize..][..512].fill(0xa5);
    fs::write(&file, content).unwrap();
    let told = start();
    assert!(told.contains("the database is damaged"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn probes_can_have_an_address_of_their_own() {
    let folder = TempDir::new().unwrap();
    let database = format!("sqlite:{}", folder.path().join("probes.db").display());
    let apart = format!("127.0.0.1:{}", free_port());
    let more = vec![("MATRICULA_PROBES_BIND", apart.clone())];
    let program = Program { folder, database, port: free_port(), more };
    let mut server = program.start();
    let http = http_client();
    let status = async |url: String| http.get(url).send().await.unwrap().status().as_u16();
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(status(format!("http://{apart}{path}")).await, 200, "{path}");
        assert_eq!(status(format!("http://127.0.0.1:{}{path}", program.port)).await, 404, "{path}");
    }
    assert_eq!(status(format!("http://{apart}/bachelor/apply")).await, 404);
    assert_eq!(status(format!("http://127.0.0.1:{}/bachelor/apply", program.port)).await, 200);
    let _ = server.kill();
    let _ = server.wait();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_of_paths_are_not_in_the_log() {
    let folder = TempDir::new().unwrap();
    let database = format!("sqlite:{}", folder.path().join("log.db").display());
    let more = vec![("MATRICULA_LOG", "info".to_owned())];
    let program = Program { folder, database, port: free_port(), more };
    let mut server = program.start_logging();
    let http = http_client();
    for path in [
        "/calendar/kAx9Secret.ics",
        "/verify/7Q2M-SECRET",
        "/%76erify/7Q2M-SECRET",
        "/thankyou?secret=1",
        "/inquiries/confirm?token=secret",
        "/unsubscribe?token=secret",
        "/open-days/booking?token=secret",
    ] {
        http.get(format!("http://127.0.0.1:{}{path}", program.port)).send().await.unwrap();
    }
    // It writes its last lines when it ends.
    assert!(Command::new("kill").arg(server.id().to_string()).status().unwrap().success());
    server.wait().unwrap();
    let log = fs::read_to_string(program.log()).unwrap();
    assert!(log.contains(r#""path":"/calendar/{file}""#) && log.contains(r#""path":"/thankyou""#), "{log}");
    assert_eq!(log.matches(r#""path":"/verify/{code}""#).count(), 2, "{log}");
    assert!(!log.to_lowercase().contains("secret"), "{log}");
}
