//! `/unsubscribe`: ends our mails to a prospect, for anyone who has the secret of one of them. On the page that takes a
//! button, because mail scanners open links. Mail programs post `List-Unsubscribe=One-Click` here by themselves when
//! their user asks for it (RFC 8058): from another origin, without cookies, and with nobody to read the answer.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse, Response};

use super::page::Screen;
use super::props::prospects::UnsubscribeProps;
use super::{Form, Visit, problem, respond};
use app::Error;
use domain::sentence::Sentence;
use domain::text;
use wire::{FormFault, Multipart};

/// The field that mail programs send, and its value.
const ONE_CLICK: (&str, &str) = ("List-Unsubscribe", "One-Click");

pub async fn show(visit: &Visit) -> Response {
    let token = visit.query("token").unwrap_or_default();
    respond(visit, token, None, StatusCode::OK).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let token = Some(form.get("token")).filter(|token| !token.is_empty()).map(str::to_owned);
    let token = token.or_else(|| visit.query("token")).unwrap_or_default();
    match visit.state.app.unsubscribe(&token, form.get("bookings") == "yes").await {
        Ok(()) => respond(visit, token, None, StatusCode::OK).await,
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => problem::unavailable(visit, &error).await,
        Err(error) => respond(visit, token, Some(error.sentence()), problem::status(&error)).await,
    }
}

async fn respond(visit: &Visit, token: String, error: Option<Sentence>, status: StatusCode) -> Response {
    let email = match visit.state.app.find_subscription(&token).await {
        Ok(prospect) => prospect.map(|prospect| prospect.email),
        Err(error) => return problem::unavailable(visit, &error).await,
    };
    let head = visit.private_head(text!("Unsubscribe"));
    let props = UnsubscribeProps { token, email, error };
    respond::page(visit, visit.page(Screen::Unsubscribe(props), status, head)).await
}

/// Whether this was not sent by our page.
pub fn is_from_elsewhere(visit: &Visit) -> bool {
    let headers = &visit.parts.headers;
    wire::is_multipart(headers) || !wire::same_origin(headers, &visit.state.app.settings.public_url)
}

/// Handles what a mail program sends. Anything else from elsewhere is refused, as every form is.
pub async fn with_one_click(visit: &Visit, body: Body) -> Response {
    if !is_one_click(visit, body).await {
        return problem::page(visit, problem::OTHER_ORIGIN).await;
    }
    let token = visit.query("token").unwrap_or_default();
    match visit.state.app.unsubscribe(&token, false).await {
        Ok(()) => StatusCode::OK.into_response(),
        Err(error) => {
            super::form::log(&error);
            problem::status(&error).into_response()
        }
    }
}

/// Mail programs choose between the two encodings of forms.
async fn is_one_click(visit: &Visit, body: Body) -> bool {
    let (name, value) = ONE_CLICK;
    if wire::is_multipart(&visit.parts.headers) {
        return field(visit, body, name).await.is_ok_and(|sent| sent.as_deref() == Some(value));
    }
    let request = Request::from_parts(visit.parts.clone(), body);
    Form::read(request).await.is_ok_and(|form| form.get(name) == value)
}

async fn field(visit: &Visit, body: Body, name: &str) -> Result<Option<String>, FormFault> {
    let mut form = Multipart::new(&visit.parts.headers, wire::arrival(body))?;
    while let Some(part) = form.next().await? {
        if part.name == name {
            return part.text().await.map(Some);
        }
    }
    Ok(None)
}
