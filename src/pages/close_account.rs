//! Closing the account: what that means, and doing it.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::page::{FormState, Screen};
use super::props::account::CloseAccountProps;
use super::visitor::Visitor;
use super::{Form, Visit, problem, respond};
use app::accounts::closing::{binds, kept_until};
use domain::input::Input;
use domain::moments;
use domain::text;

pub async fn show(visit: &Visit) -> Response {
    respond(visit, false, FormState::default(), StatusCode::OK).await
}

pub async fn submit(visit: &mut Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Faccount%2Fclose");
    };
    let mut fields = form.input(&["currentPassword"]);
    fields.push(("confirm".into(), Input::Bool(form.get("confirm") == "yes")));
    if visit.visitor.load_failed {
        // An application that cannot be read cannot be withdrawn.
        return problem::page(visit, problem::UNAVAILABLE).await;
    }
    let application = visit.visitor.application.clone();
    let closed = visit.state.app.close_account(who, application, &Input::Map(fields), &visit.client).await;
    if let Err(error) = closed {
        return respond(visit, false, form.refused(&error), problem::status(&error)).await;
    }
    visit.visitor = Visitor::anonymous(&visit.parts.headers);
    let mut response = respond(visit, true, FormState::default(), StatusCode::OK).await;
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, wire::clear_session_cookie(visit.state.cookies));
    // Answers kept in this browser, and the token.
    headers.insert(HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"storage\""));
    response
}

async fn respond(visit: &Visit, done: bool, form: FormState, status: StatusCode) -> Response {
    let application = visit.visitor.application.as_ref();
    let props = CloseAccountProps {
        email: visit.visitor.signed_in.as_ref().map(|who| who.applicant.email.clone()).unwrap_or_default(),
        application: application.map(|application| application.program.name()),
        bound: application.is_some_and(|application| binds(application.stage)),
        retention_years: visit.product.retention_years,
        kept_until: moments::long_date(kept_until(visit.now(), visit.product.retention_years)),
        contact_email: visit.state.app.settings.contact_email.clone(),
        done,
        form,
    };
    let head = visit.private_head(if done { text!("Your account is closed") } else { text!("Close your account") });
    respond::page(visit, visit.page(Screen::CloseAccount(Box::new(props)), status, head)).await
}
