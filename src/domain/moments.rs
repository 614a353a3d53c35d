//! Days as people write them: sentences of their own, since each language puts their parts in another order.

use jiff::Zoned;
use jiff::civil::{Date, Weekday};

use super::clocks::zoned;
use super::sentence::Sentence;
use crate::text;

/// `Sat, Nov 21, 2026, 14:02 EST`, of a moment in milliseconds on the clock of a zone.
pub fn full(at: i64, zone: &str) -> Sentence {
    let at = zoned(at, zone);
    let (weekday, day) = (short_weekday(at.date()), short_day(at.date()));
    text!("{weekday}, {day}, {year}, {time}", weekday, day, year = at.year(), time = clock_and_zone(&at))
}

/// `14:02 EST`
pub fn clock_and_zone(at: &Zoned) -> String {
    at.strftime("%H:%M %Z").to_string()
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

/// `Monday, August 31, 2026`, which breaks only after the weekday.
pub fn long_date(date: Date) -> Sentence {
    let (weekday, month, day, year) = (weekday(date), month(date), date.day(), date.year());
    text!("{weekday}, {month}\u{a0}{day},\u{a0}{year}", weekday, month, day, year)
}

/// The same, which may break anywhere.
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

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::domain::language::Language;

    #[test]
    fn every_form_of_a_day_is_the_usual_one() {
        for number in 1..=12 {
            let on = date(2026, number, 7);
            for (told, format) in [
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
                assert_eq!(told, on.strftime(format).to_string().as_str());
            }
        }
    }

    #[test]
    fn a_day_is_told_in_spanish() {
        let told = |sentence: Sentence| sentence.in_language(Language::Es);
        assert_eq!(told(loose_date(date(2026, 8, 31))), "lunes, 31 de agosto de 2026");
        assert_eq!(told(short_date(date(2026, 11, 2))), "2\u{a0}nov\u{a0}2026");
        assert_eq!(told(long_day(date(2026, 12, 1))), "martes, 1 de diciembre");
    }
}
