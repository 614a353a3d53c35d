//! The tab "Messages": messages between the applicant and the office.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Opened, address, called, done, fresh, instead, open, status};
use crate::admin::Office;
use crate::page::{FormState, Screen};
use crate::props::office::conversation::{AdminConversationProps, OfficeMessage, OfficeSnippet};
use crate::{Form, moment, problem};
use app::applications::acts::Preconditions;
use app::applications::conversation::{FilledSnippet, MAX_MESSAGE_LENGTH, MessageText};
use app::{Error, Refusal};
use domain::conversation::ConversationMessage;
use domain::input::Input;
use domain::permission::Permission;

pub const TAB: &str = "/messages";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    respond(office, fresh(office), StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    if form.get("_action") != "write" {
        return problem::page(visit, problem::BAD_REQUEST).await;
    }
    let key = Preconditions::key(form.get("key")).unwrap_or_else(|| app.random.id());
    let written = async {
        let text = MessageText::parse(Some(&Input::Text(form.get("text").to_owned()))).map_err(|error| vec![error])?;
        app.write_to_applicant(who, id, &key, text).await
    };
    match written.await {
        Ok(()) => done(office, TAB, form.get("view"), "message-written"),
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => respond(office, form.refused(&error), status(&error)).await,
    }
}

async fn respond(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let Opened { dossier, frame, .. } = match open(office, TAB).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let app = &office.visit.state.app;
    let before = office.visit.query("before");
    let page = match app.conversation(office.who, &dossier, before.as_deref()).await {
        Ok(page) => page,
        Err(error) => return instead(office, &error).await,
    };
    let shown = |message: ConversationMessage| OfficeMessage {
        author: message.staff_id.as_ref().map(|id| called(&dossier.all_staff, id)),
        own: message.staff_id.as_ref() == Some(&office.who.staff.id),
        written_text: moment::full(message.created_at, office.zone()).to_string(),
        read_text: message.read_at.map(|at| moment::full(at, office.zone()).to_string()),
        id: message.id,
        text: message.text,
    };
    let snippets = app.snippets_for(&dossier).await;
    // Without JavaScript, a snippet is a link that starts the message with it.
    let chosen = office.visit.query("snippet").and_then(|chosen| chosen.parse::<usize>().ok());
    let begun = chosen.and_then(|at| snippets.get(at)).map(|snippet| snippet.text.clone());
    let path = format!("{}/{}{TAB}", super::applications::PATH, office.id);
    let snippet = |(at, FilledSnippet { name, text }): (usize, FilledSnippet)| OfficeSnippet {
        href: format!("{}#write", address(&path, &[("view", &frame.view), ("snippet", &at.to_string())])),
        name,
        text,
    };
    let title = format!("Messages with {}", frame.name);
    let props = AdminConversationProps {
        messages: page.messages.into_iter().map(shown).collect(),
        earlier_href: page.earlier.map(|id| address(&path, &[("view", &frame.view), ("before", &id)])),
        newest_href: before.map(|_| address(&path, &[("view", &frame.view)])),
        snippets: snippets.into_iter().enumerate().map(snippet).collect(),
        begun: begun.unwrap_or_default(),
        may_write_snippets: office.who.staff.role.may(Permission::Templates),
        open: !dossier.applicant.email.is_empty(),
        confirmed: dossier.applicant.email_confirmed_at.is_some(),
        longest: MAX_MESSAGE_LENGTH,
        idempotency_key: app.random.id(),
        frame,
        form,
    };
    office.page(Screen::AdminConversation(Box::new(props)), &title, status).await
}
