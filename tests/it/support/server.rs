//! The server in this process, on its own port, and clients that talk to it over HTTP.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use axum::Router;
use matricula::app::accounts::register::Address;
use matricula::app::ports::{Clock, PasskeyProtocol, PaymentProvider, Tokens};
use matricula::app::{App, Caller, Ports, SealedMail, Settings};
use matricula::auth::{Argon2Hasher, JwtTokens, Sealer, SystemRandom, Totp, WebAuthn};
use matricula::boot::{self, Patience, Stopping, serve_connections};
use matricula::documents::{Clamd, Inspector, ObjectStorage, Tables};
use matricula::domain::mail::Mail;
use matricula::domain::moments::Millis;
use matricula::domain::program::Program;
use matricula::jobs::JobWorker;
use matricula::outbound::Outbound;
use matricula::pages::{PagesState, assets, warm_up};
use matricula::pdf::Krilla;
use matricula::render::{RenderOptions, Renderer};
use matricula::sign_on::OpenIdConnect;
use matricula::store::Db;
use matricula::wire::{CookieSettings, TrustedProxies};
use reqwest::header::{HeaderMap, HeaderName};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub const PUBLIC_URL: &str = "http://apply.example.org";
/// Browsers allow passkeys only over TLS.
pub const PASSKEY_ORIGIN: &str = "https://apply.example.org";
/// Signs the bearer tokens.
pub const TOKEN_KEY: &[u8] = b"a key for tests, of more than thirty-two bytes";
/// Everyone's password.
pub const PASSWORD: &str = "correct horse battery staple";
/// 2026-05-04 12:00 UTC, when every test starts.
pub const START: Millis = 1_777_896_000_000;

/// A clock that moves only when told to.
pub struct ManualClock(AtomicI64);

impl ManualClock {
    pub fn advance(&self, by: Millis) {
        self.0.fetch_add(by, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Millis {
        self.0.load(Ordering::Relaxed)
    }
}

/// How a server is set up.
pub struct WorldOptions {
    pub settings: Settings,
    /// As in production, behind https.
    pub https: bool,
    /// Where documents are stored; by default in the world's own folder.
    pub storage: Option<String>,
    pub clamd: Option<Clamd>,
    /// How long connections may keep the server waiting.
    pub patience: Patience,
    pub cards: Option<Arc<dyn PaymentProvider>>,
    /// The origin browsers see when asked for passkeys.
    pub passkey_origin: &'static str,
}

impl Default for WorldOptions {
    fn default() -> Self {
        Self {
            settings: settings(),
            https: false,
            storage: None,
            clamd: None,
            patience: Patience::default(),
            cards: None,
            passkey_origin: PASSKEY_ORIGIN,
        }
    }
}

/// A running server and what is behind it.
pub struct World {
    pub app: App,
    pub store: Db,
    pub tokens: Arc<dyn Tokens>,
    pub clock: Arc<ManualClock>,
    pub storage: ObjectStorage,
    _folder: TempDir,
    url: String,
    http: reqwest::Client,
    clients: AtomicU32,
    server: JoinHandle<()>,
}

impl World {
    /// Starts a development run on a migrated database.
    pub async fn start(db: Db) -> World {
        World::start_with(db, WorldOptions::default()).await
    }

    /// Starts it as in production, behind https.
    pub async fn start_in_production(db: Db) -> World {
        let settings = Settings { development: false, ..settings() };
        World::start_with(db, WorldOptions { settings, https: true, ..WorldOptions::default() }).await
    }

    pub async fn start_with(db: Db, options: WorldOptions) -> World {
        let WorldOptions { settings, https, storage, clamd, patience, cards, passkey_origin } = options;
        let passkeys = WebAuthn::at(passkey_origin, &settings.institute);
        let folder = tempfile::tempdir().unwrap();
        let storage = storage.unwrap_or_else(|| folder.path().join("documents").display().to_string());
        let storage = ObjectStorage::open(&storage).unwrap();
        let clock = Arc::new(ManualClock(START.into()));
        let tokens: Arc<dyn Tokens> = Arc::new(JwtTokens::new(TOKEN_KEY));
        let ports = Ports {
            store: db.clone(),
            storage: Arc::new(storage.clone()),
            inspector: Arc::new(Inspector::new(clamd)),
            tables: Arc::new(Tables),
            passwords: Arc::new(Argon2Hasher::for_tests()),
            tokens: tokens.clone(),
            codes: Arc::new(Totp::new(TOKEN_KEY)),
            passkeys: passkeys.map(|passkeys| Arc::new(passkeys) as Arc<dyn PasskeyProtocol>),
            sealing: Arc::new(Sealer::new(TOKEN_KEY)),
            clock: clock.clone(),
            random: Arc::new(SystemRandom),
            pdf: Arc::new(Krilla),
            sign_on: Arc::new(OpenIdConnect::new(Outbound::new("127.0.0.1").unwrap())),
            cards,
        };
        let app = App::new(ports, settings);
        let trusted_proxies = Arc::new(TrustedProxies::parse("127.0.0.1").unwrap());
        let cookies = CookieSettings { secure: https };
        let pages = PagesState::new(app.clone(), renderer(), cookies, trusted_proxies);
        let probes = boot::probes(&pages, db.clone(), CancellationToken::new());
        let router = boot::router(pages, probes);
        let (url, server) = serve(router, patience).await;
        let http = http_client();
        World { app, store: db, tokens, clock, storage, _folder: folder, url, http, clients: AtomicU32::new(0), server }
    }

    /// Closes the database under the running server.
    pub async fn stop_database(&self) {
        self.store.close().await;
    }

    /// Where it listens.
    pub fn address(&self) -> &str {
        self.url.strip_prefix("http://").unwrap()
    }

    /// The first line of the answer to bytes that no real client would send.
    pub async fn status_line_of(&self, request: &str) -> String {
        let (read, mut write) = TcpStream::connect(self.address()).await.unwrap().into_split();
        let request = request.to_owned();
        // The server may answer and hang up before it has read everything.
        let sending = tokio::spawn(async move { write.write_all(request.as_bytes()).await });
        let mut line = String::new();
        BufReader::new(read).read_line(&mut line).await.unwrap();
        sending.abort();
        line.trim_end().to_owned()
    }

    /// An unknown visitor, at their own address.
    pub fn visitor(&self) -> Client {
        let number = self.clients.fetch_add(1, Ordering::Relaxed) + 1;
        Client {
            http: self.http.clone(),
            url: self.url.clone(),
            address: Ipv4Addr::from(u32::from(Ipv4Addr::new(198, 18, 0, 0)) + number).to_string(),
            email: format!("applicant-{number}@example.org"),
            token: None,
            cookie: None,
            user: Value::Null,
        }
    }

    /// A new signed-in applicant with a confirmed address, without an application.
    pub async fn register(&self) -> Client {
        self.register_for(None).await
    }

    /// The same, with an application of the program.
    pub async fn register_for(&self, program: Option<Program>) -> Client {
        let mut client = self.visitor();
        let caller = Caller { address: client.address.clone(), ..Caller::default() };
        let input = registration(&client.email).into();
        let entered = self.app.create_account(&input, program, &caller, Address::Confirmed).await.unwrap();
        client.token = Some(entered.secrets.token);
        client.cookie = Some(entered.secrets.cookie);
        client.user = client.get("/api/users/me").send().await.json();
        client
    }

    /// A new signed-in applicant with an unconfirmed address, without an application.
    pub async fn register_unconfirmed(&self) -> Client {
        let mut client = self.visitor();
        let answer = client.post("/api/users/register").json(&registration(&client.email)).send().await;
        assert_eq!(answer.status, 201, "{answer:?}");
        client.enter(&answer);
        client
    }

    /// The newest mails, as sent.
    pub async fn mails(&self, most: i64) -> Vec<Mail> {
        let mails = self.store.newest_mails(most).await.unwrap();
        mails.into_iter().map(|mail| SealedMail::open(mail, &*self.app.sealing).unwrap()).collect()
    }

    /// An applicant whose application is submitted.
    pub async fn submitted(&self) -> Client {
        let client = self.register().await;
        let saved = client.post("/api/users/application").json(&complete_answers()).send().await;
        assert_eq!(saved.status, 200, "{saved:?}");
        let submit = client.post("/api/users/application/submit").json(&json!({ "declaration": true }));
        let submitted = submit.send().await;
        assert_eq!(submitted.status, 200, "{submitted:?}");
        client
    }

    /// Runs every job that is due.
    pub async fn work(&self) {
        JobWorker { app: self.app.clone(), store: self.store.clone() }.work(&CancellationToken::new()).await.unwrap();
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// A client that follows no redirects.
pub fn http_client() -> reqwest::Client {
    // reqwest has no default provider here. It is fine if one is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // Plain HTTP: reading the system's certificates would take longer than most stories' calls.
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).tls_certs_only([]).build().unwrap()
}

/// Settings of a development run.
pub fn settings() -> Settings {
    Settings {
        institute: "Matricula Institute".into(),
        contact_email: "admissions@example.org".into(),
        public_url: PUBLIC_URL.into(),
        registrations_per_hour: 10,
        time_zone: "America/Chicago".into(),
        anchors_to: Some("demo-anchors@example.com".into()),
        calls_without_tls: true,
        development: true,
    }
}

/// One pool of isolates for all tests of this process. They may ask for faults.
fn renderer() -> Renderer {
    static RENDERER: OnceLock<Renderer> = OnceLock::new();
    let start = || {
        let options = RenderOptions::new(assets::ssr_bundles(), warm_up(&settings()));
        // Enough for the stories that run at once: some keep one busy until it is ended.
        Renderer::start(RenderOptions { allow_faults: true, isolates: 4, ..options }).unwrap()
    };
    RENDERER.get_or_init(start).clone()
}

async fn serve(router: Router, patience: Patience) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (url, tokio::spawn(serve_connections(listener, router, patience, Stopping::default())))
}

/// A valid registration.
pub fn registration(email: &str) -> Value {
    json!({
        "firstName": "Demo",
        "lastName": "Sample",
        "email": email,
        "password": PASSWORD,
        "dateOfBirth": "1990-02-28",
        "phoneNumber": "+15550100199",
        "country": "US",
        "state": "TX"
    })
}

/// The shortest answers that complete a bachelor's application, as the body of a save.
pub fn complete_answers() -> Value {
    json!({
        "applicationType": "ba",
        "personalInfo": {
            "isUSCitizen": false, "isMilitaryAffiliated": false, "isDoDEmployee": false, "state": null
        },
        "education": { "hasBachelors": false, "hasMasters": false },
        "employment": {
            "isSeeingCoachingClients": false, "isCurrentlyEmployed": false, "hasPreviousEmployment": false
        },
        "financialPlan": { "selectedPayments": ["employer"] },
        "creditTransfer": { "selectedPrograms": [] }
    })
}

/// A person with a browser.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    /// Their address, as reported by the proxy in front of the server.
    pub address: String,
    pub email: String,
    pub token: Option<String>,
    /// The session cookie's secret. Sent only with [`Call::with_cookie`].
    pub cookie: Option<String>,
    pub user: Value,
}

impl Client {
    pub fn get(&self, path: &str) -> Call {
        self.call("GET", path)
    }

    pub fn post(&self, path: &str) -> Call {
        self.call("POST", path)
    }

    /// A call with the token, if there is one.
    pub fn call(&self, method: &str, path: &str) -> Call {
        let request = self.http.request(method.parse().unwrap(), format!("{}{path}", self.url));
        let request = request.header("x-forwarded-for", &self.address);
        Call(match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        })
    }

    /// The same person at another server with the same database.
    pub fn at_server(&self, world: &World) -> Client {
        Client { url: world.url.clone(), ..self.clone() }
    }

    /// The same person from another address.
    pub fn at(&self, address: &str) -> Client {
        Client { address: address.into(), ..self.clone() }
    }

    /// The same person with another token.
    pub fn with_token(&self, token: impl Into<String>) -> Client {
        Client { token: Some(token.into()), ..self.clone() }
    }

    /// The same person without a token.
    pub fn without_token(&self) -> Client {
        Client { token: None, ..self.clone() }
    }

    /// The same person in another browser.
    pub async fn log_in(&self) -> Client {
        let mut client = self.without_token();
        let body = json!({ "email": client.email, "password": PASSWORD });
        let answer = client.post("/api/users/login").json(&body).send().await;
        assert_eq!(answer.status, 200, "{answer:?}");
        client.enter(&answer);
        client
    }

    pub fn enter(&mut self, answer: &Answer) {
        let body = answer.json();
        self.token = body["token"].as_str().map(str::to_owned);
        self.cookie = answer.set_cookie("matricula_session");
        self.user = body["user"].clone();
    }
}

/// A request being built.
#[derive(Debug)]
pub struct Call(reqwest::RequestBuilder);

impl Call {
    pub fn json(self, body: &Value) -> Call {
        self.raw("application/json", body.to_string())
    }

    pub fn raw(self, content_type: &str, body: impl Into<reqwest::Body>) -> Call {
        Call(self.0.header("content-type", content_type).body(body))
    }

    pub fn header(self, name: &'static str, value: &str) -> Call {
        Call(self.0.header(HeaderName::from_static(name), value))
    }

    /// Sends form fields.
    pub fn form(self, fields: &[(&str, &str)]) -> Call {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let call = self.raw("application/x-www-form-urlencoded", body);
        call.header("sec-fetch-site", "same-origin")
    }

    /// Sends the client's session cookie.
    pub fn with_cookie(self, client: &Client) -> Call {
        let secret = client.cookie.as_deref().expect("someone who is signed in");
        self.header("cookie", &format!("matricula_session={secret}"))
    }

    /// The answer before its body is read, for bodies that are not text.
    pub async fn raw_answer(self) -> reqwest::Response {
        self.0.send().await.unwrap()
    }

    pub async fn send(self) -> Answer {
        let response = self.0.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.unwrap().to_vec();
        Answer { status, headers, text: String::from_utf8_lossy(&bytes).into_owned(), bytes }
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body as text; not for files.
    pub text: String,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The `code` of a problem; empty for anything else.
    pub fn code(&self) -> String {
        serde_json::from_str::<Value>(&self.text)
            .ok()
            .and_then(|body| Some(body["code"].as_str()?.to_owned()))
            .unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// The value of a cookie that the answer sets.
    pub fn set_cookie(&self, name: &str) -> Option<String> {
        let cookies = self.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
        cookies
            .filter_map(|cookie| cookie.split(';').next()?.split_once('='))
            .find_map(|(key, value)| (key == name).then(|| value.to_owned()))
    }

    /// Asserts that this is the problem `code` with its HTTP status.
    #[track_caller]
    pub fn assert_problem(&self, status: u16, code: &str) {
        assert_eq!((self.status, self.code().as_str()), (status, code), "{self:?}");
        assert_eq!(self.header("content-type"), "application/problem+json", "{self:?}");
    }
}
