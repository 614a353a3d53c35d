//! The mailbox of a development run.

use serde::Serialize;

use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MailboxEntry {
    pub id: String,
    pub to: String,
    pub subject: String,
    pub sent_text: Sentence,
    pub text: String,
    pub state: String,
    pub attachment: Option<MailboxFile>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MailboxFile {
    pub name: String,
    pub href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MailboxProps {
    pub mails: Vec<MailboxEntry>,
}
