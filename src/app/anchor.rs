//! The ends of the record's chains, saved daily where somebody who changes the database cannot reach them: in the
//! storage, with their hash in a mail. A chain that was cut or recomputed has other entries at these positions.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::{App, mails};
use domain::hex::hex;
use store::{ChainEnd, StoreError};

/// Folder in the storage.
const FOLDER: &str = "anchors";
/// Anchors of the first day of a month are kept for good, the others for this many days.
const KEPT_DAYS: i32 = 31;
/// More than an anchor of millions of chains takes.
const MAX_UNPACKED: u64 = 2 << 30;

/// The last entries of the record's chains at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Anchor {
    pub taken_at: Timestamp,
    pub ends: Vec<ChainEnd>,
}

impl Anchor {
    /// The anchor as a file: gzipped JSON.
    pub fn packed(&self) -> io::Result<Vec<u8>> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        serde_json::to_writer(&mut packed, self)?;
        packed.flush()?;
        packed.finish()
    }

    /// # Errors
    /// The file is damaged, or not an anchor.
    pub fn unpacked(file: &[u8]) -> io::Result<Anchor> {
        let mut json = Vec::new();
        MultiGzDecoder::new(file).take(MAX_UNPACKED).read_to_end(&mut json)?;
        Ok(serde_json::from_slice(&json)?)
    }

    /// The SHA-256 of the file, in hexadecimal, as stated in the mail.
    pub fn hash_of(file: &[u8]) -> String {
        hex(Sha256::digest(file))
    }
}

impl App {
    /// [`crate::jobs::ANCHOR_RECORD`]. Returns the number of chains, or 0 if another database keeps its anchors there.
    pub async fn anchor_record(&self) -> Result<usize, Error> {
        if !self.may_delete_objects().await? {
            return Ok(0);
        }
        let today = self.today();
        let taken_at = Timestamp::from_millisecond(self.clock.now()).unwrap_or_default();
        let anchor = Anchor { taken_at, ends: self.store.chain_ends().await? };
        let file = anchor.packed().map_err(|error| Error::Internal(StoreError::Broken(error.into())))?;
        let (object, hash) = (format!("{FOLDER}/{today}.json.gz"), Anchor::hash_of(&file));
        self.storage.put(&object, file.into()).await?;
        if let Some(to) = &self.settings.anchors_to {
            let mail = mails::record_anchored(self, to, &anchor, &object, &hash);
            self.store.tell(&[], &[mail]).await?;
        }
        let old = today.saturating_sub(KEPT_DAYS.days());
        if old.day() != 1 {
            self.storage.delete(&format!("{FOLDER}/{old}.json.gz")).await?;
        }
        Ok(anchor.ends.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_is_what_its_file_says() {
        let end = ChainEnd { subject: "application:1".into(), position: 7, hash: "ab".repeat(32) };
        let anchor = Anchor { taken_at: "2026-05-04T00:00:00Z".parse().unwrap(), ends: vec![end] };
        let file = anchor.packed().unwrap();
        assert_eq!(Anchor::unpacked(&file).unwrap(), anchor);
        assert!(Anchor::unpacked(&file[..file.len() - 9]).is_err());
        assert!(Anchor::unpacked(b"{}").is_err());
    }
}
