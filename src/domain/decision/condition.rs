//! The outcome of an offer's conditions.

use crate::body;
use crate::body::{lines, required, wrong};
use crate::input::Input;

/// Maximum length of a note on a condition, in characters.
const MAX_NOTE_LENGTH: usize = 1_000;

/// Staff's verdict on a condition. A condition without a verdict is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionState {
    Met,
    /// No longer required.
    Waived,
    /// Will not be met: staff decide how to proceed.
    Failed,
}

impl ConditionState {
    pub const ALL: [ConditionState; 3] = [ConditionState::Met, ConditionState::Waived, ConditionState::Failed];

    /// Returns the name as stored and sent.
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

    /// Returns the label for staff.
    pub fn label(self) -> &'static str {
        match self {
            ConditionState::Met => "Met",
            ConditionState::Waived => "Waived",
            ConditionState::Failed => "Failed",
        }
    }

    /// Whether it no longer prevents enrolment.
    pub fn is_settled(self) -> bool {
        self != ConditionState::Failed
    }
}

body! {
    /// A verdict on a condition.
    #[derive(PartialEq, Eq)]
    pub struct ConditionVerdict {
        /// `met`, `waived` or `failed`
        #[schema(value_type = String)]
        pub state: ConditionState = |path: &str, input: Option<&Input>| {
            let (rule, state) = match input {
                Some(Input::Text(name)) if !name.is_empty() => ("unknown", ConditionState::parse(name)),
                _ => ("required", None),
            };
            state.ok_or_else(|| wrong(path, rule, "Choose what became of the condition."))
        },
        /// The evidence or the reason; 1 to 1,000 characters.
        #[schema(min_length = 1, max_length = 1000)]
        pub note: String = required(
            lines("The note", MAX_NOTE_LENGTH),
            "Write what shows that it is met, or why it is waived or failed.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_verdict_says_what_and_why() {
        let codes = |state: &str, note: &str| -> Vec<String> {
            let body = json!({ "state": state, "note": note });
            let errors = ConditionVerdict::parse(&Input::from(body)).err().unwrap_or_default();
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
