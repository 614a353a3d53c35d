//! What the use cases of documents need from outside: rows, bytes, and someone who looks into files.

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;

use super::{AuditEntry, Millis, NewMail, Stored, Task};
use domain::documents::{FileName, FileState, FileType, Rejection, Review, SlotKind, StoredFile};

/// A file that begins to arrive.
#[derive(Debug, Clone)]
pub struct NewDocument {
    pub id: String,
    pub applicant_id: String,
    pub slot: SlotKind,
    pub name: FileName,
    /// Bytes that are announced; unknown when it comes as a form.
    pub size: Option<u64>,
    pub created_at: Millis,
}

/// A file of an applicant.
#[derive(Debug, Clone)]
pub struct StoredDocument {
    pub id: String,
    pub applicant_id: String,
    pub slot: SlotKind,
    pub name: FileName,
    pub state: FileState,
    /// Bytes of the whole: announced, then arrived, then kept.
    pub size: Option<u64>,
    /// Bytes that are safe.
    pub received: u64,
    /// SHA-256 of what is kept, hexadecimal.
    pub sha256: Option<String>,
    /// The name of what is kept in the storage.
    pub object: Option<String>,
    pub rejection: Option<Rejection>,
    pub created_at: Millis,
    /// When bytes came last, or the state changed.
    pub updated_at: Millis,
}

/// A piece of an upload, kept as an object of its own until the whole is there.
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

/// What tells how far the documents of an application are, without what they are called.
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

#[async_trait]
pub trait Documents: Send + Sync {
    /// Whether there was room for one more of `limit` files; refused ones take none, and those of the slot go.
    async fn create_document(&self, new: &NewDocument, limit: i64) -> Stored<bool>;
    async fn document(&self, id: &str) -> Stored<Option<StoredDocument>>;
    /// Oldest first.
    async fn documents(&self, applicant_id: &str) -> Stored<Vec<StoredDocument>>;
    /// In one look.
    async fn document_states(&self, applicant_id: &str, application_id: &str) -> Stored<DocumentStates>;
    /// Notes parts that follow each other from `start`, if that is where the upload stands. `whole` says that nothing
    /// follows: the file is to be checked, by the caller until `lease_until` and then by anyone.
    async fn commit_parts(
        &self,
        id: &str,
        start: u64,
        parts: &[Part],
        whole: bool,
        now: Millis,
        lease_until: Millis,
    ) -> Stored<bool>;
    /// In the order of the file.
    async fn parts(&self, id: &str) -> Stored<Vec<Part>>;
    /// Takes a file that is to be checked, unless its lease is held.
    async fn claim_check(&self, id: &str, now: Millis, lease_until: Millis) -> Stored<bool>;
    /// Keeps a file that is being checked from others until then.
    async fn extend_check(&self, id: &str, lease_until: Millis) -> Stored<()>;
    /// Files that are to be checked and that nobody checks.
    async fn unchecked_documents(&self, now: Millis, limit: i64) -> Stored<Vec<String>>;
    /// Keeps what passed: its object takes the place of the parts. False when the file is gone.
    async fn keep_document(
        &self,
        id: &str,
        object: &str,
        size: u64,
        sha256: &str,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// Notes why a file is not kept, and forgets its parts. False when the file is gone.
    async fn refuse_document(&self, id: &str, rejection: Rejection, now: Millis, audit: &AuditEntry) -> Stored<bool>;
    /// Notes that a kept file is not in the storage any more. What was accepted with it is needed again; the office and the
    /// applicant are told. False when it is not kept by now.
    async fn lose_document(
        &self,
        document: &StoredDocument,
        now: Millis,
        audit: &AuditEntry,
        told: Option<(&Task, &NewMail)>,
    ) -> Stored<bool>;
    /// Forgets a file in one of these states and its parts; false when there is none.
    async fn remove_document(&self, id: &str, states: &[FileState], audit: Option<&AuditEntry>) -> Stored<bool>;
    /// Uploads without progress since `before`, and files refused before then, but for lost ones.
    async fn abandoned_documents(&self, before: Millis, limit: i64) -> Stored<Vec<StoredDocument>>;
    /// Whether a row names this object.
    async fn is_object_known(&self, object: &str) -> Stored<bool>;
    /// What the storage must have, of documents and signed contracts, by the names of the objects: up to `limit` after one.
    async fn kept_objects(&self, after: &str, limit: i64) -> Stored<Vec<KeptObject>>;
    /// The latest decision about each document of an application.
    async fn reviews(&self, application_id: &str) -> Stored<Vec<SlotReview>>;
    /// Takes back the decision that this colleague made at that moment, with its entry in the record. `false` where it is not the
    /// latest any more.
    async fn retract_review(&self, review: &SlotReview, audit: &AuditEntry, mail: Option<&NewMail>) -> Stored<bool>;
    /// Puts a decision in the place of the one of `seen`, or of none. False when there is another one by now.
    async fn review_slot(
        &self,
        review: &SlotReview,
        seen: Option<Millis>,
        audit: &AuditEntry,
        mail: Option<&NewMail>,
    ) -> Stored<bool>;
}

/// Why the storage did not do it.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    #[error("there is no such object")]
    Missing,
    #[error("the storage is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

pub type StoredBytes = BoxStream<'static, Result<Bytes, StorageError>>;

/// An object of the storage.
#[derive(Debug, Clone)]
pub struct ObjectInfo {
    pub name: String,
    pub modified_at: Millis,
}

/// Where the bytes of documents are: a folder, or a service that several processes share.
#[async_trait]
pub trait DocumentStorage: Send + Sync {
    /// Whole, and safe from a loss of power, when it returns.
    async fn put(&self, object: &str, content: Bytes) -> Result<(), StorageError>;
    /// The bytes from `range.start` up to `range.end`.
    async fn get(&self, object: &str, range: std::ops::Range<u64>) -> Result<StoredBytes, StorageError>;
    /// Whether it was there or not.
    async fn delete(&self, object: &str) -> Result<(), StorageError>;
    /// Everything that is there.
    async fn list(&self) -> BoxStream<'static, Result<ObjectInfo, StorageError>>;
    /// Everything that is in a folder.
    async fn list_in(&self, folder: &str) -> BoxStream<'static, Result<ObjectInfo, StorageError>>;
}

/// A file that passed the checks, as it is to be kept.
#[derive(Debug, Clone)]
pub struct Inspected {
    pub content: Bytes,
    /// SHA-256, hexadecimal.
    pub sha256: String,
}

/// Why a file did not pass.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    #[error("{}", .0.sentence())]
    Rejected(Rejection),
    /// It cannot be told now: the virus scanner does not answer.
    #[error("the file cannot be checked now")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Looks into files, away from the threads that answer requests.
#[async_trait]
pub trait Inspect: Send + Sync {
    async fn inspect(&self, kind: FileType, content: Bytes) -> Result<Inspected, InspectError>;
}
