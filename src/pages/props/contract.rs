//! A contract, and checking that it is the one that was signed.

use serde::Serialize;

use crate::page::FormState;
use domain::contract::LanguageText;
use domain::sentence::Sentence;

/// A signature under a contract.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SignedBy {
    pub name: String,
    pub when_text: Sentence,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ContractProps {
    pub id: String,
    pub program_name: Sentence,
    #[cfg_attr(test, ts(type = "'sent' | 'viewed' | 'signed' | 'countersigned' | 'declined' | 'voided' | 'expired'"))]
    pub state: &'static str,
    /// Its state, and whose turn it is.
    pub standing: Sentence,
    /// The last minute to sign, while it can be signed.
    pub sign_by: Option<Sentence>,
    /// Whether the applicant agreed to sign electronically.
    pub consented: bool,
    pub may_sign: bool,
    /// Whether the stored text differs from the one that was sent.
    pub broken: bool,
    /// The authoritative one first.
    pub texts: Vec<LanguageText>,
    /// SHA-256 of the text.
    pub text_hash: String,
    /// As in the account: what to type to sign.
    pub full_name: String,
    pub on_paper: bool,
    pub signed: Option<SignedBy>,
    pub countersigned: Option<SignedBy>,
    /// Why it was declined or taken back.
    pub reason: Option<String>,
    pub file_href: String,
    /// Set once both have signed.
    pub verify_href: Option<String>,
    pub form: FormState,
}

/// Whether a contract is what was signed, for anyone who has its address.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VerifyProps {
    pub code: String,
    #[cfg_attr(test, ts(type = "'success' | 'warning' | 'error'"))]
    pub verdict: &'static str,
    pub title: Sentence,
    pub unchanged: bool,
    pub superseded: bool,
    pub program_name: Sentence,
    pub number: i64,
    /// Names and hashes are shown once both have signed.
    pub signed: Option<SignedBy>,
    pub countersigned: Option<SignedBy>,
    pub on_paper: bool,
    pub voided_text: Option<Sentence>,
    pub text_hash: Option<String>,
    pub file_hash: Option<String>,
    /// The result for the file or hash that was sent.
    pub compared: Option<Sentence>,
    pub compared_well: bool,
    pub hash: Option<String>,
    pub form: FormState,
}
