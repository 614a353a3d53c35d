//! Collecting an instalment by card: at which point that is, and when a card that was refused is charged again.

use crate::ledger::Line;
use crate::moments::Millis;

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1000;
/// Days after the first refusal on which the card is charged again. After the last of them, people decide.
pub const RETRIES: [i64; 3] = [3, 5, 8];

/// How far an instalment is that is paid by card. At most one way to pay it is under way at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChargeState {
    /// The provider's page waits for somebody.
    Open,
    /// The saved card is being charged.
    Charging,
    /// The saved card was refused, and is charged again.
    Failed,
    /// It was refused too often: staff or the applicant decide how to go on.
    Stopped,
    /// Nothing is under way.
    Closed,
    /// It stands in the ledger.
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

    /// As stored.
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

/// When a card is charged again that was refused so many times, the first time at `first`; nothing when it was often enough.
/// Moments are Unix milliseconds.
pub fn retry_at(failures: i64, first: i64) -> Option<i64> {
    let days = usize::try_from(failures).ok().and_then(|failures| RETRIES.get(failures.checked_sub(1)?))?;
    Some(first + days * DAY)
}

/// Whether a card that was refused so many times is charged no more.
pub fn is_given_up(failures: i64) -> bool {
    failures > 0 && retry_at(failures, 0).is_none()
}

/// How far an instalment is that is paid by card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardCharge {
    pub application_id: String,
    pub line: Line,
    pub cents: i64,
    pub state: ChargeState,
    /// Counts up from 1, when what was asked for before can no longer be paid.
    pub round: i64,
    pub saves_card: bool,
    pub checkout_id: Option<String>,
    pub checkout_url: Option<String>,
    pub intent_id: Option<String>,
    /// Times that the saved card was refused.
    pub failures: i64,
    /// What the provider said of the last refusal.
    pub failure: Option<String>,
    pub first_failed_at: Option<Millis>,
    pub next_at: Option<Millis>,
    pub changed_at: Millis,
    /// Counts up with every change; 0 before it is kept.
    pub revision: i64,
}

impl CardCharge {
    /// Names what the provider is asked for: the same as long as it can be paid, whoever asks and how often.
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
