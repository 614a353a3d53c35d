//! Applicants log in with an identity provider: to it, and back.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{FormState, Typed};
use super::props::auth::AuthMode;
use super::{Form, Visit, apply, auth, problem, respond};
use app::Error;
use app::accounts::sign_on::{ApplicantSignedOn, SignOnOutcome};
use app::sign_on::SignOnAnswer;
use domain::program::Program;
use domain::redirect;
use domain::session::Audience;
use domain::text;

const PATH: &str = "/login/sign-on/";

/// Returns where to log in with a provider.
pub fn address(provider_id: &str) -> String {
    format!("{PATH}{provider_id}")
}

/// Sends the browser to the provider.
pub async fn begin(visit: &Visit) -> Response {
    let provider = visit.path.strip_prefix(PATH).unwrap_or_default();
    let to = visit.query("redirect").and_then(|wanted| redirect::target(&wanted, visit.program));
    match visit.state.app.begin_applicant_sign_on(provider, to.clone()).await {
        Ok(begun) => {
            let cookie = wire::set_sign_on_cookie(visit.state.cookies, Audience::Applicant, &begun.cookie);
            respond::with_cookies(respond::redirect(visit, &begun.url), [cookie])
        }
        Err(error) => refuse(visit, to.as_deref(), &error).await,
    }
}

/// The browser is back.
pub async fn finish(visit: &Visit) -> Response {
    let (settings, headers) = (visit.state.cookies, &visit.parts.headers);
    let (state, code, issuer) = (visit.query("state").unwrap_or_default(), visit.query("code"), visit.query("iss"));
    let answer = SignOnAnswer { state: &state, code: code.as_deref(), issuer: issuer.as_deref() };
    let begun = wire::sign_on_cookie(settings, Audience::Applicant, headers);
    let response = match visit.state.app.finish_applicant_sign_on(begun, answer, &visit.client).await {
        Ok(ApplicantSignedOn { outcome, to }) => match outcome {
            SignOnOutcome::LoggedIn(logged_in) => {
                let program = to.as_deref().and_then(Program::of_path).unwrap_or(visit.program);
                auth::logged_in(visit, program, to.as_deref().unwrap_or_default(), &logged_in)
            }
            SignOnOutcome::Unknown { provider, email, first_name, last_name } => {
                let typed = [("email", email), ("firstName", first_name), ("lastName", last_name)];
                let values = typed.map(|(name, value)| (name.to_owned(), Typed::One(value)));
                let sentence = text!(
                    "There is no account with this email yet. Create one here. Once you have confirmed your email, you can log in with {provider}.",
                    provider
                );
                let form =
                    FormState { values: BTreeMap::from(values), message: Some(sentence), ..FormState::default() };
                dialog(visit, AuthMode::Register, to.as_deref(), form, StatusCode::OK).await
            }
        },
        Err(error) => {
            let to = begun.and_then(|begun| visit.state.app.wanted_of_sign_on(Audience::Applicant, begun));
            refuse(visit, to.as_deref(), &error).await
        }
    };
    respond::with_cookies(response, [wire::clear_sign_on_cookie(settings, Audience::Applicant)])
}

async fn refuse(visit: &Visit, to: Option<&str>, error: &Error) -> Response {
    dialog(visit, AuthMode::Login, to, Form::default().refused(error), problem::status(error)).await
}

async fn dialog(visit: &Visit, mode: AuthMode, to: Option<&str>, form: FormState, status: StatusCode) -> Response {
    let program = to.and_then(Program::of_path).unwrap_or(visit.program);
    let mut page = apply::page(visit, program, Some(apply::dialog(mode, to, program, form)), status).await;
    // The address of this page works once.
    page.shared.path = format!("/{}/apply?dialog={}", program.path(), mode.as_str());
    page.shared.program = program;
    respond::page(visit, page).await
}
