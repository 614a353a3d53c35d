//! The mails that were written to the applicant. Looking at one marks it as read: that is noted once, about the one
//! who looks, and does nothing else, so that a GET may do it.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::Screen;
use super::props::messages::{MessageDelivery, MessageEntry, MessageProps, MessagesProps};
use super::{Visit, moment, problem, respond};
use crate::app::messages::Delivery;
use crate::app::ports::Message;
use crate::app::{Error, Refusal};
use crate::domain::sentence::Sentence;
use crate::text;

const PATH: &str = "/dashboard/messages";

pub async fn list(visit: &Visit) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return problem::page(visit, problem::NOT_FOUND).await };
    let before = visit.query("before");
    let found = match visit.state.app.list_messages(who, before.as_deref()).await {
        Ok(found) => found,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let zone = visit.visitor.time_zone(&visit.state.app);
    let entry = |message: &Message| MessageEntry {
        href: format!("{PATH}/{}", message.id),
        subject: message.subject.clone(),
        sent_text: moment::full(message.created_at, zone),
        unread: message.read_at.is_none(),
        delivery: delivery(message),
    };
    let props = MessagesProps {
        messages: found.messages.iter().map(entry).collect(),
        older_href: found.next.map(|id| format!("{PATH}?before={id}")),
        newest_href: before.map(|_| PATH),
    };
    let head = visit.private_head(text!("Messages"));
    respond::page(visit, visit.page(Screen::Messages(props), StatusCode::OK, head)).await
}

pub async fn show(visit: &mut Visit) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return problem::page(visit, problem::NOT_FOUND).await };
    let id = visit.path.strip_prefix(PATH).map_or("", |rest| rest.trim_start_matches('/'));
    let message = match visit.state.app.open_message(who, id).await {
        Ok(message) => message,
        Err(Error::Refused(Refusal::NoSuchMessage)) => return problem::page(visit, problem::NOT_FOUND).await,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    if message.read_at.is_none() {
        // It was counted before it was opened.
        visit.visitor.unread_messages = (visit.visitor.unread_messages - 1).max(0);
    }
    let head = visit.private_head(Sentence::plain(&message.subject));
    let props = MessageProps {
        sent_text: moment::full(message.created_at, visit.visitor.time_zone(&visit.state.app)),
        delivery: delivery(&message),
        subject: message.subject,
        text: message.text,
    };
    respond::page(visit, visit.page(Screen::Message(props), StatusCode::OK, head)).await
}

fn delivery(message: &Message) -> MessageDelivery {
    let to = &message.to;
    let (state, words) = match message.delivery() {
        Delivery::Leaving => ("leaving", text!("On its way to {to}", to)),
        Delivery::Delayed => ("delayed", text!("{to} did not take it yet; we try again", to)),
        Delivery::Sent => ("sent", text!("Sent to {to}", to)),
        Delivery::Failed => ("failed", text!("Could not be delivered to {to}", to)),
        Delivery::Kept => ("kept", text!("Only here: no email was sent")),
        Delivery::Held => ("held", text!("Only here: not sent by email")),
    };
    MessageDelivery { state, words }
}
