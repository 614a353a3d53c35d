//! The file of an SQLite database. It may be removed or replaced while it is open, and what is written then is lost
//! when the process ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{StoreError, Stored};

/// The opened file, and whether the last write to it failed. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct DatabaseFile(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: PathBuf,
    log: PathBuf,
    opened: Option<Identity>,
    has_lost_log: AtomicBool,
    is_lost: AtomicBool,
    has_failed: AtomicBool,
}

/// Identifies a file, whatever its name.
#[derive(Debug, PartialEq, Eq)]
struct Identity(u64, u64);

impl DatabaseFile {
    /// For a `file` that was just opened.
    pub(super) fn new(file: PathBuf) -> DatabaseFile {
        let mut log = file.clone().into_os_string();
        log.push("-wal");
        let opened = identity(&file);
        DatabaseFile(Arc::new(Inner {
            file,
            log: log.into(),
            opened,
            has_lost_log: AtomicBool::new(false),
            is_lost: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
        }))
    }

    /// Fails if another file, or none, is in the place of the opened one.
    pub(super) fn check(&self) -> Stored<()> {
        let is_there = identity(&self.0.file) == self.0.opened;
        self.report(is_there && !self.0.has_lost_log.load(Ordering::Relaxed))
    }

    /// The same after a write, when the write-ahead log must exist too. Once it was removed, it stays away.
    pub(super) fn check_written(&self) -> Stored<()> {
        if !self.0.log.exists() {
            self.0.has_lost_log.store(true, Ordering::Relaxed);
        }
        self.check()
    }

    fn report(&self, is_there: bool) -> Stored<()> {
        let was_lost = self.0.is_lost.swap(!is_there, Ordering::Relaxed);
        let file = self.0.file.display();
        if is_there {
            if was_lost {
                tracing::warn!(%file, "the database file is back");
            }
            return Ok(());
        }
        if !was_lost {
            tracing::error!(
                %file,
                "the database file was removed or replaced while it was open: nothing will be saved until it is put back \
                 or the server is restarted with the right one"
            );
        }
        Err(StoreError::Unavailable("the database file was removed or replaced".into()))
    }

    /// Remembers whether the last write failed.
    pub(super) fn set_failed(&self, has_failed: bool) {
        self.0.has_failed.store(has_failed, Ordering::Relaxed);
    }

    /// Whether the last write failed.
    pub(super) fn has_failed(&self) -> bool {
        self.0.has_failed.load(Ordering::Relaxed)
    }
}

#[cfg(unix)]
fn identity(file: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(file).ok().map(|found| Identity(found.dev(), found.ino()))
}

/// On other systems, an open file cannot be removed.
#[cfg(not(unix))]
fn identity(file: &Path) -> Option<Identity> {
    fs::metadata(file).ok().map(|_| Identity(0, 0))
}
