//! The mails of a development run, readable if no mail server is configured.

use axum::http::StatusCode;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::page::Screen;
use super::props::mailbox::{MailboxEntry, MailboxFile, MailboxProps};
use super::{Visit, moment, problem, respond};
use app::SealedMail;

/// Maximum number of mails shown.
const SHOWN: i64 = 50;

pub async fn show(visit: &Visit) -> Response {
    let mails = match visit.state.app.newest_mails(SHOWN).await {
        Ok(mails) => mails,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let zone = visit.visitor.time_zone(&visit.state.app);
    let mails = mails
        .into_iter()
        .filter_map(|mail| SealedMail::open(mail, &*visit.state.app.sealing))
        .map(|mail| MailboxEntry {
            id: mail.id,
            to: mail.to,
            subject: mail.subject,
            sent_text: moment::full(mail.created_at, zone),
            text: mail.text,
            state: mail.state,
            attachment: mail.attachment.map(|attachment| MailboxFile {
                href: format!(
                    "data:{};base64,{}",
                    attachment.content_type,
                    STANDARD.encode(attachment.content.bytes())
                ),
                name: attachment.name,
            }),
        })
        .collect();
    let head = visit.private_head("Mailbox");
    respond::page(visit, visit.page(Screen::Mailbox(MailboxProps { mails }), StatusCode::OK, head)).await
}
