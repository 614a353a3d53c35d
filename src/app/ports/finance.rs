//! Money over all applications, as Finance looks at it.

use async_trait::async_trait;
use jiff::civil::Date;

use super::{Applicant, Application, AuditEntry, Ledger, Millis, Note, Posted, Stored};
use domain::finance::MoneyList;
use domain::funding::Funding;
use domain::ledger::Line;

/// Whose money it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payer {
    pub application_id: String,
    pub reference: Option<String>,
    /// Empty where they were erased.
    pub first_name: String,
    pub last_name: String,
}

/// The plan of somebody who is to pay now, and what stands of it in the ledger.
#[derive(Debug, Clone)]
pub struct Paying {
    pub payer: Payer,
    pub funding: Funding,
    pub ledger: Ledger,
}

/// What something on Finance's lists is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoneyKind {
    /// A line of a plan.
    Line,
    /// A charge of a saved card that was refused.
    Charge,
    /// A task of the office to decide about a refund.
    RefundTask,
    /// A refund that the provider was asked for.
    CardRefund,
    /// What a second person has to approve.
    BookingRequest,
    /// Something that the provider told of and nobody could place.
    Event,
    /// Money in the ledger that is for nothing that is owed.
    Unapplied,
}

impl MoneyKind {
    /// As sent.
    pub fn as_str(self) -> &'static str {
        match self {
            MoneyKind::Line => "line",
            MoneyKind::Charge => "charge",
            MoneyKind::RefundTask => "refund-task",
            MoneyKind::CardRefund => "card-refund",
            MoneyKind::BookingRequest => "booking-request",
            MoneyKind::Event => "event",
            MoneyKind::Unapplied => "unapplied",
        }
    }

    pub fn parse(name: &str) -> Option<MoneyKind> {
        [
            MoneyKind::Line,
            MoneyKind::Charge,
            MoneyKind::RefundTask,
            MoneyKind::CardRefund,
            MoneyKind::BookingRequest,
            MoneyKind::Event,
            MoneyKind::Unapplied,
        ]
        .into_iter()
        .find(|kind| kind.as_str() == name)
    }
}

/// Something on one of Finance's lists.
#[derive(Debug, Clone)]
pub struct MoneyItem {
    pub kind: MoneyKind,
    /// Names it among those of its list.
    pub id: String,
    /// What its list is in order by: since when it waits, or the day on which it is due.
    pub at: Millis,
    /// None where nobody knows.
    pub payer: Option<Payer>,
    pub line: Option<Line>,
    pub due: Option<Date>,
    pub cents: Option<i64>,
    /// `failed`, `stopped`; `asked`, `refused`; the kind of an event or of what is to be approved; else empty.
    pub state: String,
    /// What the provider said, why something goes back, or what an event is about.
    pub note: String,
}

impl MoneyItem {
    /// Since when it waits; none for what is only due.
    pub fn since(&self) -> Option<Millis> {
        Some(self.at).filter(|_| self.kind != MoneyKind::Line)
    }

    pub fn place(&self) -> MoneyPlace {
        MoneyPlace { at: self.at, id: self.id.clone() }
    }
}

/// A place in a list, behind which its next page begins.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoneyPlace {
    pub at: Millis,
    pub id: String,
}

/// How much waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoneyCounts {
    pub failed: i64,
    pub refunds: i64,
    pub approvals: i64,
    pub unmatched: i64,
}

/// A transaction of any ledger.
#[derive(Debug, Clone)]
pub struct BookedLine {
    pub payer: Payer,
    /// `ba` or `msc`
    pub program: String,
    pub posted: Posted,
}

/// A contract that both have signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedContract {
    pub number: i64,
    pub template_version: i64,
    pub code: String,
}

/// Somebody who is enrolled, as the student system needs to know them.
#[derive(Debug, Clone)]
pub struct Enrolled {
    pub applicant: Applicant,
    pub application: Application,
    /// `2026-08`
    pub intake: Option<String>,
    pub enrolled_at: Millis,
    pub funding: Option<Funding>,
    pub contract: Option<SignedContract>,
}

#[async_trait]
pub trait Finances: Send + Sync {
    /// Those at a stage at which plans are paid, in the order of their ids: up to `limit` behind `after`.
    async fn paying(&self, after: &str, limit: i64) -> Stored<Vec<Paying>>;
    /// Cents that came in each span, less those that went back; the spans begin at these moments and the last one ends with
    /// the last of them.
    async fn received(&self, firsts: &[(Millis, Date)]) -> Stored<Vec<i64>>;
    /// What waits on a list that does not follow from plans, longest first: up to `limit` behind `after`.
    async fn waiting_money(&self, list: MoneyList, after: &MoneyPlace, limit: i64) -> Stored<Vec<MoneyItem>>;
    /// Payments that came in and belong to no application yet.
    async fn unmatched_payments(&self) -> Stored<i64>;
    async fn money_counts(&self) -> Stored<MoneyCounts>;
    /// The application that an event of the provider is about, if one is known; nothing without such an event.
    async fn event_subject(&self, id: &str) -> Stored<Option<Option<String>>>;
    /// Notes what became of money that nobody could place. When it is placed already, with another note, or not there: false.
    async fn place_event(&self, id: &str, note: &str, audit: &AuditEntry) -> Stored<bool>;
    /// The application that a task about a refund is for.
    async fn refund_task(&self, id: &str) -> Stored<Option<String>>;
    /// The task is done, as a note about its application says. When it was done with another note: false.
    async fn end_refund_task(&self, id: &str, note: &Note, audit: &AuditEntry) -> Stored<bool>;
    /// Transactions of all ledgers that were recorded from `from` on and before `until`, oldest first: up to `limit` behind
    /// `after`.
    async fn booked(&self, from: Millis, until: Millis, after: &MoneyPlace, limit: i64) -> Stored<Vec<BookedLine>>;
    /// Those who are enrolled since then, in the order of their applications' ids: up to `limit` behind `after`.
    async fn enrolled(&self, since: Millis, after: &str, limit: i64) -> Stored<Vec<Enrolled>>;
}
