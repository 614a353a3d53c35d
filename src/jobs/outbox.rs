//! Sending the mails of the outbox.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use metrics::{counter, gauge};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{LEASE, POLL, pause_after};
use app::SealedMail;
use app::ports::{Clock, Sealing};
use domain::mail::Mail;
use domain::moments::Millis;
use mail::{Delivery, Mailer, SendError};
use store::{Db, Stored};

/// Mails sent at a time to a slow server, so that a batch fits into the lease.
const BATCH: i64 = 4;
/// A server that takes a mail within this time gets one at a time, so that a killed process leaves at most one that was
/// taken but not marked, and will be sent again.
const QUICK: Duration = Duration::from_millis(250);

/// Sends mails.
pub struct OutboxWorker {
    pub store: Db,
    pub clock: Arc<dyn Clock>,
    pub sealing: Arc<dyn Sealing>,
    pub mailer: Mailer,
    /// Notified when a mail was written.
    pub mail_written: Arc<Notify>,
}

impl OutboxWorker {
    /// Runs until `stop`, and finishes the mails in progress.
    pub async fn run(self, stop: CancellationToken) {
        while !stop.is_cancelled() {
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
    /// Errors of the store. What was not marked is retried when its lease ends.
    pub async fn drain(&self, stop: &CancellationToken) -> Stored<()> {
        let mut batch = 1;
        while !stop.is_cancelled() {
            let now = self.clock.now();
            let mails = self.store.claim_mails(batch, now, now + LEASE).await?;
            if mails.is_empty() {
                break;
            }
            let begun = Instant::now();
            for result in join_all(mails.iter().map(|mail| self.deliver(mail))).await {
                result?;
            }
            batch = if begun.elapsed() < QUICK { 1 } else { BATCH };
        }
        let (waiting, failed) = self.store.mail_counts().await?;
        // Exact up to 2^53 mails.
        gauge!("outbox_waiting").set(waiting as f64);
        gauge!("outbox_failed").set(failed as f64);
        Ok(())
    }

    /// Sends a mail, in the trace of the request that wrote it.
    async fn deliver(&self, mail: &Mail) -> Stored<()> {
        let span = telemetry::resumed("mail", mail.traceparent.as_deref());
        span.set("matricula.mail", mail.id.clone());
        span.set("matricula.attempts", mail.attempts);
        let result = span.within(self.try_to_deliver(mail)).await?;
        if matches!(result, "retried" | "failed") {
            span.fail(result);
        }
        counter!("mails_sent_total", "result" => result).increment(1);
        Ok(())
    }

    async fn try_to_deliver(&self, mail: &Mail) -> Stored<&'static str> {
        let sent = match SealedMail::open(mail.clone(), &*self.sealing) {
            Some(mail) => self.mailer.send(&mail).await,
            None => Err(SendError::Malformed("it was sealed with another secret of the program".into())),
        };
        let now = self.clock.now();
        Ok(match sent {
            Ok(Delivery::Sent) => {
                self.store.mail_sent(&mail.id, "sent", now).await?;
                "sent"
            }
            Ok(Delivery::Kept) => {
                self.store.mail_sent(&mail.id, "kept", now).await?;
                "kept"
            }
            Err(error) => {
                let pause = pause_after_failure(&error, mail.attempts);
                let result = if pause.is_some() { "retried" } else { "failed" };
                tracing::warn!(mail = mail.id, attempts = mail.attempts, error = &error as &dyn Error, result, "mail");
                self.store.mail_failed(&mail.id, &error.to_string(), pause.map(|pause| now + pause)).await?;
                result
            }
        })
    }
}

/// Returns how long to wait after the failure of attempt number `attempts`; `None` to give up.
fn pause_after_failure(error: &SendError, attempts: i64) -> Option<Millis> {
    match error {
        SendError::Malformed(_) => None,
        SendError::Refused(_) | SendError::Slow => pause_after(attempts),
    }
}
