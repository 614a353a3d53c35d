//! Mails that wait to be sent, and what became of them.

use async_trait::async_trait;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

use super::Db;
use super::query::args;
use super::rows::{MailRow, mail_columns};
use crate::app::ports::{AttachedContent, Attachment, Mail, Millis, NewMail, Outbox, Stored};

/// A claim is a lease: the mail is due again at its end, whatever became of the worker. `MATERIALIZED`, so that the
/// mails are chosen once.
macro_rules! claim {
    ($lock:literal) => {
        concat!(
            "WITH due AS MATERIALIZED (\
             SELECT id FROM outbox WHERE state = 'waiting' AND due_at <= $2 ORDER BY due_at, id LIMIT $1",
            $lock,
            ") UPDATE outbox SET due_at = $3, attempts = attempts + 1 WHERE id IN (SELECT id FROM due) RETURNING ",
            mail_columns!()
        )
    };
}

/// Sets what is left of a mail that is sent or given up. Versions before `sealed` write the secret into the body.
macro_rules! without_secret {
    () => {
        "sealed = NULL, body_text = COALESCE(message_text, body_text), \
         body_html = CASE WHEN message_text IS NULL THEN body_html ELSE '' END"
    };
}

/// An attachment as it is stored.
pub(super) fn stored_attachment(attachment: &Attachment) -> String {
    let Attachment { name, content_type, content } = attachment;
    match content {
        AttachedContent::Text(text) => json!({ "name": name, "contentType": content_type, "text": text }),
        AttachedContent::Bytes(bytes) => {
            json!({ "name": name, "contentType": content_type, "base64": BASE64_STANDARD.encode(bytes) })
        }
    }
    .to_string()
}

pub(super) fn read_attachment(stored: &str) -> Option<Attachment> {
    let stored: serde_json::Value = serde_json::from_str(stored).ok()?;
    let text = |name: &str| Some(stored.get(name)?.as_str()?.to_owned());
    let content = match text("text") {
        Some(text) => AttachedContent::Text(text),
        None => AttachedContent::Bytes(BASE64_STANDARD.decode(text("base64")?).ok()?),
    };
    Some(Attachment { name: text("name")?, content_type: text("contentType")?, content })
}

#[async_trait]
impl Outbox for Db {
    async fn enqueue(&self, mail: &NewMail) -> Stored<()> {
        let mut tx = self.begin().await?;
        let known: Vec<(String,)> = tx.fetch_all("SELECT id FROM outbox WHERE id = $1", args![&mail.id]).await?;
        if known.is_empty() {
            tx.mail(mail).await?;
        }
        tx.commit().await
    }

    async fn claim_mails(&self, limit: i64, now: Millis, lease_until: Millis) -> Stored<Vec<Mail>> {
        // SQLite has one writer at a time; PostgreSQL's workers step over each other's rows.
        let sql = self.pick(claim!(""), claim!(" FOR UPDATE SKIP LOCKED"));
        let rows: Vec<MailRow> = self.write_returning(sql, args![limit, now, lease_until]).await?;
        rows.into_iter().map(Mail::try_from).collect()
    }

    async fn mail_sent(&self, id: &str, state: &str, now: Millis) -> Stored<()> {
        // Mails that are kept are read in the mailbox of a development run.
        let sql = if state == "kept" {
            "UPDATE outbox SET state = $2, finished_at = $3 WHERE id = $1"
        } else {
            concat!("UPDATE outbox SET state = $2, finished_at = $3, ", without_secret!(), " WHERE id = $1")
        };
        self.execute(sql, args![id, state, now]).await?;
        Ok(())
    }

    async fn mail_failed(&self, id: &str, error: &str, retry_at: Option<Millis>) -> Stored<()> {
        let Some(retry_at) = retry_at else {
            let sql = concat!(
                "UPDATE outbox SET state = 'failed', last_error = $2, ",
                without_secret!(),
                " WHERE id = $1 AND state = 'waiting'"
            );
            self.execute(sql, args![id, error]).await?;
            return Ok(());
        };
        let sql = "UPDATE outbox SET last_error = $2, due_at = $3 WHERE id = $1 AND state = 'waiting'";
        self.execute(sql, args![id, error, retry_at]).await?;
        Ok(())
    }

    async fn mail_counts(&self) -> Stored<(i64, i64)> {
        let sql = "SELECT (SELECT COUNT(*) FROM outbox WHERE state = 'waiting'), \
                   (SELECT COUNT(*) FROM outbox WHERE state = 'failed')";
        let counts: Vec<(i64, i64)> = self.scan(sql, args![]).await?;
        Ok(counts.first().copied().unwrap_or_default())
    }

    async fn newest_mails(&self, limit: i64) -> Stored<Vec<Mail>> {
        let sql = concat!("SELECT ", mail_columns!(), " FROM outbox ORDER BY created_at DESC, id DESC LIMIT $1");
        let rows: Vec<MailRow> = self.fetch_all(sql, args![limit]).await?;
        rows.into_iter().map(Mail::try_from).collect()
    }
}
