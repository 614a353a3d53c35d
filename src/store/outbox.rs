//! Mails waiting to be sent, and what happened to them.

use std::collections::HashSet;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

use super::Db;
use super::query::{Tx, args};
use super::rows::{MailRow, mail_columns};
use crate::Stored;
use domain::mail::{AttachedContent, Attachment, Mail};
use domain::moments::{DAY, Millis};

/// A mail to be sent: text and HTML were rendered when it was written.
#[derive(Debug, Clone)]
pub struct NewMail {
    pub id: String,
    pub applicant_id: Option<String>,
    /// Whom it is about, if it goes to somebody else.
    pub about: Option<String>,
    /// Which mail it is: `application-started`.
    pub template: &'static str,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub attachment: Option<Attachment>,
    /// What is shown in the product, for a mail with a secret in it; else `text`.
    pub message: Option<String>,
    /// What is sent instead of `text` and `html`, sealed: a [`SealedMail`].
    pub sealed: Option<String>,
    /// Where such mails can be ended without anything else being asked.
    pub unsubscribe_url: Option<String>,
    pub created_at: Millis,
}

/// A claim is a lease: the mail is due again at its end, whatever happened to the worker. `MATERIALIZED`, so that the
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

/// Removes the secret from a mail that was sent or given up. Versions before `sealed` write the secret into the body.
macro_rules! without_secret {
    () => {
        "sealed = NULL, body_text = COALESCE(message_text, body_text), \
         body_html = CASE WHEN message_text IS NULL THEN body_html ELSE '' END"
    };
}

/// Templates of mails about access to the account. Each is limited where it is requested.
macro_rules! about_access {
    () => {
        "'confirm-email', 'reset-password', 'password-changed', 'email-change-asked', 'email-change-of-taken', \
         'email-changed', 'email-change-stopped', 'wrong-passwords', 'provider-linked', 'provider-unlinked'"
    };
}

/// Templates of mails to people without an account, as in the condition of the index `outbox_strangers`.
macro_rules! to_strangers {
    () => {
        "'inquiry-confirmation', 'brochure', 'openings', 'open-day-booked', 'open-day-changed', 'open-day-reminder', \
         'open-day-cancelled', 'open-day-booking-cancelled'"
    };
}
pub(super) use to_strangers;

/// Mails that are sent to an address nobody has confirmed.
const TO_UNCONFIRMED: [&str; 3] = ["confirm-email", "reset-password", "application-imported"];
/// Maximum other mails to one applicant in a day. On a busy day, an applicant gets a dozen.
const MAX_IN_A_DAY: i64 = 50;
/// What was held back for longer is no longer news.
const SENT_LATER: Millis = 7 * DAY;
/// Maximum mails that are sent later.
const MAX_LATER: usize = 20;

/// Returns why a mail is held back, if it is.
pub(super) async fn why_held(tx: &mut Tx, mail: &NewMail) -> Stored<Option<&'static str>> {
    let NewMail { template, applicant_id: Some(applicant_id), created_at, .. } = mail else { return Ok(None) };
    if TO_UNCONFIRMED.contains(template) {
        return Ok(None);
    }
    const SQL: &str = concat!(
        "SELECT email_confirmed_at, (SELECT COUNT(*) FROM outbox WHERE applicant_id = $1 AND created_at > $2 \
         AND held_at IS NULL AND template NOT IN (",
        about_access!(),
        ")) FROM applicants WHERE id = $1"
    );
    let found: Vec<(Option<Millis>, i64)> = tx.fetch_all(SQL, args![applicant_id, created_at - DAY]).await?;
    let is_about_access = about_access!().split(", ").any(|quoted| quoted.trim_matches('\'') == *template);
    Ok(match found.first() {
        Some((None, _)) => Some("unconfirmed"),
        Some((Some(_), count)) if *count >= MAX_IN_A_DAY && !is_about_access => Some("too_many"),
        _ => None,
    })
}

/// Confirms the account's address. Returns false if it was confirmed already. What was held back goes there, in the
/// order it was written: the same words once, and no reminder, whose moment may have passed.
pub(super) async fn confirm_address(tx: &mut Tx, applicant_id: &str, now: Millis) -> Stored<bool> {
    let sql = "UPDATE applicants SET email_confirmed_at = $2 WHERE id = $1 AND email_confirmed_at IS NULL \
               AND closed_at IS NULL";
    if tx.execute(sql, args![applicant_id, now]).await? == 0 {
        return Ok(false);
    }
    let sql = "SELECT id, body_text FROM outbox WHERE applicant_id = $1 AND held_at > $2 \
               AND template <> 'interview-reminder' ORDER BY created_at DESC, id DESC";
    let held: Vec<(String, String)> = tx.fetch_all(sql, args![applicant_id, now - SENT_LATER]).await?;
    let mut seen = HashSet::new();
    let newest = held.iter().filter(|(_, text)| seen.insert(text)).take(MAX_LATER);
    for (id, _) in newest {
        let sql = "UPDATE outbox SET state = 'waiting', held_at = NULL, due_at = $2, \
                   recipient = (SELECT email FROM applicants WHERE id = applicant_id) WHERE id = $1";
        tx.execute(sql, args![id, now]).await?;
        tx.mail_again();
    }
    Ok(true)
}

/// Returns an attachment as it is stored.
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

/// A mail to an applicant is held back, and can only be read in the product, until their address is confirmed, and when
/// very many were written to them in a day. Mails about access to the account are not.
impl Db {
    /// Writes a mail. Does nothing if there is one with this id.
    pub async fn enqueue(&self, mail: &NewMail) -> Stored<()> {
        let mut tx = self.begin().await?;
        let known: Vec<(String,)> = tx.fetch_all("SELECT id FROM outbox WHERE id = $1", args![&mail.id]).await?;
        if known.is_empty() {
            tx.mail(mail).await?;
        }
        tx.commit().await
    }

    /// Leases up to `limit` due mails, so that no other process takes them before `lease_until`.
    pub async fn claim_mails(&self, limit: i64, now: Millis, lease_until: Millis) -> Stored<Vec<Mail>> {
        // SQLite has one writer at a time; PostgreSQL's workers step over each other's rows.
        let sql = self.pick(claim!(""), claim!(" FOR UPDATE SKIP LOCKED"));
        let rows: Vec<MailRow> = self.write_returning(sql, args![limit, now, lease_until]).await?;
        rows.into_iter().map(Mail::try_from).collect()
    }

    pub async fn mail_sent(&self, id: &str, state: &str, now: Millis) -> Stored<()> {
        // Mails that are kept are read in the mailbox of a development run.
        let sql = if state == "kept" {
            "UPDATE outbox SET state = $2, finished_at = $3 WHERE id = $1"
        } else {
            concat!("UPDATE outbox SET state = $2, finished_at = $3, ", without_secret!(), " WHERE id = $1")
        };
        self.execute(sql, args![id, state, now]).await?;
        Ok(())
    }

    /// Plans another attempt at `retry_at`, or parks the mail as failed.
    pub async fn mail_failed(&self, id: &str, error: &str, retry_at: Option<Millis>) -> Stored<()> {
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

    /// Counts waiting mails, and those that failed for good.
    pub async fn mail_counts(&self) -> Stored<(i64, i64)> {
        let sql = "SELECT (SELECT COUNT(*) FROM outbox WHERE state = 'waiting'), \
                   (SELECT COUNT(*) FROM outbox WHERE state = 'failed')";
        let counts: Vec<(i64, i64)> = self.scan(sql, args![]).await?;
        Ok(counts.first().copied().unwrap_or_default())
    }

    /// Returns the newest mails, except those held back, for the development mailbox.
    pub async fn newest_mails(&self, limit: i64) -> Stored<Vec<Mail>> {
        let sql = concat!(
            "SELECT ",
            mail_columns!(),
            " FROM outbox WHERE held_at IS NULL ORDER BY created_at DESC, id DESC LIMIT $1"
        );
        let rows: Vec<MailRow> = self.fetch_all(sql, args![limit]).await?;
        rows.into_iter().map(Mail::try_from).collect()
    }
}
