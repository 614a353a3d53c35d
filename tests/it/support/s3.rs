//! An S3 server for stories: the one in `TEST_S3_URL` if set, otherwise moto's, started for this test run.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::OnceCell;

use super::ports::free_port;
use super::server::http_client;

/// The folder of the Python programs installed by `scripts/setup test`.
pub fn python_programs() -> PathBuf {
    let programs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/python/bin");
    assert!(
        programs.join("moto_server").exists(),
        "Run scripts/setup test: it installs Python programs for the tests."
    );
    programs
}

/// A bucket for one test, as a `STORAGE_URL`.
pub async fn bucket() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let endpoint = server().await;
    let name = format!("test-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let made = http_client().put(format!("{endpoint}/{name}")).send().await.unwrap();
    assert!(made.status().is_success(), "{made:?}");
    format!("s3://{name}?endpoint={endpoint}&region=us-east-1&access_key_id=demo&secret_access_key=demo")
}

async fn server() -> &'static str {
    static SERVER: OnceCell<String> = OnceCell::const_new();
    SERVER.get_or_init(start).await
}

/// Stops the server when the shell's standard input closes, which happens when the test process ends, however it ends.
const SUPERVISOR: &str = r#""$1" -H 127.0.0.1 -p "$2" >/dev/null 2>&1 & cat; kill $!"#;

async fn start() -> String {
    static SUPERVISED: Mutex<Option<Child>> = Mutex::new(None);
    if let Ok(url) = std::env::var("TEST_S3_URL") {
        return url;
    }
    let port = free_port();
    let child = Command::new("sh")
        .args(["-c", SUPERVISOR, "sh"])
        .arg(python_programs().join("moto_server"))
        .arg(port.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    *SUPERVISED.lock().unwrap() = Some(child);
    for _ in 0..300 {
        if TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            return format!("http://127.0.0.1:{port}");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("moto's S3 server did not start");
}
