//! Every mail to an applicant, readable in the product, too.

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use domain::mail::Message;

/// Messages shown at a time.
pub const PAGE: usize = 20;

/// A page of messages, newest first.
#[derive(Debug, Clone)]
pub struct MessagePage {
    pub messages: Vec<Message>,
    /// Cursor for the next page, if there is one.
    pub next: Option<String>,
}

impl App {
    /// Up to [`PAGE`] messages older than the message `before`, newest first.
    pub async fn list_messages(&self, who: &SignedIn, before: Option<&str>) -> Result<MessagePage, Error> {
        // One extra shows whether there are more.
        let mut messages = self.store.messages(&who.applicant.id, before, PAGE as i64 + 1).await?;
        let more = messages.len() > PAGE;
        messages.truncate(PAGE);
        let next = messages.last().filter(|_| more).map(|message| message.id.clone());
        Ok(MessagePage { messages, next })
    }

    /// Returns one message and marks it as read.
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

    pub async fn unread_messages(&self, who: &SignedIn) -> Result<i64, Error> {
        Ok(self.store.unread_messages(&who.applicant.id).await?)
    }
}
