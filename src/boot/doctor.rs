//! `matricula doctor`: what is found, and what is wrong with it.

use std::fmt::Write;
use std::path::Path;

use super::{explain, pages, start_renderer};
use crate::app::ports::{Health, StaffAccounts};
use crate::config::Config;
use crate::mail::Mailer;
use crate::store::{Db, Options};

/// The report, and whether nothing is wrong.
pub async fn doctor(config: &Config) -> (String, bool) {
    let mut report = Report::default();
    report.line("version", Ok(format!("matricula {}", env!("CARGO_PKG_VERSION"))));
    report.line("address", Ok(format!("{} as {}", config.bind, config.public_url())));
    report.line("data folder", data_folder(&config.data_dir));
    report.line("secret", secret(config));
    let db = database(config).await;
    report.line("database", db);
    report.line("mail", mail(config).await);
    report.line("storage", storage(config));
    report.line("engine", engine(config).await);
    (report.text, report.healthy)
}

struct Report {
    text: String,
    healthy: bool,
}

impl Default for Report {
    fn default() -> Self {
        Self { text: String::new(), healthy: true }
    }
}

impl Report {
    fn line(&mut self, name: &str, found: Result<String, String>) {
        let (mark, words) = match &found {
            Ok(words) => ("ok   ", words),
            Err(words) => {
                self.healthy = false;
                ("WRONG", words)
            }
        };
        let _ = writeln!(self.text, "{mark} {name:<12} {words}");
    }
}

fn data_folder(folder: &Path) -> Result<String, String> {
    let probe = folder.join(".doctor");
    super::secret::make_folder(folder)
        .and_then(|()| std::fs::write(&probe, b"x"))
        .and_then(|()| std::fs::remove_file(&probe))
        .map_err(|error| format!("{} cannot be written: {error}", folder.display()))?;
    Ok(format!("{} can be written", folder.display()))
}

fn secret(config: &Config) -> Result<String, String> {
    let shared = config.database_url().starts_with("postgres");
    match super::secret::load(config) {
        Ok(_) if config.secret.is_some() => Ok("from MATRICULA_SECRET".into()),
        Ok(_) if shared => {
            Ok("kept in the data folder; set MATRICULA_SECRET when several processes share the database".into())
        }
        Ok(_) => Ok("kept in the data folder".into()),
        Err(error) => Err(explain(&error)),
    }
}

async fn database(config: &Config) -> Result<String, String> {
    let told = |error| explain(&super::BootError::Store(error));
    let db = Db::connect(&config.database_url(), &Options::default()).await.map_err(told)?;
    let kind = db.kind();
    db.ping().await.map_err(|error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        format!("{kind} answers, but not as this version expects ({cause}); run `matricula migrate`")
    })?;
    let staff = db.staff_count().await.map_err(|error| error.to_string())?;
    db.close().await;
    Ok(match staff {
        0 => format!("{kind}, at this version; no staff account yet: matricula admin create --email …"),
        1 => format!("{kind}, at this version; 1 staff account"),
        count => format!("{kind}, at this version; {count} staff accounts"),
    })
}

async fn mail(config: &Config) -> Result<String, String> {
    let mailer = Mailer::new(config.smtp_url.as_ref().map(|url| url.reveal()), &config.mail_from)
        .map_err(|error| explain(&super::BootError::Mail(error)))?;
    if !mailer.sends() {
        return Ok("no SMTP_URL: mails are kept and not sent".into());
    }
    match mailer.check().await {
        Ok(true) => Ok("the mail server answers".into()),
        Ok(false) => Err("the mail server does not answer as one".into()),
        Err(error) => Err(format!("the mail server cannot be used: {error}")),
    }
}

fn storage(config: &Config) -> Result<String, String> {
    match &config.storage_url {
        None => Ok("documents will be kept in the data folder; nothing is uploaded in this version".into()),
        Some(_) => Ok("STORAGE_URL is set; nothing is uploaded in this version, so it is not tried".into()),
    }
}

async fn engine(config: &Config) -> Result<String, String> {
    let name = if cfg!(feature = "v8") { "V8" } else { "QuickJS (renders about twelve times slower than V8)" };
    let settings = super::settings(config);
    let one = Config { isolates: Some(1), ..config.clone() };
    let renderer = start_renderer(&one, &settings).map_err(|error| explain(&error))?;
    let rendered = renderer.render(pages::warm_up(&settings)).await;
    renderer.stop().await;
    match rendered {
        Ok(html) => Ok(format!("{name}; a page of {} bytes was rendered", html.len())),
        Err(error) => Err(format!("{name} does not render: {error}")),
    }
}
