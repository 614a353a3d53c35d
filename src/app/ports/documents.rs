//! Storage for the bytes of documents, and inspection of files.

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;

use domain::documents::{FileType, Rejection};
use domain::moments::Millis;

/// Why a storage operation failed.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    #[error("there is no such object")]
    Missing,
    #[error("the storage is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

pub type StoredBytes = BoxStream<'static, Result<Bytes, StorageError>>;

/// An object in the storage.
#[derive(Debug, Clone)]
pub struct ObjectInfo {
    pub name: String,
    pub modified_at: Millis,
}

/// Stores the bytes of documents: a folder, or a service shared by several processes.
#[async_trait]
pub trait DocumentStorage: Send + Sync {
    /// On return, the object is complete and safe from power loss.
    async fn put(&self, object: &str, content: Bytes) -> Result<(), StorageError>;
    /// The bytes from `range.start` up to `range.end`.
    async fn get(&self, object: &str, range: std::ops::Range<u64>) -> Result<StoredBytes, StorageError>;
    /// Succeeds whether or not it existed.
    async fn delete(&self, object: &str) -> Result<(), StorageError>;
    /// All objects.
    async fn list(&self) -> BoxStream<'static, Result<ObjectInfo, StorageError>>;
    /// All objects in a folder.
    async fn list_in(&self, folder: &str) -> BoxStream<'static, Result<ObjectInfo, StorageError>>;
}

/// A file that passed the checks, ready to be kept.
#[derive(Debug, Clone)]
pub struct Inspected {
    pub content: Bytes,
    /// Hexadecimal SHA-256.
    pub sha256: String,
}

/// Why a file did not pass.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    #[error("{}", .0.sentence())]
    Rejected(Rejection),
    /// It cannot be checked now: the virus scanner does not answer.
    #[error("the file cannot be checked now")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Inspects files, off the threads that serve requests.
#[async_trait]
pub trait Inspect: Send + Sync {
    async fn inspect(&self, kind: FileType, content: Bytes) -> Result<Inspected, InspectError>;
}
