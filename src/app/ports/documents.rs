//! Where the bytes of documents are, and who looks into files.

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;

use domain::documents::{FileType, Rejection};
use domain::moments::Millis;

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
