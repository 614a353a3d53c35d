//! Events for programs of the institute, and their deliveries. An event is written in the transaction of its cause, with
//! a delivery for each endpoint that wants it; without such an endpoint nothing is written.

use serde::Serialize;

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::query::{Tx, args};
use crate::{AuditEntry, NewMail, StoreError, Stored};
use domain::application_fee::ApplicationFee;
use domain::ledger::Kind;
use domain::moments::{MINUTE, Millis, rfc3339};
use domain::program::Program;
use domain::status::{Act, Stage, UNDO_MINUTES};
use domain::webhook::{
    AboutApplication, DeliveryChange, DeliveryState, DocumentEvent, Endpoint, Event, EventDelivery, EventKind,
    FeeEvent, MAX_ENDPOINTS, PauseReason, PaymentEvent, ReferenceEvent, StageEvent, TestEvent,
};

/// Where events are delivered to, with its sealed secret.
#[derive(Debug, Clone)]
pub struct NewEndpoint {
    pub id: String,
    pub name: String,
    pub url: String,
    /// Without any, it gets all.
    pub events: Vec<EventKind>,
    pub secret: String,
    pub created_at: Millis,
    /// Id of a member of staff.
    pub created_by: String,
}

/// What a delivery needs to know about its endpoint.
#[derive(Debug, Clone)]
pub struct EndpointCall {
    pub id: String,
    pub url: String,
    /// Sealed.
    pub secret: String,
    /// The former one, sealed, while it still signs.
    pub former_secret: Option<String>,
    pub failing_since: Option<Millis>,
}

row! {
    struct EndpointRow {
        id: String,
        name: String,
        url: String,
        events: String,
        created_at: i64,
        paused_at: Option<i64>,
        pause_reason: Option<String>,
        failing_since: Option<i64>,
        former_secret_until: Option<i64>,
        waiting: i64,
        failed: i64,
    }
}

macro_rules! endpoints {
    () => {
        "SELECT e.id, e.name, e.url, e.events, e.created_at, e.paused_at, e.pause_reason, e.failing_since, \
         e.former_secret_until, \
         (SELECT COUNT(*) FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'waiting') AS waiting, \
         (SELECT COUNT(*) FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'failed') AS failed \
         FROM webhook_endpoints e"
    };
}

impl TryFrom<EndpointRow> for Endpoint {
    type Error = StoreError;

    fn try_from(row: EndpointRow) -> Result<Self, StoreError> {
        let reason = row.pause_reason.as_deref().and_then(PauseReason::parse);
        Ok(Endpoint {
            events: kinds(&row.events).ok_or_else(|| unreadable("webhook_endpoints.events", &row.id))?,
            id: row.id,
            name: row.name,
            url: row.url,
            created_at: row.created_at,
            paused: row.paused_at.zip(reason),
            failing_since: row.failing_since,
            former_secret_until: row.former_secret_until,
            waiting: row.waiting,
            failed: row.failed,
        })
    }
}

row! {
    struct CallRow {
        id: String,
        url: String,
        secret: String,
        former_secret: Option<String>,
        former_secret_until: Option<i64>,
        failing_since: Option<i64>,
    }
}

row! {
    /// A delivery that was claimed.
    #[derive(Debug, Clone)]
    pub struct ClaimedDelivery {
        pub event_id: String,
        pub kind: String,
        pub body: String,
        /// This one included.
        pub attempts: i64,
    }
}

row! {
    struct DeliveryRow {
        event_id: String,
        kind: String,
        application_id: Option<String>,
        reference: Option<String>,
        body: String,
        occurred_at: i64,
        state: String,
        attempts: i64,
        due_at: i64,
        last_status: Option<i64>,
        last_error: Option<String>,
        finished_at: Option<i64>,
    }
}

macro_rules! deliveries {
    () => {
        "SELECT d.event_id, v.kind, v.application_id, a.reference, v.body, v.occurred_at, d.state, d.attempts, d.due_at, \
         d.last_status, d.last_error, d.finished_at FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id \
         LEFT JOIN applications a ON a.id = v.application_id WHERE d.endpoint_id = $1"
    };
}

impl TryFrom<DeliveryRow> for EventDelivery {
    type Error = StoreError;

    fn try_from(row: DeliveryRow) -> Result<Self, StoreError> {
        let unreadable = |column: &str| unreadable(column, &row.event_id);
        Ok(EventDelivery {
            kind: EventKind::parse(&row.kind).ok_or_else(|| unreadable("webhook_events.kind"))?,
            state: DeliveryState::parse(&row.state).ok_or_else(|| unreadable("webhook_deliveries.state"))?,
            application: row.application_id.map(|id| (id, row.reference)),
            event_id: row.event_id,
            body: row.body,
            occurred_at: row.occurred_at,
            attempts: row.attempts,
            due_at: row.due_at,
            last_status: row.last_status,
            last_error: row.last_error,
            finished_at: row.finished_at,
        })
    }
}

fn kinds(stored: &str) -> Option<Vec<EventKind>> {
    stored.split_whitespace().map(EventKind::parse).collect()
}

fn stored_kinds(kinds: &[EventKind]) -> String {
    kinds.iter().map(|kind| format!("{} ", kind.as_str())).collect()
}

/// The deliveries of an endpoint that are due, each the first of its queue.
macro_rules! claim {
    ($lock:literal) => {
        concat!(
            "WITH due AS MATERIALIZED (SELECT d.event_id FROM webhook_deliveries d WHERE d.endpoint_id = $1 \
             AND d.state = 'waiting' AND d.due_at <= $3 AND NOT EXISTS (SELECT 1 FROM webhook_deliveries b \
             WHERE b.endpoint_id = d.endpoint_id AND b.queue = d.queue AND b.state IN ('waiting', 'failed') \
             AND (b.position < d.position OR b.position = d.position AND b.event_id < d.event_id)) \
             ORDER BY d.due_at, d.event_id LIMIT $2",
            $lock,
            ") UPDATE webhook_deliveries SET due_at = $4, attempts = attempts + 1 \
             WHERE endpoint_id = $1 AND event_id IN (SELECT event_id FROM due) RETURNING event_id, \
             (SELECT kind FROM webhook_events WHERE id = webhook_deliveries.event_id) AS kind, \
             (SELECT body FROM webhook_events WHERE id = webhook_deliveries.event_id) AS body, attempts"
        )
    };
}

/// Where events go, for those who run the product.
impl Db {
    /// Returns all endpoints, oldest first.
    pub async fn webhook_endpoints(&self) -> Stored<Vec<Endpoint>> {
        let rows: Vec<EndpointRow> = self.fetch_all(concat!(endpoints!(), " ORDER BY e.id"), args![]).await?;
        rows.into_iter().map(Endpoint::try_from).collect()
    }

    pub async fn webhook_endpoint(&self, id: &str) -> Stored<Option<Endpoint>> {
        let row: Option<EndpointRow> =
            self.fetch_optional(concat!(endpoints!(), " WHERE e.id = $1"), args![id]).await?;
        row.map(Endpoint::try_from).transpose()
    }

    /// Returns false if there are as many endpoints as there may be.
    pub async fn create_webhook_endpoint(&self, new: &NewEndpoint, audit: &AuditEntry) -> Stored<bool> {
        let NewEndpoint { id, name, url, events, secret, created_at, created_by } = new;
        let sql = "INSERT INTO webhook_endpoints (id, name, url, events, secret, created_at, created_by, retry_at) \
                   SELECT $1, $2, $3, $4, $5, $6, $7, 0 WHERE (SELECT COUNT(*) FROM webhook_endpoints) < $8";
        let events = stored_kinds(events);
        let args = args![id, name, url, &events, secret, *created_at, created_by, MAX_ENDPOINTS];
        self.change_webhooks(sql, args, audit).await
    }

    /// Returns false if it is gone. What is waiting goes to the new address.
    pub async fn change_webhook_endpoint(&self, endpoint: &Endpoint, audit: &AuditEntry) -> Stored<bool> {
        let Endpoint { id, name, url, events, .. } = endpoint;
        let sql = "UPDATE webhook_endpoints SET name = $2, url = $3, events = $4 WHERE id = $1";
        self.change_webhooks(sql, args![id, name, url, &stored_kinds(events)], audit).await
    }

    /// Returns false if it is gone. The former secret signs until `former_until`.
    pub async fn renew_webhook_secret(
        &self,
        id: &str,
        secret: &str,
        former_until: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let sql = "UPDATE webhook_endpoints SET former_secret = secret, former_secret_until = $3, secret = $2 \
                   WHERE id = $1";
        self.change_webhooks(sql, args![id, secret, former_until], audit).await
    }

    /// Pauses an endpoint: what happens from then on waits. Returns false if it is paused or gone.
    pub async fn pause_webhook_endpoint(
        &self,
        id: &str,
        now: Millis,
        reason: PauseReason,
        audit: &AuditEntry,
        mails: &[NewMail],
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE webhook_endpoints SET paused_at = $2, pause_reason = $3 WHERE id = $1 AND paused_at IS NULL";
        if tx.execute(sql, args![id, now, reason.as_str()]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        for mail in mails {
            tx.mail(mail).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Delivers again what is waiting and what was given up, from where it stopped. Returns false if it is not paused.
    pub async fn resume_webhook_endpoint(&self, id: &str, now: Millis, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE webhook_endpoints SET paused_at = NULL, pause_reason = NULL, failing_since = NULL, retry_at = 0 \
                   WHERE id = $1 AND paused_at IS NOT NULL";
        if tx.execute(sql, args![id]).await? == 0 {
            return Ok(false);
        }
        // Attempts begin anew, also of what was given up; what is held back stays so.
        let sql = "UPDATE webhook_deliveries SET state = 'waiting', due_at = $2, attempts = 0 \
                   WHERE endpoint_id = $1 AND (state = 'failed' OR state = 'waiting' AND attempts > 0)";
        tx.execute(sql, args![id, now]).await?;
        tx.audit(audit).await?;
        tx.wake_webhooks();
        tx.commit().await?;
        Ok(true)
    }

    /// Deletes an endpoint with its deliveries. Returns false if it is gone.
    pub async fn delete_webhook_endpoint(&self, id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        tx.execute("DELETE FROM webhook_deliveries WHERE endpoint_id = $1", args![id]).await?;
        if tx.execute("DELETE FROM webhook_endpoints WHERE id = $1", args![id]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns deliveries of an endpoint, newest first, up to `limit`: in one state or any, and of events before that of
    /// `before`.
    pub async fn webhook_deliveries(
        &self,
        endpoint_id: &str,
        state: Option<DeliveryState>,
        before: &str,
        limit: i64,
    ) -> Stored<Vec<EventDelivery>> {
        const SQL: &str = concat!(
            deliveries!(),
            " AND ($2 = '' OR d.state = $2) AND ($3 = '' OR d.event_id < $3) ORDER BY d.event_id DESC LIMIT $4"
        );
        let state = state.map_or("", DeliveryState::as_str);
        let rows: Vec<DeliveryRow> = self.fetch_all(SQL, args![endpoint_id, state, before, limit]).await?;
        rows.into_iter().map(EventDelivery::try_from).collect()
    }

    /// Returns false if there is no such delivery, or if it is skipped although it was not waiting or given up.
    pub async fn change_webhook_delivery(
        &self,
        endpoint_id: &str,
        event_id: &str,
        change: DeliveryChange,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let sql = match change {
            DeliveryChange::Resend => {
                "UPDATE webhook_deliveries SET state = 'waiting', attempts = 0, due_at = $3, finished_at = NULL \
                 WHERE endpoint_id = $1 AND event_id = $2"
            }
            DeliveryChange::Skip => {
                "UPDATE webhook_deliveries SET state = 'skipped', finished_at = $3 \
                 WHERE endpoint_id = $1 AND event_id = $2 AND state IN ('waiting', 'failed')"
            }
        };
        let mut tx = self.begin().await?;
        if tx.execute(sql, args![endpoint_id, event_id, now]).await? == 0 {
            return Ok(false);
        }
        tx.call_soon(endpoint_id).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Attempts all deliveries again that were given up. Returns how many.
    pub async fn resend_failed_webhooks(&self, endpoint_id: &str, now: Millis, audit: &AuditEntry) -> Stored<u64> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE webhook_deliveries SET state = 'waiting', attempts = 0, due_at = $2 \
                   WHERE endpoint_id = $1 AND state = 'failed'";
        let count = tx.execute(sql, args![endpoint_id, now]).await?;
        if count > 0 {
            tx.call_soon(endpoint_id).await?;
            tx.audit(audit).await?;
            tx.commit().await?;
        }
        Ok(count)
    }

    /// Writes a test event for one endpoint. Returns false if that is gone.
    pub async fn send_test_webhook(
        &self,
        endpoint_id: &str,
        event_id: &str,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        if !tx.call_soon(endpoint_id).await? {
            return Ok(false);
        }
        let body = body(EventKind::Test, now, TestEvent { endpoint_id: endpoint_id.to_owned() });
        let new = NewEvent { id: event_id, application_id: None, position: 1, kind: EventKind::Test, body: &body };
        tx.write_event(&new, now).await?;
        tx.write_delivery(endpoint_id, &new, now).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Runs one statement that may change a row, and records that.
    async fn change_webhooks(
        &self,
        sql: &'static str,
        args: &[super::query::Arg<'_>],
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        if tx.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.wake_webhooks();
        tx.commit().await?;
        Ok(true)
    }
}

/// Deliveries, for the worker that makes them.
impl Db {
    /// Returns the endpoints that can be called now and have something due.
    pub async fn due_webhook_endpoints(&self, now: Millis) -> Stored<Vec<EndpointCall>> {
        let sql = "SELECT e.id, e.url, e.secret, e.former_secret, e.former_secret_until, e.failing_since \
                   FROM webhook_endpoints e WHERE e.paused_at IS NULL AND e.retry_at <= $1 AND EXISTS \
                   (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'waiting' \
                   AND d.due_at <= $1)";
        let rows: Vec<CallRow> = self.fetch_all(sql, args![now]).await?;
        let call = |row: CallRow| {
            let CallRow { id, url, secret, former_secret, former_secret_until, failing_since } = row;
            let signs = former_secret_until.is_some_and(|until| now < until);
            EndpointCall { id, url, secret, former_secret: former_secret.filter(|_| signs), failing_since }
        };
        Ok(rows.into_iter().map(call).collect())
    }

    /// Leases up to `limit` deliveries of an endpoint that are due. An event waits for the earlier ones of its
    /// application.
    pub async fn claim_webhooks(
        &self,
        endpoint_id: &str,
        limit: i64,
        now: Millis,
        lease_until: Millis,
    ) -> Stored<Vec<ClaimedDelivery>> {
        let sql = self.pick(claim!(""), claim!(" FOR UPDATE OF d SKIP LOCKED"));
        self.write_returning(sql, args![endpoint_id, limit, now, lease_until]).await
    }

    pub async fn webhook_delivered(&self, endpoint_id: &str, event_id: &str, status: u16, now: Millis) -> Stored<()> {
        let sql = "UPDATE webhook_deliveries SET state = 'delivered', last_status = $3, last_error = NULL, \
                   finished_at = $4 WHERE endpoint_id = $1 AND event_id = $2 AND state = 'waiting'";
        self.execute(sql, args![endpoint_id, event_id, i64::from(status), now]).await?;
        Ok(())
    }

    /// Plans another attempt at `retry_at`, or gives the delivery up.
    pub async fn webhook_not_delivered(
        &self,
        endpoint_id: &str,
        event_id: &str,
        (status, error): (Option<u16>, &str),
        retry_at: Option<Millis>,
    ) -> Stored<()> {
        let sql = "UPDATE webhook_deliveries SET last_status = $3, last_error = $4, due_at = COALESCE($5, due_at), \
                   state = CASE WHEN $5 IS NULL THEN 'failed' ELSE 'waiting' END \
                   WHERE endpoint_id = $1 AND event_id = $2 AND state = 'waiting'";
        self.execute(sql, args![endpoint_id, event_id, status.map(i64::from), error, retry_at]).await?;
        Ok(())
    }

    /// Notes that an endpoint takes nothing, and when it is called again.
    pub async fn webhook_endpoint_failing(&self, id: &str, since: Millis, retry_at: Millis) -> Stored<()> {
        let sql =
            "UPDATE webhook_endpoints SET failing_since = COALESCE(failing_since, $2), retry_at = $3 WHERE id = $1";
        self.execute(sql, args![id, since, retry_at]).await?;
        Ok(())
    }

    /// Notes that an endpoint takes deliveries again: those that have failed meanwhile are due at once.
    pub async fn webhook_endpoint_recovered(&self, id: &str, now: Millis) -> Stored<()> {
        let mut tx = self.begin().await?;
        tx.execute("UPDATE webhook_endpoints SET failing_since = NULL, retry_at = 0 WHERE id = $1", args![id]).await?;
        let sql = "UPDATE webhook_deliveries SET due_at = $2 \
                   WHERE endpoint_id = $1 AND state = 'waiting' AND last_error IS NOT NULL AND due_at > $2";
        tx.execute(sql, args![id, now]).await?;
        tx.commit().await
    }

    /// Counts waiting deliveries, and those that were given up.
    pub async fn webhook_counts(&self) -> Stored<(i64, i64)> {
        // By endpoint, of which there are few, because their index begins with it.
        let sql = "SELECT (SELECT COUNT(*) FROM webhook_endpoints e JOIN webhook_deliveries d \
                   ON d.endpoint_id = e.id AND d.state = 'waiting'), \
                   (SELECT COUNT(*) FROM webhook_endpoints e JOIN webhook_deliveries d \
                   ON d.endpoint_id = e.id AND d.state = 'failed')";
        let counts: Vec<(i64, i64)> = self.scan(sql, args![]).await?;
        Ok(counts.first().copied().unwrap_or_default())
    }
}

/// An event to be written.
struct NewEvent<'a> {
    id: &'a str,
    application_id: Option<&'a str>,
    position: i64,
    kind: EventKind,
    body: &'a str,
}

fn body<T: Serialize>(kind: EventKind, at: Millis, data: T) -> String {
    let event = Event { kind: kind.as_str(), timestamp: rfc3339(at), data };
    serde_json::to_string(&event).expect("an event consists of strings and numbers")
}

impl Tx {
    /// Writes the event of a change of stage. That of a decision is held back until it can no longer be recalled.
    pub(super) async fn stage_event(
        &mut self,
        id: &str,
        application_id: &str,
        act: Act,
        (from, to): (Stage, Stage),
        at: Millis,
    ) -> Stored<()> {
        if act == Act::Recall {
            return self.drop_held_event(application_id, at).await;
        }
        let Some(kind) = EventKind::of_act(act) else { return Ok(()) };
        let due_at = if kind == EventKind::DecisionReleased { at + UNDO_MINUTES * MINUTE } else { at };
        let data = |about| StageEvent { about, stage: to.as_str(), previous_stage: from.as_str() };
        self.event(kind, (id, application_id), (at, due_at), data).await
    }

    /// Writes the event of a document that was received. `id` is that of the entry in the record.
    pub(super) async fn document_event(&mut self, id: &str, document_id: &str, at: Millis) -> Stored<()> {
        let sql = "SELECT a.id, d.slot FROM documents d JOIN applications a ON a.applicant_id = d.applicant_id \
                   WHERE d.id = $1 AND a.archived_at IS NULL ORDER BY a.created_at DESC LIMIT 1";
        let found: Vec<(String, String)> = self.fetch_all(sql, args![document_id]).await?;
        let Some((application_id, slot)) = found.into_iter().next() else { return Ok(()) };
        let data = |about| DocumentEvent { about, document_id: document_id.to_owned(), slot };
        self.event(EventKind::DocumentReceived, (id, &application_id), (at, at), data).await
    }

    /// Writes the event of a reference that was received. `id` is that of the entry in the record.
    pub(super) async fn reference_event(
        &mut self,
        id: &str,
        application_id: &str,
        referee_id: &str,
        at: Millis,
    ) -> Stored<()> {
        let data = |about| ReferenceEvent { about, reference_id: referee_id.to_owned() };
        self.event(EventKind::ReferenceReceived, (id, application_id), (at, at), data).await
    }

    /// Writes the event of a transaction of the ledger, if it is about a payment.
    pub(super) async fn payment_event(
        &mut self,
        application_id: &str,
        (id, draft): (&str, &domain::ledger::TransactionDraft),
        at: Millis,
    ) -> Stored<()> {
        let kind = match draft.kind {
            Kind::Payment => EventKind::PaymentReceived,
            Kind::Refund => EventKind::PaymentRefunded,
            Kind::Reversal => {
                let sql = "SELECT kind FROM ledger_transactions WHERE id = $1";
                let reversed: Vec<(String,)> = self.fetch_all(sql, args![draft.about.as_deref()]).await?;
                if reversed.first().is_none_or(|(kind,)| kind != Kind::Payment.as_str()) {
                    return Ok(());
                }
                EventKind::PaymentReversed
            }
            Kind::Charge | Kind::Waiver | Kind::WriteOff => return Ok(()),
        };
        let data = |about| PaymentEvent {
            about,
            transaction_id: id.to_owned(),
            payment_id: draft.about.clone(),
            cents: draft.cents(),
            line: draft.line.map(|line| line.to_string()),
        };
        self.event(kind, (id, application_id), (at, at), data).await
    }

    /// Writes the event of a fee that is paid or waived. `id` is that of the entry in the record.
    pub(super) async fn fee_event(&mut self, id: &str, fee: &ApplicationFee, at: Millis) -> Stored<()> {
        let data = |about| FeeEvent { about, state: fee.state.as_str(), cents: fee.cents };
        self.event(EventKind::FeeSettled, (id, &fee.application_id), (at, at), data).await
    }

    /// Writes an event, and a delivery for each endpoint that wants it. Its id is that of its cause. Nothing is told of
    /// an application that was never submitted: until then, only the applicant can see it.
    async fn event<T: Serialize>(
        &mut self,
        kind: EventKind,
        (id, application_id): (&str, &str),
        (at, due_at): (Millis, Millis),
        data: impl FnOnce(AboutApplication) -> T,
    ) -> Stored<()> {
        let endpoints: Vec<(String, String)> =
            self.fetch_all("SELECT id, events FROM webhook_endpoints", args![]).await?;
        let mut wanting = Vec::new();
        for (endpoint_id, events) in endpoints {
            let kinds = kinds(&events).ok_or_else(|| unreadable("webhook_endpoints.events", &endpoint_id))?;
            if kinds.is_empty() || kinds.contains(&kind) {
                wanting.push(endpoint_id);
            }
        }
        if wanting.is_empty() {
            return Ok(());
        }
        let sql = "SELECT a.reference, a.program, \
                   (SELECT COALESCE(MAX(e.position), 0) + 1 FROM webhook_events e WHERE e.application_id = a.id) \
                   FROM applications a WHERE a.id = $1 AND a.reference IS NOT NULL";
        let found: Vec<(String, String, i64)> = self.fetch_all(sql, args![application_id]).await?;
        let Some((reference, program, position)) = found.into_iter().next() else { return Ok(()) };
        let program =
            Program::of_application_type(&program).ok_or_else(|| unreadable("applications.program", application_id))?;
        let about =
            AboutApplication { application_id: application_id.to_owned(), reference, application_type: program.into() };
        let body = body(kind, at, data(about));
        let new = NewEvent { id, application_id: Some(application_id), position, kind, body: &body };
        self.write_event(&new, at).await?;
        for endpoint_id in wanting {
            self.write_delivery(&endpoint_id, &new, due_at).await?;
        }
        Ok(())
    }

    /// Lets an endpoint be called at once, though it has taken nothing lately. Returns false if it is gone.
    async fn call_soon(&mut self, endpoint_id: &str) -> Stored<bool> {
        self.wake_webhooks();
        let sql = "UPDATE webhook_endpoints SET retry_at = 0 WHERE id = $1";
        Ok(self.execute(sql, args![endpoint_id]).await? > 0)
    }

    async fn write_event(&mut self, new: &NewEvent<'_>, at: Millis) -> Stored<()> {
        let NewEvent { id, application_id, position, kind, body } = *new;
        let sql = "INSERT INTO webhook_events (id, application_id, position, kind, body, occurred_at) \
                   VALUES ($1, $2, $3, $4, $5, $6)";
        self.execute(sql, args![id, application_id, position, kind.as_str(), body, at]).await?;
        Ok(())
    }

    async fn write_delivery(&mut self, endpoint_id: &str, new: &NewEvent<'_>, due_at: Millis) -> Stored<()> {
        let queue = new.application_id.unwrap_or(new.id);
        let sql = "INSERT INTO webhook_deliveries (endpoint_id, event_id, queue, position, state, attempts, due_at) \
                   VALUES ($1, $2, $3, $4, 'waiting', 0, $5)";
        self.execute(sql, args![endpoint_id, new.id, queue, new.position, due_at]).await?;
        self.wake_webhooks();
        Ok(())
    }

    /// Drops the event of a decision that was recalled before anybody knew it.
    async fn drop_held_event(&mut self, application_id: &str, now: Millis) -> Stored<()> {
        let sql = "SELECT v.id FROM webhook_events v JOIN webhook_deliveries d ON d.event_id = v.id \
                   WHERE v.application_id = $1 AND v.kind = $2 AND d.state = 'waiting' AND d.attempts = 0 AND d.due_at > $3";
        let kind = EventKind::DecisionReleased.as_str();
        let held: Vec<(String,)> = self.fetch_all(sql, args![application_id, kind, now]).await?;
        for (id,) in held {
            self.execute("DELETE FROM webhook_deliveries WHERE event_id = $1", args![&id]).await?;
            self.execute("DELETE FROM webhook_events WHERE id = $1", args![&id]).await?;
        }
        Ok(())
    }
}
