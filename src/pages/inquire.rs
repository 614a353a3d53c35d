//! Asking for news of a program or its brochure without an account, and confirming it with the mailed link. Looking at
//! a link does nothing: mail scanners open links. Errors of the landing page's form come back on a page of its own.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{FormState, Screen, Typed};
use super::props::prospects::{ConfirmInquiryProps, InquireProps, InquiryInfo};
use super::{Form, Visit, brochure, catalogue, problem, respond};
use app::Error;
use domain::input::Input;
use domain::program::Program;
use domain::prospect::Prospect;
use domain::sentence::Sentence;
use domain::text;

pub async fn show(visit: &Visit, program: Program) -> Response {
    let sent = visit.query("sent").is_some();
    let mut form = FormState::default();
    if let Some(who) = &visit.visitor.signed_in {
        for (name, value) in [("email", &who.applicant.email), ("firstName", &who.applicant.profile.first_name)] {
            form.values.insert(name.to_owned(), Typed::One(value.clone()));
        }
    }
    respond(visit, program, sent, form, StatusCode::OK).await
}

pub async fn submit(visit: &Visit, program: Program, form: &Form) -> Response {
    match visit.state.app.inquire(&input(form), program, &visit.client).await {
        Ok(()) => respond::see_other(&format!("/{}/inquire?sent=1", program.path())),
        Err(error) => respond(visit, program, false, form.refused(&error), problem::status(&error)).await,
    }
}

/// The form's fields, as the API takes them.
fn input(form: &Form) -> Input {
    let mut fields = form.input(&["email", "firstName"]);
    let boxes = ["openings", "brochure", "consent"];
    fields.extend(boxes.map(|name| (name.to_owned(), Input::Bool(form.get(name) == "yes"))));
    Input::Map(fields)
}

async fn respond(visit: &Visit, program: Program, sent: bool, form: FormState, status: StatusCode) -> Response {
    let title = if sent { text!("Check your email") } else { text!("Not ready to apply yet?") };
    let props = InquireProps { program: catalogue::name(program), sent, form };
    let head = visit.private_head(title);
    respond::page(visit, visit.page(Screen::Inquire(Box::new(props)), status, head)).await
}

/// Shows the page that the mailed link leads to.
pub async fn show_link(visit: &Visit) -> Response {
    let token = visit.query("token").unwrap_or_default();
    answer_link(visit, token, None, StatusCode::OK).await
}

pub async fn submit_link(visit: &Visit, form: &Form) -> Response {
    let token = form.get("token").to_owned();
    match visit.state.app.confirm_inquiry(&token).await {
        Ok(prospect) => link_page(visit, token, Some(info(visit, prospect)), None, StatusCode::OK).await,
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => problem::unavailable(visit, &error).await,
        Err(error) => answer_link(visit, token, Some(error.sentence()), problem::status(&error)).await,
    }
}

async fn answer_link(visit: &Visit, token: String, error: Option<Sentence>, status: StatusCode) -> Response {
    match visit.state.app.find_inquiry(&token).await {
        Ok(prospect) => {
            let inquiry = prospect.map(|prospect| info(visit, prospect));
            link_page(visit, token, inquiry, error, status).await
        }
        Err(error) => problem::unavailable(visit, &error).await,
    }
}

async fn link_page(
    visit: &Visit,
    token: String,
    inquiry: Option<InquiryInfo>,
    error: Option<Sentence>,
    status: StatusCode,
) -> Response {
    let head = visit.private_head(text!("Confirm your email"));
    let props = ConfirmInquiryProps { token, inquiry, error };
    respond::page(visit, visit.page(Screen::ConfirmInquiry(Box::new(props)), status, head)).await
}

fn info(visit: &Visit, prospect: Prospect) -> InquiryInfo {
    InquiryInfo {
        program_name: prospect.program.name(),
        openings: prospect.wants.openings,
        brochure: prospect.wants.brochure,
        confirmed: prospect.confirmed_at.is_some(),
        apply_href: format!("/{}/apply", prospect.program.path()),
        brochure_href: brochure::href(prospect.program, visit.language()),
        email: prospect.email,
    }
}
