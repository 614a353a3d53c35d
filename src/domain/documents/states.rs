//! The state of a document, derived from its files and the decision of staff.

use serde::Serialize;

use crate::sentence::Sentence;
use crate::text;

/// State of a single file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
pub enum FileState {
    /// Not all bytes have arrived.
    Uploading,
    /// All bytes have arrived and are being checked.
    Checking,
    /// Stored and available to staff.
    Received,
    /// Failed the checks; only the reason is kept.
    Refused,
}

impl FileState {
    pub const ALL: [FileState; 4] =
        [FileState::Uploading, FileState::Checking, FileState::Received, FileState::Refused];

    pub fn as_str(self) -> &'static str {
        match self {
            FileState::Uploading => "uploading",
            FileState::Checking => "checking",
            FileState::Received => "received",
            FileState::Refused => "refused",
        }
    }

    pub fn parse(text: &str) -> Option<FileState> {
        FileState::ALL.into_iter().find(|state| state.as_str() == text)
    }
}

/// A decision by staff about a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewDecision {
    Accepted,
    /// A new one is requested, with a reason.
    Replace,
    Waived,
}

impl ReviewDecision {
    pub fn as_str(self) -> &'static str {
        match self {
            ReviewDecision::Accepted => "accepted",
            ReviewDecision::Replace => "replace",
            ReviewDecision::Waived => "waived",
        }
    }

    pub fn parse(text: &str) -> Option<ReviewDecision> {
        [ReviewDecision::Accepted, ReviewDecision::Replace, ReviewDecision::Waived]
            .into_iter()
            .find(|one| one.as_str() == text)
    }
}

/// The latest decision about a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    pub decision: ReviewDecision,
    /// Shown to the applicant. Empty if none is needed.
    pub reason: String,
    /// Milliseconds since 1970-01-01 UTC.
    pub at: i64,
}

/// State of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
pub enum SlotState {
    Needed,
    Uploading,
    Checking,
    Received,
    Accepted,
    Replace,
    Waived,
}

impl SlotState {
    pub const ALL: [SlotState; 7] = [
        SlotState::Needed,
        SlotState::Uploading,
        SlotState::Checking,
        SlotState::Received,
        SlotState::Accepted,
        SlotState::Replace,
        SlotState::Waived,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            SlotState::Needed => "needed",
            SlotState::Uploading => "uploading",
            SlotState::Checking => "checking",
            SlotState::Received => "received",
            SlotState::Accepted => "accepted",
            SlotState::Replace => "replace",
            SlotState::Waived => "waived",
        }
    }

    pub fn parse(text: &str) -> Option<SlotState> {
        SlotState::ALL.into_iter().find(|state| state.as_str() == text)
    }

    /// Returns the label for applicants.
    pub fn word(self) -> Sentence {
        match self {
            SlotState::Needed => text!("Needed"),
            SlotState::Uploading => text!("Uploading"),
            SlotState::Checking => text!("Checking"),
            SlotState::Received => text!("Received"),
            SlotState::Accepted => text!("Accepted"),
            SlotState::Replace => text!("Please send again"),
            SlotState::Waived => text!("Not needed from you"),
        }
    }

    /// Whether files can still be added.
    pub fn is_open(self) -> bool {
        !matches!(self, SlotState::Accepted | SlotState::Waived)
    }

    /// Whether a file has arrived, or none is needed any more.
    pub fn is_there(self) -> bool {
        self == SlotState::Checking || self.is_settled()
    }

    /// Whether we have what we asked for, or no longer need it.
    pub fn is_settled(self) -> bool {
        matches!(self, SlotState::Received | SlotState::Accepted | SlotState::Waived)
    }
}

/// What matters about a file for the state of its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredFile {
    pub state: FileState,
    /// Milliseconds since 1970-01-01 UTC.
    pub created_at: i64,
}

/// Returns the state of a document with these files. Files sent before a replacement was requested no longer count.
pub fn state_of(review: Option<&Review>, files: &[StoredFile]) -> SlotState {
    let asked_again_at = match review {
        Some(Review { decision: ReviewDecision::Accepted, .. }) => return SlotState::Accepted,
        Some(Review { decision: ReviewDecision::Waived, .. }) => return SlotState::Waived,
        Some(Review { decision: ReviewDecision::Replace, at, .. }) => Some(*at),
        None => None,
    };
    let counts = |file: &&StoredFile| asked_again_at.is_none_or(|at| file.created_at > at);
    let has = |state: FileState| files.iter().filter(counts).any(|file| file.state == state);
    if has(FileState::Uploading) {
        SlotState::Uploading
    } else if has(FileState::Checking) {
        SlotState::Checking
    } else if has(FileState::Received) {
        SlotState::Received
    } else if asked_again_at.is_some() {
        SlotState::Replace
    } else {
        SlotState::Needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_as_far_as_its_slowest_file_and_as_staff_say() {
        use FileState as F;
        let file = |state, created_at| StoredFile { state, created_at };
        let review = |decision| Review { decision, reason: String::new(), at: 10 };
        for (decision, files, expected) in [
            (None, vec![], SlotState::Needed),
            (None, vec![file(F::Refused, 1)], SlotState::Needed),
            (None, vec![file(F::Received, 1)], SlotState::Received),
            (None, vec![file(F::Received, 1), file(F::Checking, 2)], SlotState::Checking),
            (None, vec![file(F::Checking, 2), file(F::Uploading, 3)], SlotState::Uploading),
            (Some(ReviewDecision::Accepted), vec![file(F::Received, 1)], SlotState::Accepted),
            (Some(ReviewDecision::Waived), vec![], SlotState::Waived),
            (Some(ReviewDecision::Replace), vec![file(F::Received, 10)], SlotState::Replace),
            (Some(ReviewDecision::Replace), vec![file(F::Received, 1), file(F::Refused, 11)], SlotState::Replace),
            (Some(ReviewDecision::Replace), vec![file(F::Received, 1), file(F::Received, 11)], SlotState::Received),
            (Some(ReviewDecision::Replace), vec![file(F::Received, 1), file(F::Uploading, 11)], SlotState::Uploading),
        ] {
            assert_eq!(state_of(decision.map(review).as_ref(), &files), expected, "{decision:?} {files:?}");
        }
    }

    #[test]
    fn states_and_decisions_are_stored_by_their_names() {
        for state in [FileState::Uploading, FileState::Checking, FileState::Received, FileState::Refused] {
            assert_eq!(FileState::parse(state.as_str()), Some(state));
        }
        for decision in [ReviewDecision::Accepted, ReviewDecision::Replace, ReviewDecision::Waived] {
            assert_eq!(ReviewDecision::parse(decision.as_str()), Some(decision));
        }
    }
}
