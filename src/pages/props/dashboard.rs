//! The dashboard, and the decision letter.

use serde::Serialize;

use super::documents::ReceivedSoFar;
use super::fee::FeeCard;
use crate::page::FormState;
use domain::sentence::Sentence;
use domain::status::Status;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ApplicationSummary {
    pub program_name: Sentence,
    pub status: Status,
    pub stage: &'static str,
    /// What the forms of this page are about, and the key of their act, so that a form sent twice does it once.
    pub known: Option<Known>,
    /// Assigned at the first submission.
    pub reference: Option<String>,
    /// Plain words for the stage: "In progress".
    pub title: Sentence,
    pub meaning: Sentence,
    pub whose_turn: Sentence,
    pub by_when: Option<Sentence>,
    pub started_text: Sentence,
    pub saved_text: Option<Sentence>,
    pub submitted_text: Option<Sentence>,
    /// Set while it is on the waitlist.
    pub waitlist: Option<LinePlace>,
    /// Where it can be read as it was sent; null before.
    pub sent_href: Option<String>,
    /// Whether it is a draft that was never submitted, which is deleted and not withdrawn.
    pub can_delete: bool,
    /// Whether it can be withdrawn here; earlier stages have this on the application's own page.
    pub can_withdraw: bool,
}

/// Where an application is on the waitlist.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LinePlace {
    /// "Monday, May 4, 2026"
    pub since_text: Sentence,
    /// "3 at the moment". Null unless applicants are shown their number.
    pub number_text: Option<Sentence>,
}

/// What an enrolled applicant comes back for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EnrolmentCard {
    pub program_name: Sentence,
    /// "Monday, January 11, 2027"
    pub start_text: Option<Sentence>,
    /// The first unpaid instalment: "$1,200 on Monday, February 1, 2027".
    pub next_payment: Option<Sentence>,
    /// "14 payments of $16,800 are left.", or that everything is paid. Null without a plan.
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
    /// Set while it can be answered.
    pub offer: Option<OfferCard>,
    /// Set if a later start can be requested or has been.
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
    /// A refused request, and why.
    pub refused: Option<RefusedCard>,
    pub intakes: Vec<IntakeChoice>,
}

/// A refusal, and the reason.
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

/// The decision letter.
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
    /// Whether another link was sent a moment ago.
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
    /// The address waiting to be confirmed.
    pub unconfirmed: Option<Unconfirmed>,
    pub application: Option<ApplicationSummary>,
    /// For an enrolled applicant.
    pub enrolment: Option<EnrolmentCard>,
    /// What ended a moment ago, and until when it can be undone.
    pub undo: Option<Undo>,
    /// The decision, once the applicant may know it.
    pub decision: Option<DecisionCard>,
    /// A form of this page that comes back, by its `_action`.
    pub form: Option<DashboardForm>,
    pub load_failed: bool,
    /// Null for an enrolled applicant, who has `enrolment`.
    pub next_step: Option<NextStep>,
    /// The application fee, while it is due or there is no decision.
    pub fee: Option<FeeCard>,
    /// The progress of the documents, where they matter.
    pub documents: Option<ReceivedSoFar>,
    /// The progress of the references, where they are asked for.
    pub references: Option<ReceivedSoFar>,
    pub timeline: Vec<TimelineEntry>,
    /// Applications that are over, most recent first.
    pub past: Vec<PastApplication>,
    pub side: Side,
}
