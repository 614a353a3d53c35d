//! The login of the office: the password, then the second factor if there is one; or just a passkey.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::{HOME, LOGIN, Office, after_login, sign_on};
use crate::page::{FormState, Screen};
use crate::passkeys::answer_of;
use crate::props::office::access::{AdminLoginProps, LoginStep, SignOnLink};
use crate::{Form, Visit, problem, respond};
use app::{Error, Refusal};
use domain::input::Input;
use domain::session::Audience;

pub async fn show(visit: &Visit, _: &Form) -> Response {
    if let Some(who) = &visit.visitor.staff
        && !who.standing(visit.now()).idle
    {
        return respond::redirect(visit, HOME);
    }
    respond(visit, FormState::default(), StatusCode::OK).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    match form.get("_action") {
        "code" => give_second_factor(visit, form).await,
        "passkey" => give_passkey(visit, form).await,
        "restart" => respond::see_other_with(LOGIN, [wire::clear_staff_cookie(visit.state.cookies)]),
        _ => give_password(visit, form).await,
    }
}

async fn give_password(visit: &Visit, form: &Form) -> Response {
    let input = Input::Map(form.input(&["email", "password"]));
    match visit.state.app.log_in_staff(&input, &visit.client).await {
        Ok(entered) => {
            let cookies = wire::staff_login_cookies(visit.state.cookies, &entered.secrets);
            if entered.awaits_second_factor {
                respond::see_other_with(LOGIN, cookies)
            } else {
                entered_with(visit, cookies)
            }
        }
        Err(error) => first_step(visit, form.refused(&error), problem::status(&error)).await,
    }
}

async fn give_passkey(visit: &Visit, form: &Form) -> Response {
    let given = answer_of(form).unwrap_or_default();
    match visit.state.app.log_in_staff_with_passkey(&given, &visit.client).await {
        Ok(entered) => entered_with(visit, wire::staff_login_cookies(visit.state.cookies, &entered.secrets)),
        Err(error) => first_step(visit, form.refused(&error), problem::status(&error)).await,
    }
}

async fn give_second_factor(visit: &Visit, form: &Form) -> Response {
    let cookie = wire::staff_cookie(visit.state.cookies, &visit.parts.headers).unwrap_or_default();
    let input = Input::Map(form.input(&["code"]));
    match visit.state.app.finish_staff_login(cookie, &input, answer_of(form).as_ref()).await {
        Ok(()) => entered_with(visit, []),
        Err(Error::Refused(Refusal::LoginRequired)) => {
            let sentence = "Too much time has passed since you entered your password. Log in again.";
            let state = FormState { error: Some(sentence.into()), ..FormState::default() };
            first_step(visit, state, StatusCode::UNAUTHORIZED).await
        }
        Err(error) => respond(visit, form.refused(&error), problem::status(&error)).await,
    }
}

/// Redirects with 303 to the requested page.
pub(super) fn entered_with(visit: &Visit, cookies: impl IntoIterator<Item = HeaderValue>) -> Response {
    let wanted =
        wire::wanted(visit.state.cookies, &visit.parts.headers).map(|_| wire::clear_wanted_cookie(visit.state.cookies));
    respond::see_other_with(&after_login(visit.state.cookies, &visit.parts), cookies.into_iter().chain(wanted))
}

pub async fn log_out(office: Office<'_>, _: &Form) -> Response {
    let visit = office.visit;
    match visit.state.app.log_out_staff(office.who).await {
        Ok(()) => respond::see_other_with(LOGIN, [wire::clear_staff_cookie(visit.state.cookies)]),
        Err(error) => office.unavailable(&error).await,
    }
}

/// Returns a bearer token for the calls of a page: `{token}`. Here and not below `/api`, so that the cookie never
/// leaves the office's pages.
pub async fn token(visit: &Visit, _: &Form) -> Response {
    let cookie = wire::staff_cookie(visit.state.cookies, &visit.parts.headers).unwrap_or_default();
    let (status, json) = match visit.state.app.renew_staff_token(cookie).await {
        Ok(token) => (StatusCode::OK, serde_json::json!({ "token": token })),
        Err(error) => {
            crate::form::log(&error);
            let code = match &error {
                Error::Refused(refusal) => refusal.code(),
                _ => "storage.unavailable",
            };
            (problem::status(&error), serde_json::json!({ "code": code, "error": error.sentence() }))
        }
    };
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, json.to_string()).into_response()
}

/// Returns the step that the browser has reached.
async fn respond(visit: &Visit, form: FormState, status: StatusCode) -> Response {
    let app = &visit.state.app;
    let found = async {
        let Some(cookie) = wire::staff_cookie(visit.state.cookies, &visit.parts.headers) else { return Ok(None) };
        let Some(waiting) = app.awaited_staff_second_factor(cookie).await? else { return Ok(None) };
        let passkey = app.ask_staff_passkey(&waiting).await?;
        Ok::<_, Error>(Some((waiting, passkey)))
    };
    match found.await {
        Ok(Some((waiting, passkey))) => {
            let authenticator_app = waiting.staff.code_seed.is_some();
            let passkey = passkey.map(Into::into);
            page(visit, AdminLoginProps { authenticator_app, passkey, ..step(LoginStep::Code, form) }, status).await
        }
        Ok(None) => first_step(visit, form, status).await,
        Err(error) => {
            crate::form::log(&error);
            problem::page(visit, problem::UNAVAILABLE).await
        }
    }
}

pub(super) async fn first_step(visit: &Visit, form: FormState, status: StatusCode) -> Response {
    let app = &visit.state.app;
    let providers = match app.sign_on_choices().await {
        Ok(choices) => choices.into_iter().map(|(id, name)| SignOnLink { href: sign_on::address(&id), name }).collect(),
        Err(error) => {
            crate::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let passkey = app.ask_any_passkey(Audience::Admin).map(Into::into);
    page(visit, AdminLoginProps { passkey, providers, ..step(LoginStep::Password, form) }, status).await
}

/// After an identity provider: the page that is next is `to`; without it, the form in the other tab.
pub(super) async fn done(visit: &Visit, to: Option<String>) -> Response {
    page(visit, AdminLoginProps { to, ..step(LoginStep::Done, FormState::default()) }, StatusCode::OK).await
}

fn step(step: LoginStep, form: FormState) -> AdminLoginProps {
    AdminLoginProps { step, authenticator_app: false, passkey: None, providers: Vec::new(), to: None, form }
}

async fn page(visit: &Visit, props: AdminLoginProps, status: StatusCode) -> Response {
    let head = visit.private_head("Staff login");
    respond::page(visit, visit.page(Screen::AdminLogin(Box::new(props)), status, head)).await
}
