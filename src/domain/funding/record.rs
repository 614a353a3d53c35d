//! Plans as stored.

use super::{Funding, SourceKind};
use crate::moments::Millis;

/// A stored plan.
#[derive(Debug, Clone)]
pub struct FundingPlan {
    pub funding: Funding,
    /// Starts at 1 and increases with every change.
    pub revision: i64,
    pub changed_at: Millis,
    /// `applicant:ID`, `staff:ID`
    pub changed_by: String,
    /// Finance's verdicts on sources, as far as they still apply.
    pub verdicts: Vec<SourceVerdict>,
}

impl FundingPlan {
    pub fn verdict(&self, kind: SourceKind) -> Option<&SourceVerdict> {
        self.verdicts.iter().find(|verdict| verdict.kind == kind)
    }
}

/// Who in Finance decided about a source, and when.
#[derive(Debug, Clone)]
pub struct SourceVerdict {
    pub kind: SourceKind,
    /// Id of a member of staff.
    pub decided_by: String,
    pub decided_at: Millis,
}
