//! Webhooks: endpoints, and what was delivered to them.

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use crate::page::{FormState, Screen};
use crate::props::office::Choice;
use crate::props::office::webhooks::{
    AdminWebhookProps, AdminWebhooksProps, DeliveryRow, EndpointRow, EndpointState, EventChoice, MadeEndpoint,
};
use crate::{Form, moment, problem, respond};
use app::{Error, Refusal};
use domain::input::Input;
use domain::sentence::Sentence;
use domain::webhook::{DeliveryChange, DeliveryState, Endpoint, EventDelivery, EventKind, PauseReason};

pub const PATH: &str = "/admin-panel/settings/webhooks";
/// What can be done on an endpoint's page only with the password just entered.
pub const ASKS_AGAIN: [&str; 3] = ["change", "secret", "delete"];

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("deleted") => Some("The endpoint is deleted. Nothing is sent to it any more.".into()),
        _ => None,
    };
    show_list(office, None, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

pub async fn create(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    match visit.state.app.create_webhook(who, &input(form)).await {
        Ok(made) => {
            let made = MadeEndpoint { name: made.endpoint.name, secret: made.secret };
            show_list(office, Some(made), FormState::default(), StatusCode::OK).await
        }
        Err(error) => show_list(office, None, form.refused(&error), problem::status(&error)).await,
    }
}

async fn show_list(office: Office<'_>, made: Option<MadeEndpoint>, form: FormState, status: StatusCode) -> Response {
    let endpoints = match office.visit.state.app.webhooks(office.who).await {
        Ok(endpoints) => endpoints,
        Err(error) => return office.unavailable(&error).await,
    };
    let props =
        AdminWebhooksProps { endpoints: endpoints.iter().map(row).collect(), made, kinds: event_choices(), form };
    office.page(Screen::AdminWebhooks(Box::new(props)), "Webhooks", status).await
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("changed") => Some("Saved."),
        Some("paused") => Some("The endpoint is paused. Events wait for it."),
        Some("resumed") => Some("The endpoint is resumed. What has waited is delivered now, in its order."),
        Some("test") => Some("A test event is on its way. Load this page again to see what came of it."),
        Some("resent") => Some("The event is sent again."),
        Some("skipped") => Some("The event is skipped."),
        Some("all-resent") => Some("Everything that was given up is sent again."),
        _ => None,
    };
    show_one(office, None, FormState { message: message.map(Into::into), ..FormState::default() }, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let paused = |paused: bool| Input::Map(vec![("paused".into(), Input::Bool(paused))]);
    let (result, done) = match form.get("_action").split_once(':').unwrap_or((form.get("_action"), "")) {
        ("change", _) => (app.change_webhook(who, id, &input(form)).await.map(drop), "changed"),
        ("pause", _) => (app.pause_webhook(who, id, &paused(true)).await.map(drop), "paused"),
        ("resume", _) => (app.pause_webhook(who, id, &paused(false)).await.map(drop), "resumed"),
        ("test", _) => (app.test_webhook(who, id).await.map(drop), "test"),
        ("resend", event) => (app.change_webhook_delivery(who, id, event, DeliveryChange::Resend).await, "resent"),
        ("skip", event) => (app.change_webhook_delivery(who, id, event, DeliveryChange::Skip).await, "skipped"),
        ("resend-failed", _) => (app.resend_failed_webhooks(who, id).await.map(drop), "all-resent"),
        ("delete", _) => match app.delete_webhook(who, id).await {
            Ok(()) | Err(Error::Refused(Refusal::WebhookNotFound)) => {
                return respond::see_other(&format!("{PATH}?done=deleted"));
            }
            Err(error) => (Err(error), ""),
        },
        ("secret", _) => match app.renew_webhook_secret(who, id).await {
            Ok(made) => return show_one(office, Some(made.secret), FormState::default(), StatusCode::OK).await,
            Err(error) => (Err(error), ""),
        },
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => respond::see_other(&format!("{PATH}/{id}?done={done}")),
        Err(error) => show_one(office, None, form.refused(&error), problem::status(&error)).await,
    }
}

async fn show_one(office: Office<'_>, secret: Option<String>, form: FormState, status: StatusCode) -> Response {
    let Office { visit, who, id } = office;
    let state = visit.query("state").and_then(|state| DeliveryState::parse(&state));
    let before = visit.query("before").unwrap_or_default();
    let app = &visit.state.app;
    let loaded =
        async { Ok::<_, Error>((app.webhook(who, id).await?, app.webhook_deliveries(who, id, state, &before).await?)) };
    let (endpoint, (deliveries, is_last)) = match loaded.await {
        Ok(loaded) => loaded,
        Err(Error::Refused(Refusal::WebhookNotFound)) => return problem::page(visit, problem::NO_OFFICE_PAGE).await,
        Err(error) => return office.unavailable(&error).await,
    };
    let oldest = deliveries.last().filter(|_| !is_last);
    let of_state = state.map(|state| format!("state={}&", state.as_str())).unwrap_or_default();
    let older_href = oldest.map(|oldest| format!("{PATH}/{id}?{of_state}before={}", oldest.event_id));
    let choice = |state: DeliveryState| Choice { value: state.as_str().into(), label: words(state).into() };
    let props = AdminWebhookProps {
        trouble: trouble(office, &endpoint),
        former_secret_text: endpoint
            .former_secret_until
            .filter(|until| visit.now() < *until)
            .map(|until| moment::full(until, office.zone())),
        events: endpoint.events.iter().map(|kind| kind.as_str()).collect(),
        endpoint: row(&endpoint),
        kinds: event_choices(),
        secret,
        state: state.map_or("", DeliveryState::as_str),
        states: DeliveryState::ALL.into_iter().map(choice).collect(),
        deliveries: deliveries.into_iter().map(|delivery| delivery_row(office, delivery)).collect(),
        older_href,
        form,
    };
    office.page(Screen::AdminWebhook(Box::new(props)), &endpoint.name, status).await
}

/// The form's fields, as the API takes them.
fn input(form: &Form) -> Input {
    let mut fields = form.input(&["name", "url"]);
    let events = form.fields().iter().filter(|(name, _)| name == "events");
    let events: Vec<Input> = events.map(|(_, value)| Input::Text(value.clone())).collect();
    fields.push(("events".into(), Input::List(events)));
    Input::Map(fields)
}

fn event_choices() -> Vec<EventChoice> {
    EventKind::subscribable().map(|kind| EventChoice { value: kind.as_str(), about: kind.about() }).collect()
}

fn row(endpoint: &Endpoint) -> EndpointRow {
    let (state, state_text) = match endpoint {
        Endpoint { paused: Some(_), .. } => (EndpointState::Paused, "Paused"),
        Endpoint { failing_since: Some(_), .. } => (EndpointState::Failing, "Not answering"),
        _ => (EndpointState::Delivering, "Delivering"),
    };
    EndpointRow {
        href: format!("{PATH}/{}", endpoint.id),
        name: endpoint.name.clone(),
        url: endpoint.url.clone(),
        state,
        state_text,
        events_text: match endpoint.events.len() {
            0 => "All events".into(),
            1 => "1 kind of event".into(),
            count => format!("{count} kinds of events"),
        },
        waiting: endpoint.waiting,
        failed: endpoint.failed,
    }
}

fn trouble(office: Office<'_>, endpoint: &Endpoint) -> Option<Sentence> {
    let full = |at| moment::full(at, office.zone());
    let text = match (endpoint.paused, endpoint.failing_since) {
        (Some((at, PauseReason::Staff)), _) => format!("Paused since {}. Events wait.", full(at)),
        (Some((at, PauseReason::Gone)), _) => {
            format!(
                "It answered “410 Gone” on {} and is paused. Resume it if that was a mistake, or delete it.",
                full(at)
            )
        }
        (Some((at, PauseReason::Failing)), _) => {
            format!("It took no event for three days, and is paused since {}. Resume it once it works again.", full(at))
        }
        (None, Some(since)) => {
            format!("It has taken no event since {}. It is tried again after growing pauses.", full(since))
        }
        (None, None) => return None,
    };
    Some(Sentence::plain(text))
}

fn words(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Waiting => "Waiting",
        DeliveryState::Delivered => "Delivered",
        DeliveryState::Failed => "Given up",
        DeliveryState::Skipped => "Skipped",
    }
}

fn delivery_row(office: Office<'_>, delivery: EventDelivery) -> DeliveryRow {
    let at = |at| moment::full(at, office.zone());
    let body = serde_json::from_str::<serde_json::Value>(&delivery.body);
    let body = body.ok().and_then(|body| serde_json::to_string_pretty(&body).ok()).unwrap_or(delivery.body);
    DeliveryRow {
        kind: delivery.kind.as_str(),
        application: delivery
            .application
            .map(|(id, reference)| (format!("/admin-panel/applications/{id}"), reference.unwrap_or(id))),
        state: delivery.state,
        state_text: words(delivery.state),
        occurred_text: at(delivery.occurred_at),
        finished_text: delivery.finished_at.map(at),
        due_text: (delivery.state == DeliveryState::Waiting).then(|| at(delivery.due_at)),
        attempts: delivery.attempts,
        last_status: delivery.last_status,
        error: delivery.last_error,
        body,
        may_be_skipped: matches!(delivery.state, DeliveryState::Waiting | DeliveryState::Failed),
        event_id: delivery.event_id,
    }
}
