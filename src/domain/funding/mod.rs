//! How the tuition of an accepted applicant is paid: sources, instalments and rules.
//!
//! Sources add up to tuition to the cent. What others pay must be confirmed by them; until then the authorisation is
//! pending, which prevents enrolment but not acceptance of the offer.

mod cost_sheet;
mod entry;
mod pause;
mod plan;
mod record;
mod refunds;
mod reminders;
mod rules;
mod source;

pub use cost_sheet::CostSheet;
pub use entry::{FundingEntry, suggestion};
pub use pause::Pause;
pub use plan::{Instalment, PaymentPlan};
pub use record::{FundingPlan, SourceVerdict};
pub use refunds::{RefundRules, RefundStep};
pub use reminders::{PaymentReminders, Reminder};
pub use rules::{FundingRules, MAX_INSTALMENTS};
pub use source::{Source, SourceKind, SourceState};

/// How the tuition of an application is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Funding {
    /// Cents, at the price when the plan was made: later prices do not apply.
    pub tuition: i64,
    /// At most one of each kind, in the order of [`SourceKind::ALL`].
    pub sources: Vec<Source>,
    /// How the applicant's share is divided.
    pub plan: PaymentPlan,
    /// Pauses that postponed instalments, oldest first.
    pub pauses: Vec<Pause>,
}

impl Funding {
    /// Returns the cents covered by sources that were not refused.
    pub fn covered(&self) -> i64 {
        self.sources.iter().filter(|source| source.counts()).map(|source| source.cents).sum()
    }

    /// Returns the cents not covered by any source; negative if the sources exceed tuition.
    pub fn missing(&self) -> i64 {
        self.tuition - self.covered()
    }

    pub fn adds_up(&self) -> bool {
        self.missing() == 0
    }

    /// Whether all payers have confirmed.
    pub fn is_authorised(&self) -> bool {
        self.sources.iter().filter(|source| source.counts()).all(|source| source.state == SourceState::Confirmed)
    }

    /// Whether the funding requirements for enrolment are met.
    pub fn covers_tuition(&self) -> bool {
        self.adds_up() && self.is_authorised()
    }

    pub fn source(&self, kind: SourceKind) -> Option<&Source> {
        self.sources.iter().find(|source| source.kind == kind)
    }

    /// Returns the cents that the applicant pays.
    pub fn self_pay(&self) -> i64 {
        self.source(SourceKind::SelfPay).map_or(0, |source| source.cents)
    }

    /// Returns what the applicant pays and when.
    pub fn schedule(&self) -> Vec<Instalment> {
        let lines = self.plan.schedule(self.self_pay()).into_iter();
        lines
            .map(|line| Instalment { due: self.plan.due(line.number, self.months_moved(line.number)), ..line })
            .collect()
    }

    pub fn cost_sheet(&self) -> CostSheet {
        let sources = self.sources.iter().filter(|source| source.counts()).cloned().collect();
        CostSheet { tuition: self.tuition, sources, schedule: self.schedule() }
    }

    /// Returns the current cost sheet, and those before each pause: with the same amounts, but other dates.
    pub fn cost_sheets(&self) -> impl Iterator<Item = CostSheet> {
        (0..=self.pauses.len()).rev().map(|count| {
            let before = Funding { pauses: self.pauses[..count].to_vec(), ..self.clone() };
            before.cost_sheet()
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn funding(sources: &[(SourceKind, i64, SourceState)]) -> Funding {
        let source = |(kind, cents, state): &(SourceKind, i64, SourceState)| Source {
            kind: *kind,
            cents: *cents,
            state: *state,
            reason: None,
        };
        Funding {
            tuition: 2_480_000,
            sources: sources.iter().map(source).collect(),
            plan: PaymentPlan { up_front: 0, monthly: 100_000, first_due: date(2026, 8, 1) },
            pauses: Vec::new(),
        }
    }

    #[test]
    fn sources_add_up_to_the_cent() {
        use SourceKind::{GiBill, SelfPay, TuitionAssistance};
        use SourceState::{Asked, Confirmed, Pending, Refused};
        for (sources, missing, covers) in [
            (vec![], 2_480_000, false),
            (vec![(SelfPay, 2_480_000, Confirmed)], 0, true),
            (vec![(SelfPay, 2_479_999, Confirmed)], 1, false),
            (vec![(SelfPay, 2_480_001, Confirmed)], -1, false),
            (vec![(GiBill, 1_480_000, Asked), (SelfPay, 1_000_000, Confirmed)], 0, false),
            (vec![(TuitionAssistance, 1_480_000, Pending), (SelfPay, 1_000_000, Confirmed)], 0, false),
            (vec![(GiBill, 1_480_000, Confirmed), (SelfPay, 1_000_000, Confirmed)], 0, true),
            (vec![(GiBill, 1_480_000, Refused), (SelfPay, 1_000_000, Confirmed)], 1_480_000, false),
        ] {
            let funding = funding(&sources);
            assert_eq!((funding.missing(), funding.covers_tuition()), (missing, covers), "{sources:?}");
        }
    }

    #[test]
    fn a_cost_sheet_leaves_out_what_was_refused_and_adds_up() {
        let sources = [
            (SourceKind::GiBill, 500_000, SourceState::Refused),
            (SourceKind::Employer, 1_480_000, SourceState::Pending),
            (SourceKind::SelfPay, 1_000_000, SourceState::Confirmed),
        ];
        let sheet = funding(&sources).cost_sheet();
        assert_eq!(sheet.sources.len(), 2);
        assert_eq!(sheet.sources.iter().map(|source| source.cents).sum::<i64>(), sheet.tuition);
        assert_eq!(sheet.schedule.iter().map(|line| line.cents).sum::<i64>(), 1_000_000);
    }
}
