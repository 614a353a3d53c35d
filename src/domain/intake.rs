//! Intakes: when studies start, and the application deadline.

use std::collections::BTreeMap;

use jiff::civil::{Date, Weekday, date};
use jiff::{ToSpan, Unit};

use super::moments;
use super::sentence::Sentence;

/// An intake, which starts on the second Monday of January or the last Monday of August.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intake {
    pub start: Date,
    pub deadline: Date,
}

/// Application deadlines set by staff, by intake code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deadlines(BTreeMap<String, Date>);

impl Deadlines {
    pub fn new(days: impl IntoIterator<Item = (String, Date)>) -> Deadlines {
        Deadlines(days.into_iter().collect())
    }

    /// Returns the next intake whose deadline has not passed.
    pub fn next(&self, today: Date) -> Intake {
        let mut intakes = from(today.year()).map(|intake| self.of(intake));
        intakes.find(|intake| intake.deadline >= today).unwrap_or(Intake { start: today, deadline: today })
    }

    /// Returns the intake with its actual deadline.
    pub fn of(&self, intake: Intake) -> Intake {
        Intake { deadline: self.0.get(&intake.code()).copied().unwrap_or(intake.deadline), ..intake }
    }
}

impl Intake {
    /// Returns the intakes that start after `day` and at most `months` months after it, soonest first.
    pub fn within(day: Date, months: u32) -> Vec<Intake> {
        from(day.year())
            .take_while(|intake| intake.months_after(day).is_none_or(|ahead| ahead <= months))
            .filter(|intake| intake.start > day)
            .collect()
    }

    /// Returns the last `count` intakes that have started by `day`, latest first.
    pub fn begun(day: Date, count: i16) -> Vec<Intake> {
        // There are two a year.
        let mut begun: Vec<Intake> = from(day.year() - count).take_while(|intake| intake.start <= day).collect();
        begun.reverse();
        begun.truncate(usize::try_from(count).unwrap_or_default());
        begun
    }

    /// Returns the number of months from `day` to the start, rounded up. `None` if it has started.
    pub fn months_after(self, day: Date) -> Option<u32> {
        if self.start <= day {
            return None;
        }
        let whole = day.until((Unit::Month, self.start)).ok()?.get_months();
        let exact = day.checked_add(whole.months()).ok()? == self.start;
        u32::try_from(if exact { whole } else { whole + 1 }).ok()
    }

    /// Returns the code that is stored and sent: `2026-08`.
    pub fn code(self) -> String {
        self.start.strftime("%Y-%m").to_string()
    }

    pub fn parse(code: &str) -> Option<Intake> {
        let (year, _) = code.split_once('-')?;
        from(year.parse().ok().filter(|year| (2000..9000).contains(year))?).take(2).find(|intake| intake.code() == code)
    }

    /// `August 2026`
    pub fn name(self) -> Sentence {
        moments::month_and_year(self.start)
    }
}

/// Iterates over all intakes from that year on.
fn from(year: i16) -> impl Iterator<Item = Intake> {
    let starts = (year..=9990).flat_map(|year| {
        let january = date(year, 1, 1).nth_weekday_of_month(2, Weekday::Monday);
        let august = date(year, 8, 1).nth_weekday_of_month(-1, Weekday::Monday);
        [january, august]
    });
    starts
        .filter_map(Result::ok)
        .filter_map(|start| Some(Intake { start, deadline: start.checked_sub(6.weeks()).ok()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_intake_is_one_that_can_still_be_applied_for() {
        let august = Intake { start: date(2026, 8, 31), deadline: date(2026, 7, 20) };
        let deadlines = Deadlines::default();
        assert_eq!(deadlines.next(date(2026, 5, 4)), august);
        assert_eq!(deadlines.next(date(2026, 7, 20)), august);
        assert_eq!(deadlines.next(date(2026, 7, 21)).start, date(2027, 1, 11));
        assert_eq!(deadlines.next(date(2026, 12, 31)).start, date(2027, 8, 30));
        let later = Deadlines::new([("2026-08".to_owned(), date(2026, 7, 27))]);
        assert_eq!(later.next(date(2026, 7, 27)), Intake { deadline: date(2026, 7, 27), ..august });
    }

    #[test]
    fn an_intake_is_read_back_by_its_code() {
        let intake = Deadlines::default().next(date(2026, 5, 4));
        assert_eq!((intake.code().as_str(), intake.name().to_string().as_str()), ("2026-08", "August\u{a0}2026"));
        assert_eq!(Intake::parse("2026-08"), Some(intake));
        for code in ["", "2026", "2026-07", "2026-8", "26-08", "-2026-08", "99999-01", "2026-08-31"] {
            assert_eq!(Intake::parse(code), None, "{code}");
        }
    }

    #[test]
    fn the_last_intakes_have_begun() {
        let codes = |day: Date| -> Vec<String> { Intake::begun(day, 3).into_iter().map(Intake::code).collect() };
        assert_eq!(codes(date(2026, 5, 4)), ["2026-01", "2025-08", "2025-01"]);
        assert_eq!(codes(date(2026, 8, 31)), ["2026-08", "2026-01", "2025-08"]);
    }

    #[test]
    fn intakes_are_told_as_far_as_they_may_be_chosen() {
        let codes = |day: Date| -> Vec<String> { Intake::within(day, 24).into_iter().map(Intake::code).collect() };
        assert_eq!(codes(date(2026, 5, 4)), ["2026-08", "2027-01", "2027-08", "2028-01"]);
        // On its first day an intake has started; exactly two years ahead is still within range.
        assert_eq!(codes(date(2026, 8, 31)), ["2027-01", "2027-08", "2028-01", "2028-08"]);
        assert_eq!(Intake::parse("2028-08").unwrap().months_after(date(2026, 8, 28)), Some(24));
        assert_eq!(Intake::parse("2028-08").unwrap().months_after(date(2026, 8, 27)), Some(25));
        assert_eq!(Intake::parse("2026-08").unwrap().months_after(date(2026, 8, 30)), Some(1));
        assert_eq!(Intake::parse("2026-08").unwrap().months_after(date(2026, 8, 31)), None);
    }
}
