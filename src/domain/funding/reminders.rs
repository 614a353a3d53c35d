//! When to send reminders of an instalment that is not paid by card.

use jiff::civil::Date;

use super::refunds::days_after;

/// Days before and after the due date of an instalment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaymentReminders {
    /// Days before the due date.
    pub before: i64,
    /// Days after the due date, in order. With the last reminder, Finance is alerted, too.
    pub overdue: [i64; 3],
}

impl Default for PaymentReminders {
    fn default() -> Self {
        PaymentReminders { before: 7, overdue: [3, 10, 20] }
    }
}

/// One of the reminders of an instalment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reminder {
    Before,
    Overdue,
    OverdueAgain,
    OverdueLast,
}

impl Reminder {
    pub const ALL: [Reminder; 4] = [Reminder::Before, Reminder::Overdue, Reminder::OverdueAgain, Reminder::OverdueLast];

    /// Returns the stored name.
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
    /// Returns the reminder to send on `today` for an unsettled instalment due on `due`: the latest whose day has come.
    /// Earlier ones are not sent belatedly.
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
