//! Moments as people read them. Formatted here and not in the browser, so that both agree.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::catalogue;
use crate::app::ports::Millis;

fn zoned(at: Millis, zone: &str) -> Zoned {
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    Timestamp::from_millisecond(at).unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(zone)
}

/// `Sat, Nov 21, 2026, 14:02 EST`
pub fn full(at: Millis, zone: &str) -> String {
    zoned(at, zone).strftime("%a, %b %-d, %Y, %H:%M %Z").to_string()
}

/// The date on the person's calendar.
pub fn date(at: Millis, zone: &str) -> Date {
    zoned(at, zone).date()
}

/// `14:02 EST`
pub fn time(at: Millis, zone: &str) -> String {
    zoned(at, zone).strftime("%H:%M %Z").to_string()
}

/// `Saturday, November 21, 2026`
pub fn day(at: Millis, zone: &str) -> String {
    catalogue::long_date(date(at, zone))
}

/// `Nov 21, 2026`
pub fn short(at: Millis, zone: &str) -> String {
    catalogue::short_date(date(at, zone))
}

/// `Saved 14:02` on the same day, else `Saved on Sat, Nov 21, 14:02`.
pub fn saved(at: Millis, now: Millis, zone: &str) -> String {
    let at = zoned(at, zone);
    if at.date() == zoned(now, zone).date() {
        at.strftime("Saved %H:%M").to_string()
    } else {
        at.strftime("Saved on %a, %b %-d, %H:%M").to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_told_in_the_persons_zone() {
        let at = 1_795_269_720_000; // 2026-11-21T14:02:00Z
        assert_eq!(full(at, "America/New_York"), "Sat, Nov 21, 2026, 09:02 EST");
        assert_eq!(full(at, "Asia/Tokyo"), "Sat, Nov 21, 2026, 23:02 JST");
        assert_eq!(full(at, "no such zone"), "Sat, Nov 21, 2026, 14:02 UTC");
        assert_eq!(saved(at, at + 60_000, "UTC"), "Saved 14:02");
        assert_eq!(saved(at, at + 86_400_000, "UTC"), "Saved on Sat, Nov 21, 14:02");
    }
}
