//! How the applicant pays. Amounts that are reckoned with are integer cents.

use serde::Serialize;

use super::super::page::FormState;
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
    /// That nothing is due for now.
    pub paused_text: Option<Sentence>,
    /// A saved plan that covers tuition.
    pub adds_up: bool,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FundingSourceField"))]
#[serde(rename_all = "camelCase")]
pub struct SourceField {
    /// Its name, as the fields have it: `amounts.gi_bill`.
    pub kind: &'static str,
    pub label: Sentence,
    /// How much it can pay at most.
    pub hint: Option<Sentence>,
    /// As one types it.
    pub amount: String,
    /// Of one that somebody else pays, once it is kept.
    #[cfg_attr(test, ts(as = "Option<domain::funding::SourceState>"))]
    pub state: Option<&'static str>,
    pub word: Option<Sentence>,
    /// Why it does not pay.
    pub reason: Option<String>,
    /// The document that shows it.
    pub evidence: Option<Evidence>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Evidence {
    pub label: Sentence,
    pub href: String,
}

/// An instalment, and how far it is.
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
    /// That nothing is due for now.
    pub paused_text: Option<Sentence>,
    pub schedule: Vec<ScheduleLine>,
    pub paid_text: String,
    pub left_text: String,
    /// What was paid, given back or forgiven, newest first.
    pub entries: Vec<StatementLine>,
    /// What to write on a transfer or check.
    pub reference: Option<String>,
    pub contact_email: String,
    /// How one pays by card; null where that is not set up, or nothing can be paid now.
    pub cards: Option<CardProps>,
    #[serde(flatten)]
    pub form: FormState,
}

/// How one pays by card, where that is set up.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CardProps {
    /// Whose page it is on which one types the card.
    pub provider: &'static str,
    /// The saved card that later payments are charged to.
    pub card: Option<String>,
    /// The payment that comes next.
    pub next: Option<NextPayment>,
    pub notice: Option<Sentence>,
    /// Whether there are payments after the next one.
    pub has_later: bool,
}

/// What is paid next.
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
    /// Of what was paid.
    pub receipt_href: Option<String>,
}
