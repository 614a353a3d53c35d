//! Documents: what a browser gets for a path, and the forms it posts.
//!
//! A GET goes guard → load → render: the guard (`domain::guard`) decides first, and a redirect costs no render; a
//! loader calls use cases and makes one [`Page`](page::Page); [`respond`] renders it, or answers it as JSON to a soft
//! navigation. A POST calls the same use case as the API and answers 303, or the page again with what was typed.
//!
//! To add a page: its path in `domain::guard`, its props in `props`, a loader here, `make generate` for the client's
//! types, a screen in `client/routes/`, its path in `client/routes.tsx`.

mod account;
pub mod admin;
mod application;
mod application_copy;
mod apply;
pub mod assets;
mod auth;
mod banner;
mod brochure;
mod catalogue;
mod change_email;
mod check;
mod close_account;
mod contract;
mod dashboard;
pub mod dev;
mod document;
mod documents;
mod doubts;
mod fee;
mod form;
mod funding;
mod inquire;
mod language;
mod letter;
mod mailbox;
mod messages;
mod moment;
mod open_days;
pub mod page;
#[cfg(test)]
mod page_types;
mod passkeys;
mod past_application;
mod problem;
pub mod props;
#[cfg(test)]
mod question_table;
mod reference;
mod references;
mod reset_password;
mod respond;
mod schedule;
mod search_engines;
mod second_factor;
mod section;
mod shared_documents;
mod sign_on;
mod thank_you;
mod theme;
mod unsubscribe;
mod verify;
mod visitor;

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRef, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use futures::future::BoxFuture;

use app::accounts::sign_on::SignOnChoices;
use app::{App, Caller, Settings};
use domain::application::Section;
use domain::guard::{self, Access, Route};
use domain::language::Language;
use domain::program::Program;
use domain::sentence::Sentence;
use domain::settings::ProductSettings;
use form::Form;
use page::{Page, Screen, Shared};
use props::office::access::SignOnLink;
use render::Renderer;
use shared_documents::SharedDocuments;
use visitor::Visitor;
use wire::{Client, CookieSettings, RouteLabel, TrustedProxies};

/// State that the document handlers need. Cheap to clone, as every request does.
#[derive(Clone)]
pub struct PagesState(Arc<PagesParts>);

pub struct PagesParts {
    pub app: App,
    pub renderer: Renderer,
    pub cookies: CookieSettings,
    pub trusted_proxies: Arc<TrustedProxies>,
    /// Landing pages, kept in the form they are sent.
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

impl FromRef<PagesState> for CookieSettings {
    fn from_ref(state: &PagesState) -> Self {
        state.cookies
    }
}

pub use respond::security_headers;

/// Returns the JSON of a public page: isolates render it before they are used, which also tells whether they work.
pub fn warm_up(settings: &Settings) -> String {
    let info = catalogue::info(Program::Bachelor, &ProductSettings::default(), jiff::civil::date(2026, 1, 1));
    let props = props::apply::ApplyProps {
        info,
        action: props::apply::ApplyAction::Register,
        continue_href: "/bachelor/application".into(),
        open_days: Vec::new(),
        dialog: Some(apply::dialog(
            props::auth::AuthMode::Register,
            None,
            Program::Bachelor,
            page::FormState::default(),
        )),
    };
    let shared = Shared {
        path: "/bachelor/apply?dialog=register".into(),
        program: Program::Bachelor,
        viewer: None,
        office: None,
        theme: page::Theme::System,
        language: Language::En,
        institute: settings.institute.clone(),
        contact_email: settings.contact_email.clone(),
        development: false,
        passkeys: false,
        sign_on: Vec::new(),
        fault: None,
        banner: None,
    };
    let head = page::Head::default();
    respond::serialise(&Page { screen: Screen::Apply(Box::new(props)), status: 200, head, shared })
}

/// Responds to a request whose handler panicked; the log has the rest.
pub fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    let body = format!(
        "<!doctype html><html lang=\"en\"><title>Something went wrong</title><h1>Something went wrong</h1>\
         <p>An unexpected error occurred</p><p>If you contact us about this, please quote this code: {}</p>\
         <p><a href=\"/\">Start again</a></p></html>",
        wire::request_id()
    );
    respond::html_response(StatusCode::INTERNAL_SERVER_ERROR, body, "default-src 'none'; frame-ancestors 'none'")
}

/// Handles everything that is neither API nor asset.
pub fn router(state: PagesState) -> Router {
    Router::new()
        .route("/favicon.svg", axum::routing::get(favicon))
        .route("/robots.txt", axum::routing::get(search_engines::robots))
        .route("/sitemap.xml", axum::routing::get(search_engines::sitemap))
        .route("/calendar/{file}", axum::routing::get(admin::calendar_feed::serve))
        .merge(brochure::router())
        .fallback(handle)
        .with_state(state)
}

/// Makes the shared documents before the first request for them.
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

/// A request for a document or with a posted form.
pub struct Visit {
    pub state: PagesState,
    pub parts: Parts,
    pub client: Caller,
    pub visitor: Visitor,
    /// The path, percent-decoded.
    pub path: String,
    /// The program of the path, else the last one visited, else bachelor.
    pub program: Program,
    /// What Owners have set.
    pub product: Arc<ProductSettings>,
    /// The identity providers that applicants can log in with.
    pub sign_on: SignOnChoices,
}

/// Longest path and query accepted. None of our pages comes near.
const MAX_ADDRESS_LENGTH: usize = 8 * 1024;

async fn handle(State(state): State<PagesState>, Client(client): Client, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let visitor = Visitor::anonymous(&parts.headers);
    let address = parts.uri.path_and_query().map_or(0, |address| address.as_str().len());
    let path = decode(parts.uri.path());
    let program = path.as_deref().and_then(Program::of_path).or(visitor.last_program).unwrap_or(Program::Bachelor);
    let product = state.app.product_settings().await;
    let sign_on = state.app.applicant_sign_on_choices().await;
    let path_or_none = path.clone().unwrap_or_default();
    let mut visit = Visit { state, parts, client, visitor, path: path_or_none, program, product, sign_on };
    if address > MAX_ADDRESS_LENGTH {
        visit.path = "/".into();
        return Box::pin(problem::page(&visit, problem::ADDRESS_TOO_LONG)).await;
    }
    let Some(path) = path else { return Box::pin(problem::page(&visit, problem::BAD_REQUEST)).await };
    if let Some(page) = without_slash(&visit) {
        return respond::redirect(&visit, &page);
    }
    if admin::is_office(&path) {
        return Box::pin(admin::handle(&mut visit, body)).await;
    }

    let route = Route::parse(&path);
    let mut response = match visit.parts.method {
        Method::GET | Method::HEAD => get(&mut visit, route).await,
        Method::POST => Box::pin(post(&mut visit, &path, body)).await,
        _ => Box::pin(wrong_method(&visit, &path)).await,
    };
    if route != Route::Unknown {
        response.extensions_mut().insert(RouteLabel(label(route)));
    }
    let headers = response.headers_mut();
    if visit.visitor.stale_cookie && !wire::sets_session_cookie(visit.state.cookies, headers) {
        headers.append(header::SET_COOKIE, wire::clear_session_cookie(visit.state.cookies));
    }
    let visited = Program::of_path(&visit.path).filter(|_| response.status() == StatusCode::OK);
    if visited.is_some() && visited != visit.visitor.last_program {
        let cookie = visitor_cookie(visitor::PROGRAM_COOKIE, visit.program.path(), visit.state.cookies);
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    if let Some(language) = visit.language_of_address()
        && language::chosen(&visit.parts.headers) != Some(language)
    {
        let cookie = visitor_cookie(language::LANGUAGE_COOKIE, language.as_str(), visit.state.cookies);
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Returns the address without its trailing slash, if that is a page: people type it, and other programs add it.
fn without_slash(visit: &Visit) -> Option<String> {
    let path = visit.path.strip_suffix('/').filter(|path| !path.is_empty())?;
    let is_page = admin::is_office(path) || !matches!(Route::parse(path), Route::Unknown | Route::DashboardUnknown);
    if !is_page || !matches!(visit.parts.method, Method::GET | Method::HEAD) {
        return None;
    }
    let bare = visit.parts.uri.path().strip_suffix('/')?;
    Some(visit.parts.uri.query().map_or_else(|| bare.to_owned(), |query| format!("{bare}?{query}")))
}

/// Returns `Set-Cookie` for a preference: not a secret, kept for a year.
fn visitor_cookie(name: &str, value: &str, settings: CookieSettings) -> HeaderValue {
    let secure = if settings.secure { "; Secure" } else { "" };
    HeaderValue::try_from(format!("{name}={value}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly{secure}"))
        .expect("names and values are our own words and numbers")
}

/// Decodes a percent-encoded path. `None` if the result cannot name a page: control characters, or not UTF-8. An
/// encoded slash stays encoded, since it separates nothing.
fn decode(path: &str) -> Option<String> {
    let lower = path.to_ascii_lowercase();
    if lower.contains("%2f") || lower.contains("%5c") {
        return Some(path.to_owned());
    }
    let decoded = percent_encoding::percent_decode_str(path).decode_utf8().ok()?;
    (!decoded.contains(char::is_control)).then(|| decoded.into_owned())
}

async fn get(visit: &mut Visit, route: Route) -> Response {
    match Visitor::of(&visit.state.app, visit.state.cookies, &visit.parts.headers).await {
        Ok(visitor) => visit.meet(visitor),
        // Public pages do not need to know the user; the others cannot be shown.
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "a session could not be looked up");
            if !matches!(route, Route::Root | Route::ProgramRoot(_) | Route::Apply(_) | Route::Unknown) {
                return Box::pin(problem::page(visit, problem::UNAVAILABLE)).await;
            }
        }
    }
    let wanted = visit.parts.uri.path_and_query().map_or("/", |address| address.as_str()).to_owned();
    match guard::decide(route, visit.visitor.guarded(), visit.program, &wanted) {
        Access::Redirect(to) => respond::redirect(visit, &to),
        Access::NotFound => Box::pin(problem::page(visit, problem::NOT_FOUND)).await,
        Access::Show => {
            visit.count_messages().await;
            // Boxed separately: together they would be moved with every request, whichever it is for.
            let answer: BoxFuture<'_, Response> = match route {
                Route::Apply(program) => Box::pin(apply::show(visit, program)),
                Route::Inquire(program) => Box::pin(inquire::show(visit, program)),
                Route::ConfirmInquiry => Box::pin(inquire::show_link(visit)),
                Route::Unsubscribe => Box::pin(unsubscribe::show(visit)),
                Route::OpenDay => Box::pin(open_days::show(visit)),
                Route::OpenDayBooking => Box::pin(open_days::show_booking(visit)),
                Route::Reference => Box::pin(reference::show(visit)),
                Route::Application(program) => Box::pin(application::show(visit, program)),
                Route::Section(program, section) => Box::pin(section::show(visit, program, section)),
                Route::Check(program) => Box::pin(check::show(visit, program)),
                Route::Fee(_) => Box::pin(fee::show(visit)),
                Route::ThankYou => Box::pin(thank_you::show(visit)),
                Route::Schedule => Box::pin(schedule::show(visit)),
                Route::InterviewFile => Box::pin(schedule::file(visit)),
                Route::ResetPassword => Box::pin(reset_password::show(visit)),
                Route::Dashboard => Box::pin(dashboard::show(visit)),
                Route::Letter => Box::pin(letter::show(visit)),
                Route::Contract => Box::pin(contract::show(visit)),
                Route::ContractFile => Box::pin(contract::file(visit)),
                Route::Verify => Box::pin(verify::show(visit)),
                Route::Funding => Box::pin(funding::show(visit)),
                Route::CostSheet => Box::pin(funding::cost_sheet(visit)),
                Route::Payments => Box::pin(funding::payments(visit)),
                Route::Receipt => Box::pin(funding::receipt(visit)),
                Route::PastApplication => Box::pin(past_application::show(visit)),
                Route::Account => Box::pin(account::show(visit)),
                Route::Documents => Box::pin(documents::show(visit)),
                Route::Document => Box::pin(documents::load(visit)),
                Route::References => Box::pin(references::show(visit)),
                Route::ReferenceLetter => Box::pin(references::letter(visit)),
                Route::ApplicationCopy => Box::pin(application_copy::send(visit)),
                Route::ChangeEmail => Box::pin(change_email::show(visit)),
                Route::CloseAccount => Box::pin(close_account::show(visit)),
                Route::SecondFactor => Box::pin(second_factor::show(visit)),
                Route::LoginCode => Box::pin(second_factor::ask_code(visit)),
                Route::Passkeys => Box::pin(passkeys::show(visit)),
                Route::LoginPasskey => Box::pin(passkeys::ask_login(visit)),
                Route::SignOn => Box::pin(sign_on::begin(visit)),
                Route::SignedOn => Box::pin(sign_on::finish(visit)),
                Route::ConfirmEmail => Box::pin(change_email::show_link(visit)),
                Route::Messages => Box::pin(messages::list(visit)),
                Route::Message => Box::pin(messages::show(visit)),
                Route::Mailbox if visit.state.app.settings.development => Box::pin(mailbox::show(visit)),
                _ => Box::pin(problem::page(visit, problem::NOT_FOUND)),
            };
            answer.await
        }
    }
}

/// Returns what a route counts under in the metrics.
fn label(route: Route) -> &'static str {
    match route {
        Route::Apply(_) => "/{program}/apply",
        Route::Inquire(_) => "/{program}/inquire",
        Route::ConfirmInquiry => "/inquiries/confirm",
        Route::Unsubscribe => "/unsubscribe",
        Route::OpenDay => "/open-days/{id}",
        Route::OpenDayBooking => "/open-days/booking",
        Route::Reference => "/reference",
        Route::Application(_) => "/{program}/application",
        Route::Section(..) => "/{program}/application/{section}",
        Route::Check(_) => "/{program}/application/check",
        Route::Fee(_) => "/{program}/application/fee",
        Route::ThankYou => "/thankyou",
        Route::Schedule => "/schedule",
        Route::InterviewFile => "/schedule/interview.ics",
        Route::ResetPassword => "/reset-password",
        Route::Dashboard => "/dashboard",
        Route::Letter => "/dashboard/letter",
        Route::Contract => contract::PATH,
        Route::ContractFile => "/dashboard/contract.pdf",
        Route::Verify => "/verify/{code}",
        Route::Funding => "/dashboard/funding",
        Route::CostSheet => "/dashboard/funding.pdf",
        Route::Payments => "/dashboard/payments",
        Route::Receipt => "/dashboard/payments/{id}.pdf",
        Route::PastApplication => "/dashboard/applications/{id}",
        Route::Account => "/dashboard/account",
        Route::Documents => "/dashboard/documents",
        Route::Document => "/dashboard/documents/{id}",
        Route::References => references::PATH,
        Route::ReferenceLetter => "/dashboard/references/{id}/letter",
        Route::ApplicationCopy => "/dashboard/application.pdf",
        Route::ChangeEmail => "/dashboard/account/email",
        Route::CloseAccount => "/dashboard/account/close",
        Route::SecondFactor => "/dashboard/account/second-factor",
        Route::LoginCode => "/login/code",
        Route::Passkeys => "/dashboard/account/passkeys",
        Route::LoginPasskey => "/login/passkey",
        Route::SignOn => "/login/sign-on/{id}",
        Route::SignedOn => "/login/sign-on/callback",
        Route::ConfirmEmail => "/confirm-email",
        Route::Messages => "/dashboard/messages",
        Route::Message => "/dashboard/messages/{id}",
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
    Language,
    Banner,
    ResetPassword,
    Inquire(Program),
    ConfirmInquiry,
    Unsubscribe,
    OpenDay,
    OpenDayBooking,
    Reference,
    Start(Program),
    Application(Program),
    Section(Program, Section),
    Check(Program),
    Fee(Program),
    Schedule,
    Dashboard,
    Documents,
    References,
    Funding,
    Payments,
    Messages,
    Account,
    ChangeEmail,
    CloseAccount,
    SecondFactor,
    LoginCode,
    Passkeys,
    LoginPasskey,
    ConfirmEmail,
    PersonalData,
    Contract,
    Verify,
}

impl PostRoute {
    fn parse(path: &str) -> Option<PostRoute> {
        Some(match path {
            "/auth/login" => PostRoute::Login,
            "/auth/register" => PostRoute::Register,
            "/auth/forgot-password" => PostRoute::ForgotPassword,
            "/auth/logout" => PostRoute::Logout,
            "/theme" => PostRoute::Theme,
            "/language" => PostRoute::Language,
            "/banner" => PostRoute::Banner,
            "/reset-password" => PostRoute::ResetPassword,
            "/inquiries/confirm" => PostRoute::ConfirmInquiry,
            "/unsubscribe" => PostRoute::Unsubscribe,
            "/open-days/booking" => PostRoute::OpenDayBooking,
            "/reference" => PostRoute::Reference,
            "/schedule" => PostRoute::Schedule,
            "/dashboard" => PostRoute::Dashboard,
            "/dashboard/account" => PostRoute::Account,
            "/dashboard/documents" => PostRoute::Documents,
            "/dashboard/funding" => PostRoute::Funding,
            "/dashboard/payments" => PostRoute::Payments,
            "/dashboard/messages" => PostRoute::Messages,
            "/dashboard/account/email" => PostRoute::ChangeEmail,
            "/dashboard/account/close" => PostRoute::CloseAccount,
            "/dashboard/account/second-factor" => PostRoute::SecondFactor,
            "/login/code" => PostRoute::LoginCode,
            "/dashboard/account/passkeys" => PostRoute::Passkeys,
            "/login/passkey" => PostRoute::LoginPasskey,
            "/dashboard/account/data" => PostRoute::PersonalData,
            "/confirm-email" => PostRoute::ConfirmEmail,
            contract::PATH => PostRoute::Contract,
            references::PATH => PostRoute::References,
            _ if Route::parse(path) == Route::Verify => PostRoute::Verify,
            _ if Route::parse(path) == Route::OpenDay => PostRoute::OpenDay,
            _ => {
                let program = Program::of_path(path)?;
                match path.strip_prefix('/')?.strip_prefix(program.path())? {
                    "/start" => PostRoute::Start(program),
                    "/inquire" => PostRoute::Inquire(program),
                    "/application" => PostRoute::Application(program),
                    "/application/check" => PostRoute::Check(program),
                    "/application/fee" => PostRoute::Fee(program),
                    rest => PostRoute::Section(program, Section::parse(rest.strip_prefix("/application/")?)?),
                }
            }
        })
    }
}

async fn post(visit: &mut Visit, path: &str, body: Body) -> Response {
    let Some(route) = PostRoute::parse(path) else { return wrong_method(visit, path).await };
    // Sent by mail programs, without cookies. It acts on the secret in its address alone.
    if route == PostRoute::Unsubscribe && unsubscribe::is_from_elsewhere(visit) {
        return Box::pin(unsubscribe::with_one_click(visit, body)).await;
    }
    if !wire::same_origin(&visit.parts.headers, &visit.state.app.settings.public_url) {
        return problem::page(visit, problem::OTHER_ORIGIN).await;
    }
    if matches!(route, PostRoute::Documents | PostRoute::Verify) && wire::is_multipart(&visit.parts.headers) {
        match Visitor::of(&visit.state.app, visit.state.cookies, &visit.parts.headers).await {
            Ok(visitor) => visit.meet(visitor),
            Err(_) => return problem::page(visit, problem::UNAVAILABLE).await,
        }
        return match route {
            PostRoute::Verify => verify::upload(visit, body).await,
            _ => documents::send(visit, body).await,
        };
    }
    let read = match route {
        PostRoute::Reference => Box::pin(reference::read(visit, body)).await,
        _ => Form::read(Request::from_parts(visit.parts.clone(), body)).await,
    };
    let form = match read {
        Ok(form) => form,
        Err(problem) => return problem::page(visit, problem).await,
    };
    match Visitor::of(&visit.state.app, visit.state.cookies, &visit.parts.headers).await {
        Ok(visitor) => visit.meet(visitor),
        Err(_) => return problem::page(visit, problem::UNAVAILABLE).await,
    }
    visit.count_messages().await;
    let form = &form;
    let answer: BoxFuture<'_, Response> = match route {
        PostRoute::Login => Box::pin(auth::log_in(visit, form)),
        PostRoute::Register => Box::pin(auth::register(visit, form)),
        PostRoute::ForgotPassword => Box::pin(auth::forgot_password(visit, form)),
        PostRoute::Logout => Box::pin(auth::log_out(visit)),
        PostRoute::Theme => return theme::choose(visit, form),
        PostRoute::Language => return language::choose(visit, form),
        PostRoute::Banner => return banner::submit(visit, form),
        PostRoute::ResetPassword => Box::pin(reset_password::submit(visit, form)),
        PostRoute::Inquire(program) => Box::pin(inquire::submit(visit, program, form)),
        PostRoute::ConfirmInquiry => Box::pin(inquire::submit_link(visit, form)),
        PostRoute::Unsubscribe => Box::pin(unsubscribe::submit(visit, form)),
        PostRoute::OpenDay => Box::pin(open_days::submit(visit, form)),
        PostRoute::OpenDayBooking => Box::pin(open_days::submit_booking(visit, form)),
        PostRoute::Reference => Box::pin(reference::submit(visit, form)),
        PostRoute::Start(program) => Box::pin(application::start(visit, program)),
        PostRoute::Application(program) => Box::pin(application::submit(visit, program, form)),
        PostRoute::Section(program, section) => Box::pin(section::submit(visit, program, section, form)),
        PostRoute::Check(program) => Box::pin(check::submit(visit, program, form)),
        PostRoute::Fee(program) => Box::pin(fee::submit(visit, program, form)),
        PostRoute::Schedule => Box::pin(schedule::submit(visit, form)),
        PostRoute::Dashboard => Box::pin(dashboard::submit(visit, form)),
        PostRoute::Documents => Box::pin(documents::submit(visit, form)),
        PostRoute::References => Box::pin(references::submit(visit, form)),
        PostRoute::Funding => Box::pin(funding::submit(visit, form)),
        PostRoute::Payments => Box::pin(funding::submit_payments(visit, form)),
        PostRoute::Messages => Box::pin(messages::submit(visit, form)),
        PostRoute::Account => Box::pin(account::submit(visit, form)),
        PostRoute::ChangeEmail => Box::pin(change_email::submit(visit, form)),
        PostRoute::CloseAccount => Box::pin(close_account::submit(visit, form)),
        PostRoute::SecondFactor => Box::pin(second_factor::submit(visit, form)),
        PostRoute::LoginCode => Box::pin(second_factor::give_code(visit, form)),
        PostRoute::Passkeys => Box::pin(passkeys::submit(visit, form)),
        PostRoute::LoginPasskey => Box::pin(passkeys::log_in(visit, form)),
        PostRoute::ConfirmEmail => Box::pin(change_email::submit_link(visit, form)),
        PostRoute::PersonalData => Box::pin(account::download(visit, form)),
        PostRoute::Contract => Box::pin(contract::submit(visit, form)),
        PostRoute::Verify => Box::pin(verify::submit(visit, form)),
    };
    answer.await
}

/// Returns 405 with `Allow` if the path exists for another method, 404 otherwise.
async fn wrong_method(visit: &Visit, path: &str) -> Response {
    // A form's own address is also where a reload or a bookmark of its response leads.
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
    /// Builds a page of this visit.
    pub fn page(&self, screen: Screen, status: StatusCode, head: page::Head) -> Page {
        Page { screen, status: status.as_u16(), head, shared: self.shared() }
    }

    /// Sets who is visiting.
    fn meet(&mut self, visitor: Visitor) {
        self.visitor = visitor;
        self.client.language = self.language();
    }

    /// Counts the unread messages for the dashboard's menu.
    async fn count_messages(&mut self) {
        let has_menu = self.path.starts_with("/dashboard/")
            || self.path == "/schedule"
            || matches!(Route::parse(&self.path), Route::Fee(_));
        let Some(who) = self.visitor.signed_in.as_ref().filter(|_| has_menu) else { return };
        match self.state.app.unread_messages(who).await {
            Ok(count) => self.visitor.unread_messages = count,
            // Only the number is then missing.
            Err(error) => form::log(&error),
        }
    }

    fn shared(&self) -> Shared {
        let settings = &self.state.app.settings;
        let path = match self.parts.uri.query() {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.clone(),
        };
        let fault = self.fault();
        let banner = self.banner();
        Shared {
            path,
            program: self.program,
            viewer: self.visitor.viewer(),
            office: self
                .visitor
                .staff
                .as_ref()
                .map(|who| Box::new(admin::info(who, self.visitor.own_tasks, self.now()))),
            theme: self.visitor.theme,
            language: self.language(),
            institute: settings.institute.clone(),
            contact_email: settings.contact_email.clone(),
            development: settings.development,
            passkeys: self.state.app.has_passkeys(),
            sign_on: if self.is_office() { Vec::new() } else { self.sign_on_links() },
            fault,
            banner,
        }
    }

    fn sign_on_links(&self) -> Vec<SignOnLink> {
        let link = |(id, name): &(String, String)| SignOnLink { href: sign_on::address(id), name: name.clone() };
        self.sign_on.iter().map(link).collect()
    }

    /// Returns the banner above the pages of applicants, unless it was dismissed.
    fn banner(&self) -> Option<page::BannerInfo> {
        let banner = self.product.banner.as_ref().filter(|banner| banner.shows_on(apply::today(self)))?;
        let is_shown = !self.is_office() && banner::put_away(&self.parts.headers) != Some(banner.version);
        is_shown.then(|| page::BannerInfo { version: banner.version, text: banner.text.clone() })
    }

    fn is_office(&self) -> bool {
        admin::is_office(&self.path)
    }

    /// Returns the fault that a development run is asked for.
    pub fn fault(&self) -> Option<String> {
        self.query("fault").filter(|_| self.state.app.settings.development)
    }

    /// Returns the first value of a query parameter.
    pub fn query(&self, name: &str) -> Option<String> {
        let query = self.parts.uri.query()?;
        url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    /// Appends the institute's name to the title of a page.
    pub fn title(&self, title: &Sentence) -> String {
        format!("{} – {}", title.in_language(self.language()), self.state.app.settings.institute)
    }

    /// Returns the head of a page that search engines do not keep.
    pub fn private_head(&self, title: impl Into<Sentence>) -> page::Head {
        page::Head { title: self.title(&title.into()), robots: Some("noindex"), ..page::Head::default() }
    }

    pub fn now(&self) -> domain::moments::Millis {
        self.state.app.clock.now()
    }
}
