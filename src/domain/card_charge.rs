//! Collecting an instalment by card: the state of the charge, and when a refused card is charged again.

use crate::ledger::Line;
use crate::moments::Millis;

/// Milliseconds per day.
const DAY: i64 = 24 * 60 * 60 * 1000;
/// Days after the first refusal on which the card is charged again. After the last one, people decide.
pub const RETRIES: [i64; 3] = [3, 5, 8];

/// The state of a card payment. At most one attempt to pay is under way at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChargeState {
    /// The provider's page is waiting for the payer.
    Open,
    /// The saved card is being charged.
    Charging,
    /// The saved card was refused and will be charged again.
    Failed,
    /// The saved card was refused too often: staff or the applicant decide what to do.
    Stopped,
    /// Nothing is under way.
    Closed,
    /// The payment is in the ledger.
    Paid,
}

impl ChargeState {
    pub const ALL: [ChargeState; 6] = [
        ChargeState::Open,
        ChargeState::Charging,
        ChargeState::Failed,
        ChargeState::Stopped,
        ChargeState::Closed,
        ChargeState::Paid,
    ];

    /// Returns the stored name.
    pub fn as_str(self) -> &'static str {
        match self {
            ChargeState::Open => "open",
            ChargeState::Charging => "charging",
            ChargeState::Failed => "failed",
            ChargeState::Stopped => "stopped",
            ChargeState::Closed => "closed",
            ChargeState::Paid => "paid",
        }
    }

    pub fn parse(name: &str) -> Option<ChargeState> {
        ChargeState::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// Returns when a card that was refused `failures` times, first at `first`, is charged again; `None` if there are no
/// more attempts. Times are in Unix milliseconds.
pub fn retry_at(failures: i64, first: i64) -> Option<i64> {
    let days = usize::try_from(failures).ok().and_then(|failures| RETRIES.get(failures.checked_sub(1)?))?;
    Some(first + days * DAY)
}

/// Whether a card that was refused this many times is no longer charged.
pub fn is_given_up(failures: i64) -> bool {
    failures > 0 && retry_at(failures, 0).is_none()
}

/// The card payment of one instalment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardCharge {
    pub application_id: String,
    pub line: Line,
    pub cents: i64,
    pub state: ChargeState,
    /// Starts at 1; incremented when the previous request can no longer be paid.
    pub round: i64,
    pub saves_card: bool,
    pub checkout_id: Option<String>,
    pub checkout_url: Option<String>,
    pub intent_id: Option<String>,
    /// Number of times the saved card was refused.
    pub failures: i64,
    /// What the provider said about the last refusal.
    pub failure: Option<String>,
    pub first_failed_at: Option<Millis>,
    pub next_at: Option<Millis>,
    pub changed_at: Millis,
    /// Incremented with every change; 0 before it is first stored.
    pub revision: i64,
}

impl CardCharge {
    /// Identifies the request to the provider: stays the same while the request can be paid, no matter who repeats it
    /// or how often.
    pub fn key(&self) -> String {
        format!("{}:{}:{}", self.application_id, self.line, self.round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_card_is_charged_again_on_three_days() {
        let days: Vec<Option<i64>> = (0..6).map(|failures| retry_at(failures, 0).map(|at| at / DAY)).collect();
        assert_eq!(days, [None, Some(3), Some(5), Some(8), None, None]);
        assert_eq!((0..6).map(is_given_up).collect::<Vec<_>>(), [false, false, false, false, true, true]);
    }

    #[test]
    fn a_state_is_read_back_by_its_name() {
        for state in ChargeState::ALL {
            assert_eq!(ChargeState::parse(state.as_str()), Some(state));
        }
    }
}
