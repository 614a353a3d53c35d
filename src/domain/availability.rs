//! When staff are available: weekly times, days off and extra times, and the bookable times that follow from them.

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use super::interview::Span;
use crate::body::within;
use crate::clocks;
use crate::input::{FieldError, Input, unknown_fields};
use crate::sentence::Sentence;

/// Shortest and longest interview, in minutes.
pub const LENGTHS: std::ops::RangeInclusive<i64> = 10..=240;
/// Maximum minutes between two interviews.
pub const MAX_BUFFER: i64 = 120;
/// Range of a booking's minimum notice, in hours: from what the table of statuses requires to two weeks.
pub const NOTICE: std::ops::RangeInclusive<i64> = 24..=336;
/// Maximum number of weeks ahead for which times are offered.
pub const MAX_WEEKS: i64 = 26;
const MAX_WINDOWS: usize = 50;
const MAX_EXCEPTIONS: usize = 200;
const MINUTE: i64 = 60_000;

/// The rules from which bookable times are generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Availability {
    /// IANA name of the time zone in which the times are given.
    pub time_zone: String,
    /// Length of an interview.
    pub minutes: i64,
    /// Minutes between two interviews.
    pub buffer: i64,
    /// Hours of notice that a booking needs.
    pub notice: i64,
    /// Ordered by weekday; windows on the same day do not overlap.
    pub weekly: Vec<Window>,
    /// Ordered by date.
    pub exceptions: Vec<Exception>,
}

/// Default values for new rules, and how far ahead times are generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotRules {
    /// Length of an interview.
    pub minutes: i64,
    /// Minutes between two interviews.
    pub buffer: i64,
    /// Hours of notice that a booking needs.
    pub notice: i64,
    /// Number of weeks ahead for which times are offered.
    pub weeks: i64,
}

impl Default for SlotRules {
    fn default() -> Self {
        SlotRules { minutes: 40, buffer: 10, notice: 24, weeks: 8 }
    }
}

/// A time range that repeats every week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub weekday: Weekday,
    pub hours: Hours,
}

/// A time range within a day. An end at midnight means the end of that day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hours {
    pub from: Time,
    pub until: Time,
}

/// A day that deviates from the weekly times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exception {
    pub date: Date,
    /// Extra times on that day; `None` makes it a day off apart from any extra times.
    pub extra: Option<Hours>,
}

impl Hours {
    /// Returns the minute of the day at which it ends; 1440 is midnight.
    fn end(self) -> i64 {
        let minutes = i64::from(self.until.hour()) * 60 + i64::from(self.until.minute());
        if minutes == 0 { 24 * 60 } else { minutes }
    }

    fn start(self) -> i64 {
        i64::from(self.from.hour()) * 60 + i64::from(self.from.minute())
    }

    fn overlaps(self, other: Hours) -> bool {
        self.start() < other.end() && other.start() < self.end()
    }
}

impl Availability {
    /// Returns the initial rules of somebody who has not set any.
    pub fn empty(time_zone: &str, rules: &SlotRules) -> Availability {
        Availability {
            time_zone: time_zone.to_owned(),
            minutes: rules.minutes,
            buffer: rules.buffer,
            notice: rules.notice,
            weekly: Vec::new(),
            exceptions: Vec::new(),
        }
    }

    /// # Errors
    /// `timeZone.required`, `timeZone.unknown`, `minutes.range`, `buffer.range`, `notice.range`, `weekly.…`,
    /// `exceptions.…`, unknown fields.
    pub fn parse(input: &Input) -> Result<Availability, Vec<FieldError>> {
        let entries = input.entries()?;
        let known = ["timeZone", "minutes", "buffer", "notice", "weekly", "exceptions"];
        let mut errors: Vec<FieldError> = unknown_fields(entries, &known).collect();
        let time_zone = match Input::get(entries, "timeZone") {
            Some(Input::Text(name)) if TimeZone::get(name).is_ok() => name.clone(),
            given => {
                let code = if given.is_some() { "timeZone.unknown" } else { "timeZone.required" };
                errors.push(FieldError::new("timeZone", code, "Choose a time zone of the list."));
                String::new()
            }
        };
        let mut whole = |name: &str, range: std::ops::RangeInclusive<i64>, what: &str| {
            let number = match Input::get(entries, name) {
                Some(Input::Whole(number)) => Some(*number),
                Some(Input::Text(text)) => text.trim().parse().ok(),
                _ => None,
            };
            number.filter(|number| range.contains(number)).unwrap_or_else(|| {
                let message = format!("{what} must be {} to {}.", range.start(), range.end());
                errors.push(FieldError::new(name, format!("{name}.range"), Sentence::plain(message)));
                0
            })
        };
        let minutes = whole("minutes", LENGTHS, "The length in minutes");
        let buffer = whole("buffer", 0..=MAX_BUFFER, "The pause in minutes");
        let notice = whole("notice", NOTICE, "The hours that applicants book ahead");
        let mut availability =
            Availability { time_zone, minutes, buffer, notice, weekly: Vec::new(), exceptions: Vec::new() };
        for (place, item) in list(entries, "weekly", &mut errors).iter().enumerate() {
            let added = window(item).and_then(|window| availability.add_window(window));
            errors.extend(added.err().into_iter().flatten().map(|error| within(&format!("weekly.{place}"), error)));
        }
        for (place, item) in list(entries, "exceptions", &mut errors).iter().enumerate() {
            let added = exception(item).and_then(|exception| availability.add_exception(exception));
            errors.extend(added.err().into_iter().flatten().map(|error| within(&format!("exceptions.{place}"), error)));
        }
        if errors.is_empty() { Ok(availability) } else { Err(errors) }
    }

    /// # Errors
    /// `until.order`, `until.short`, `from.overlap`, `from.too_many`.
    pub fn add_window(&mut self, window: Window) -> Result<(), Vec<FieldError>> {
        self.fits(window.hours)?;
        if self.weekly.len() >= MAX_WINDOWS {
            return Err(wrong("from", "too_many", "A week has at most 50 times. Take one out first."));
        }
        let same_day = |other: &&Window| other.weekday == window.weekday;
        if self.weekly.iter().filter(same_day).any(|other| other.hours.overlaps(window.hours)) {
            return Err(wrong("from", "overlap", "This overlaps other times of the day."));
        }
        self.weekly.push(window);
        self.weekly.sort_by_key(|window| (window.weekday.to_monday_zero_offset(), window.hours));
        Ok(())
    }

    /// # Errors
    /// `until.order`, `until.short`, `date.twice`, `date.too_many`, `from.overlap`.
    pub fn add_exception(&mut self, exception: Exception) -> Result<(), Vec<FieldError>> {
        if let Some(hours) = exception.extra {
            self.fits(hours)?;
        }
        if self.exceptions.len() >= MAX_EXCEPTIONS {
            return Err(wrong("date", "too_many", "There are at most 200 of them. Take one out first."));
        }
        for other in self.exceptions.iter().filter(|other| other.date == exception.date) {
            match (other.extra, exception.extra) {
                (None, None) => return Err(wrong("date", "twice", "This day is off already.")),
                (Some(other), Some(extra)) if other.overlaps(extra) => {
                    return Err(wrong("from", "overlap", "This overlaps other extra times of the day."));
                }
                _ => {}
            }
        }
        self.exceptions.push(exception);
        self.exceptions.sort_by_key(|exception| (exception.date, exception.extra));
        Ok(())
    }

    fn fits(&self, hours: Hours) -> Result<(), Vec<FieldError>> {
        if hours.start() >= hours.end() {
            return Err(wrong("until", "order", "Choose an end after the start."));
        }
        if hours.end() - hours.start() < self.minutes {
            return Err(wrong("until", "short", "No interview fits in. Choose a later end."));
        }
        Ok(())
    }

    /// Returns the bookable times that begin after `after` and before `before`, in order. They never overlap, even when
    /// the clocks go back, and the same rules always give the same times.
    pub fn spans(&self, after: i64, before: i64) -> Vec<Span> {
        let zone = clocks::zone(&self.time_zone);
        let mut day = clocks::day(after, &self.time_zone).yesterday().unwrap_or(Date::MIN);
        let last = clocks::day(before, &self.time_zone);
        let mut spans = Vec::new();
        while day <= last {
            for hours in self.hours_of(day) {
                self.fill(day, hours, &zone, &mut spans);
            }
            let Ok(next) = day.tomorrow() else { break };
            day = next;
        }
        spans.sort_unstable();
        let mut free_from = i64::MIN;
        spans.retain(|span| {
            let is_free = span.starts_at >= free_from;
            if is_free {
                free_from = span.ends_at() + self.buffer * MINUTE;
            }
            is_free && span.starts_at > after && span.starts_at < before
        });
        spans
    }

    fn hours_of(&self, day: Date) -> Vec<Hours> {
        let exceptions = || self.exceptions.iter().filter(|exception| exception.date == day);
        let is_off = exceptions().any(|exception| exception.extra.is_none());
        let weekly = self.weekly.iter().filter(|window| !is_off && window.weekday == day.weekday());
        weekly.map(|window| window.hours).chain(exceptions().filter_map(|exception| exception.extra)).collect()
    }

    /// Adds interviews one after the other, in elapsed time rather than clock time.
    fn fill(&self, day: Date, hours: Hours, zone: &TimeZone, spans: &mut Vec<Span>) {
        let ends_on = if hours.end() == 24 * 60 { day.saturating_add(1.day()) } else { day };
        let start = moment(day.to_datetime(hours.from), zone);
        let end = moment(ends_on.to_datetime(hours.until), zone);
        let (Some(start), Some(end)) = (start, end) else { return };
        let mut span = Span { starts_at: start, minutes: self.minutes };
        while span.ends_at() <= end {
            spans.push(span);
            span.starts_at += (self.minutes + self.buffer) * MINUTE;
        }
    }
}

/// Converts a local time to a moment: the first one if it occurs twice, and the one shifted by the gap if it is
/// skipped.
fn moment(local: DateTime, zone: &TimeZone) -> Option<i64> {
    let moment: Timestamp = zone.to_ambiguous_timestamp(local).compatible().ok()?;
    Some(moment.as_millisecond())
}

fn wrong(field: &str, rule: &str, message: &'static str) -> Vec<FieldError> {
    vec![FieldError::new(field, format!("{field}.{rule}"), message)]
}

fn list<'a>(entries: &'a [(String, Input)], name: &str, errors: &mut Vec<FieldError>) -> &'a [Input] {
    match Input::get(entries, name) {
        None => &[],
        Some(Input::List(items)) if items.len() <= MAX_EXCEPTIONS => items,
        Some(_) => {
            let message = "Send a list of at most 200.";
            errors.push(FieldError::new(name, format!("{name}.type"), message));
            &[]
        }
    }
}

/// Reads `{"weekday": 1, "from": "09:00", "until": "12:00"}`; Monday is 1.
///
/// # Errors
/// `weekday.range`, `from.invalid`, `until.invalid`, unknown fields.
pub fn window(input: &Input) -> Result<Window, Vec<FieldError>> {
    let entries = input.entries()?;
    let mut errors: Vec<FieldError> = unknown_fields(entries, &["weekday", "from", "until"]).collect();
    let number = match Input::get(entries, "weekday") {
        Some(Input::Whole(number)) => i8::try_from(*number).ok(),
        Some(Input::Text(text)) => text.trim().parse().ok(),
        _ => None,
    };
    let weekday = number.and_then(|number| Weekday::from_monday_one_offset(number).ok());
    if weekday.is_none() {
        errors.extend(wrong("weekday", "range", "Choose a day of the week."));
    }
    let hours = hours(entries, &mut errors);
    match (weekday, hours) {
        (Some(weekday), Some(hours)) if errors.is_empty() => Ok(Window { weekday, hours }),
        _ => Err(errors),
    }
}

/// Reads `{"date": "2026-12-24"}` for a day off, or with `from` and `until` for extra times.
///
/// # Errors
/// `date.invalid`, `from.invalid`, `until.invalid`, unknown fields.
pub fn exception(input: &Input) -> Result<Exception, Vec<FieldError>> {
    let entries = input.entries()?;
    let mut errors: Vec<FieldError> = unknown_fields(entries, &["date", "from", "until"]).collect();
    let date = match Input::get(entries, "date") {
        Some(Input::Text(text)) => text.trim().parse::<Date>().ok().filter(|date| (2000..=9000).contains(&date.year())),
        _ => None,
    };
    if date.is_none() {
        errors.extend(wrong("date", "invalid", "Choose a day, for example 2026-12-24."));
    }
    let is_extra = ["from", "until"].iter().any(|name| Input::get(entries, name).is_some());
    let extra = if is_extra { hours(entries, &mut errors) } else { None };
    match date {
        Some(date) if errors.is_empty() => Ok(Exception { date, extra }),
        _ => Err(errors),
    }
}

fn hours(entries: &[(String, Input)], errors: &mut Vec<FieldError>) -> Option<Hours> {
    let mut time = |name: &str| {
        let time = match Input::get(entries, name) {
            Some(Input::Text(text)) => Time::strptime("%H:%M", text.trim()).ok(),
            _ => None,
        };
        if time.is_none() {
            errors.extend(wrong(name, "invalid", "Choose a time of day, for example 09:00."));
        }
        time
    };
    let (from, until) = (time("from"), time("until"));
    Some(Hours { from: from?, until: until? })
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};

    use super::*;

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_millisecond()
    }

    fn hours(from: i8, until: i8) -> Hours {
        Hours { from: time(from, 0, 0, 0), until: time(until % 24, 0, 0, 0) }
    }

    fn rules(zone: &str, weekday: Weekday, from: i8, until: i8) -> Availability {
        let weekly = vec![Window { weekday, hours: hours(from, until) }];
        Availability { minutes: 60, buffer: 0, weekly, ..Availability::empty(zone, &SlotRules::default()) }
    }

    /// The times of one week, in UTC.
    fn times(rules: &Availability, after: &str, before: &str) -> Vec<String> {
        let spans = rules.spans(at(after), at(before));
        spans.iter().map(|span| Timestamp::from_millisecond(span.starts_at).unwrap().to_string()).collect()
    }

    #[test]
    fn a_week_is_filled_one_interview_after_the_other() {
        let mut rules = rules("America/Chicago", Weekday::Monday, 9, 12);
        rules.buffer = 15;
        let week = ("2026-05-03T00:00:00Z", "2026-05-10T00:00:00Z");
        assert_eq!(times(&rules, week.0, week.1), ["2026-05-04T14:00:00Z", "2026-05-04T15:15:00Z"]);
        // Times in the past are not offered; generated again, the others stay the same.
        assert_eq!(times(&rules, "2026-05-04T14:00:00Z", week.1), ["2026-05-04T15:15:00Z"]);
    }

    #[test]
    fn days_off_and_extra_times_are_exceptions_of_their_day() {
        let mut rules = rules("UTC", Weekday::Monday, 9, 11);
        let monday = date(2026, 5, 4);
        rules.add_exception(Exception { date: monday, extra: None }).unwrap();
        rules.add_exception(Exception { date: monday, extra: Some(hours(20, 24)) }).unwrap();
        rules.add_exception(Exception { date: date(2026, 5, 5), extra: Some(hours(7, 8)) }).unwrap();
        assert_eq!(
            times(&rules, "2026-05-03T00:00:00Z", "2026-05-12T00:00:00Z"),
            [
                "2026-05-04T20:00:00Z",
                "2026-05-04T21:00:00Z",
                "2026-05-04T22:00:00Z",
                "2026-05-04T23:00:00Z",
                "2026-05-05T07:00:00Z",
                "2026-05-11T09:00:00Z",
                "2026-05-11T10:00:00Z",
            ]
        );
    }

    #[test]
    fn times_stay_on_the_clock_when_it_is_changed() {
        let rules = rules("America/New_York", Weekday::Sunday, 9, 10);
        // The clocks go forward on March 8 and back on November 1.
        assert_eq!(
            times(&rules, "2026-03-01T00:00:00Z", "2026-03-09T00:00:00Z"),
            ["2026-03-01T14:00:00Z", "2026-03-08T13:00:00Z"]
        );
        assert_eq!(
            times(&rules, "2026-10-25T00:00:00Z", "2026-11-02T00:00:00Z"),
            ["2026-10-25T13:00:00Z", "2026-11-01T14:00:00Z"]
        );
    }

    #[test]
    fn the_night_of_the_change_has_as_many_times_as_it_has_hours() {
        let night = rules("America/New_York", Weekday::Sunday, 0, 4);
        assert_eq!(
            times(&night, "2026-03-08T00:00:00Z", "2026-03-09T00:00:00Z"),
            ["2026-03-08T05:00:00Z", "2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z"]
        );
        assert_eq!(times(&night, "2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z").len(), 5);
        // A time that is skipped starts when the clocks have gone forward.
        let gap = rules("America/New_York", Weekday::Sunday, 2, 4);
        assert_eq!(times(&gap, "2026-03-08T00:00:00Z", "2026-03-09T00:00:00Z"), ["2026-03-08T07:00:00Z"]);
    }

    #[test]
    fn extra_times_that_overlap_the_weekly_ones_offer_nothing_twice() {
        let mut rules = rules("UTC", Weekday::Monday, 9, 11);
        let half_past = Hours { from: time(9, 30, 0, 0), until: time(12, 30, 0, 0) };
        rules.add_exception(Exception { date: date(2026, 5, 4), extra: Some(half_past) }).unwrap();
        let spans = rules.spans(at("2026-05-03T00:00:00Z"), at("2026-05-05T00:00:00Z"));
        assert!(spans.windows(2).all(|pair| !pair[0].overlaps(pair[1])), "{spans:?}");
        assert_eq!(spans.len(), 3);
    }

    #[test]
    fn rules_are_read_strictly() {
        let text = |text: &str| Input::Text(text.into());
        let map = |fields: &[(&str, Input)]| {
            Input::Map(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
        };
        let good = [
            ("timeZone", text("Europe/Berlin")),
            ("minutes", Input::Whole(30)),
            ("buffer", text("5")),
            ("notice", Input::Whole(48)),
            (
                "weekly",
                Input::List(vec![
                    map(&[("weekday", Input::Whole(5)), ("from", text("13:00")), ("until", text("00:00"))]),
                    map(&[("weekday", Input::Whole(1)), ("from", text("09:00")), ("until", text("12:00"))]),
                ]),
            ),
            ("exceptions", Input::List(vec![map(&[("date", text("2026-12-24"))])])),
        ];
        let parsed = Availability::parse(&map(&good)).unwrap();
        assert_eq!(
            parsed.weekly.iter().map(|window| window.weekday).collect::<Vec<_>>(),
            [Weekday::Monday, Weekday::Friday]
        );
        assert_eq!((parsed.minutes, parsed.buffer, parsed.notice, parsed.exceptions.len()), (30, 5, 48, 1));
        let with = |name: &'static str, value: Input| {
            let fields: Vec<_> = good
                .iter()
                .map(|(field, old)| if *field == name { (name, value.clone()) } else { (*field, old.clone()) })
                .collect();
            Availability::parse(&map(&fields)).unwrap_err()[0].code.clone()
        };
        let one = |fields: &[(&str, Input)]| Input::List(vec![map(fields)]);
        assert_eq!(with("timeZone", text("Mars/Olympus")), "timeZone.unknown");
        assert_eq!(with("minutes", Input::Whole(5)), "minutes.range");
        assert_eq!(with("buffer", Input::Whole(-1)), "buffer.range");
        assert_eq!(with("notice", Input::Whole(23)), "notice.range");
        assert_eq!(with("weekly", text("Monday")), "weekly.type");
        let monday = ("weekday", Input::Whole(1));
        for (fields, code) in [
            (vec![("weekday", Input::Whole(8)), ("from", text("09:00")), ("until", text("10:00"))], "weekday.range"),
            (vec![monday.clone(), ("from", text("9")), ("until", text("10:00"))], "from.invalid"),
            (vec![monday.clone(), ("from", text("10:00")), ("until", text("09:00"))], "until.order"),
            (vec![monday.clone(), ("from", text("10:00")), ("until", text("10:20"))], "until.short"),
            (vec![monday, ("from", text("10:00"))], "until.invalid"),
        ] {
            assert_eq!(with("weekly", one(&fields)), format!("weekly.0.{code}"));
        }
        assert_eq!(with("exceptions", one(&[("date", text("2026-02-30"))])), "exceptions.0.date.invalid");
        let off = map(&[("date", text("2026-12-24"))]);
        assert_eq!(with("exceptions", Input::List(vec![off.clone(), off])), "exceptions.1.date.twice");
    }
}
