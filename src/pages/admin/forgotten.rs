//! Forgotten staff passwords: asking for a link, and setting a new password with it. Looking at a page uses up nothing:
//! mail scanners open links.

use axum::http::StatusCode;
use axum::response::Response;

use crate::page::{FormState, Screen};
use crate::props::office::access::{AdminForgottenProps, ForgottenStep};
use crate::{Form, Visit, problem, respond};
use app::Error;
use app::office::staff::{STAFF_RESET_DONE, STAFF_RESET_REQUESTED};
use domain::input::{FieldError, Input};

pub async fn show(visit: &Visit, _: &Form) -> Response {
    respond(visit, ForgottenStep::Ask, String::new(), FormState::default(), StatusCode::OK).await
}

pub async fn ask(visit: &Visit, form: &Form) -> Response {
    let input = Input::Map(form.input(&["email"]));
    match visit.state.app.request_staff_reset(&input, &visit.client).await {
        Ok(()) => {
            let state = FormState { message: Some(STAFF_RESET_REQUESTED.into()), ..FormState::default() };
            respond(visit, ForgottenStep::Asked, String::new(), state, StatusCode::OK).await
        }
        Err(error) => {
            respond(visit, ForgottenStep::Ask, String::new(), form.refused(&error), problem::status(&error)).await
        }
    }
}

pub async fn choose(visit: &Visit, _: &Form) -> Response {
    let token = visit.query("token").unwrap_or_default();
    respond(visit, ForgottenStep::Choose, token, FormState::default(), StatusCode::OK).await
}

pub async fn set(visit: &Visit, form: &Form) -> Response {
    let result = if form.get("password") == form.get("passwordRepeat") {
        visit.state.app.reset_staff_password(&Input::Map(form.input(&["token", "password"]))).await
    } else {
        Err(Error::from(FieldError::new("passwordRepeat", "passwordRepeat.mismatch", "Passwords do not match")))
    };
    match result {
        Ok(device) => {
            let state = FormState { message: Some(STAFF_RESET_DONE.into()), ..FormState::default() };
            let response = respond(visit, ForgottenStep::Done, String::new(), state, StatusCode::OK).await;
            let cookies = visit.state.cookies;
            // Every session of the account has ended, including this browser's if it was one of them.
            let ended = visit.visitor.staff.as_ref().map(|_| wire::clear_staff_cookie(cookies));
            respond::with_cookies(response, ended.into_iter().chain([wire::set_staff_device_cookie(cookies, &device)]))
        }
        Err(error) => {
            let token = form.get("token").to_owned();
            respond(visit, ForgottenStep::Choose, token, form.refused(&error), problem::status(&error)).await
        }
    }
}

async fn respond(visit: &Visit, step: ForgottenStep, token: String, form: FormState, status: StatusCode) -> Response {
    let head = visit.private_head("Staff password");
    let screen = Screen::AdminForgotten(AdminForgottenProps { step, token, form });
    respond::page(visit, visit.page(screen, status, head)).await
}
