//! Three processes behind a balancer that checks readiness and never retries: they are restarted one after the other,
//! and no user notices.

use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use crate::support::databases::Database;
use crate::support::ports::free_port;
use crate::support::program::{Program, Running};
use crate::support::server::{complete_answers, http_client, registration};

const PROCESSES: usize = 3;
const CLIENTS: usize = 6;
/// How often the balancer checks readiness.
const INTERVAL: Duration = Duration::from_millis(250);
/// Longer than a few intervals.
const DRAIN_SECONDS: u32 = 2;
/// A cached page, which all of them send.
const PAGE: &str = "/bachelor/apply";

/// A process as the balancer sees it.
struct Backend {
    port: u16,
    is_ready: AtomicBool,
    answered: AtomicUsize,
}

impl Backend {
    async fn connect(&self) -> Option<BufReader<TcpStream>> {
        TcpStream::connect(("127.0.0.1", self.port)).await.ok().map(BufReader::new)
    }

    /// Checks whether it is ready, until the balancer stops.
    async fn watch(self: Arc<Self>, stop: CancellationToken) {
        while !stop.is_cancelled() {
            let is_ready = match self.connect().await {
                Some(mut connection) => matches!(get(&mut connection, "/readyz").await, Some((200, _))),
                None => false,
            };
            self.is_ready.store(is_ready, Ordering::Relaxed);
            tokio::time::sleep(INTERVAL).await;
        }
    }

    async fn becomes(&self, ready: bool) {
        let start = Instant::now();
        while self.is_ready.load(Ordering::Relaxed) != ready {
            assert!(start.elapsed() < Duration::from_secs(30), "readiness of {} does not become {ready}", self.port);
            tokio::time::sleep(INTERVAL / 5).await;
        }
    }
}

/// The status of an answer, and whether the connection stays open; `None` if it broke.
async fn get(connection: &mut BufReader<TcpStream>, path: &str) -> Option<(u16, bool)> {
    let asked = format!("GET {path} HTTP/1.1\r\nhost: apply.example.org\r\n\r\n");
    connection.get_mut().write_all(asked.as_bytes()).await.ok()?;
    let (mut status, mut length, mut stays) = (None, 0, true);
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).await.ok().filter(|read| *read > 0)?;
        let line = line.trim_end().to_ascii_lowercase();
        if status.is_none() {
            status = Some(line.split(' ').nth(1)?.parse().ok()?);
        } else if let Some(value) = line.strip_prefix("content-length: ") {
            length = value.parse().ok()?;
        } else if line == "connection: close" {
            stays = false;
        } else if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await.ok()?;
    Some((status?, stays))
}

/// Sends requests to the ready processes in turn, over connections it keeps open.
async fn client(backends: Arc<Vec<Arc<Backend>>>, stop: CancellationToken) -> Vec<String> {
    let mut kept: Vec<Option<BufReader<TcpStream>>> = backends.iter().map(|_| None).collect();
    let mut lost = Vec::new();
    while !stop.is_cancelled() {
        for (backend, kept) in backends.iter().zip(&mut kept) {
            if !backend.is_ready.load(Ordering::Relaxed) {
                *kept = None;
                continue;
            }
            let connection = match kept.take() {
                Some(connection) => Some(connection),
                None => backend.connect().await,
            };
            let Some(mut connection) = connection else {
                lost.push(format!("{} let nobody in", backend.port));
                continue;
            };
            match get(&mut connection, PAGE).await {
                Some((200, stays)) => {
                    backend.answered.fetch_add(1, Ordering::Relaxed);
                    *kept = stays.then_some(connection);
                }
                Some((status, _)) => lost.push(format!("{} said {status}", backend.port)),
                None => lost.push(format!("{} broke the connection", backend.port)),
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
    lost
}

fn terminate(child: &Child) {
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rolling_restart_loses_no_request() {
    Database::postgres().await.tell(rolling_restart).await;
}

async fn rolling_restart(database: Arc<Database>) {
    let programs: Vec<Program> = (0..PROCESSES)
        .map(|_| Program {
            folder: TempDir::new().unwrap(),
            database: database.url.clone(),
            port: free_port(),
            more: vec![
                ("MATRICULA_DRAIN_SECONDS", DRAIN_SECONDS.to_string()),
                ("MATRICULA_SECRET", "a secret that all of the processes share".into()),
            ],
        })
        .collect();
    let mut running: Vec<Child> = programs.iter().map(Program::start).collect();
    let backend = |program: &Program| {
        Arc::new(Backend { port: program.port, is_ready: AtomicBool::new(false), answered: AtomicUsize::new(0) })
    };
    let backends: Arc<Vec<_>> = Arc::new(programs.iter().map(backend).collect());
    let stop = CancellationToken::new();
    let watches: Vec<_> = backends.iter().map(|backend| tokio::spawn(backend.clone().watch(stop.clone()))).collect();
    for backend in &*backends {
        backend.becomes(true).await;
    }
    let clients: Vec<_> = (0..CLIENTS).map(|_| tokio::spawn(client(backends.clone(), stop.clone()))).collect();
    tokio::time::sleep(INTERVAL).await;

    for ((program, child), backend) in programs.iter().zip(&mut running).zip(&*backends) {
        terminate(child);
        backend.becomes(false).await;
        assert!(child.try_wait().unwrap().is_none(), "it still serves whoever has not found out");
        assert!(tokio::task::block_in_place(|| child.wait()).unwrap().success());
        *child = program.start();
        backend.becomes(true).await;
    }
    tokio::time::sleep(INTERVAL).await;
    stop.cancel();
    let mut lost = Vec::new();
    for client in clients {
        lost.extend(client.await.unwrap());
    }
    for watch in watches {
        watch.await.unwrap();
    }
    for child in &mut running {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let answered: Vec<_> = backends.iter().map(|backend| backend.answered.load(Ordering::Relaxed)).collect();
    assert!(lost.is_empty(), "{} lost of {answered:?}: {lost:?}", lost.len());
    assert!(answered.iter().all(|answered| *answered > 20), "{answered:?}");
}

impl Running {
    /// A real HAProxy, with the configuration that we provide, in front of these ports.
    fn haproxy(folder: &TempDir, port: u16, backends: &[u16]) -> Running {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/haproxy.cfg");
        let mut configuration = std::fs::read_to_string(file).unwrap();
        let mut put = |from: String, to: String| {
            assert!(configuration.contains(&from), "{from}");
            configuration = configuration.replace(&from, &to);
        };
        put("bind :8080".into(), format!("bind 127.0.0.1:{port}"));
        for (number, backend) in (8081..).zip(backends) {
            put(format!("127.0.0.1:{number}"), format!("127.0.0.1:{backend}"));
        }
        let file = folder.path().join("haproxy.cfg");
        std::fs::write(&file, configuration).unwrap();
        let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default());
        let mut haproxy = Command::new("env");
        haproxy.arg(format!("PATH={path}")).args(["haproxy", "-q", "-db", "-f"]).arg(file);
        Running(haproxy.spawn().unwrap())
    }
}

/// Reads a page and saves, in turn; returns what failed, and how often it succeeded.
async fn visitor(number: usize, url: String, stop: CancellationToken) -> (Vec<String>, usize) {
    let http = http_client();
    let body = registration(&format!("demo{number}@example.com"));
    let registered = http.post(format!("{url}/api/users/register")).json(&body).send().await.unwrap();
    let token = registered.json::<serde_json::Value>().await.unwrap()["token"].as_str().unwrap().to_owned();
    let (mut lost, mut answered) = (Vec::new(), 0);
    while !stop.is_cancelled() {
        let page = http.get(format!("{url}{PAGE}"));
        let save = http.post(format!("{url}/api/users/application")).bearer_auth(&token).json(&complete_answers());
        for call in [page, save] {
            let told = async { call.send().await?.error_for_status()?.bytes().await };
            match told.await {
                Ok(_) => answered += 1,
                Err(error) => lost.push(format!("{error:?}")),
            }
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    (lost, answered)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn haproxy_loses_no_request_to_a_rolling_restart() {
    Database::postgres().await.tell(behind_haproxy).await;
}

async fn behind_haproxy(database: Arc<Database>) {
    let program = |_| Program {
        folder: TempDir::new().unwrap(),
        database: database.url.clone(),
        port: free_port(),
        more: vec![
            // As in the configuration.
            ("MATRICULA_DRAIN_SECONDS", "5".into()),
            ("MATRICULA_SECRET", "a secret that all of the processes share".into()),
        ],
    };
    let programs: Vec<Program> = (0..PROCESSES).map(program).collect();
    let mut running: Vec<Running> = programs.iter().map(|program| Running(program.start())).collect();
    let (folder, port) = (TempDir::new().unwrap(), free_port());
    let ports: Vec<u16> = programs.iter().map(|program| program.port).collect();
    let _haproxy = Running::haproxy(&folder, port, &ports);
    let url = format!("http://127.0.0.1:{port}");
    let start = Instant::now();
    while !http_client().get(format!("{url}/readyz")).send().await.is_ok_and(|answer| answer.status() == 200) {
        assert!(start.elapsed() < Duration::from_secs(10), "haproxy does not answer: run scripts/setup test");
        tokio::time::sleep(INTERVAL).await;
    }
    let stop = CancellationToken::new();
    let visitors: Vec<_> =
        (0..CLIENTS).map(|number| tokio::spawn(visitor(number, url.clone(), stop.clone()))).collect();
    for (program, child) in programs.iter().zip(&mut running) {
        terminate(&child.0);
        assert!(tokio::task::block_in_place(|| child.0.wait()).unwrap().success());
        *child = Running(program.start());
        // Until its readiness has been checked, and once more.
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    stop.cancel();
    let (mut lost, mut answered) = (Vec::new(), 0);
    for visitor in visitors {
        let (its_lost, its_answered) = visitor.await.unwrap();
        lost.extend(its_lost);
        answered += its_answered;
    }
    println!("{answered} answered, {} lost", lost.len());
    assert!(lost.is_empty(), "{} lost of {answered}: {lost:?}", lost.len());
    assert!(answered > 300, "{answered}");
}
