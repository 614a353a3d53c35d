//! `matricula doctor`: checks an installation and reports what is wrong with it.

use std::fmt::Write;
use std::path::Path;

use super::storage::standing_of;
use super::{explain, start_renderer};
use crate::config::Config;
use app::anchor::Anchor;
use app::contracts::check_contracts;
use app::documents::{KeptObjects, check_objects};
use app::ports::PaymentProvider;
use documents::ObjectStorage;
use mail::Mailer;
use render::Origin;
use store::{Broken, Db, Options};

/// Returns the report, and whether nothing is wrong.
pub async fn doctor(config: &Config, anchor: Option<&Path>) -> (String, bool) {
    let mut report = Report::default();
    report.line("version", Ok(format!("matricula {}", env!("CARGO_PKG_VERSION"))));
    report.line("address", Ok(format!("{} as {}", config.bind, config.public_url())));
    report.line("data folder", data_folder(&config.data_dir));
    report.line("secret", secret(config));
    match open(config).await {
        Ok(db) => {
            let database = database(&db).await;
            let is_ours = database.is_ok();
            report.line("database", database);
            if is_ours {
                report.line("second factors", secret_in_use(config, &db).await);
                report.line("integrity", integrity(&db).await);
                report.line("record", record(&db).await);
                if let Some(anchor) = anchor {
                    report.line("anchor", anchored(&db, anchor).await);
                }
                report.line("ledger", ledger(&db).await);
                report.line("contracts", contracts(&db).await);
                report.line("files", files(config, &db).await);
                report.line("sweep", sweep(config, &db).await);
            }
            db.close().await;
        }
        Err(error) => report.line("database", Err(error)),
    }
    report.line("mail", mail(config).await);
    report.line("storage", storage(config).await);
    report.line("scanner", scanner(config).await);
    report.line("payments", payments(config).await);
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
        let _ = writeln!(self.text, "{mark} {name:<14} {words}");
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

async fn secret_in_use(config: &Config, db: &Db) -> Result<String, String> {
    let known = async { super::secret::is_known(db, &super::secret::load(config)?).await };
    match known.await {
        Ok(true) => Ok("kept with the present secret".into()),
        Ok(false) => Err(super::secret::UNKNOWN.into()),
        Err(error) => Err(explain(&error)),
    }
}

/// Opens the database, without creating it.
async fn open(config: &Config) -> Result<Db, String> {
    let failed = |error| explain(&super::BootError::Store(error));
    if let Some(file) = Db::missing_file(&config.database_url()) {
        return Err(format!(
            "there is no {} yet; run `matricula migrate`, or start the server, which makes it",
            file.display()
        ));
    }
    Db::connect(&config.database_url(), &Options::default()).await.map_err(failed)
}

async fn database(db: &Db) -> Result<String, String> {
    let kind = db.kind();
    db.ping().await.map_err(|error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        format!("{kind} answers, but not as this version expects ({cause}); run `matricula migrate`")
    })?;
    let staff = db.staff_count().await.map_err(|error| error.to_string())?;
    Ok(match staff {
        0 => format!("{kind}, at this version; no staff account yet: matricula admin create --email …"),
        1 => format!("{kind}, at this version; 1 staff account"),
        count => format!("{kind}, at this version; {count} staff accounts"),
    })
}

/// Maximum faults of one kind that are reported by name.
const NAMED: usize = 5;

/// Checks that the database's file can be read completely, and that each reference in it leads somewhere.
async fn integrity(db: &Db) -> Result<String, String> {
    let damage = db.damage(true).await;
    let kind = db.kind();
    match damage {
        Ok(damage) if damage.is_empty() && kind == "sqlite" => {
            Ok("every page can be read, every reference leads somewhere".into())
        }
        Ok(damage) if damage.is_empty() => Ok(format!("{kind} keeps it; see its own log")),
        Ok(damage) => Err(format!("the database is damaged, restore a backup: {}", first(&damage))),
        Err(error) => Err(format!("the database is damaged, restore a backup: {}", cause(&error))),
    }
}

/// Checks that the storage has the files that the database names, as they were sent.
async fn files(config: &Config, db: &Db) -> Result<String, String> {
    let storage = ObjectStorage::open(&config.storage_url()).map_err(|error| explain(&error.into()))?;
    let checked = check_objects(db, &storage).await;
    let KeptObjects { count, missing, changed } = checked.map_err(|error| error.to_string())?;
    let mut faults = Vec::new();
    if !missing.is_empty() {
        faults.push(format!("{} of {count} are not in the storage: {}", missing.len(), first(&missing)));
    }
    if !changed.is_empty() {
        faults.push(format!("{} of {count} are not as they were sent: {}", changed.len(), first(&changed)));
    }
    if faults.is_empty() { Ok(format!("{count}, each as it was sent")) } else { Err(faults.join("; ")) }
}

/// Checks whether the storage is this database's, and what is deleted there.
async fn sweep(config: &Config, db: &Db) -> Result<String, String> {
    let storage = ObjectStorage::open(&config.storage_url()).map_err(|error| explain(&error.into()))?;
    standing_of(db, &storage).await.map_err(|error| cause(&error))?
}

/// Lists the first few faults.
fn first(faults: &[String]) -> String {
    let named = faults[..faults.len().min(NAMED)].join(", ");
    if faults.len() > NAMED { format!("{named}, …") } else { named }
}

/// Checks that the record of who did what is as it was written.
async fn record(db: &Db) -> Result<String, String> {
    let checked = db.check_chain(None).await.map_err(|error| error.to_string())?;
    let unchained = db.unchained().await.map_err(|error| error.to_string())?;
    let lines = checked.map_err(|Broken { subject, position }| match position {
        0 => format!("the last lines about {subject} are missing"),
        position => format!("line {position} about {subject} is not as it was written"),
    })?;
    Ok(match unchained {
        0 => format!("{lines} lines, none changed since it was written"),
        _ => format!(
            "{lines} lines, none changed since it was written; {unchained} more are chained when the server runs"
        ),
    })
}

/// Checks that the record still has what it had when the anchor was taken.
async fn anchored(db: &Db, file: &Path) -> Result<String, String> {
    let unreadable = |error| format!("{} cannot be read: {error}", file.display());
    let packed = std::fs::read(file).map_err(unreadable)?;
    let Anchor { taken_at, ends } = Anchor::unpacked(&packed).map_err(unreadable)?;
    let lost = db.lost_ends(&ends).await.map_err(|error| cause(&error))?;
    let name = format!("of {}, SHA-256 {}", taken_at.strftime("%Y-%m-%d %H:%M UTC"), Anchor::hash_of(&packed));
    if lost.is_empty() {
        return Ok(format!("{name}: {} chains go on from where they were", ends.len()));
    }
    let lines: Vec<String> = lost.iter().map(|end| format!("line {} about {}", end.position, end.subject)).collect();
    Err(format!("{name}: {} of {} chains do not have what they had: {}", lost.len(), ends.len(), first(&lines)))
}

/// Checks that the ledger balances.
async fn ledger(db: &Db) -> Result<String, String> {
    let faults = db.ledger_faults().await.map_err(|error| cause(&error))?;
    if faults.is_empty() {
        return Ok("every transaction balances".into());
    }
    let transactions: Vec<String> = faults.into_iter().map(|fault| fault.transaction_id).collect();
    Err(format!("{} transactions do not balance: {}", transactions.len(), first(&transactions)))
}

/// Checks that the texts that people signed are as they were frozen.
async fn contracts(db: &Db) -> Result<String, String> {
    let checked = check_contracts(db).await.map_err(|error| error.to_string())?;
    match checked {
        Ok(1) => Ok("1 text, not changed since it was sent".into()),
        Ok(count) => Ok(format!("{count} texts, none changed since they were sent")),
        Err(id) => Err(format!("contract {id} is not as it was written")),
    }
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

async fn storage(config: &Config) -> Result<String, String> {
    let storage = ObjectStorage::open(&config.storage_url()).map_err(|error| explain(&error.into()))?;
    match storage.probe().await {
        Ok(()) => Ok(format!("documents are kept in {}", storage.place())),
        Err(error) => Err(format!("{} cannot be used: {}", storage.place(), cause(&error))),
    }
}

async fn scanner(config: &Config) -> Result<String, String> {
    match super::clamd(config).map_err(|error| explain(&error))? {
        None => Ok("no CLAMD_URL: files are checked for their structure and not for viruses".into()),
        Some(clamd) => clamd.version().await.map_err(|error| cause(&error)),
    }
}

async fn payments(config: &Config) -> Result<String, String> {
    match super::stripe(config).map_err(|error| explain(&error.into()))? {
        None => Ok("no STRIPE_SECRET_KEY: people pay by transfer, check and invoice, which Finance notes".into()),
        Some(stripe) => stripe.check().await.map_err(|error| cause(&error)),
    }
}

/// Returns an error and its cause.
fn cause(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

async fn engine(config: &Config) -> Result<String, String> {
    let name = if cfg!(feature = "v8") { "V8" } else { "QuickJS (renders about twelve times slower than V8)" };
    let settings = super::settings(config);
    let one = Config { isolates: Some(1), ..config.clone() };
    let renderer = start_renderer(&one, &settings).map_err(|error| explain(&error))?;
    let rendered = renderer.render(Origin::default(), 0, pages::warm_up(&settings)).await;
    renderer.stop().await;
    match rendered {
        Ok(html) => Ok(format!("{name}; a page of {} bytes was rendered", html.len())),
        Err(error) => Err(format!("{name} does not render: {error}")),
    }
}
