//! The target of an invitation's link. Looking at it uses up nothing: mail scanners open links.

use axum::http::StatusCode;
use axum::response::Response;

use super::login::entered_with;
use crate::page::{FormState, Screen};
use crate::props::office::access::{AdminInvitationProps, Invited};
use crate::{Form, Visit, problem, respond};
use app::Error;
use app::accounts::sessions::Secrets;
use domain::input::{FieldError, Input};

pub async fn show(visit: &Visit, _: &Form) -> Response {
    let token = visit.query("token").unwrap_or_default();
    respond(visit, token, FormState::default(), StatusCode::OK).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    match take(visit, form).await {
        Ok(secrets) => entered_with(visit, wire::staff_login_cookies(visit.state.cookies, &secrets)),
        Err(error) => respond(visit, form.get("token").to_owned(), form.refused(&error), problem::status(&error)).await,
    }
}

async fn take(visit: &Visit, form: &Form) -> Result<Secrets, Error> {
    if form.get("password") != form.get("passwordRepeat") {
        return Err(FieldError::new("passwordRepeat", "passwordRepeat.mismatch", "Passwords do not match").into());
    }
    let input = Input::Map(form.input(&["token", "name", "password"]));
    visit.state.app.take_invitation(&input, &visit.client).await
}

async fn respond(visit: &Visit, token: String, form: FormState, status: StatusCode) -> Response {
    let invited = match visit.state.app.look_at_invitation(&token).await {
        Ok(invited) => invited,
        Err(error) => {
            crate::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let status = if invited.is_none() && status == StatusCode::OK { StatusCode::NOT_FOUND } else { status };
    let invited = invited.map(|(email, role)| Invited { email, role: role.title(), purpose: role.purpose() });
    let head = visit.private_head("Your invitation");
    let props = AdminInvitationProps { token, invited, form };
    respond::page(visit, visit.page(Screen::AdminInvitation(props), status, head)).await
}
