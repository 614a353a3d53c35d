//! Messages between the applicant and the office, and the mails to the applicant.

use serde::Serialize;

use crate::page::FormState;
use domain::sentence::Sentence;

/// Delivery status of a message's email, and the same in words.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MessageDelivery {
    #[cfg_attr(test, ts(type = "'leaving' | 'delayed' | 'sent' | 'failed' | 'kept' | 'held'"))]
    pub state: &'static str,
    pub words: Sentence,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MessageEntry {
    pub href: String,
    pub subject: String,
    pub sent_text: Sentence,
    pub unread: bool,
    pub delivery: MessageDelivery,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MessagesProps {
    /// Null on pages with older mails.
    pub conversation: Option<Conversation>,
    /// Newest first.
    pub messages: Vec<MessageEntry>,
    pub older_href: Option<String>,
    /// Set on every page but the first.
    pub newest_href: Option<&'static str>,
    pub form: FormState,
}

/// Messages between the applicant and the office.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    /// Newest first.
    pub entries: Vec<ConversationEntry>,
    pub earlier_href: Option<String>,
    /// Set if there are newer ones than these.
    pub newest_href: Option<&'static str>,
    /// Whether the applicant can write now.
    pub can_write: bool,
    pub contact_email: String,
    pub idempotency_key: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConversationEntry {
    pub id: String,
    /// Whether the applicant wrote it.
    pub own: bool,
    pub text: String,
    pub written_text: Sentence,
    pub unread: bool,
    /// Whether it is about an application other than the present one.
    pub earlier: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MessageProps {
    pub subject: String,
    pub sent_text: Sentence,
    pub delivery: MessageDelivery,
    pub text: String,
}
