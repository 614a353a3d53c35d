//! Counted attempts, and the hourly sweep.

use async_trait::async_trait;

use super::Db;
use super::query::args;
use crate::app::ports::{Millis, Stored, Throttle, Throttles};

/// What keys begin with: attempts that count by themselves in the metrics.
const THROTTLED: [&str; 11] = [
    "email-change",
    "login",
    "login-from",
    "personal-data",
    "register",
    "reset",
    "reset-from",
    "staff-code",
    "staff-login",
    "staff-login-from",
    "staff-reset",
];

#[async_trait]
impl Throttles for Db {
    async fn attempt(&self, key: &str, limit: u32, window: Millis, now: Millis) -> Stored<Throttle> {
        if limit == 0 {
            return Ok(Throttle::Refused { wait: window });
        }
        // Counting and deciding are one statement, whose row lock makes it exact. A refused attempt changes nothing, so
        // that a flood of them costs little.
        let sql = "INSERT INTO throttles AS t (key, attempts, ends_at) VALUES ($1, 1, $2) \
                   ON CONFLICT (key) DO UPDATE SET \
                   attempts = CASE WHEN t.ends_at <= $3 THEN 1 ELSE t.attempts + 1 END, \
                   ends_at = CASE WHEN t.ends_at <= $3 THEN excluded.ends_at ELSE t.ends_at END \
                   WHERE t.ends_at <= $3 OR t.attempts < $4 RETURNING attempts";
        let counted: Vec<(i64,)> = self.write_returning(sql, args![key, now + window, now, i64::from(limit)]).await?;
        if counted.is_empty() { self.peek(key, limit, window, now).await } else { Ok(Throttle::Allowed) }
    }

    async fn peek(&self, key: &str, limit: u32, window: Millis, now: Millis) -> Stored<Throttle> {
        if limit == 0 {
            return Ok(Throttle::Refused { wait: window });
        }
        let sql = "SELECT ends_at FROM throttles WHERE key = $1 AND ends_at > $2 AND attempts >= $3";
        let full: Option<(Millis,)> = self.fetch_optional(sql, args![key, now, i64::from(limit)]).await?;
        Ok(full.map_or(Throttle::Allowed, |(ends_at,)| {
            let what = THROTTLED.into_iter().find(|what| key.split(':').next() == Some(what)).unwrap_or("other");
            metrics::counter!("throttled_total", "what" => what).increment(1);
            Throttle::Refused { wait: ends_at - now }
        }))
    }

    async fn forget(&self, key: &str) -> Stored<()> {
        self.execute("DELETE FROM throttles WHERE key = $1", args![key]).await?;
        Ok(())
    }

    async fn sweep(&self, now: Millis) -> Stored<u64> {
        let mut tx = self.begin().await?;
        let mut removed = 0;
        for sql in [
            "DELETE FROM throttles WHERE ends_at <= $1",
            "DELETE FROM password_resets WHERE expires_at <= $1",
            "DELETE FROM staff_password_resets WHERE expires_at <= $1",
            "DELETE FROM email_changes WHERE expires_at <= $1",
            "DELETE FROM sessions WHERE expires_at <= $1",
            // Addresses that no account has: they are kept for a month, to answer questions about a mail.
            "DELETE FROM outbox WHERE template IN ('account-closed', 'email-change-offered') AND state <> 'waiting' \
             AND created_at <= $1 - 2592000000",
            "DELETE FROM slot_claims WHERE held_until <= $1",
            "DELETE FROM staff_sessions WHERE expires_at <= $1",
            // For a month they can be sent again.
            "DELETE FROM staff_invitations WHERE expires_at <= $1 - 2592000000",
        ] {
            removed += tx.execute(sql, args![now]).await?;
        }
        tx.commit().await?;
        Ok(removed)
    }
}
