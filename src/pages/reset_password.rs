//! Setting a new password with a mailed link or code. Looking at the page uses up nothing: mail scanners open links.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::Screen;
use super::props::auth::ResetPasswordProps;
use super::{Form, Visit, problem, respond};
use app::Error;
use app::accounts::passwords::RESET_DONE;
use domain::input::{FieldError, Input};
use domain::text;

pub async fn show(visit: &Visit) -> Response {
    let token = visit.query("token").unwrap_or_default();
    let mut props = ResetPasswordProps { token, ..ResetPasswordProps::default() };
    // Nobody has to choose a password for a dead link.
    if !props.token.is_empty()
        && let Err(error @ Error::Invalid(_)) = visit.state.app.check_reset(&props.token).await
    {
        props.form = Form::default().refused(&error);
    }
    respond(visit, props, StatusCode::OK).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let token = form.get("token").to_owned();
    let result = if form.get("password") == form.get("passwordRepeat") {
        visit.state.app.reset_password(&Input::Map(form.input(&["token", "password"]))).await
    } else {
        Err(Error::from(FieldError::new("passwordRepeat", "passwordRepeat.mismatch", text!("Passwords do not match"))))
    };
    match result {
        Ok(device) => {
            let mut props = ResetPasswordProps { done: true, ..ResetPasswordProps::default() };
            props.form.message = Some(RESET_DONE);
            let response = respond(visit, props, StatusCode::OK).await;
            let cookies = visit.state.cookies;
            // Every session of the account has ended, including this browser's if it was one of them.
            let ended = visit.visitor.signed_in.as_ref().map(|_| wire::clear_session_cookie(cookies));
            respond::with_cookies(response, ended.into_iter().chain([wire::set_device_cookie(cookies, &device)]))
        }
        Err(error) => {
            let props = ResetPasswordProps { token, done: false, form: form.refused(&error) };
            respond(visit, props, problem::status(&error)).await
        }
    }
}

async fn respond(visit: &Visit, props: ResetPasswordProps, status: StatusCode) -> Response {
    let head = visit.private_head(text!("Reset password"));
    respond::page(visit, visit.page(Screen::ResetPassword(props), status, head)).await
}
