//! The data folder, and the program's secret, which signs tokens and seals what must not be readable in the database.

use std::io::{self, Write};
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::BootError;
use crate::config::Config;
use app::ports::Sealing;
use auth::{Sealer, Totp};
use backup::{Secret, fingerprint};
use domain::account::AccountKey;
use store::{Db, KeptWithSecret, SecretUse};

/// The secret, and the previous one if it is still there.
pub struct Secrets {
    pub current: Vec<u8>,
    pub previous: Option<Vec<u8>>,
}

/// How the secret relates to the database.
#[derive(Debug, PartialEq, Eq)]
pub enum SecretStanding {
    Same,
    /// It replaced the previous one: how many second factors and mails were resealed, and how many could not be opened.
    Changed {
        kept: usize,
        lost: usize,
    },
    /// The database uses neither it nor the previous one.
    Unknown,
}

/// What an operator should do about an unknown secret.
pub const UNKNOWN: &str = "this is not the secret that the database is used with: second factors do not work. Give the former \
                           one as MATRICULA_PREVIOUS_SECRET, or, if it is lost, run `matricula admin accept-secret`";

/// Loads both secrets.
pub fn load(config: &Config) -> Result<Secrets, BootError> {
    Ok(Secrets { current: current(config)?, previous: previous(config)? })
}

/// Records which secret the database is used with. If that is the previous one, what it sealed is resealed with the
/// current one.
pub async fn rotate_secret(db: &Db, secrets: &Secrets) -> Result<SecretStanding, BootError> {
    let present = fingerprint(&secrets.current);
    db.note_secret(&present).await?;
    let Some(known) = db.secret_in_use().await?.filter(|known| *known != present) else {
        return Ok(SecretStanding::Same);
    };
    let Some(previous) = secrets.previous.as_ref().filter(|previous| fingerprint(previous) == known) else {
        return Ok(SecretStanding::Unknown);
    };
    let (codes, old_codes) = (Totp::new(&secrets.current), Totp::new(previous));
    let (sealer, old_sealer) = (Sealer::new(&secrets.current), Sealer::new(previous));
    let (mut resealed, mut lost) = (Vec::new(), 0);
    for row in db.kept_with_secret().await? {
        let KeptWithSecret { kind, id, text } = &row;
        let new = match kind {
            SecretUse::Code(audience) => codes.resealed(&old_codes, AccountKey { audience: *audience, id }, text),
            SecretUse::Mail
            | SecretUse::Webhook
            | SecretUse::FormerWebhook
            | SecretUse::IdentityProvider
            | SecretUse::Referee => old_sealer.open(id, text).map(|text| sealer.seal(id, &text)),
        };
        match new {
            Some(new) => resealed.push((row, new)),
            None => lost += 1,
        }
    }
    let changed = db.change_secret(&known, &present, &resealed).await?;
    Ok(if changed { SecretStanding::Changed { kept: resealed.len(), lost } } else { SecretStanding::Same })
}

/// Whether the database is used with this secret, or with none yet.
pub async fn is_known(db: &Db, secrets: &Secrets) -> Result<bool, BootError> {
    Ok(db.secret_in_use().await?.is_none_or(|known| known == fingerprint(&secrets.current)))
}

/// Accepts the current secret although the former one, and with it everything sealed with it, is lost. Returns whether
/// the former one was different.
pub async fn accept(db: &Db, secrets: &Secrets) -> Result<bool, BootError> {
    let present = fingerprint(&secrets.current);
    match db.secret_in_use().await? {
        Some(known) if known != present => Ok(db.change_secret(&known, &present, &[]).await?),
        _ => Ok(false),
    }
}

/// Returns the configured secret, else the one kept in the data folder, else a new one, which is kept there.
fn current(config: &Config) -> Result<Vec<u8>, BootError> {
    let file = match place(config)? {
        Secret::Configured(secret) => return Ok(secret),
        Secret::Kept(file) => file,
    };
    match read(&file)? {
        Some(secret) => Ok(secret),
        None => {
            make_folder(&config.data_dir).map_err(BootError::Secret)?;
            make(&file).map_err(BootError::Secret)
        }
    }
}

/// The configured previous secret, else `secret.previous` beside the secret that is kept in the data folder.
fn previous(config: &Config) -> Result<Option<Vec<u8>>, BootError> {
    match (&config.previous_secret, &config.secret) {
        (Some(previous), _) => Ok(Some(previous.reveal().into())),
        (None, None) => read(&config.data_dir.join("secret.previous")),
        (None, Some(_)) => Ok(None),
    }
}

fn read(file: &Path) -> Result<Option<Vec<u8>>, BootError> {
    match std::fs::read(file) {
        Ok(bytes) if bytes.len() >= 32 => Ok(Some(bytes)),
        Ok(_) => Err(BootError::Secret(io::Error::other(format!("{} is damaged; delete it", file.display())))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BootError::Secret(error)),
    }
}

/// Returns where the secret is.
pub fn place(config: &Config) -> Result<Secret, BootError> {
    match &config.secret {
        None => Ok(Secret::Kept(config.data_dir.join("secret"))),
        Some(secret) if secret.reveal().len() >= 32 => Ok(Secret::Configured(secret.reveal().into())),
        Some(_) => Err(BootError::ShortSecret),
    }
}

/// Creates the data folder. Its contents, people's data and the secret, are accessible to this user only.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn make(file: &Path) -> io::Result<Vec<u8>> {
    let text = BASE64_STANDARD.encode(rand::random::<[u8; 32]>());
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut opened = match options.open(file) {
        Ok(opened) => opened,
        // Another process was faster: its secret is used.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return std::fs::read(file),
        Err(error) => return Err(error),
    };
    opened.write_all(text.as_bytes())?;
    opened.sync_all()?;
    Ok(text.into_bytes())
}
