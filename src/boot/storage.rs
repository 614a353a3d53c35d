//! `matricula storage …`: whose the storage is, and what happens to objects that no row names.

use jiff::Timestamp;

use super::{BootError, app, open_store, secret};
use crate::config::{Config, StorageCommand, WhichObjects};
use ::documents::ObjectStorage;
use app::documents::{QUARANTINE, StorageOwner, standing};
use app::ports::DocumentStorage;
use domain::moments::{DAY, Millis};
use store::{Db, UnnamedObject};

/// Runs the command. Returns what was done, in words.
pub async fn storage(config: &Config, command: &StorageCommand) -> Result<String, BootError> {
    let db = open_store(config).await?;
    let app = app(config, db.clone(), secret::load(config)?)?;
    Ok(match command {
        StorageCommand::Show => {
            let objects = ObjectStorage::open(&config.storage_url())?;
            let (Ok(found) | Err(found)) = standing_of(&db, &objects).await?;
            let unnamed = app.unnamed_objects().await?;
            [vec![found], unnamed.iter().map(unnamed_line).collect()].concat().join("\n")
        }
        StorageCommand::TakeOver => {
            let left_alone = app.take_over_storage().await?;
            format!(
                "The storage goes with this database now. {left_alone} objects are there that no row names: they are left alone."
            )
        }
        StorageCommand::Keep { which } => {
            let objects = app.settle_objects(only(which), false).await?;
            format!("{} objects that no row names are left alone.{}", objects.len(), missing(which, &objects))
        }
        StorageCommand::LetGo { which } => {
            let objects = app.settle_objects(only(which), true).await?;
            let (count, days) = (objects.len(), QUARANTINE / DAY);
            let missing = missing(which, &objects);
            format!(
                "{count} objects that no row names are deleted in {days} days, unless one names them then.{missing}"
            )
        }
    })
}

fn only(which: &WhichObjects) -> Option<&[String]> {
    if which.all { None } else { Some(&which.objects) }
}

/// Lists the objects that were asked for and not found.
fn missing(which: &WhichObjects, found: &[String]) -> String {
    let missing = which.objects.iter().filter(|object| !found.contains(object));
    missing.map(|object| format!("\n{object} is not in the storage, or a row names it.")).collect()
}

fn unnamed_line((object, noted): &(String, Option<UnnamedObject>)) -> String {
    match noted {
        None => format!("{object}  no row names it"),
        Some(UnnamedObject { found_at, goes_at: None, .. }) => {
            format!("{object}  found {}, left alone", date(*found_at))
        }
        Some(UnnamedObject { found_at, goes_at: Some(at), .. }) => {
            format!("{object}  found {}, deleted {}", date(*found_at), date(*at))
        }
    }
}

fn date(at: Millis) -> String {
    Timestamp::from_millisecond(at).unwrap_or_default().strftime("%Y-%m-%d").to_string()
}

/// Whether the storage belongs to the database and what is deleted there, or else what is wrong with it.
pub async fn standing_of(
    store: &Db,
    storage: &(impl DocumentStorage + ?Sized),
) -> Result<Result<String, String>, app::Error> {
    let figures = store.sweep_figures().await?;
    let waiting =
        format!("{} objects that no row names are in quarantine, {} left alone", figures.waiting, figures.kept);
    let stopped = store.storage_claim().await?.and_then(|claim| claim.stopped);
    Ok(match (standing(store, storage).await?, stopped) {
        (StorageOwner::Ours { .. }, None) => Ok(format!("the storage goes with this database; {waiting}")),
        (StorageOwner::Ours { .. }, Some(why)) => Err(format!(
            "{why}: nothing is deleted; is it the right database? If so, matricula storage let-go --all; {waiting}"
        )),
        (StorageOwner::Free, _) => Ok("the storage has no marker yet; the server writes it".into()),
        (StorageOwner::Strange(strange), _) => Err(format!(
            "the storage is not this database's, nothing in it is deleted: {strange}. If it should be: matricula storage take-over"
        )),
    })
}
