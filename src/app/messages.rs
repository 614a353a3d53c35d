//! Every mail to an applicant, readable in the product too.

use super::App;
use super::error::{Error, Refusal};
use super::ports::Message;
use super::sessions::SignedIn;

/// Messages shown at a time.
pub const PAGE: usize = 20;

/// Some of the messages, newest first.
#[derive(Debug, Clone)]
pub struct MessagePage {
    pub messages: Vec<Message>,
    /// What to ask for the next ones with, if there are more.
    pub next: Option<String>,
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

impl App {
    /// Up to [`PAGE`] messages, newest first, of those older than the message `before`.
    pub async fn list_messages(&self, who: &SignedIn, before: Option<&str>) -> Result<MessagePage, Error> {
        // One more tells whether there are more.
        let mut messages = self.store.messages(&who.applicant.id, before, PAGE as i64 + 1).await?;
        let more = messages.len() > PAGE;
        messages.truncate(PAGE);
        let next = messages.last().filter(|_| more).map(|message| message.id.clone());
        Ok(MessagePage { messages, next })
    }

    /// One message, which counts as read from then on.
    ///
    /// # Errors
    /// [`Refusal::NoSuchMessage`]
    pub async fn open_message(&self, who: &SignedIn, id: &str) -> Result<Message, Error> {
        let owner = &who.applicant.id;
        let message = self.store.message(owner, id).await?.ok_or(Refusal::NoSuchMessage)?;
        if message.read_at.is_none() {
            self.store.message_read(owner, id, self.clock.now()).await?;
        }
        Ok(message)
    }

    /// How many messages wait to be read.
    pub async fn unread_messages(&self, who: &SignedIn) -> Result<i64, Error> {
        Ok(self.store.unread_messages(&who.applicant.id).await?)
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
