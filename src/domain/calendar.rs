//! Working days. Holidays are not known here.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// Working days within which we answer when it is our turn.
pub const ANSWER: usize = 10;
/// Working days without progress after which staff are alerted, and the applicant is told.
pub const SLOW: [usize; 2] = [ANSWER, 2 * ANSWER];

/// Returns the day `count` working days after `day`.
pub fn working_days_after(day: Date, count: usize) -> Date {
    let working = |day: &Date| !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
    let mut days = day.series(1.day()).skip(1).filter(working);
    count.checked_sub(1).and_then(|index| days.nth(index)).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn ten_working_days_are_two_weeks_or_a_little_more() {
        // A Monday, a Friday, a Saturday, a Sunday.
        for (day, by) in [(4, 18), (8, 22), (9, 22), (10, 22)] {
            assert_eq!(working_days_after(date(2026, 5, day), 10), date(2026, 5, by), "{day}");
        }
        assert_eq!(working_days_after(date(2026, 5, 4), 20), date(2026, 6, 1));
        assert_eq!(working_days_after(date(2026, 5, 8), 1), date(2026, 5, 11));
        assert_eq!(working_days_after(date(2026, 5, 9), 0), date(2026, 5, 9));
    }
}
