//! `matricula backup`, `restore`, `verify` and `copy`: what they did, in words.

use super::{BootError, clock, secret};
use crate::config::Config;
use auth::SystemRandom;
use backup::{Contents, Copied, Made, Restored, Site};
use documents::ObjectStorage;

/// What was done, and whether nothing is lacking.
pub type Done = (String, bool);

pub async fn backup(config: &Config, to: &str) -> Result<Done, BootError> {
    let Made { place, contents } = backup::backup(&site(config)?, &clock(config), to).await?;
    let (amount, whole) = summary(&contents);
    Ok((format!("{place} has {amount}"), whole))
}

pub async fn restore(config: &Config, from: &str, take_over: bool) -> Result<Done, BootError> {
    secret::make_folder(&config.data_dir).map_err(|error| BootError::DataDir(config.data_dir.clone(), error))?;
    let restored = backup::restore(&site(config)?, &clock(config), &SystemRandom, from, take_over).await?;
    let Restored { contents, same_secret, left_alone } = restored;
    let (mut text, whole) = summary(&contents);
    if left_alone > 0 {
        text.push_str(&format!(
            "\nThe storage has {left_alone} objects more, which the backup does not name: they are left alone."
        ));
    }
    if !same_secret {
        text.push_str(
            "\nThe secret is not the one that the backup was made with. Set MATRICULA_SECRET to that one before the first start: \
             with another, second factors have to be set up anew, and the API's tokens are void.",
        );
    }
    Ok((format!("Restored: {text}"), whole))
}

pub async fn verify(from: &str) -> Result<Done, BootError> {
    let (text, whole) = summary(&backup::verify(from).await?);
    Ok((format!("It can be restored: {text}"), whole))
}

pub async fn copy(config: &Config, to: &str) -> Result<String, BootError> {
    let Copied { tables, rows } = backup::copy(&config.database_url(), to).await?;
    Ok(format!(
        "Copied: {rows} rows of {tables} tables. Set DATABASE_URL to the new database before the next start; the old one stays as \
         it is. The server that is started first, with the one or the other, has the storage: with the other one nothing is deleted \
         there any more."
    ))
}

fn site(config: &Config) -> Result<Site, BootError> {
    Ok(Site {
        database_url: config.database_url(),
        storage: ObjectStorage::open(&config.storage_url())?,
        secret: secret::place(config)?,
    })
}

fn summary(contents: &Contents) -> Done {
    let Contents { rows, objects, lacking } = contents;
    let mut text = format!("{rows} rows and {objects} documents.");
    if !lacking.is_empty() {
        let count = lacking.len();
        text.push_str(&format!(
            "\nThe storage did not have {count} documents that the database names, as they were sent:"
        ));
        for name in lacking {
            text.push_str("\n  ");
            text.push_str(name);
        }
    }
    (text, lacking.is_empty())
}
