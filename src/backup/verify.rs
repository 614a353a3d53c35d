//! Proof that an archive can be restored, without a place to restore it to.

use std::collections::BTreeMap;

use super::archive::{Archive, Manifest, ObjectEntry};
use super::make::is_as_expected;
use super::place::Place;
use super::progress::bar;
use super::restore::load_rows;
use super::{BackupError, Contents, file_error};
use app::contracts::check_contracts;
use store::transfer::Snapshot;
use store::{Broken, Db, Options};

/// Reads all of an archive, makes a database from its rows in a temporary folder, and checks that database: its
/// references, the record of who did what, the texts of contracts, and that each document it names is in the archive.
///
/// # Errors
/// The archive could not be restored, or not completely.
pub async fn verify(from: &str) -> Result<Contents, BackupError> {
    let file = Place::of_existing(from)?.fetch().await?;
    let (mut archive, manifest) = Archive::open(file.path())?;
    archive.secret(&manifest.secret)?;
    let bar = bar("Documents", manifest.objects.len() as u64);
    for entry in &manifest.objects {
        archive.object(entry)?;
        bar.inc(1);
    }
    bar.finish();

    let folder = tempfile::tempdir().map_err(file_error("a temporary folder cannot be made"))?;
    let url = format!("sqlite:{}", folder.path().join("verified.db").display());
    load_rows(&url, &mut archive, &manifest).await?;
    check_objects(&url, &manifest).await?;
    let db = Db::connect(&url, &Options::default()).await?;
    let checked = check_rows(&db).await;
    db.close().await;
    checked.map(|()| manifest.contents())
}

async fn check_rows(db: &Db) -> Result<(), BackupError> {
    if let Err(Broken { subject, .. }) = db.check_chain(None).await? {
        return Err(BackupError::Damaged(format!("the record about {subject} is not as it was written")));
    }
    if let Err(contract) = check_contracts(db).await? {
        return Err(BackupError::Damaged(format!("contract {contract} is not as it was written")));
    }
    Ok(())
}

/// Checks that the documents named by the rows are in the archive, except those known to be lacking.
async fn check_objects(url: &str, manifest: &Manifest) -> Result<(), BackupError> {
    let there: BTreeMap<&str, &ObjectEntry> = manifest.objects.iter().map(|object| (&*object.name, object)).collect();
    for object in Snapshot::take(url).await?.objects().await? {
        let is_right = match there.get(&*object.name) {
            Some(entry) => is_as_expected(entry, &object) || manifest.changed.contains(&object.name),
            None => manifest.missing.contains(&object.name),
        };
        if !is_right {
            return Err(BackupError::Damaged(format!("the document {} is not what its row says", object.name)));
        }
    }
    Ok(())
}
