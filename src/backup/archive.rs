//! The archive file: a zip with each table as lines of JSON, each document unchanged, and a manifest at the end.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{BackupError, Contents, file_error};
use domain::hex::hex;
use store::transfer::{BATCH, Cells, RowSum, Table};

/// The archive format that is written, and the only one that can be read.
const FORMAT: u32 = 1;
const MANIFEST: &str = "manifest.json";
const SECRET: &str = "secret";
/// Maximum bytes of a manifest: enough for millions of documents.
const MAX_MANIFEST: u64 = 2 << 30;

/// What an archive contains, and what it is checked against.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub format: u32,
    /// The version of the program that made it.
    pub program: String,
    /// The moment the rows are from, RFC 3339.
    pub made_at: String,
    /// `sqlite` or `postgres`
    pub database: String,
    /// The version of the last migration.
    pub schema: i64,
    pub tables: Vec<TableEntry>,
    pub objects: Vec<ObjectEntry>,
    /// Documents that rows name but the storage did not have.
    pub missing: Vec<String>,
    /// Documents that do not match their rows. They are included as found.
    pub changed: Vec<String>,
    pub secret: SecretEntry,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TableEntry {
    #[serde(flatten)]
    pub table: Table,
    pub rows: u64,
    /// See [`RowSum`].
    pub sum: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectEntry {
    pub name: String,
    pub size: u64,
    pub sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct SecretEntry {
    /// Whether the archive includes the secret.
    pub included: bool,
    /// Identifies the secret without revealing it. Absent if there was none yet.
    pub fingerprint: Option<String>,
}

impl Manifest {
    pub fn contents(&self) -> Contents {
        Contents {
            rows: self.tables.iter().map(|table| table.rows).sum(),
            objects: self.objects.len(),
            lacking: self.missing.iter().chain(&self.changed).cloned().collect(),
        }
    }
}

pub fn format() -> u32 {
    FORMAT
}

/// Tells secrets apart without revealing them.
pub fn fingerprint(secret: &[u8]) -> String {
    let mut digest = Sha256::new();
    digest.update(b"matricula signing secret");
    digest.update(secret);
    hex(digest.finalize())
}

pub fn sha256(content: &[u8]) -> String {
    hex(Sha256::digest(content))
}

fn table_entry(name: &str) -> String {
    format!("tables/{name}.jsonl")
}

fn object_entry(name: &str) -> String {
    format!("objects/{name}")
}

/// An archive that is being written.
pub struct Writer {
    zip: ZipWriter<BufWriter<File>>,
}

impl Writer {
    pub fn new(file: File) -> Writer {
        Writer { zip: ZipWriter::new(BufWriter::with_capacity(1 << 20, file)) }
    }

    pub fn object(&mut self, name: &str, content: &[u8]) -> Result<ObjectEntry, BackupError> {
        self.entry(&object_entry(name), CompressionMethod::Stored, content)?;
        Ok(ObjectEntry { name: name.to_owned(), size: content.len() as u64, sha256: sha256(content) })
    }

    pub fn begin_table(&mut self, table: &Table) -> Result<(), BackupError> {
        self.begin(&table_entry(&table.name), CompressionMethod::Deflated)
    }

    /// Writes rows of the table that was begun last.
    pub fn rows(&mut self, rows: &[Cells], sum: &mut RowSum) -> Result<(), BackupError> {
        for row in rows {
            let mut line = serde_json::to_vec(row).map_err(|error| not_written(error.into()))?;
            sum.add(&line);
            line.push(b'\n');
            self.zip.write_all(&line).map_err(not_written)?;
        }
        Ok(())
    }

    pub fn secret(&mut self, secret: &[u8]) -> Result<(), BackupError> {
        self.entry(SECRET, CompressionMethod::Stored, secret)
    }

    /// Writes the manifest, and flushes everything to disk.
    pub fn finish(mut self, manifest: &Manifest) -> Result<(), BackupError> {
        let json = serde_json::to_vec_pretty(manifest).map_err(|error| not_written(error.into()))?;
        self.entry(MANIFEST, CompressionMethod::Deflated, &json)?;
        let buffered = self.zip.finish().map_err(|error| not_written(error.into()))?;
        let file = buffered.into_inner().map_err(|error| not_written(error.into_error()))?;
        file.sync_all().map_err(not_written)
    }

    fn entry(&mut self, name: &str, method: CompressionMethod, content: &[u8]) -> Result<(), BackupError> {
        self.begin(name, method)?;
        self.zip.write_all(content).map_err(not_written)
    }

    fn begin(&mut self, name: &str, method: CompressionMethod) -> Result<(), BackupError> {
        // The size of a table is known only once it is written.
        let options = SimpleFileOptions::default().compression_method(method).large_file(true).unix_permissions(0o600);
        self.zip.start_file(name, options).map_err(|error| not_written(error.into()))
    }
}

fn not_written(error: io::Error) -> BackupError {
    BackupError::File("the archive cannot be written".into(), error)
}

/// An archive that is being read.
pub struct Archive {
    zip: ZipArchive<BufReader<File>>,
}

impl Archive {
    /// Opens an archive and reads its manifest.
    pub fn open(file: &Path) -> Result<(Archive, Manifest), BackupError> {
        let opened = File::open(file).map_err(file_error(file.display()))?;
        let mut zip = ZipArchive::new(BufReader::with_capacity(1 << 20, opened)).map_err(damaged)?;
        let mut json = Vec::new();
        let entry = zip.by_name(MANIFEST).map_err(damaged)?;
        entry.take(MAX_MANIFEST).read_to_end(&mut json).map_err(unreadable(MANIFEST))?;
        let read: serde_json::Result<Manifest> = serde_json::from_slice(&json);
        let manifest = read.map_err(|error| BackupError::Damaged(format!("{MANIFEST}: {error}")))?;
        if manifest.format != FORMAT {
            let found = format!("its format is {}, and this program reads {FORMAT}", manifest.format);
            return Err(BackupError::Damaged(found));
        }
        Ok((Archive { zip }, manifest))
    }

    /// Returns a document, if it matches the manifest.
    pub fn object(&mut self, entry: &ObjectEntry) -> Result<Vec<u8>, BackupError> {
        let name = object_entry(&entry.name);
        let content = self.read(&name, entry.size)?;
        if sha256(&content) == entry.sha256 { Ok(content) } else { Err(BackupError::Damaged(name)) }
    }

    /// Returns the secret, if it is included.
    pub fn secret(&mut self, entry: &SecretEntry) -> Result<Option<Vec<u8>>, BackupError> {
        if !entry.included {
            return Ok(None);
        }
        let secret = self.read(SECRET, 4096)?;
        if entry.fingerprint.as_deref() == Some(&*fingerprint(&secret)) {
            Ok(Some(secret))
        } else {
            Err(BackupError::Damaged(SECRET.into()))
        }
    }

    /// Passes on all rows of a table in batches, and checks them against the manifest.
    pub async fn rows(
        &mut self,
        entry: &TableEntry,
        mut each: impl AsyncFnMut(Vec<Cells>) -> Result<(), BackupError>,
    ) -> Result<(), BackupError> {
        let name = table_entry(&entry.table.name);
        let mut lines = BufReader::new(self.zip.by_name(&name).map_err(damaged)?);
        let mut sum = RowSum::default();
        let mut line = Vec::new();
        loop {
            let mut rows = Vec::new();
            while rows.len() < BATCH {
                line.clear();
                if lines.read_until(b'\n', &mut line).map_err(unreadable(&name))? == 0 {
                    break;
                }
                let json = line.strip_suffix(b"\n").unwrap_or(&line);
                sum.add(json);
                let row: serde_json::Result<Cells> = serde_json::from_slice(json);
                let row = row.map_err(|error| BackupError::Damaged(format!("{name}: {error}")))?;
                if row.len() != entry.table.columns.len() {
                    return Err(BackupError::Damaged(format!("{name}: a row has {} values", row.len())));
                }
                rows.push(row);
            }
            if rows.is_empty() {
                break;
            }
            each(rows).await?;
        }
        if sum.rows == entry.rows && sum.sum() == entry.sum { Ok(()) } else { Err(BackupError::Damaged(name)) }
    }

    fn read(&mut self, name: &str, most: u64) -> Result<Vec<u8>, BackupError> {
        let mut content = Vec::new();
        let entry = self.zip.by_name(name).map_err(damaged)?;
        // One byte over the limit shows that there are more.
        entry.take(most.saturating_add(1)).read_to_end(&mut content).map_err(unreadable(name))?;
        Ok(content)
    }
}

fn damaged(error: ZipError) -> BackupError {
    BackupError::Damaged(error.to_string())
}

fn unreadable(name: &str) -> impl FnOnce(io::Error) -> BackupError {
    move |error| BackupError::Damaged(format!("{name}: {error}"))
}
