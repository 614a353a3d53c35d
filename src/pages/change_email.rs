//! Changing the email of an account: asking for it, and the targets of the mailed links, including those of new
//! accounts. Looking at a link does nothing: mail scanners open links.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{FormState, Screen};
use super::props::account::{
    ChangeEmailProps, ConfirmEmailProps, EmailLinkInfo, EmailOutcome, EmailSide, PendingEmail,
};
use super::visitor::Visitor;
use super::{Form, Visit, moment, problem, respond};
use app::accounts::email_change::{Side, change_asked};
use app::accounts::sessions::SignedIn;
use app::{App, Error, Refusal};
use domain::account::EmailConfirmation;
use domain::input::Input;
use domain::sentence::Sentence;
use domain::text;

const PATH: &str = "/dashboard/account/email";

pub async fn show(visit: &Visit) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return problem::page(visit, problem::NOT_FOUND).await };
    let message = match visit.query("done").as_deref() {
        Some("asked" | "resent") => Some(change_asked(&who.applicant)),
        Some("cancelled") => Some(text!("The change has been canceled. Your account keeps its email.")),
        _ => None,
    };
    let form = FormState { message, ..FormState::default() };
    respond(visit, who, form, StatusCode::OK).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Faccount%2Femail");
    };
    let app = &visit.state.app;
    let (result, done) = match form.get("_action") {
        "ask" => {
            let input = Input::Map(form.input(&["email", "currentPassword"]));
            (app.request_email_change(who, &input, &visit.client).await, "asked")
        }
        "resend" => (app.resend_email_change(who).await, "resent"),
        "cancel" => (app.cancel_email_change(who).await, "cancelled"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        // Confirmed or stopped meanwhile: the page shows the present state.
        Ok(()) => respond::see_other(&format!("{PATH}?done={done}")),
        Err(Error::Refused(Refusal::NoEmailChange)) => respond::see_other(PATH),
        Err(error) => respond(visit, who, form.refused(&error), problem::status(&error)).await,
    }
}

async fn respond(visit: &Visit, who: &SignedIn, form: FormState, status: StatusCode) -> Response {
    let pending = match visit.state.app.pending_email_change(who).await {
        Ok(pending) => pending,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let zone = visit.visitor.time_zone(&visit.state.app);
    let confirmed = who.applicant.email_confirmed_at.is_some();
    let props = ChangeEmailProps {
        email: who.applicant.email.clone(),
        confirmed,
        pending: pending.map(|change| PendingEmail {
            email: change.email,
            old_confirmed: confirmed.then_some(change.old_confirmed_at.is_some()),
            new_confirmed: change.new_confirmed_at.is_some(),
            until_text: moment::full(change.expires_at, zone),
        }),
        form,
    };
    let head = visit.private_head(text!("Change your email"));
    respond::page(visit, visit.page(Screen::ChangeEmail(Box::new(props)), status, head)).await
}

/// Shows the page that a mailed link leads to.
pub async fn show_link(visit: &Visit) -> Response {
    let token = visit.query("token").unwrap_or_default();
    answer_link(visit, token, None, None, StatusCode::OK).await
}

pub async fn submit_link(visit: &mut Visit, form: &Form) -> Response {
    let token = form.get("token").to_owned();
    let app = &visit.state.app;
    let result = match form.get("_action") {
        "confirm-own" => app.confirm_email(&token).await.map(|()| EmailOutcome::Confirmed),
        "confirm" => app.confirm_email_change(&token, visit.visitor.signed_in.as_ref()).await.map(|outcome| {
            if outcome == EmailConfirmation::Changed { EmailOutcome::Changed } else { EmailOutcome::Waiting }
        }),
        "stop" => app.stop_email_change(&token).await.map(|()| EmailOutcome::Stopped),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(outcome) => {
            // The user's account may have another address now, or their session may have ended.
            if let Ok(visitor) = Visitor::of(app, visit.state.cookies, &visit.parts.headers).await {
                visit.visitor = visitor;
            }
            answer_link(visit, token, Some(outcome), None, StatusCode::OK).await
        }
        Err(error) => {
            super::form::log(&error);
            let (sentence, status) = (error.sentence(), problem::status(&error));
            answer_link(visit, token, None, Some(sentence), status).await
        }
    }
}

async fn answer_link(
    visit: &Visit,
    token: String,
    outcome: Option<EmailOutcome>,
    error: Option<Sentence>,
    status: StatusCode,
) -> Response {
    let link = match link(&visit.state.app, &token).await {
        Ok(link) => link,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let head = visit.private_head(text!("Confirm your email"));
    let props = ConfirmEmailProps { token, link, outcome, error };
    respond::page(visit, visit.page(Screen::ConfirmEmail(Box::new(props)), status, head)).await
}

/// Returns what the link is about: a change of the email, or a new account's only one.
async fn link(app: &App, token: &str) -> Result<Option<EmailLinkInfo>, Error> {
    if let Some(link) = app.email_link(token).await? {
        let side = match link.side {
            Side::Old => EmailSide::Old,
            Side::New => EmailSide::New,
        };
        return Ok(Some(EmailLinkInfo { email: link.email, side, confirmed: link.confirmed, both: link.both }));
    }
    let owner = app.confirmation_link(token).await?;
    Ok(owner.map(|owner| EmailLinkInfo {
        confirmed: owner.email_confirmed_at.is_some(),
        email: owner.email,
        side: EmailSide::Own,
        both: false,
    }))
}
