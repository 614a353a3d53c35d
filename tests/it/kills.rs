//! Fifty kills under eight applicants who save, upload and book: everything acknowledged is there afterwards. Twenty
//! kills while mails go out: each is sent, and few are sent twice.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::support::databases::story;
use crate::support::files::pdf;
use crate::support::ports::free_port;
use crate::support::program::{Program, Running};
use crate::support::server::{complete_answers, http_client, registration};
use crate::support::smtp::Sink;

const KILLS: u32 = 50;
/// Long after a server would have answered that it has too much to do.
const ANSWER: Duration = Duration::from_secs(60);
const APPLICATION: &str = "/api/users/application";
const DOCUMENTS: &str = "/api/users/documents";
const INTERVIEW: &str = "/api/users/interview";

/// An applicant who keeps working while the server dies and comes back.
pub struct Writer {
    http: reqwest::Client,
    url: String,
    pub token: String,
    stop: CancellationToken,
    /// The number of acknowledged writes of all of them.
    acknowledged: Arc<AtomicU64>,
    /// The numbers of the last save: tried, and acknowledged.
    pub saves: Arc<[AtomicU64; 2]>,
}

/// A request that was cut off, with an unknown outcome.
pub struct Cut;

impl Writer {
    pub async fn register(
        program: &Program,
        number: usize,
        stop: &CancellationToken,
        count: &Arc<AtomicU64>,
    ) -> Writer {
        let http = http_client();
        let url = format!("http://127.0.0.1:{}", program.port);
        let body = registration(&format!("demo{number}@example.com"));
        let answer = http.post(format!("{url}/api/users/register")).json(&body).send().await.unwrap();
        let token = answer.json::<Value>().await.unwrap()["token"].as_str().unwrap().to_owned();
        let writer =
            Writer { http, url, token, stop: stop.clone(), acknowledged: count.clone(), saves: Arc::default() };
        let mut answers = complete_answers();
        // The first questions of the bachelor's program.
        answers["questionnaire"] = json!({ "answers": {
            "motivation": "A demo.", "studyMode": "full_time", "hoursPerWeek": 40, "needsAccommodation": false
        } });
        writer.send(writer.call(Method::POST, APPLICATION).json(&answers)).await.ok().unwrap();
        writer
    }

    fn call(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token)
    }

    /// Status, headers and body, unless the connection broke first.
    async fn send(&self, call: RequestBuilder) -> Result<(StatusCode, reqwest::header::HeaderMap, Vec<u8>), Cut> {
        let answered = tokio::time::timeout(ANSWER, async {
            let response = call.send().await.map_err(|_| Cut)?;
            let (status, headers) = (response.status(), response.headers().clone());
            Ok((status, headers, response.bytes().await.map_err(|_| Cut)?.to_vec()))
        });
        let (status, headers, body) = answered.await.expect("every request is answered or cut off")?;
        assert!(!status.is_server_error(), "{status} {}", String::from_utf8_lossy(&body));
        Ok((status, headers, body))
    }

    /// The JSON at `path`, as soon as the server is back.
    async fn look(&self, path: &str) -> Value {
        let patience = Instant::now();
        loop {
            if let Ok((status, _, body)) = self.send(self.call(Method::GET, path)).await {
                assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
                return serde_json::from_slice(&body).unwrap();
            }
            assert!(patience.elapsed() < Duration::from_secs(120), "the server does not come back");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn acknowledge(&self) {
        self.acknowledged.fetch_add(1, Ordering::Relaxed);
    }

    /// Starts the work assigned to this number.
    pub fn start(self, number: usize) -> JoinHandle<()> {
        match number {
            0..4 => tokio::spawn(self.save()),
            4..6 => tokio::spawn(self.upload()),
            _ => tokio::spawn(self.book(number)),
        }
    }

    /// The number last saved in an application.
    pub fn saved_number(application: &Value) -> u64 {
        let name = application["data"]["employment"]["currentEmployer"]["name"].as_str().unwrap();
        name.strip_prefix("Demo ").map_or(0, |number| number.parse().unwrap())
    }

    /// Saves one number after the other.
    async fn save(self) {
        let (mut tried, mut acknowledged) = (0, 0);
        while !self.stop.is_cancelled() {
            tried += 1;
            self.saves[0].store(tried, Ordering::SeqCst);
            let answers = json!({
                "applicationType": "ba",
                "employment": { "isCurrentlyEmployed": true, "currentEmployer": { "name": format!("Demo {tried}") } },
            });
            match self.send(self.call(Method::POST, APPLICATION).json(&answers)).await {
                Ok((status, ..)) => {
                    assert_eq!(status, 200);
                    acknowledged = tried;
                    self.saves[1].store(acknowledged, Ordering::SeqCst);
                    self.acknowledge();
                }
                Err(Cut) => {
                    let number = Writer::saved_number(&self.look(APPLICATION).await);
                    assert!((acknowledged..=tried).contains(&number), "{number} of {acknowledged} to {tried}");
                }
            }
        }
    }

    /// Uploads one file after the other in chunks, each after the previous one was removed.
    async fn upload(self) {
        const STEP: usize = 24 * 1024;
        let content = pdf(STEP * 5);
        let metadata = format!("filename {},slot {}", STANDARD.encode("demo.pdf"), STANDARD.encode("identity"));
        while !self.stop.is_cancelled() {
            let tus = |method: Method, path: &str| self.call(method, path).header("tus-resumable", "1.0.0");
            let create = tus(Method::POST, &format!("{DOCUMENTS}/uploads"))
                .header("upload-length", content.len())
                .header("upload-metadata", &metadata);
            // Whatever an interrupted request left behind is removed below.
            let Ok((status, headers, body)) = self.send(create).await else {
                self.look(DOCUMENTS).await;
                self.clear().await;
                continue;
            };
            assert_eq!(status, 201, "{}", String::from_utf8_lossy(&body));
            self.acknowledge();
            let path = headers["location"].to_str().unwrap().to_owned();
            let (mut offset, mut was_cut) = (0, false);
            while offset < content.len() {
                let end = content.len().min(offset + STEP);
                let piece = tus(Method::PATCH, &path)
                    .header("upload-offset", offset)
                    .header("content-type", "application/offset+octet-stream")
                    .body(content[offset..end].to_vec());
                match self.send(piece).await {
                    Ok((StatusCode::NO_CONTENT, headers, _)) => {
                        offset = headers["upload-offset"].to_str().unwrap().parse().unwrap();
                        assert_eq!(offset, end);
                        was_cut = false;
                        self.acknowledge();
                    }
                    outcome => {
                        // A database may complete a request from before the kill only after the next look.
                        if let Ok((status, _, body)) = outcome {
                            assert!(was_cut && status == 409, "{status} {}", String::from_utf8_lossy(&body));
                        }
                        was_cut = true;
                        self.look(DOCUMENTS).await;
                        let Ok((status, headers, _)) = self.send(tus(Method::HEAD, &path)).await else { continue };
                        assert_eq!(status, 200, "an upload that was begun is there");
                        let there: usize = headers["upload-offset"].to_str().unwrap().parse().unwrap();
                        assert!((offset..=content.len()).contains(&there), "{there} after {offset}");
                        offset = there;
                    }
                }
            }
            // Complete: it is there as it was sent.
            let id = loop {
                let slot = self.identity().await;
                let files = slot["files"].as_array().unwrap().clone();
                assert_eq!(files.len(), 1, "{slot}");
                match files[0]["state"].as_str().unwrap() {
                    "received" => break files[0]["id"].as_str().unwrap().to_owned(),
                    "uploading" | "checking" => tokio::time::sleep(Duration::from_millis(30)).await,
                    other => panic!("{other}"),
                }
                if self.stop.is_cancelled() {
                    return;
                }
            };
            let file = format!("{DOCUMENTS}/{id}");
            if let Ok((status, _, body)) = self.send(self.call(Method::GET, &file)).await {
                assert_eq!(status, 200);
                assert!(body == content, "the file is as it was sent");
            }
            self.clear().await;
        }
    }

    async fn identity(&self) -> Value {
        let listed = self.look(DOCUMENTS).await;
        listed["slots"].as_array().unwrap().iter().find(|slot| slot["slot"] == "identity").cloned().unwrap()
    }

    /// Removes every file, and checks that it stays removed.
    async fn clear(&self) {
        for file in self.identity().await["files"].as_array().unwrap() {
            let path = format!("{DOCUMENTS}/{}", file["id"].as_str().unwrap());
            while let Err(Cut) = self.send(self.call(Method::DELETE, &path)).await {
                self.look(DOCUMENTS).await;
            }
            self.acknowledge();
        }
        assert_eq!(self.identity().await["files"], json!([]));
    }

    /// Books a time, checks that it is booked, and cancels it again.
    async fn book(self, number: usize) {
        let declared = json!({ "declaration": true });
        let submit = format!("{APPLICATION}/submit");
        while self.look(APPLICATION).await["stage"] == "draft" {
            if let Ok((status, _, body)) = self.send(self.call(Method::POST, &submit).json(&declared)).await {
                // Or an earlier request that was cut off completed after the look.
                let is_submitted = status == 200 || self.look(APPLICATION).await["stage"] == "submitted";
                assert!(is_submitted, "{status} {}", String::from_utf8_lossy(&body));
            }
        }
        let (mut round, mut was_cut) = (number, false);
        while !self.stop.is_cancelled() {
            let there = self.look(INTERVIEW).await;
            let times = there["times"].as_array().unwrap().clone();
            if there["stage"] == "submitted" {
                assert!(!times.is_empty(), "there are demo times enough");
                round += 7;
                let choice = json!({ "startsAt": times[round % times.len()] });
                let booked = self.send(self.call(Method::POST, &format!("{INTERVIEW}/book")).json(&choice)).await;
                let now = self.look(INTERVIEW).await;
                match booked {
                    Ok((StatusCode::OK, ..)) => {
                        assert_eq!(now["booking"]["startsAt"], choice["startsAt"], "{now}");
                        was_cut = false;
                        self.acknowledge();
                    }
                    // Somebody else was faster, or our own interrupted request completed after the look.
                    Ok((status, _, body)) => {
                        assert_eq!(status, 409, "{}", String::from_utf8_lossy(&body));
                        assert!(was_cut || now["stage"] == "submitted", "{now}");
                        was_cut = false;
                    }
                    Err(Cut) => was_cut = true,
                }
            } else {
                let cancelled =
                    self.send(self.call(Method::POST, &format!("{INTERVIEW}/cancel")).json(&json!({}))).await;
                match cancelled {
                    Ok((status, _, body)) => {
                        assert!(status == 200 || was_cut, "{status} {}", String::from_utf8_lossy(&body));
                        assert_eq!(self.look(INTERVIEW).await["stage"], "submitted");
                        was_cut = false;
                        self.acknowledge();
                    }
                    Err(Cut) => was_cut = true,
                }
            }
        }
    }
}

story! {
    async fn whatever_was_acknowledged_is_there_after_fifty_kills(database: Database) {
        let folder = TempDir::new().unwrap();
        let port = free_port();
        let program = Program { folder, database: database.url.clone(), port, more: Vec::new() };
        let seeded = program.run(&["seed", "--demo"]).status;
        assert!(seeded.success());

        let mut server = Running(program.start());
        let (stop, acknowledged) = (CancellationToken::new(), Arc::new(AtomicU64::new(0)));
        let mut writers = Vec::new();
        for number in 0..8 {
            let writer = Writer::register(&program, number, &stop, &acknowledged).await;
            writers.push(writer.start(number));
        }
        // Different moments in each story, the same ones in every run.
        static STORY: AtomicUsize = AtomicUsize::new(1);
        let mut chance = 0x9e37_79b9_u32.wrapping_mul(STORY.fetch_add(1, Ordering::Relaxed) as u32);
        for kill in 0..KILLS {
            chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // After some writes and a moment, however slow the machine is.
            let enough = acknowledged.load(Ordering::Relaxed) + 4 + u64::from(chance >> 28);
            let patience = Instant::now();
            while acknowledged.load(Ordering::Relaxed) < enough && writers.iter().all(|writer| !writer.is_finished()) {
                assert!(patience.elapsed() < Duration::from_secs(60), "nobody writes any more after kill {kill}");
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            tokio::time::sleep(Duration::from_millis(u64::from(chance >> 16 & 15))).await;
            assert!(writers.iter().all(|writer| !writer.is_finished()), "a writer missed something after kill {kill}");
            server.kill();
            server = Running(program.start());
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        stop.cancel();
        for writer in writers {
            writer.await.unwrap();
        }
        server.kill();
    }
}

/// Kills while mails go out.
const MAIL_KILLS: usize = 20;
/// Mails waiting before each kill.
const MAILS: usize = 6;

story! {
    async fn a_kill_sends_at_most_one_mail_again(database: Database) {
        let sink = Sink::start().await;
        let folder = TempDir::new().unwrap();
        let more = vec![("SMTP_URL", sink.url.clone())];
        let program = Program { folder, database: database.url.clone(), port: free_port(), more };
        let mut server = Running(program.start());
        for kill in 0..MAIL_KILLS {
            for mail in 0..MAILS {
                let id = format!("demo-{kill}-{mail}");
                let insert = format!(
                    "INSERT INTO outbox (id, template, recipient, subject, body_text, body_html, state, attempts, \
                     due_at, created_at) VALUES ('{id}', 'demo', 'demo@example.com', 'Demo', 'Demo', '<p>Demo</p>', \
                     'waiting', 0, 0, 0)"
                );
                database.run(&insert).await.unwrap();
            }
            // In the middle of a mail: it was accepted, and is perhaps not marked.
            for _ in 0..=kill % 3 {
                tokio::time::timeout(Duration::from_secs(30), sink.arrival()).await.expect("mails go out");
            }
            tokio::time::sleep(Duration::from_millis(kill as u64 * 7 % 33)).await;
            server.kill();
            // As if the claims of the dead process had expired.
            database.run("UPDATE outbox SET due_at = 0 WHERE state = 'waiting'").await.unwrap();
            server = Running(program.start());
        }
        let patience = Instant::now();
        while database.count("outbox WHERE state = 'waiting'").await > 0 {
            assert!(patience.elapsed() < Duration::from_secs(60), "mails are left behind");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        server.kill();

        let mut times: HashMap<String, usize> = HashMap::new();
        for mail in sink.received() {
            *times.entry(mail.header("Message-ID").to_owned()).or_default() += 1;
        }
        assert_eq!(times.len(), MAIL_KILLS * MAILS, "every mail was sent");
        let again: usize = times.values().map(|times| times - 1).sum();
        println!("{again} mails sent again by {MAIL_KILLS} kills");
        assert!(again <= MAIL_KILLS, "{again} mails were sent again by {MAIL_KILLS} kills");
    }
}
