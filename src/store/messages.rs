//! Mails as their recipients read them in the product.

use super::Db;
use super::query::args;
use super::rows::{MessageRow, is_message, message_columns, unread_messages};
use crate::Stored;
use domain::mail::Message;
use domain::moments::Millis;

impl Db {
    /// Returns mails to the applicant, newest first: up to `limit` of those older than the mail `before`.
    pub async fn messages(&self, applicant_id: &str, before: Option<&str>, limit: i64) -> Stored<Vec<Message>> {
        // By the time of writing: a mail of a job may have the job's identifier, which is older.
        let sql = concat!(
            "SELECT ",
            message_columns!(),
            " FROM outbox WHERE applicant_id = $1 AND ",
            is_message!(),
            " AND ($2 IS NULL OR (created_at, id) < \
             (SELECT created_at, id FROM outbox WHERE applicant_id = $1 AND id = $2)) \
             ORDER BY created_at DESC, id DESC LIMIT $3"
        );
        let rows: Vec<MessageRow> = self.fetch_all(sql, args![applicant_id, before, limit]).await?;
        Ok(rows.into_iter().map(Message::from).collect())
    }

    /// Returns one of them.
    pub async fn message(&self, applicant_id: &str, id: &str) -> Stored<Option<Message>> {
        let sql = concat!("SELECT ", message_columns!(), " FROM outbox WHERE applicant_id = $1 AND id = $2");
        let row: Option<MessageRow> = self.fetch_optional(sql, args![applicant_id, id]).await?;
        Ok(row.map(Message::from))
    }

    /// Marks it as opened, unless it is already.
    pub async fn message_read(&self, applicant_id: &str, id: &str, now: Millis) -> Stored<()> {
        let sql = "UPDATE outbox SET read_at = $3 WHERE applicant_id = $1 AND id = $2 AND read_at IS NULL";
        self.execute(sql, args![applicant_id, id, now]).await?;
        Ok(())
    }

    pub async fn unread_messages(&self, applicant_id: &str) -> Stored<i64> {
        let sql = concat!("SELECT ", unread_messages!());
        let count: Option<(i64,)> = self.fetch_optional(sql, args![applicant_id]).await?;
        Ok(count.unwrap_or_default().0)
    }
}
