//! How tuition is to be paid, and what was paid of it.

use async_trait::async_trait;
use jiff::civil::Date;

use super::{AuditEntry, Millis, NewMail, RequestEnd, Stored, Task};
use domain::clocks;
use domain::funding::{Funding, Reminder, SourceKind, SourceState};
use domain::ledger::{Book, Line, Transaction, TransactionDraft};
use domain::task::TaskKind;

/// A plan as it is kept.
#[derive(Debug, Clone)]
pub struct FundingPlan {
    pub funding: Funding,
    /// Counts up with every change, from 1.
    pub revision: i64,
    pub changed_at: Millis,
    /// `applicant:ID`, `staff:ID`
    pub changed_by: String,
    /// What Finance said of sources, as far as that still holds.
    pub verdicts: Vec<SourceVerdict>,
}

impl FundingPlan {
    pub fn verdict(&self, kind: SourceKind) -> Option<&SourceVerdict> {
        self.verdicts.iter().find(|verdict| verdict.kind == kind)
    }
}

/// Who of Finance decided about a source, and when.
#[derive(Debug, Clone)]
pub struct SourceVerdict {
    pub kind: SourceKind,
    /// The id of a member of staff.
    pub decided_by: String,
    pub decided_at: Millis,
}

/// A plan to be written.
#[derive(Debug, Clone)]
pub struct NewFunding {
    pub application_id: String,
    /// The revision that it replaces; 0 for the first.
    pub expected: i64,
    pub funding: Funding,
    pub by: String,
    pub at: Millis,
    /// Transactions of the ledger that were seen: what is charged must fit the plan.
    pub position: i64,
}

/// What Finance says of a source.
#[derive(Debug, Clone)]
pub struct NewVerdict {
    pub application_id: String,
    /// The revision of the plan that was seen.
    pub expected: i64,
    pub kind: SourceKind,
    pub state: SourceState,
    pub reason: Option<String>,
    pub by: String,
    pub at: Millis,
}

/// What goes with a change of the plan, in its transaction.
#[derive(Debug, Clone, Default)]
pub struct FundingFollows {
    /// Finance has nothing to do about it any more.
    pub settled: bool,
    pub task: Option<Task>,
    pub mail: Option<NewMail>,
}

#[async_trait]
pub trait Fundings: Send + Sync {
    async fn funding_plan(&self, application_id: &str) -> Stored<Option<FundingPlan>>;
    /// Writes the plan at the next revision, if nobody has changed it or written into the ledger meanwhile. If not: false.
    async fn save_funding(&self, new: &NewFunding, follows: &FundingFollows, audit: &AuditEntry) -> Stored<bool>;
    /// Notes what Finance says of a source, at the next revision of the plan. False as above, or without such a source.
    async fn judge_source(&self, new: &NewVerdict, follows: &FundingFollows, audit: &AuditEntry) -> Stored<bool>;
    /// Applications that have to pay by themselves: a place, a plan, a contract that both have signed, and no card that pays.
    /// In the order of their ids, up to `limit` behind `after`.
    async fn applications_to_remind(&self, after: &str, limit: i64) -> Stored<Vec<String>>;
    /// Writes a mail about an instalment, and the task that may go with it, unless that was told for this day before. If it
    /// was: false.
    async fn remind_of_payment(&self, told: &PaymentTold, mail: &NewMail, task: Option<&Task>) -> Stored<bool>;
}

/// Something that an applicant is told of an instalment, once for the day on which it is due.
#[derive(Debug, Clone)]
pub struct PaymentTold {
    pub application_id: String,
    pub line: Line,
    pub kind: Reminder,
    pub due: Date,
    pub at: Millis,
}

/// A transaction of the ledger, and who wrote it when.
#[derive(Debug, Clone)]
pub struct Posted {
    pub transaction: Transaction,
    pub at: Millis,
    /// `staff:ID`, `provider` or `system`.
    pub by: String,
}

impl Posted {
    /// The day that counts: on which a payment arrived, else on which it was written.
    pub fn day(&self, zone: &str) -> Date {
        self.transaction.draft.received_on.unwrap_or_else(|| clocks::day(self.at, zone))
    }
}

/// The ledger of an application, oldest first.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    pub posted: Vec<Posted>,
}

impl Ledger {
    pub fn book(&self) -> Book {
        Book { transactions: self.posted.iter().map(|posted| posted.transaction.clone()).collect() }
    }

    /// How many transactions there are.
    pub fn position(&self) -> i64 {
        i64::try_from(self.posted.len()).unwrap_or(i64::MAX)
    }
}

/// Transactions to be written together.
#[derive(Debug, Clone)]
pub struct Posting {
    pub application_id: String,
    /// How many were there when they were decided on.
    pub position: i64,
    /// The revision of the plan that they are for; 0 without one.
    pub plan: i64,
    /// With their new ids.
    pub transactions: Vec<(String, TransactionDraft)>,
    pub at: Millis,
    pub by: String,
    pub audit: AuditEntry,
    pub mail: Option<NewMail>,
    pub task: Option<Task>,
    /// Kinds of tasks about the application that are done with it.
    pub done_tasks: Vec<TaskKind>,
    /// The request that it is, which a second person has approved.
    pub approval: Option<RequestEnd>,
}

/// What is wrong with a ledger. There should be none: the database refuses to write what would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerFault {
    pub transaction_id: String,
    /// What the entries sum to.
    pub cents: i64,
}

#[async_trait]
pub trait Ledgers: Send + Sync {
    async fn ledger(&self, application_id: &str) -> Stored<Ledger>;
    /// Writes the transactions, if nobody has written others, changed the plan or ended their request meanwhile. If not:
    /// false.
    async fn post(&self, posting: &Posting) -> Stored<bool>;
    /// The id of the application whose ledger has a transaction.
    async fn application_of_transaction(&self, id: &str) -> Stored<Option<String>>;
    /// Transactions whose entries do not sum to zero.
    async fn ledger_faults(&self) -> Stored<Vec<LedgerFault>>;
}
