//! Applicants' files, their parts while they arrive, and what staff decided about them.

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::listings::{relist, relist_applicant};
use super::query::{Tx, args};
use crate::{AuditEntry, NewMail, StoreError, Stored};
use domain::documents::{FileName, FileState, Rejection, Review, ReviewDecision, SlotKind, StoredDocument, StoredFile};
use domain::moments::Millis;
use domain::task::{Task, TaskKind};

/// A file that is about to arrive.
#[derive(Debug, Clone)]
pub struct NewDocument {
    pub id: String,
    pub applicant_id: String,
    pub slot: SlotKind,
    pub name: FileName,
    /// Announced bytes; unknown if it comes as a form.
    pub size: Option<u64>,
    pub created_at: Millis,
}

/// A part of an upload, kept as a separate object until the file is complete.
#[derive(Debug, Clone)]
pub struct Part {
    pub start: u64,
    pub length: u64,
    pub object: String,
}

/// What staff decided about a document of an application.
#[derive(Debug, Clone)]
pub struct SlotReview {
    pub application_id: String,
    pub slot: SlotKind,
    pub review: Review,
    pub staff_id: String,
}

/// The state of an application's documents, without their names.
#[derive(Debug, Clone, Default)]
pub struct DocumentStates {
    pub files: Vec<(SlotKind, StoredFile)>,
    /// Decisions without their reasons.
    pub reviews: Vec<(SlotKind, Review)>,
}

/// An object that a row says is kept.
#[derive(Debug, Clone)]
pub struct KeptObject {
    pub object: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
}

pub fn lost_detail(slot: &str) -> serde_json::Value {
    serde_json::json!({ "slot": slot })
}

macro_rules! document_columns {
    () => {
        "id, applicant_id, slot, name, state, size, received, sha256, object, rejection, created_at, updated_at"
    };
}

row! {
    struct DocumentRow {
        id: String,
        applicant_id: String,
        slot: String,
        name: String,
        state: String,
        size: Option<i64>,
        received: i64,
        sha256: Option<String>,
        object: Option<String>,
        rejection: Option<String>,
        created_at: i64,
        updated_at: i64,
    }
}

impl TryFrom<DocumentRow> for StoredDocument {
    type Error = StoreError;

    fn try_from(row: DocumentRow) -> Result<Self, StoreError> {
        let unreadable = |column: &str| unreadable(column, &row.id);
        let name = FileName::parse(&row.name).map_err(|_| unreadable("documents.name"))?;
        let rejection = row.rejection.as_deref();
        Ok(StoredDocument {
            slot: SlotKind::parse(&row.slot).ok_or_else(|| unreadable("documents.slot"))?,
            state: FileState::parse(&row.state).ok_or_else(|| unreadable("documents.state"))?,
            size: row.size.map(i64::cast_unsigned),
            received: row.received.cast_unsigned(),
            rejection: rejection
                .map(|code| Rejection::parse(code, name.kind()).ok_or_else(|| unreadable("documents.rejection")))
                .transpose()?,
            name,
            applicant_id: row.applicant_id,
            sha256: row.sha256,
            object: row.object,
            created_at: row.created_at,
            updated_at: row.updated_at,
            id: row.id,
        })
    }
}

fn read(rows: Vec<DocumentRow>) -> Stored<Vec<StoredDocument>> {
    rows.into_iter().map(StoredDocument::try_from).collect()
}

/// Converts to the stored number; no file is near the end of its range.
fn whole(bytes: u64) -> i64 {
    bytes.cast_signed()
}

const OF_PERSON: &str =
    concat!("SELECT ", document_columns!(), " FROM documents WHERE applicant_id = $1 ORDER BY created_at, id");

type ReviewRow = (String, String, String, String, i64);

const REVIEWS: &str =
    "SELECT slot, decision, reason, staff_id, decided_at FROM document_reviews WHERE application_id = $1";

impl Db {
    /// Adds a file if there are fewer than `limit`; refused files do not count, and those of the slot are removed.
    /// Returns whether there was room.
    pub async fn create_document(&self, new: &NewDocument, limit: i64) -> Stored<bool> {
        let NewDocument { id, applicant_id, slot, name, size, created_at } = new;
        let mut tx = self.begin().await?;
        // A concurrent upload of the same applicant waits here, so that the count holds. SQLite has one writer at a
        // time.
        let lock = self.pick(
            "SELECT id FROM applicants WHERE id = $1",
            "SELECT id FROM applicants WHERE id = $1 FOR NO KEY UPDATE",
        );
        let _: Vec<(String,)> = tx.fetch_all(lock, args![applicant_id]).await?;
        let sql = "SELECT COUNT(*) FROM documents WHERE applicant_id = $1 AND state <> 'refused'";
        let counted: Vec<(i64,)> = tx.fetch_all(sql, args![applicant_id]).await?;
        if counted.first().is_some_and(|(count,)| *count >= limit) {
            return Ok(false);
        }
        let sql = "DELETE FROM documents WHERE applicant_id = $1 AND slot = $2 AND state = 'refused'";
        tx.execute(sql, args![applicant_id, slot.as_str()]).await?;
        tx.execute(
            "INSERT INTO documents (id, applicant_id, slot, name, state, size, received, lease_until, created_at, \
             updated_at) VALUES ($1, $2, $3, $4, 'uploading', $5, 0, 0, $6, $6)",
            args![id, applicant_id, slot.as_str(), name.as_str(), size.map(whole), *created_at],
        )
        .await?;
        tx.commit().await?;
        Ok(true)
    }

    pub async fn document(&self, id: &str) -> Stored<Option<StoredDocument>> {
        let sql = concat!("SELECT ", document_columns!(), " FROM documents WHERE id = $1");
        let row: Option<DocumentRow> = self.fetch_optional(sql, args![id]).await?;
        row.map(StoredDocument::try_from).transpose()
    }

    /// Returns an applicant's files, oldest first.
    pub async fn documents(&self, applicant_id: &str) -> Stored<Vec<StoredDocument>> {
        read(self.fetch_all(OF_PERSON, args![applicant_id]).await?)
    }

    /// Returns files and reviews, in one query.
    pub async fn document_states(&self, applicant_id: &str, application_id: &str) -> Stored<DocumentStates> {
        let sql = "SELECT slot, 'file', state, created_at FROM documents WHERE applicant_id = $1 UNION ALL \
                   SELECT slot, 'review', decision, decided_at FROM document_reviews WHERE application_id = $2";
        let rows: Vec<(String, String, String, i64)> = self.fetch_all(sql, args![applicant_id, application_id]).await?;
        let mut states = DocumentStates::default();
        for (slot, what, state, at) in rows {
            let unreadable = || unreadable("documents.state", applicant_id);
            let slot = SlotKind::parse(&slot).ok_or_else(unreadable)?;
            if what == "file" {
                let state = FileState::parse(&state).ok_or_else(unreadable)?;
                states.files.push((slot, StoredFile { state, created_at: at }));
            } else {
                let decision = ReviewDecision::parse(&state).ok_or_else(unreadable)?;
                states.reviews.push((slot, Review { decision, reason: String::new(), at }));
            }
        }
        Ok(states)
    }

    /// Notes consecutive parts from `start`, if the upload has come that far. `whole` says that the file is complete
    /// and to be checked: by the caller until `lease_until`, and then by anyone.
    pub async fn commit_parts(
        &self,
        id: &str,
        start: u64,
        parts: &[Part],
        whole_file: bool,
        now: Millis,
        lease_until: Millis,
    ) -> Stored<bool> {
        let end = start + parts.iter().map(|part| part.length).sum::<u64>();
        let mut tx = self.begin().await?;
        // First: of two requests with the same bytes, one waits here and then finds that they have arrived.
        let sql = "UPDATE documents SET received = $3, updated_at = $4, \
                   state = CASE WHEN $5 = 1 THEN 'checking' ELSE state END, \
                   size = CASE WHEN $5 = 1 THEN $3 ELSE size END, \
                   lease_until = CASE WHEN $5 = 1 THEN $6 ELSE lease_until END \
                   WHERE id = $1 AND state = 'uploading' AND received = $2";
        let args = args![id, whole(start), whole(end), now, i64::from(whole_file), lease_until];
        if tx.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        for part in parts {
            tx.execute(
                "INSERT INTO document_parts (document_id, start, length, object) VALUES ($1, $2, $3, $4)",
                args![id, whole(part.start), whole(part.length), &part.object],
            )
            .await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the parts in the order of the file.
    pub async fn parts(&self, id: &str) -> Stored<Vec<Part>> {
        let sql = "SELECT start, length, object FROM document_parts WHERE document_id = $1 ORDER BY start";
        let rows: Vec<(i64, i64, String)> = self.fetch_all(sql, args![id]).await?;
        let part = |(start, length, object): (i64, i64, String)| Part {
            start: start.cast_unsigned(),
            length: length.cast_unsigned(),
            object,
        };
        Ok(rows.into_iter().map(part).collect())
    }

    /// Claims a file that is to be checked, unless its lease is held.
    pub async fn claim_check(&self, id: &str, now: Millis, lease_until: Millis) -> Stored<bool> {
        let sql = "UPDATE documents SET lease_until = $3 WHERE id = $1 AND state = 'checking' AND lease_until <= $2";
        Ok(self.execute(sql, args![id, now, lease_until]).await? == 1)
    }

    /// Extends the lease of a file that is being checked.
    pub async fn extend_check(&self, id: &str, lease_until: Millis) -> Stored<()> {
        let sql = "UPDATE documents SET lease_until = $2 WHERE id = $1 AND state = 'checking' AND lease_until < $2";
        self.execute(sql, args![id, lease_until]).await?;
        Ok(())
    }

    /// Returns files that are to be checked and not leased.
    pub async fn unchecked_documents(&self, now: Millis, limit: i64) -> Stored<Vec<String>> {
        let sql =
            "SELECT id FROM documents WHERE state = 'checking' AND lease_until <= $1 ORDER BY updated_at LIMIT $2";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![now, limit]).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Keeps a file that passed: its object replaces the parts. Returns false if the file is gone.
    pub async fn keep_document(
        &self,
        id: &str,
        object: &str,
        size: u64,
        sha256: &str,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE documents SET state = 'received', object = $2, size = $3, received = $3, sha256 = $4, \
                   updated_at = $5 WHERE id = $1 AND state = 'checking'";
        if tx.execute(sql, args![id, object, whole(size), sha256, now]).await? == 0 {
            return Ok(false);
        }
        forget_parts(&mut tx, id).await?;
        found_again(&mut tx, id, now).await?;
        relist_owner(&mut tx, id).await?;
        tx.audit(audit).await?;
        tx.document_event(&audit.id, id, now).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Notes why a file is refused, and removes its parts. Returns false if the file is gone.
    pub async fn refuse_document(
        &self,
        id: &str,
        rejection: Rejection,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE documents SET state = 'refused', rejection = $2, updated_at = $3 \
                   WHERE id = $1 AND state = 'checking'";
        if tx.execute(sql, args![id, rejection.code(), now]).await? == 0 {
            return Ok(false);
        }
        forget_parts(&mut tx, id).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Notes that a kept file is no longer in the storage. If it was accepted, it is needed again; staff and the
    /// applicant are told. Returns false if it is no longer kept.
    pub async fn lose_document(
        &self,
        document: &StoredDocument,
        now: Millis,
        audit: &AuditEntry,
        notice: Option<(&Task, &NewMail)>,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE documents SET state = 'refused', rejection = $2, updated_at = $3 \
                   WHERE id = $1 AND state = 'received'";
        if tx.execute(sql, args![&document.id, Rejection::Lost.code(), now]).await? == 0 {
            return Ok(false);
        }
        let sql = "DELETE FROM document_reviews WHERE slot = $2 AND decision = 'accepted' AND application_id IN \
                   (SELECT id FROM applications WHERE applicant_id = $1 AND archived_at IS NULL)";
        tx.execute(sql, args![&document.applicant_id, document.slot.as_str()]).await?;
        relist_owner(&mut tx, &document.id).await?;
        tx.audit(audit).await?;
        if let Some((task, mail)) = notice {
            tx.task(task).await?;
            tx.mail(mail).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Removes a file in one of these states and its parts. Returns false if there is none.
    pub async fn remove_document(&self, id: &str, states: &[FileState], audit: Option<&AuditEntry>) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = self.pick(
            "SELECT state, applicant_id FROM documents WHERE id = $1",
            "SELECT state, applicant_id FROM documents WHERE id = $1 FOR UPDATE",
        );
        let found: Vec<(String, String)> = tx.fetch_all(sql, args![id]).await?;
        let removable =
            found.iter().filter_map(|(state, _)| FileState::parse(state)).any(|state| states.contains(&state));
        if !removable {
            return Ok(false);
        }
        forget_parts(&mut tx, id).await?;
        tx.execute("DELETE FROM documents WHERE id = $1", args![id]).await?;
        for (_, applicant_id) in &found {
            relist_applicant(&mut tx, applicant_id).await?;
        }
        if let Some(audit) = audit {
            tx.audit(audit).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Returns uploads without progress since `before`, and files refused before then, except lost ones.
    pub async fn abandoned_documents(&self, before: Millis, limit: i64) -> Stored<Vec<StoredDocument>> {
        let sql = concat!(
            "SELECT ",
            document_columns!(),
            " FROM documents WHERE state IN ('uploading', 'refused') AND updated_at < $1 \
             AND COALESCE(rejection, '') <> $3 ORDER BY updated_at LIMIT $2"
        );
        read(self.fetch_all(sql, args![before, limit, Rejection::Lost.code()]).await?)
    }

    /// Whether a row names this object.
    pub async fn is_object_known(&self, object: &str) -> Stored<bool> {
        let sql = "SELECT 1 FROM documents WHERE object = $1 UNION ALL SELECT 1 FROM document_parts WHERE object = $1 \
                   UNION ALL SELECT 1 FROM contracts WHERE file_object = $1 \
                   UNION ALL SELECT 1 FROM referees WHERE letter_object = $1";
        let sql = self.pick(
            sql,
            "SELECT CAST(1 AS BIGINT) FROM documents WHERE object = $1 \
             UNION ALL SELECT CAST(1 AS BIGINT) FROM document_parts WHERE object = $1 \
             UNION ALL SELECT CAST(1 AS BIGINT) FROM contracts WHERE file_object = $1 \
             UNION ALL SELECT CAST(1 AS BIGINT) FROM referees WHERE letter_object = $1",
        );
        let found: Option<(i64,)> = self.fetch_optional(sql, args![object]).await?;
        Ok(found.is_some())
    }

    /// Returns the objects that the storage must have, of documents, signed contracts and letters of referees, by name:
    /// up to `limit` after one.
    pub async fn kept_objects(&self, after: &str, limit: i64) -> Stored<Vec<KeptObject>> {
        let sql = "SELECT object, COALESCE(size, 0), COALESCE(sha256, '') FROM documents \
                   WHERE state = 'received' AND object > $1 \
                   UNION ALL SELECT file_object, COALESCE(file_size, 0), COALESCE(file_hash, '') FROM contracts \
                   WHERE file_object > $1 \
                   UNION ALL SELECT letter_object, COALESCE(letter_size, 0), COALESCE(letter_hash, '') FROM referees \
                   WHERE letter_object > $1 ORDER BY 1 LIMIT $2";
        let rows: Vec<(String, i64, String)> = self.scan(sql, args![after, limit]).await?;
        let kept =
            |(object, size, sha256): (String, i64, String)| KeptObject { object, size: size.cast_unsigned(), sha256 };
        Ok(rows.into_iter().map(kept).collect())
    }

    /// Returns the latest decision about each document of an application.
    pub async fn reviews(&self, application_id: &str) -> Stored<Vec<SlotReview>> {
        read_reviews(application_id, self.fetch_all(REVIEWS, args![application_id]).await?)
    }

    /// Takes back the decision that this member of staff made at that moment, and records that. Returns `false` if it
    /// is no longer the latest.
    pub async fn retract_review(
        &self,
        review: &SlotReview,
        audit: &AuditEntry,
        mail: Option<&NewMail>,
    ) -> Stored<bool> {
        let SlotReview { application_id, slot, review: Review { at, .. }, staff_id } = review;
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM document_reviews \
                   WHERE application_id = $1 AND slot = $2 AND staff_id = $3 AND decided_at = $4";
        if tx.execute(sql, args![application_id, slot.as_str(), staff_id, *at]).await? == 0 {
            return Ok(false);
        }
        reviewed(tx, application_id, audit, mail).await
    }

    /// Replaces the decision of `seen`, or adds the first one. Returns false if the current decision is a different
    /// one.
    pub async fn review_slot(
        &self,
        review: &SlotReview,
        seen: Option<Millis>,
        audit: &AuditEntry,
        mail: Option<&NewMail>,
    ) -> Stored<bool> {
        let SlotReview { application_id, slot, review: Review { decision, reason, at }, staff_id } = review;
        let mut tx = self.begin().await?;
        let written = tx
            .execute(
                "INSERT INTO document_reviews (application_id, slot, decision, reason, staff_id, decided_at) \
                 VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (application_id, slot) \
                 DO UPDATE SET decision = $3, reason = $4, staff_id = $5, decided_at = $6 \
                 WHERE document_reviews.decided_at = $7",
                args![application_id, slot.as_str(), decision.as_str(), reason, staff_id, *at, seen],
            )
            .await?;
        if written == 0 {
            return Ok(false);
        }
        reviewed(tx, application_id, audit, mail).await
    }
}

/// Completes a decision about a document, or taking one back.
async fn reviewed(mut tx: Tx, application_id: &str, audit: &AuditEntry, mail: Option<&NewMail>) -> Stored<bool> {
    relist(&mut tx, application_id).await?;
    tx.audit(audit).await?;
    if let Some(mail) = mail {
        tx.mail(mail).await?;
    }
    tx.commit().await?;
    Ok(true)
}

fn read_reviews(application_id: &str, rows: Vec<ReviewRow>) -> Stored<Vec<SlotReview>> {
    let review = |(slot, decision, reason, staff_id, at): ReviewRow| {
        let unreadable = |column: &str| unreadable(column, application_id);
        Ok(SlotReview {
            application_id: application_id.to_owned(),
            slot: SlotKind::parse(&slot).ok_or_else(|| unreadable("document_reviews.slot"))?,
            review: Review {
                decision: ReviewDecision::parse(&decision).ok_or_else(|| unreadable("document_reviews.decision"))?,
                reason,
                at,
            },
            staff_id,
        })
    };
    rows.into_iter().map(review).collect()
}

/// Returns an applicant's files, within a transaction.
pub(super) async fn documents_of(tx: &mut Tx, applicant_id: &str) -> Stored<Vec<StoredDocument>> {
    read(tx.fetch_all(OF_PERSON, args![applicant_id]).await?)
}

/// Returns decisions about the documents of an application, within a transaction.
pub(super) async fn reviews_of(tx: &mut Tx, application_id: &str) -> Stored<Vec<SlotReview>> {
    read_reviews(application_id, tx.fetch_all(REVIEWS, args![application_id]).await?)
}

/// Closes the task about a lost file that this one replaces.
async fn found_again(tx: &mut Tx, document_id: &str, now: Millis) -> Stored<()> {
    let sql = "SELECT a.id, d.slot FROM documents d JOIN applications a ON a.applicant_id = d.applicant_id \
               WHERE d.id = $1 AND a.archived_at IS NULL";
    let of: Vec<(String, String)> = tx.fetch_all(sql, args![document_id]).await?;
    for (application_id, slot) in of {
        let sql = "UPDATE staff_tasks SET done_at = $4 \
                   WHERE subject = $1 AND kind = $2 AND detail = $3 AND done_at IS NULL";
        let (subject, detail) = (format!("application:{application_id}"), lost_detail(&slot).to_string());
        tx.execute(sql, args![&subject, TaskKind::DocumentLost.as_str(), &detail, now]).await?;
    }
    Ok(())
}

async fn relist_owner(tx: &mut Tx, document_id: &str) -> Stored<()> {
    let owners: Vec<(String,)> =
        tx.fetch_all("SELECT applicant_id FROM documents WHERE id = $1", args![document_id]).await?;
    for (applicant_id,) in owners {
        relist_applicant(tx, &applicant_id).await?;
    }
    Ok(())
}

/// Removes the parts of a file. Their objects are removed afterwards; one that is left over is found because no row
/// names it.
async fn forget_parts(tx: &mut Tx, id: &str) -> Stored<()> {
    tx.execute("DELETE FROM document_parts WHERE document_id = $1", args![id]).await?;
    Ok(())
}
