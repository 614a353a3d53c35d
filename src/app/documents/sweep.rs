//! Objects that no row names: left behind by a crashed process, or missed by somebody. They wait in quarantine, in
//! place and readable, before they are deleted; many at once are a sign of the wrong database or the wrong storage.

use std::collections::BTreeMap;
use std::future::ready;

use futures::stream::{self, Stream, StreamExt, TryStreamExt};
use uuid::Uuid;

use super::{CONTRACTS, DOCUMENTS, UPLOADS};
use crate::App;
use crate::error::Error;
use crate::ports::{DocumentStorage, ObjectInfo, StorageError};
use crate::references::REFERENCES;
use domain::moments::{DAY, Millis};
use store::{Db, UnnamedObject};

/// How often [`App::remove_nameless_objects`] is to be called.
pub const RECONCILE_PAUSE: Millis = DAY;
/// Longer than the bytes of any request wait for their row.
const GRACE: Millis = 2 * DAY;
/// How long an object that no row names stays in quarantine before it is deleted.
pub const QUARANTINE: Millis = 30 * DAY;
/// How many objects without a row are normal in any storage, and what percentage in a large one.
const FEW: usize = 10;
const SHARE: usize = 5;

/// Our objects in a storage that may be shared.
pub fn ours<T>(storage: &T) -> impl Stream<Item = Result<ObjectInfo, StorageError>>
where
    T: DocumentStorage + ?Sized,
{
    let all = stream::iter(FOLDERS).then(move |folder| storage.list_in(folder)).flatten();
    all.try_filter(|object| ready(is_ours(&object.name)))
}

/// Whether an object's name follows our scheme.
fn is_ours(object: &str) -> bool {
    let mut parts = object.split('/');
    let is_folder = parts.next().is_some_and(|folder| FOLDERS.contains(&folder));
    let mut is_id = || parts.next().is_some_and(|id| id.len() == 36 && Uuid::try_parse(id).is_ok());
    is_folder && is_id() && is_id() && parts.next().is_none()
}

/// Folders whose objects are named by rows.
const FOLDERS: [&str; 4] = [DOCUMENTS, UPLOADS, CONTRACTS, REFERENCES];

/// Our objects in a storage, compared with the rows.
#[derive(Debug, Default)]
pub struct Compared {
    /// Number of objects that a row names.
    pub named: usize,
    /// The other objects, with the time each was written.
    pub unnamed: BTreeMap<String, Millis>,
}

impl Compared {
    /// Whether there are too many to be leftovers of crashed processes.
    pub fn is_too_much(&self, unnamed: usize) -> bool {
        unnamed > FEW.max((self.named + self.unnamed.len()) * SHARE / 100)
    }
}

/// Compares the storage with the rows.
///
/// # Errors
/// Store and storage errors.
pub async fn compare(store: &Db, storage: &(impl DocumentStorage + ?Sized)) -> Result<Compared, Error> {
    let mut compared = Compared::default();
    let mut objects = std::pin::pin!(ours(storage));
    while let Some(ObjectInfo { name, modified_at }) = objects.try_next().await? {
        if store.is_object_known(&name).await? {
            compared.named += 1;
        } else {
            compared.unnamed.insert(name, modified_at);
        }
    }
    Ok(compared)
}

impl App {
    /// Quarantines our objects that no row names and that are too old to be waiting for one, takes out those that a
    /// row names again, and deletes those whose quarantine is over. Returns how many it deleted.
    ///
    /// # Errors
    /// Store and storage errors.
    pub async fn remove_nameless_objects(&self) -> Result<usize, Error> {
        if self.hold_storage().await?.is_some() {
            return Ok(0);
        }
        let now = self.clock.now();
        let compared = compare(&self.store, &*self.storage).await?;
        let noted = self.store.unnamed_objects().await?.into_iter().map(|noted| (noted.object.clone(), noted));
        let (noted, back): (BTreeMap<_, _>, BTreeMap<_, _>) =
            noted.partition(|(object, _)| compared.unnamed.contains_key(object));
        if !back.is_empty() {
            let back: Vec<String> = back.into_keys().collect();
            tracing::info!(objects = ?back, "objects that no row named are named again, or gone");
            self.store.forget_unnamed(&back).await?;
        }

        let found = compared.unnamed.iter().filter(|(_, written_at)| **written_at < now - GRACE);
        let found: Vec<&String> =
            found.map(|(object, _)| object).filter(|object| !noted.contains_key(*object)).collect();
        let unexplained = found.len() + noted.values().filter(|noted| !noted.confirmed).count();
        if compared.is_too_much(unexplained) {
            let why = format!("no row names {unexplained} of {} objects", compared.named + compared.unnamed.len());
            let first = &found[..found.len().min(5)];
            tracing::error!(why, ?first, "too much to be deleted: nothing is, see matricula doctor");
            self.store.note_stopped(Some(&why)).await?;
            return Ok(0);
        }
        self.store.note_stopped(None).await?;
        let quarantined = |object: &&String| UnnamedObject {
            object: (*object).clone(),
            found_at: now,
            goes_at: Some(now + QUARANTINE),
            confirmed: false,
        };
        for object in &found {
            tracing::warn!(object, "no row names this object: it is in quarantine");
        }
        self.store.note_unnamed(&found.iter().map(quarantined).collect::<Vec<_>>()).await?;
        self.delete_due(&noted, now).await
    }

    async fn delete_due(&self, noted: &BTreeMap<String, UnnamedObject>, now: Millis) -> Result<usize, Error> {
        let due = noted.values().filter(|noted| noted.goes_at.is_some_and(|at| at <= now));
        let mut deleted = 0;
        for UnnamedObject { object, .. } in due {
            // Scanning the storage takes long: it may belong to another database by then, or a row may name the object.
            if !self.may_delete_objects().await? {
                break;
            }
            if self.store.is_object_known(object).await? {
                continue;
            }
            self.storage.delete(object).await?;
            self.store.forget_unnamed(std::slice::from_ref(object)).await?;
            tracing::info!(object, "deleted an object that no row names");
            deleted += 1;
        }
        Ok(deleted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_is_what_is_named_as_we_name() {
        let id = "01928374-5566-7788-99aa-bbccddeeff00";
        for ours in ["documents", "uploads", "contracts"] {
            assert!(is_ours(&format!("{ours}/{id}/{id}")));
        }
        let others = ["documents/report.pdf", "documents", "", "uploads/lost/1"].map(str::to_owned);
        let alike = [
            format!("documents/{id}"),
            format!("documents/{id}/{id}/{id}"),
            format!("archive/{id}/{id}"),
            format!("documents/{id}/{}", id.replace('-', "")),
            format!("old/documents/{id}/{id}"),
        ];
        for other in others.into_iter().chain(alike) {
            assert!(!is_ours(&other), "{other}");
        }
    }

    #[test]
    fn a_few_may_be_left_behind_and_no_more_than_a_small_share() {
        let compared = |named| Compared { named, unnamed: BTreeMap::new() };
        let most = |named| (0..).find(|unnamed| compared(named).is_too_much(unnamed + 1)).unwrap();
        assert_eq!([0, 3, 200, 1000, 20_000].map(most), [10, 10, 10, 50, 1000]);
    }
}
