//! What staff keep about one application, besides the application itself.

use serde::{Deserialize, Serialize};

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::listings::relist;
use super::query::{Tx, args};
use super::rows::{SnapshotRow, mail_state};
use crate::{AuditEntry, NewMail, Stored};
use domain::application::Snapshot;
use domain::mail::SentMail;
use domain::moments::Millis;
use domain::note::Note;
use domain::status::{Act, Stage};

/// A change of stage, as it was recorded.
#[derive(Debug, Clone)]
pub struct StoredChange {
    /// The revision of the application that it made.
    pub revision: i64,
    pub act: Act,
    pub from: Stage,
    pub to: Stage,
    pub happened_at: Millis,
    /// Why, in somebody's own words.
    pub reason: Option<String>,
}

/// The last line of one of the record's chains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEnd {
    /// `application:ID`
    pub subject: String,
    /// From 1.
    pub position: i64,
    /// SHA-256, hexadecimal, of this line and all before it.
    pub hash: String,
}

/// A line of the record.
#[derive(Debug, Clone)]
pub struct RecordedLine {
    pub happened_at: Millis,
    /// `applicant:ID`, `staff:ID` or `system`.
    pub actor: String,
    pub action: String,
    pub detail: serde_json::Value,
}

row! {
    struct ChangeRow {
        revision: i64,
        act: String,
        from_stage: String,
        to_stage: String,
        happened_at: i64,
        reason: Option<String>,
    }
}

row! {
    struct NoteRow {
        id: String,
        application_id: String,
        staff_id: String,
        body: String,
        revision: i64,
        pinned_at: Option<i64>,
        created_at: i64,
        edited_at: Option<i64>,
    }
}

row! {
    struct SentMailRow {
        id: String,
        recipient: String,
        subject: String,
        body_text: String,
        message_text: Option<String>,
        state: String,
        attempts: i64,
        last_error: Option<String>,
        created_at: i64,
        finished_at: Option<i64>,
    }
}

row! {
    struct LineRow {
        happened_at: i64,
        actor: String,
        action: String,
        detail: String,
    }
}

impl Db {
    /// Returns everything that was submitted, in order.
    pub async fn snapshots(&self, application_id: &str) -> Stored<Vec<Snapshot>> {
        let sql = "SELECT application_id, number, program, answers, taken_at FROM snapshots WHERE application_id = $1 \
                   ORDER BY number";
        let rows: Vec<SnapshotRow> = self.fetch_all(sql, args![application_id]).await?;
        rows.into_iter().map(Snapshot::try_from).collect()
    }

    /// Returns every change of stage, in order.
    pub async fn stage_changes(&self, application_id: &str) -> Stored<Vec<StoredChange>> {
        let sql = "SELECT revision, act, from_stage, to_stage, happened_at, reason FROM stage_changes \
                   WHERE application_id = $1 ORDER BY revision";
        let rows: Vec<ChangeRow> = self.fetch_all(sql, args![application_id]).await?;
        let unreadable = |column| unreadable(column, application_id);
        rows.into_iter()
            .map(|row| {
                Ok(StoredChange {
                    revision: row.revision,
                    act: Act::parse(&row.act).ok_or_else(|| unreadable("stage_changes.act"))?,
                    from: Stage::parse(&row.from_stage).ok_or_else(|| unreadable("stage_changes.from_stage"))?,
                    to: Stage::parse(&row.to_stage).ok_or_else(|| unreadable("stage_changes.to_stage"))?,
                    happened_at: row.happened_at,
                    reason: row.reason,
                })
            })
            .collect()
    }

    /// Gives an application to another owner, or to none. Returns false and changes nothing if its owner has changed
    /// meanwhile.
    pub async fn hand_over(
        &self,
        application_id: &str,
        from: Option<&str>,
        to: Option<&str>,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql =
            "UPDATE applications SET assigned_to = $3 WHERE id = $1 AND COALESCE(assigned_to, '') = COALESCE($2, '')";
        if tx.execute(sql, args![application_id, from, to]).await? == 0 {
            return Ok(false);
        }
        tx.hand_over_tasks(application_id, to).await?;
        relist(&mut tx, application_id).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the notes about an application, oldest first.
    pub async fn notes(&self, application_id: &str) -> Stored<Vec<Note>> {
        let sql = "SELECT id, application_id, staff_id, body, revision, pinned_at, created_at, edited_at \
                   FROM application_notes WHERE application_id = $1 ORDER BY created_at, id";
        let rows: Vec<NoteRow> = self.fetch_all(sql, args![application_id]).await?;
        let note = |row: NoteRow| Note {
            id: row.id,
            application_id: row.application_id,
            staff_id: row.staff_id,
            text: row.body,
            revision: row.revision,
            pinned_at: row.pinned_at,
            created_at: row.created_at,
            edited_at: row.edited_at,
        };
        Ok(rows.into_iter().map(note).collect())
    }

    /// # Errors
    /// [`StoreError::Taken`]`("note")` if there is one with this id.
    pub async fn write_note(&self, note: &Note, audit: &AuditEntry, mails: &[NewMail]) -> Stored<()> {
        let mut tx = self.begin().await?;
        tx.note(note).await?;
        commit_with_record(tx, audit, mails).await
    }

    /// Writes another text at `revision` plus one. Returns false if `revision` is not the current one.
    pub async fn edit_note(
        &self,
        id: &str,
        revision: i64,
        text: &str,
        audit: &AuditEntry,
        mails: &[NewMail],
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE application_notes SET body = $3, revision = revision + 1, edited_at = $4 \
                   WHERE id = $1 AND revision = $2";
        if tx.execute(sql, args![id, revision, text, audit.at]).await? == 0 {
            return Ok(false);
        }
        commit_with_record(tx, audit, mails).await?;
        Ok(true)
    }

    pub async fn pin_note(&self, id: &str, pinned_at: Option<Millis>, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        tx.execute("UPDATE application_notes SET pinned_at = $2 WHERE id = $1", args![id, pinned_at]).await?;
        commit_with_record(tx, audit, &[]).await
    }

    pub async fn delete_note(&self, id: &str, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        tx.execute("DELETE FROM application_notes WHERE id = $1", args![id]).await?;
        commit_with_record(tx, audit, &[]).await
    }

    /// Returns the newest mails to an applicant, newest first.
    pub async fn mails_to(&self, applicant_id: &str, limit: i64) -> Stored<Vec<SentMail>> {
        let sql = concat!(
            "SELECT id, recipient, subject, body_text, message_text, ",
            mail_state!(),
            " AS state, attempts, last_error, created_at, finished_at FROM outbox WHERE applicant_id = $1 \
             ORDER BY created_at DESC, id DESC LIMIT $2"
        );
        let rows: Vec<SentMailRow> = self.fetch_all(sql, args![applicant_id, limit]).await?;
        let mail = |row: SentMailRow| SentMail {
            id: row.id,
            to: row.recipient,
            subject: row.subject,
            has_secret: row.message_text.is_some(),
            text: row.message_text.unwrap_or(row.body_text),
            state: row.state,
            attempts: row.attempts,
            last_error: row.last_error,
            created_at: row.created_at,
            finished_at: row.finished_at,
        };
        Ok(rows.into_iter().map(mail).collect())
    }

    /// # Errors
    /// [`StoreError::Taken`]`("mail")` if there is one with this id.
    pub async fn write_mail(&self, mail: &NewMail, audit: &AuditEntry) -> Stored<()> {
        let tx = self.begin().await?;
        commit_with_record(tx, audit, std::slice::from_ref(mail)).await
    }

    /// Queues a mail to the applicant again, for this address, if it has no secret and is not being sent. Returns false
    /// if there is no such mail.
    pub async fn resend_mail(&self, applicant_id: &str, id: &str, to: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE outbox SET state = 'waiting', recipient = $3, attempts = 0, due_at = $4, last_error = NULL, \
                   finished_at = NULL, held_at = NULL WHERE id = $1 AND applicant_id = $2 AND state <> 'waiting' \
                   AND message_text IS NULL AND EXISTS (SELECT 1 FROM applicants WHERE id = $2 \
                   AND email_confirmed_at IS NOT NULL)";
        if tx.execute(sql, args![id, applicant_id, to, audit.at]).await? == 0 {
            return Ok(false);
        }
        tx.mail_again();
        commit_with_record(tx, audit, &[]).await?;
        Ok(true)
    }

    /// Returns what is recorded about an application and its applicant's files, oldest first.
    pub async fn timeline(&self, application_id: &str, applicant_id: &str) -> Stored<Vec<RecordedLine>> {
        let sql = "SELECT a.happened_at, a.actor, a.action, a.detail FROM audit a \
                   WHERE a.subject = 'application:' || $1 OR a.subject IN \
                   (SELECT 'document:' || d.id FROM documents d WHERE d.applicant_id = $2) ORDER BY a.happened_at, a.id";
        let rows: Vec<LineRow> = self.fetch_all(sql, args![application_id, applicant_id]).await?;
        rows.into_iter()
            .map(|LineRow { happened_at, actor, action, detail }| {
                let detail = serde_json::from_str(&detail).map_err(|_| unreadable("audit.detail", application_id))?;
                Ok(RecordedLine { happened_at, actor, action, detail })
            })
            .collect()
    }

    /// Returns who has had the application open after `since`, and when last.
    pub async fn lookers(&self, application_id: &str, since: Millis) -> Stored<Vec<(String, Millis)>> {
        let sql = "SELECT staff_id, seen_at FROM application_viewers WHERE application_id = $1 AND seen_at > $2 \
                   ORDER BY staff_id";
        self.fetch_all(sql, args![application_id, since]).await
    }

    /// Notes that a member of staff has the application open.
    pub async fn look_at(&self, application_id: &str, staff_id: &str, now: Millis) -> Stored<()> {
        let sql = "INSERT INTO application_viewers (application_id, staff_id, seen_at) VALUES ($1, $2, $3) \
                   ON CONFLICT (application_id, staff_id) DO UPDATE SET seen_at = excluded.seen_at";
        self.execute(sql, args![application_id, staff_id, now]).await?;
        Ok(())
    }

    /// Notes that a member of staff has left it.
    pub async fn look_away(&self, application_id: &str, staff_id: &str) -> Stored<()> {
        let sql = "DELETE FROM application_viewers WHERE application_id = $1 AND staff_id = $2";
        self.execute(sql, args![application_id, staff_id]).await?;
        Ok(())
    }

    /// Whether every line about the subject (`application:ID`) is as it was recorded.
    pub async fn is_record_unbroken(&self, subject: &str) -> Stored<bool> {
        Ok(self.check_chain(Some(subject)).await?.is_ok())
    }

    /// Returns the end of each chain of the record.
    pub async fn chain_ends(&self) -> Stored<Vec<ChainEnd>> {
        self.ends_of_chains().await
    }

    /// Chains up to `limit` lines of the record that were written before lines were chained. Returns how many.
    pub async fn chain_missing(&self, limit: i64) -> Stored<usize> {
        self.chain_unchained(limit).await
    }
}

impl Tx {
    /// Writes a note about an application.
    pub(super) async fn note(&mut self, note: &Note) -> Stored<()> {
        let Note { id, application_id, staff_id, text, revision, pinned_at, created_at, edited_at } = note;
        self.execute(
            "INSERT INTO application_notes (id, application_id, staff_id, body, revision, pinned_at, created_at, edited_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            args![id, application_id, staff_id, text, *revision, *pinned_at, *created_at, *edited_at],
        )
        .await?;
        Ok(())
    }
}

async fn commit_with_record(mut tx: Tx, audit: &AuditEntry, mails: &[NewMail]) -> Stored<()> {
    for mail in mails {
        tx.mail(mail).await?;
    }
    tx.audit(audit).await?;
    tx.commit().await
}
