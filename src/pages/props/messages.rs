//! What was mailed to the applicant.

use serde::Serialize;

use crate::domain::sentence::Sentence;

/// How far the email of a message has come, and the same in words.
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
    /// Newest first.
    pub messages: Vec<MessageEntry>,
    pub older_href: Option<String>,
    /// Set on every page but the first.
    pub newest_href: Option<&'static str>,
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
