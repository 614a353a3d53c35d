//! Uploads: created, growing part by part, and finally complete or given up.

use std::pin::Pin;

use bytes::{Bytes, BytesMut};
use futures::{Stream, StreamExt};
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::UPLOADS;
use super::checks::{Claim, LEASE};
use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::ports::StorageError;
use domain::application::Application;
use domain::documents::{FileName, FileState, MAX_BYTES, MAX_FILES, Rejection, SlotKind, StoredDocument};
use store::{AuditEntry, NewDocument, Part, UnnamedObject};
use telemetry::carried;

/// Maximum bytes per part: an upload holds two parts in memory, and loses at most one when the process dies.
const PART: usize = 4 * 1024 * 1024;

/// Why a body ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// The connection was lost.
    Lost,
    /// It arrives too slowly to wait for.
    Slow,
    /// It is not a form.
    Malformed,
}

/// Bytes as they arrive. Borrowed, so that the rest of a refused body can be drained.
pub type Body<'a> = Pin<&'a mut (dyn Stream<Item = Result<Bytes, Broken>> + Send)>;

/// The expected checksum of one request's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checksum {
    Sha1(Vec<u8>),
    Sha256(Vec<u8>),
}

/// The result of one request.
#[derive(Debug)]
pub struct Upload {
    pub document: StoredDocument,
    /// Why the body ended early, if it did; what came before is safe.
    pub broken: Option<Broken>,
    /// Set if these bytes were the last ones: see [`App::check_document`].
    pub claim: Option<Claim>,
}

/// The result of uploading a file through a form.
#[derive(Debug)]
pub enum FormUpload {
    /// Kept, or still unchecked if the virus scanner is unavailable.
    Taken(Box<StoredDocument>),
    Broken(Broken),
}

impl App {
    /// Starts an upload of `size` bytes, or of any number.
    ///
    /// # Errors
    /// [`Error::Rejected`] for an invalid name or size, [`Refusal::UnknownSlot`], [`Refusal::SlotClosed`],
    /// [`Refusal::TooManyFiles`], [`Refusal::NoApplication`].
    pub async fn create_upload(
        &self,
        who: &SignedIn,
        known: Option<&Application>,
        slot: &str,
        name: &str,
        size: Option<u64>,
    ) -> Result<StoredDocument, Error> {
        let application = known.ok_or(Refusal::NoApplication)?;
        let slot = SlotKind::parse(slot).ok_or(Refusal::UnknownSlot)?;
        if !self.slots_of(application).await?.iter().any(|called| called.kind == slot) {
            return Err(Refusal::UnknownSlot.into());
        }
        match size {
            Some(0) => return Err(Rejection::Empty.into()),
            Some(size) if size > MAX_BYTES => return Err(Rejection::TooLarge.into()),
            _ => {}
        }
        let name = FileName::parse(name)?;
        let documents = self.documents_of(&who.applicant.id, application).await?;
        if documents.view(slot).is_some_and(|view| !view.state.is_open()) {
            return Err(Refusal::SlotClosed.into());
        }
        let now = self.clock.now();
        let applicant_id = who.applicant.id.clone();
        let new = NewDocument { id: self.random.id(), applicant_id, slot, name, size, created_at: now };
        if !self.store.create_document(&new, MAX_FILES).await? {
            return Err(Refusal::TooManyFiles.into());
        }
        let NewDocument { id, applicant_id, slot, name, size, created_at } = new;
        Ok(StoredDocument {
            id,
            applicant_id,
            slot,
            name,
            state: FileState::Uploading,
            size,
            received: 0,
            sha256: None,
            object: None,
            rejection: None,
            created_at,
            updated_at: created_at,
        })
    }

    /// An upload of this applicant, in progress or complete.
    ///
    /// # Errors
    /// [`Refusal::DocumentNotFound`]: never existed, given up, or too old.
    pub async fn upload(&self, who: &SignedIn, id: &str) -> Result<StoredDocument, Error> {
        let document = self.own_document(who, id).await?;
        if document.is_expired(self.clock.now()) { Err(Refusal::DocumentNotFound.into()) } else { Ok(document) }
    }

    /// Appends bytes from `offset` on; each part is safe before it is counted. What came before the body broke stays,
    /// unless a checksum covers all of it. Only the caller that brings the last byte has to have the file checked.
    ///
    /// # Errors
    /// [`Refusal::UploadOffset`], [`Refusal::UploadChecksum`], [`Rejection::TooLarge`],
    /// [`Rejection::MoreThanAnnounced`].
    pub async fn append(
        &self,
        mut document: StoredDocument,
        offset: u64,
        mut body: Body<'_>,
        checksum: Option<Checksum>,
    ) -> Result<Upload, Error> {
        if offset != document.received || document.state == FileState::Refused {
            return Err(Refusal::UploadOffset.into());
        }
        let limit = document.size.unwrap_or(MAX_BYTES);
        let mut summed = checksum.as_ref().map(Summed::new);
        let mut writer = Writer { app: self, id: document.id.clone(), at: offset, waiting: None, written: Vec::new() };
        let mut buffer = BytesMut::new();
        let mut arrived = offset;
        let mut broken = None;
        let mut too_large = false;
        while let Some(bytes) = body.next().await {
            match bytes {
                Ok(bytes) => {
                    arrived += bytes.len() as u64;
                    if arrived > limit {
                        too_large = true;
                        break;
                    }
                    if let Some(summed) = &mut summed {
                        summed.add(&bytes);
                    }
                    buffer.extend_from_slice(&bytes);
                    while buffer.len() >= PART {
                        writer.write(buffer.split_to(PART).freeze()).await?;
                        if checksum.is_none() {
                            writer.commit(&mut document, false).await?;
                        }
                    }
                }
                Err(why) => {
                    broken = Some(why);
                    break;
                }
            }
        }
        if too_large {
            writer.undo().await;
            let is_announced = document.size.is_some();
            return Err(if is_announced { Rejection::MoreThanAnnounced } else { Rejection::TooLarge }.into());
        }
        let sums_up = match (&checksum, summed) {
            (Some(expected), Some(summed)) => broken.is_none() && summed.is(expected),
            _ => true,
        };
        if !sums_up {
            writer.undo().await;
            return match broken {
                Some(_) => Ok(Upload { document, broken, claim: None }),
                None => Err(Refusal::UploadChecksum.into()),
            };
        }
        if !buffer.is_empty() {
            writer.write(buffer.freeze()).await?;
        }
        writer.settle().await?;
        let whole = broken.is_none()
            && document.state == FileState::Uploading
            && document.size.is_none_or(|size| size == arrived);
        if whole || !writer.written.is_empty() {
            writer.commit(&mut document, whole).await?;
        }
        let claim = whole.then(|| Claim(document.clone()));
        Ok(Upload { document, broken, claim })
    }

    /// Takes a whole file at once, and returns the result of the checks. Keeps nothing of a refused file.
    ///
    /// # Errors
    /// As for [`App::create_upload`], and [`Error::Rejected`] for what the checks refuse.
    pub async fn take_file(
        &self,
        who: &SignedIn,
        known: Option<&Application>,
        slot: &str,
        name: &str,
        body: Body<'_>,
    ) -> Result<FormUpload, Error> {
        let document = self.create_upload(who, known, slot, name, None).await?;
        let claim = match self.append(document.clone(), 0, body, None).await {
            Ok(Upload { claim: Some(claim), document, .. }) if document.received > 0 => claim,
            other => {
                let states = [FileState::Uploading, FileState::Checking];
                self.forget(&document, &states, None).await?;
                let upload = other?;
                return match upload.broken {
                    Some(broken) => Ok(FormUpload::Broken(broken)),
                    None => Err(Rejection::Empty.into()),
                };
            }
        };
        let checked = self.check_document(claim).await?;
        if let Some(rejection) = checked.rejection {
            // The caller learns of it now, so the list need not show it.
            self.forget(&checked, &[FileState::Refused], None).await?;
            return Err(rejection.into());
        }
        Ok(FormUpload::Taken(Box::new(checked)))
    }

    /// Cancels an upload. Leaves it alone if it is already complete.
    pub async fn give_up_upload(&self, document: &StoredDocument) -> Result<(), Error> {
        self.forget(document, &[FileState::Uploading], None).await?;
        Ok(())
    }

    /// Deletes a file that is in one of these states, and then its bytes; returns false if it is in none of them.
    pub(super) async fn forget(
        &self,
        document: &StoredDocument,
        states: &[FileState],
        audit: Option<&AuditEntry>,
    ) -> Result<bool, Error> {
        let parts = self.store.parts(&document.id).await?;
        if !self.store.remove_document(&document.id, states, audit).await? {
            return Ok(false);
        }
        let kept = document.object.iter().cloned();
        self.remove_objects(parts.into_iter().map(|part| part.object).chain(kept)).await;
        Ok(true)
    }

    /// Removes objects that no row names any more. Those that cannot be removed now are left to [`super::sweep`].
    pub(crate) async fn remove_objects(&self, objects: impl IntoIterator<Item = String>) {
        let objects: Vec<String> = objects.into_iter().collect();
        if objects.is_empty() {
            return;
        }
        match self.may_delete_objects().await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::warn!(?objects, error = &error as &dyn std::error::Error, "objects could not be removed");
                return self.remove_later(objects).await;
            }
        }
        let mut left = Vec::new();
        for object in objects {
            if let Err(error) = self.storage.delete(&object).await {
                tracing::warn!(object, error = &error as &dyn std::error::Error, "an object could not be removed");
                left.push(object);
            }
        }
        self.remove_later(left).await;
    }

    async fn remove_later(&self, objects: Vec<String>) {
        let now = self.clock.now();
        let left = |object| UnnamedObject { object, found_at: now, goes_at: Some(now), confirmed: true };
        let left: Vec<UnnamedObject> = objects.into_iter().map(left).collect();
        if let Err(error) = self.store.note_unnamed(&left).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "objects that could not be removed could not be noted"
            );
        }
    }

    /// Removes those of an applicant's objects that no row names any more. If that cannot be determined,
    /// [`super::sweep`] takes over.
    pub(crate) async fn remove_if_unnamed(&self, objects: Vec<String>) {
        let mut unnamed = Vec::new();
        for object in objects {
            match self.store.is_object_known(&object).await {
                Ok(true) => {}
                Ok(false) => unnamed.push(object),
                Err(error) => {
                    tracing::warn!(object, error = &error as &dyn std::error::Error, "an object could not be removed");
                }
            }
        }
        self.remove_objects(unnamed).await;
    }
}

/// Writes parts, one while the next one arrives.
struct Writer<'a> {
    app: &'a App,
    id: String,
    /// Where the next part starts.
    at: u64,
    waiting: Option<tokio::task::JoinHandle<(Part, Result<(), StorageError>)>>,
    /// Safe, but not counted yet.
    written: Vec<Part>,
}

impl Writer<'_> {
    async fn write(&mut self, content: Bytes) -> Result<(), Error> {
        self.settle().await?;
        let object = format!("{UPLOADS}/{}/{}", self.id, self.app.random.id());
        let part = Part { start: self.at, length: content.len() as u64, object };
        self.at += part.length;
        let storage = self.app.storage.clone();
        self.waiting = Some(tokio::spawn(carried(async move {
            let done = storage.put(&part.object, content).await;
            (part, done)
        })));
        Ok(())
    }

    /// Waits for the part being written.
    async fn settle(&mut self) -> Result<(), Error> {
        if let Some(waiting) = self.waiting.take() {
            let (part, done) =
                waiting.await.map_err(|panicked| StorageError::Unavailable(panicked.into())).map_err(Error::from)?;
            done?;
            self.written.push(part);
        }
        Ok(())
    }

    /// Counts the parts that are safe.
    async fn commit(&mut self, document: &mut StoredDocument, whole: bool) -> Result<(), Error> {
        let parts = std::mem::take(&mut self.written);
        if parts.is_empty() && !whole {
            return Ok(());
        }
        let now = self.app.clock.now();
        let start = document.received;
        if !self.app.store.commit_parts(&self.id, start, &parts, whole, now, now + LEASE).await? {
            // Another request brought these bytes, or the upload is over.
            self.app.remove_objects(parts.into_iter().map(|part| part.object)).await;
            self.undo().await;
            return Err(Refusal::UploadOffset.into());
        }
        document.received += parts.iter().map(|part| part.length).sum::<u64>();
        document.updated_at = now;
        if whole {
            document.size = Some(document.received);
            document.state = FileState::Checking;
        }
        Ok(())
    }

    /// Removes parts that are not counted.
    async fn undo(&mut self) {
        // A part that failed to be written does not exist.
        let _ = self.settle().await;
        let parts = std::mem::take(&mut self.written);
        self.app.remove_objects(parts.into_iter().map(|part| part.object)).await;
    }
}

enum Summed {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl Summed {
    fn new(checksum: &Checksum) -> Summed {
        match checksum {
            Checksum::Sha1(_) => Summed::Sha1(Sha1::new()),
            Checksum::Sha256(_) => Summed::Sha256(Sha256::new()),
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        match self {
            Summed::Sha1(sum) => sum.update(bytes),
            Summed::Sha256(sum) => sum.update(bytes),
        }
    }

    fn is(self, expected: &Checksum) -> bool {
        match (self, expected) {
            (Summed::Sha1(sum), Checksum::Sha1(expected)) => sum.finalize()[..] == expected[..],
            (Summed::Sha256(sum), Checksum::Sha256(expected)) => sum.finalize()[..] == expected[..],
            _ => false,
        }
    }
}
