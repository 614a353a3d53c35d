//! All of the wiring: which adapter is behind which port, and which router answers which path.

mod decide;
mod doctor;
mod log;
mod pace;
mod secret;
mod serve;
mod storage;
mod tls;
mod transfer;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::http::{Extensions, HeaderMap, StatusCode, Version, header};
use axum::middleware;
use axum::routing::get;
use futures::FutureExt;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use crate::config::Config;
use app::ports::{PasskeyProtocol, PaymentProvider};
use app::{App, Ports, Settings};
use auth::{Argon2Hasher, JwtTokens, Sealer, SystemClock, SystemRandom, Totp, WebAuthn};
use backup::BackupError;
use documents::{Clamd, Inspector, ObjectStorage, OpenError, Tables};
use domain::moments::{MINUTE, Millis};
use jobs::{JobWorker, OutboxWorker, WebhookWorker};
use mail::{Mailer, MailerError};
use matricula_http::ApiState;
use matricula_http::health::{self, Probes};
use outbound::Outbound;
use pages::{PagesParts, PagesState, assets};
use payments::{BadKey, Stripe, StripeKeys};
use pdf::Krilla;
use render::{Origin, RenderOptions, Renderer, StartError};
use sign_on::OpenIdConnect;
use store::{Db, Options, SetupError, StoreError};
use telemetry::CannotSend;
use webhooks::Sender;
use wire::{CookieSettings, TrustedProxies};

pub use decide::decide;
pub use doctor::doctor;
pub use secret::{SecretStanding, Secrets, rotate_secret};
pub use serve::{Patience, Stopping, serve as serve_connections};
pub use storage::storage;
pub use transfer::{backup, copy, restore, verify};

/// Why the program cannot run.
#[derive(Debug, thiserror::Error)]
pub enum BootError {
    #[error("the data folder {0} cannot be written")]
    DataDir(PathBuf, #[source] io::Error),
    #[error("the signing secret cannot be read or kept")]
    Secret(#[source] io::Error),
    #[error("MATRICULA_SECRET is shorter than 32 characters")]
    ShortSecret,
    #[error(transparent)]
    Outbound(#[from] outbound::SetupError),
    #[error("MATRICULA_TRUSTED_PROXIES: {0}")]
    TrustedProxies(String),
    #[error(transparent)]
    Store(#[from] SetupError),
    #[error(transparent)]
    Statement(#[from] StoreError),
    #[error(transparent)]
    Storage(#[from] OpenError),
    #[error("CLAMD_URL: {0}")]
    Clamd(&'static str),
    #[error("payments by card cannot be set up")]
    Payments(#[from] BadKey),
    #[error("mail cannot be set up")]
    Mail(#[from] MailerError),
    #[error("pages cannot be rendered")]
    Render(#[from] StartError),
    #[error("the bundles cannot be read from MATRICULA_DEV_ASSETS")]
    DevAssets(#[source] assets::BuildError),
    #[error("traces cannot be sent")]
    Traces(#[from] CannotSend),
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
    #[error(transparent)]
    Backup(#[from] BackupError),
    #[error("{}", .0.sentence())]
    Refused(#[from] app::Error),
}

/// Returns the error and its causes, in one line.
pub fn explain(error: &BootError) -> String {
    telemetry::with_causes(error)
}

/// Opens the database, and brings it to this program's version.
pub async fn open_store(config: &Config) -> Result<Db, BootError> {
    secret::make_folder(&config.data_dir).map_err(|error| BootError::DataDir(config.data_dir.clone(), error))?;
    let db = Db::connect(&config.database_url(), &Options::default()).await?;
    db.migrate().await?;
    Ok(db)
}

/// See [`secret::accept`].
pub async fn accept_secret(config: &Config) -> Result<bool, BootError> {
    let db = open_store(config).await?;
    secret::accept(&db, &secret::load(config)?).await
}

/// Builds the use cases, for a command that serves nothing.
pub async fn open_app(config: &Config) -> Result<App, BootError> {
    let db = open_store(config).await?;
    app(config, db, secret::load(config)?)
}

fn app(config: &Config, db: Db, secrets: Secrets) -> Result<App, BootError> {
    let Secrets { current: secret, previous } = secrets;
    let tokens = JwtTokens::new(&secret);
    let ports = Ports {
        store: db,
        storage: Arc::new(ObjectStorage::open(&config.storage_url())?),
        inspector: Arc::new(Inspector::new(clamd(config)?)),
        tables: Arc::new(Tables),
        passwords: Arc::new(Argon2Hasher::default()),
        tokens: Arc::new(match previous {
            Some(previous) => tokens.with_previous(&previous),
            None => tokens,
        }),
        codes: Arc::new(Totp::new(&secret)),
        passkeys: passkeys(config),
        sealing: Arc::new(Sealer::new(&secret)),
        clock: Arc::new(clock(config)),
        random: Arc::new(SystemRandom),
        pdf: Arc::new(Krilla),
        sign_on: Arc::new(OpenIdConnect::new(Outbound::new(&config.private_networks)?)),
        cards: stripe(config)?.map(|stripe| Arc::new(stripe) as Arc<dyn PaymentProvider>),
    };
    Ok(App::new(ports, settings(config)))
}

fn clock(config: &Config) -> SystemClock {
    SystemClock { ahead: config.clock_ahead.unwrap_or(0).saturating_mul(MINUTE) }
}

/// Returns the virus scanner, if one is configured.
fn clamd(config: &Config) -> Result<Option<Clamd>, BootError> {
    let address = config.clamd_url.as_deref().map(str::parse).transpose().map_err(BootError::Clamd)?;
    Ok(address.map(Clamd::new))
}

/// Returns the provider of card payments, if one is configured.
fn stripe(config: &Config) -> Result<Option<Stripe>, BadKey> {
    let Some(secret) = &config.stripe_secret_key else { return Ok(None) };
    let webhook = config.stripe_webhook_secret.as_ref().map(|secret| secret.reveal().to_owned());
    let keys = StripeKeys {
        secret: secret.reveal().to_owned(),
        webhook: webhook.unwrap_or_default(),
        api_url: config.stripe_api_url.clone(),
        checkout_origin: config.stripe_checkout_origin.clone(),
    };
    Stripe::new(keys).map(Some)
}

fn passkeys(config: &Config) -> Option<Arc<dyn PasskeyProtocol>> {
    let webauthn = WebAuthn::at(&config.public_url(), &config.institute)?;
    Some(Arc::new(webauthn))
}

/// Returns the part of the configuration that the use cases need.
pub fn settings(config: &Config) -> Settings {
    Settings {
        institute: config.institute.clone(),
        contact_email: config.contact_email.clone(),
        public_url: config.public_url(),
        registrations_per_hour: config.registrations_per_hour,
        time_zone: config.time_zone.clone(),
        anchors_to: config.anchors_to.clone(),
        calls_without_tls: !config.private_networks.trim().is_empty(),
        development: config.development,
    }
}

/// Builds the router for all requests: API, documents, files, and `probes` unless they have their own address.
pub fn router(pages: PagesState, probes: Router) -> Router {
    let PagesParts { app, cookies, trusted_proxies, .. } = &*pages;
    let api = ApiState::new(app.clone(), *cookies, trusted_proxies.clone());
    let security_headers: Arc<[_]> = pages::security_headers(cookies.secure).into();
    Router::new()
        .merge(matricula_http::router(api))
        .merge(probes)
        .route("/assets/{name}", get(assets::serve))
        .merge(pages::router(pages).layer(CatchPanicLayer::custom(pages::panicked)))
        .layer(CompressionLayer::new().quality(CompressionLevel::Precise(4)).compress_when(worth_compressing()))
        .layer(middleware::from_fn_with_state(security_headers, wire::track))
}

/// Excludes archives and downloads: they are already compressed, and ranges refer to the bytes of the file itself.
fn worth_compressing() -> impl Predicate {
    let shown = |_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions| {
        !headers.contains_key(header::CONTENT_DISPOSITION)
    };
    DefaultPredicate::new().and(NotForContentType::const_new("application/zip")).and(shown)
}

/// Builds the endpoints for operators: probes and metrics. They report "not ready" once `draining` is cancelled.
pub fn probes(pages: &PagesState, store: Db, draining: CancellationToken) -> Router {
    let (app, renderer) = (pages.app.clone(), pages.renderer.clone());
    let metrics = metrics_handle();
    let pinged = store.clone();
    let warm_up = pages::warm_up(&app.settings);
    health::router(Probes {
        checks: vec![
            (
                "database",
                Arc::new(move || {
                    let store = pinged.clone();
                    async move { store.ping().await.is_ok() }.boxed()
                }),
            ),
            (
                "isolates",
                Arc::new(move || {
                    let (isolates, page) = (renderer.clone(), warm_up.clone());
                    async move { isolates.render(Origin::default(), 0, page).await.is_ok() }.boxed()
                }),
            ),
        ],
        draining,
        metrics: Arc::new(move || {
            let (store, clock) = (store.clone(), app.clock.clone());
            async move {
                if let Ok((waiting, failed)) = store.mail_counts().await {
                    metrics::gauge!("outbox_waiting").set(waiting as f64);
                    metrics::gauge!("outbox_failed").set(failed as f64);
                }
                if let Ok((waiting, parked)) = store.job_counts().await {
                    metrics::gauge!("jobs_waiting").set(waiting as f64);
                    metrics::gauge!("jobs_parked").set(parked as f64);
                }
                if let Ok((waiting, failed)) = store.webhook_counts().await {
                    metrics::gauge!("webhooks_waiting").set(waiting as f64);
                    metrics::gauge!("webhooks_failed").set(failed as f64);
                }
                if let Ok(sweep) = store.sweep_figures().await {
                    let stopped = [("not-ours", sweep.is_strange), ("too-many", sweep.is_stopped)];
                    for (why, is_stopped) in stopped {
                        metrics::gauge!("storage_sweep_stopped", "why" => why).set(u8::from(is_stopped));
                    }
                    metrics::gauge!("storage_unnamed", "state" => "quarantined").set(sweep.waiting as f64);
                    metrics::gauge!("storage_unnamed", "state" => "kept").set(sweep.kept as f64);
                }
                let now = clock.now();
                if let Ok((mail, job)) = store.due_since(now).await {
                    let seconds = |since: Option<Millis>| since.map_or(0, |since| now - since) as f64 / 1000.0;
                    metrics::gauge!("outbox_oldest_due_age").set(seconds(mail));
                    metrics::gauge!("jobs_oldest_due_age").set(seconds(job));
                }
                for (pool, open, idle) in store.connections() {
                    metrics::gauge!("database_connections", "pool" => pool, "state" => "used")
                        .set(open.saturating_sub(idle));
                    metrics::gauge!("database_connections", "pool" => pool, "state" => "idle").set(idle);
                }
                metrics_process::Collector::default().collect();
                metrics::gauge!("build_info", "version" => env!("CARGO_PKG_VERSION"), "engine" => ENGINE).set(1);
                metrics.render()
            }
            .boxed()
        }),
    })
}

/// Histogram buckets in seconds: from a cached page to a request that waits for a lock.
const BUCKETS: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// The engine that renders pages.
const ENGINE: &str = if cfg!(feature = "v8") { "v8" } else { "quickjs" };
/// How often measurements are put into their buckets while nobody scrapes them.
const UPKEEP: Duration = Duration::from_secs(5);

/// Returns the only metrics recorder of this process.
fn metrics_handle() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let durations = Matcher::Suffix("_seconds".into());
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(durations, &BUCKETS)
            .expect("BUCKETS is not empty, which is all that is asked")
            .build_recorder();
        let handle = recorder.handle();
        // If there is another recorder, this is a test with other wiring: ours then counts nothing.
        let _ = metrics::set_global_recorder(recorder);
        handle
    })
}

/// How long startup waits for the check of the database's file; a large file is checked while requests are served.
const LOOK_THROUGH: Duration = Duration::from_secs(2);

/// How long requests in progress may take after the signal to stop.
const GRACE: Duration = Duration::from_secs(20);

/// Serves until SIGINT or SIGTERM, then finishes what was accepted.
pub async fn serve(config: &Config) -> Result<(), BootError> {
    let _flushed_at_the_end = log::start(config)?;
    // Before anything is counted.
    let metrics = metrics_handle();
    let traces = config.otlp_endpoint.as_deref().map(telemetry::start).transpose()?;
    let trusted_proxies = Arc::new(TrustedProxies::parse(&config.trusted_proxies).map_err(BootError::TrustedProxies)?);
    let mailer = Mailer::new(config.smtp_url.as_ref().map(|url| url.reveal()), &config.mail_from)?;
    for variable in tls::not_required_by(config) {
        tracing::warn!(variable, "a service on another machine is spoken to without requiring TLS");
    }
    let db = open_store(config).await?;
    let secrets = secret::load(config)?;
    match rotate_secret(&db, &secrets).await? {
        SecretStanding::Same => {}
        SecretStanding::Changed { kept, lost } => {
            tracing::info!(kept, lost, "second factors and waiting mails are sealed with the new secret now");
        }
        SecretStanding::Unknown => tracing::warn!("{}", secret::UNKNOWN),
    }
    let app = app(config, db.clone(), secrets)?;
    app.seed_questions().await?;
    let renderer = start_renderer(config, &app.settings)?;
    let cookies = CookieSettings { secure: config.https() };
    let pages = PagesState::new(app.clone(), renderer.clone(), cookies, trusted_proxies);
    let stopping = Stopping::default();
    let probes = probes(&pages, db.clone(), stopping.drain.clone());
    let (probes_here, probes_apart) = match config.probes_bind {
        Some(address) => (Router::new(), Some((address, probes))),
        None => (probes, None),
    };
    let mut router = router(pages.clone(), probes_here);
    let stop = stopping.stop.clone();
    if let Some(folder) = &config.dev_assets {
        router = router.merge(pages::dev::router(folder.clone(), renderer.clone(), stop.clone()));
    }
    let sender = Sender::new(Outbound::new(&config.private_networks)?);
    let (clock, sealing) = (app.clock.clone(), app.sealing.clone());
    let outbox = OutboxWorker { store: db.clone(), clock, sealing, mailer, mail_written: db.mail_written() };
    let workers = [
        tokio::spawn(outbox.run(stop.clone())),
        tokio::spawn(JobWorker { app: app.clone(), store: db.clone() }.run(stop.clone())),
        tokio::spawn(WebhookWorker { app: app.clone(), store: db.clone(), sender }.run(stop.clone())),
    ];
    tokio::spawn(stop.clone().run_until_cancelled_owned(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            metrics.run_upkeep();
        }
    }));

    let checked = db.clone();
    let look_through = tokio::spawn(stop.clone().run_until_cancelled_owned(async move {
        match checked.damage(false).await {
            Ok(damage) if damage.is_empty() => {}
            Ok(damage) => tracing::error!(?damage, "the database is damaged: see matricula doctor"),
            Err(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "the database could not be checked");
            }
        }
    }));
    let _ = tokio::time::timeout(LOOK_THROUGH, look_through).await;

    let held = app.clone();
    // Not only at the hourly job: whoever started this with another storage, or with a copy of the database, is told at
    // once.
    tokio::spawn(stop.clone().run_until_cancelled_owned(async move {
        if let Err(error) = held.hold_storage().await {
            tracing::warn!(error = &error as &dyn std::error::Error, "whose the storage is could not be told");
        }
    }));

    let unlisted = app.clone();
    // In the background: there is something to do only after an upgrade, and then nobody should wait for all of it.
    tokio::spawn(stop.clone().run_until_cancelled_owned(async move {
        while let Err(error) = unlisted.complete_listings().await {
            tracing::error!(error = &error as &dyn std::error::Error, "not every application could be listed");
            if !matches!(error, app::Error::Unavailable(_)) {
                break;
            }
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
        if let Err(error) = unlisted.complete_record().await {
            tracing::error!(error = &error as &dyn std::error::Error, "not every line of the record could be chained");
        }
    }));

    let bind = async |address| TcpListener::bind(address).await.map_err(|error| BootError::Bind(address, error));
    let listener = bind(config.bind).await?;
    if let Some((address, probes)) = probes_apart {
        tokio::spawn(serve_connections(bind(address).await?, probes, Patience::default(), stopping.clone()));
    }
    announce(config, &db).await;
    tokio::spawn(stop.clone().run_until_cancelled_owned(async move { pages::prepare(&pages).await }));

    let mut server = tokio::spawn(serve_connections(listener, router, Patience::default(), stopping.clone()));
    let result = tokio::select! {
        () = stop_requested(Duration::from_secs(config.drain_seconds.into()), &stopping.drain) => {
            tracing::info!("stopping: finishing what was accepted");
            stop.cancel();
            // A client that keeps a connection open must not keep the process running.
            match tokio::time::timeout(GRACE, &mut server).await {
                Ok(finished) => finished,
                Err(_) => {
                    server.abort();
                    Ok(())
                }
            }
        }
        finished = &mut server => finished,
    };
    stop.cancel();
    // A worker that panicked has nothing left to finish.
    let _ = tokio::time::timeout(GRACE, futures::future::join_all(workers)).await;
    renderer.stop().await;
    db.close().await;
    if let Some(traces) = traces {
        traces.finish().await;
    }
    result.map_err(|panicked| BootError::Serve(io::Error::other(panicked)))
}

fn start_renderer(config: &Config, settings: &Settings) -> Result<Renderer, BootError> {
    let mut options = match &config.dev_assets {
        Some(folder) => {
            let bundles = assets::load_from(folder).map_err(BootError::DevAssets)?;
            RenderOptions::new(bundles, pages::warm_up(settings))
        }
        None => RenderOptions::new(assets::ssr_bundles(), pages::warm_up(settings)),
    };
    if let Some(isolates) = config.isolates {
        options.isolates = isolates.max(1);
        options.queue = 64 * options.isolates;
    }
    options.allow_faults = config.development;
    Ok(Renderer::start(options)?)
}

/// Prints the first lines of a run, for whoever started it.
async fn announce(config: &Config, store: &Db) {
    use std::io::Write;
    let mut words = format!("Matricula is at {}\n", config.public_url());
    if config.development {
        words.push_str(&format!("Mails of this development run: {}/mailbox\n", config.public_url()));
    }
    if matches!(store.staff_count().await, Ok(0)) {
        words.push_str("No staff account yet. Create the first one: matricula admin create --email YOU@EXAMPLE.ORG\n");
    }
    // If nobody reads them, serve anyway.
    let _ = io::stdout().write_all(words.as_bytes());
}

/// Returns when no more connections are to be accepted: after SIGINT at once, after SIGTERM when load balancers have
/// had time to notice.
async fn stop_requested(drain_for: Duration, draining: &CancellationToken) {
    let patient = signal().await == Signal::Terminate && !drain_for.is_zero();
    draining.cancel();
    if patient {
        tracing::info!(seconds = drain_for.as_secs(), "draining: requests are served, readiness says no");
        // A second signal ends the wait.
        let _ = tokio::time::timeout(drain_for, signal()).await;
    }
}

#[derive(PartialEq, Eq)]
enum Signal {
    Interrupt,
    Terminate,
}

async fn signal() -> Signal {
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
        () = interrupted => Signal::Interrupt,
        () = terminated => Signal::Terminate,
    }
}
