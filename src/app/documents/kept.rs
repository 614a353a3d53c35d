//! Verifying that the storage has what the rows say.

use futures::StreamExt;
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::ports::{DocumentStorage, StorageError};
use domain::hex::hex;
use store::{Db, KeptObject};

/// Rows per batch.
const BATCH: i64 = 200;

/// The state of the objects that rows name.
#[derive(Debug, Default)]
pub struct KeptObjects {
    pub count: usize,
    pub missing: Vec<String>,
    /// Differ in size or content from what was kept.
    pub changed: Vec<String>,
}

/// Reads every object that a row names.
///
/// # Errors
/// Store errors, and storage errors except for missing objects.
pub async fn check_objects(store: &Db, storage: &impl DocumentStorage) -> Result<KeptObjects, Error> {
    let mut found = KeptObjects::default();
    let mut after = String::new();
    loop {
        let batch = store.kept_objects(&after, BATCH).await?;
        let Some(last) = batch.last() else { return Ok(found) };
        after.clone_from(&last.object);
        for kept in batch {
            found.count += 1;
            match is_as_kept(storage, &kept).await {
                Ok(true) => {}
                Ok(false) => found.changed.push(kept.object),
                Err(StorageError::Missing) => found.missing.push(kept.object),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

async fn is_as_kept(storage: &impl DocumentStorage, kept: &KeptObject) -> Result<bool, StorageError> {
    // One byte more than expected, so that growth is noticed.
    let mut bytes = storage.get(&kept.object, 0..kept.size + 1).await?;
    let (mut hash, mut size) = (Sha256::new(), 0);
    while let Some(piece) = bytes.next().await {
        let piece = piece?;
        size += piece.len() as u64;
        hash.update(&piece);
    }
    Ok(size == kept.size && hex(hash.finalize()) == kept.sha256)
}
