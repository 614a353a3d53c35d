//! Use cases: what the product does, one file each, in folders by noun. A use case takes plain values, checks them
//! against the rules in `domain`, and acts through the store and the ports. The JSON API and the pages call the same
//! ones.

pub mod accounts;
pub mod anchor;
pub mod applications;
mod audit;
mod cache;
pub mod contracts;
pub mod decisions;
mod demo;
pub mod documents;
mod error;
pub mod field_errors;
mod idempotency;
pub mod interviews;
pub mod jobs;
pub mod mails;
pub mod money;
pub mod office;
pub mod open_days;
pub mod ports;
pub mod prospects;
mod queues;
pub mod references;
mod sealed_mail;
pub mod sign_on;
pub mod waitlist;

use std::sync::Arc;

use accounts::sign_on::SignOnChoices;
use cache::Cache;
use domain::language::Language;
use domain::open_day::OpenDay;
use domain::settings::ProductSettings;
use ports::{
    Clock, DocumentStorage, Inspect, OneTimeCodes, PasskeyProtocol, PasswordHasher, PaymentProvider, PdfWriter, Random,
    ReadTable, Sealing, SignOn, Tokens,
};
use store::Db;

pub use applications::questionnaires::QuestionCache;
pub use applications::recent_saves::RecentSaves;
pub use audit::with_api_key;
pub use error::{Error, Refusal};
pub use field_errors::FieldErrorCounts;
pub use queues::{Queue, Queues};
pub use sealed_mail::SealedMail;
pub use store::StoreError;

/// The store, and the adapters behind the ports.
pub struct Ports {
    pub store: Db,
    pub storage: Arc<dyn DocumentStorage>,
    pub inspector: Arc<dyn Inspect>,
    pub tables: Arc<dyn ReadTable>,
    pub passwords: Arc<dyn PasswordHasher>,
    pub tokens: Arc<dyn Tokens>,
    pub codes: Arc<dyn OneTimeCodes>,
    /// Set if browsers can use passkeys here.
    pub passkeys: Option<Arc<dyn PasskeyProtocol>>,
    pub sealing: Arc<dyn Sealing>,
    pub clock: Arc<dyn Clock>,
    pub random: Arc<dyn Random>,
    pub pdf: Arc<dyn PdfWriter>,
    pub sign_on: Arc<dyn SignOn>,
    /// The card payment provider, if set up.
    pub cards: Option<Arc<dyn PaymentProvider>>,
}

/// The use cases, and everything they need. Cheap to clone.
#[derive(Clone)]
pub struct App {
    store: Db,
    storage: Arc<dyn DocumentStorage>,
    inspector: Arc<dyn Inspect>,
    tables: Arc<dyn ReadTable>,
    passwords: Arc<dyn PasswordHasher>,
    tokens: Arc<dyn Tokens>,
    codes: Arc<dyn OneTimeCodes>,
    passkeys: Option<Arc<dyn PasskeyProtocol>>,
    pub sealing: Arc<dyn Sealing>,
    pub clock: Arc<dyn Clock>,
    pub random: Arc<dyn Random>,
    pdf: Arc<dyn PdfWriter>,
    sign_on: Arc<dyn SignOn>,
    pub cards: Option<Arc<dyn PaymentProvider>>,
    pub settings: Arc<Settings>,
    recent_saves: Arc<RecentSaves>,
    questions: Arc<QuestionCache>,
    figures: Arc<office::figures::FigureCache>,
    finance: Arc<money::finance::FinanceCache>,
    product: Arc<Cache<Arc<ProductSettings>>>,
    sign_on_choices: Arc<Cache<SignOnChoices>>,
    open_days: Arc<Cache<Arc<Vec<OpenDay>>>>,
    brochures: Arc<prospects::Brochures>,
    field_errors: Arc<FieldErrorCounts>,
    queues: Queues,
    key_calls: Arc<office::staff::KeyCalls>,
}

impl App {
    pub fn new(ports: Ports, settings: Settings) -> App {
        let Ports {
            store,
            storage,
            inspector,
            tables,
            passwords,
            tokens,
            codes,
            passkeys,
            sealing,
            clock,
            random,
            pdf,
            sign_on,
            cards,
        } = ports;
        App {
            store,
            storage,
            inspector,
            tables,
            passwords,
            tokens,
            codes,
            passkeys,
            sealing,
            clock,
            random,
            pdf,
            sign_on,
            cards,
            settings: Arc::new(settings),
            recent_saves: Arc::default(),
            questions: Arc::default(),
            figures: Arc::default(),
            finance: Arc::default(),
            product: Arc::default(),
            sign_on_choices: Arc::default(),
            open_days: Arc::default(),
            brochures: Arc::default(),
            field_errors: Arc::default(),
            queues: Queues::default(),
            key_calls: Arc::default(),
        }
    }
}

/// The operator's settings that use cases need.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The institute's name, as used in pages and mails.
    pub institute: String,
    /// Admissions' email address.
    pub contact_email: String,
    /// The product's address, without a trailing slash. Links in mails are made only from this.
    pub public_url: String,
    /// Maximum registrations from one address in an hour.
    pub registrations_per_hour: u32,
    /// The institute's time zone (IANA), for people who have not chosen their own.
    pub time_zone: String,
    /// Who gets a daily mail with the ends of the record's chains.
    pub anchors_to: Option<String>,
    /// Whether addresses that staff enter may be without TLS: in networks that the operator named.
    pub calls_without_tls: bool,
    /// Set in development: mails can be read in a local mailbox.
    pub development: bool,
}

/// The caller, as far as throttling and the list of sessions need to know.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// The client's address: the peer's, or the one a trusted proxy reports.
    pub address: String,
    /// The `User-Agent` header.
    pub user_agent: String,
    /// The language of responses.
    pub language: Language,
    /// The browser's device cookies, as sent.
    pub device: Option<String>,
    pub staff_device: Option<String>,
}

impl Caller {
    /// The `User-Agent` header, as it is stored.
    fn browser(&self) -> String {
        self.user_agent.chars().filter(|c| !c.is_control()).take(300).collect()
    }
}
