//! Payments by card: cards, charges, refunds, and events from the provider.

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::query::args;
use crate::{AuditEntry, NewMail, RequestEnd, StoreError, Stored};
use domain::card_charge::{CardCharge, ChargeState};
use domain::ledger::Line;
use domain::moments::Millis;
use domain::task::Task;

/// The provider's customer for an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentCard {
    /// The provider's id for the customer.
    pub customer: String,
    /// The provider's id for the card that later payments are charged to.
    pub method: Option<String>,
    /// Its brand and last four digits.
    pub label: String,
}

/// What is written with a change of a charge, in its transaction.
#[derive(Debug, Clone, Default)]
pub struct ChargeEffects {
    pub audit: Option<AuditEntry>,
    pub mails: Vec<NewMail>,
    pub task: Option<Task>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardRefundState {
    /// The provider is being asked.
    Asked,
    /// It is in the ledger.
    Done,
    Refused,
}

/// A refund of a payment by card.
#[derive(Debug, Clone)]
pub struct CardRefund {
    pub application_id: String,
    /// The key of the form that asked for it.
    pub key: String,
    /// The payment, in the ledger and at the provider.
    pub payment_id: String,
    pub intent_id: String,
    pub cents: i64,
    pub reason: String,
    pub state: CardRefundState,
    /// The provider's reason for refusing it.
    pub failure: Option<String>,
    pub asked_at: Millis,
    pub asked_by: String,
}

/// What existed when a refund was decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundsSeen {
    /// Number of transactions in the ledger.
    pub position: i64,
    /// Number of refunds by card.
    pub refunds: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventState {
    Applied,
    /// Nothing follows from it.
    Ignored,
    /// Money that cannot be assigned to an application.
    Unmatched,
}

/// What is stored of an event from the provider.
#[derive(Debug, Clone)]
pub struct KeptEvent {
    pub id: String,
    pub kind: String,
    pub object_id: String,
    pub cents: Option<i64>,
    pub application_id: Option<String>,
    pub state: EventState,
    pub told_at: Millis,
    pub received_at: Millis,
}

row! {
    struct CardRow {
        customer: String,
        payment_method: Option<String>,
        label: String,
    }
}

impl From<CardRow> for PaymentCard {
    fn from(row: CardRow) -> Self {
        PaymentCard { customer: row.customer, method: row.payment_method, label: row.label }
    }
}

row! {
    struct ChargeRow {
        application_id: String,
        line: String,
        cents: i64,
        state: String,
        round: i64,
        saves_card: i64,
        checkout_id: Option<String>,
        checkout_url: Option<String>,
        intent_id: Option<String>,
        failures: i64,
        failure: Option<String>,
        first_failed_at: Option<i64>,
        next_at: Option<i64>,
        changed_at: i64,
        revision: i64,
    }
}

/// The columns of a [`ChargeRow`], before what chooses the rows.
macro_rules! charges {
    ($which:literal) => {
        concat!(
            "SELECT application_id, line, cents, state, round, saves_card, checkout_id, checkout_url, intent_id, failures, \
             failure, first_failed_at, next_at, changed_at, revision FROM card_charges ",
            $which
        )
    };
}

fn charge(row: ChargeRow) -> Result<CardCharge, StoreError> {
    let line = Line::parse(&row.line).ok_or_else(|| unreadable("card_charges.line", &row.application_id))?;
    let state = ChargeState::parse(&row.state).ok_or_else(|| unreadable("card_charges.state", &row.application_id))?;
    Ok(CardCharge {
        application_id: row.application_id,
        line,
        cents: row.cents,
        state,
        round: row.round,
        saves_card: row.saves_card == 1,
        checkout_id: row.checkout_id,
        checkout_url: row.checkout_url,
        intent_id: row.intent_id,
        failures: row.failures,
        failure: row.failure,
        first_failed_at: row.first_failed_at,
        next_at: row.next_at,
        changed_at: row.changed_at,
        revision: row.revision,
    })
}

row! {
    struct RefundRow {
        application_id: String,
        key: String,
        payment_id: String,
        intent_id: String,
        cents: i64,
        reason: String,
        state: String,
        failure: Option<String>,
        asked_at: i64,
        asked_by: String,
    }
}

macro_rules! refunds {
    ($which:literal) => {
        concat!(
            "SELECT application_id, key, payment_id, intent_id, cents, reason, state, failure, asked_at, asked_by \
             FROM card_refunds ",
            $which
        )
    };
}

fn refund(row: RefundRow) -> Result<CardRefund, StoreError> {
    let state = match row.state.as_str() {
        "asked" => CardRefundState::Asked,
        "done" => CardRefundState::Done,
        "refused" => CardRefundState::Refused,
        _ => return Err(unreadable("card_refunds.state", &row.application_id)),
    };
    Ok(CardRefund {
        application_id: row.application_id,
        key: row.key,
        payment_id: row.payment_id,
        intent_id: row.intent_id,
        cents: row.cents,
        reason: row.reason,
        state,
        failure: row.failure,
        asked_at: row.asked_at,
        asked_by: row.asked_by,
    })
}

impl Db {
    pub async fn payment_card(&self, application_id: &str) -> Stored<Option<PaymentCard>> {
        let sql = "SELECT customer, payment_method, label FROM payment_cards WHERE application_id = $1";
        Ok(self.fetch_optional::<CardRow>(sql, args![application_id]).await?.map(Into::into))
    }

    /// Returns the provider's customers for all applications of the applicant.
    pub async fn customers_of(&self, applicant_id: &str) -> Stored<Vec<String>> {
        let sql = "SELECT c.customer FROM payment_cards c JOIN applications a ON a.id = c.application_id \
                   WHERE a.applicant_id = $1 ORDER BY c.customer";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![applicant_id]).await?;
        Ok(rows.into_iter().map(|(customer,)| customer).collect())
    }

    /// Stores the provider's customer, unless there is one. Returns the stored one.
    pub async fn keep_customer(&self, application_id: &str, customer: &str, at: Millis) -> Stored<PaymentCard> {
        let sql = "INSERT INTO payment_cards (application_id, customer, label, changed_at) VALUES ($1, $2, '', $3) \
                   ON CONFLICT DO NOTHING";
        self.execute(sql, args![application_id, customer, at]).await?;
        let kept = self.payment_card(application_id).await?;
        kept.ok_or_else(|| unreadable("payment_cards.customer", application_id))
    }

    /// Stores another card, or none.
    pub async fn keep_card(
        &self,
        application_id: &str,
        card: &PaymentCard,
        at: Millis,
        audit: &AuditEntry,
    ) -> Stored<()> {
        let mut tx = self.begin().await?;
        let sql = "INSERT INTO payment_cards (application_id, customer, payment_method, label, changed_at) \
                   VALUES ($1, $2, $3, $4, $5) ON CONFLICT (application_id) DO UPDATE SET customer = excluded.customer, \
                   payment_method = excluded.payment_method, label = excluded.label, changed_at = excluded.changed_at";
        tx.execute(sql, args![application_id, &card.customer, card.method.as_deref(), &card.label, at]).await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    pub async fn card_charge(&self, application_id: &str, line: Line) -> Stored<Option<CardCharge>> {
        let sql = charges!("WHERE application_id = $1 AND line = $2");
        let row: Option<ChargeRow> = self.fetch_optional(sql, args![application_id, &line.to_string()]).await?;
        row.map(charge).transpose()
    }

    pub async fn card_charges(&self, application_id: &str) -> Stored<Vec<CardCharge>> {
        let rows: Vec<ChargeRow> =
            self.fetch_all(charges!("WHERE application_id = $1 ORDER BY line"), args![application_id]).await?;
        rows.into_iter().map(charge).collect()
    }

    /// Writes a charge at the next revision. Returns false if it was changed meanwhile.
    pub async fn write_charge(&self, charge: &CardCharge, follows: &ChargeEffects) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = if charge.revision == 0 {
            "INSERT INTO card_charges (application_id, line, cents, state, round, saves_card, checkout_id, checkout_url, \
             intent_id, failures, failure, first_failed_at, next_at, changed_at, revision) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 + 1) ON CONFLICT DO NOTHING"
        } else {
            "UPDATE card_charges SET cents = $3, state = $4, round = $5, saves_card = $6, checkout_id = $7, \
             checkout_url = $8, intent_id = $9, failures = $10, failure = $11, first_failed_at = $12, next_at = $13, \
             changed_at = $14, revision = $15 + 1 WHERE application_id = $1 AND line = $2 AND revision = $15"
        };
        let line = charge.line.to_string();
        let args = args![
            &charge.application_id,
            &line,
            charge.cents,
            charge.state.as_str(),
            charge.round,
            i64::from(charge.saves_card),
            charge.checkout_id.as_deref(),
            charge.checkout_url.as_deref(),
            charge.intent_id.as_deref(),
            charge.failures,
            charge.failure.as_deref(),
            charge.first_failed_at,
            charge.next_at,
            charge.changed_at,
            charge.revision,
        ];
        if tx.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        if let Some(audit) = &follows.audit {
            tx.audit(audit).await?;
        }
        for mail in &follows.mails {
            tx.mail(mail).await?;
        }
        if let Some(task) = &follows.task {
            tx.task(task).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Returns charges in progress that have not changed since `before`.
    pub async fn charges_under_way(&self, before: Millis) -> Stored<Vec<CardCharge>> {
        // A closed charge with a URL is a page on which somebody could still pay.
        let sql = charges!(
            "WHERE (state IN ('open', 'charging') OR (state = 'closed' AND checkout_url IS NOT NULL)) \
             AND changed_at <= $1 ORDER BY changed_at LIMIT 1000"
        );
        let rows: Vec<ChargeRow> = self.fetch_all(sql, args![before]).await?;
        rows.into_iter().map(charge).collect()
    }

    /// Returns enrolled applications with a saved card, in the order of their ids.
    pub async fn applications_with_card(&self, after: &str, limit: i64) -> Stored<Vec<String>> {
        let sql = "SELECT c.application_id FROM payment_cards c JOIN applications a ON a.id = c.application_id \
                   WHERE c.payment_method IS NOT NULL AND a.stage = 'enrolled' AND c.application_id > $1 \
                   ORDER BY c.application_id LIMIT $2";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![after, limit]).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Returns applications that are over and still have a saved card.
    pub async fn cards_left_over(&self, limit: i64) -> Stored<Vec<String>> {
        let sql = "SELECT c.application_id FROM payment_cards c JOIN applications a ON a.id = c.application_id \
                   WHERE c.payment_method IS NOT NULL AND a.stage IN ('archived', 'rejected') LIMIT $1";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![limit]).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Returns the application and the transaction for which a payment of the provider was recorded.
    pub async fn payment_by_cause(&self, cause: &str) -> Stored<Option<(String, String)>> {
        let sql = "SELECT application_id, id FROM ledger_transactions WHERE cause = $1 LIMIT 1";
        let rows: Vec<(String, String)> = self.fetch_all(sql, args![cause]).await?;
        Ok(rows.into_iter().next())
    }

    /// Stores a refund that is about to be requested, unless there is one under its key. Returns the stored one. An
    /// approved refund also ends its request. Returns `None` if the ledger, the refunds or the request have changed
    /// meanwhile.
    pub async fn ask_refund(
        &self,
        asked: &CardRefund,
        seen: RefundsSeen,
        approval: Option<&RequestEnd>,
    ) -> Stored<Option<CardRefund>> {
        let CardRefund { application_id, key, payment_id, intent_id, cents, reason, asked_at, asked_by, .. } = asked;
        let mut tx = self.begin().await?;
        tx.lock_money(application_id).await?;
        let sql = refunds!("WHERE application_id = $1 AND key = $2");
        let kept: Vec<RefundRow> = tx.fetch_all(sql, args![application_id, key]).await?;
        if let Some(row) = kept.into_iter().next() {
            // The refund of a request is stored by whoever approves it.
            return if approval.is_none() { refund(row).map(Some) } else { Ok(None) };
        }
        let sql = "SELECT COUNT(*) FROM card_refunds WHERE application_id = $1";
        let refunds: Vec<(i64,)> = tx.fetch_all(sql, args![application_id]).await?;
        if refunds.first().map_or(0, |(count,)| *count) != seen.refunds
            || tx.ledger_position(application_id).await? != seen.position
        {
            return Ok(None);
        }
        if let Some(approval) = approval
            && !tx.end_request(approval).await?
        {
            return Ok(None);
        }
        let sql = "INSERT INTO card_refunds (application_id, key, payment_id, intent_id, cents, reason, state, asked_at, \
                   asked_by) VALUES ($1, $2, $3, $4, $5, $6, 'asked', $7, $8)";
        let args = args![application_id, key, payment_id, intent_id, *cents, reason, *asked_at, asked_by];
        tx.execute(sql, args).await?;
        tx.commit().await?;
        Ok(Some(asked.clone()))
    }

    pub async fn end_refund(&self, ended: &CardRefund, state: CardRefundState, failure: Option<&str>) -> Stored<()> {
        let state = match state {
            CardRefundState::Asked => "asked",
            CardRefundState::Done => "done",
            CardRefundState::Refused => "refused",
        };
        let sql = "UPDATE card_refunds SET state = $3, failure = $4 WHERE application_id = $1 AND key = $2";
        self.execute(sql, args![&ended.application_id, &ended.key, state, failure]).await?;
        Ok(())
    }

    /// Returns the refunds by card of an application.
    pub async fn card_refunds(&self, application_id: &str) -> Stored<Vec<CardRefund>> {
        let sql = refunds!("WHERE application_id = $1 ORDER BY asked_at, key");
        let rows: Vec<RefundRow> = self.fetch_all(sql, args![application_id]).await?;
        rows.into_iter().map(refund).collect()
    }

    /// Returns refunds that were requested until `before` and have not ended.
    pub async fn refunds_under_way(&self, before: Millis) -> Stored<Vec<CardRefund>> {
        let sql = refunds!("WHERE state = 'asked' AND asked_at <= $1 ORDER BY asked_at LIMIT 1000");
        let rows: Vec<RefundRow> = self.fetch_all(sql, args![before]).await?;
        rows.into_iter().map(refund).collect()
    }

    pub async fn is_event_kept(&self, id: &str) -> Stored<bool> {
        let sql = "SELECT COUNT(*) FROM provider_events WHERE id = $1";
        Ok(self.fetch_optional::<(i64,)>(sql, args![id]).await?.is_some_and(|(count,)| count > 0))
    }

    /// Stores an event, unless it is stored already.
    pub async fn keep_event(&self, event: &KeptEvent, task: Option<&Task>) -> Stored<()> {
        let KeptEvent { id, kind, object_id, cents, application_id, state, told_at, received_at } = event;
        let state = match state {
            EventState::Applied => "applied",
            EventState::Ignored => "ignored",
            EventState::Unmatched => "unmatched",
        };
        let mut tx = self.begin().await?;
        let sql = "INSERT INTO provider_events (id, kind, object_id, cents, application_id, state, note, told_at, \
                   received_at) VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8) ON CONFLICT DO NOTHING";
        let args = args![id, kind, object_id, *cents, application_id.as_deref(), state, *told_at, *received_at];
        if tx.execute(sql, args).await? > 0
            && let Some(task) = task
        {
            tx.task(task).await?;
        }
        tx.commit().await
    }

    /// Returns the time of the newest stored event.
    pub async fn newest_event(&self) -> Stored<Option<Millis>> {
        let sql = "SELECT told_at FROM provider_events ORDER BY told_at DESC LIMIT 1";
        let rows: Vec<(i64,)> = self.fetch_all(sql, args![]).await?;
        Ok(rows.into_iter().next().map(|(at,)| at))
    }
}
