//! The tab "Messages".

use serde::Serialize;

use super::dossier::Frame;
use crate::page::FormState;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeMessage {
    pub id: String,
    /// The member of staff who wrote it; null for the applicant.
    pub author: Option<String>,
    /// Whether the user wrote it.
    pub own: bool,
    pub text: String,
    pub written_text: String,
    /// When the applicant first saw a message from the office.
    pub read_text: Option<String>,
}

/// A text to start a message with, filled in for the applicant.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfficeSnippet {
    pub name: String,
    pub text: String,
    /// The tab with a message that starts with it.
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
    /// Set if there are newer messages than these.
    pub newest_href: Option<String>,
    pub snippets: Vec<OfficeSnippet>,
    /// What the message starts with.
    pub begun: String,
    /// Whether the user may change the list of snippets.
    pub may_write_snippets: bool,
    /// Whether the account has an address: a closed account has none.
    pub open: bool,
    /// Whether the applicant has confirmed the address.
    pub confirmed: bool,
    /// Maximum number of characters in a message.
    pub longest: usize,
    pub idempotency_key: String,
    pub form: FormState,
}
