//! Messages between an applicant and the office about an application: one conversation, read and written in the
//! product. A mail tells the applicant that there is something to read, without its text.

use serde_json::json;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::mails;
use crate::office::dossiers::Dossier;
use domain::application::Application;
use domain::conversation::ConversationMessage;
use domain::input::{FieldError, Input, several_lines};
use domain::moments::{HOUR, MINUTE, Millis};
use domain::permission::Permission;
use domain::snippet::Snippet;
use domain::staff::StaffSession;
use domain::status::Stage;
use domain::task::{Task, TaskKind};
use domain::text;
use store::{ConversationOf, StoreError, Throttle};

/// Messages shown at a time.
pub const PAGE: usize = 50;
/// Maximum number of characters in a message.
pub const MAX_MESSAGE_LENGTH: usize = 4000;
/// Maximum number of messages an applicant can write per hour.
const MESSAGES_PER_HOUR: u32 = 20;
/// For how long one mail covers all unread messages.
const ONE_MAIL_FOR: Millis = 30 * MINUTE;

#[derive(Debug, Clone)]
pub struct MessageText(String);

impl MessageText {
    /// # Errors
    /// `text.required`, `text.type`, `text.too_long`, `text.invalid`.
    pub fn parse(input: Option<&Input>) -> Result<MessageText, FieldError> {
        let text = several_lines("text", text!("The message"), input, MAX_MESSAGE_LENGTH)?;
        text.map(MessageText).ok_or_else(|| FieldError::new("text", "text.required", text!("Write something first.")))
    }
}

/// A page of messages, newest first.
#[derive(Debug, Clone)]
pub struct ConversationPage {
    pub messages: Vec<ConversationMessage>,
    /// Cursor for earlier messages, if there are any.
    pub earlier: Option<String>,
}

/// The conversation as its applicant reads it.
#[derive(Debug, Clone)]
pub struct OwnConversation {
    pub page: ConversationPage,
    /// The application they can write about; none before the first submission.
    pub present: Option<Application>,
}

/// A snippet, filled in for one applicant.
#[derive(Debug, Clone)]
pub struct FilledSnippet {
    pub name: String,
    pub text: String,
}

impl App {
    /// Up to [`PAGE`] messages about an application, older than the message `before`.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn conversation(
        &self,
        who: &StaffSession,
        dossier: &Dossier,
        before: Option<&str>,
    ) -> Result<ConversationPage, Error> {
        who.staff.permit(Permission::WriteToApplicants)?;
        self.conversation_page(ConversationOf::Application(&dossier.application.id), before).await
    }

    /// The same across all applications of the signed-in applicant. Marks what staff wrote as read.
    pub async fn read_own_conversation(&self, who: &SignedIn, before: Option<&str>) -> Result<OwnConversation, Error> {
        let page = self.conversation_page(ConversationOf::Applicant(&who.applicant.id), before).await?;
        if page.messages.iter().any(ConversationMessage::is_unread) {
            self.store.conversation_read(&who.applicant.id, self.clock.now()).await?;
        }
        Ok(OwnConversation { page, present: self.written_about(who).await? })
    }

    async fn conversation_page(&self, of: ConversationOf<'_>, before: Option<&str>) -> Result<ConversationPage, Error> {
        // One extra shows whether there are more.
        let mut messages = self.store.conversation(of, before, PAGE as i64 + 1).await?;
        let more = messages.len() > PAGE;
        messages.truncate(PAGE);
        let earlier = messages.last().filter(|_| more).map(|message| message.id.clone());
        Ok(ConversationPage { messages, earlier })
    }

    /// Writes to the applicant, which answers their open questions. The same `key` writes once. They get a mail, unless
    /// a message from the last half hour is still unread.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NobodyToWriteTo`] for a closed account.
    pub async fn write_to_applicant(
        &self,
        who: &StaffSession,
        id: &str,
        key: &str,
        text: MessageText,
    ) -> Result<(), Error> {
        who.staff.permit(Permission::WriteToApplicants)?;
        let Dossier { applicant, application, .. } = self.dossier(who, id).await?;
        if applicant.email.is_empty() {
            return Err(Refusal::NobodyToWriteTo.into());
        }
        let now = self.clock.now();
        let newest = self.store.conversation(ConversationOf::Application(id), None, PAGE as i64).await?;
        let is_told = newest.iter().any(|message| message.is_unread() && now - message.created_at < ONE_MAIL_FOR);
        let message = self.message(&application, Some(&who.staff.id), key, text);
        let mail = mails::message_written(&self.wording().await, &applicant, application.program);
        let audit = self.about_application(who, id, "message.written", json!({ "message": message.id }));
        match self.store.write_to_applicant(&message, Some(&mail).filter(|_| !is_told), &audit).await {
            // The same form, sent twice.
            Ok(()) | Err(StoreError::Taken("message")) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The application that the signed-in applicant can write to the office about, which must have been submitted.
    async fn written_about(&self, who: &SignedIn) -> Result<Option<Application>, Error> {
        let active = self.store.active_application(&who.applicant.id).await?;
        Ok(active.filter(|application| application.submitted_at.is_some() && application.stage != Stage::Draft))
    }

    /// Writes to the office about the current application, and returns the message's id. The same `key` from the same
    /// applicant writes once.
    ///
    /// # Errors
    /// [`Refusal::NothingSubmitted`]; too many messages in an hour.
    pub async fn write_to_office(&self, who: &SignedIn, key: &str, text: MessageText) -> Result<String, Error> {
        let application = self.written_about(who).await?.ok_or(Refusal::NothingSubmitted)?;
        let now = self.clock.now();
        let applicant_id = &who.applicant.id;
        let limit = format!("conversation:{applicant_id}");
        if let Throttle::Refused { wait } = self.store.attempt(&limit, MESSAGES_PER_HOUR, HOUR, now).await? {
            return Err(Error::Throttled { code: "rate_limited", wait });
        }
        let id = self.id_of(&["message", applicant_id, key].join("\n"));
        let message = self.message(&application, None, &id, text);
        let subject = format!("application:{}", application.id);
        let task = Task {
            id: self.random.id(),
            kind: TaskKind::Message,
            subject: subject.clone(),
            detail: json!({}),
            created_at: now,
            due_at: None,
        };
        let audit = self.by_applicant(applicant_id, subject, "message.written", json!({ "message": message.id }));
        match self.store.write_to_office(&message, &task, &audit).await {
            Ok(()) | Err(StoreError::Taken("message")) => Ok(id),
            Err(error) => Err(error.into()),
        }
    }

    fn message(
        &self,
        application: &Application,
        staff_id: Option<&str>,
        key: &str,
        text: MessageText,
    ) -> ConversationMessage {
        ConversationMessage {
            id: key.to_owned(),
            application_id: application.id.clone(),
            staff_id: staff_id.map(str::to_owned),
            text: text.0,
            created_at: self.clock.now(),
            read_at: None,
        }
    }

    /// The office's snippets, filled in for one applicant in their language.
    pub async fn snippets_for(&self, dossier: &Dossier) -> Vec<FilledSnippet> {
        let settings = self.product_settings().await;
        let language = dossier.applicant.profile.language;
        let filled = |snippet: &Snippet| FilledSnippet {
            name: snippet.name.clone(),
            text: snippet.fill(language, |field| dossier.merge_value(field)),
        };
        settings.snippets.iter().map(filled).collect()
    }
}
