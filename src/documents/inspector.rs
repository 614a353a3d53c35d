//! Checks files: the virus scanner, then what their type requires. Decoding takes time, so it runs on separate threads.

use async_trait::async_trait;
use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::{Clamd, docx, heic, images, pdf};
use app::ports::{Inspect, InspectError, Inspected};
use domain::documents::{FileType, Rejection, is_test_virus};
use domain::hex::hex;

/// Checks files.
#[derive(Debug)]
pub struct Inspector {
    clamd: Option<Clamd>,
}

impl Inspector {
    /// With a virus scanner, which every file must then pass; without one, only the test virus is looked for.
    pub fn new(clamd: Option<Clamd>) -> Inspector {
        Inspector { clamd }
    }
}

#[async_trait]
impl Inspect for Inspector {
    async fn inspect(&self, kind: FileType, content: Bytes) -> Result<Inspected, InspectError> {
        let unavailable = |error: Box<dyn std::error::Error + Send + Sync>| InspectError::Unavailable(error);
        if content.is_empty() {
            return Err(InspectError::Rejected(Rejection::Empty));
        }
        if is_test_virus(&content) {
            return Err(InspectError::Rejected(Rejection::Malware));
        }
        if let Some(clamd) = &self.clamd
            && !clamd.is_clean(&content).await.map_err(|error| unavailable(error.into()))?
        {
            return Err(InspectError::Rejected(Rejection::Malware));
        }
        let checked = tokio::task::spawn_blocking(move || {
            let content = check(kind, content)?;
            Ok(Inspected { sha256: hex(Sha256::digest(&content)), content })
        })
        .await;
        match checked {
            Ok(outcome) => outcome.map_err(InspectError::Rejected),
            // A decoder that panics has met a file it was not made for.
            Err(panicked) => {
                tracing::error!(error = &panicked as &dyn std::error::Error, "a check panicked");
                Err(InspectError::Rejected(Rejection::Mismatch(kind)))
            }
        }
    }
}

/// Checks a file. Returns the content to keep.
fn check(kind: FileType, content: Bytes) -> Result<Bytes, Rejection> {
    if !kind.begins(&content) {
        return Err(Rejection::Mismatch(kind));
    }
    match kind {
        FileType::Jpeg => images::jpeg(&content).map(Bytes::from),
        FileType::Png => images::png(&content).map(Bytes::from),
        FileType::Heic => heic::check(&content).map(|()| content),
        FileType::Pdf => pdf::check(&content).map(|()| content),
        FileType::Docx => docx::check(&content).map(|()| content),
    }
}
