//! Verifying that a contract is what was signed, for anybody who has its link.

use super::with_events;
use crate::App;
use crate::error::{Error, Refusal};
use domain::application::ApplicationKey;
use domain::contract::{Contract, ContractState};
use domain::input::FieldError;
use domain::program::Program;
use domain::text;

/// What the public may know about a contract.
#[derive(Debug, Clone)]
pub struct Verified {
    pub contract: Contract,
    pub program: Program,
    /// Whether text, names, times and events are unchanged.
    pub unchanged: bool,
    /// Whether both parties have signed a later one.
    pub superseded: bool,
}

/// The result of comparing a file or hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// The signed copy.
    File,
    /// The text alone, without the rest of the file.
    Text,
    /// Neither.
    Other,
}

impl Verified {
    /// Compares a hexadecimal SHA-256.
    pub fn compare(&self, hash: &str) -> Compared {
        let is = |known: Option<&str>| known.is_some_and(|known| known.eq_ignore_ascii_case(hash));
        if is(self.contract.file.as_ref().map(|file| file.hash.as_str())) {
            Compared::File
        } else if is(self.contract.text_hash.as_deref()) {
            Compared::Text
        } else {
            Compared::Other
        }
    }

    /// Whether both parties have signed it and it is still in force.
    pub fn holds(&self) -> bool {
        self.unchanged && !self.superseded && self.contract.state == ContractState::Countersigned
    }
}

/// Parses a typed SHA-256 for comparison.
///
/// # Errors
/// `hash.required`, `hash.invalid`
pub fn parse_hash(typed: &str) -> Result<String, FieldError> {
    let hash: String = typed.chars().filter(|letter| !letter.is_whitespace()).collect();
    if hash.is_empty() {
        return Err(FieldError::new("hash", "hash.required", text!("Choose the file, or enter its SHA-256.")));
    }
    if hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(hash.to_lowercase());
    }
    let sentence = text!("A SHA-256 hash has 64 characters: digits and the letters a to f.");
    Err(FieldError::new("hash", "hash.invalid", sentence))
}

impl App {
    /// The contract with this unguessable code. One that was never sent is not found.
    ///
    /// # Errors
    /// [`Refusal::ContractNotFound`]
    pub async fn verify_contract(&self, code: &str) -> Result<Verified, Error> {
        let is_code = (16..=64).contains(&code.len())
            && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        let found = if is_code { self.store.contract_by_code(code).await? } else { None };
        let contract = found.filter(|found| found.sent_at.is_some()).ok_or(Refusal::ContractNotFound)?;
        let (contract, events) = with_events(&self.store, contract).await?;
        let all = self.store.contracts_of(&contract.application_id).await?;
        let superseded =
            all.iter().any(|other| other.number > contract.number && other.state == ContractState::Countersigned);
        let application = self.store.application(ApplicationKey::Id(&contract.application_id)).await?;
        let (_, application) = application.ok_or(Refusal::ContractNotFound)?;
        let unchanged = contract.is_unchanged(&events);
        Ok(Verified { contract, program: application.program, unchanged, superseded })
    }
}
