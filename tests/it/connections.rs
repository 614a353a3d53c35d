//! Connections that keep the server waiting, over real sockets.

use std::time::Duration;

use matricula::boot::Patience;
use matricula::wire::Pace;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

use crate::support::databases::Database;
use crate::support::server::{World, WorldOptions};

const FIRST: Duration = Duration::from_millis(600);
const NEXT: Duration = Duration::from_millis(900);
/// Well after both limits.
const NEVER: Duration = Duration::from_secs(8);

async fn impatient(database: &Database) -> World {
    let patience = Patience { first: FIRST, next: NEXT, ..Patience::default() };
    World::start_with(database.db(), WorldOptions { patience, ..WorldOptions::default() }).await
}

/// Everything still received, and how long it took until the server hung up.
async fn until_closed(stream: &mut TcpStream) -> (String, Duration) {
    let (since, mut all) = (Instant::now(), Vec::new());
    // A reset is as good an end as any.
    let _ = timeout(NEVER, stream.read_to_end(&mut all)).await.expect("the server hangs up");
    (String::from_utf8_lossy(&all).into_owned(), since.elapsed())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_sends_no_whole_header_is_hung_up_on() {
    let database = Database::sqlite().await;
    let world = impatient(&database).await;
    for half in ["", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow:", "\r\n"] {
        let mut stream = TcpStream::connect(world.address()).await.unwrap();
        stream.write_all(half.as_bytes()).await.unwrap();
        let (said, waited) = until_closed(&mut stream).await;
        assert_eq!(said, "", "{half:?}");
        assert!(waited >= FIRST - Duration::from_millis(200), "{half:?}: {waited:?}");
    }
    // Byte by byte, the usual way to hold a connection open.
    let mut stream = TcpStream::connect(world.address()).await.unwrap();
    let (mut read, mut write) = stream.split();
    let drops = async {
        for byte in "GET /healthz HTTP/1.1\r\nX-Slow: ".bytes().chain(std::iter::repeat(b'a')) {
            if write.write_all(&[byte]).await.is_err() {
                break;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    let closed = async {
        let mut byte = [0];
        matches!(read.read(&mut byte).await, Ok(0) | Err(_))
    };
    tokio::select! {
        () = drops => {}
        is_closed = closed => assert!(is_closed),
        () = sleep(NEVER) => panic!("the connection is kept"),
    }
    database.remove().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asked_once_may_rest_for_a_while_and_ask_again() {
    const ASKING: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    let database = Database::sqlite().await;
    let world = impatient(&database).await;
    let mut stream = TcpStream::connect(world.address()).await.unwrap();
    let mut answer = vec![0; 4096];
    for _ in 0..3 {
        stream.write_all(ASKING).await.unwrap();
        let length = timeout(NEVER, stream.read(&mut answer)).await.unwrap().unwrap();
        assert!(answer[..length].starts_with(b"HTTP/1.1 200"), "{}", answer[..length].escape_ascii());
        // Together longer than the first header may take.
        sleep(FIRST / 2).await;
    }
    stream.write_all(&ASKING[..20]).await.unwrap();
    assert_eq!(until_closed(&mut stream).await.0, "", "half of the next one");
    database.remove().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_takes_longer_than_a_header_may_is_read() {
    let database = Database::sqlite().await;
    let world = impatient(&database).await;
    let body = r#"{"email":"nobody@example.org","password":"correct horse battery staple"}"#;
    let head = format!(
        "POST /api/users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(world.address()).await.unwrap();
    let (half, rest) = body.split_at(20);
    stream.write_all(format!("{head}{half}").as_bytes()).await.unwrap();
    sleep(FIRST + NEXT).await;
    stream.write_all(rest.as_bytes()).await.unwrap();
    let (said, _) = until_closed(&mut stream).await;
    assert!(said.starts_with("HTTP/1.1 401") && said.contains("auth.invalid"), "{said}");
    database.remove().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_names_no_host_or_several_is_told_so() {
    let database = Database::sqlite().await;
    let world = World::start(database.db()).await;
    for (asked, status) in [
        ("GET /healthz HTTP/1.1\r\nHost: matricula.example:8080\r\n", "200"),
        ("GET /healthz HTTP/1.1\r\nHost: [::1]\r\n", "200"),
        ("GET /healthz HTTP/1.0\r\n", "200"),
        ("GET /healthz HTTP/1.1\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: a.example\r\nhost: a.example\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: a.example, b.example\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: a.example/x\r\n", "400"),
        ("GET /healthz HTTP/1.0\r\nHost: a.example\r\nHost: b.example\r\n", "400"),
    ] {
        let mut stream = TcpStream::connect(world.address()).await.unwrap();
        stream.write_all(format!("{asked}Connection: close\r\n\r\n").as_bytes()).await.unwrap();
        let (said, _) = until_closed(&mut stream).await;
        assert_eq!(said.split(' ').nth(1), Some(status), "{asked}: {said}");
    }
    database.remove().await;
}

/// Sends everything before reading anything, as simple clients do.
async fn send_all_and_read(world: &World, head: &str, size: usize) -> String {
    let mut stream = TcpStream::connect(world.address()).await.unwrap();
    stream.write_all(format!("{head}Host: x\r\nContent-Length: {size}\r\n\r\n").as_bytes()).await.unwrap();
    for _ in 0..size / 65_536 {
        // Still sending when the answer is already there.
        stream.write_all(&[b'x'; 65_536]).await.expect("whoever sends on is not hung up on");
        sleep(Duration::from_millis(5)).await;
    }
    let mut answer = vec![0; 4096];
    let length = timeout(NEVER, stream.read(&mut answer)).await.unwrap().expect("the answer comes through");
    String::from_utf8_lossy(&answer[..length]).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_reaches_who_still_sends() {
    let database = Database::sqlite().await;
    let world = World::start(database.db()).await;
    for (head, status) in [
        ("POST /api/users/login HTTP/1.1\r\nContent-Type: application/json\r\n", "413"),
        ("POST /api/users/login HTTP/1.1\r\nContent-Type: text/plain\r\n", "415"),
        (
            "POST /auth/login HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n",
            "413",
        ),
        ("POST /api/webhooks/stripe HTTP/1.1\r\n", "413"),
        ("POST /api/users/documents HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\n", "401"),
        ("POST /nowhere HTTP/1.1\r\n", "404"),
    ] {
        let said = send_all_and_read(&world, head, 8 * 1024 * 1024).await;
        assert_eq!(said.split(' ').nth(1), Some(status), "{head}: {said}");
    }
    database.remove().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_body_is_waited_for_that_all_but_stops() {
    let database = Database::sqlite().await;
    let body = Pace { window: Duration::from_millis(700), ..Pace::default() };
    let patience = Patience { body, ..Patience::default() };
    let world = World::start_with(database.db(), WorldOptions { patience, ..WorldOptions::default() }).await;
    for head in [
        "POST /api/webhooks/stripe HTTP/1.1\r\nStripe-Signature: t=1,v1=00\r\n",
        "POST /api/users/login HTTP/1.1\r\nContent-Type: application/json\r\n",
        "POST /auth/login HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n",
        "POST /verify/AAAA-AAAA-AAAA HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nSec-Fetch-Site: same-origin\r\n",
        "POST /dashboard/documents HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nSec-Fetch-Site: same-origin\r\n",
    ] {
        let mut stream = TcpStream::connect(world.address()).await.unwrap();
        stream.write_all(format!("{head}Host: x\r\nContent-Length: 200000\r\n\r\n").as_bytes()).await.unwrap();
        let (mut read, mut write) = stream.split();
        let (since, mut said) = (Instant::now(), Vec::new());
        let drops = async {
            while write.write_all(b"-").await.is_ok() {
                sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::select! {
            _ = read.read_to_end(&mut said) => {}
            () = async { drops.await; std::future::pending().await } => {}
            () = sleep(NEVER) => panic!("{head}: the connection is kept"),
        }
        assert!(since.elapsed() < NEVER, "{head}");
    }
    database.remove().await;
}
