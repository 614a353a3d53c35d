//! Days and times as people write them. Each format is a sentence that can be translated, as languages order the parts
//! differently.

use jiff::civil::{Date, Time, Weekday};
use jiff::{Timestamp, Zoned};

use super::clocks::{has_twelve_hours, zoned};
use super::sentence::Sentence;
use crate::text;

/// Formats a moment, in milliseconds since 1970-01-01 UTC, as RFC 3339 in UTC.
pub fn rfc3339(at: i64) -> String {
    Timestamp::from_millisecond(at).unwrap_or_default().to_string()
}

/// Formats a moment in milliseconds in a time zone: `Sat, Nov 21, 2026, 14:02 CET`.
pub fn full(at: i64, zone: &str) -> Sentence {
    let at = zoned(at, zone);
    let (weekday, day) = (short_weekday(at.date()), short_day(at.date()));
    text!("{weekday}, {day}, {year}, {time}", weekday, day, year = at.year(), time = clock_and_zone(&at))
}

/// `14:02`, or `2:02 PM` where the 12-hour clock is used.
pub fn clock(at: &Zoned) -> Sentence {
    clock_of(at.time(), has_clock_of_twelve_hours(at))
}

/// A full hour on the clocks of a zone.
pub fn hour(hour: i8, zone: &str) -> Sentence {
    clock_of(Time::constant(hour, 0, 0, 0), has_twelve_hours(zone))
}

/// `14:02–14:40`, `2:02–2:40 PM`
pub fn clock_span(from: &Zoned, until: &Zoned) -> Sentence {
    let has_half = has_clock_of_twelve_hours(from) && (from.hour() < 12) == (until.hour() < 12);
    let from = if has_half { Sentence::plain(from.strftime("%-I:%M").to_string()) } else { clock(from) };
    text!("{from}–{until}", from, until = clock(until))
}

fn has_clock_of_twelve_hours(at: &Zoned) -> bool {
    at.time_zone().iana_name().is_some_and(has_twelve_hours)
}

fn clock_of(time: Time, has_twelve_hours: bool) -> Sentence {
    if !has_twelve_hours {
        return Sentence::plain(time.strftime("%H:%M").to_string());
    }
    let shown = time.strftime("%-I:%M").to_string();
    if time.hour() < 12 { text!("{time}\u{a0}AM", time = shown) } else { text!("{time}\u{a0}PM", time = shown) }
}

/// `14:02 CET`, `2:02 PM EST`
pub fn clock_and_zone(at: &Zoned) -> Sentence {
    text!("{time} {zone}", time = clock(at), zone = at.strftime("%Z").to_string())
}

/// `August`
pub fn month(date: Date) -> Sentence {
    match date.month() {
        1 => text!("January"),
        2 => text!("February"),
        3 => text!("March"),
        4 => text!("April"),
        5 => text!("May"),
        6 => text!("June"),
        7 => text!("July"),
        8 => text!("August"),
        9 => text!("September"),
        10 => text!("October"),
        11 => text!("November"),
        _ => text!("December"),
    }
}

/// `Aug`
pub fn short_month(date: Date) -> Sentence {
    match date.month() {
        1 => text!("Jan"),
        2 => text!("Feb"),
        3 => text!("Mar"),
        4 => text!("Apr"),
        5 => text!("May"),
        6 => text!("Jun"),
        7 => text!("Jul"),
        8 => text!("Aug"),
        9 => text!("Sep"),
        10 => text!("Oct"),
        11 => text!("Nov"),
        _ => text!("Dec"),
    }
}

/// `Monday`
pub fn weekday(date: Date) -> Sentence {
    match date.weekday() {
        Weekday::Monday => text!("Monday"),
        Weekday::Tuesday => text!("Tuesday"),
        Weekday::Wednesday => text!("Wednesday"),
        Weekday::Thursday => text!("Thursday"),
        Weekday::Friday => text!("Friday"),
        Weekday::Saturday => text!("Saturday"),
        Weekday::Sunday => text!("Sunday"),
    }
}

/// `Mon`
pub fn short_weekday(date: Date) -> Sentence {
    match date.weekday() {
        Weekday::Monday => text!("Mon"),
        Weekday::Tuesday => text!("Tue"),
        Weekday::Wednesday => text!("Wed"),
        Weekday::Thursday => text!("Thu"),
        Weekday::Friday => text!("Fri"),
        Weekday::Saturday => text!("Sat"),
        Weekday::Sunday => text!("Sun"),
    }
}

/// `Monday, August 31, 2026`, with a line break possible only after the weekday.
pub fn long_date(date: Date) -> Sentence {
    let (weekday, month, day, year) = (weekday(date), month(date), date.day(), date.year());
    text!("{weekday}, {month}\u{a0}{day},\u{a0}{year}", weekday, month, day, year)
}

/// Like [`long_date`], with line breaks possible anywhere.
pub fn loose_date(date: Date) -> Sentence {
    let (weekday, month, day, year) = (weekday(date), month(date), date.day(), date.year());
    text!("{weekday}, {month} {day}, {year}", weekday, month, day, year)
}

/// `August 31, 2026`
pub fn plain_date(date: Date) -> Sentence {
    text!("{month} {day}, {year}", month = month(date), day = date.day(), year = date.year())
}

/// `Aug 31, 2026`
pub fn short_date(date: Date) -> Sentence {
    let (month, day, year) = (short_month(date), date.day(), date.year());
    text!("{month}\u{a0}{day},\u{a0}{year}", month, day, year)
}

/// `August 2026`
pub fn month_and_year(date: Date) -> Sentence {
    text!("{month}\u{a0}{year}", month = month(date), year = date.year())
}

/// `Monday, August 31`
pub fn long_day(date: Date) -> Sentence {
    text!("{weekday}, {month} {day}", weekday = weekday(date), month = month(date), day = date.day())
}

/// `August 31`
pub fn day(date: Date) -> Sentence {
    text!("{month} {day}", month = month(date), day = date.day())
}

/// `Aug 31`
pub fn short_day(date: Date) -> Sentence {
    text!("{month} {day}", month = short_month(date), day = date.day())
}

/// Milliseconds since 1970-01-01 UTC.
pub type Millis = i64;

pub const MINUTE: Millis = 60_000;

pub const HOUR: Millis = 60 * MINUTE;

pub const DAY: Millis = 24 * HOUR;

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::language::Language;

    #[test]
    fn every_form_of_a_day_is_the_usual_one() {
        for number in 1..=12 {
            let on = date(2026, number, 7);
            for (written, format) in [
                (long_date(on), "%A, %B\u{a0}%-d,\u{a0}%Y"),
                (loose_date(on), "%A, %B %-d, %Y"),
                (plain_date(on), "%B %-d, %Y"),
                (short_date(on), "%b\u{a0}%-d,\u{a0}%Y"),
                (month_and_year(on), "%B\u{a0}%Y"),
                (long_day(on), "%A, %B %-d"),
                (day(on), "%B %-d"),
                (short_day(on), "%b %-d"),
                (short_weekday(on), "%a"),
            ] {
                assert_eq!(written, on.strftime(format).to_string().as_str());
            }
        }
    }

    #[test]
    fn a_time_is_what_the_clock_on_the_wall_shows() {
        let at = |hour, zone| clock_and_zone(&date(2026, 11, 21).at(hour, 2, 0, 0).in_tz(zone).expect("a zone"));
        assert_eq!(at(14, "Europe/Berlin"), "14:02 CET");
        assert_eq!(at(14, "America/New_York"), "2:02\u{a0}PM EST");
        assert_eq!(at(12, "America/New_York"), "12:02\u{a0}PM EST");
        assert_eq!(at(0, "America/New_York"), "12:02\u{a0}AM EST");
        let span = |from: i8, until: i8| {
            let at = |hour| date(2026, 11, 21).at(hour, 0, 0, 0).in_tz("America/New_York").expect("a zone");
            clock_span(&at(from), &at(until)).to_string()
        };
        assert_eq!(
            (span(13, 14).as_str(), span(11, 12).as_str()),
            ("1:00–2:00\u{a0}PM", "11:00\u{a0}AM–12:00\u{a0}PM")
        );
        assert_eq!(at(9, "America/New_York").in_language(Language::Es), "9:02\u{a0}a.\u{a0}m. EST");
    }

    #[test]
    fn a_day_is_told_in_spanish() {
        let spanish = |sentence: Sentence| sentence.in_language(Language::Es);
        assert_eq!(spanish(loose_date(date(2026, 8, 31))), "lunes, 31 de agosto de 2026");
        assert_eq!(spanish(short_date(date(2026, 11, 2))), "2\u{a0}nov\u{a0}2026");
        assert_eq!(spanish(long_day(date(2026, 12, 1))), "martes, 1 de diciembre");
    }
}
