//! Messages between the applicant and the office, and the mails to the applicant. Looking at them marks them as read:
//! that is recorded once, for the user who looks, and does nothing else, so that a GET may do it.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{FormState, Screen};
use super::props::messages::{
    Conversation, ConversationEntry, MessageDelivery, MessageEntry, MessageProps, MessagesProps,
};
use super::{Form, Visit, moment, problem, respond};
use app::accounts::sessions::SignedIn;
use app::applications::acts::Preconditions;
use app::applications::conversation::{MessageText, OwnConversation};
use app::{App, Error, Refusal};
use domain::conversation::ConversationMessage;
use domain::input::Input;
use domain::mail::{Delivery, Message};
use domain::sentence::Sentence;
use domain::text;

const PATH: &str = "/dashboard/messages";

pub async fn list(visit: &mut Visit) -> Response {
    let message = (visit.query("done").as_deref() == Some("written")).then(|| {
        text!("Your message has been sent. We will answer here and email you when there is something to read.")
    });
    respond(visit, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

pub async fn submit(visit: &mut Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Fmessages");
    };
    let app = &visit.state.app;
    let key = Preconditions::key(form.get("key")).unwrap_or_else(|| app.random.id());
    let written = async {
        let text = MessageText::parse(Some(&Input::Text(form.get("text").to_owned()))).map_err(|error| vec![error])?;
        app.write_to_office(who, &key, text).await
    };
    match written.await {
        Ok(_) => respond::see_other(&format!("{PATH}?done=written")),
        Err(error) => respond(visit, form.refused(&error), problem::status(&error)).await,
    }
}

async fn respond(visit: &mut Visit, form: FormState, status: StatusCode) -> Response {
    let Some(who) = visit.visitor.signed_in.clone() else { return problem::page(visit, problem::NOT_FOUND).await };
    let app = visit.state.app.clone();
    let before = visit.query("before");
    let found = async {
        let conversation = match before {
            Some(_) => None,
            None => Some(conversation(visit, &app, &who).await?),
        };
        Ok::<_, Error>((conversation, app.list_messages(&who, before.as_deref()).await?))
    };
    let (conversation, found) = match found.await {
        Ok(found) => found,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let seen = conversation.iter().flat_map(|it| &it.entries).filter(|entry| entry.unread).count();
    // They were counted before they were read.
    visit.visitor.unread_messages = (visit.visitor.unread_messages - seen as i64).max(0);
    let zone = visit.visitor.time_zone(&visit.state.app);
    let entry = |message: &Message| MessageEntry {
        href: format!("{PATH}/{}", message.id),
        subject: message.subject.clone(),
        sent_text: moment::full(message.created_at, zone),
        unread: message.read_at.is_none(),
        delivery: delivery(message),
    };
    let props = MessagesProps {
        conversation,
        messages: found.messages.iter().map(entry).collect(),
        older_href: found.next.map(|id| format!("{PATH}?before={id}")),
        newest_href: before.map(|_| PATH),
        form,
    };
    let head = visit.private_head(text!("Messages"));
    respond::page(visit, visit.page(Screen::Messages(Box::new(props)), status, head)).await
}

/// Returns the conversation on display, which counts as read from then on.
async fn conversation(visit: &Visit, app: &App, who: &SignedIn) -> Result<Conversation, Error> {
    let earlier = visit.query("earlier");
    let OwnConversation { page, present } = app.read_own_conversation(who, earlier.as_deref()).await?;
    let zone = visit.visitor.time_zone(app);
    let is_earlier = |id: &str| present.as_ref().is_some_and(|application| application.id != id);
    let entry = |message: ConversationMessage| ConversationEntry {
        own: message.staff_id.is_none(),
        unread: message.is_unread(),
        written_text: moment::full(message.created_at, zone),
        earlier: is_earlier(&message.application_id),
        id: message.id,
        text: message.text,
    };
    Ok(Conversation {
        entries: page.messages.into_iter().map(entry).collect(),
        earlier_href: page.earlier.map(|id| format!("{PATH}?earlier={id}")),
        newest_href: earlier.map(|_| PATH),
        can_write: present.is_some(),
        contact_email: app.settings.contact_email.clone(),
        idempotency_key: app.random.id(),
    })
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
        Delivery::Delayed => ("delayed", text!("{to} has not accepted it yet; we will try again", to)),
        Delivery::Sent => ("sent", text!("Sent to {to}", to)),
        Delivery::Failed => ("failed", text!("Could not be delivered to {to}", to)),
        Delivery::Kept => ("kept", text!("Only here: no email was sent")),
        Delivery::Held => ("held", text!("Only here: not sent by email")),
    };
    MessageDelivery { state, words }
}
