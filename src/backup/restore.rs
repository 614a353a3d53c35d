//! Restores an archive into an empty database and an empty storage.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use bytes::Bytes;
use futures::TryStreamExt;

use super::archive::{self, Archive, Manifest};
use super::place::Place;
use super::progress::bar;
use super::{BackupError, Contents, Secret, Site, file_error, storage_error};
use app::documents::{Taking, is_marked, ours};
use app::ports::{Clock, DocumentStorage, Random, StorageError};
use documents::ObjectStorage;
use store::transfer::{Loading, RowSum, TransferError};
use store::{Db, Options};

/// What was restored.
pub struct Restored {
    pub contents: Contents,
    /// Whether a server started now has the same secret as the one that was backed up.
    pub same_secret: bool,
    /// Objects in the storage that no row names.
    pub left_alone: usize,
}

/// Restores the archive `from`, a file or an `s3://` address. Everything that is written is read back and compared. The
/// rows come last, and all at once: a server finds nothing, or everything. After an interruption, it can be repeated.
///
/// The storage belongs to the restored database afterwards. A storage that is not empty is used only if the caller asks
/// to `take_over`; what is not in the archive is then left alone there.
///
/// # Errors
/// The archive is damaged, or something is already where it would go. Then there is no database.
pub async fn restore(
    site: &Site,
    clock: &impl Clock,
    random: &impl Random,
    from: &str,
    take_over: bool,
) -> Result<Restored, BackupError> {
    let file = Place::of_existing(from)?.fetch().await?;
    let (mut archive, manifest) = Archive::open(file.path())?;
    Loading::check(&site.database_url, manifest.schema).await?;
    let storage = &site.storage;
    let failed = || storage_error(storage.place());
    let was_marked = is_marked(storage).await.map_err(failed())?;
    if !take_over {
        check_storage(storage, &manifest, was_marked).await?;
    }
    let same_secret = restore_secret(&site.secret, &mut archive, &manifest)?;
    restore_objects(storage, &mut archive, &manifest).await?;
    // This is a different database from the one that was backed up, which may still exist.
    let taking = Taking::anew(random);
    if was_marked {
        // The previous owner loses the storage, and the rows that follow name another one.
        taking.mark(storage).await.map_err(failed())?;
    }
    load_rows(&site.database_url, &mut archive, &manifest).await?;
    let db = Db::connect(&site.database_url, &Options::default()).await?;
    let taken = taking.finish(&db, storage, clock.now()).await;
    db.close().await;
    Ok(Restored { contents: manifest.contents(), same_secret, left_alone: taken.map_err(BackupError::Taking)? })
}

/// Checks that the storage is unclaimed and empty, except for what an earlier attempt may have left.
async fn check_storage(storage: &ObjectStorage, manifest: &Manifest, was_marked: bool) -> Result<(), BackupError> {
    if was_marked {
        return Err(BackupError::StorageTaken(storage.place().to_owned()));
    }
    let archived: BTreeSet<&str> = manifest.objects.iter().map(|object| &*object.name).collect();
    let mut found = std::pin::pin!(ours(storage));
    while let Some(found) = found.try_next().await.map_err(storage_error(storage.place()))? {
        if !archived.contains(&*found.name) {
            return Err(BackupError::StorageNotEmpty(storage.place().to_owned()));
        }
    }
    Ok(())
}

/// Restores the secret if it is included. Returns whether it is the archive's afterwards.
fn restore_secret(secret: &Secret, archive: &mut Archive, manifest: &Manifest) -> Result<bool, BackupError> {
    let theirs = archive.secret(&manifest.secret)?;
    let is_theirs = |ours: &[u8]| {
        manifest.secret.fingerprint.as_ref().is_none_or(|fingerprint| *fingerprint == archive::fingerprint(ours))
    };
    let file = match secret {
        Secret::Configured(ours) => return Ok(is_theirs(ours)),
        Secret::Kept(file) => file,
    };
    match (std::fs::read(file), theirs) {
        (Ok(ours), _) if is_theirs(&ours) => Ok(true),
        (Ok(_), _) => Err(BackupError::OtherSecret(file.clone())),
        (Err(error), theirs) if error.kind() == io::ErrorKind::NotFound => match theirs {
            Some(theirs) => write_secret(file, &theirs).map(|()| true).map_err(file_error(file.display())),
            None => Ok(manifest.secret.fingerprint.is_none()),
        },
        (Err(error), _) => Err(file_error(file.display())(error)),
    }
}

fn write_secret(file: &Path, secret: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(file)?;
    file.write_all(secret)?;
    file.sync_all()
}

async fn restore_objects(
    storage: &ObjectStorage,
    archive: &mut Archive,
    manifest: &Manifest,
) -> Result<(), BackupError> {
    let bar = bar("Documents", manifest.objects.len() as u64);
    for entry in &manifest.objects {
        let content = archive.object(entry)?;
        let there = read(storage, &entry.name).await?;
        match there {
            Some(there) if there == content => {}
            Some(_) => return Err(BackupError::StorageNotEmpty(storage.place().to_owned())),
            None => {
                storage.put(&entry.name, Bytes::from(content)).await.map_err(storage_error(storage.place()))?;
                let written = read(storage, &entry.name).await?;
                if written.is_none_or(|written| archive::sha256(&written) != entry.sha256) {
                    return Err(BackupError::Differs(entry.name.clone()));
                }
            }
        }
        bar.inc(1);
    }
    bar.finish();
    Ok(())
}

async fn read(storage: &ObjectStorage, name: &str) -> Result<Option<Bytes>, BackupError> {
    match storage.read(name).await {
        Ok(content) => Ok(Some(content)),
        Err(StorageError::Missing) => Ok(None),
        Err(error) => Err(storage_error(storage.place())(error)),
    }
}

/// Makes a database from the rows of an archive.
pub async fn load_rows(url: &str, archive: &mut Archive, manifest: &Manifest) -> Result<(), BackupError> {
    let mut loading = Loading::begin(url, manifest.schema).await?;
    let bar = bar("Rows", manifest.contents().rows);
    let tables = loading.tables();
    let is_known = |entry: &&archive::TableEntry| tables.contains(&entry.table);
    if let Some(unknown) = manifest.tables.iter().find(|entry| !is_known(entry)) {
        return Err(TransferError::UnknownTable(unknown.table.name.clone()).into());
    }
    for table in &tables {
        let entry = manifest.tables.iter().find(|entry| entry.table == *table);
        let entry = entry.ok_or_else(|| BackupError::Damaged(format!("the table {} is missing", table.name)))?;
        let mut load = loading.table(table).await?;
        let each = async |rows: Vec<_>| {
            bar.inc(rows.len() as u64);
            Ok(load.rows(&rows).await?)
        };
        archive.rows(entry, each).await?;
        load.finish().await?;
        let mut sum = RowSum::default();
        let each = async |rows: Vec<_>| {
            sum.add_rows(&rows);
            Ok::<_, BackupError>(())
        };
        loading.rows(table, each).await?;
        if sum.sum() != entry.sum {
            return Err(BackupError::Differs(table.name.clone()));
        }
    }
    bar.finish();
    Ok(loading.finish().await?)
}
