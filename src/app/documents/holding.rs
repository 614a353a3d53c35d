//! Which database owns the storage. An object in it, the marker, names the database it belongs to, and carries a stamp
//! that this database renews every hour and remembers: a copy of the database, or an older one that was restored, has
//! another stamp. A process deletes nothing in a storage whose marker is not from its own database.

use std::collections::BTreeMap;
use std::fmt;

use bytes::Bytes;
use futures::TryStreamExt;
use serde::{Deserialize, Serialize};

use super::sweep::{Compared, QUARANTINE, compare};
use crate::App;
use crate::error::Error;
use crate::ports::{DocumentStorage, Random, StorageError};
use domain::moments::{HOUR, MINUTE, Millis};
use store::{Db, UnnamedObject};

/// How often [`App::hold_storage`] is to be called.
pub const HOLD_PAUSE: Millis = HOUR;
/// Longer than writing a marker takes, so that only one of two processes writes it.
const STAMP_PAUSE: Millis = MINUTE;
/// The marker's name.
pub const MARKER: &str = "matricula-storage.json";
/// More than the size of any marker.
const MARKER_SIZE: u64 = 4096;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Marker {
    database: String,
    stamp: String,
}

/// Whether the storage belongs to the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorageOwner {
    /// Its marker matches, with this stamp.
    Ours {
        stamp: String,
    },
    /// It has no marker, and the database never had a storage.
    Free,
    Strange(Strange),
}

/// Why nothing may be deleted in a storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Strange {
    Unmarked,
    Unreadable,
    OtherDatabase,
    OtherMoment,
    Unlike { named: usize, unnamed: usize },
    Lacking,
}

impl fmt::Display for Strange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strange::Unmarked => f.write_str("it has no marker any more: it is not mounted, or another one than before"),
            Strange::Unreadable => write!(f, "its marker, {MARKER}, cannot be read"),
            Strange::OtherDatabase => f.write_str("its marker names another database"),
            Strange::OtherMoment => f.write_str(
                "its marker is of this database at another moment, or of a copy of it: one of them was restored or copied",
            ),
            Strange::Unlike { named, unnamed } => {
                write!(f, "it has no marker, and {unnamed} objects that this database does not name, beside {named} that it does")
            }
            Strange::Lacking => f.write_str("it has no marker, and none of the files that this database names"),
        }
    }
}

/// Returns whether `storage` belongs to the database behind `store`.
///
/// # Errors
/// Store and storage errors.
pub async fn standing(store: &Db, storage: &(impl DocumentStorage + ?Sized)) -> Result<StorageOwner, Error> {
    // The marker first: the database stores a stamp before the marker has it, and keeps it until the next one.
    let marker = read_marker(storage).await?;
    let claim = store.storage_claim().await?;
    Ok(match (marker, claim) {
        (None, Some(claim)) if claim.former_stamp.is_some() => StorageOwner::Strange(Strange::Unmarked),
        (None, _) => StorageOwner::Free,
        (Some(Err(_)), _) => StorageOwner::Strange(Strange::Unreadable),
        (Some(Ok(Marker { database, stamp })), Some(claim)) if database == claim.database => {
            if [&claim.stamp, &claim.former_stamp].contains(&&Some(stamp.clone())) {
                StorageOwner::Ours { stamp }
            } else {
                StorageOwner::Strange(Strange::OtherMoment)
            }
        }
        (Some(Ok(_)), _) => StorageOwner::Strange(Strange::OtherDatabase),
    })
}

/// Whether any database has claimed the storage.
///
/// # Errors
/// Storage errors.
pub async fn is_marked(storage: &impl DocumentStorage) -> Result<bool, StorageError> {
    Ok(read_marker(storage).await?.is_some())
}

async fn read_marker<T>(storage: &T) -> Result<Option<serde_json::Result<Marker>>, StorageError>
where
    T: DocumentStorage + ?Sized,
{
    let content = match storage.get(MARKER, 0..MARKER_SIZE).await {
        Ok(content) => content.map_ok(|piece| piece.to_vec()).try_concat().await?,
        Err(StorageError::Missing) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(serde_json::from_slice(&content)))
}

/// A takeover of a storage, whatever its marker says.
pub struct Taking {
    marker: Marker,
}

impl Taking {
    /// A takeover by a new database.
    pub fn anew(random: &dyn Random) -> Taking {
        Taking::by(random.id(), random)
    }

    fn by(database: String, random: &dyn Random) -> Taking {
        Taking { marker: Marker { database, stamp: random.id() } }
    }

    /// Writes the marker: the previous owner deletes nothing in the storage from now on.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn mark(&self, storage: &(impl DocumentStorage + ?Sized)) -> Result<(), StorageError> {
        let marker = serde_json::to_vec(&self.marker).map_err(|error| StorageError::Unavailable(error.into()))?;
        storage.put(MARKER, Bytes::from(marker)).await
    }

    /// Makes the storage the database's own. Existing objects that no row names are kept for good. Returns how many
    /// there are.
    ///
    /// # Errors
    /// Store and storage errors. The storage then belongs to nobody, or to its previous owner.
    pub async fn finish(
        &self,
        store: &Db,
        storage: &(impl DocumentStorage + ?Sized),
        now: Millis,
    ) -> Result<usize, Error> {
        let Compared { unnamed, .. } = compare(store, storage).await?;
        let left_alone = |object| UnnamedObject { object, found_at: now, goes_at: None, confirmed: true };
        let left_alone: Vec<UnnamedObject> = unnamed.into_keys().map(left_alone).collect();
        store.settle_unnamed(&left_alone).await?;
        store.take_storage(&self.marker.database, &self.marker.stamp, now).await?;
        self.mark(storage).await?;
        Ok(left_alone.len())
    }
}

impl App {
    /// Renews this database's claim on the storage; claims an unowned one that has the objects the database names.
    /// Returns why the storage does not belong to this database, if so.
    ///
    /// # Errors
    /// Store and storage errors.
    pub async fn hold_storage(&self) -> Result<Option<Strange>, Error> {
        self.store.identify(&self.random.id()).await?;
        let strange = match standing(&self.store, &*self.storage).await? {
            StorageOwner::Ours { stamp } => {
                self.restamp(Some(&stamp)).await?;
                None
            }
            StorageOwner::Free => self.take_free_storage().await?,
            StorageOwner::Strange(strange) => Some(strange),
        };
        if let Some(strange) = &strange {
            tracing::error!(%strange, "the storage is not this database's: nothing in it is deleted, see matricula doctor");
        }
        self.store.note_strange(strange.as_ref().map(ToString::to_string).as_deref()).await?;
        Ok(strange)
    }

    async fn take_free_storage(&self) -> Result<Option<Strange>, Error> {
        let compared = compare(&self.store, &*self.storage).await?;
        let (named, unnamed) = (compared.named, compared.unnamed.len());
        if unnamed > 0 && (named == 0 || compared.is_too_much(unnamed)) {
            return Ok(Some(Strange::Unlike { named, unnamed }));
        }
        if named == 0 && !self.store.kept_objects("", 1).await?.is_empty() {
            return Ok(Some(Strange::Lacking));
        }
        self.restamp(None).await?;
        Ok(None)
    }

    /// Replaces the marker's stamp, unless another process has just done so.
    async fn restamp(&self, marked: Option<&str>) -> Result<(), Error> {
        let Some(claim) = self.store.storage_claim().await? else { return Ok(()) };
        let taking = Taking::by(claim.database, &*self.random);
        let now = self.clock.now();
        if self.store.restamp(marked, &taking.marker.stamp, now, now - STAMP_PAUSE).await? {
            taking.mark(&*self.storage).await?;
        }
        Ok(())
    }

    /// Whether objects may be deleted or overwritten: not in a storage that belongs to another database.
    pub(crate) async fn may_delete_objects(&self) -> Result<bool, Error> {
        match standing(&self.store, &*self.storage).await? {
            StorageOwner::Ours { .. } | StorageOwner::Free => Ok(true),
            StorageOwner::Strange(strange) => {
                tracing::warn!(%strange, "the storage is not this database's: nothing in it is deleted");
                Ok(false)
            }
        }
    }

    /// Makes the storage this database's own, whatever its marker says. Existing objects that no row names are kept for
    /// good. Returns how many there are.
    ///
    /// # Errors
    /// Store and storage errors.
    pub async fn take_over_storage(&self) -> Result<usize, Error> {
        let claim = self.store.storage_claim().await?;
        let database = claim.map_or_else(|| self.random.id(), |claim| claim.database);
        Taking::by(database, &*self.random).finish(&self.store, &*self.storage, self.clock.now()).await
    }

    /// The objects that no row names, with the notes on them.
    ///
    /// # Errors
    /// Store and storage errors.
    pub async fn unnamed_objects(&self) -> Result<Vec<(String, Option<UnnamedObject>)>, Error> {
        let noted = self.store.unnamed_objects().await?;
        let mut noted: BTreeMap<_, _> = noted.into_iter().map(|noted| (noted.object.clone(), noted)).collect();
        let unnamed = compare(&self.store, &*self.storage).await?.unnamed.into_keys();
        let with_noted = |object: String| {
            let noted = noted.remove(&object);
            (object, noted)
        };
        Ok(unnamed.map(with_noted).collect())
    }

    /// Keeps objects that no row names, all of them or those in `only`, or schedules their deletion after the
    /// quarantine. Returns which.
    ///
    /// # Errors
    /// Store and storage errors.
    pub async fn settle_objects(&self, only: Option<&[String]>, go: bool) -> Result<Vec<String>, Error> {
        let now = self.clock.now();
        let unnamed = compare(&self.store, &*self.storage).await?.unnamed.into_keys();
        let meant: Vec<String> = unnamed.filter(|object| only.is_none_or(|only| only.contains(object))).collect();
        let settled = meant.iter().map(|object| UnnamedObject {
            object: object.clone(),
            found_at: now,
            goes_at: go.then_some(now + QUARANTINE),
            confirmed: true,
        });
        self.store.settle_unnamed(&settled.collect::<Vec<_>>()).await?;
        Ok(meant)
    }
}
