//! Asks for the password again, when required and after a pause. The request then continues: a page is opened, and a
//! form that was sent is carried along and handled as if it had just arrived.

use axum::http::StatusCode;
use axum::response::Response;

use super::table::{self, Handler, Route};
use super::{HOME, Office, applications, prospects, sign_on};
use crate::page::{FormState, Screen};
use crate::passkeys::answer_of;
use crate::props::office::access::{AdminStepUpProps, CarriedField, SignOnLink};
use crate::{Form, Visit, problem, respond};
use domain::input::Input;
use domain::staff::StaffSession;

const PATH: &str = "/admin-panel/step-up";
/// Prefix for the names of carried fields.
const CARRIED: &str = "carried.";

/// The parameter that names a file to save.
const SAVE: &str = "save";

/// Returns where to confirm the password and continue to `wanted`.
pub fn address(wanted: &str) -> String {
    let wanted: String = url::form_urlencoded::byte_serialize(wanted.as_bytes()).collect();
    format!("{PATH}?next={wanted}")
}

/// Returns the address if it is an office page to continue to; else staff go to the home page.
fn target(wanted: &str, method: &str) -> Option<String> {
    let path = wanted.split('?').next().unwrap_or_default();
    let is_page = matches!(table::find(method, path), Some((Route { handler: Handler::Closed(_), .. }, _)));
    (is_page && path != PATH && !wanted.contains(char::is_control)).then(|| wanted.to_owned())
}

/// Returns the page of the office to open after a confirmation, if it is one.
pub fn page_to_open(wanted: &str) -> Option<String> {
    target(wanted, "GET").map(|to| offered(&to))
}

/// Returns where to continue: for a file, the page that offers it, which stays open behind it; other pages stay as they
/// are.
fn offered(to: &str) -> String {
    let (path, query) = to.split_once('?').unwrap_or((to, ""));
    let Some((page, _)) = path.rsplit_once('.') else { return to.to_owned() };
    let page = match page {
        applications::PATH | prospects::PATH => page,
        file => file.rsplit_once('/').map_or(HOME, |(page, _)| page),
    };
    let mut query: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    query.push((SAVE.to_owned(), to.to_owned()));
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    format!("{page}?{query}")
}

/// Returns the file to save as soon as its page is shown.
pub fn to_save(visit: &Visit) -> Option<String> {
    let file = visit.query(SAVE)?;
    let is_file = file.split('?').next().is_some_and(|path| path.contains('.'));
    target(&file, "GET").filter(|_| is_file)
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let next = office.visit.query("next").and_then(|next| target(&next, "GET"));
    let to = next.unwrap_or_else(|| HOME.to_owned());
    page(office.visit, office.who, to, None, FormState::default(), StatusCode::OK).await
}

/// Asks before a posted form is handled, instead of answering it.
pub async fn ask(visit: &Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.staff else { return super::to_login(visit) };
    // A password is not carried through a page: it is typed again where it belongs.
    let carried = form.fields().iter().filter(|(name, _)| !name.to_lowercase().contains("password"));
    let fields = carried.map(|(name, value)| CarriedField { name: format!("{CARRIED}{name}"), value: value.clone() });
    let fields = Some(fields.collect());
    page(visit, who, visit.path.clone(), fields, FormState::default(), StatusCode::UNAUTHORIZED).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let is_post = form.get("_method") == "post";
    let to = target(form.get("_to"), if is_post { "POST" } else { "GET" });
    let input = Input::Map(form.input(&["password", "code"]));
    let result = match answer_of(form) {
        Some(passkey) => visit.state.app.step_up_with_passkey(who, &passkey).await,
        // They have confirmed in another tab.
        None if !who.staff.has_password() || form.get("password").is_empty() && who.provider.is_some() => {
            visit.state.app.confirmed_with_provider(who)
        }
        None => visit.state.app.step_up(who, &input, &visit.client).await,
    };
    if let Err(error) = result {
        let fields = is_post.then(|| {
            let fields = form.fields().iter().filter(|(name, _)| name.starts_with(CARRIED));
            fields.map(|(name, value)| CarriedField { name: name.clone(), value: value.clone() }).collect()
        });
        let mut state = form.refused(&error);
        state.values.clear();
        let to = to.unwrap_or_else(|| HOME.to_owned());
        return page(visit, who, to, fields, state, problem::status(&error)).await;
    }
    match to {
        Some(to) if is_post => go_on(visit, to, form).await,
        Some(to) => respond::see_other(&offered(&to)),
        None => respond::see_other(HOME),
    }
}

/// Handles the form that was carried along, behind its own gate.
async fn go_on(visit: &Visit, to: String, form: &Form) -> Response {
    let mut carried = Form::default();
    for (name, value) in form.fields() {
        if let Some(name) = name.strip_prefix(CARRIED) {
            carried.set(name, value);
        }
    }
    let mut again = Visit {
        state: visit.state.clone(),
        parts: visit.parts.clone(),
        client: visit.client.clone(),
        visitor: visit.visitor.clone(),
        path: to.clone(),
        program: visit.program,
        product: visit.product.clone(),
        sign_on: visit.sign_on.clone(),
    };
    let Ok(uri) = to.parse() else { return respond::see_other(HOME) };
    again.parts.uri = uri;
    if let Err(error) = super::recognise(&mut again).await {
        crate::form::log(&error);
        return problem::page(visit, problem::UNAVAILABLE).await;
    }
    Box::pin(super::respond(&again, &carried)).await
}

async fn page(
    visit: &Visit,
    who: &StaffSession,
    to: String,
    fields: Option<Vec<CarriedField>>,
    form: FormState,
    status: StatusCode,
) -> Response {
    let passkey = match visit.state.app.ask_staff_passkey(who).await {
        Ok(passkey) => passkey.map(Into::into),
        Err(error) => {
            crate::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let props = AdminStepUpProps {
        idle: who.standing(visit.now()).idle,
        needs_code: who.staff.has_password() && who.staff.has_second_factor(),
        authenticator_app: who.staff.code_seed.is_some(),
        passkey,
        has_password: who.staff.has_password(),
        provider: who.provider.as_ref().map(|provider| SignOnLink {
            href: sign_on::confirmation(&provider.id, fields.is_none().then_some(to.as_str())),
            name: provider.name.clone(),
        }),
        email: who.staff.email.clone(),
        to,
        fields,
        form,
    };
    let head = visit.private_head("Your password, please");
    respond::page(visit, visit.page(Screen::AdminStepUp(Box::new(props)), status, head)).await
}
