//! Moments in a calendar view: by week and day, in a time zone.

use jiff::civil::{Date, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, ToSpan};

/// A week from Monday to Sunday.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Week {
    pub monday: Date,
    pub days: Vec<Day>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    pub date: Date,
    /// In chronological order, which is not always the order of clock times.
    pub times: Vec<LocalTime>,
}

/// A moment in local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalTime {
    /// Milliseconds since 1970-01-01 UTC.
    pub starts_at: i64,
    pub time: Time,
    pub offset: Offset,
    /// Whether the clock shows this time twice that day, because it goes back: only the offset tells which one is
    /// meant.
    pub is_twice: bool,
}

/// Returns the weeks that contain moments, in order, each with all its days.
pub fn weeks(moments: impl IntoIterator<Item = i64>, zone: &TimeZone) -> Vec<Week> {
    let mut moments: Vec<i64> = moments.into_iter().collect();
    moments.sort_unstable();
    moments.dedup();
    let mut weeks: Vec<Week> = Vec::new();
    for starts_at in moments {
        let Ok(moment) = Timestamp::from_millisecond(starts_at) else { continue };
        let local = moment.to_zoned(zone.clone());
        let date = local.date();
        let since_monday = date.weekday().to_monday_zero_offset();
        let Ok(monday) = date.checked_sub(i64::from(since_monday).days()) else { continue };
        if weeks.last().is_none_or(|week| week.monday != monday) {
            let days = (0..7).filter_map(|day: i64| monday.checked_add(day.days()).ok());
            weeks.push(Week { monday, days: days.map(|date| Day { date, times: Vec::new() }).collect() });
        }
        let is_twice = zone.to_ambiguous_timestamp(local.datetime()).is_ambiguous();
        let time = LocalTime { starts_at, time: local.time(), offset: local.offset(), is_twice };
        let days = weeks.last_mut().map(|week| &mut week.days);
        if let Some(day) = days.and_then(|days| days.get_mut(usize::try_from(since_monday).unwrap_or_default())) {
            day.times.push(time);
        }
    }
    weeks
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    const HALF_HOUR: i64 = 30 * 60_000;

    fn zone(name: &str) -> TimeZone {
        TimeZone::get(name).unwrap()
    }

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_millisecond()
    }

    /// The local times, on one day, of every half hour between two moments.
    fn day(name: &str, from: &str, until: &str, date: Date) -> Vec<String> {
        let moments = (at(from)..at(until)).step_by(HALF_HOUR as usize);
        let weeks = weeks(moments, &zone(name));
        let days = weeks.iter().flat_map(|week| &week.days).find(|day| day.date == date);
        days.map_or(Vec::new(), |day| {
            day.times
                .iter()
                .map(|time| {
                    let shown = time.time.strftime("%H:%M").to_string();
                    if time.is_twice { format!("{shown} {}", time.offset) } else { shown }
                })
                .collect()
        })
    }

    #[test]
    fn where_clocks_are_put_back_both_times_are_told_apart() {
        assert_eq!(
            day("America/New_York", "2026-11-01T04:30:00Z", "2026-11-01T07:30:00Z", date(2026, 11, 1)),
            ["00:30", "01:00 -04", "01:30 -04", "01:00 -05", "01:30 -05", "02:00"]
        );
        assert_eq!(
            day("Europe/Berlin", "2026-10-24T23:30:00Z", "2026-10-25T02:30:00Z", date(2026, 10, 25)),
            ["01:30", "02:00 +02", "02:30 +02", "02:00 +01", "02:30 +01", "03:00"]
        );
        // Half an hour only.
        assert_eq!(
            day("Australia/Lord_Howe", "2026-04-04T14:00:00Z", "2026-04-04T16:00:00Z", date(2026, 4, 5)),
            ["01:00", "01:30 +11", "01:30 +10:30", "02:00"]
        );
    }

    #[test]
    fn where_clocks_are_put_forward_nothing_stands_in_the_gap() {
        assert_eq!(
            day("America/New_York", "2026-03-08T06:00:00Z", "2026-03-08T08:00:00Z", date(2026, 3, 8)),
            ["01:00", "01:30", "03:00", "03:30"]
        );
        assert_eq!(
            day("Europe/Berlin", "2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z", date(2026, 3, 29)),
            ["01:00", "01:30", "03:00", "03:30"]
        );
    }

    #[test]
    fn a_moment_is_on_the_day_of_the_zone() {
        // Kiritimati is at UTC+14: Sunday there is still Saturday in London.
        let noon = "2026-05-09T12:00:00Z";
        for (name, day, monday, time) in [
            ("Pacific/Kiritimati", date(2026, 5, 10), date(2026, 5, 4), "02:00"),
            ("America/New_York", date(2026, 5, 9), date(2026, 5, 4), "08:00"),
            ("Asia/Kolkata", date(2026, 5, 9), date(2026, 5, 4), "17:30"),
            ("Asia/Kathmandu", date(2026, 5, 9), date(2026, 5, 4), "17:45"),
            ("America/St_Johns", date(2026, 5, 9), date(2026, 5, 4), "09:30"),
        ] {
            let weeks = weeks([at(noon)], &zone(name));
            assert_eq!((weeks.len(), weeks[0].monday, weeks[0].days.len()), (1, monday, 7), "{name}");
            let found = weeks[0].days.iter().find(|day| !day.times.is_empty()).unwrap();
            assert_eq!(
                (found.date, found.times[0].time.strftime("%H:%M").to_string()),
                (day, time.to_owned()),
                "{name}"
            );
        }
        // Whether Sunday night belongs to this week or the next also depends on the zone.
        let late = at("2026-05-10T23:00:00Z");
        assert_eq!(weeks([late], &zone("Europe/Berlin"))[0].monday, date(2026, 5, 11));
        assert_eq!(weeks([late], &zone("America/New_York"))[0].monday, date(2026, 5, 4));
    }

    #[test]
    fn a_day_that_a_zone_left_out_has_no_times() {
        // Samoa skipped a Friday.
        let (thursday, saturday) = (at("2011-12-30T09:30:00Z"), at("2011-12-30T10:00:00Z"));
        let weeks = weeks([thursday, saturday], &zone("Pacific/Apia"));
        let days: Vec<Date> = weeks[0].days.iter().filter(|day| !day.times.is_empty()).map(|day| day.date).collect();
        assert_eq!(days, [date(2011, 12, 29), date(2011, 12, 31)]);
    }

    #[test]
    fn a_time_of_several_people_is_one_and_empty_weeks_are_left_out() {
        let (first, second) = (at("2026-05-04T14:00:00Z"), at("2026-06-01T14:00:00Z"));
        let weeks = weeks([second, first, first], &TimeZone::UTC);
        let mondays: Vec<Date> = weeks.iter().map(|week| week.monday).collect();
        assert_eq!(mondays, [date(2026, 5, 4), date(2026, 6, 1)]);
        assert_eq!(weeks[0].days[0].times.len(), 1);
    }
}
