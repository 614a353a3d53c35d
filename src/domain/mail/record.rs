//! Mails as they are stored, and what became of them.

use crate::moments::Millis;

/// A file that goes with a mail.
#[derive(Debug, Clone)]
pub struct Attachment {
    pub name: String,
    pub content_type: String,
    pub content: AttachedContent,
}

#[derive(Debug, Clone)]
pub enum AttachedContent {
    /// Also another form of what the mail says: a calendar entry.
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

/// A mail of the outbox.
#[derive(Debug, Clone)]
pub struct Mail {
    pub id: String,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub attachment: Option<Attachment>,
    /// As [`NewMail::sealed`].
    pub sealed: Option<String>,
    /// How often sending was tried.
    pub attempts: i64,
    /// `waiting`, `sent`, `kept` (no mail server configured), `failed`; `held` where it is not sent, see [`Outbox`].
    pub state: String,
    pub created_at: Millis,
    /// The trace of the request that wrote it, where that was traced.
    pub traceparent: Option<String>,
}

/// A mail as the applicant whom it was written to reads it in the product.
#[derive(Debug, Clone)]
pub struct Message {
    pub id: String,
    pub to: String,
    pub subject: String,
    /// The mail's text, without its secrets.
    pub text: String,
    /// As [`Mail::state`].
    pub state: String,
    /// How often sending was tried.
    pub attempts: i64,
    pub created_at: Millis,
    pub read_at: Option<Millis>,
}

/// What became of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailState {
    Waiting,
    Sent,
    /// There is no mail server; it is kept.
    Kept,
    /// It is not sent, see [`Outbox`].
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
    /// When it is tried next, if it waits.
    pub due_at: Millis,
    pub last_error: Option<String>,
    pub created_at: Millis,
    pub finished_at: Option<Millis>,
    pub has_secret: bool,
}

impl MailEntry {
    /// A secret is not kept any more when its mail was given up.
    pub fn may_be_retried(&self) -> bool {
        self.state == MailState::Failed && !self.has_secret
    }
}

/// A mail to an applicant, and how far it has come.
#[derive(Debug, Clone)]
pub struct SentMail {
    pub id: String,
    pub to: String,
    pub subject: String,
    /// Without its secrets.
    pub text: String,
    /// There is one in the mail itself: a link that does something, a code.
    pub has_secret: bool,
    /// As [`Mail::state`].
    pub state: String,
    /// How often sending was tried.
    pub attempts: i64,
    pub last_error: Option<String>,
    pub created_at: Millis,
    pub finished_at: Option<Millis>,
}

impl SentMail {
    /// Whether it can be sent again: nothing in it is good for one mail alone, and it is not under way.
    pub fn may_resend(&self) -> bool {
        !self.has_secret && self.state != "waiting"
    }
}

/// How far the mail of a message has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It leaves within moments.
    Leaving,
    /// The address did not take it yet; it is tried again.
    Delayed,
    Sent,
    /// It cannot be delivered.
    Failed,
    /// Nothing is sent from here: it can be read in the product only.
    Kept,
    /// It is not sent: the address was not confirmed, or got too many.
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
        // While a worker has it, the attempt under way is counted.
        assert_eq!(delivery("waiting", 1), Delivery::Leaving);
        assert_eq!(delivery("waiting", 2), Delivery::Delayed);
        assert_eq!(delivery("sent", 3), Delivery::Sent);
        assert_eq!(delivery("failed", 6), Delivery::Failed);
        assert_eq!(delivery("kept", 1), Delivery::Kept);
        assert_eq!(delivery("held", 0), Delivery::Held);
    }
}
