//! Documents: what a browser gets for a path, and the forms that it posts.
//!
//! A GET goes guard → load → render: the guard (`domain::guard`) decides first, and a redirect costs no render; a loader
//! calls use cases and makes one [`Page`](page::Page); [`respond`] renders it, or answers it as JSON to a soft
//! navigation. A POST calls the same use case as the API and answers 303, or the page again with what was typed.
//!
//! To add a page: its path in `domain::guard`, its props in `page.rs` and `client/api/page.ts`, a loader here, a screen in
//! `client/routes/`.

mod account;
mod admin_login;
mod application;
mod apply;
pub mod assets;
mod auth;
mod catalogue;
mod check;
mod dashboard;
pub mod dev;
mod document;
mod form;
mod mailbox;
mod moment;
pub mod page;
mod problem;
mod reset_password;
mod respond;
mod search_engines;
mod shared_documents;
mod thank_you;
mod theme;
mod visitor;

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRef, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;

use crate::app::{App, Caller, Settings};
use crate::domain::guard::{self, Decision, Route};
use crate::domain::program::Program;
use crate::http::wire::{self, Client, CookieSettings, RouteLabel, TrustedProxies};
use crate::render::Renderer;
use form::Form;
use page::{Page, Screen, Shared};
use shared_documents::SharedDocuments;
use visitor::Visitor;

/// What the document handlers need. Cheap to clone, as every request does.
#[derive(Clone)]
pub struct PagesState(Arc<PagesParts>);

pub struct PagesParts {
    pub app: App,
    pub renderer: Renderer,
    pub cookies: CookieSettings,
    pub trusted_proxies: Arc<TrustedProxies>,
    /// Landing pages, kept as they are sent.
    pub shared_documents: SharedDocuments,
}

impl PagesState {
    pub fn new(app: App, renderer: Renderer, cookies: CookieSettings, trusted_proxies: Arc<TrustedProxies>) -> Self {
        let shared_documents = SharedDocuments::default();
        Self(Arc::new(PagesParts { app, renderer, cookies, trusted_proxies, shared_documents }))
    }
}

impl Deref for PagesState {
    type Target = PagesParts;

    fn deref(&self) -> &PagesParts {
        &self.0
    }
}

impl FromRef<PagesState> for Arc<TrustedProxies> {
    fn from_ref(state: &PagesState) -> Self {
        state.trusted_proxies.clone()
    }
}

pub use respond::security_headers;

/// The JSON of a page as anyone may see it: what isolates render before they are used, and what tells whether they work.
pub fn warm_up(settings: &Settings) -> String {
    let info = catalogue::info(Program::Bachelor, jiff::civil::date(2026, 1, 1));
    let props = page::ApplyProps {
        info,
        action: page::ApplyAction::Register,
        continue_href: "/bachelor/application".into(),
        dialog: Some(apply::dialog(page::AuthMode::Register, None, Program::Bachelor, page::FormState::default())),
    };
    let shared = Shared {
        path: "/bachelor/apply?dialog=register".into(),
        program: Program::Bachelor,
        viewer: None,
        theme: page::Theme::System,
        institute: settings.institute.clone(),
        contact_email: settings.contact_email.clone(),
        development: false,
        fault: None,
    };
    let head = page::Head::default();
    respond::serialise(&Page { screen: Screen::Apply(Box::new(props)), status: 200, head, shared })
}

/// The answer to a request whose handler panicked; the log has the rest.
pub fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    let body = "<!doctype html><html lang=\"en\"><title>Something went wrong</title><h1>Something went wrong</h1>\
                <p>An unexpected error occurred</p><p><a href=\"/\">Start again</a></p></html>";
    respond::html_response(StatusCode::INTERNAL_SERVER_ERROR, body, "default-src 'none'; frame-ancestors 'none'")
}

/// Everything that is neither API nor asset.
pub fn router(state: PagesState) -> Router {
    Router::new()
        .route("/favicon.svg", axum::routing::get(favicon))
        .route("/robots.txt", axum::routing::get(search_engines::robots))
        .route("/sitemap.xml", axum::routing::get(search_engines::sitemap))
        .fallback(handle)
        .with_state(state)
}

/// Makes what is kept and sent to many before the first of them asks.
pub async fn prepare(state: &PagesState) {
    for program in Program::ALL {
        let request = Request::builder().uri(format!("/{}/apply", program.path())).body(Body::empty());
        let request = request.expect("a path of ours is an address");
        handle(State(state.clone()), Client(Caller::default()), request).await;
    }
}

async fn favicon() -> ([(header::HeaderName, &'static str); 2], &'static str) {
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=86400")];
    (headers, include_str!("../../client/theme/favicon.svg"))
}

/// One request for a document or with a posted form.
pub struct Visit {
    pub state: PagesState,
    pub parts: Parts,
    pub client: Caller,
    pub visitor: Visitor,
    /// The path, percent-decoded.
    pub path: String,
    /// The program of the path, else the last one visited, else bachelor.
    pub program: Program,
}

/// Longest path and query. No page of ours comes near.
const LONGEST_ADDRESS: usize = 8 * 1024;

async fn handle(State(state): State<PagesState>, Client(client): Client, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let visitor = Visitor::anonymous(&parts.headers);
    let address = parts.uri.path_and_query().map_or(0, |address| address.as_str().len());
    let path = decode(parts.uri.path());
    let program = path.as_deref().and_then(Program::of_path).or(visitor.last_program).unwrap_or(Program::Bachelor);
    let mut visit = Visit { state, parts, client, visitor, path: path.clone().unwrap_or_default(), program };
    if address > LONGEST_ADDRESS {
        visit.path = "/".into();
        return problem::page(&visit, problem::ADDRESS_TOO_LONG).await;
    }
    let Some(path) = path else { return problem::page(&visit, problem::BAD_REQUEST).await };

    let mut response = match visit.parts.method {
        Method::GET | Method::HEAD => get(&mut visit, Route::parse(&path)).await,
        Method::POST => post(&mut visit, &path, body).await,
        _ => wrong_method(&visit, &path).await,
    };
    let headers = response.headers_mut();
    if visit.visitor.stale_cookie && !sets_session_cookie(headers) {
        headers.append(header::SET_COOKIE, wire::clear_session_cookie(visit.state.cookies));
    }
    let visited = Program::of_path(&visit.path).filter(|_| response.status() == StatusCode::OK);
    if visited.is_some() && visited != visit.visitor.last_program {
        let cookie = visitor_cookie(visitor::PROGRAM_COOKIE, visit.program.path(), visit.state.cookies);
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

fn sets_session_cookie(headers: &axum::http::HeaderMap) -> bool {
    headers.get_all(header::SET_COOKIE).iter().any(|cookie| cookie.as_bytes().starts_with(b"matricula_session="))
}

/// `Set-Cookie` for a preference: no secret, kept for a year.
fn visitor_cookie(name: &str, value: &'static str, settings: CookieSettings) -> HeaderValue {
    let secure = if settings.secure { "; Secure" } else { "" };
    HeaderValue::try_from(format!("{name}={value}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly{secure}"))
        .expect("names and values are our own words")
}

/// The path without percent-encoding. `None` when it cannot be text that a page is named by: control characters, or no
/// UTF-8. An encoded slash stays encoded, since it separates nothing.
fn decode(path: &str) -> Option<String> {
    let lower = path.to_ascii_lowercase();
    if lower.contains("%2f") || lower.contains("%5c") {
        return Some(path.to_owned());
    }
    let decoded = percent_encoding::percent_decode_str(path).decode_utf8().ok()?;
    (!decoded.contains(char::is_control)).then(|| decoded.into_owned())
}

async fn get(visit: &mut Visit, route: Route) -> Response {
    let staff_page = matches!(route, Route::AdminPanel | Route::AdminLogin);
    match Visitor::of(&visit.state.app, &visit.parts.headers, staff_page).await {
        Ok(visitor) => visit.visitor = visitor,
        // Public pages do not need to know who asks; the others cannot be shown.
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "a session could not be looked up");
            if !matches!(route, Route::Root | Route::ProgramRoot(_) | Route::Apply(_) | Route::Unknown) {
                return problem::page(visit, problem::UNAVAILABLE).await;
            }
        }
    }
    let wanted = visit.parts.uri.path_and_query().map_or("/", |address| address.as_str()).to_owned();
    let staff = visit.visitor.staff.is_some();
    match guard::decide(route, visit.visitor.guarded(), visit.program, &wanted, staff) {
        Decision::Redirect(to) => respond::redirect(visit, &to),
        Decision::NotFound => problem::page(visit, problem::NOT_FOUND).await,
        Decision::Show => {
            let mut response = match route {
                Route::Apply(program) => apply::show(visit, program).await,
                Route::Application(program) => application::show(visit, program).await,
                Route::Check(program) => check::show(visit, program).await,
                Route::ThankYou => thank_you::show(visit).await,
                Route::ResetPassword => reset_password::show(visit).await,
                Route::Dashboard => dashboard::show(visit).await,
                Route::Account => account::show(visit).await,
                Route::AdminLogin => admin_login::show(visit).await,
                Route::Mailbox if visit.state.app.settings.development => mailbox::show(visit).await,
                _ => problem::page(visit, problem::NOT_FOUND).await,
            };
            response.extensions_mut().insert(RouteLabel(label(route)));
            response
        }
    }
}

/// What a route counts under in the metrics.
fn label(route: Route) -> &'static str {
    match route {
        Route::Apply(_) => "/{program}/apply",
        Route::Application(_) => "/{program}/application",
        Route::Check(_) => "/{program}/application/check",
        Route::ThankYou => "/thankyou",
        Route::ResetPassword => "/reset-password",
        Route::Dashboard => "/dashboard",
        Route::Account => "/dashboard/account",
        Route::AdminLogin => "/admin-panel/login",
        Route::Mailbox => "/mailbox",
        _ => "page",
    }
}

/// The forms that can be posted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PostRoute {
    Login,
    Register,
    ForgotPassword,
    Logout,
    Theme,
    ResetPassword,
    Start(Program),
    Application(Program),
    Check(Program),
    Dashboard,
    Account,
    AdminLogin,
    AdminLogout,
}

impl PostRoute {
    fn parse(path: &str) -> Option<PostRoute> {
        Some(match path {
            "/auth/login" => PostRoute::Login,
            "/auth/register" => PostRoute::Register,
            "/auth/forgot-password" => PostRoute::ForgotPassword,
            "/auth/logout" => PostRoute::Logout,
            "/theme" => PostRoute::Theme,
            "/reset-password" => PostRoute::ResetPassword,
            "/dashboard" => PostRoute::Dashboard,
            "/dashboard/account" => PostRoute::Account,
            "/admin-panel/login" => PostRoute::AdminLogin,
            "/admin-panel/logout" => PostRoute::AdminLogout,
            _ => {
                let program = Program::of_path(path)?;
                match path.strip_prefix('/')?.strip_prefix(program.path())? {
                    "/start" => PostRoute::Start(program),
                    "/application" => PostRoute::Application(program),
                    "/application/check" => PostRoute::Check(program),
                    _ => return None,
                }
            }
        })
    }
}

async fn post(visit: &mut Visit, path: &str, body: Body) -> Response {
    let Some(route) = PostRoute::parse(path) else { return wrong_method(visit, path).await };
    if !wire::same_origin(&visit.parts.headers, &visit.state.app.settings.public_url) {
        return problem::page(visit, problem::OTHER_ORIGIN).await;
    }
    let request = Request::from_parts(visit.parts.clone(), body);
    let form = match Form::read(request).await {
        Ok(form) => form,
        Err(problem) => return problem::page(visit, problem).await,
    };
    let staff_page = matches!(route, PostRoute::AdminLogin | PostRoute::AdminLogout);
    match Visitor::of(&visit.state.app, &visit.parts.headers, staff_page).await {
        Ok(visitor) => visit.visitor = visitor,
        Err(_) => return problem::page(visit, problem::UNAVAILABLE).await,
    }
    match route {
        PostRoute::Login => auth::log_in(visit, &form).await,
        PostRoute::Register => auth::register(visit, &form).await,
        PostRoute::ForgotPassword => auth::forgot_password(visit, &form).await,
        PostRoute::Logout => auth::log_out(visit).await,
        PostRoute::Theme => theme::choose(visit, &form),
        PostRoute::ResetPassword => reset_password::submit(visit, &form).await,
        PostRoute::Start(program) => application::start(visit, program).await,
        PostRoute::Application(program) => application::submit(visit, program, &form).await,
        PostRoute::Check(program) => check::submit(visit, program, &form).await,
        PostRoute::Dashboard => dashboard::submit(visit, &form).await,
        PostRoute::Account => account::submit(visit, &form).await,
        PostRoute::AdminLogin => admin_login::log_in(visit, &form).await,
        PostRoute::AdminLogout => admin_login::log_out(visit).await,
    }
}

/// 405 with `Allow` where the path exists for another method, 404 elsewhere.
async fn wrong_method(visit: &Visit, path: &str) -> Response {
    // A form's own address is also where a reload or a bookmark of its answer leads.
    let get = Route::parse(path) != Route::Unknown;
    let allow = match (get, PostRoute::parse(path).is_some()) {
        (true, true) => "GET, HEAD, POST",
        (true, false) => "GET, HEAD",
        (false, true) => "POST",
        (false, false) => return problem::page(visit, problem::NOT_FOUND).await,
    };
    let mut response = problem::page(visit, problem::WRONG_METHOD).await;
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allow));
    response
}

impl Visit {
    /// A page of this visit.
    pub fn page(&self, screen: Screen, status: StatusCode, head: page::Head) -> Page {
        Page { screen, status: status.as_u16(), head, shared: self.shared() }
    }

    fn shared(&self) -> Shared {
        let settings = &self.state.app.settings;
        let path = match self.parts.uri.query() {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.clone(),
        };
        let fault = self.fault();
        Shared {
            path,
            program: self.program,
            viewer: self.visitor.viewer(),
            theme: self.visitor.theme,
            institute: settings.institute.clone(),
            contact_email: settings.contact_email.clone(),
            development: settings.development,
            fault,
        }
    }

    /// The fault that a development run is asked for.
    pub fn fault(&self) -> Option<String> {
        self.query("fault").filter(|_| self.state.app.settings.development)
    }

    /// The first value of a query parameter.
    pub fn query(&self, name: &str) -> Option<String> {
        let query = self.parts.uri.query()?;
        url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    /// The institute's name behind the title of a page.
    pub fn title(&self, title: &str) -> String {
        format!("{title} – {}", self.state.app.settings.institute)
    }

    /// A head of a page that search engines do not keep.
    pub fn private_head(&self, title: &str) -> page::Head {
        page::Head { title: self.title(title), robots: Some("noindex"), ..page::Head::default() }
    }

    pub fn now(&self) -> crate::app::ports::Millis {
        self.state.app.clock.now()
    }
}
