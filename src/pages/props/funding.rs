//! How the applicant pays. Amounts used in calculations are integer cents.

use serde::Serialize;

use crate::page::FormState;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FundingProps {
    pub tuition: i64,
    pub tuition_text: String,
    pub covered: i64,
    pub status_text: Sentence,
    pub sources: Vec<SourceField>,
    pub up_front: String,
    pub monthly: String,
    pub schedule: Vec<ScheduleLine>,
    pub revision: i64,
    /// Whether it can be changed here.
    pub open: bool,
    /// Why not, and whom to ask.
    pub fixed_text: Option<Sentence>,
    /// A note that nothing is due for now.
    pub paused_text: Option<Sentence>,
    /// Whether the plan is saved and covers tuition.
    pub adds_up: bool,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FundingSourceField"))]
#[serde(rename_all = "camelCase")]
pub struct SourceField {
    /// Its name in the fields: `amounts.gi_bill`.
    pub kind: &'static str,
    pub label: Sentence,
    /// The most it can pay.
    pub hint: Option<Sentence>,
    /// As it is typed.
    pub amount: String,
    /// For a source that somebody else pays, once saved.
    #[cfg_attr(test, ts(as = "Option<domain::funding::SourceState>"))]
    pub state: Option<&'static str>,
    pub word: Option<Sentence>,
    /// Why it does not pay.
    pub reason: Option<String>,
    /// The document that proves it.
    pub evidence: Option<Evidence>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Evidence {
    pub label: Sentence,
    pub href: String,
}

/// An instalment and its state.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ScheduleLine {
    pub label: Sentence,
    pub due_text: Sentence,
    pub amount_text: String,
    #[cfg_attr(test, ts(type = "'paid' | 'settled' | 'overdue' | 'partly' | 'due' | 'paused'"))]
    pub state: &'static str,
    pub word: Sentence,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PaymentsProps {
    pub adds_up: bool,
    /// A note that nothing is due for now.
    pub paused_text: Option<Sentence>,
    pub schedule: Vec<ScheduleLine>,
    pub paid_text: String,
    pub left_text: String,
    /// What was paid, refunded or waived, newest first.
    pub entries: Vec<StatementLine>,
    /// What to write on a transfer or check.
    pub reference: Option<String>,
    pub contact_email: String,
    /// How to pay by card; null if that is not set up, or nothing can be paid now.
    pub cards: Option<CardProps>,
    #[serde(flatten)]
    pub form: FormState,
}

/// How to pay by card, if that is set up.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CardProps {
    /// Whose page the card is entered on.
    pub provider: &'static str,
    /// The saved card, which later payments are charged to.
    pub card: Option<String>,
    pub next: Option<NextPayment>,
    pub notice: Option<Sentence>,
    /// Whether there are payments after the next one.
    pub has_later: bool,
}

/// The next payment.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NextPayment {
    pub line: String,
    pub label: Sentence,
    pub amount_text: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StatementLine {
    pub id: String,
    pub day_text: Sentence,
    pub what: Sentence,
    pub method: Option<Sentence>,
    pub amount_text: String,
    /// For what was paid.
    pub receipt_href: Option<String>,
}
