//! The tab about messages.

use serde::Serialize;

use super::super::super::page::FormState;
use super::dossier::Frame;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeMessage {
    pub id: String,
    /// Who of the office wrote it; null for the applicant.
    pub author: Option<String>,
    /// Whether whoever looks wrote it.
    pub own: bool,
    pub text: String,
    pub written_text: String,
    /// When the applicant first had what the office wrote before them.
    pub read_text: Option<String>,
}

/// A text to begin a message with, filled in for the applicant.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfficeSnippet {
    pub name: String,
    pub text: String,
    /// The tab with a message that begins with it.
    pub href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminConversationProps {
    pub frame: Frame,
    /// Newest first.
    pub messages: Vec<OfficeMessage>,
    pub earlier_href: Option<String>,
    /// Set where there are newer messages than these.
    pub newest_href: Option<String>,
    pub snippets: Vec<OfficeSnippet>,
    /// What the message begins with.
    pub begun: String,
    /// Whether whoever looks may change the list of snippets.
    pub may_write_snippets: bool,
    /// Whether the account has an address: one that is closed has none.
    pub open: bool,
    /// Whether the applicant has confirmed the address.
    pub confirmed: bool,
    /// Most characters of a message.
    pub longest: usize,
    pub idempotency_key: String,
    pub form: FormState,
}
