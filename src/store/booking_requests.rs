//! Bookings that wait for the approval of a second person.

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::listings::relist;
use super::query::{Tx, args};
use crate::{AuditEntry, StoreError, Stored};
use domain::ledger::{BookingRequest, Kind, Line, RequestState};
use domain::moments::Millis;
use domain::task::{Task, TaskKind};

/// How a request ends.
#[derive(Debug, Clone)]
pub struct RequestEnd {
    pub request_id: String,
    pub application_id: String,
    pub state: RequestState,
    /// The id of a member of staff.
    pub by: String,
    pub decline_reason: Option<String>,
    /// Also says when.
    pub audit: AuditEntry,
}

row! {
    struct RequestRow {
        id: String,
        application_id: String,
        key: String,
        kind: String,
        line: Option<String>,
        about: Option<String>,
        cents: i64,
        reason: String,
        asked_at: i64,
        asked_by: String,
        state: String,
        settled_at: Option<i64>,
        settled_by: Option<String>,
        decline_reason: Option<String>,
    }
}

impl TryFrom<RequestRow> for BookingRequest {
    type Error = StoreError;

    fn try_from(row: RequestRow) -> Result<Self, StoreError> {
        let unreadable = |column: &str| unreadable(column, &row.id);
        let line = row.line.as_deref().map(|it| Line::parse(it).ok_or_else(|| unreadable("booking_requests.line")));
        Ok(BookingRequest {
            kind: Kind::parse(&row.kind).ok_or_else(|| unreadable("booking_requests.kind"))?,
            line: line.transpose()?,
            state: RequestState::parse(&row.state).ok_or_else(|| unreadable("booking_requests.state"))?,
            id: row.id,
            application_id: row.application_id,
            key: row.key,
            about: row.about,
            cents: row.cents,
            reason: row.reason,
            asked_at: row.asked_at,
            asked_by: row.asked_by,
            settled_at: row.settled_at,
            settled_by: row.settled_by,
            decline_reason: row.decline_reason,
        })
    }
}

macro_rules! requests {
    ($which:literal) => {
        concat!(
            "SELECT id, application_id, key, kind, line, about, cents, reason, asked_at, asked_by, state, settled_at, \
             settled_by, decline_reason FROM booking_requests ",
            $which
        )
    };
}

impl Db {
    /// Stores a request, unless there is one under its key. Returns the stored one.
    pub async fn keep_request(
        &self,
        request: &BookingRequest,
        task: &Task,
        audit: &AuditEntry,
    ) -> Stored<BookingRequest> {
        let BookingRequest { id, application_id, key, kind, line, about, cents, reason, asked_at, asked_by, .. } =
            request;
        let line = line.map(|line| line.to_string());
        let mut tx = self.begin().await?;
        tx.lock_money(application_id).await?;
        let sql = "INSERT INTO booking_requests (id, application_id, key, kind, line, about, cents, reason, asked_at, \
                   asked_by, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'waiting') ON CONFLICT DO NOTHING";
        let args = args![
            id,
            application_id,
            key,
            kind.as_str(),
            line.as_deref(),
            about.as_deref(),
            *cents,
            reason,
            *asked_at,
            asked_by,
        ];
        if tx.execute(sql, args).await? > 0 {
            tx.task(task).await?;
            tx.audit(audit).await?;
        }
        let sql = requests!("WHERE application_id = $1 AND key = $2");
        let rows: Vec<RequestRow> = tx.fetch_all(sql, args![application_id, key]).await?;
        let row = rows.into_iter().next().ok_or_else(|| unreadable("booking_requests.key", application_id))?;
        tx.commit().await?;
        row.try_into()
    }

    /// Returns the requests of an application, oldest first.
    pub async fn booking_requests(&self, application_id: &str) -> Stored<Vec<BookingRequest>> {
        let sql = requests!("WHERE application_id = $1 ORDER BY asked_at, id");
        let rows: Vec<RequestRow> = self.fetch_all(sql, args![application_id]).await?;
        rows.into_iter().map(BookingRequest::try_from).collect()
    }

    /// Ends a waiting request without booking it. Returns false if it is no longer waiting.
    pub async fn end_request(&self, end: &RequestEnd) -> Stored<bool> {
        let mut tx = self.begin().await?;
        tx.lock_money(&end.application_id).await?;
        if !tx.end_request(end).await? {
            return Ok(false);
        }
        tx.commit().await?;
        Ok(true)
    }
}

impl Tx {
    /// Ends a waiting request, within a transaction that may book it and holds the lock of the application's money.
    pub(super) async fn end_request(&mut self, end: &RequestEnd) -> Stored<bool> {
        let RequestEnd { request_id, application_id, state, by, decline_reason, audit } = end;
        let sql = "UPDATE booking_requests SET state = $3, settled_at = $4, settled_by = $5, decline_reason = $6 \
                   WHERE id = $1 AND application_id = $2 AND state = 'waiting'";
        let args = args![request_id, application_id, state.as_str(), audit.at, by, decline_reason.as_deref()];
        if self.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        let sql = "SELECT COUNT(*) FROM booking_requests WHERE application_id = $1 AND state = 'waiting'";
        let waiting: Vec<(i64,)> = self.fetch_all(sql, args![application_id]).await?;
        if waiting.first().is_none_or(|(count,)| *count == 0)
            && self.tasks_done(&format!("application:{application_id}"), TaskKind::Approval, audit.at).await? > 0
        {
            relist(self, application_id).await?;
        }
        self.audit(audit).await?;
        Ok(true)
    }
}

/// Removes the requests for an applicant whose records are erased; what was booked stays in the ledger.
pub(super) async fn erase(tx: &mut Tx, applicant_id: &str, now: Millis) -> Stored<()> {
    let sql = "UPDATE staff_tasks SET done_at = $2 WHERE kind = $3 AND done_at IS NULL AND subject IN \
               (SELECT 'application:' || id FROM applications WHERE applicant_id = $1)";
    tx.execute(sql, args![applicant_id, now, TaskKind::Approval.as_str()]).await?;
    let sql = "DELETE FROM booking_requests \
               WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)";
    tx.execute(sql, args![applicant_id]).await?;
    Ok(())
}
