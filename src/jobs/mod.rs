//! Work that no request waits for: mails of the outbox, and sweeping what has expired.
//!
//! Any number of processes may run a [`Worker`] on one database: a mail is leased to one of them at a time.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use metrics::{counter, gauge};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::app::ports::{Clock, HOUR, MINUTE, Mail, Millis, Store, Stored};
use crate::mail::{Delivery, Mailer, SendError};

/// How long after each failure a mail is tried again; after the last one it is parked.
pub const PAUSES: [Millis; 5] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR];

/// Mails sent at a time.
const BATCH: i64 = 4;
/// Longer than sending a batch can take, command for command; after it another worker may try.
const LEASE: Millis = 5 * MINUTE;
/// How often the outbox is looked at when nobody rings: retries, and mails of other processes.
const POLL: Duration = Duration::from_secs(5);

/// Sends mails and sweeps.
pub struct Worker {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub mailer: Mailer,
    /// Rings when a mail was written.
    pub mail_written: Arc<Notify>,
}

impl Worker {
    /// Works until `stop`, and finishes the mails under way.
    pub async fn run(self, stop: CancellationToken) {
        let mut next_sweep = self.clock.now();
        while !stop.is_cancelled() {
            let now = self.clock.now();
            if now >= next_sweep {
                next_sweep = now + HOUR;
                match self.store.sweep(now).await {
                    Ok(rows) => tracing::debug!(rows, "swept"),
                    Err(error) => tracing::warn!(error = &error as &dyn Error, "could not sweep"),
                }
            }
            if let Err(error) = self.drain(&stop).await {
                tracing::warn!(error = &error as &dyn Error, "could not work on the outbox");
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.mail_written.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    /// Sends every mail that is due, batch by batch until none is left or `stop`.
    ///
    /// # Errors
    /// The store's. What was not marked is tried again when its lease ends.
    pub async fn drain(&self, stop: &CancellationToken) -> Stored<()> {
        while !stop.is_cancelled() {
            let now = self.clock.now();
            let mails = self.store.claim_mails(BATCH, now, now + LEASE).await?;
            if mails.is_empty() {
                break;
            }
            for result in join_all(mails.iter().map(|mail| self.deliver(mail))).await {
                result?;
            }
        }
        let (waiting, failed) = self.store.mail_counts().await?;
        // Exact up to 2^53 mails.
        gauge!("outbox_waiting").set(waiting as f64);
        gauge!("outbox_failed").set(failed as f64);
        Ok(())
    }

    async fn deliver(&self, mail: &Mail) -> Stored<()> {
        let sent = self.mailer.send(mail).await;
        let now = self.clock.now();
        let result = match sent {
            Ok(Delivery::Sent) => {
                self.store.mail_sent(&mail.id, "sent", now).await?;
                "sent"
            }
            Ok(Delivery::Kept) => {
                self.store.mail_sent(&mail.id, "kept", now).await?;
                "kept"
            }
            Err(error) => {
                let pause = pause_after(&error, mail.attempts);
                let result = if pause.is_some() { "retried" } else { "failed" };
                tracing::warn!(mail = mail.id, attempts = mail.attempts, error = &error as &dyn Error, result, "mail");
                self.store.mail_failed(&mail.id, &error.to_string(), pause.map(|pause| now + pause)).await?;
                result
            }
        };
        counter!("mails_sent_total", "result" => result).increment(1);
        Ok(())
    }
}

/// How long to wait after the failure of attempt number `attempts`; `None` to give up.
fn pause_after(error: &SendError, attempts: i64) -> Option<Millis> {
    match error {
        SendError::Malformed(_) => None,
        SendError::Refused(_) => PAUSES.get(usize::try_from(attempts - 1).ok()?).copied(),
    }
}
