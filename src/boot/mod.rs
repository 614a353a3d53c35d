//! The only wiring: which adapter stands behind which port, and which router answers which path.

mod doctor;
mod log;
mod secret;

use std::error::Error as _;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::middleware;
use axum::response::Response;
use axum::routing::get;
use futures::FutureExt;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::app::{self, App, Settings};
use crate::auth::{Argon2Hasher, JwtTokens, SystemClock, SystemRandom};
use crate::config::Config;
use crate::http::health::{self, Probes};
use crate::http::wire::{self, CookieSettings, TrustedProxies};
use crate::http::{self, ApiState};
use crate::jobs::Worker;
use crate::mail::{Mailer, MailerError};
use crate::pages::{self, PagesParts, PagesState, assets};
use crate::render::{RenderOptions, Renderer, StartError};
use crate::store::{Db, Options, SetupError};

pub use doctor::doctor;

/// Why the program cannot run.
#[derive(Debug, thiserror::Error)]
pub enum BootError {
    #[error("the data folder {0} cannot be written")]
    DataDir(PathBuf, #[source] io::Error),
    #[error("the signing secret cannot be read or kept")]
    Secret(#[source] io::Error),
    #[error("MATRICULA_SECRET is shorter than 32 characters")]
    ShortSecret,
    #[error("MATRICULA_TRUSTED_PROXIES: {0}")]
    TrustedProxies(String),
    #[error(transparent)]
    Store(#[from] SetupError),
    #[error("mail cannot be set up")]
    Mail(#[from] MailerError),
    #[error("pages cannot be rendered")]
    Render(#[from] StartError),
    #[error("the bundles cannot be read from MATRICULA_DEV_ASSETS")]
    DevAssets(#[source] assets::BuildError),
    #[error("cannot listen on {0}; is another program there? MATRICULA_BIND chooses another port")]
    Bind(SocketAddr, #[source] io::Error),
    #[error("MATRICULA_LOG: {0}")]
    Log(String),
    #[error("the thread that writes the log could not be started")]
    LogThread(#[source] io::Error),
    #[error("the server stopped")]
    Serve(#[source] io::Error),
    #[error("standard input cannot be read")]
    Input(#[source] io::Error),
    #[error("{}", .0.sentence())]
    Refused(#[from] app::Error),
}

/// The error and its causes, in one line.
pub fn explain(error: &BootError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let told = error.to_string();
        if !text.contains(&told) {
            text.push_str(": ");
            text.push_str(&told);
        }
        cause = error.source();
    }
    text
}

/// The database, at this program's version.
pub async fn open_store(config: &Config) -> Result<Db, BootError> {
    secret::make_folder(&config.data_dir).map_err(|error| BootError::DataDir(config.data_dir.clone(), error))?;
    let db = Db::connect(&config.database_url(), &Options::default()).await?;
    db.migrate().await?;
    Ok(db)
}

/// The use cases, for a command that serves nothing.
pub async fn open_app(config: &Config) -> Result<App, BootError> {
    let db = open_store(config).await?;
    app(config, db)
}

fn app(config: &Config, db: Db) -> Result<App, BootError> {
    Ok(App {
        store: Arc::new(db),
        passwords: Arc::new(Argon2Hasher::default()),
        tokens: Arc::new(JwtTokens::new(&secret::load(config)?)),
        clock: Arc::new(SystemClock),
        random: Arc::new(SystemRandom),
        settings: Arc::new(settings(config)),
        recent_saves: Arc::default(),
    })
}

/// What the use cases need to know of the configuration.
pub fn settings(config: &Config) -> Settings {
    Settings {
        institute: config.institute.clone(),
        contact_email: config.contact_email.clone(),
        public_url: config.public_url(),
        registrations_per_hour: config.registrations_per_hour,
        time_zone: config.time_zone.clone(),
        development: config.development,
    }
}

/// Everything that answers requests: API, documents, files, probes.
pub fn router(pages: PagesState) -> Router {
    let PagesParts { app, renderer, cookies, trusted_proxies, .. } = &*pages;
    let (app, renderer, cookies) = (app.clone(), renderer.clone(), *cookies);
    let api = ApiState::new(app.clone(), cookies, trusted_proxies.clone());
    let security_headers: Arc<[_]> = pages::security_headers(cookies.secure).into();
    Router::new()
        .merge(http::router(api))
        .merge(health::router(probes(app, renderer)))
        .route("/assets/{name}", get(assets::serve))
        .merge(pages::router(pages).layer(CatchPanicLayer::custom(pages::panicked)))
        .layer(CompressionLayer::new().quality(CompressionLevel::Precise(4)))
        .layer(middleware::map_response(move |mut response: Response| {
            for (name, value) in security_headers.iter() {
                response.headers_mut().entry(name).or_insert_with(|| value.clone());
            }
            std::future::ready(response)
        }))
        .layer(middleware::from_fn(wire::track))
}

fn probes(app: App, renderer: Renderer) -> Probes {
    let metrics = metrics_handle();
    let store = app.store.clone();
    let warm_up = pages::warm_up(&app.settings);
    let isolates = renderer.clone();
    Probes {
        checks: vec![
            (
                "database",
                Arc::new(move || {
                    let store = store.clone();
                    async move { store.ping().await.is_ok() }.boxed()
                }),
            ),
            (
                "isolates",
                Arc::new(move || {
                    let (isolates, page) = (isolates.clone(), warm_up.clone());
                    async move { isolates.render(page).await.is_ok() }.boxed()
                }),
            ),
        ],
        metrics: Arc::new(move || {
            let store = app.store.clone();
            async move {
                if let Ok((waiting, failed)) = store.mail_counts().await {
                    metrics::gauge!("outbox_waiting").set(waiting as f64);
                    metrics::gauge!("outbox_failed").set(failed as f64);
                }
                metrics.render()
            }
            .boxed()
        }),
    }
}

/// Seconds: from a cached page to the slowest password.
const BUCKETS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];
/// How often measurements are put into their buckets while nobody asks for them.
const UPKEEP: Duration = Duration::from_secs(5);

/// The one recorder of this process.
fn metrics_handle() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let durations = Matcher::Suffix("_seconds".into());
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(durations, &BUCKETS)
            .expect("BUCKETS is not empty, which is all that is asked")
            .build_recorder();
        let handle = recorder.handle();
        // Another recorder means that this is a test of someone else's wiring: ours then counts nothing.
        let _ = metrics::set_global_recorder(recorder);
        handle
    })
}

/// How long requests under way may take after the signal to stop.
const GRACE: Duration = Duration::from_secs(20);

/// Serves until SIGINT or SIGTERM, then finishes what was accepted.
pub async fn serve(config: &Config) -> Result<(), BootError> {
    let _flushed_at_the_end = log::start(config)?;
    let trusted_proxies = Arc::new(TrustedProxies::parse(&config.trusted_proxies).map_err(BootError::TrustedProxies)?);
    let mailer = Mailer::new(config.smtp_url.as_ref().map(|url| url.reveal()), &config.mail_from)?;
    let db = open_store(config).await?;
    let app = app(config, db.clone())?;
    let metrics = metrics_handle();
    let renderer = start_renderer(config, &app.settings)?;
    let cookies = CookieSettings { secure: config.https() };
    let pages = PagesState::new(app.clone(), renderer.clone(), cookies, trusted_proxies);
    let mut router = router(pages.clone());

    let stop = CancellationToken::new();
    if let Some(folder) = &config.dev_assets {
        router = router.merge(pages::dev::router(folder.clone(), renderer.clone(), stop.clone()));
    }
    let worker = Worker { store: app.store.clone(), clock: app.clock.clone(), mailer, mail_written: db.mail_written() };
    let worker = tokio::spawn(worker.run(stop.clone()));
    tokio::spawn(stop.clone().run_until_cancelled_owned(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            metrics.run_upkeep();
        }
    }));

    let listener = TcpListener::bind(config.bind).await.map_err(|error| BootError::Bind(config.bind, error))?;
    announce(config, &app).await;
    tokio::spawn(async move { pages::prepare(&pages).await });

    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let asked_to_stop = stop.clone();
    let mut server = tokio::spawn(async move {
        axum::serve(listener, service).with_graceful_shutdown(asked_to_stop.cancelled_owned()).await
    });
    let result = tokio::select! {
        () = signal() => {
            tracing::info!("stopping: finishing what was accepted");
            stop.cancel();
            // Someone who keeps a connection open must not keep the process.
            match tokio::time::timeout(GRACE, &mut server).await {
                Ok(finished) => finished,
                Err(_) => {
                    server.abort();
                    Ok(Ok(()))
                }
            }
        }
        finished = &mut server => finished,
    };
    stop.cancel();
    // A worker that panicked has nothing left to finish.
    let _ = tokio::time::timeout(GRACE, worker).await;
    renderer.stop().await;
    db.close().await;
    match result {
        Ok(served) => served.map_err(BootError::Serve),
        Err(panicked) => Err(BootError::Serve(io::Error::other(panicked))),
    }
}

fn start_renderer(config: &Config, settings: &Settings) -> Result<Renderer, BootError> {
    let mut options = match &config.dev_assets {
        Some(folder) => {
            let bundle = assets::load_from(folder).map_err(BootError::DevAssets)?;
            RenderOptions::new(bundle, pages::warm_up(settings))
        }
        None => RenderOptions::new(assets::ssr_bundle(), pages::warm_up(settings)),
    };
    if let Some(isolates) = config.isolates {
        options.isolates = isolates.max(1);
        options.queue = 64 * options.isolates;
    }
    options.allow_faults = config.development;
    Ok(Renderer::start(options)?)
}

/// The first words of a run, for whoever started it.
async fn announce(config: &Config, app: &App) {
    use std::io::Write;
    let mut words = format!("Matricula is at {}\n", config.public_url());
    if config.development {
        words.push_str(&format!("Mails of this development run: {}/mailbox\n", config.public_url()));
    }
    if matches!(app.store.staff_count().await, Ok(0)) {
        words.push_str("No staff account yet. Create the first one: matricula admin create --email YOU@EXAMPLE.ORG\n");
    }
    // Nobody reading is no reason not to serve.
    let _ = io::stdout().write_all(words.as_bytes());
}

async fn signal() {
    let interrupted = async {
        // Without the handler the signal ends the process by itself.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut terminated) => {
                terminated.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}
