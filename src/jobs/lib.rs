//! Work that no request waits for: mails of the outbox, jobs that are due, and events for programs of the institute.
//!
//! Any number of processes may run these workers on one database: what is due is leased to one of them at a time. What
//! fails is retried after growing pauses and then parked, which `/metrics` shows.

mod outbox;
mod planned;
mod webhooks;

use std::time::Duration;

use domain::moments::{HOUR, MINUTE, Millis};
pub use outbox::OutboxWorker;
pub use planned::JobWorker;
pub use webhooks::WebhookWorker;

/// The pauses before the retries of something that fails; after the last one it is parked.
pub const PAUSES: [Millis; 5] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR];

/// Returns how long to wait after the failure of attempt number `attempts`; `None` to give up.
fn pause_after(attempts: i64) -> Option<Millis> {
    PAUSES.get(usize::try_from(attempts - 1).ok()?).copied()
}

/// Longer than work on a claim can take; after that another worker may try.
const LEASE: Millis = 5 * MINUTE;
/// How often a worker looks without being notified: for what has become due, retries, work of other processes.
const POLL: Duration = Duration::from_secs(5);
