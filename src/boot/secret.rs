//! The data folder, and the secret in it that signs the API's tokens.

use std::io::{self, Write};
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::BootError;
use crate::backup::Secret;
use crate::config::Config;

/// The configured secret, else the one kept in the data folder, else a new one, which is kept there.
pub fn load(config: &Config) -> Result<Vec<u8>, BootError> {
    let file = match place(config)? {
        Secret::Configured(secret) => return Ok(secret),
        Secret::Kept(file) => file,
    };
    match std::fs::read(&file) {
        Ok(bytes) if bytes.len() >= 32 => Ok(bytes),
        Ok(_) => Err(BootError::Secret(io::Error::other(format!("{} is damaged; delete it", file.display())))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make_folder(&config.data_dir).map_err(BootError::Secret)?;
            make(&file).map_err(BootError::Secret)
        }
        Err(error) => Err(BootError::Secret(error)),
    }
}

/// Where the secret is.
pub fn place(config: &Config) -> Result<Secret, BootError> {
    match &config.secret {
        None => Ok(Secret::Kept(config.data_dir.join("secret"))),
        Some(secret) if secret.reveal().len() >= 32 => Ok(Secret::Configured(secret.reveal().into())),
        Some(_) => Err(BootError::ShortSecret),
    }
}

/// Makes the data folder. What is in it, people's data and the secret, is for this user alone.
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
        // Another process was faster: its secret is the one.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return std::fs::read(file),
        Err(error) => return Err(error),
    };
    opened.write_all(text.as_bytes())?;
    opened.sync_all()?;
    Ok(text.into_bytes())
}
