//! The forms of the login dialog, for browsers without JavaScript.

use axum::http::StatusCode;
use axum::response::Response;

use super::props::auth::AuthMode;
use super::{Form, Visit, apply, doubts, problem, respond, second_factor};
use app::accounts::login::{Entered, LoggedIn};
use app::accounts::passwords::RESET_REQUESTED;
use app::{Error, Refusal};
use domain::account::{self, Doubt};
use domain::input::{FieldError, Input};
use domain::program::Program;
use domain::status::Status;
use domain::text;
use domain::{guard, redirect, reference};

/// Returns the program whose page the form was posted from.
fn program(visit: &Visit, form: &Form) -> Program {
    Program::parse(form.get("program")).unwrap_or(visit.program)
}

pub async fn log_in(visit: &Visit, form: &Form) -> Response {
    let input = Input::Map(form.input(&["email", "password"]));
    match visit.state.app.log_in(&input, &visit.client).await {
        Ok(done) => logged_in(visit, program(visit, form), form.get("redirect"), &done),
        Err(error) => refuse(visit, form, AuthMode::Login, &error, Vec::new()).await,
    }
}

pub async fn register(visit: &Visit, form: &Form) -> Response {
    let program = program(visit, form);
    let mut fields = form.input(&["firstName", "lastName", "dateOfBirth", "country", "email", "password"]);
    let country = form.get("country");
    if country == "US" {
        fields.extend(form.input(&["state"]));
    }
    let number = phone_number(country, form.get("phoneNumber"));
    fields.push(("phoneNumber".into(), Input::Text(number)));
    let input = Input::Map(fields);
    let app = &visit.state.app;
    let doubts = account::doubts(&input, None, app.today());
    let mut errors = doubts::open(form, &doubts);
    if form.get("password") != form.get("passwordRepeat") {
        errors.push(FieldError::new("passwordRepeat", "passwordRepeat.mismatch", text!("Passwords do not match")));
    }
    let result = if errors.is_empty() {
        app.register(&input, Some(program), &visit.client).await
    } else {
        Err(doubts::with_errors(form, errors, app.registration_errors(&input)))
    };
    match result {
        Ok(entered) => enter(visit, program, form.get("redirect"), &entered),
        Err(error) => refuse(visit, form, AuthMode::Register, &error, doubts).await,
    }
}

/// Returns the country's first dial code followed by the digits typed; a number typed with its own `+`, or `00`, keeps
/// its country.
pub fn phone_number(country: &str, typed: &str) -> String {
    let typed = typed.trim();
    if typed.is_empty() || typed.starts_with('+') {
        return typed.to_owned();
    }
    if let Some(abroad) = typed.strip_prefix("00") {
        return format!("+{abroad}");
    }
    let dial = reference::country(country).and_then(|country| country.dial.first());
    dial.map_or_else(|| typed.to_owned(), |dial| format!("+{dial}{typed}"))
}

/// Redirects with 303 to the requested page, or to the second step of the login.
pub fn logged_in(visit: &Visit, program: Program, wanted: &str, logged_in: &LoggedIn) -> Response {
    match logged_in {
        LoggedIn::Entered(entered) => enter(visit, program, wanted, entered),
        LoggedIn::AwaitsSecondFactor { cookie } => {
            let cookie = wire::set_login_cookie(visit.state.cookies, cookie);
            respond::see_other_with(&second_factor::code_href(wanted), [cookie])
        }
    }
}

/// Redirects with 303 to the requested page, with the cookies of the session.
pub fn enter(visit: &Visit, program: Program, wanted: &str, entered: &Entered) -> Response {
    let status = entered.application.as_ref().map_or(Status::None, |application| application.status());
    let home = entered.application.as_ref().map_or(program, |application| application.program);
    // The dialog's own default names the program it was opened on, which need not be the application's.
    let other_form = format!("/{}/application", home.other().path());
    let wanted = redirect::target(wanted, home).filter(|target| *target != other_form);
    let to = wanted.unwrap_or_else(|| guard::after_login(status, home));
    respond::see_other_with(&to, wire::login_cookies(visit.state.cookies, &entered.secrets))
}

async fn refuse(visit: &Visit, form: &Form, mode: AuthMode, error: &Error, doubts: Vec<Doubt>) -> Response {
    let program = program(visit, form);
    let redirect = redirect::target(form.get("redirect"), program);
    let mut state = form.refused(error);
    doubts::ask(&mut state, doubts);
    if matches!(error, Error::Refused(Refusal::EmailTaken)) {
        state.errors.push(("email".into(), error.sentence()));
        state.error = None;
    }
    let dialog = apply::dialog(mode, redirect.as_deref(), program, state);
    let page = apply::page(visit, program, Some(dialog), problem::status(error)).await;
    respond::page(visit, page).await
}

pub async fn forgot_password(visit: &Visit, form: &Form) -> Response {
    let program = program(visit, form);
    let input = Input::Map(form.input(&["email"]));
    let (state, status) = match visit.state.app.request_reset(&input, &visit.client).await {
        Ok(()) => {
            let mut state = form.state();
            state.message = Some(RESET_REQUESTED);
            (state, StatusCode::OK)
        }
        Err(error) => (form.refused(&error), problem::status(&error)),
    };
    let dialog = apply::dialog(AuthMode::ForgotPassword, None, program, state);
    let page = apply::page(visit, program, Some(dialog), status).await;
    respond::page(visit, page).await
}

pub async fn log_out(visit: &Visit) -> Response {
    if let Some(who) = &visit.visitor.signed_in
        && let Err(error) = visit.state.app.log_out(who).await
    {
        super::form::log(&error);
        return problem::page(visit, problem::UNAVAILABLE).await;
    }
    let cookie = wire::clear_session_cookie(visit.state.cookies);
    respond::see_other_with(&format!("/{}/apply", visit.program.path()), [cookie])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_dial_code_and_the_digits_typed() {
        assert_eq!(phone_number("US", "555 010 0199"), "+1555 010 0199");
        assert_eq!(phone_number("DE", "30 123456"), "+4930 123456");
        assert_eq!(phone_number("DE", "+44 20 123456"), "+44 20 123456");
        assert_eq!(phone_number("US", "0049 30 123456"), "+49 30 123456");
        assert_eq!(phone_number("XX", "123"), "123");
        assert_eq!(phone_number("US", " "), "");
    }
}
