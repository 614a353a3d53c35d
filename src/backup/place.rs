//! Where archives are kept: files, folders and buckets. They are written and read as local files; one for a bucket goes
//! through a temporary file, so that nothing half-written ever has its name.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};
use url::Url;

use super::progress::bytes_bar;
use super::{BackupError, file_error, storage_error};
use app::ports::StorageError;
use documents::{ObjectStorage, OpenError};

const ENDING: &str = ".zip";

/// Where an archive is, or is to be.
pub enum Place {
    File(PathBuf),
    Object { storage: ObjectStorage, name: String },
}

/// An archive that is being written. It is removed if dropped before it is published.
pub struct NewArchive {
    file: NamedTempFile,
    place: Place,
}

/// An archive to be read.
pub struct Fetched {
    path: PathBuf,
    /// Removed with it.
    _copy: Option<TempPath>,
}

impl Place {
    /// Returns the place of a new archive: `to` itself, or a file named `usual` in the folder or below the prefix `to`.
    pub fn of_new(to: &str, usual: &str) -> Result<Place, BackupError> {
        if is_address(to) {
            let mut address = Url::parse(to).map_err(|_| OpenError::Address)?;
            if !address.path().ends_with(ENDING) {
                let path = format!("{}/{usual}", address.path().trim_end_matches('/'));
                address.set_path(&path);
            }
            return object(address);
        }
        let path = Path::new(to);
        Ok(Place::File(if path.is_dir() || !to.ends_with(ENDING) { path.join(usual) } else { path.to_owned() }))
    }

    /// Returns the place of an existing archive.
    pub fn of_existing(from: &str) -> Result<Place, BackupError> {
        if is_address(from) {
            return object(Url::parse(from).map_err(|_| OpenError::Address)?);
        }
        Ok(Place::File(PathBuf::from(from)))
    }

    pub fn name(&self) -> String {
        match self {
            Place::File(path) => path.display().to_string(),
            Place::Object { storage, name } => format!("{name} in {}", storage.place()),
        }
    }

    /// Begins an archive that takes this place once it is finished.
    pub async fn draft(self) -> Result<NewArchive, BackupError> {
        let is_there = match &self {
            Place::File(path) => path.exists(),
            Place::Object { storage, name } => {
                storage.size(name).await.map_err(storage_error(storage.place()))?.is_some()
            }
        };
        if is_there {
            return Err(BackupError::Exists(self.name()));
        }
        let file = match &self {
            Place::File(path) => {
                let folder = folder_of(path);
                std::fs::create_dir_all(folder).map_err(file_error(folder.display()))?;
                // Only its owner can read it.
                tempfile::Builder::new().prefix(".matricula-").suffix(".part").tempfile_in(folder)
            }
            Place::Object { .. } => NamedTempFile::new(),
        };
        let file = file.map_err(file_error("a temporary file cannot be made"))?;
        Ok(NewArchive { file, place: self })
    }

    /// Returns the archive as a local file.
    pub async fn fetch(&self) -> Result<Fetched, BackupError> {
        match self {
            Place::File(path) if path.is_file() => Ok(Fetched { path: path.clone(), _copy: None }),
            Place::File(path) => Err(BackupError::NoArchive(path.display().to_string())),
            Place::Object { storage, name } => {
                let size = storage.size(name).await.map_err(storage_error(storage.place()))?;
                let size = size.ok_or_else(|| BackupError::NoArchive(self.name()))?;
                let (file, copy) =
                    NamedTempFile::new().map_err(file_error("a temporary file cannot be made"))?.into_parts();
                let bar = bytes_bar("Downloading", size);
                let mut file = tokio::fs::File::from_std(file);
                storage.download(name, &mut file, |more| bar.inc(more)).await.map_err(storage_error(self.name()))?;
                bar.finish();
                Ok(Fetched { path: copy.to_path_buf(), _copy: Some(copy) })
            }
        }
    }
}

impl NewArchive {
    /// Returns the file to write to.
    pub fn file(&self) -> Result<File, BackupError> {
        self.file.reopen().map_err(file_error("a temporary file cannot be opened"))
    }

    /// Gives the archive its name. Its content is already on disk.
    pub async fn publish(self) -> Result<String, BackupError> {
        let name = self.place.name();
        match self.place {
            Place::File(path) => {
                // Never replaces another archive, not even one that appeared meanwhile.
                self.file.persist_noclobber(&path).map_err(|refused| match refused.error.kind() {
                    io::ErrorKind::AlreadyExists => BackupError::Exists(name.clone()),
                    _ => BackupError::File(name.clone(), refused.error),
                })?;
                let folder = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
                folder.map_err(file_error(&name))?;
            }
            Place::Object { storage, name: object } => {
                let file = self.file.reopen().map_err(file_error("a temporary file cannot be opened"))?;
                let size = file.metadata().map_err(file_error("a temporary file cannot be read"))?.len();
                let bar = bytes_bar("Uploading", size);
                let file = tokio::fs::File::from_std(file);
                storage.upload(&object, file, |more| bar.inc(more)).await.map_err(storage_error(&name))?;
                bar.finish();
                let there = storage.size(&object).await.map_err(storage_error(&name))?;
                if there != Some(size) {
                    return Err(storage_error(&name)(StorageError::Missing));
                }
            }
        }
        Ok(name)
    }
}

impl Fetched {
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn is_address(text: &str) -> bool {
    text.contains("://")
}

fn object(mut address: Url) -> Result<Place, BackupError> {
    let path = address.path().to_owned();
    let (prefix, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned();
    if name.is_empty() {
        return Err(BackupError::NoArchive(address.into()));
    }
    address.set_path(prefix);
    Ok(Place::Object { storage: ObjectStorage::open(address.as_str())?, name })
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
