//! Figures: every count is one of a range of an index, so that no row is read.

use std::fmt::Write;

use crate::app::ports::{DAY, Millis, Stored};
use crate::domain::listing::figures::{Counts, WAITING};
use crate::domain::status::Stage;
use crate::store::Db;

/// Those that were submitted.
const LISTED: [Stage; 12] = [
    Stage::Submitted,
    Stage::Changes,
    Stage::Booked,
    Stage::Held,
    Stage::NoShow,
    Stage::Offered,
    Stage::Confirmed,
    Stage::Lapsed,
    Stage::Rejected,
    Stage::Enrolled,
    Stage::Deferred,
    Stage::Archived,
];

/// Stages before a decision: what was recalled is at one of them again.
const UNDECIDED: &str = "'draft', 'submitted', 'changes', 'booked', 'held', 'no_show'";

impl Db {
    /// `weeks` are the beginnings of the weeks and the end of the last one; `waits` the latest moments at which a stage was
    /// reached for each place, latest first.
    pub(super) async fn count_figures(&self, weeks: &[Millis], waits: &[Millis]) -> Stored<Counts> {
        let mut counts = Counts::default();
        for stage in LISTED {
            let ranges: Vec<(Millis, Millis)> = weeks.windows(2).map(|week| (week[0], week[1])).collect();
            for (week, count) in self.count_ranges(stage, "submitted_at", &ranges).await? {
                counts.submitted.push((week, stage, count));
            }
        }
        let later = waits.iter().skip(1).copied().chain([0]);
        let ranges: Vec<(Millis, Millis)> =
            waits.iter().zip(later).map(|(latest, next)| (next + 1, latest + 1)).collect();
        for stage in WAITING {
            for (place, count) in self.count_ranges(stage, "waiting_since", &ranges).await? {
                counts.waiting.push((stage, place, count));
            }
        }
        let mut sql = String::new();
        for (index, week) in weeks.windows(2).enumerate() {
            let union = if index == 0 { "" } else { " UNION ALL " };
            write!(
                sql,
                "{union}SELECT CAST({index} AS BIGINT), (released_at - submitted_at) / {DAY}, COUNT(*) FROM applications \
                 WHERE released_at >= {} AND released_at < {} AND submitted_at IS NOT NULL \
                 AND stage NOT IN ({UNDECIDED}) GROUP BY 2",
                week[0], week[1],
            )
            .expect("writing to a string");
        }
        let decided: Vec<(i64, i64, i64)> = self.scan(&sql, &[]).await?;
        counts.decided = decided
            .into_iter()
            .map(|(week, days, count)| (usize::try_from(week).unwrap_or_default(), days.max(0), count))
            .collect();
        Ok(counts)
    }

    /// How many of a stage are in each range of a column, by the place of the range.
    async fn count_ranges(
        &self,
        stage: Stage,
        column: &'static str,
        ranges: &[(Millis, Millis)],
    ) -> Stored<Vec<(usize, i64)>> {
        let mut sql = String::new();
        for (place, (from, until)) in ranges.iter().enumerate() {
            let union = if place == 0 { "" } else { " UNION ALL " };
            write!(
                sql,
                "{union}SELECT CAST({place} AS BIGINT), COUNT(*) FROM listings \
                 WHERE stage = '{}' AND {column} >= {from} AND {column} < {until}",
                stage.as_str(),
            )
            .expect("writing to a string");
        }
        let counted: Vec<(i64, i64)> = self.scan(&sql, &[]).await?;
        let place = |place: i64| usize::try_from(place).unwrap_or_default();
        Ok(counted.into_iter().filter(|(_, count)| *count > 0).map(|(at, count)| (place(at), count)).collect())
    }
}
