//! What many applications come to: how far those of each week have got, how long decisions took, and where it waits.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::domain::status::{Stage, Status};

/// So many weeks are told, the current one last.
pub const WEEKS: usize = 26;
/// Days of waiting from which each share of the waiting is counted, longest last.
pub const WAITS: [i64; 4] = [0, 7, 14, 28];

/// What was counted.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Of applications that were submitted in a week and are at a stage now: the week's place among [`WEEKS`], the stage,
    /// how many.
    pub submitted: Vec<(usize, Stage, i64)>,
    /// Of decisions that were released in a week: the week's place, whole days since the submission, how many.
    pub decided: Vec<(usize, i64, i64)>,
    /// Of applications that are at a stage: the stage, the place among [`WAITS`], how many.
    pub waiting: Vec<(Stage, usize, i64)>,
}

/// A week, from Monday on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Week {
    pub monday: Date,
    /// How many were submitted in it, by the status that they have now; in the order of [`SHOWN`].
    pub by_status: [i64; SHOWN.len()],
    /// How many decisions were released in it.
    pub decided: i64,
    /// Days from the submission to the decision that half of them took at most.
    pub median_days: Option<i64>,
    /// Days that nine of ten took at most.
    pub most_days: Option<i64>,
}

impl Week {
    pub fn submitted(&self) -> i64 {
        self.by_status.iter().sum()
    }
}

/// Statuses in the order in which an application gets to them; the last is that of those that were withdrawn or declined.
pub const SHOWN: [Status; 7] = [
    Status::Incomplete,
    Status::Scheduled,
    Status::Accepted,
    Status::Enrolled,
    Status::Deferred,
    Status::Rejected,
    Status::None,
];

/// Stages at which something is still to come, in the order of the way.
pub const WAITING: [Stage; 8] = [
    Stage::Submitted,
    Stage::Changes,
    Stage::Booked,
    Stage::Held,
    Stage::NoShow,
    Stage::Offered,
    Stage::Lapsed,
    Stage::Confirmed,
];

/// The figures of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// Oldest first.
    pub weeks: Vec<Week>,
    /// For each of [`WAITING`], how many wait for at least so many of [`WAITS`] and fewer than the next.
    pub waiting: Vec<(Stage, [i64; WAITS.len()])>,
}

/// The Mondays of the weeks up to the one with `today`, and the one after it.
pub fn mondays(today: Date) -> Vec<Date> {
    let this = today.saturating_sub(i64::from(today.weekday().to_monday_zero_offset()).days());
    (0..=WEEKS as i64).map(|index| this.saturating_add((7 * (index + 1 - WEEKS as i64)).days())).collect()
}

impl Figures {
    /// `mondays` are those of [`mondays`], in whose weeks it was counted.
    pub fn new(mondays: &[Date], counts: &Counts) -> Figures {
        let week = |(index, monday): (usize, &Date)| {
            let mut by_status = [0; SHOWN.len()];
            for (_, stage, count) in counts.submitted.iter().filter(|(week, ..)| *week == index) {
                if let Some(place) = SHOWN.iter().position(|status| *status == stage.status()) {
                    by_status[place] += count;
                }
            }
            let mut days: Vec<(i64, i64)> = counts
                .decided
                .iter()
                .filter(|(week, ..)| *week == index)
                .map(|(_, days, count)| (*days, *count))
                .collect();
            days.sort_unstable();
            Week {
                monday: *monday,
                by_status,
                decided: days.iter().map(|(_, count)| count).sum(),
                median_days: at_share(&days, 50),
                most_days: at_share(&days, 90),
            }
        };
        let waits = |stage: Stage| {
            let mut waits = [0; WAITS.len()];
            for (_, place, count) in counts.waiting.iter().filter(|(one, ..)| *one == stage) {
                waits[*place] += count;
            }
            (stage, waits)
        };
        Figures {
            weeks: mondays.iter().take(WEEKS).enumerate().map(week).collect(),
            waiting: WAITING.into_iter().map(waits).collect(),
        }
    }
}

/// The least value that at least `percent` of all do not exceed; values in order, each with how many have it.
fn at_share(values: &[(i64, i64)], percent: i64) -> Option<i64> {
    let all: i64 = values.iter().map(|(_, count)| count).sum();
    let mut passed = 0;
    values.iter().find_map(|(value, count)| {
        passed += count;
        (passed * 100 >= all * percent).then_some(*value)
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn weeks_begin_on_mondays_and_end_with_the_current_one() {
        for today in [date(2026, 5, 4), date(2026, 5, 10)] {
            let mondays = mondays(today);
            assert_eq!((mondays.len(), mondays[0]), (27, date(2025, 11, 10)));
            assert_eq!((mondays[25], mondays[26]), (date(2026, 5, 4), date(2026, 5, 11)));
        }
    }

    #[test]
    fn figures_follow_from_what_was_counted() {
        let counts = Counts {
            submitted: vec![
                (25, Stage::Submitted, 3),
                (25, Stage::Changes, 1),
                (25, Stage::Archived, 2),
                (0, Stage::Enrolled, 7),
            ],
            decided: vec![(3, 9, 1), (3, 2, 1), (3, 4, 8)],
            waiting: vec![(Stage::Held, 0, 4), (Stage::Held, 3, 1)],
        };
        let figures = Figures::new(&mondays(date(2026, 5, 4)), &counts);
        assert_eq!(figures.weeks.len(), WEEKS);
        assert_eq!((figures.weeks[25].by_status, figures.weeks[25].submitted()), ([4, 0, 0, 0, 0, 0, 2], 6));
        assert_eq!(figures.weeks[0].by_status[3], 7);
        let week = &figures.weeks[3];
        assert_eq!((week.decided, week.median_days, week.most_days), (10, Some(4), Some(4)));
        assert_eq!((figures.weeks[4].decided, figures.weeks[4].median_days), (0, None));
        assert!(figures.waiting.contains(&(Stage::Held, [4, 0, 0, 1])));
    }

    #[test]
    fn every_stage_of_the_list_has_its_place() {
        for stage in Stage::ALL {
            assert!(SHOWN.contains(&stage.status()), "{stage}");
        }
    }
}
