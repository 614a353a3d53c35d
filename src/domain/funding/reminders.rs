//! When an instalment that no card pays is reminded of.

use jiff::civil::Date;

use super::refunds::days_after;

/// Days around the day on which an instalment is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaymentReminders {
    /// Days before it.
    pub before: i64,
    /// Days after it, in their order. With the last of them Finance is told, too.
    pub overdue: [i64; 3],
}

impl Default for PaymentReminders {
    fn default() -> Self {
        PaymentReminders { before: 7, overdue: [3, 10, 20] }
    }
}

/// One of the times that an instalment is reminded of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reminder {
    Before,
    Overdue,
    OverdueAgain,
    OverdueLast,
}

impl Reminder {
    pub const ALL: [Reminder; 4] = [Reminder::Before, Reminder::Overdue, Reminder::OverdueAgain, Reminder::OverdueLast];

    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Reminder::Before => "before",
            Reminder::Overdue => "overdue-1",
            Reminder::OverdueAgain => "overdue-2",
            Reminder::OverdueLast => "overdue-3",
        }
    }
}

impl PaymentReminders {
    /// What somebody is to be told on `today` of an instalment that is due on `due` and not settled: the latest whose day has
    /// come. Those before it are not made up for.
    pub fn on(&self, due: Date, today: Date) -> Option<Reminder> {
        let late = days_after(due, today);
        let overdue = [Reminder::OverdueLast, Reminder::OverdueAgain, Reminder::Overdue];
        let after = overdue.into_iter().zip(self.overdue.into_iter().rev()).find(|(_, days)| late >= *days);
        match after {
            Some((reminder, _)) => Some(reminder),
            None => ((-self.before..=0).contains(&late)).then_some(Reminder::Before),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;
    use jiff::civil::date;

    use super::*;

    #[test]
    fn each_day_has_one_reminder_at_most() {
        let due = date(2026, 8, 1);
        let rules = PaymentReminders::default();
        for (days, reminder) in [
            (-8, None),
            (-7, Some(Reminder::Before)),
            (0, Some(Reminder::Before)),
            (1, None),
            (2, None),
            (3, Some(Reminder::Overdue)),
            (9, Some(Reminder::Overdue)),
            (10, Some(Reminder::OverdueAgain)),
            (20, Some(Reminder::OverdueLast)),
            (400, Some(Reminder::OverdueLast)),
        ] {
            assert_eq!(rules.on(due, due.saturating_add(days.days())), reminder, "{days}");
        }
    }

    #[test]
    fn each_has_a_name_of_its_own() {
        let mut names: Vec<&str> = Reminder::ALL.into_iter().map(Reminder::as_str).collect();
        names.dedup();
        assert_eq!(names.len(), Reminder::ALL.len());
    }
}
