//! A mail server that keeps what it receives and answers as told.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// A message that the server has accepted.
#[derive(Debug, Clone)]
pub struct Received {
    pub from: String,
    pub to: Vec<String>,
    /// Headers and body as received.
    pub data: String,
}

impl Received {
    /// The value of the header `name`.
    pub fn header(&self, name: &str) -> &str {
        let prefix = format!("{name}: ");
        self.data.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap_or_default()
    }

    /// The part of the message with this media type, as received.
    pub fn part(&self, media_type: &str) -> &str {
        let at = self.data.find(&format!("Content-Type: {media_type}")).expect("the message has the part");
        let part = &self.data[at..];
        let body = part.find("\r\n\r\n").expect("headers end") + 4;
        let end = part[body..].find("\r\n--").expect("a part ends with its boundary");
        &part[body..body + end]
    }
}

/// The server. It ends on drop.
pub struct Sink {
    /// The value of `SMTP_URL` for the product.
    pub url: String,
    state: Arc<State>,
    task: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct State {
    received: Mutex<Vec<Received>>,
    /// Answers to the next messages, which are then not accepted.
    refusals: Mutex<VecDeque<&'static str>>,
    /// Delay before answering each message.
    pause: Mutex<Duration>,
    /// Signals that a message has arrived, before it is answered.
    arrived: Notify,
}

impl Sink {
    pub async fn start() -> Sink {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("smtp://{}", listener.local_addr().expect("it is bound"));
        let state = Arc::new(State::default());
        let serving = state.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = serving.clone();
                tokio::spawn(async move { converse(stream, &state).await });
            }
        });
        Sink { url, state, task }
    }

    /// Answers the next messages with these instead of accepting them.
    pub fn refuse(&self, answers: &[&'static str]) {
        self.state.refusals.lock().unwrap().extend(answers);
    }

    /// Delays its answer to each message by this long from now on.
    pub fn think(&self, pause: Duration) {
        *self.state.pause.lock().unwrap() = pause;
    }

    /// Waits until a message has arrived, answered or not.
    pub async fn arrival(&self) {
        self.state.arrived.notified().await;
    }

    pub fn received(&self) -> Vec<Received> {
        self.state.received.lock().unwrap().clone()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// As much of RFC 5321 as a well-behaved client needs.
async fn converse(stream: TcpStream, state: &State) -> Option<()> {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader);
    let (mut from, mut to) = (String::new(), Vec::new());
    writer.write_all(b"220 sink\r\n").await.ok()?;
    loop {
        let line = read_line(&mut lines).await?;
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let answer = match verb.as_str() {
            "EHLO" => "250-sink\r\n250 8BITMIME",
            "MAIL" => {
                from = address(&line);
                "250 ok"
            }
            "RCPT" => {
                to.push(address(&line));
                "250 ok"
            }
            "DATA" => {
                writer.write_all(b"354 go ahead\r\n").await.ok()?;
                let mut data = String::new();
                loop {
                    let line = read_line(&mut lines).await?;
                    if line == "." {
                        break;
                    }
                    data.push_str(line.strip_prefix('.').unwrap_or(&line));
                    data.push_str("\r\n");
                }
                state.arrived.notify_one();
                let pause = *state.pause.lock().unwrap();
                tokio::time::sleep(pause).await;
                let refusal = state.refusals.lock().unwrap().pop_front();
                let message = Received { from: std::mem::take(&mut from), to: std::mem::take(&mut to), data };
                match refusal {
                    Some(refusal) => refusal,
                    None => {
                        state.received.lock().unwrap().push(message);
                        "250 taken over"
                    }
                }
            }
            "RSET" | "NOOP" => "250 ok",
            "QUIT" => {
                writer.write_all(b"221 bye\r\n").await.ok()?;
                return Some(());
            }
            _ => "502 not implemented",
        };
        writer.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
    }
}

async fn read_line(lines: &mut BufReader<tokio::net::tcp::OwnedReadHalf>) -> Option<String> {
    let mut line = String::new();
    if lines.read_line(&mut line).await.ok()? == 0 {
        return None;
    }
    Some(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn address(line: &str) -> String {
    line.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map_or("", |(address, _)| address).to_owned()
}
