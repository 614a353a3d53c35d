//! What studies cost, who pays and when, on one page.

use super::{Instalment, Source};

/// See [`Funding::cost_sheet`](super::Funding::cost_sheet). Sources add up to tuition when the plan does, and the lines of the
/// schedule to what the applicant pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostSheet {
    /// Cents.
    pub tuition: i64,
    /// Without those that were refused.
    pub sources: Vec<Source>,
    pub schedule: Vec<Instalment>,
}
