//! What becomes of the conditions of an offer.

use crate::domain::input::{FieldError, Input, several_lines};

/// Most characters of what is noted about a condition.
const MAX_NOTE_LENGTH: usize = 1_000;

/// What staff found out about a condition. One that nobody has judged is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionState {
    Met,
    /// Not asked for any more.
    Waived,
    /// It will not be met: staff see how to go on.
    Failed,
}

impl ConditionState {
    pub const ALL: [ConditionState; 3] = [ConditionState::Met, ConditionState::Waived, ConditionState::Failed];

    /// As stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            ConditionState::Met => "met",
            ConditionState::Waived => "waived",
            ConditionState::Failed => "failed",
        }
    }

    pub fn parse(name: &str) -> Option<ConditionState> {
        ConditionState::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// For staff.
    pub fn label(self) -> &'static str {
        match self {
            ConditionState::Met => "Met",
            ConditionState::Waived => "Waived",
            ConditionState::Failed => "Failed",
        }
    }

    /// Whether it does not stand against enrolment any more.
    pub fn is_settled(self) -> bool {
        self != ConditionState::Failed
    }
}

/// What is to be noted about a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionVerdict {
    pub state: ConditionState,
    /// What shows it, or why.
    pub note: String,
}

impl ConditionVerdict {
    /// # Errors
    /// `state.required`, `state.unknown`, `note.required`, `note.too_long`, `note.invalid`.
    pub fn parse(state: &str, note: &str) -> Result<ConditionVerdict, Vec<FieldError>> {
        let mut errors = Vec::new();
        let parsed = ConditionState::parse(state);
        if parsed.is_none() {
            let rule = if state.is_empty() { "state.required" } else { "state.unknown" };
            errors.push(FieldError::new("state", rule, "Choose what became of the condition."));
        }
        let given = Input::Text(note.to_owned());
        let note = match several_lines("note", "The note", Some(&given), MAX_NOTE_LENGTH) {
            Ok(Some(note)) => note,
            Ok(None) => {
                let sentence = "Write what shows that it is met, or why it is waived or failed.";
                errors.push(FieldError::new("note", "note.required", sentence));
                String::new()
            }
            Err(error) => {
                errors.push(error);
                String::new()
            }
        };
        match parsed {
            Some(state) if errors.is_empty() => Ok(ConditionVerdict { state, note }),
            _ => Err(errors),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_says_what_and_why() {
        let codes = |state: &str, note: &str| -> Vec<String> {
            let errors = ConditionVerdict::parse(state, note).err().unwrap_or_default();
            errors.into_iter().map(|error| error.code).collect()
        };
        assert_eq!(codes("met", "The diploma came in the mail."), [""; 0]);
        assert_eq!(codes("", " "), ["state.required", "note.required"]);
        assert_eq!(codes("open", "x"), ["state.unknown"]);
        assert_eq!(codes("waived", &"x".repeat(1_001)), ["note.too_long"]);
        let settled: Vec<bool> = ConditionState::ALL.into_iter().map(ConditionState::is_settled).collect();
        assert_eq!(settled, [true, true, false]);
    }
}
