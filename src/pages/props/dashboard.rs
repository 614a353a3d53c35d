//! The dashboard, and the letter that tells a decision.

use serde::Serialize;

use super::super::page::FormState;
use super::documents::DocumentsProgress;
use domain::sentence::Sentence;
use domain::status::Status;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ApplicationSummary {
    pub program_name: Sentence,
    pub status: Status,
    pub stage: &'static str,
    /// What the forms of this page are about, and the name of their act, so that a form sent twice does it once.
    pub known: Option<Known>,
    /// Given at the first submission.
    pub reference: Option<String>,
    /// Plain words for the stage: "In progress".
    pub title: Sentence,
    pub meaning: Sentence,
    pub whose_turn: Sentence,
    pub by_when: Option<Sentence>,
    pub started_text: Sentence,
    pub saved_text: Option<Sentence>,
    pub submitted_text: Option<Sentence>,
    /// Where it can be read as it was sent, once it was.
    pub sent_href: Option<String>,
    /// It is a draft that was never submitted, which is deleted and not withdrawn.
    pub can_delete: bool,
    /// It can be withdrawn here; earlier stages have that on the application's own page.
    pub can_withdraw: bool,
}

/// What somebody who is enrolled comes back for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EnrolmentCard {
    pub program_name: Sentence,
    /// "Monday, January 11, 2027"
    pub start_text: Option<Sentence>,
    /// The first instalment that is not paid: "$1,200 on Monday, February 1, 2027".
    pub next_payment: Option<Sentence>,
    /// "14 payments of $16,800 are left.", or that everything is paid. Nothing where there is no plan.
    pub payments_text: Option<Sentence>,
    pub contract: bool,
    pub contact_email: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Known {
    pub revision: i64,
    pub idempotency_key: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Undo {
    #[cfg_attr(test, ts(type = "'undo-withdraw' | 'undo-decline'"))]
    pub action: &'static str,
    pub title: Sentence,
    pub until_text: Sentence,
    pub revision: i64,
    pub idempotency_key: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DecisionCard {
    pub title: Sentence,
    pub text: Sentence,
    pub conditions: Vec<String>,
    /// "Monday, May 4, 2026"
    pub decided_text: Option<Sentence>,
    /// Set while it can be replied to.
    pub offer: Option<OfferCard>,
    /// Set when a later start can be asked for, or was.
    pub deferral: Option<DeferralCard>,
    pub can_apply_again: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfferCard {
    pub undo_minutes: i64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DeferralCard {
    pub asked: Option<Sentence>,
    /// A no to an earlier wish, and why.
    pub refused: Option<RefusedCard>,
    pub intakes: Vec<IntakeChoice>,
}

/// A no, and why.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RefusedCard {
    pub text: Sentence,
    pub reason: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct IntakeChoice {
    pub value: String,
    pub label: Sentence,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DashboardForm {
    pub action: String,
    #[serde(flatten)]
    pub state: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PastApplication {
    pub href: String,
    pub program_name: Sentence,
    pub reference: Option<String>,
    pub ended_text: Sentence,
}

/// The letter that tells a decision.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LetterProps {
    pub name: String,
    pub reference: Option<String>,
    pub date_text: Sentence,
    /// Paragraphs with an empty line between them; lines that start with "•" are a list.
    pub text: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NextStep {
    pub title: Sentence,
    pub text: Sentence,
    pub href: String,
    pub label: Sentence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    Done,
    Current,
    Upcoming,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TimelineEntry {
    pub label: Sentence,
    pub state: Progress,
    pub date: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Unconfirmed {
    pub email: String,
    /// Another link was sent a moment ago.
    pub sent: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Side {
    pub title: Sentence,
    pub description: Sentence,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DashboardProps {
    /// What was done a moment ago.
    pub message: Option<Sentence>,
    /// The address that waits to be confirmed.
    pub unconfirmed: Option<Unconfirmed>,
    pub application: Option<ApplicationSummary>,
    /// For somebody who is enrolled.
    pub enrolment: Option<EnrolmentCard>,
    /// What ended a moment ago, and can be brought back until then.
    pub undo: Option<Undo>,
    /// What was decided, once the applicant may know.
    pub decision: Option<DecisionCard>,
    /// A form of this page that came back, by its `_action`.
    pub form: Option<DashboardForm>,
    pub load_failed: bool,
    /// None for somebody who is enrolled, who has `enrolment`.
    pub next_step: Option<NextStep>,
    /// How far the documents are, where they matter.
    pub documents: Option<DocumentsProgress>,
    pub timeline: Vec<TimelineEntry>,
    /// Applications that are over, latest first.
    pub past: Vec<PastApplication>,
    pub side: Side,
}
