//! What applicants and staff write to each other.

use super::Db;
use super::in_place::row;
use super::listings::relist;
use super::query::{Tx, args};
use crate::{AuditEntry, NewMail, Stored};
use domain::conversation::ConversationMessage;
use domain::moments::Millis;
use domain::task::{Task, TaskKind};

/// Selects whose messages to read.
#[derive(Debug, Clone, Copy)]
pub enum ConversationOf<'a> {
    /// About one application.
    Application(&'a str),
    /// About all applications of an applicant.
    Applicant(&'a str),
}

/// Columns of `conversation_messages`.
macro_rules! conversation_columns {
    () => {
        "id, application_id, staff_id, body, created_at, read_at"
    };
}
pub(super) use conversation_columns;

row! {
    pub(super) struct ConversationRow {
        id: String,
        application_id: String,
        staff_id: Option<String>,
        body: String,
        created_at: i64,
        read_at: Option<i64>,
    }
}

impl From<ConversationRow> for ConversationMessage {
    fn from(row: ConversationRow) -> Self {
        let ConversationRow { id, application_id, staff_id, body, created_at, read_at } = row;
        ConversationMessage { id, application_id, staff_id, text: body, created_at, read_at }
    }
}

/// A page of messages, restricted by `$of` on `$1`.
macro_rules! page_of {
    ($of:literal) => {
        concat!(
            "SELECT ",
            conversation_columns!(),
            " FROM conversation_messages WHERE application_id ",
            $of,
            " AND ($2 IS NULL OR (created_at, id) < (SELECT created_at, id FROM conversation_messages WHERE id = $2)) \
             ORDER BY created_at DESC, id DESC LIMIT $3"
        )
    };
}

impl Db {
    /// Returns up to `limit` messages older than the message `before`, newest first.
    pub async fn conversation(
        &self,
        of: ConversationOf<'_>,
        before: Option<&str>,
        limit: i64,
    ) -> Stored<Vec<ConversationMessage>> {
        let (sql, id) = match of {
            ConversationOf::Application(id) => (page_of!("= $1"), id),
            ConversationOf::Applicant(id) => {
                (page_of!("IN (SELECT a.id FROM applications a WHERE a.applicant_id = $1)"), id)
            }
        };
        let rows: Vec<ConversationRow> = self.fetch_all(sql, args![id, before, limit]).await?;
        Ok(rows.into_iter().map(ConversationMessage::from).collect())
    }

    /// Writes a message from staff with the mail that announces it, and closes the task to answer.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("message")` if there is one with this id.
    pub async fn write_to_applicant(
        &self,
        message: &ConversationMessage,
        mail: Option<&NewMail>,
        audit: &AuditEntry,
    ) -> Stored<()> {
        let mut tx = self.begin().await?;
        write(&mut tx, message).await?;
        if let Some(mail) = mail {
            tx.mail(mail).await?;
        }
        tx.tasks_done(&format!("application:{}", message.application_id), TaskKind::Message, message.created_at)
            .await?;
        relist(&mut tx, &message.application_id).await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Writes a message from the applicant with the task to answer it.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("message")` if there is one with this id.
    pub async fn write_to_office(&self, message: &ConversationMessage, task: &Task, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        write(&mut tx, message).await?;
        tx.task(task).await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Marks everything written to the applicant as read.
    pub async fn conversation_read(&self, applicant_id: &str, now: Millis) -> Stored<()> {
        let sql = "UPDATE conversation_messages SET read_at = $2 WHERE staff_id IS NOT NULL AND read_at IS NULL \
                   AND application_id IN (SELECT id FROM applications WHERE applicant_id = $1)";
        self.execute(sql, args![applicant_id, now]).await?;
        Ok(())
    }
}

async fn write(tx: &mut Tx, message: &ConversationMessage) -> Stored<()> {
    let ConversationMessage { id, application_id, staff_id, text, created_at, read_at } = message;
    let sql =
        concat!("INSERT INTO conversation_messages (", conversation_columns!(), ") VALUES ($1, $2, $3, $4, $5, $6)");
    tx.execute(sql, args![id, application_id, staff_id.as_deref(), text, *created_at, *read_at]).await?;
    Ok(())
}
