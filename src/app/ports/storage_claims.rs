//! What a database keeps of the storage that goes with it, and of what it has not named there.

use async_trait::async_trait;

use super::{Millis, Stored};

/// Which database this is, and what its storage's marker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageClaim {
    /// Its identity, which it keeps.
    pub database: String,
    /// What the marker is to say; nothing before there was a storage.
    pub stamp: Option<String>,
    /// What it said before, in case that the newest never got there.
    pub former_stamp: Option<String>,
    /// Why the last comparison stopped.
    pub stopped: Option<String>,
}

/// An object that no row names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnnamedObject {
    pub object: String,
    pub found_at: Millis,
    /// When it may be deleted; never, if nobody says so.
    pub goes_at: Option<Millis>,
    /// Whether somebody, or a row that is gone, said what becomes of it.
    pub confirmed: bool,
}

/// For the metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SweepFigures {
    /// Objects in quarantine.
    pub waiting: i64,
    /// Objects that are left alone.
    pub kept: i64,
    /// Whether the storage is taken for another database's.
    pub is_strange: bool,
    /// Whether the last comparison stopped.
    pub is_stopped: bool,
}

#[async_trait]
pub trait StorageClaims: Send + Sync {
    async fn storage_claim(&self) -> Stored<Option<StorageClaim>>;
    /// Gives the database this identity, unless it has one.
    async fn identify(&self, database: &str) -> Stored<()>;
    /// Notes that `stamp` takes the place of `marked`, which the marker says now, or of no marker; false when it says something
    /// else, or somebody noted another stamp after `before`.
    async fn restamp(&self, marked: Option<&str>, stamp: &str, now: Millis, before: Millis) -> Stored<bool>;
    /// The storage goes with this database from now on, whatever was before. No object is in quarantine any more.
    async fn take_storage(&self, database: &str, stamp: &str, now: Millis) -> Stored<()>;
    /// Notes why the storage is taken for another database's, or that it is not.
    async fn note_strange(&self, why: Option<&str>) -> Stored<()>;
    /// Notes why a comparison stopped, or that it did not.
    async fn note_stopped(&self, why: Option<&str>) -> Stored<()>;
    /// By their names.
    async fn unnamed_objects(&self) -> Stored<Vec<UnnamedObject>>;
    /// Notes objects that are not noted yet.
    async fn note_unnamed(&self, objects: &[UnnamedObject]) -> Stored<()>;
    /// Notes objects, whatever was noted of them.
    async fn settle_unnamed(&self, objects: &[UnnamedObject]) -> Stored<()>;
    async fn forget_unnamed(&self, objects: &[String]) -> Stored<()>;
    async fn sweep_figures(&self) -> Stored<SweepFigures>;
}
