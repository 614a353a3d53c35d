//! The Rust side of `make bench`: what the product is measured against, and the client that measures both.
//! `bench/run.mjs` calls it; every command writes JSON to standard output.

mod fill;
mod load;
mod render;
mod save;
mod upload;

use std::error::Error;
use std::fs;
use std::io::{Write, stdin, stdout};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderName, HeaderValue};
use axum::routing::get;
use bytes::Bytes;
use clap::{Parser, Subcommand};
use serde::Serialize;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the script that renders pages, as it is embedded in this build.
    Bundle,
    /// Render pages (standard input: a JSON list of them, as text) in one isolate, without any HTTP.
    Render {
        #[arg(long)]
        seconds: f64,
    },
    /// Answer `GET /` with a file's bytes from memory: the least that axum can do.
    Static {
        #[arg(long)]
        bind: SocketAddr,
        #[arg(long)]
        file: PathBuf,
        /// NAME:VALUE
        #[arg(long = "header")]
        headers: Vec<String>,
    },
    /// Send requests (standard input: a `load::Plan`) until the time is over.
    Load,
    /// Send files of 25 MB (standard input: an `upload::Plan`) until the time is over.
    Upload,
    /// Answer `PATCH /` when its body is written to a file and flushed: the least that axum can do with an upload.
    Receive {
        #[arg(long)]
        bind: SocketAddr,
        #[arg(long)]
        file: PathBuf,
    },
    /// Fill a migrated database with submitted applications.
    Fill {
        /// sqlite:FILE or postgres://…
        #[arg(long)]
        url: String,
        #[arg(long)]
        applications: i64,
    },
    /// Save applications by the bare statement until the time is over.
    Save {
        /// sqlite:FILE or postgres://…, with applications in it
        #[arg(long)]
        url: String,
        /// Applications that are saved at the same time
        #[arg(long)]
        clients: i64,
        #[arg(long)]
        seconds: f64,
    },
}

/// The result of one round.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Round {
    pub done: usize,
    pub seconds: f64,
    /// Milliseconds.
    pub p50: f64,
    pub p99: f64,
}

impl Round {
    pub fn new(mut latencies: Vec<Duration>, took: Duration) -> Round {
        latencies.sort_unstable();
        let at = |share: f64| {
            let index = (latencies.len() as f64 * share) as usize;
            latencies.get(index).or(latencies.last()).map_or(0.0, |latency| latency.as_secs_f64() * 1e3)
        };
        Round { done: latencies.len(), seconds: took.as_secs_f64(), p50: at(0.5), p99: at(0.99) }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    match Cli::parse().command {
        Command::Bundle => stdout().write_all(matricula::pages::assets::ssr_bundles()[0].as_bytes())?,
        Command::Render { seconds } => {
            matricula::render::init_engine();
            let pages: Vec<String> = serde_json::from_reader(stdin())?;
            tell(&many_threads()?.block_on(render::run(pages, seconds))?)?;
        }
        Command::Static { bind, file, headers } => {
            let headers = headers.iter().map(|header| parse_header(header)).collect::<Result<Vec<_>, _>>()?;
            many_threads()?.block_on(serve_bytes(bind, fs::read(file)?.into(), headers))?;
        }
        Command::Load => {
            let plan: load::Plan = serde_json::from_reader(stdin())?;
            // A single thread: what the client takes from the server's cores is then the same in every measurement.
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            tell(&runtime.block_on(load::run(plan))?)?;
        }
        Command::Upload => {
            let plan: upload::Plan = serde_json::from_reader(stdin())?;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            tell(&runtime.block_on(upload::run(plan))?)?;
        }
        Command::Receive { bind, file } => many_threads()?.block_on(upload::receive(bind, file))?,
        Command::Fill { url, applications } => tell(&many_threads()?.block_on(fill::run(&url, applications))?)?,
        Command::Save { url, clients, seconds } => {
            tell(&many_threads()?.block_on(save::run(&url, clients, seconds))?)?;
        }
    }
    Ok(())
}

fn many_threads() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}

fn tell(result: &impl Serialize) -> Result<(), Box<dyn Error>> {
    let mut out = stdout();
    serde_json::to_writer(&mut out, result)?;
    Ok(out.write_all(b"\n")?)
}

fn parse_header(text: &str) -> Result<(HeaderName, HeaderValue), Box<dyn Error>> {
    let (name, value) = text.split_once(':').ok_or("a header is NAME:VALUE")?;
    Ok((name.parse()?, value.trim().parse()?))
}

async fn serve_bytes(
    bind: SocketAddr,
    bytes: Bytes,
    headers: Vec<(HeaderName, HeaderValue)>,
) -> Result<(), Box<dyn Error>> {
    let answer = move || {
        let (headers, bytes) = (headers.clone(), bytes.clone());
        async move { (axum::http::HeaderMap::from_iter(headers), bytes) }
    };
    let listener = tokio::net::TcpListener::bind(bind).await?;
    Ok(axum::serve(listener, Router::new().route("/", get(answer))).await?)
}
