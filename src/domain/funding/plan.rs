//! What the applicant pays, divided into instalments.

use jiff::ToSpan;
use jiff::civil::Date;

/// Minimum instalment in cents: collecting less would cost more than it yields.
pub(super) const LEAST_INSTALMENT: i64 = 500;
/// Maximum number of instalments in a schedule, whatever its plan says.
pub(super) const MAX_SCHEDULE: u32 = 120;

/// An amount up front, then a monthly amount until everything is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaymentPlan {
    /// Cents; 0 for none.
    pub up_front: i64,
    /// Cents per month; 0 if everything is paid up front.
    pub monthly: i64,
    /// Due date of the first instalment. The others are due on the same day of the following months, or on the last day
    /// of shorter months.
    pub first_due: Date,
}

/// One line of the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instalment {
    /// From 1.
    pub number: u32,
    pub due: Date,
    pub cents: i64,
}

impl PaymentPlan {
    /// Divides `total` cents into instalments. They add up to it exactly: the last one takes the remainder.
    pub fn schedule(&self, total: i64) -> Vec<Instalment> {
        let mut lines = Vec::new();
        let mut left = total.max(0);
        let mut number = 0;
        while left > 0 {
            number += 1;
            let asked = if number == 1 && self.up_front > 0 { self.up_front } else { self.monthly };
            let is_last = asked <= 0 || left - asked < LEAST_INSTALMENT || number == MAX_SCHEDULE;
            let cents = if is_last { left } else { asked };
            lines.push(Instalment { number, due: self.due(number, 0), cents });
            left -= cents;
        }
        lines
    }

    /// Returns the due date of an instalment that is postponed by `moved` whole months.
    pub(super) fn due(&self, number: u32, moved: i32) -> Date {
        let months = i64::from(number) - 1 + i64::from(moved);
        self.first_due.checked_add(months.months()).unwrap_or(self.first_due)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::chance::Chance;

    fn lines(up_front: i64, monthly: i64, total: i64) -> Vec<(u32, String, i64)> {
        let plan = PaymentPlan { up_front, monthly, first_due: date(2026, 8, 31) };
        plan.schedule(total).into_iter().map(|line| (line.number, line.due.to_string(), line.cents)).collect()
    }

    #[test]
    fn the_last_line_takes_the_remainder() {
        let due = |number, day: &str, cents| (number, day.to_owned(), cents);
        let three = [due(1, "2026-08-31", 100_000), due(2, "2026-09-30", 30_000), due(3, "2026-10-31", 20_001)];
        assert_eq!(lines(100_000, 30_000, 150_001), three);
        let all = [due(1, "2026-08-31", 150_001)];
        assert_eq!(lines(150_001, 0, 150_001), all);
        assert_eq!(lines(200_000, 30_000, 150_001), all);
        assert_eq!(lines(0, 0, 150_001), all);
        assert_eq!(lines(0, 30_000, 0), []);
        // A cent is not an instalment.
        let joined = [due(1, "2026-08-31", 30_000), due(2, "2026-09-30", 30_001)];
        assert_eq!(lines(0, 30_000, 60_001), joined);
    }

    #[test]
    fn any_schedule_adds_up_and_goes_on_month_by_month() {
        let mut chance = Chance::new(1);
        for round in 0..5_000 {
            let total = chance.up_to(10_000_000);
            let plan = PaymentPlan {
                up_front: if chance.up_to(3) == 0 { 0 } else { chance.up_to(total + 2) },
                monthly: chance.up_to(500_000),
                first_due: date(2026, 1, 1).checked_add(chance.up_to(2_000).days()).unwrap(),
            };
            let lines = plan.schedule(total);
            let context = format!("round {round}: {plan:?} of {total}: {lines:?}");
            assert_eq!(lines.iter().map(|line| line.cents).sum::<i64>(), total, "{context}");
            assert!(lines.len() <= MAX_SCHEDULE as usize, "{context}");
            assert!(lines.iter().all(|line| line.cents > 0), "{context}");
            assert!(lines.iter().zip(1..).all(|(line, number)| line.number == number), "{context}");
            assert!(lines.windows(2).all(|two| two[0].due < two[1].due), "{context}");
            let middle = lines.iter().skip(usize::from(plan.up_front > 0)).rev().skip(1);
            assert!(middle.clone().all(|line| line.cents == plan.monthly), "{context}");
            if total >= LEAST_INSTALMENT && plan.up_front == 0 && plan.monthly >= LEAST_INSTALMENT {
                assert!(lines.iter().all(|line| line.cents >= LEAST_INSTALMENT), "{context}");
            }
        }
    }
}
