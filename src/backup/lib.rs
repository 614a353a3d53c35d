//! Backup and restore of everything that a school would miss, in one file: the database as of one moment, every
//! document that its rows name, and the secret that signs tokens.
//!
//! Rows are copied whatever they mean ([`store::transfer`]): an archive of SQLite can go into PostgreSQL, and vice
//! versa.

mod archive;
mod copy;
mod make;
mod place;
mod progress;
mod restore;
mod verify;

use std::io;
use std::path::PathBuf;

use app::ports::StorageError;
use documents::{ObjectStorage, OpenError};
use store::transfer::TransferError;
use store::{SetupError, StoreError};

pub use archive::fingerprint;
pub use copy::{Copied, copy};
pub use make::{Made, backup};
pub use restore::{Restored, restore};
pub use verify::verify;

/// What is backed up, or restored into.
pub struct Site {
    pub database_url: String,
    pub storage: ObjectStorage,
    pub secret: Secret,
}

/// The secret that signs tokens.
pub enum Secret {
    /// From the configuration, which is never written: an archive only tells whether it is the same one.
    Configured(Vec<u8>),
    /// The file that holds it, if there is one.
    Kept(PathBuf),
}

/// What an archive contains, and what it lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    pub rows: u64,
    pub objects: usize,
    /// Documents that the database named but that were missing from the storage, or not as they were sent.
    pub lacking: Vec<String>,
}

/// Why a backup, restore, verification or copy failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Transfer(#[from] TransferError),
    #[error(transparent)]
    Database(#[from] SetupError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("{0}")]
    Storage(String, #[source] StorageError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}")]
    File(String, #[source] io::Error),
    #[error("{0} is there already; name another file, or a folder")]
    Exists(String),
    #[error("there is no archive at {0}")]
    NoArchive(String),
    #[error("the archive is not whole or not one of this program: {0}")]
    Damaged(String),
    #[error("what was written is not what was read: {0}")]
    Differs(String),
    #[error(
        "the storage has {0} already, which is not of this archive; name an empty one with STORAGE_URL, or --take-over if this is \
         to be its database"
    )]
    StorageNotEmpty(String),
    #[error(
        "a database has {0} as its storage; name an empty one with STORAGE_URL, or --take-over if the restored one is to have it"
    )]
    StorageTaken(String),
    #[error("all is restored, but the storage is not marked: run `matricula storage take-over`")]
    Taking(#[source] app::Error),
    #[error("{0} is another secret than the archive's; remove it if no server uses it")]
    OtherSecret(PathBuf),
    #[error("both are the same database")]
    SameDatabase,
}

fn file_error(what: impl std::fmt::Display) -> impl FnOnce(io::Error) -> BackupError {
    move |error| BackupError::File(what.to_string(), error)
}

fn storage_error(what: impl std::fmt::Display) -> impl FnOnce(StorageError) -> BackupError {
    move |error| BackupError::Storage(what.to_string(), error)
}
