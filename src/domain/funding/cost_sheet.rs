//! What studies cost, who pays and when, on one page.

use super::{Instalment, Source};

/// See [`Funding::cost_sheet`](super::Funding::cost_sheet). If the plan adds up, the sources total the tuition, and the
/// schedule totals what the applicant pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostSheet {
    /// Cents.
    pub tuition: i64,
    /// Without refused sources.
    pub sources: Vec<Source>,
    pub schedule: Vec<Instalment>,
}
