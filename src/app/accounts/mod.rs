//! Applicants' accounts: registration, login, sessions, second factors, messages, and what becomes of their data.

pub mod closing;
pub mod email_change;
pub mod email_confirmation;
pub(crate) mod guesses;
pub(crate) mod limits;
pub mod login;
pub mod messages;
pub mod passkeys;
pub mod passwords;
pub mod personal_data;
pub mod profile;
pub mod register;
pub mod second_factor;
pub mod sessions;
pub mod sign_on;
