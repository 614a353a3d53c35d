//! Logging in with an identity provider: to it, and back.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::{LOGIN, login, step_up};
use crate::page::FormState;
use crate::{Form, Visit, problem, respond};
use app::sign_on::SignOnAnswer;
use domain::session::Audience;

const PATH: &str = "/admin-panel/sign-on/";
/// The parameter of a confirmation.
const CONFIRM: &str = "confirm";

/// Returns where to log in with a provider.
pub fn address(provider_id: &str) -> String {
    format!("{PATH}{provider_id}")
}

/// Returns where to confirm with a provider, and continue to `to`; without it, the form in the other tab goes on.
pub fn confirmation(provider_id: &str, to: Option<&str>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair(CONFIRM, "yes").extend_pairs(to.map(|to| ("to", to)));
    format!("{PATH}{provider_id}?{}", query.finish())
}

/// Sends the browser to the provider.
pub async fn begin(visit: &Visit, _: &Form) -> Response {
    let provider = visit.path.strip_prefix(PATH).unwrap_or_default();
    let confirm = visit.visitor.staff.as_deref().filter(|_| visit.query(CONFIRM).is_some());
    let to = match confirm {
        Some(_) => visit.query("to").and_then(|to| step_up::page_to_open(&to)),
        None => Some(super::after_login(visit.state.cookies, &visit.parts)),
    };
    match visit.state.app.begin_sign_on(provider, confirm, to).await {
        Ok(begun) => {
            let cookie = wire::set_sign_on_cookie(visit.state.cookies, Audience::Admin, &begun.cookie);
            respond::with_cookies(respond::redirect(visit, &begun.url), [cookie])
        }
        Err(error) => {
            let form = Form::default().refused(&error);
            login::first_step(visit, form, problem::status(&error)).await
        }
    }
}

/// The browser is back. The office's cookies do not come with a request from another site, nor with those that it is
/// redirected to: so this is a page, which then opens the next.
pub async fn finish(visit: &Visit, _: &Form) -> Response {
    let (settings, headers) = (visit.state.cookies, &visit.parts.headers);
    let (state, code, issuer) = (visit.query("state").unwrap_or_default(), visit.query("code"), visit.query("iss"));
    let answer = SignOnAnswer { state: &state, code: code.as_deref(), issuer: issuer.as_deref() };
    let begun = wire::sign_on_cookie(settings, Audience::Admin, headers);
    let result = visit.state.app.finish_sign_on(begun, answer, &visit.client).await;
    let mut cookies = vec![wire::clear_sign_on_cookie(settings, Audience::Admin)];
    let (to, response) = match result {
        Ok(done) => {
            let to = if done.awaits_second_factor { Some(LOGIN.to_owned()) } else { done.to };
            if let Some(secrets) = &done.secrets {
                cookies.extend(wire::staff_login_cookies(settings, secrets));
                if !done.awaits_second_factor {
                    cookies.push(wire::clear_wanted_cookie(settings));
                }
            }
            (to.clone(), login::done(visit, to).await)
        }
        Err(error) => {
            let form: FormState = Form::default().refused(&error);
            (None, login::first_step(visit, form, problem::status(&error)).await)
        }
    };
    let mut response = respond::with_cookies(response, cookies);
    if let Some(to) = to
        && response.status() == StatusCode::OK
        && let Ok(refresh) = HeaderValue::try_from(format!("0; url={to}"))
    {
        response.headers_mut().insert(header::REFRESH, refresh);
    }
    response
}
