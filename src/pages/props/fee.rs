//! The application fee.

use serde::Serialize;

use super::dashboard::RefusedCard;
use super::program::ProgramName;
use crate::page::FormState;
use domain::application_fee::FeeState;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FeeProps {
    pub info: ProgramName,
    pub state: FeeState,
    /// The state in a word or two: "To be paid".
    pub word: Sentence,
    /// What the state means.
    pub meaning: Sentence,
    pub amount_text: String,
    /// What is left to pay; null unless a part was paid.
    pub owed_text: Option<String>,
    /// The intake whose fee it is: "August 2026".
    pub intake_text: Sentence,
    /// When it was paid or waived.
    pub settled_text: Option<Sentence>,
    /// The code that waived it.
    pub code: Option<String>,
    /// Whether it can be paid or waived now.
    pub open: bool,
    /// Whose page the card is entered on; null if it cannot be paid by card.
    pub provider: Option<&'static str>,
    /// Whether a waiver can be asked for.
    pub can_ask: bool,
    /// What the applicant wrote when asking for one.
    pub request: Option<FeeRequest>,
    /// Addresses of the receipts.
    pub receipts: Vec<String>,
    /// What to write on a transfer or check.
    pub reference: Option<String>,
    /// Whether the interview can be booked next.
    pub can_book: bool,
    pub form: FormState,
}

/// A request to waive the fee.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FeeRequest {
    pub asked_text: Sentence,
    pub statement: String,
    /// Whether we have not answered it yet.
    pub waits: bool,
    pub refused: Option<RefusedCard>,
}

/// The fee on the dashboard.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FeeCard {
    pub state: FeeState,
    pub word: Sentence,
    pub amount_text: String,
    pub meaning: Sentence,
    pub href: String,
}

/// Where to go while the fee is due.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FeeLink {
    pub href: String,
    pub label: Sentence,
}
