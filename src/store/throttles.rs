//! Counted attempts, and the hourly sweep.

use super::Db;
use super::outbox::to_strangers;
use super::query::{Tx, args};
use crate::Stored;
use domain::moments::Millis;

/// How often something may be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// What is counted.
    pub key: String,
    /// Maximum attempts in a window.
    pub most: u32,
    /// A window starts with its first attempt.
    pub window: Millis,
}

/// The outcome of a counted attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throttle {
    Allowed,
    /// Too many; how long until the window ends.
    Refused {
        wait: Millis,
    },
}

/// What keys begin with: kinds of attempts that the metrics count separately.
const THROTTLED: [&str; 27] = [
    "confirm-email",
    "email-change",
    "fee-code",
    "inquiry",
    "inquiry-to",
    "link-to",
    "login",
    "login-from",
    "login-known",
    "login-source",
    "open-day",
    "open-day-of",
    "open-day-to",
    "password-change",
    "personal-data",
    "referee",
    "referee-decline",
    "referee-to",
    "register",
    "reset",
    "reset-from",
    "staff-code",
    "staff-login",
    "staff-login-from",
    "staff-login-known",
    "staff-login-source",
    "staff-reset",
];

/// Counting and deciding are one statement, whose row lock makes it exact. A refused attempt changes nothing.
const COUNT: &str = "INSERT INTO throttles AS t (key, attempts, ends_at) VALUES ($1, 1, $2) \
                     ON CONFLICT (key) DO UPDATE SET \
                     attempts = CASE WHEN t.ends_at <= $3 THEN 1 ELSE t.attempts + 1 END, \
                     ends_at = CASE WHEN t.ends_at <= $3 THEN excluded.ends_at ELSE t.ends_at END \
                     WHERE t.ends_at <= $3 OR t.attempts < $4 RETURNING attempts";

impl Db {
    /// Counts an attempt under `key` in the window that started with its first attempt and is `window` long; refused if
    /// `limit` were made already. Counting and deciding are one step, also across processes.
    pub async fn attempt(&self, key: &str, limit: u32, window: Millis, now: Millis) -> Stored<Throttle> {
        if limit == 0 {
            return Ok(Throttle::Refused { wait: window });
        }
        let counted: Vec<(i64,)> = self.write_returning(COUNT, args![key, now + window, now, i64::from(limit)]).await?;
        if counted.is_empty() { self.refusal(key, limit, now).await } else { Ok(Throttle::Allowed) }
    }

    /// Counts an attempt under each of these limits, or under none if one of them refuses it.
    pub async fn reserve(&self, limits: &[Limit], now: Millis) -> Stored<Throttle> {
        // A flood of refused attempts only causes reads.
        for Limit { key, most, .. } in limits {
            let refused = self.refusal(key, *most, now).await?;
            if refused != Throttle::Allowed {
                return Ok(refused);
            }
        }
        // Always in the same order, so that two with the same keys do not deadlock.
        let mut limits: Vec<&Limit> = limits.iter().collect();
        limits.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        let mut tx = self.begin().await?;
        for limit in limits {
            if let Some(wait) = count(&mut tx, limit, now).await? {
                count_refusal(&limit.key);
                return Ok(Throttle::Refused { wait });
            }
        }
        tx.commit().await?;
        Ok(Throttle::Allowed)
    }

    /// Takes back one attempt under each of these keys.
    pub async fn give_back(&self, keys: &[&str]) -> Stored<()> {
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        let mut tx = self.begin().await?;
        for key in keys {
            tx.execute("UPDATE throttles SET attempts = attempts - 1 WHERE key = $1 AND attempts > 0", args![key])
                .await?;
        }
        tx.commit().await
    }

    /// Forgets the attempts under `key`.
    pub async fn forget(&self, key: &str) -> Stored<()> {
        self.execute("DELETE FROM throttles WHERE key = $1", args![key]).await?;
        Ok(())
    }

    /// Removes windows that ended, old keys, and resets and sessions that expired. Returns how many rows.
    pub async fn sweep(&self, now: Millis) -> Stored<u64> {
        let mut tx = self.begin().await?;
        let mut removed = 0;
        for sql in [
            "DELETE FROM throttles WHERE ends_at <= $1",
            "DELETE FROM password_resets WHERE expires_at <= $1",
            "DELETE FROM staff_password_resets WHERE expires_at <= $1",
            "DELETE FROM email_changes WHERE expires_at <= $1",
            "DELETE FROM email_confirmations WHERE expires_at <= $1",
            "DELETE FROM sessions WHERE expires_at <= $1",
            // Addresses that no account has: they are kept for a month, to answer questions about a mail.
            "DELETE FROM outbox WHERE template IN ('account-closed', 'email-change-offered') AND state <> 'waiting' \
             AND created_at <= $1 - 2592000000",
            // Two years after the day.
            "DELETE FROM open_day_bookings WHERE open_day_id IN \
             (SELECT id FROM open_days WHERE starts_at <= $1 - 63158400000)",
            // What nobody has confirmed, and who has done nothing for two years.
            "DELETE FROM prospects WHERE confirmed_at IS NULL AND confirm_until <= $1",
            "DELETE FROM prospects WHERE confirmed_at IS NOT NULL AND last_act_at <= $1 - 63158400000",
            // Mails to them for a month after that.
            concat!(
                "DELETE FROM outbox WHERE template IN (",
                to_strangers!(),
                ") \
             AND created_at <= $1 - 2592000000 \
             AND NOT EXISTS (SELECT 1 FROM prospects p WHERE p.email_key = LOWER(outbox.recipient)) \
             AND NOT EXISTS (SELECT 1 FROM open_day_bookings b WHERE b.email_key = LOWER(outbox.recipient))"
            ),
            "DELETE FROM slot_claims WHERE held_until <= $1",
            "DELETE FROM staff_sessions WHERE expires_at <= $1",
            // Events can be looked at and sent again for a month.
            "DELETE FROM webhook_deliveries WHERE state IN ('delivered', 'skipped') AND finished_at <= $1 - 2592000000",
            "DELETE FROM webhook_events WHERE occurred_at <= $1 - 2592000000 AND NOT EXISTS \
             (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = webhook_events.id)",
            // A quarter of a year later nobody sends the same again.
            "DELETE FROM idempotency_keys WHERE used_at <= $1 - 7776000000",
            // For a month they can be sent again.
            "DELETE FROM staff_invitations WHERE expires_at <= $1 - 2592000000",
            // What somebody asked for with an address that has not confirmed it.
            "UPDATE prospects SET asked_at = NULL, asked_first_name = NULL, asked_program = NULL, asked_openings = NULL, \
             asked_brochure = NULL, asked_language = NULL, confirm_digest = NULL, confirm_until = NULL \
             WHERE confirmed_at IS NOT NULL AND confirm_until <= $1",
            // Rows that were not imported can be corrected for a month.
            "DELETE FROM import_rows WHERE import_id IN (SELECT id FROM imports WHERE created_at <= $1 - 2592000000 \
             AND state IN ('mapping', 'checked'))",
            "DELETE FROM imports WHERE created_at <= $1 - 2592000000 AND state IN ('mapping', 'checked') AND NOT EXISTS \
             (SELECT 1 FROM import_rows r WHERE r.import_id = imports.id)",
            "UPDATE import_rows SET cells = NULL, active_email_key = NULL, former_reference = NULL \
             WHERE cells IS NOT NULL AND import_id IN (SELECT id FROM imports WHERE created_at <= $1 - 2592000000 \
             AND state NOT IN ('checking', 'running'))",
        ] {
            removed += tx.execute(sql, args![now]).await?;
        }
        tx.commit().await?;
        Ok(removed)
    }
}

impl Db {
    /// Whether `key` has reached its limit.
    async fn refusal(&self, key: &str, limit: u32, now: Millis) -> Stored<Throttle> {
        let sql = "SELECT ends_at FROM throttles WHERE key = $1 AND ends_at > $2 AND attempts >= $3";
        let full: Option<(Millis,)> = self.fetch_optional(sql, args![key, now, i64::from(limit)]).await?;
        Ok(full.map_or(Throttle::Allowed, |(ends_at,)| {
            count_refusal(key);
            Throttle::Refused { wait: ends_at - now }
        }))
    }
}

/// Counts an attempt. Returns how long to wait if it was not counted.
async fn count(tx: &mut Tx, limit: &Limit, now: Millis) -> Stored<Option<Millis>> {
    let Limit { key, most, window } = limit;
    let counted: Vec<(i64,)> = tx.fetch_all(COUNT, args![key, now + window, now, i64::from(*most)]).await?;
    if !counted.is_empty() {
        return Ok(None);
    }
    let ends: Vec<(Millis,)> = tx.fetch_all("SELECT ends_at FROM throttles WHERE key = $1", args![key]).await?;
    Ok(Some(ends.first().map_or(*window, |(ends_at,)| ends_at - now)))
}

/// Counts a refusal in the metrics.
fn count_refusal(key: &str) {
    let what = THROTTLED.into_iter().find(|what| key.split(':').next() == Some(what)).unwrap_or("other");
    metrics::counter!("throttled_total", "what" => what).increment(1);
}
