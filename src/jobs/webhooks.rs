//! Delivering events to programs of the institute.

use futures::future::join_all;
use metrics::counter;
use tokio_util::sync::CancellationToken;

use super::{LEASE, POLL};
use app::App;
use domain::moments::Millis;
use domain::webhook::{PauseReason, pause_after};
use store::{ClaimedDelivery, Db, EndpointCall, Stored};
use webhooks::{Delivery, Sender};

/// Deliveries to one endpoint at a time. All of them end within the lease.
const BATCH: i64 = 8;

/// Delivers events.
pub struct WebhookWorker {
    pub app: App,
    pub store: Db,
    pub sender: Sender,
}

/// What came of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Delivered,
    NotDelivered,
    Gone,
}

impl WebhookWorker {
    /// Runs until `stop`, and finishes the deliveries in progress.
    pub async fn run(self, stop: CancellationToken) {
        let written = self.store.webhook_written();
        while !stop.is_cancelled() {
            if let Err(error) = self.drain(&stop).await {
                tracing::warn!(error = &error as &dyn std::error::Error, "could not work on the webhooks");
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = written.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    /// Delivers everything that is due. A slow endpoint does not make others wait.
    ///
    /// # Errors
    /// Errors of the store. What was not marked is retried when its lease ends.
    pub async fn drain(&self, stop: &CancellationToken) -> Stored<()> {
        let endpoints = self.store.due_webhook_endpoints(self.app.clock.now()).await?;
        for result in join_all(endpoints.iter().map(|endpoint| self.serve(endpoint, stop))).await {
            result?;
        }
        Ok(())
    }

    /// Delivers what is due to one endpoint, until it takes nothing.
    async fn serve(&self, endpoint: &EndpointCall, stop: &CancellationToken) -> Stored<()> {
        let Some(secrets) = self.app.webhook_secrets(endpoint) else {
            tracing::error!(endpoint = endpoint.id, "its secret was sealed with another secret of the program");
            return self.app.webhook_fails(endpoint).await;
        };
        let mut is_failing = endpoint.failing_since.is_some();
        while !stop.is_cancelled() {
            let now = self.app.clock.now();
            let claimed = self.store.claim_webhooks(&endpoint.id, BATCH, now, now + LEASE).await?;
            if claimed.is_empty() {
                break;
            }
            let attempts = claimed.iter().map(|delivery| self.deliver(endpoint, &secrets, delivery));
            let outcomes = join_all(attempts).await.into_iter().collect::<Stored<Vec<_>>>()?;
            if outcomes.contains(&Outcome::Gone) {
                return self.app.pause_broken_webhook(&endpoint.id, PauseReason::Gone).await;
            }
            if !outcomes.contains(&Outcome::Delivered) {
                return self.app.webhook_fails(endpoint).await;
            }
            if is_failing {
                self.store.webhook_endpoint_recovered(&endpoint.id, self.app.clock.now()).await?;
                is_failing = false;
            }
        }
        Ok(())
    }

    async fn deliver(&self, endpoint: &EndpointCall, secrets: &[String], claimed: &ClaimedDelivery) -> Stored<Outcome> {
        let ClaimedDelivery { event_id, kind, body, attempts } = claimed;
        let at = self.app.clock.now().div_euclid(1000);
        let sent = self.sender.send(Delivery { url: &endpoint.url, id: event_id, at, body, secrets }).await;
        let now = self.app.clock.now();
        let (outcome, result) = match sent {
            Ok(status) => {
                self.store.webhook_delivered(&endpoint.id, event_id, status, now).await?;
                (Outcome::Delivered, "delivered")
            }
            Err(error) if webhooks::is_gone(&error) => {
                let failure = (error.status(), error.to_string());
                self.not_delivered(endpoint, event_id, failure, Some(now)).await?;
                (Outcome::Gone, "gone")
            }
            Err(error) => {
                let retry_at = pause_after(*attempts).map(|pause| now + pause);
                let result = if retry_at.is_some() { "retried" } else { "failed" };
                tracing::warn!(
                    endpoint = endpoint.id,
                    event = event_id,
                    kind,
                    attempts,
                    error = &error as &dyn std::error::Error,
                    result,
                    "webhook"
                );
                self.not_delivered(endpoint, event_id, (error.status(), error.to_string()), retry_at).await?;
                (Outcome::NotDelivered, result)
            }
        };
        counter!("webhooks_sent_total", "result" => result).increment(1);
        Ok(outcome)
    }

    async fn not_delivered(
        &self,
        endpoint: &EndpointCall,
        event_id: &str,
        (status, error): (Option<u16>, String),
        retry_at: Option<Millis>,
    ) -> Stored<()> {
        self.store.webhook_not_delivered(&endpoint.id, event_id, (status, &error), retry_at).await
    }
}
