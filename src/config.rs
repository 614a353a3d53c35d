//! Configuration: flags, then the environment, then `.env`, then defaults. The only place that reads any of them.
//! `.env.example` is made from this (`matricula help` says the same), and a test keeps it true.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::builder::Resettable;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use domain::role::Role;

/// Admissions applications for an institute with a bachelor's and a master's program.
#[derive(Debug, Parser)]
#[command(name = "matricula", version, about, long_about = None)]
pub struct Cli {
    #[command(flatten)]
    pub config: Config,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the product (what happens without a command).
    Serve,
    /// Bring the database to this program's version.
    Migrate,
    /// Give each program its first questions, unless it has had some.
    Seed {
        /// Also accounts and drafts to look at, which say of themselves that they are demo data.
        #[arg(long)]
        demo: bool,
        /// With --demo: a season of so many applications at every stage as well, at most 5000.
        #[arg(long, value_name = "COUNT", requires = "demo")]
        season: Option<u32>,
    },
    /// Print the API's OpenAPI 3.1 document.
    Openapi,
    /// Tell what is found of database, mail, storage and engine, and what is wrong.
    Doctor {
        /// Also whether the record still has each line that this file of the storage's `anchors` names.
        #[arg(long, value_name = "FILE")]
        anchor: Option<PathBuf>,
    },
    /// Put the database, the documents and the kept secret into one file, while the server runs.
    Backup {
        /// A file that ends with .zip, a folder, or s3://BUCKET/PREFIX as in STORAGE_URL.
        #[arg(value_name = "PLACE")]
        to: String,
    },
    /// Bring a backup back, into a database and a storage that are empty.
    Restore {
        /// A file, or s3://BUCKET/PREFIX/FILE.
        #[arg(value_name = "PLACE")]
        from: String,
        /// Into the storage as it is: it becomes this database's, and what the backup does not have is left alone there.
        #[arg(long)]
        take_over: bool,
    },
    /// Prove that a backup can be restored: read all of it, and load and check its rows in a temporary folder.
    Verify {
        /// A file, or s3://BUCKET/PREFIX/FILE.
        #[arg(value_name = "PLACE")]
        from: String,
    },
    /// Copy the database into an empty one, SQLite to PostgreSQL or the other way, while no server runs.
    Copy {
        /// sqlite:FILE or postgres://USER@HOST/DATABASE
        #[arg(long, value_name = "URL")]
        to: String,
    },
    /// Whose the storage is, and what becomes of objects in it that no row names.
    Storage {
        #[command(subcommand)]
        command: StorageCommand,
    },
    /// Staff accounts.
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Decisions on applications, in the name of a member of staff.
    Decide {
        #[command(subcommand)]
        command: DecideCommand,
    },
    /// Applicants' accounts.
    Applicant {
        #[command(subcommand)]
        command: ApplicantCommand,
    },
}

#[derive(Debug, Subcommand)]
pub enum StorageCommand {
    /// Tell whose the storage is, and list the objects that no row names.
    Show,
    /// Make the storage this database's, whatever its marker says. What is there and no row names is left alone.
    TakeOver,
    /// Leave objects alone that no row names.
    Keep {
        #[command(flatten)]
        which: WhichObjects,
    },
    /// Let objects go that no row names: they are deleted after the quarantine.
    LetGo {
        #[command(flatten)]
        which: WhichObjects,
    },
}

#[derive(Debug, Args)]
#[group(required = true)]
pub struct WhichObjects {
    /// Their names in the storage.
    #[arg(value_name = "OBJECT")]
    pub objects: Vec<String>,
    /// All that no row names.
    #[arg(long, conflicts_with = "objects")]
    pub all: bool,
}

#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Create a staff account. The password is read from standard input.
    Create {
        #[arg(long)]
        email: String,
        /// viewer, interviewer, reviewer, decider, finance or owner
        #[arg(long, default_value = "owner", value_parser = role)]
        role: Role,
    },
    /// Go on with a changed secret though the former one is lost. Second factors that were set up with that have to be removed.
    AcceptSecret,
    /// Remove somebody's second factor, for the Owner whom no other one can help.
    ResetSecondFactor {
        #[arg(long)]
        email: String,
    },
}

/// Which application, and in whose name.
#[derive(Debug, Args)]
pub struct Which {
    /// The application's reference number.
    #[arg(long)]
    pub reference: String,
    /// The email of the member of staff who decides.
    #[arg(long)]
    pub by: String,
}

/// How a decision is drafted.
#[derive(Debug, Args)]
pub struct Drafting {
    /// Why there was no interview, where none was held.
    #[arg(long)]
    pub waive_interview: Option<String>,
    /// Why it is decided without required documents that are missing.
    #[arg(long, value_name = "REASON")]
    pub without_documents: Option<String>,
    /// Year and month of the intake, such as 2026-08. Without it: the next one.
    #[arg(long)]
    pub intake: Option<String>,
    /// Release it as well. The applicant sees it 15 minutes later.
    #[arg(long)]
    pub release: bool,
}

#[derive(Debug, Subcommand)]
pub enum DecideCommand {
    /// Draft an acceptance.
    Accept {
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        drafting: Drafting,
        /// What the place depends on; as often as there are conditions.
        #[arg(long = "condition")]
        conditions: Vec<String>,
        /// offer
        #[arg(long, default_value = "offer")]
        letter: String,
    },
    /// Draft a rejection.
    Reject {
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        drafting: Drafting,
        /// The name of a reason of the list, which has entry_requirements, experience, work_history, interview, goals,
        /// documents, funding, places and what Owners have added; as often as there are reasons.
        #[arg(long = "reason", required = true)]
        reasons: Vec<String>,
        /// Those of the reasons that the letter tells.
        #[arg(long = "tell")]
        told: Vec<String>,
        /// no_place or apply_again
        #[arg(long, default_value = "no_place")]
        letter: String,
    },
    /// Release what was drafted. The applicant sees it 15 minutes later.
    Release {
        #[command(flatten)]
        which: Which,
    },
    /// Take a released decision back before the applicant sees it.
    Recall {
        #[command(flatten)]
        which: Which,
    },
    /// Take a decision back that the applicant has seen.
    Reverse {
        #[command(flatten)]
        which: Which,
        #[arg(long)]
        reason: String,
    },
    /// Open an offer again that was not replied to in time.
    Reopen {
        #[command(flatten)]
        which: Which,
    },
    /// Ask the applicant to change something that was submitted.
    RequestChanges {
        #[command(flatten)]
        which: Which,
        /// about-you, military, education, employment, financial-plan, credit-transfer, questions; as often as there are
        /// sections to be changed.
        #[arg(long = "section", required = true)]
        sections: Vec<String>,
        /// What is to be changed, for the applicant.
        #[arg(long)]
        message: String,
        /// The last day for it, such as 2026-05-31.
        #[arg(long)]
        due_on: String,
    },
    /// Take a request for changes back: what was submitted stands.
    DropChanges {
        #[command(flatten)]
        which: Which,
    },
    /// Move the start to a later intake.
    Defer {
        #[command(flatten)]
        which: Which,
        /// Year and month, such as 2027-01.
        #[arg(long)]
        intake: String,
    },
    /// Answer a wish to start later with a no.
    RefuseDeferral {
        #[command(flatten)]
        which: Which,
        /// Why; the applicant reads it.
        #[arg(long)]
        reason: String,
    },
    /// Go on with a deferred application.
    Resume {
        #[command(flatten)]
        which: Which,
        /// The conditions were checked again.
        #[arg(long, required = true)]
        conditions_checked: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum ApplicantCommand {
    /// Lock an account and end its sessions.
    Disable {
        #[arg(long)]
        email: String,
    },
    /// Unlock an account.
    Enable {
        #[arg(long)]
        email: String,
    },
}

fn role(text: &str) -> Result<Role, String> {
    Role::parse(text).ok_or_else(|| "use viewer, interviewer, reviewer, decider, finance or owner".to_owned())
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Configuration")]
pub struct Config {
    /// Address and port to listen on.
    #[arg(long, env = "MATRICULA_BIND", default_value = "127.0.0.1:8080", global = true)]
    pub bind: SocketAddr,

    /// Address and port for /healthz, /readyz and /metrics alone. Without it they are at MATRICULA_BIND, for everybody.
    #[arg(long, env = "MATRICULA_PROBES_BIND", global = true)]
    pub probes_bind: Option<SocketAddr>,

    /// Folder of the embedded database, documents and the signing secret.
    #[arg(long, env = "MATRICULA_DATA_DIR", default_value = "data", global = true)]
    pub data_dir: PathBuf,

    /// Where people reach the product; links in mails start with it. Without it: http:// and the address to listen on.
    #[arg(long, env = "MATRICULA_PUBLIC_URL", global = true, value_parser = public_url)]
    pub public_url: Option<String>,

    /// sqlite:FILE or postgres://USER@HOST,HOST/DATABASE. Without it: SQLite in the data folder.
    #[arg(long, env = "DATABASE_URL", global = true, hide_env_values = true)]
    pub database_url: Option<Secret>,

    /// smtp://HOST:PORT, smtps://USER:PASSWORD@HOST. Without it mails are kept and not sent.
    #[arg(long, env = "SMTP_URL", global = true, hide_env_values = true)]
    pub smtp_url: Option<Secret>,

    /// Sender of mails.
    #[arg(long, env = "MATRICULA_MAIL_FROM", default_value = "Admissions <admissions@localhost>", global = true)]
    pub mail_from: String,

    /// Who gets a mail every day with the hash of the record of who did what.
    #[arg(long, env = "MATRICULA_ANCHORS_TO", global = true)]
    pub anchors_to: Option<String>,

    /// Where documents are kept: a folder, or s3://BUCKET with the usual AWS_ variables. Without it: in the data folder.
    #[arg(long, env = "STORAGE_URL", global = true, hide_env_values = true)]
    pub storage_url: Option<Secret>,

    /// The virus scanner that every file must pass, a clamd: tcp://HOST:PORT or the path of its socket.
    #[arg(long, env = "CLAMD_URL", global = true)]
    pub clamd_url: Option<String>,

    /// Secret key of Stripe, for payments by card: sk_live_…, sk_test_… Without it people pay by transfer, check and invoice.
    #[arg(long, env = "STRIPE_SECRET_KEY", global = true, hide_env_values = true)]
    pub stripe_secret_key: Option<Secret>,

    /// Signing secret of the webhook at Stripe, whsec_…, which leads to /api/webhooks/stripe.
    #[arg(long, env = "STRIPE_WEBHOOK_SECRET", global = true, hide_env_values = true)]
    pub stripe_webhook_secret: Option<Secret>,

    /// Where Stripe's API is.
    #[arg(long, env = "STRIPE_API_URL", default_value = "https://api.stripe.com", global = true)]
    pub stripe_api_url: String,

    /// Where Stripe's payment pages are, for accounts with a domain of their own.
    #[arg(long, env = "STRIPE_CHECKOUT_ORIGIN", default_value = "https://checkout.stripe.com", global = true)]
    pub stripe_checkout_origin: String,

    /// Signs the API's tokens, 32 characters or more; several processes share one. Without it one is made and kept in the
    /// data folder.
    #[arg(long, env = "MATRICULA_SECRET", global = true, hide_env_values = true)]
    pub secret: Option<Secret>,

    /// The secret before it, while the secret is changed: what was made with it goes on working.
    #[arg(long, env = "MATRICULA_PREVIOUS_SECRET", global = true, hide_env_values = true)]
    pub previous_secret: Option<Secret>,

    /// Proxies whose X-Forwarded-For is believed: addresses or networks, separated by commas.
    #[arg(long, env = "MATRICULA_TRUSTED_PROXIES", default_value = "", global = true)]
    pub trusted_proxies: String,

    /// Networks that webhooks may go to and identity providers be in although they are not on the public Internet, also
    /// without TLS: addresses or networks, separated by commas.
    #[arg(long, env = "MATRICULA_PRIVATE_NETWORKS", default_value = "", global = true)]
    pub private_networks: String,

    /// Seconds in which requests are still served after SIGTERM, while /readyz says 503: what a balancer needs to find out.
    #[arg(long, env = "MATRICULA_DRAIN_SECONDS", default_value_t = 0, global = true)]
    pub drain_seconds: u32,

    /// The collector of traces, which takes OTLP over HTTP, such as http://127.0.0.1:4318. Without it there are none.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", global = true)]
    pub otlp_endpoint: Option<String>,

    /// What is logged: error, warn, info, debug, or a filter such as matricula=debug,sqlx=warn.
    #[arg(long, env = "MATRICULA_LOG", default_value = "info", global = true)]
    pub log: String,

    /// How it is logged.
    #[arg(long, env = "MATRICULA_LOG_FORMAT", default_value = "json", global = true)]
    pub log_format: LogFormat,

    /// The institute's name.
    #[arg(long, env = "MATRICULA_INSTITUTE", default_value = "Matricula Institute", global = true)]
    pub institute: String,

    /// Where people reach admissions.
    #[arg(long, env = "MATRICULA_CONTACT_EMAIL", default_value = "admissions@localhost", global = true)]
    pub contact_email: String,

    /// The institute's time zone.
    #[arg(long, env = "MATRICULA_TIME_ZONE", default_value = "America/New_York", global = true, value_parser = time_zone)]
    pub time_zone: String,

    /// Most registrations from one address in an hour.
    #[arg(long, env = "MATRICULA_REGISTRATIONS_PER_HOUR", default_value_t = 10, global = true)]
    pub registrations_per_hour: u32,

    /// Threads that answer requests. Without it: half as many as cores, so that rendering has the others.
    #[arg(long, env = "MATRICULA_WORKERS", global = true)]
    pub workers: Option<NonZeroUsize>,

    /// Threads that render pages. Without it: one for each core. Half of them are at work while no page takes long.
    #[arg(long, env = "MATRICULA_ISOLATES", global = true)]
    pub isolates: Option<usize>,

    /// A development run: a local mailbox at /mailbox, and faults on demand.
    #[arg(long, env = "MATRICULA_DEVELOPMENT", global = true)]
    pub development: bool,

    /// Development only: how many minutes the clock is ahead, to see what becomes of deadlines.
    #[arg(long, env = "MATRICULA_CLOCK_AHEAD", global = true, requires = "development", allow_negative_numbers = true)]
    pub clock_ahead: Option<i64>,

    /// Development only: read bundles from this folder and again when they change.
    #[arg(long, env = "MATRICULA_DEV_ASSETS", global = true, requires = "development")]
    pub dev_assets: Option<PathBuf>,
}

/// Threads that answer requests where nothing else is set. As many as cores would keep each other, and the threads that render,
/// from the processor's caches.
pub fn usual_workers() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One JSON object a line.
    Json,
    /// For people.
    Text,
}

/// Text that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("(secret)")
    }
}

fn public_url(text: &str) -> Result<String, String> {
    let url = url::Url::parse(text).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err("use http://HOST or https://HOST".into());
    }
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        return Err("use an address without a path".into());
    }
    Ok(url.origin().ascii_serialization())
}

fn time_zone(text: &str) -> Result<String, String> {
    jiff::tz::TimeZone::get(text).map(|_| text.to_owned()).map_err(|_| "use a name such as America/New_York".into())
}

impl Config {
    /// Where people reach the product, without a trailing slash.
    pub fn public_url(&self) -> String {
        self.public_url.clone().unwrap_or_else(|| format!("http://{}", self.bind))
    }

    pub fn https(&self) -> bool {
        self.public_url().starts_with("https://")
    }

    pub fn database_url(&self) -> String {
        match &self.database_url {
            Some(url) => url.reveal().to_owned(),
            None => format!("sqlite:{}", self.data_dir.join("matricula.db").display()),
        }
    }

    pub fn storage_url(&self) -> String {
        match &self.storage_url {
            Some(url) => url.reveal().to_owned(),
            None => self.data_dir.join("documents").display().to_string(),
        }
    }
}

/// Command line, environment and `.env`.
pub fn read() -> Cli {
    // A missing .env is the usual case; a broken one must not be taken for none.
    match dotenvy::dotenv() {
        Ok(_) => {}
        Err(error) if error.not_found() => {}
        Err(error) => {
            let _ = clap::Error::raw(clap::error::ErrorKind::Io, format!(".env cannot be read: {error}\n")).print();
            std::process::exit(2);
        }
    }
    parse_from(std::env::args_os(), |variable| std::env::var_os(variable)).unwrap_or_else(|error| error.exit())
}

/// A variable that is empty counts as one that is not there: that is how people write "none" in a file of them.
fn parse_from<A>(
    arguments: impl IntoIterator<Item = A>,
    variable: fn(&OsStr) -> Option<OsString>,
) -> clap::error::Result<Cli>
where
    A: Into<OsString> + Clone,
{
    let command = Cli::command().mut_args(|argument| {
        let is_empty = argument.get_env().and_then(variable).is_some_and(|value| value.is_empty());
        if is_empty { argument.env(Resettable::Reset) } else { argument }
    });
    Cli::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Config {
        Cli::try_parse_from([&["matricula"], arguments].concat()).unwrap().config
    }

    #[test]
    fn secrets_never_print() {
        let config = parse(&["--database-url", "postgres://u:hunter2@host/db", "--secret", "hunter2"]);
        assert!(!format!("{config:?}").contains("hunter2"));
        assert_eq!(config.database_url(), "postgres://u:hunter2@host/db");
    }

    #[test]
    fn an_empty_variable_counts_as_none() {
        let empty = |_: &OsStr| Some(OsString::new());
        let cli = parse_from(["matricula"], empty).unwrap();
        assert_eq!(cli.config.bind.port(), 8080);
        assert_eq!((cli.config.smtp_url, cli.config.isolates, cli.config.development), (None, None, false));
        assert_eq!(cli.config.time_zone, "America/New_York");
        // What is typed is meant.
        assert!(parse_from(["matricula", "--time-zone", ""], empty).is_err());
    }

    #[test]
    fn the_public_url_is_an_origin() {
        assert_eq!(public_url("https://apply.example.org/").unwrap(), "https://apply.example.org");
        for wrong in ["ftp://x.org", "apply.example.org", "https://x.org/path", "https://x.org/?a=1"] {
            assert!(public_url(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_example_file_names_every_variable_and_its_default() {
        let example = include_str!("../.env.example");
        let command = Cli::command();
        for argument in command.get_arguments() {
            let Some(variable) = argument.get_env() else { continue };
            let variable = variable.to_string_lossy();
            let default = argument.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
            let line = format!("#{variable}={}", default.unwrap_or_default());
            assert!(example.lines().any(|found| found == line), "{line} is missing in .env.example");
        }
    }
}
