//! Mails as stored, and their delivery status.

use serde::Serialize;
use utoipa::ToSchema;

use crate::moments::Millis;

/// A file attached to a mail.
#[derive(Debug, Clone)]
pub struct Attachment {
    pub name: String,
    pub content_type: String,
    pub content: AttachedContent,
}

#[derive(Debug, Clone)]
pub enum AttachedContent {
    /// Also an alternative form of the content: a calendar entry.
    Text(String),
    Bytes(Vec<u8>),
}

impl AttachedContent {
    pub fn bytes(&self) -> &[u8] {
        match self {
            AttachedContent::Text(text) => text.as_bytes(),
            AttachedContent::Bytes(bytes) => bytes,
        }
    }
}

/// A mail in the outbox.
#[derive(Debug, Clone)]
pub struct Mail {
    pub id: String,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub attachment: Option<Attachment>,
    /// See [`NewMail::sealed`].
    pub sealed: Option<String>,
    /// Number of attempts to send it.
    pub attempts: i64,
    /// `waiting`, `sent`, `kept` (no mail server configured), `failed`; `held` if it is not sent, see [`Outbox`].
    pub state: String,
    pub created_at: Millis,
    /// The trace of the request that wrote it, if it was traced.
    pub traceparent: Option<String>,
    /// Where the recipient's mail program can end such mails (RFC 8058).
    pub unsubscribe_url: Option<String>,
}

/// A mail as shown to its recipient, the applicant, in the product.
#[derive(Debug, Clone)]
pub struct Message {
    pub id: String,
    pub to: String,
    pub subject: String,
    /// Text of the mail, without its secrets.
    pub text: String,
    /// See [`Mail::state`].
    pub state: String,
    /// Number of attempts to send it.
    pub attempts: i64,
    pub created_at: Millis,
    pub read_at: Option<Millis>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailState {
    Waiting,
    Sent,
    /// Kept, because there is no mail server.
    Kept,
    /// Not sent, see [`Outbox`].
    Held,
    /// Parked after its last attempt.
    Failed,
}

impl MailState {
    pub const ALL: [MailState; 5] =
        [MailState::Waiting, MailState::Failed, MailState::Held, MailState::Sent, MailState::Kept];

    pub fn as_str(self) -> &'static str {
        match self {
            MailState::Waiting => "waiting",
            MailState::Sent => "sent",
            MailState::Kept => "kept",
            MailState::Held => "held",
            MailState::Failed => "failed",
        }
    }

    pub fn parse(text: &str) -> Option<MailState> {
        MailState::ALL.into_iter().find(|state| state.as_str() == text)
    }
}

/// A mail without its text.
#[derive(Debug, Clone)]
pub struct MailEntry {
    pub id: String,
    pub template: String,
    pub to: String,
    pub subject: String,
    pub state: MailState,
    pub attempts: i64,
    /// Time of the next attempt, if it is waiting.
    pub due_at: Millis,
    pub last_error: Option<String>,
    pub created_at: Millis,
    pub finished_at: Option<Millis>,
    pub has_secret: bool,
}

impl MailEntry {
    /// Whether it can be sent again; secrets are deleted once their mail has failed.
    pub fn may_be_retried(&self) -> bool {
        self.state == MailState::Failed && !self.has_secret
    }
}

/// A mail to an applicant, with its delivery status.
#[derive(Debug, Clone)]
pub struct SentMail {
    pub id: String,
    pub to: String,
    pub subject: String,
    /// Text of the mail, without its secrets.
    pub text: String,
    /// Whether the mail itself contains a secret: a link that does something, a code.
    pub has_secret: bool,
    /// See [`Mail::state`].
    pub state: String,
    /// Number of attempts to send it.
    pub attempts: i64,
    pub last_error: Option<String>,
    pub created_at: Millis,
    pub finished_at: Option<Millis>,
}

impl SentMail {
    /// Whether it can be sent again: it contains nothing that is valid only once, and is not about to be sent.
    pub fn may_resend(&self) -> bool {
        !self.has_secret && self.state != "waiting"
    }
}

/// Delivery status of the email. `kept`: this installation sends no mail, and it can only be read in the product.
/// `held`: not sent, because the address was not confirmed or got too many that day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Delivery {
    /// About to be sent.
    Leaving,
    /// Not accepted by the recipient's server yet; will be retried.
    Delayed,
    Sent,
    /// Could not be delivered.
    Failed,
    /// No mail is sent from here: readable only in the product.
    Kept,
    /// Not sent: the address was not confirmed, or got too many mails.
    Held,
}

impl Message {
    pub fn delivery(&self) -> Delivery {
        match self.state.as_str() {
            "sent" => Delivery::Sent,
            "failed" => Delivery::Failed,
            "kept" => Delivery::Kept,
            "held" => Delivery::Held,
            _ if self.attempts > 1 => Delivery::Delayed,
            _ => Delivery::Leaving,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_delayed_once_it_was_tried_in_vain() {
        let delivery = |state: &str, attempts| {
            let text = String::new;
            let (id, to, subject) = (text(), text(), text());
            let state = state.into();
            Message { id, to, subject, text: text(), state, attempts, created_at: 0, read_at: None }.delivery()
        };
        // While a worker is sending it, the current attempt is counted already.
        assert_eq!(delivery("waiting", 1), Delivery::Leaving);
        assert_eq!(delivery("waiting", 2), Delivery::Delayed);
        assert_eq!(delivery("sent", 3), Delivery::Sent);
        assert_eq!(delivery("failed", 6), Delivery::Failed);
        assert_eq!(delivery("kept", 1), Delivery::Kept);
        assert_eq!(delivery("held", 0), Delivery::Held);
    }
}
