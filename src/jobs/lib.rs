//! Work that no request waits for: mails of the outbox, and jobs whose time has come.
//!
//! Any number of processes may run these workers on one database: what is due is leased to one of them at a time. What
//! fails is tried again after growing pauses and then parked, where `/metrics` shows it.

mod outbox;
mod planned;

use std::time::Duration;

use domain::moments::{HOUR, MINUTE, Millis};
pub use outbox::OutboxWorker;
pub use planned::JobWorker;

/// How long after each failure something is tried again; after the last one it is parked.
pub const PAUSES: [Millis; 5] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR];

/// How long to wait after the failure of attempt number `attempts`; `None` to give up.
fn pause_after(attempts: i64) -> Option<Millis> {
    PAUSES.get(usize::try_from(attempts - 1).ok()?).copied()
}

/// Longer than working on what was claimed can take; after it another worker may try.
const LEASE: Millis = 5 * MINUTE;
/// How often a worker looks when nobody rings: what has become due, retries, work of other processes.
const POLL: Duration = Duration::from_secs(5);
