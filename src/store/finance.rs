//! Money across all applications. What follows from plans and ledgers is read in batches of ids; the rest are lists
//! behind indexes of what is still open.

use std::collections::HashMap;
use std::fmt::Write;

use jiff::civil::Date;
use serde_json::Value;

use super::Db;
use super::error::unreadable;
use super::in_place::{Columns, InPlace, joined_row, row};
use super::ledger::{TransactionRow, posted};
use super::listings::relist;
use super::query::args;
use super::rows::{ApplicantRow, ApplicationRow, applicant_columns, application_columns};
use crate::{AuditEntry, StoreError, Stored};
use domain::account::Applicant;
use domain::application::Application;
use domain::finance::{
    BookedLine, Enrolled, MoneyItem, MoneyKind, MoneyList, MoneyPlace, Payer, Paying, SignedContract,
};
use domain::ledger::{Account, Entry, Line};
use domain::moments::Millis;
use domain::note::Note;

/// Counts of what waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoneyCounts {
    pub failed: i64,
    pub refunds: i64,
    pub approvals: i64,
    pub unmatched: i64,
}

row! {
    struct PayerRow {
        application_id: String,
        reference: Option<String>,
        first_name: String,
        last_name: String,
    }
}

impl From<PayerRow> for Payer {
    fn from(row: PayerRow) -> Self {
        let PayerRow { application_id, reference, first_name, last_name } = row;
        Payer { application_id, reference, first_name, last_name }
    }
}

/// A query of what waits: rows of `kind`, `id`, `since`, `application_id`, `line`, `cents`, `state` and `note`, with
/// their applicants.
macro_rules! waiting {
    ($of:literal) => {
        concat!(
            "SELECT w.kind, w.id, w.since, w.application_id, w.line, w.cents, w.state, w.note, a.reference, p.first_name, \
             p.last_name FROM (",
            $of,
            ") w LEFT JOIN applications a ON a.id = w.application_id LEFT JOIN applicants p ON p.id = a.applicant_id \
             WHERE w.since > $1 OR (w.since = $1 AND w.id > $2) ORDER BY w.since, w.id LIMIT $3"
        )
    };
}

const FAILED: &str = waiting!(
    "SELECT 'charge' AS kind, application_id || '/' || line AS id, COALESCE(first_failed_at, changed_at) AS since, \
     application_id, line, cents, state, COALESCE(failure, '') AS note FROM card_charges \
     WHERE state IN ('failed', 'stopped')"
);
const REFUNDS: &str = waiting!(
    "SELECT 'refund-task' AS kind, id, created_at AS since, SUBSTR(subject, 13) AS application_id, \
     CAST(NULL AS TEXT) AS line, CAST(NULL AS BIGINT) AS cents, '' AS state, detail AS note FROM staff_tasks \
     WHERE kind = 'refund' AND done_at IS NULL AND subject LIKE 'application:%' \
     UNION ALL SELECT 'card-refund', application_id || '/' || key, asked_at, application_id, CAST(NULL AS TEXT), cents, \
     state, reason || COALESCE(': ' || failure, '') FROM card_refunds WHERE state IN ('asked', 'refused')"
);
const APPROVALS: &str = waiting!(
    "SELECT 'booking-request' AS kind, id, asked_at AS since, application_id, line, cents, kind AS state, reason AS note \
     FROM booking_requests WHERE state = 'waiting'"
);
const UNMATCHED: &str = waiting!(
    "SELECT 'event' AS kind, id, told_at AS since, application_id, CAST(NULL AS TEXT) AS line, cents, kind AS state, \
     object_id AS note FROM provider_events WHERE state = 'unmatched' \
     UNION ALL SELECT 'unapplied', t.application_id, MAX(t.recorded_at), t.application_id, CAST(NULL AS TEXT), \
     CAST(-SUM(e.cents) AS BIGINT), '', '' FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id \
     WHERE e.account = 'unapplied' GROUP BY t.application_id HAVING SUM(e.cents) < 0"
);

row! {
    struct WaitingRow {
        kind: String,
        id: String,
        since: i64,
        application_id: Option<String>,
        line: Option<String>,
        cents: Option<i64>,
        state: String,
        note: String,
        reference: Option<String>,
        first_name: Option<String>,
        last_name: Option<String>,
    }
}

impl TryFrom<WaitingRow> for MoneyItem {
    type Error = StoreError;

    fn try_from(row: WaitingRow) -> Result<Self, StoreError> {
        let kind = MoneyKind::parse(&row.kind).ok_or_else(|| unreadable("kind of money", &row.id))?;
        let line = row.line.map(|line| Line::parse(&line).ok_or_else(|| unreadable("card_charges.line", &row.id)));
        let payer = row.application_id.map(|application_id| Payer {
            application_id,
            reference: row.reference,
            first_name: row.first_name.unwrap_or_default(),
            last_name: row.last_name.unwrap_or_default(),
        });
        let mut item = MoneyItem {
            kind,
            id: row.id,
            at: row.since,
            payer,
            line: line.transpose()?,
            due: None,
            cents: row.cents,
            state: row.state,
            note: row.note,
        };
        if kind == MoneyKind::RefundTask {
            // The task's detail, which may suggest an amount.
            let detail: Value =
                serde_json::from_str(&item.note).map_err(|_| unreadable("staff_tasks.detail", &item.id))?;
            item.cents = detail["cents"].as_i64();
            item.note = String::new();
        }
        Ok(item)
    }
}

#[derive(sqlx::FromRow)]
struct BookedRow {
    #[sqlx(flatten)]
    payer: PayerRow,
    program: String,
    #[sqlx(flatten)]
    transaction: TransactionRow,
    account: String,
    cents: i64,
}

impl InPlace for BookedRow {
    fn in_place(columns: &mut Columns<'_>) -> sqlite::Result<Self> {
        Ok(Self {
            payer: PayerRow::in_place(columns)?,
            program: columns.take()?,
            transaction: TransactionRow::in_place(columns)?,
            account: columns.take()?,
            cents: columns.take()?,
        })
    }
}

row! {
    struct EnrolmentRow {
        intake: Option<String>,
        enrolled_at: Option<i64>,
    }
}

joined_row! {
    struct EnrolledRow {
        applicant: ApplicantRow,
        application: ApplicationRow,
        enrolment: EnrolmentRow,
    }
}

impl Db {
    /// Returns the applications at a stage at which plans are paid, in the order of their ids: up to `limit` after
    /// `after`.
    pub async fn paying(&self, after: &str, limit: i64) -> Stored<Vec<Paying>> {
        let sql = "SELECT a.id AS application_id, a.reference, p.first_name, p.last_name FROM funding_plans f \
                   JOIN applications a ON a.id = f.application_id JOIN applicants p ON p.id = a.applicant_id \
                   WHERE f.application_id > $1 AND a.stage IN ('confirmed', 'enrolled') \
                   ORDER BY f.application_id LIMIT $2";
        let payers: Vec<PayerRow> = self.scan(sql, args![after, limit]).await?;
        let Some(last) = payers.last().map(|row| row.application_id.clone()) else { return Ok(Vec::new()) };
        let mut fundings = self.fundings_between(after, &last).await?;
        let mut ledgers = self.ledgers_between(after, &last).await?;
        let paying = payers.into_iter().filter_map(|row| {
            let funding = fundings.remove(&row.application_id)?;
            let ledger = ledgers.remove(&row.application_id).unwrap_or_default();
            Some(Paying { payer: row.into(), funding, ledger })
        });
        Ok(paying.collect())
    }

    /// Returns the cents received in each span, less those that went back and without application fees, which are in no
    /// plan; each span begins at one of these moments, and the last span ends with the last moment.
    pub async fn received(&self, firsts: &[(Millis, Date)]) -> Stored<Vec<i64>> {
        let mut sql = String::new();
        for (index, span) in firsts.windows(2).enumerate() {
            let union = if index == 0 { "" } else { " UNION ALL " };
            write!(
                sql,
                "{union}SELECT CAST({index} AS BIGINT), CAST(COALESCE(SUM(e.cents), 0) AS BIGINT) \
                 FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id \
                 WHERE COALESCE(t.line, '') <> 'application-fee' \
                 AND (t.received_on IS NULL AND t.recorded_at >= {} AND t.recorded_at < {} \
                 OR t.received_on >= '{}' AND t.received_on < '{}') AND e.account IN ('cash', 'clearing')",
                span[0].0, span[1].0, span[0].1, span[1].1,
            )
            .expect("writing to a string");
        }
        let mut sums: Vec<(i64, i64)> = self.scan(&sql, &[]).await?;
        sums.sort_unstable();
        Ok(sums.into_iter().map(|(_, cents)| cents).collect())
    }

    /// Returns what waits on a list that does not follow from plans, longest first: up to `limit` after `after`.
    pub async fn waiting_money(&self, list: MoneyList, after: &MoneyPlace, limit: i64) -> Stored<Vec<MoneyItem>> {
        let sql = match list {
            MoneyList::Failed => FAILED,
            MoneyList::Refunds => REFUNDS,
            MoneyList::Approvals => APPROVALS,
            MoneyList::Unmatched => UNMATCHED,
            // They follow from plans.
            MoneyList::Due | MoneyList::Overdue => return Ok(Vec::new()),
        };
        let rows: Vec<WaitingRow> = self.fetch_all(sql, args![after.at, &after.id, limit]).await?;
        rows.into_iter().map(MoneyItem::try_from).collect()
    }

    /// Counts payments that came in and belong to no application yet.
    pub async fn unmatched_payments(&self) -> Stored<i64> {
        let sql = "SELECT COUNT(*) FROM provider_events WHERE state = 'unmatched'";
        let counts: Vec<(i64,)> = self.fetch_all(sql, args![]).await?;
        Ok(counts.first().map_or(0, |(count,)| *count))
    }

    pub async fn money_counts(&self) -> Stored<MoneyCounts> {
        let sql = "SELECT (SELECT COUNT(*) FROM card_charges WHERE state IN ('failed', 'stopped')), \
                   (SELECT COUNT(*) FROM staff_tasks WHERE kind = 'refund' AND done_at IS NULL \
                   AND subject LIKE 'application:%') \
                   + (SELECT COUNT(*) FROM card_refunds WHERE state IN ('asked', 'refused')), \
                   (SELECT COUNT(*) FROM booking_requests WHERE state = 'waiting'), \
                   (SELECT COUNT(*) FROM provider_events WHERE state = 'unmatched') \
                   + (SELECT COUNT(*) FROM (SELECT t.application_id FROM ledger_entries e \
                   JOIN ledger_transactions t ON t.id = e.transaction_id WHERE e.account = 'unapplied' \
                   GROUP BY t.application_id HAVING SUM(e.cents) < 0) u)";
        let counts: Vec<(i64, i64, i64, i64)> = self.fetch_all(sql, args![]).await?;
        let (failed, refunds, approvals, unmatched) = counts.first().copied().unwrap_or_default();
        Ok(MoneyCounts { failed, refunds, approvals, unmatched })
    }

    /// Returns the application that an event of the provider is about, if one is known; `None` if there is no such
    /// event.
    pub async fn event_subject(&self, id: &str) -> Stored<Option<Option<String>>> {
        let sql = "SELECT application_id FROM provider_events WHERE id = $1";
        let rows: Vec<(Option<String>,)> = self.fetch_all(sql, args![id]).await?;
        Ok(rows.into_iter().next().map(|(application_id,)| application_id))
    }

    /// Records what happened to unassigned money. Returns false if it was assigned with another note, or does not
    /// exist.
    pub async fn place_event(&self, id: &str, note: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE provider_events SET state = 'placed', note = $2 WHERE id = $1 AND state = 'unmatched'";
        if tx.execute(sql, args![id, note]).await? == 0 {
            let sql = "SELECT COUNT(*) FROM provider_events WHERE id = $1 AND state = 'placed' AND note = $2";
            let same: Vec<(i64,)> = tx.fetch_all(sql, args![id, note]).await?;
            return Ok(same.first().is_some_and(|(count,)| *count > 0));
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the application that a task about a refund is for.
    pub async fn refund_task(&self, id: &str) -> Stored<Option<String>> {
        let sql = "SELECT subject FROM staff_tasks WHERE id = $1 AND kind = 'refund'";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![id]).await?;
        Ok(rows.first().and_then(|(subject,)| subject.strip_prefix("application:")).map(str::to_owned))
    }

    /// Closes the task, with a note about its application. Returns false if it was closed with another note.
    pub async fn end_refund_task(&self, id: &str, note: &Note, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE staff_tasks SET done_at = $2 WHERE id = $1 AND kind = 'refund' AND done_at IS NULL";
        if tx.execute(sql, args![id, audit.at]).await? == 0 {
            let same: Vec<(i64,)> =
                tx.fetch_all("SELECT COUNT(*) FROM application_notes WHERE id = $1", args![&note.id]).await?;
            return Ok(same.first().is_some_and(|(count,)| *count > 0));
        }
        tx.note(note).await?;
        relist(&mut tx, &note.application_id).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns transactions of all ledgers that were recorded from `from` on and before `until`, oldest first: up to
    /// `limit` after `after`.
    pub async fn booked(&self, from: Millis, until: Millis, after: &MoneyPlace, limit: i64) -> Stored<Vec<BookedLine>> {
        // One statement, so that no transaction comes without some of its entries.
        let sql = "SELECT t.application_id, a.reference, p.first_name, p.last_name, a.program, t.id, t.kind, t.cause, \
                   t.line, t.about, t.method, t.received_on, t.note, t.recorded_at, t.recorded_by, e.account, e.cents \
                   FROM (SELECT * FROM ledger_transactions WHERE recorded_at >= $1 AND recorded_at < $2 \
                   AND (recorded_at > $3 OR (recorded_at = $3 AND id > $4)) ORDER BY recorded_at, id LIMIT $5) t \
                   JOIN ledger_entries e ON e.transaction_id = t.id JOIN applications a ON a.id = t.application_id \
                   JOIN applicants p ON p.id = a.applicant_id ORDER BY t.recorded_at, t.id, e.number";
        let rows: Vec<BookedRow> = self.scan(sql, args![from, until, after.at, &after.id, limit]).await?;
        let mut lines: Vec<BookedLine> = Vec::new();
        for BookedRow { payer, program, transaction, account, cents } in rows {
            let account =
                Account::parse(&account).ok_or_else(|| unreadable("ledger_entries.account", &transaction.id))?;
            let entry = Entry { account, cents };
            match lines.last_mut().filter(|last| last.posted.transaction.id == transaction.id) {
                Some(last) => last.posted.transaction.draft.entries.push(entry),
                None => {
                    lines.push(BookedLine { payer: payer.into(), program, posted: posted(transaction, vec![entry])? })
                }
            }
        }
        Ok(lines)
    }

    /// Returns applicants enrolled since then, in the order of their applications' ids: up to `limit` after `after`.
    pub async fn enrolled(&self, since: Millis, after: &str, limit: i64) -> Stored<Vec<Enrolled>> {
        let sql = concat!(
            "SELECT ",
            applicant_columns!(),
            ", ",
            application_columns!(),
            ", COALESCE((SELECT intake FROM deferrals d WHERE d.application_id = applications.id \
             AND d.state = 'granted'), (SELECT intake FROM decisions d WHERE d.application_id = applications.id \
             AND d.state = 'released')) AS intake, (SELECT MAX(happened_at) FROM stage_changes c \
             WHERE c.application_id = applications.id AND c.to_stage = 'enrolled') AS enrolled_at \
             FROM applications JOIN applicants ON applicants.id = applications.applicant_id \
             WHERE applications.stage = 'enrolled' AND applications.id > $1 AND $2 <= COALESCE((SELECT MAX(happened_at) \
             FROM stage_changes c WHERE c.application_id = applications.id AND c.to_stage = 'enrolled'), 0) \
             ORDER BY applications.id LIMIT $3"
        );
        let rows: Vec<EnrolledRow> = self.scan(sql, args![after, since, limit]).await?;
        let mut found: Vec<Enrolled> = Vec::with_capacity(rows.len());
        for EnrolledRow { applicant, application, enrolment } in rows {
            found.push(Enrolled {
                applicant: Applicant::try_from(applicant)?,
                application: Application::try_from(application)?,
                intake: enrolment.intake,
                enrolled_at: enrolment.enrolled_at.unwrap_or_default(),
                funding: None,
                contract: None,
            });
        }
        let Some(last) = found.last().map(|one| one.application.id.clone()) else { return Ok(found) };
        let mut fundings = self.fundings_between(after, &last).await?;
        let sql = "SELECT application_id, number, template_version, code FROM contracts WHERE state = 'countersigned' \
                   AND application_id > $1 AND application_id <= $2 ORDER BY application_id, number";
        let rows: Vec<(String, i64, i64, String)> = self.scan(sql, args![after, &last]).await?;
        // Of several, the last one counts.
        let signed = |(id, number, template_version, code)| (id, SignedContract { number, template_version, code });
        let mut contracts: HashMap<String, SignedContract> = rows.into_iter().map(signed).collect();
        for one in &mut found {
            one.funding = fundings.remove(&one.application.id);
            one.contract = contracts.remove(&one.application.id);
        }
        Ok(found)
    }
}
