//! Pages of the office, `/admin-panel/…`. Nothing is open by default: a page exists only with a row in
//! [`routes`](table::routes), whose gate is checked before its handler runs, and a stranger is sent to the login
//! whether it exists or not.
//!
//! To add a page: its row in `table.rs` (which also adds it to the sidebar, if the sidebar has an item for it), its
//! props beside it or in `props/office`, a loader here, `make generate` for the client's types, a screen in
//! `client/routes/admin-….tsx`, its row and path in `client/office-screens.ts`.

mod account;
mod admins;
mod api_keys;
pub mod applications;
pub mod calendar_feed;
mod committee;
pub mod contracts;
mod decisions;
mod deliveries;
pub mod dossier;
mod fee_codes;
pub mod finance;
mod forgotten;
mod identity_providers;
mod imports;
mod insight;
pub mod interviews;
mod invitation;
mod login;
mod open_days;
mod passkeys;
mod prospects;
mod questionnaires;
mod second_factor;
mod settings;
mod sign_on;
mod step_up;
pub mod table;
mod texts;
mod waitlist;
mod webhooks;
mod work;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Request, StatusCode, header};
use axum::response::Response;

use super::page::{Head, Screen};
use super::props::office::access::OfficeInfo;
use super::{Form, Visit, problem, respond};
use domain::import::MAX_FILE;
use domain::listing::Counted;
use domain::moments::Millis;
use domain::permission::{Gate, Turned};
use domain::sentence::Sentence;
use domain::staff::StaffSession;
use table::{Handler, Route};
use wire::{CookieSettings, RouteLabel};

/// The root of the office.
pub const ROOT: &str = "/admin-panel";
pub const LOGIN: &str = "/admin-panel/login";
/// The page after a login without a requested page.
pub const HOME: &str = work::PATH;
const SET_UP: &str = "/admin-panel/account/second-factor";

/// Whether the path belongs to the office.
pub fn is_office(path: &str) -> bool {
    path.strip_prefix(ROOT).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A request that was let through its gate.
#[derive(Clone, Copy)]
pub struct Office<'a> {
    pub visit: &'a Visit,
    pub who: &'a StaffSession,
    /// The value of `{id}` in the path; empty without one.
    pub id: &'a str,
}

impl Office<'_> {
    /// Returns the page of a screen. Search engines never keep it.
    pub async fn page(&self, screen: Screen, title: &str, status: StatusCode) -> Response {
        self.page_with(screen, self.visit.private_head(Sentence::plain(title)), status).await
    }

    /// Returns a page that changes by itself: without JavaScript it is loaded again every few seconds.
    pub async fn changing_page(&self, screen: Screen, title: &str, status: StatusCode) -> Response {
        let head = Head { is_changing: true, ..self.visit.private_head(Sentence::plain(title)) };
        self.page_with(screen, head, status).await
    }

    async fn page_with(&self, screen: Screen, head: Head, status: StatusCode) -> Response {
        let mut response = respond::page(self.visit, self.visit.page(screen, status, head)).await;
        let save = step_up::to_save(self.visit).and_then(|file| HeaderValue::try_from(format!("0; url={file}")).ok());
        if let Some(save) = save {
            response.headers_mut().insert(header::REFRESH, save);
        }
        response
    }

    /// Returns the page for an error on our side.
    pub async fn unavailable(&self, error: &app::Error) -> Response {
        problem::unavailable(self.visit, error).await
    }

    /// Returns the time zone that the office uses for times.
    pub fn zone(&self) -> &str {
        &self.visit.state.app.settings.time_zone
    }
}

/// Answers every request for the office.
pub async fn handle(visit: &mut Visit, body: Body) -> Response {
    if visit.parts.method == Method::POST && imports::takes_file(visit) {
        return Box::pin(take_file(visit, body)).await;
    }
    let form = match visit.parts.method {
        Method::GET | Method::HEAD => Form::default(),
        Method::POST => match read(visit, body).await {
            Ok(form) => form,
            Err(problem) => return problem::page(visit, problem).await,
        },
        _ => return wrong_method(visit).await,
    };
    if let Err(error) = recognise(visit).await {
        super::form::log(&error);
        return problem::page(visit, problem::UNAVAILABLE).await;
    }
    respond(visit, &form).await
}

async fn read(visit: &Visit, body: Body) -> Result<Form, problem::Problem> {
    check_origin(visit)?;
    let mut request = Request::new(body);
    *request.headers_mut() = visit.parts.headers.clone();
    Form::read(request).await
}

fn check_origin(visit: &Visit) -> Result<(), problem::Problem> {
    let is_ours = wire::same_origin(&visit.parts.headers, &visit.state.app.settings.public_url);
    if is_ours { Ok(()) } else { Err(problem::OTHER_ORIGIN) }
}

/// Answers a form with a file, which is only read from users who may send it.
async fn take_file(visit: &mut Visit, body: Body) -> Response {
    if let Err(problem) = check_origin(visit) {
        return problem::page(visit, problem).await;
    }
    if let Err(error) = recognise(visit).await {
        super::form::log(&error);
        return problem::page(visit, problem::UNAVAILABLE).await;
    }
    let is_admitted = |who: &StaffSession| {
        let found = table::find("POST", &visit.path);
        found.is_some_and(|(route, _)| route.gate.admit(&who.standing(visit.now())).is_ok())
    };
    let form = match visit.visitor.staff.as_deref().is_some_and(is_admitted) {
        true => match Form::read_with_file(&visit.parts.headers, body, MAX_FILE).await {
            Ok(form) => form,
            Err(problem) => return problem::page(visit, problem).await,
        },
        false => Form::default(),
    };
    respond(visit, &form).await
}

/// Finds out who is signed in. The applicants' cookie does not count here.
async fn recognise(visit: &mut Visit) -> Result<(), app::Error> {
    visit.visitor.staff = match wire::staff_cookie(visit.state.cookies, &visit.parts.headers) {
        Some(cookie) => visit.state.app.staff_of_cookie(cookie).await?.map(Box::new),
        None => None,
    };
    if let Some(who) = &visit.visitor.staff {
        visit.visitor.own_tasks = visit.state.app.own_tasks(&who.staff).await.map(Some)?;
    }
    Ok(())
}

/// Checks the gate of the path, and runs its handler.
async fn respond(visit: &Visit, form: &Form) -> Response {
    let method = if visit.parts.method == Method::POST { "POST" } else { "GET" };
    let found = table::find(method, &visit.path);
    if let Some((Route { handler: Handler::Open(handler), path, .. }, _)) = found {
        return labelled(handler(visit, form).await, path);
    }
    let Some(who) = &visit.visitor.staff else { return to_login(visit) };
    // A missing page gets the gate of any member of staff, so that nobody else learns that it is missing.
    let gate = found.map_or(Gate::STAFF, |(route, _)| route.gate.for_act(form.get("_action")));
    let response = match gate.admit(&who.standing(visit.now())) {
        Err(turned) => turn(visit, turned, form).await,
        Ok(()) => {
            if let Err(error) = visit.state.app.admit(gate, who).await {
                super::form::log(&error);
                return problem::page(visit, problem::UNAVAILABLE).await;
            }
            match found {
                Some((Route { handler: Handler::Closed(handler), .. }, id)) => {
                    handler(Office { visit, who, id }, form).await
                }
                _ if visit.path == ROOT => return respond::redirect(visit, HOME),
                _ => return wrong_method(visit).await,
            }
        }
    };
    let Some((Route { path, .. }, _)) = found else { return response };
    if response.status() == StatusCode::FORBIDDEN {
        visit.state.app.note_refusal(who, &format!("{method} {path}"), &visit.client).await;
    }
    labelled(response, path)
}

/// Returns what a signed-in user gets instead of a page they may not have.
async fn turn(visit: &Visit, turned: Turned, form: &Form) -> Response {
    let is_post = visit.parts.method == Method::POST;
    match turned {
        // Pages know cookies alone, and no keys.
        Turned::Role | Turned::Key => problem::page(visit, problem::ROLE_FORBIDDEN).await,
        Turned::SecondFactor if is_post => respond::see_other(SET_UP),
        Turned::SecondFactor => respond::redirect(visit, SET_UP),
        Turned::Idle | Turned::StepUp if is_post => step_up::ask(visit, form).await,
        Turned::Idle | Turned::StepUp => {
            let wanted = visit.parts.uri.path_and_query().map_or(ROOT, |wanted| wanted.as_str());
            respond::redirect(visit, &step_up::address(wanted))
        }
    }
}

/// Redirects with 302 to the login, which leads back to the requested page.
fn to_login(visit: &Visit) -> Response {
    let settings = visit.state.cookies;
    if visit.parts.method == Method::POST {
        return respond::see_other(LOGIN);
    }
    let mut response = respond::redirect(visit, LOGIN);
    let wanted = visit.parts.uri.path_and_query().map_or(ROOT, |wanted| wanted.as_str());
    if wanted != ROOT && wanted.len() <= 500 {
        response.headers_mut().append(header::SET_COOKIE, wire::set_wanted_cookie(settings, wanted));
    }
    response
}

/// Returns where a login leads: to the page requested before, else to the first page.
fn after_login(settings: CookieSettings, parts: &Parts) -> String {
    let wanted = wire::wanted(settings, &parts.headers).filter(|wanted| {
        let path = wanted.split('?').next().unwrap_or_default();
        path != LOGIN && matches!(table::find("GET", path), Some((Route { handler: Handler::Closed(_), .. }, _)))
    });
    wanted.unwrap_or_else(|| HOME.to_owned())
}

/// Returns 405 with `Allow` if the path exists for another method, 404 otherwise; for staff only.
async fn wrong_method(visit: &Visit) -> Response {
    if visit.visitor.staff.is_none() {
        return to_login(visit);
    }
    let allow = match (table::find("GET", &visit.path).is_some(), table::find("POST", &visit.path).is_some()) {
        (true, true) => "GET, HEAD, POST",
        (true, false) => "GET, HEAD",
        (false, true) => "POST",
        (false, false) => return problem::page(visit, problem::NO_OFFICE_PAGE).await,
    };
    let mut response = problem::page(visit, problem::WRONG_METHOD).await;
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allow));
    response
}

fn labelled(mut response: Response, path: &'static str) -> Response {
    response.extensions_mut().insert(RouteLabel(path));
    response
}

/// Returns what every page of the office knows about the user; if their session is idle, nothing but the address.
pub fn info(who: &StaffSession, own_tasks: Option<Counted>, now: Millis) -> OfficeInfo {
    let staff = &who.staff;
    let standing = who.standing(now);
    let menu = table::MENU.iter().filter(|(_, gate)| gate.shows_to(&standing)).map(|(path, _)| *path);
    let menu = menu.filter(|path| *path != work::PATH || work::is_for(staff.role));
    OfficeInfo {
        name: staff.name.clone(),
        email: staff.email.clone(),
        role: staff.role.title(),
        tasks: own_tasks.filter(|count| count.number > 0).map(applications::counted).unwrap_or_default(),
        menu: if standing.idle || standing.lacks_second_factor { Vec::new() } else { menu.collect() },
    }
}
