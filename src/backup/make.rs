//! Makes an archive of a running server.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use indicatif::ProgressBar;
use jiff::Timestamp;

use super::archive::{self, Manifest, ObjectEntry, SecretEntry, TableEntry, Writer};
use super::place::Place;
use super::progress::bar;
use super::{BackupError, Contents, Secret, Site, file_error, storage_error};
use app::ports::{Clock, StorageError};
use documents::ObjectStorage;
use store::transfer::{NamedObject, RowSum, Snapshot};

/// Maximum number of times the rows are read anew because they name documents that the storage lacks.
const ROUNDS: usize = 5;

/// An archive that was made.
pub struct Made {
    pub place: String,
    pub contents: Contents,
}

/// Makes an archive at `to`, a file, folder or `s3://` address, while servers keep running.
///
/// Documents take longest and never change, so they are copied first, followed by those that arrive meanwhile. The rows
/// are read after that and are of one moment, and so are the documents that they name.
///
/// # Errors
/// Something cannot be read or written. Then there is no archive.
pub async fn backup(site: &Site, clock: &impl Clock, to: &str) -> Result<Made, BackupError> {
    let place = Place::of_new(to, &now(clock).strftime("matricula-%Y-%m-%dT%H-%M-%SZ.zip").to_string())?;
    let draft = place.draft().await?;
    let mut writer = Writer::new(draft.file()?);

    let mut objects = Objects { storage: &site.storage, copied: BTreeMap::new(), bar: bar("Documents", 0) };
    let named = Snapshot::take(&site.database_url).await?.objects().await?;
    let mut missing = objects.copy(&named, &mut writer).await?;
    let mut round = 1;
    let (mut snapshot, named, missing) = loop {
        let mut snapshot = Snapshot::take(&site.database_url).await?;
        let named = snapshot.objects().await?;
        let before = std::mem::replace(&mut missing, objects.copy(&named, &mut writer).await?);
        // A document removed meanwhile is no longer named in the next round; a lost one is.
        if missing.is_subset(&before) || round == ROUNDS {
            break (snapshot, named, missing);
        }
        round += 1;
    };
    objects.bar.finish();

    let made_at = now(clock);
    let tables = rows(&mut snapshot, &mut writer).await?;
    let mut changed = Vec::new();
    let mut entries = Vec::new();
    for object in named {
        let Some(entry) = objects.copied.remove(&object.name) else { continue };
        if !is_as_expected(&entry, &object) {
            changed.push(object.name);
        }
        entries.push(entry);
    }
    let manifest = Manifest {
        format: archive::format(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        made_at: made_at.to_string(),
        database: snapshot.kind().to_owned(),
        schema: snapshot.schema(),
        tables,
        objects: entries,
        missing: missing.into_iter().collect(),
        changed,
        secret: secret(&site.secret, &mut writer)?,
    };
    writer.finish(&manifest)?;
    Ok(Made { place: draft.publish().await?, contents: manifest.contents() })
}

fn now(clock: &impl Clock) -> Timestamp {
    Timestamp::from_millisecond(clock.now()).unwrap_or_default()
}

struct Objects<'s> {
    storage: &'s ObjectStorage,
    copied: BTreeMap<String, ObjectEntry>,
    bar: ProgressBar,
}

impl Objects<'_> {
    /// Copies those that are not copied yet. Returns those that do not exist.
    async fn copy(&mut self, named: &[NamedObject], writer: &mut Writer) -> Result<BTreeSet<String>, BackupError> {
        let left: Vec<&String> =
            named.iter().map(|object| &object.name).filter(|name| !self.copied.contains_key(*name)).collect();
        self.bar.inc_length(left.len() as u64);
        let mut missing = BTreeSet::new();
        for name in left {
            match self.storage.read(name).await {
                Ok(content) => {
                    let entry = writer.object(name, &content)?;
                    self.copied.insert(name.clone(), entry);
                }
                Err(StorageError::Missing) => {
                    missing.insert(name.clone());
                }
                Err(error) => return Err(storage_error(self.storage.place())(error)),
            }
            self.bar.inc(1);
        }
        Ok(missing)
    }
}

/// Whether a document matches its row.
pub fn is_as_expected(entry: &ObjectEntry, object: &NamedObject) -> bool {
    object.expected.as_ref().is_none_or(|(size, sha256)| entry.size == *size && entry.sha256 == *sha256)
}

async fn rows(snapshot: &mut Snapshot, writer: &mut Writer) -> Result<Vec<TableEntry>, BackupError> {
    let bar = bar("Rows", snapshot.count().await?);
    let mut tables = Vec::new();
    for table in snapshot.tables() {
        writer.begin_table(&table)?;
        let mut sum = RowSum::default();
        let each = async |rows: Vec<_>| {
            bar.inc(rows.len() as u64);
            writer.rows(&rows, &mut sum)
        };
        snapshot.rows(&table, each).await?;
        tables.push(TableEntry { rows: sum.rows, sum: sum.sum(), table });
    }
    bar.finish();
    Ok(tables)
}

fn secret(secret: &Secret, writer: &mut Writer) -> Result<SecretEntry, BackupError> {
    match secret {
        Secret::Configured(secret) => {
            Ok(SecretEntry { included: false, fingerprint: Some(archive::fingerprint(secret)) })
        }
        Secret::Kept(file) => match std::fs::read(file) {
            Ok(secret) => {
                writer.secret(&secret)?;
                Ok(SecretEntry { included: true, fingerprint: Some(archive::fingerprint(&secret)) })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(SecretEntry { included: false, fingerprint: None })
            }
            Err(error) => Err(file_error(file.display())(error)),
        },
    }
}
