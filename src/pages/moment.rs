//! Moments as people read them. Formatted here and not in the browser, so that both agree.

pub use domain::clocks::day as date;
use domain::clocks::zoned;
pub use domain::moments::full;
use domain::moments::{self, MINUTE, Millis, clock};
use domain::sentence::Sentence;
use domain::text;

/// Formats a time of day: `14:02 CET`, `2:02 PM EST`
pub fn time(at: Millis, zone: &str) -> Sentence {
    moments::clock_and_zone(&zoned(at, zone))
}

/// Formats a day: `Saturday, November 21, 2026`
pub fn day(at: Millis, zone: &str) -> Sentence {
    moments::long_date(date(at, zone))
}

/// Formats a day in short: `Nov 21, 2026`
pub fn short(at: Millis, zone: &str) -> Sentence {
    moments::short_date(date(at, zone))
}

/// Formats the last minute before `until`: `Friday, June 5, 2026, 11:59 PM Eastern Time`
pub fn last_minute(until: Millis, zone: &str) -> Sentence {
    let last = zoned(until - MINUTE, zone);
    let (day, time) = (moments::long_date(last.date()), clock(&last));
    let zone = long_zone(zone).unwrap_or_else(|| Sentence::plain(last.strftime("%Z").to_string()));
    text!("{day}, {time} {zone}", day, time, zone)
}

/// Returns the common name of a time zone that has one for summer and winter.
fn long_zone(zone: &str) -> Option<Sentence> {
    Some(match zone {
        "America/New_York" | "America/Detroit" | "US/Eastern" => text!("Eastern Time"),
        "America/Chicago" | "US/Central" => text!("Central Time"),
        "America/Denver" | "America/Boise" | "US/Mountain" => text!("Mountain Time"),
        "America/Los_Angeles" | "US/Pacific" => text!("Pacific Time"),
        "America/Anchorage" | "US/Alaska" => text!("Alaska Time"),
        "Pacific/Honolulu" | "US/Hawaii" => text!("Hawaii Time"),
        _ => return None,
    })
}

/// Says when something was saved: `Saved 14:02` on the same day, else `Saved on Sat, Nov 21, 14:02`.
pub fn saved(at: Millis, now: Millis, zone: &str) -> Sentence {
    let at = zoned(at, zone);
    let clock = clock(&at);
    if at.date() == zoned(now, zone).date() {
        text!("Saved {clock}", clock)
    } else {
        let (weekday, day) = (moments::short_weekday(at.date()), moments::short_day(at.date()));
        text!("Saved on {weekday}, {day}, {clock}", weekday, day, clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_told_in_the_persons_zone() {
        let at = 1_795_269_720_000; // 2026-11-21T14:02:00Z
        assert_eq!(full(at, "America/New_York"), "Sat, Nov 21, 2026, 9:02\u{a0}AM EST");
        assert_eq!(full(at, "Asia/Tokyo"), "Sat, Nov 21, 2026, 23:02 JST");
        assert_eq!(full(at, "no such zone"), "Sat, Nov 21, 2026, 14:02 UTC");
        assert_eq!(saved(at, at + 60_000, "UTC"), "Saved 14:02");
        assert_eq!(saved(at, at + 86_400_000, "UTC"), "Saved on Sat, Nov 21, 14:02");
    }

    #[test]
    fn the_end_of_a_day_is_its_last_minute() {
        let until = 1_780_718_400_000; // 2026-06-06T04:00:00Z
        assert_eq!(
            last_minute(until, "America/New_York"),
            "Friday, June\u{a0}5,\u{a0}2026, 11:59\u{a0}PM Eastern Time"
        );
        assert_eq!(last_minute(until, "Europe/Berlin"), "Saturday, June\u{a0}6,\u{a0}2026, 05:59 CEST");
    }
}
