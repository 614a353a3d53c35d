//! What became of the conditions of an offer.

use async_trait::async_trait;

use super::{AuditEntry, Millis, NewMail, Stored};
use domain::decision::ConditionVerdict;

/// What staff have noted about a condition.
#[derive(Debug, Clone)]
pub struct JudgedCondition {
    /// Its place in the decision's list, from 1.
    pub number: i64,
    pub verdict: ConditionVerdict,
    /// Counts up from 1 with every change.
    pub revision: i64,
    /// A member of staff, by their id.
    pub judged_by: String,
    pub judged_at: Millis,
}

/// What is to be noted.
#[derive(Debug, Clone)]
pub struct NewConditionVerdict<'a> {
    pub decision_id: &'a str,
    pub number: i64,
    pub verdict: &'a ConditionVerdict,
    /// The revision that was seen; 0 for an open one.
    pub expected: i64,
    pub judged_by: &'a str,
    pub judged_at: Millis,
}

#[async_trait]
pub trait OfferConditions: Send + Sync {
    /// Those of a decision that are judged, in its order.
    async fn judged_conditions(&self, decision_id: &str) -> Stored<Vec<JudgedCondition>>;
    /// Notes it with its mail. Somebody else has noted something meanwhile: false.
    async fn judge_condition(
        &self,
        new: &NewConditionVerdict<'_>,
        mail: Option<&NewMail>,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// Applications whose offer is accepted and that are not enrolled: ids behind `after`, in their order.
    async fn accepted_applications(&self, after: &str, limit: i64) -> Stored<Vec<String>>;
}
