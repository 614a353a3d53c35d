//! Checking a file once all of it has arrived, and keeping or refusing it.
//!
//! A check starts with a claim, held only by the request that brought the last byte; and with a turn in the queue,
//! before which no byte is read and which lasts while any is in memory. So memory is bounded by the turns, whatever is
//! requested.

use std::convert::Infallible;
use std::time::Duration;

use bytes::BytesMut;
use futures::StreamExt;
use serde_json::json;
use tokio::task::JoinHandle;

use super::DOCUMENTS;
use crate::App;
use crate::error::{Error, Refusal};
use crate::ports::{InspectError, StorageError};
use domain::documents::StoredDocument;
use domain::moments::{MINUTE, Millis};
use store::{Part, StoreError};
use telemetry::carried;

/// How long a process has a file to itself for checking, unless it renews the lease: a file left by a killed process is
/// soon taken up, and a long check is not done twice.
pub(super) const LEASE: Millis = 15_000;
const BEAT: Duration = Duration::from_secs(5);
/// After this time in a new process, nobody is still checking a file that the previous one left when it was killed.
pub const CHECKS_LEFT_BEHIND: Duration = Duration::from_millis(LEASE.unsigned_abs() + 1000);
/// How long a file waits that cannot be checked now.
const PUT_OFF: Millis = 3 * MINUTE;
/// How long a file waits when its owner has too many in the queue.
const LEFT_FOR_LATER: Millis = MINUTE;

/// The right to check a file: its lease belongs to the holder.
#[derive(Debug)]
pub struct Claim(pub(super) StoredDocument);

impl App {
    /// Checks a complete file, and keeps it or records why not; doing so twice is harmless. It continues even if the
    /// caller no longer waits. Returns the file as it is then: still unchecked if the virus scanner is unavailable, or
    /// if too many others of its owner are waiting; [`super::care`] tries those again.
    ///
    /// # Errors
    /// [`Refusal::DocumentNotFound`] when it was removed in the meantime; store and storage errors.
    pub async fn check_document(&self, claim: Claim) -> Result<StoredDocument, Error> {
        let checked = self.begin_check(claim).await;
        checked.map_err(|panicked| StoreError::Broken(panicked.into()))?
    }

    /// The same in the background of the request that brought the last byte.
    pub fn check_in_background(&self, claim: Claim) {
        self.begin_check(claim);
    }

    fn begin_check(&self, claim: Claim) -> JoinHandle<Result<StoredDocument, Error>> {
        let app = self.clone();
        tokio::spawn(carried(async move {
            let id = claim.0.id.clone();
            let checked = tokio::select! {
                checked = app.check_in_turn(claim.0) => checked,
                never = app.keep_lease(&id) => match never {},
            };
            checked.inspect_err(|error| {
                if !matches!(error, Error::Refused(Refusal::DocumentNotFound)) {
                    tracing::warn!(document = id, error = error as &dyn std::error::Error, "a check was put off");
                }
            })
        }))
    }

    async fn check_in_turn(&self, document: StoredDocument) -> Result<StoredDocument, Error> {
        let Some(place) = self.queues.checks.join(&document.applicant_id) else {
            self.store.extend_check(&document.id, self.clock.now() + LEFT_FOR_LATER).await?;
            return Ok(document);
        };
        let _held_as_long_as_the_bytes = place.turn().await;
        self.look_into(document).await
    }

    /// Keeps renewing the lease. If another process took the file in the meantime, because this one was suspended, both
    /// check it; the first to finish decides.
    async fn keep_lease(&self, id: &str) -> Infallible {
        loop {
            tokio::time::sleep(BEAT).await;
            if let Err(error) = self.store.extend_check(id, self.clock.now() + LEASE).await {
                tracing::warn!(document = id, error = &error as &dyn std::error::Error, "a check could not be kept");
            }
        }
    }

    async fn look_into(&self, document: StoredDocument) -> Result<StoredDocument, Error> {
        let parts = self.store.parts(&document.id).await?;
        let content = match self.collect(&parts).await {
            Ok(content) => content,
            // The parts are gone once another check has finished, or the file was removed.
            Err(StorageError::Missing) => return self.as_it_is(&document.id).await,
            Err(error) => return Err(error.into()),
        };
        if document.size != Some(content.len() as u64) {
            return self.as_it_is(&document.id).await;
        }
        let subject = format!("document:{}", document.id);
        let audit = |action, detail| self.audit_entry("system".into(), subject.clone(), action, detail);
        let slot = document.slot.as_str();
        let done = match self.inspector.inspect(document.name.kind(), content.freeze()).await {
            Ok(passed) => {
                let object = format!("{DOCUMENTS}/{}/{}", document.id, self.random.id());
                let size = passed.content.len() as u64;
                self.storage.put(&object, passed.content).await?;
                let audit = audit("document.received", json!({ "slot": slot, "sha256": passed.sha256 }));
                let now = self.clock.now();
                let kept = self.store.keep_document(&document.id, &object, size, &passed.sha256, now, &audit).await?;
                if !kept {
                    self.remove_objects([object]).await;
                }
                kept
            }
            Err(InspectError::Rejected(rejection)) => {
                let audit = audit("document.refused", json!({ "slot": slot, "code": rejection.code() }));
                self.store.refuse_document(&document.id, rejection, self.clock.now(), &audit).await?
            }
            Err(InspectError::Unavailable(cause)) => {
                tracing::warn!(document = document.id, error = &*cause, "a file cannot be checked now");
                self.store.extend_check(&document.id, self.clock.now() + PUT_OFF).await?;
                return Ok(document);
            }
        };
        if done {
            self.remove_objects(parts.into_iter().map(|part| part.object)).await;
        }
        self.as_it_is(&document.id).await
    }

    async fn as_it_is(&self, id: &str) -> Result<StoredDocument, Error> {
        Ok(self.store.document(id).await?.ok_or(Refusal::DocumentNotFound)?)
    }

    async fn collect(&self, parts: &[Part]) -> Result<BytesMut, StorageError> {
        let mut content = BytesMut::with_capacity(parts.iter().map(|part| part.length as usize).sum());
        for part in parts {
            let mut bytes = self.storage.get(&part.object, 0..part.length).await?;
            while let Some(chunk) = bytes.next().await {
                content.extend_from_slice(&chunk?);
            }
        }
        Ok(content)
    }

    /// Checks a file that its process left behind.
    pub(super) async fn check_left_behind(&self, id: &str) -> Result<(), Error> {
        let now = self.clock.now();
        if !self.store.claim_check(id, now, now + LEASE).await? {
            return Ok(());
        }
        let Some(document) = self.store.document(id).await? else { return Ok(()) };
        match self.check_document(Claim(document)).await {
            Ok(_) | Err(Error::Refused(Refusal::DocumentNotFound)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
