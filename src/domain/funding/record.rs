//! Plans as they are stored.

use super::{Funding, SourceKind};
use crate::moments::Millis;

/// A plan as it is kept.
#[derive(Debug, Clone)]
pub struct FundingPlan {
    pub funding: Funding,
    /// Counts up with every change, from 1.
    pub revision: i64,
    pub changed_at: Millis,
    /// `applicant:ID`, `staff:ID`
    pub changed_by: String,
    /// What Finance said of sources, as far as that still holds.
    pub verdicts: Vec<SourceVerdict>,
}

impl FundingPlan {
    pub fn verdict(&self, kind: SourceKind) -> Option<&SourceVerdict> {
        self.verdicts.iter().find(|verdict| verdict.kind == kind)
    }
}

/// Who of Finance decided about a source, and when.
#[derive(Debug, Clone)]
pub struct SourceVerdict {
    pub kind: SourceKind,
    /// The id of a member of staff.
    pub decided_by: String,
    pub decided_at: Millis,
}
