//! Moments as shown by the clocks of a time zone. Zones have IANA names; a name that is missing from our data, which
//! may be older than a browser's, counts as UTC.

use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, ToSpan, Zoned};

pub fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap_or(TimeZone::UTC)
}

/// Returns the moment `at`, in milliseconds since 1970-01-01 UTC, in the time zone.
pub fn zoned(at: i64, zone_name: &str) -> Zoned {
    Timestamp::from_millisecond(at).unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(zone(zone_name))
}

/// Whether people there use the 12-hour clock: in the time zones of the United States.
pub fn has_twelve_hours(zone_name: &str) -> bool {
    const CITIES: [&str; 21] = [
        "Adak",
        "Anchorage",
        "Atka",
        "Boise",
        "Chicago",
        "Denver",
        "Detroit",
        "Fort_Wayne",
        "Indianapolis",
        "Juneau",
        "Los_Angeles",
        "Louisville",
        "Menominee",
        "Metlakatla",
        "New_York",
        "Nome",
        "Phoenix",
        "Puerto_Rico",
        "Shiprock",
        "Sitka",
        "Yakutat",
    ];
    match zone_name.split_once('/') {
        Some(("US", _)) => true,
        Some(("America", city)) => {
            CITIES.contains(&city)
                || ["Indiana/", "Kentucky/", "North_Dakota/"].iter().any(|state| city.starts_with(state))
        }
        Some(("Pacific", city)) => ["Guam", "Honolulu", "Saipan"].contains(&city),
        _ => false,
    }
}

/// Returns the moment at which the zone's clocks show `local`: the first one if there are two, `None` if the time is
/// skipped.
pub fn moment(local: DateTime, zone: &TimeZone) -> Option<i64> {
    let ambiguous = zone.to_ambiguous_timestamp(local);
    let offset = match ambiguous.offset() {
        AmbiguousOffset::Gap { .. } => return None,
        AmbiguousOffset::Fold { before, .. } => before,
        AmbiguousOffset::Unambiguous { offset } => offset,
    };
    offset.to_timestamp(local).ok().map(|moment| moment.as_millisecond())
}

/// Returns the day on which `at` falls.
pub fn day(at: i64, zone_name: &str) -> Date {
    zoned(at, zone_name).date()
}

/// Returns the first moment after the day, in milliseconds since 1970-01-01 UTC.
pub fn end_of(day: Date, zone_name: &str) -> i64 {
    let next = day.saturating_add(1.day());
    next.to_zoned(zone(zone_name)).map_or(i64::MAX, |midnight| midnight.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: i64 = 1_777_896_000_000; // 2026-05-04T12:00:00Z

    #[test]
    fn a_moment_is_on_the_day_that_the_zone_has() {
        assert_eq!(day(NOON, "America/Chicago").to_string(), "2026-05-04");
        assert_eq!(day(NOON, "Pacific/Kiritimati").to_string(), "2026-05-05");
        assert_eq!(zoned(NOON, "no such zone").to_string(), "2026-05-04T12:00:00+00:00[UTC]");
    }

    #[test]
    fn americans_count_twelve_hours() {
        for zone in ["America/New_York", "US/Pacific", "America/Indiana/Knox", "Pacific/Honolulu"] {
            assert!(has_twelve_hours(zone), "{zone}");
        }
        for zone in ["America/Toronto", "America/Sao_Paulo", "Pacific/Auckland", "Europe/Berlin", "UTC", "EST"] {
            assert!(!has_twelve_hours(zone), "{zone}");
        }
    }

    #[test]
    fn the_night_in_which_clocks_are_put_back_is_an_hour_longer() {
        let last: Date = "2026-10-31".parse().unwrap();
        assert_eq!(end_of(last, "America/Chicago") - end_of(last, "UTC"), 5 * 60 * 60 * 1000);
        let next = last.tomorrow().unwrap();
        assert_eq!(end_of(next, "America/Chicago") - end_of(last, "America/Chicago"), 25 * 60 * 60 * 1000);
    }
}
