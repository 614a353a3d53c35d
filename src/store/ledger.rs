//! The ledger: written once, in whole transactions. The database itself refuses whatever does not balance, and every
//! change.

use std::collections::HashMap;

use super::Db;
use super::error::unreadable;
use super::in_place::{Columns, InPlace, row};
use super::listings::relist;
use super::query::{Tx, args};
use crate::{AuditEntry, FeeChange, NewMail, RequestEnd, StoreError, Stored};
use domain::ledger::{Account, Entry, Kind, Ledger, Line, Method, Posted, Transaction, TransactionDraft};
use domain::moments::Millis;
use domain::task::{Task, TaskKind};

/// Transactions to be written together.
#[derive(Debug, Clone)]
pub struct Posting {
    pub application_id: String,
    /// How many there were when these were decided on.
    pub position: i64,
    /// The revision of the plan that they belong to; 0 without one.
    pub plan: i64,
    /// With their new ids.
    pub transactions: Vec<(String, TransactionDraft)>,
    pub at: Millis,
    pub by: String,
    pub audit: AuditEntry,
    pub mail: Option<NewMail>,
    pub task: Option<Task>,
    /// Kinds of tasks about the application that are closed.
    pub done_tasks: Vec<TaskKind>,
    /// Its request, which a second person has approved.
    pub approval: Option<RequestEnd>,
    /// What becomes of the application fee.
    pub fee: Option<FeeChange>,
}

/// A fault in a ledger. There should be none: the database refuses to write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerFault {
    pub transaction_id: String,
    /// What the entries sum to.
    pub cents: i64,
}

row! {
    pub(super) struct TransactionRow {
        pub(super) id: String,
        kind: String,
        cause: String,
        line: Option<String>,
        about: Option<String>,
        method: Option<String>,
        received_on: Option<String>,
        note: String,
        recorded_at: i64,
        recorded_by: String,
    }
}

row! {
    struct EntryRow {
        transaction_id: String,
        account: String,
        cents: i64,
    }
}

#[derive(sqlx::FromRow)]
struct OwnedTransactionRow {
    application_id: String,
    #[sqlx(flatten)]
    transaction: TransactionRow,
}

impl InPlace for OwnedTransactionRow {
    fn in_place(columns: &mut Columns<'_>) -> sqlite::Result<Self> {
        Ok(Self { application_id: columns.take()?, transaction: TransactionRow::in_place(columns)? })
    }
}

pub(super) fn posted(row: TransactionRow, entries: Vec<Entry>) -> Result<Posted, StoreError> {
    let TransactionRow { id, kind, cause, line, about, method, received_on, note, recorded_at, recorded_by } = row;
    let unreadable = |column: &str| unreadable(column, &id);
    let kind = Kind::parse(&kind).ok_or_else(|| unreadable("ledger_transactions.kind"))?;
    let line = line.map(|line| Line::parse(&line).ok_or_else(|| unreadable("ledger_transactions.line"))).transpose()?;
    let method =
        method.map(|it| Method::parse(&it).ok_or_else(|| unreadable("ledger_transactions.method"))).transpose()?;
    let received_on =
        received_on.map(|day| day.parse().map_err(|_| unreadable("ledger_transactions.received_on"))).transpose()?;
    let draft = TransactionDraft { kind, cause, line, about, method, received_on, entries, note };
    Ok(Posted { transaction: Transaction { id, draft }, at: recorded_at, by: recorded_by })
}

impl Db {
    pub async fn ledger(&self, application_id: &str) -> Stored<Ledger> {
        let sql = "SELECT id, kind, cause, line, about, method, received_on, note, recorded_at, recorded_by FROM ledger_transactions \
                   WHERE application_id = $1 ORDER BY position";
        let rows: Vec<TransactionRow> = self.fetch_all(sql, args![application_id]).await?;
        if rows.is_empty() {
            return Ok(Ledger::default());
        }
        let sql = "SELECT e.transaction_id, e.account, e.cents FROM ledger_entries e \
                   JOIN ledger_transactions t ON t.id = e.transaction_id WHERE t.application_id = $1 \
                   ORDER BY e.transaction_id, e.number";
        let mut entries = by_transaction(self.fetch_all(sql, args![application_id]).await?)?;
        let posted = rows.into_iter().map(|row| {
            let entries = entries.remove(&row.id).unwrap_or_default();
            posted(row, entries)
        });
        Ok(Ledger { posted: posted.collect::<Result<_, _>>()? })
    }

    /// Writes the transactions. Returns false if the ledger, the plan or the fee has changed, or their request has ended
    /// meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("fee_code")` if the code is ended, or was used as often as it may be.
    pub async fn post(&self, posting: &Posting) -> Stored<bool> {
        let mut tx = self.begin().await?;
        if !tx.post(posting).await? {
            return Ok(false);
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the id of the application whose ledger has a transaction.
    pub async fn application_of_transaction(&self, id: &str) -> Stored<Option<String>> {
        let sql = "SELECT application_id FROM ledger_transactions WHERE id = $1";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![id]).await?;
        Ok(rows.into_iter().next().map(|(id,)| id))
    }

    /// Returns the transactions whose entries do not sum to zero.
    pub async fn ledger_faults(&self) -> Stored<Vec<LedgerFault>> {
        let sql = self.pick(
            "SELECT transaction_id, SUM(cents) AS cents FROM ledger_entries GROUP BY transaction_id \
             HAVING SUM(cents) <> 0 LIMIT 100",
            "SELECT transaction_id, SUM(cents)::bigint AS cents FROM ledger_entries GROUP BY transaction_id \
             HAVING SUM(cents) <> 0 LIMIT 100",
        );
        let rows: Vec<(String, i64)> = self.scan(sql, args![]).await?;
        Ok(rows.into_iter().map(|(transaction_id, cents)| LedgerFault { transaction_id, cents }).collect())
    }
}

impl Db {
    /// Returns the ledgers of applications after `after` up to `last`, by application.
    pub(super) async fn ledgers_between(&self, after: &str, last: &str) -> Stored<HashMap<String, Ledger>> {
        let sql = "SELECT application_id, id, kind, cause, line, about, method, received_on, note, recorded_at, recorded_by \
                   FROM ledger_transactions WHERE application_id > $1 AND application_id <= $2 \
                   ORDER BY application_id, position";
        let rows: Vec<OwnedTransactionRow> = self.scan(sql, args![after, last]).await?;
        let sql = "SELECT e.transaction_id, e.account, e.cents FROM ledger_entries e \
                   JOIN ledger_transactions t ON t.id = e.transaction_id \
                   WHERE t.application_id > $1 AND t.application_id <= $2 ORDER BY e.transaction_id, e.number";
        let mut entries = by_transaction(self.scan(sql, args![after, last]).await?)?;
        let mut ledgers: HashMap<String, Ledger> = HashMap::new();
        for OwnedTransactionRow { application_id, transaction } in rows {
            let of_it = entries.remove(&transaction.id).unwrap_or_default();
            ledgers.entry(application_id).or_default().posted.push(posted(transaction, of_it)?);
        }
        Ok(ledgers)
    }
}

fn by_transaction(rows: Vec<EntryRow>) -> Stored<HashMap<String, Vec<Entry>>> {
    let mut entries: HashMap<String, Vec<Entry>> = HashMap::new();
    for EntryRow { transaction_id, account, cents } in rows {
        let account = Account::parse(&account).ok_or_else(|| unreadable("ledger_entries.account", &transaction_id))?;
        entries.entry(transaction_id).or_default().push(Entry { account, cents });
    }
    Ok(entries)
}

impl Tx {
    /// Counts the transactions in the application's ledger.
    pub(super) async fn ledger_position(&mut self, application_id: &str) -> Stored<i64> {
        let sql = "SELECT COUNT(*) FROM ledger_transactions WHERE application_id = $1";
        let counts: Vec<(i64,)> = self.fetch_all(sql, args![application_id]).await?;
        Ok(counts.first().map_or(0, |(count,)| *count))
    }

    /// The same as [`Db::post`], within a transaction that does more.
    pub(super) async fn post(&mut self, posting: &Posting) -> Stored<bool> {
        let Posting { application_id, position, plan, transactions, at, by, audit, mail, task, .. } = posting;
        let Posting { done_tasks, approval, fee, .. } = posting;
        self.lock_money(application_id).await?;
        let sql = "SELECT revision FROM funding_plans WHERE application_id = $1";
        let plans: Vec<(i64,)> = self.fetch_all(sql, args![application_id]).await?;
        if plans.first().map_or(0, |(revision,)| *revision) != *plan
            || self.ledger_position(application_id).await? != *position
        {
            return Ok(false);
        }
        if let Some(approval) = approval
            && !self.end_request(approval).await?
        {
            return Ok(false);
        }
        let mut next = *position;
        for (id, draft) in transactions {
            next += 1;
            self.write_transaction(application_id, next, (id, draft), (*at, by)).await?;
        }
        self.audit(audit).await?;
        for (id, draft) in transactions {
            self.payment_event(application_id, (id, draft), *at).await?;
        }
        if let Some(fee) = fee
            && !self.change_fee(fee, *at, &audit.id).await?
        {
            return Ok(false);
        }
        if let Some(mail) = mail {
            self.mail(mail).await?;
        }
        let mut done = 0;
        for kind in done_tasks {
            done += self.tasks_done(&format!("application:{application_id}"), *kind, *at).await?;
        }
        let entries = transactions.iter().flat_map(|(_, draft)| &draft.entries);
        let is_overpaid_or_was = entries.into_iter().any(|entry| entry.account == Account::Unapplied);
        if done > 0 || is_overpaid_or_was || fee.is_some() {
            relist(self, application_id).await?;
        }
        if let Some(task) = task {
            self.task(task).await?;
        }
        Ok(true)
    }

    /// Writes one transaction at the next position. The caller has locked the application.
    pub(super) async fn write_transaction(
        &mut self,
        application_id: &str,
        position: i64,
        (id, draft): (&str, &TransactionDraft),
        (at, by): (Millis, &str),
    ) -> Stored<()> {
        for (number, entry) in (1..).zip(&draft.entries) {
            let sql = "INSERT INTO ledger_entries (transaction_id, number, account, cents) VALUES ($1, $2, $3, $4)";
            let number: i64 = number;
            self.execute(sql, args![id, number, entry.account.as_str(), entry.cents]).await?;
        }
        let TransactionDraft { kind, cause, line, about, method, received_on, note, .. } = draft;
        let received_on = received_on.map(|day| day.to_string());
        let line = line.map(|line| line.to_string());
        self.execute(
            "INSERT INTO ledger_transactions (id, application_id, position, kind, cause, line, about, method, \
             received_on, note, recorded_at, recorded_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
            args![
                id,
                application_id,
                position,
                kind.as_str(),
                cause,
                line.as_deref(),
                about.as_deref(),
                method.map(Method::as_str),
                received_on.as_deref(),
                note,
                at,
                by,
            ],
        )
        .await?;
        Ok(())
    }
}
