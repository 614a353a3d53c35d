//! Everything stored about one applicant, for export and for erasure.

use super::Db;
use super::accounts::end_pending;
use super::conversations::{ConversationRow, conversation_columns};
use super::email_confirmations::drop_email_confirmation;
use super::error::{missing, unreadable};
use super::in_place::row;
use super::listings::relist_applicant;
use super::prospects::forget_prospect;
use super::query::{Tx, args};
use super::rows::{ApplicationRow, MessageRow, SnapshotRow, application_columns, message_columns};
use crate::{AuditEntry, NewJob, NewMail, StoreError, Stored};
use domain::application::{Application, Snapshot};
use domain::conversation::ConversationMessage;
use domain::mail::Message;
use domain::moments::Millis;
use domain::status::{Act, Stage};

/// The closing of an account: what identifies the person is erased, unless it must be kept.
#[derive(Debug, Clone)]
pub struct Closing {
    pub applicant_id: String,
    /// The account must still have this hash.
    pub password_hash: String,
    pub at: Millis,
    pub audit: AuditEntry,
    /// To an address that was confirmed.
    pub mail: Option<NewMail>,
    /// Erases what is kept, once its time is over.
    pub job: NewJob,
}

/// Everything stored about an applicant.
#[derive(Debug, Clone)]
pub struct StoredRecords {
    pub applications: Vec<Application>,
    /// In the order in which they were taken.
    pub snapshots: Vec<Snapshot>,
    /// In the order in which they happened.
    pub stage_changes: Vec<StageChange>,
    /// In the order in which they were booked.
    pub interviews: Vec<StoredInterview>,
    /// Newest first.
    pub messages: Vec<Message>,
    /// What the applicant and staff wrote to each other, in order.
    pub conversation: Vec<ConversationMessage>,
    /// Open ones and those that ended not long ago, newest first.
    pub sessions: Vec<StoredSession>,
    /// What the applicant did, in the order it happened.
    pub audit: Vec<RecordedAct>,
}

/// An interview as it is stored.
#[derive(Debug, Clone)]
pub struct StoredInterview {
    pub application_id: String,
    pub starts_at: Millis,
    pub booked_at: Millis,
    /// When its time was given up because it was moved or cancelled.
    pub freed_at: Option<Millis>,
    /// `held`, `no_show`
    pub outcome: Option<String>,
}

/// A session as it is stored.
#[derive(Debug, Clone)]
pub struct StoredSession {
    pub created_at: Millis,
    pub last_seen_at: Millis,
    pub expires_at: Millis,
    /// When it was ended early.
    pub revoked_at: Option<Millis>,
    /// Where it was opened from.
    pub address: String,
    pub user_agent: String,
}

/// A change of stage, as it was noted.
#[derive(Debug, Clone)]
pub struct StageChange {
    pub application_id: String,
    pub act: Act,
    pub from: Stage,
    pub to: Stage,
    pub happened_at: Millis,
    /// Why, in the applicant's own words.
    pub reason: Option<String>,
}

/// A line of the record, as its applicant may see it.
#[derive(Debug, Clone)]
pub struct RecordedAct {
    pub happened_at: Millis,
    /// `application:ID`, `applicant:ID`.
    pub subject: String,
    pub action: String,
}

row! {
    struct StageChangeRow {
        application_id: String,
        act: String,
        from_stage: String,
        to_stage: String,
        happened_at: i64,
        reason: Option<String>,
    }
}

impl TryFrom<StageChangeRow> for StageChange {
    type Error = StoreError;

    fn try_from(row: StageChangeRow) -> Result<Self, StoreError> {
        let unreadable = |column: &str| unreadable(column, &row.application_id);
        Ok(StageChange {
            act: Act::parse(&row.act).ok_or_else(|| unreadable("stage_changes.act"))?,
            from: Stage::parse(&row.from_stage).ok_or_else(|| unreadable("stage_changes.from_stage"))?,
            to: Stage::parse(&row.to_stage).ok_or_else(|| unreadable("stage_changes.to_stage"))?,
            happened_at: row.happened_at,
            reason: row.reason,
            application_id: row.application_id,
        })
    }
}

row! {
    struct InterviewRow {
        application_id: String,
        starts_at: i64,
        booked_at: i64,
        freed_at: Option<i64>,
        outcome: Option<String>,
    }
}

impl From<InterviewRow> for StoredInterview {
    fn from(row: InterviewRow) -> Self {
        let InterviewRow { application_id, starts_at, booked_at, freed_at, outcome } = row;
        StoredInterview { application_id, starts_at, booked_at, freed_at, outcome }
    }
}

row! {
    struct SessionRow {
        created_at: i64,
        last_seen_at: i64,
        expires_at: i64,
        revoked_at: Option<i64>,
        address: String,
        user_agent: String,
    }
}

impl From<SessionRow> for StoredSession {
    fn from(row: SessionRow) -> Self {
        let SessionRow { created_at, last_seen_at, expires_at, revoked_at, address, user_agent } = row;
        StoredSession { created_at, last_seen_at, expires_at, revoked_at, address, user_agent }
    }
}

impl Db {
    /// Returns everything stored about the applicant.
    pub async fn records(&self, applicant_id: &str) -> Stored<StoredRecords> {
        let sql = concat!(
            "SELECT ",
            application_columns!(),
            " FROM applications WHERE applicant_id = $1 ORDER BY created_at, id"
        );
        let applications: Vec<ApplicationRow> = self.fetch_all(sql, args![applicant_id]).await?;
        let sql = "SELECT s.application_id, s.number, s.program, s.answers, s.taken_at FROM snapshots s \
                   JOIN applications a ON a.id = s.application_id WHERE a.applicant_id = $1 \
                   ORDER BY s.taken_at, s.number";
        let snapshots: Vec<SnapshotRow> = self.fetch_all(sql, args![applicant_id]).await?;
        let sql = "SELECT c.application_id, c.act, c.from_stage, c.to_stage, c.happened_at, c.reason FROM stage_changes c \
                   JOIN applications a ON a.id = c.application_id WHERE a.applicant_id = $1 \
                   ORDER BY a.created_at, a.id, c.revision";
        let stage_changes: Vec<StageChangeRow> = self.fetch_all(sql, args![applicant_id]).await?;
        let sql = "SELECT i.application_id, s.starts_at, i.booked_at, i.freed_at, i.outcome FROM interviews i \
                   JOIN interview_slots s ON s.id = i.slot_id JOIN applications a ON a.id = i.application_id \
                   WHERE a.applicant_id = $1 ORDER BY i.booked_at, i.id";
        let interviews: Vec<InterviewRow> = self.fetch_all(sql, args![applicant_id]).await?;
        let sql = concat!(
            "SELECT ",
            message_columns!(),
            " FROM outbox WHERE applicant_id = $1 ORDER BY created_at DESC, id DESC"
        );
        let messages: Vec<MessageRow> = self.fetch_all(sql, args![applicant_id]).await?;
        let sql = concat!(
            "SELECT ",
            conversation_columns!(),
            " FROM conversation_messages WHERE application_id IN \
             (SELECT a.id FROM applications a WHERE a.applicant_id = $1) ORDER BY created_at, id"
        );
        let conversation: Vec<ConversationRow> = self.fetch_all(sql, args![applicant_id]).await?;
        let sql = "SELECT created_at, last_seen_at, expires_at, revoked_at, address, user_agent FROM sessions \
                   WHERE applicant_id = $1 ORDER BY created_at DESC, id DESC";
        let sessions: Vec<SessionRow> = self.fetch_all(sql, args![applicant_id]).await?;
        let sql = "SELECT happened_at, subject, action FROM audit WHERE actor = 'applicant:' || $1 AND (\
                   subject = 'applicant:' || $1 OR \
                   subject IN (SELECT 'application:' || id FROM applications WHERE applicant_id = $1)) \
                   ORDER BY happened_at, id";
        let audit: Vec<(i64, String, String)> = self.fetch_all(sql, args![applicant_id]).await?;
        Ok(StoredRecords {
            applications: applications.into_iter().map(Application::try_from).collect::<Stored<_>>()?,
            snapshots: snapshots.into_iter().map(Snapshot::try_from).collect::<Stored<_>>()?,
            stage_changes: stage_changes.into_iter().map(StageChange::try_from).collect::<Stored<_>>()?,
            interviews: interviews.into_iter().map(StoredInterview::from).collect(),
            messages: messages.into_iter().map(Message::from).collect(),
            conversation: conversation.into_iter().map(ConversationMessage::from).collect(),
            sessions: sessions.into_iter().map(StoredSession::from).collect(),
            audit: audit
                .into_iter()
                .map(|(happened_at, subject, action)| RecordedAct { happened_at, subject, action })
                .collect(),
        })
    }

    /// Closes an account without an active application; with one, it is part of its [`Transition`].
    pub async fn close_account(&self, closing: &Closing) -> Stored<()> {
        let mut tx = self.begin().await?;
        close_account(&mut tx, closing).await?;
        tx.commit().await
    }

    /// Erases what was kept of a closed account.
    pub async fn erase_records(&self, applicant_id: &str, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        tx.execute(
            "UPDATE snapshots SET answers = '{}' \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            args![applicant_id],
        )
        .await?;
        for sql in [
            "UPDATE applications SET answers = '{}' WHERE applicant_id = $1",
            "UPDATE stage_changes SET reason = NULL \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "UPDATE change_requests SET message = '' \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "UPDATE document_reviews SET reason = '' \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "UPDATE staff_tasks SET note = '' WHERE subject IN \
             (SELECT 'application:' || id FROM applications WHERE applicant_id = $1)",
            "DELETE FROM application_notes \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "DELETE FROM conversation_messages \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "DELETE FROM interview_wishes WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "UPDATE decisions SET letter = '', waiver = NULL, without_documents = NULL, conditions = '[]' \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "UPDATE offers SET reason = NULL WHERE decision_id IN (SELECT d.id FROM decisions d \
             JOIN applications a ON a.id = d.application_id WHERE a.applicant_id = $1)",
            "UPDATE funding_sources SET reason = NULL \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "UPDATE application_fees SET reason = NULL, need_statement = NULL, need_refusal = NULL \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "UPDATE deferrals SET reason = NULL, refusal = NULL \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "UPDATE score_sheets SET comment = NULL WHERE interview_id IN (SELECT i.id FROM interviews i \
             JOIN applications a ON a.id = i.application_id WHERE a.applicant_id = $1)",
            "UPDATE readings SET comment = NULL \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "UPDATE offer_conditions SET note = '' WHERE decision_id IN (SELECT d.id FROM decisions d \
             JOIN applications a ON a.id = d.application_id WHERE a.applicant_id = $1)",
            "DELETE FROM application_tags WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "UPDATE card_charges SET checkout_url = NULL \
             WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
            "DELETE FROM payment_cards WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
        ] {
            tx.execute(sql, args![applicant_id]).await?;
        }
        super::booking_requests::erase(&mut tx, applicant_id, audit.at).await?;
        super::contracts::erase(&mut tx, applicant_id).await?;
        super::list_views::erase(&mut tx, applicant_id).await?;
        erase_person(&mut tx, applicant_id).await?;
        relist_applicant(&mut tx, applicant_id).await?;
        tx.audit(audit).await?;
        tx.commit().await
    }
}

/// Frees the address, ends all access and erases what need not be kept. What was submitted is kept, and by whom.
pub(super) async fn close_account(tx: &mut Tx, closing: &Closing) -> Stored<()> {
    let Closing { applicant_id, password_hash, at, audit, mail, job } = closing;
    let id = applicant_id.as_str();
    forget_prospect(tx, id, *at).await?;
    // No address can have the key of a closed account.
    let sql = "UPDATE applicants SET closed_at = $2, email = '', email_key = 'closed:' || id, phone_number = '', \
               time_zone = '', password_hash = '', code_seed = NULL, passkeys = 0 \
               WHERE id = $1 AND password_hash = $3 AND closed_at IS NULL";
    if tx.execute(sql, args![id, *at, password_hash]).await? == 0 {
        return Err(missing("account to be closed", id));
    }
    end_pending(tx, id).await?;
    drop_email_confirmation(tx, id).await?;
    tx.execute("DELETE FROM recovery_codes WHERE applicant_id = $1", args![id]).await?;
    tx.execute("DELETE FROM passkeys WHERE applicant_id = $1", args![id]).await?;
    tx.execute("DELETE FROM applicant_identities WHERE applicant_id = $1", args![id]).await?;
    tx.execute("DELETE FROM sessions WHERE applicant_id = $1", args![id]).await?;
    tx.execute("DELETE FROM outbox WHERE applicant_id = $1", args![id]).await?;
    tx.execute(
        "DELETE FROM jobs WHERE subject IN \
         (SELECT 'application:' || id FROM applications WHERE applicant_id = $1 AND submitted_at IS NULL)",
        args![id],
    )
    .await?;
    // The row stays for what refers to it.
    tx.execute("UPDATE applications SET answers = '{}' WHERE applicant_id = $1 AND submitted_at IS NULL", args![id])
        .await?;
    let kept = "SELECT COUNT(*) FROM applications WHERE applicant_id = $1 AND submitted_at IS NOT NULL";
    let kept: Vec<(i64,)> = tx.fetch_all(kept, args![id]).await?;
    if kept.first().is_none_or(|(count,)| *count == 0) {
        erase_person(tx, id).await?;
    } else {
        tx.job(job).await?;
    }
    relist_applicant(tx, id).await?;
    tx.audit(audit).await?;
    match mail {
        Some(mail) => tx.mail(mail).await,
        None => Ok(()),
    }
}

/// Erases a person, except for an id that the record can name. The caller removes the bytes of documents.
async fn erase_person(tx: &mut Tx, applicant_id: &str) -> Stored<()> {
    tx.execute(
        "DELETE FROM document_parts WHERE document_id IN (SELECT id FROM documents WHERE applicant_id = $1)",
        args![applicant_id],
    )
    .await?;
    tx.execute("DELETE FROM documents WHERE applicant_id = $1", args![applicant_id]).await?;
    tx.execute("DELETE FROM outbox WHERE about_applicant_id = $1", args![applicant_id]).await?;
    let sql = "DELETE FROM referees WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)";
    tx.execute(sql, args![applicant_id]).await?;
    let sql = "UPDATE imported_applications SET former_reference = NULL \
               WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)";
    tx.execute(sql, args![applicant_id]).await?;
    let sql = "UPDATE applicants SET first_name = '', last_name = '', date_of_birth = '1900-01-01', country = '', \
               state = NULL WHERE id = $1 AND closed_at IS NOT NULL";
    tx.execute(sql, args![applicant_id]).await?;
    Ok(())
}
