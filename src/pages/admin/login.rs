//! The login of the office: the password, then a code where there is a second factor.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::super::page::{FormState, Screen};
use super::super::props::office::access::{AdminLoginProps, LoginStep};
use super::super::{Form, Visit, problem, respond};
use super::{HOME, LOGIN, Office, after_login};
use crate::app::{Error, Refusal};
use crate::domain::input::Input;
use crate::http::wire;

pub async fn show(visit: &Visit, _: &Form) -> Response {
    if let Some(who) = &visit.visitor.staff
        && !who.standing(visit.now()).idle
    {
        return respond::redirect(visit, HOME);
    }
    let awaits = match wire::staff_cookie(visit.state.cookies, &visit.parts.headers) {
        Some(cookie) => visit.state.app.awaited_staff_code(cookie).await,
        None => Ok(None),
    };
    match awaits {
        Ok(awaits) => {
            let step = if awaits.is_some() { LoginStep::Code } else { LoginStep::Password };
            answer(visit, step, FormState::default(), StatusCode::OK).await
        }
        Err(error) => {
            super::super::form::log(&error);
            problem::page(visit, problem::UNAVAILABLE).await
        }
    }
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    match form.get("_action") {
        "code" => give_code(visit, form).await,
        "restart" => respond::see_other_with(LOGIN, [wire::clear_staff_cookie(visit.state.cookies)]),
        _ => give_password(visit, form).await,
    }
}

async fn give_password(visit: &Visit, form: &Form) -> Response {
    let input = Input::Map(form.input(&["email", "password"]));
    match visit.state.app.log_in_staff(&input, &visit.client).await {
        Ok(entered) => {
            let cookies = wire::staff_login_cookies(visit.state.cookies, &entered.secrets);
            if entered.awaits_code { respond::see_other_with(LOGIN, cookies) } else { entered_with(visit, cookies) }
        }
        Err(error) => answer(visit, LoginStep::Password, form.refused(&error), problem::status(&error)).await,
    }
}

async fn give_code(visit: &Visit, form: &Form) -> Response {
    let cookie = wire::staff_cookie(visit.state.cookies, &visit.parts.headers).unwrap_or_default();
    let input = Input::Map(form.input(&["code"]));
    match visit.state.app.finish_staff_login(cookie, &input).await {
        Ok(()) => entered_with(visit, []),
        Err(Error::Refused(Refusal::LoginRequired)) => {
            let sentence = "You gave your password too long ago. Log in again.";
            let state = FormState { error: Some(sentence.into()), ..FormState::default() };
            answer(visit, LoginStep::Password, state, StatusCode::UNAUTHORIZED).await
        }
        Err(error) => answer(visit, LoginStep::Code, form.refused(&error), problem::status(&error)).await,
    }
}

/// 303 to what was wanted.
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

/// A bearer token for the calls of a page: `{token}`. Here and not below `/api`, so that the cookie never leaves the
/// office's pages.
pub async fn token(visit: &Visit, _: &Form) -> Response {
    let cookie = wire::staff_cookie(visit.state.cookies, &visit.parts.headers).unwrap_or_default();
    let (status, json) = match visit.state.app.renew_staff_token(cookie).await {
        Ok(token) => (StatusCode::OK, serde_json::json!({ "token": token })),
        Err(error) => {
            super::super::form::log(&error);
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

async fn answer(visit: &Visit, step: LoginStep, form: FormState, status: StatusCode) -> Response {
    let head = visit.private_head("Staff login");
    let props = AdminLoginProps { step, form };
    respond::page(visit, visit.page(Screen::AdminLogin(props), status, head)).await
}
