//! Use cases: what the product does, one file each. A use case takes plain values, checks them by the rules of
//! `domain`, and acts through the ports. The JSON API and the pages call the same ones.

pub mod applications;
mod audit;
mod demo;
mod error;
pub mod login;
pub mod mails;
pub mod passwords;
pub mod ports;
pub mod profile;
mod recent_saves;
pub mod register;
pub mod sessions;
pub mod staff;
pub mod submission;

use std::sync::Arc;

pub use error::{Error, Refusal};
pub use recent_saves::RecentSaves;

use ports::{Clock, PasswordHasher, Random, Store, Tokens};

/// Everything the use cases need. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub store: Arc<dyn Store>,
    pub passwords: Arc<dyn PasswordHasher>,
    pub tokens: Arc<dyn Tokens>,
    pub clock: Arc<dyn Clock>,
    pub random: Arc<dyn Random>,
    pub settings: Arc<Settings>,
    pub recent_saves: Arc<RecentSaves>,
}

/// What the operator decides and the use cases need to know.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The institute's name, as pages and mails say it.
    pub institute: String,
    /// Where people reach admissions.
    pub contact_email: String,
    /// Where the product is reached, without a trailing slash. Links in mails are made from this and nothing else.
    pub public_url: String,
    /// Most registrations from one address in an hour.
    pub registrations_per_hour: u32,
    /// The institute’s time zone (IANA), for people who have not chosen their own.
    pub time_zone: String,
    /// A development run: mails can be read in a local mailbox.
    pub development: bool,
}

/// Who is asking, as far as throttling and the list of sessions need to know.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// The client's address: the peer's, or what a trusted proxy says.
    pub address: String,
    /// The `User-Agent` header.
    pub user_agent: String,
}
