//! How a pause of studies changes the due dates of instalments.

use jiff::civil::Date;

use super::Funding;

/// Maximum number of months per pause: far beyond any deferral.
const MAX: i32 = 600;

/// Instalments postponed because studies were put off. The amounts stay the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// Number of the first instalment that was not settled at the time. It and all later ones are postponed.
    pub from: u32,
    /// Whole months, 1 or more.
    pub months: i32,
}

impl Funding {
    /// Returns the pause needed when studies resume: the fewest whole months that move the first unsettled instalment
    /// to `soonest` or later. `None` if it is due then anyway, or all are settled.
    pub fn pause_until(&self, soonest: Date, is_settled: impl Fn(u32) -> bool) -> Option<Pause> {
        let next = self.schedule().into_iter().find(|line| !is_settled(line.number))?;
        if next.due >= soonest {
            return None;
        }
        let moved: i32 = self.months_moved(next.number);
        let months = (1..=MAX).find(|months| self.plan.due(next.number, moved + months) >= soonest)?;
        Some(Pause { from: next.number, months })
    }

    /// Returns the number of months by which all pauses together postpone an instalment.
    pub(super) fn months_moved(&self, number: u32) -> i32 {
        self.pauses.iter().filter(|pause| pause.from <= number).map(|pause| pause.months).sum()
    }
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;
    use jiff::civil::date;

    use super::*;
    use crate::chance::Chance;
    use crate::funding::{PaymentPlan, Source, SourceKind};

    fn funding(first_due: Date) -> Funding {
        Funding {
            tuition: 100_000,
            sources: vec![Source::named(SourceKind::SelfPay, 100_000)],
            plan: PaymentPlan { up_front: 40_000, monthly: 20_000, first_due },
            pauses: Vec::new(),
        }
    }

    fn dues(funding: &Funding) -> Vec<String> {
        funding.schedule().iter().map(|line| line.due.to_string()).collect()
    }

    #[test]
    fn what_was_not_paid_is_due_later_by_whole_months() {
        let mut plan = funding(date(2026, 8, 31));
        assert_eq!(plan.pause_until(date(2026, 9, 30), |number| number == 1), None);
        assert_eq!(plan.pause_until(date(2027, 1, 1), |_| true), None);
        let pause = plan.pause_until(date(2026, 12, 12), |number| number == 1).unwrap();
        assert_eq!(pause, Pause { from: 2, months: 3 });
        plan.pauses.push(pause);
        assert_eq!(dues(&plan), ["2026-08-31", "2026-12-31", "2027-01-31", "2027-02-28"]);
        // Postponed once more, after another payment.
        let again = plan.pause_until(date(2027, 8, 1), |number| number <= 2).unwrap();
        assert_eq!(again, Pause { from: 3, months: 7 });
        plan.pauses.push(again);
        assert_eq!(dues(&plan), ["2026-08-31", "2026-12-31", "2027-08-31", "2027-09-30"]);
    }

    #[test]
    fn whatever_was_paused_amounts_stay_and_dates_follow_each_other() {
        let mut chance = Chance::new(11);
        for _ in 0..300 {
            let mut plan = funding(date(2026, 1, 31).saturating_add(chance.up_to(60).days()));
            let amounts: Vec<i64> = plan.schedule().iter().map(|line| line.cents).collect();
            let mut paid = 0;
            for _ in 0..4 {
                paid += u32::try_from(chance.up_to(2)).unwrap();
                let before = plan.schedule();
                let soonest = date(2026, 1, 1).saturating_add(chance.up_to(1_500).days());
                let Some(pause) = plan.pause_until(soonest, |number| number <= paid) else { continue };
                plan.pauses.push(pause);
                let after = plan.schedule();
                for (was, is) in before.iter().zip(&after) {
                    assert!(if was.number <= paid { is == was } else { is.due > was.due && is.due >= soonest });
                }
                assert!(after.windows(2).all(|pair| pair[0].due < pair[1].due), "{after:?}");
                assert_eq!(after.iter().map(|line| line.cents).collect::<Vec<_>>(), amounts);
            }
            // The original schedule is still among those that the plan matches.
            assert_eq!(plan.cost_sheets().count(), plan.pauses.len() + 1);
            let first = Funding { pauses: Vec::new(), ..plan.clone() }.cost_sheet();
            assert!(plan.cost_sheets().any(|sheet| sheet == first));
        }
    }
}
