//! Clients that request a lot at once and do not read the answers: what they cost the others.

use std::fs;
use std::net::SocketAddr;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::future::join_all;
use matricula::boot::Patience;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use super::documents::{self, applicant};
use crate::support::clamd::Scanner;
use crate::support::databases::{Database, story};
use crate::support::files::pdf;
use crate::support::ports::free_port;
use crate::support::program::{Program, Running};
use crate::support::server::{Client, PASSWORD, World, WorldOptions, complete_answers, http_client, registration};
use crate::support::skip;

const ARCHIVE: &str = "/api/users/personal-data";
/// More than fits in the buffers between the server and a client that does not read.
const LARGE: usize = 9_000_000;
/// Long enough for anything that is not held up.
const SOON: Duration = Duration::from_secs(8);
const MEGABYTE: u64 = 1024 * 1024;

/// The body that requests an archive.
fn password() -> Value {
    json!({ "currentPassword": PASSWORD })
}

/// A client that requests a path, sees the answer begin, and then stops reading.
async fn idle_reader(world: &World, client: &Client, path: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(32 * 1024).unwrap();
    let address: SocketAddr = world.address().parse().unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    let (token, from) = (client.token.as_deref().unwrap(), &client.address);
    let body = if path == ARCHIVE { password().to_string() } else { String::new() };
    let method = if path == ARCHIVE { "POST" } else { "GET" };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {from}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut begun = [0; 12];
    stream.read_exact(&mut begun).await.unwrap();
    assert_eq!(&begun, b"HTTP/1.1 200");
    stream
}

/// An applicant with a large file, and the file's path.
async fn with_large_file(world: &World) -> (Client, String) {
    let client = applicant(world).await;
    let sent = documents::send(&client, "identity", "large.pdf", &pdf(LARGE)).await;
    assert_eq!(sent.status, 201, "{sent:?}");
    let path = format!("{}/{}", documents::PATH, sent.json()["id"].as_str().unwrap());
    (client, path)
}

/// Runs with a fraction of the blocking threads, of which the program has 512.
fn on_few_threads(story: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(2).max_blocking_threads(4).enable_all().build().unwrap().block_on(story);
}

async fn log_in_beside_idle_readers(database: std::sync::Arc<Database>) {
    let world = World::start(database.db()).await;
    let somebody = world.register().await;
    let mut readers = Vec::new();
    for _ in 0..8 {
        let (client, _) = with_large_file(&world).await;
        readers.push(timeout(SOON, idle_reader(&world, &client, ARCHIVE)).await.expect("the archive begins"));
    }
    timeout(SOON, somebody.log_in()).await.expect("a log-in waits for nobody who does not read");
    drop(readers);
}

#[test]
fn who_does_not_read_an_archive_keeps_nobody_from_logging_in_on_sqlite() {
    on_few_threads(async { Database::sqlite().await.tell(log_in_beside_idle_readers).await });
}

#[test]
fn who_does_not_read_an_archive_keeps_nobody_from_logging_in_on_postgres() {
    on_few_threads(async { Database::postgres().await.tell(log_in_beside_idle_readers).await });
}

impl Running {
    /// Returns its peak memory in bytes.
    fn peak(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }
}

story! {
    async fn patching_a_finished_upload_takes_no_memory(database: Database) {
        if !fs::exists("/proc/self/status").unwrap() {
            return skip("how much memory a process takes is read in /proc");
        }
        let scanner = Scanner::start().await;
        scanner.set_held(true);
        let more = vec![("CLAMD_URL", scanner.url.clone())];
        let program =
            Program { folder: TempDir::new().unwrap(), database: database.url.clone(), port: free_port(), more };
        let server = Running(program.start());
        let (http, url) = (http_client(), format!("http://127.0.0.1:{}", program.port));
        let registered = http.post(format!("{url}/api/users/register")).json(&registration("demo@example.org"));
        let token = registered.send().await.unwrap().json::<Value>().await.unwrap()["token"].clone();
        let call = |method, path: &str| http.request(method, format!("{url}{path}")).bearer_auth(token.as_str().unwrap());
        let saved = call(Method::POST, "/api/users/application").json(&complete_answers()).send().await.unwrap();
        assert_eq!(saved.status(), 200);

        let content = pdf(26_000_000);
        let metadata = format!("filename {},slot {}", STANDARD.encode("a.pdf"), STANDARD.encode("identity"));
        let created = call(Method::POST, "/api/users/documents/uploads")
            .header("tus-resumable", "1.0.0")
            .header("upload-length", content.len())
            .header("upload-metadata", metadata)
            .send()
            .await
            .unwrap();
        let path = created.headers()["location"].to_str().unwrap().to_owned();
        let patch = |from: usize, content: Vec<u8>| {
            call(Method::PATCH, &path)
                .header("tus-resumable", "1.0.0")
                .header("upload-offset", from)
                .header("content-type", "application/offset+octet-stream")
                .body(content)
                .send()
        };
        let length = content.len();
        assert_eq!(patch(0, content).await.unwrap().status(), 204);
        while scanner.scans() == 0 {
            sleep(Duration::from_millis(20)).await;
        }
        let before = server.peak();
        for answer in join_all((0..40).map(|_| patch(length, Vec::new()))).await {
            assert_eq!(answer.unwrap().status(), 204);
        }
        sleep(Duration::from_secs(2)).await;
        let (before, after) = (before / MEGABYTE, server.peak() / MEGABYTE);
        assert!(after < before + 50, "from {before} MB to {after} MB");
    }

    async fn of_one_account_one_archive_is_sent_at_a_time(database: Database) {
        let world = World::start(database.db()).await;
        let (client, _) = with_large_file(&world).await;
        let first = idle_reader(&world, &client, ARCHIVE).await;
        let second = idle_reader(&world, &client, ARCHIVE);
        tokio::pin!(second);
        assert!(timeout(Duration::from_millis(500), second.as_mut()).await.is_err(), "it waits for the first");
        let third = timeout(SOON, client.post(ARCHIVE).json(&password()).send()).await.expect("it is not even waited for");
        third.assert_problem(429, "rate_limited");
        drop(first);
        timeout(SOON, second).await.expect("the second one begins");
    }

    async fn who_does_not_read_an_answer_is_hung_up_on_and_who_reads_slowly_is_not(database: Database) {
        let patience = Patience { read: Duration::from_millis(1500), ..Patience::default() };
        let world = World::start_with(database.db(), WorldOptions { patience, ..WorldOptions::default() }).await;
        let (client, file) = with_large_file(&world).await;
        for path in [&*file, ARCHIVE] {
            let mut slow = idle_reader(&world, &client, path).await;
            let (mut all, mut piece) = (0, vec![0; 64 * 1024]);
            loop {
                match slow.read(&mut piece).await.expect("who reads on is waited for") {
                    0 => break,
                    length => all += length,
                }
                sleep(Duration::from_millis(10)).await;
            }
            assert!(all > LARGE / 2, "{path}: {all}");

            let mut idle = idle_reader(&world, &client, path).await;
            sleep(Duration::from_secs(4)).await;
            let mut rest = Vec::new();
            let end = timeout(SOON, idle.read_to_end(&mut rest)).await.expect("the server has hung up");
            assert!(end.is_err() && rest.len() < LARGE / 2, "{path}: {end:?} after {} bytes", rest.len());
        }
        // The archive that is not being read blocks nobody.
        assert_eq!(client.post(ARCHIVE).json(&password()).send().await.status, 200);
    }
}
