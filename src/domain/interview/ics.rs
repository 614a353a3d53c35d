//! Calendar entries: iCalendar (RFC 5545) as exchanged by mail (RFC 5546). See `docs/adr/010-calendar-entries.md` for
//! why we generate them ourselves.

use std::fmt::Write;

use jiff::tz::{Dst, Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

use super::Span;

/// What the recipient's calendar does with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Adds it, or updates the existing one.
    Request,
    Cancel,
    /// Adds it from a file that the user opened.
    Publish,
}

impl Method {
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Request => "REQUEST",
            Method::Cancel => "CANCEL",
            Method::Publish => "PUBLISH",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Person<'a> {
    pub name: &'a str,
    /// A validated address.
    pub email: &'a str,
}

/// The content of an entry.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Identical in all versions of the entry, and globally unique.
    pub uid: &'a str,
    /// Increases with each version.
    pub sequence: i64,
    /// Milliseconds since 1970-01-01 UTC.
    pub written_at: i64,
    pub span: Span,
    /// Time zone in which the entry is given.
    pub zone: &'a TimeZone,
    pub summary: &'a str,
    pub description: &'a str,
    pub location: &'a str,
    pub url: &'a str,
    pub organizer: Person<'a>,
    pub attendee: Person<'a>,
}

/// Number of clock changes included after the last entry, so that the entry stays correct for a while when dragged to
/// another date.
const LATER_CHANGES: usize = 2;

/// Returns a file with one entry.
pub fn write(method: Method, entry: &Entry<'_>) -> String {
    write_all(method, entry.zone, entry.span.starts_at, std::slice::from_ref(entry))
}

/// Returns a file with several entries, in the time zone `zone`. Without entries, the zone is described as of `now`.
pub fn write_all(method: Method, zone: &TimeZone, now: i64, entries: &[Entry<'_>]) -> String {
    let mut file = File(String::new());
    file.line("BEGIN:VCALENDAR");
    file.line("VERSION:2.0");
    file.line("PRODID:-//Matricula//Interviews//EN");
    file.line("CALSCALE:GREGORIAN");
    file.line(&format!("METHOD:{}", method.as_str()));
    if let Some(name) = zone.iana_name()
        && (entries.is_empty() || entries.iter().any(|entry| !in_utc(entry)))
    {
        let starts = || entries.iter().map(|entry| entry.span.starts_at);
        time_zone(&mut file, name, zone, starts().min().unwrap_or(now), starts().max().unwrap_or(now));
    }
    for entry in entries {
        event(&mut file, method, entry);
    }
    file.line("END:VCALENDAR");
    file.0
}

/// Whether to give the entry in UTC: calendar programs disagree on a local time that occurs twice.
fn in_utc(entry: &Entry<'_>) -> bool {
    let comes_twice = |moment| {
        let local = entry.zone.to_datetime(Timestamp::from_millisecond(moment).unwrap_or_default());
        entry.zone.to_ambiguous_timestamp(local).is_ambiguous()
    };
    comes_twice(entry.span.starts_at) || comes_twice(entry.span.ends_at())
}

fn event(file: &mut File, method: Method, entry: &Entry<'_>) {
    let zone = entry.zone.iana_name().filter(|_| !in_utc(entry));
    file.line("BEGIN:VEVENT");
    file.line(&format!("UID:{}", text(entry.uid)));
    file.line(&format!("SEQUENCE:{}", entry.sequence));
    file.line(&format!("DTSTAMP:{}", utc(entry.written_at)));
    for (name, moment) in [("DTSTART", entry.span.starts_at), ("DTEND", entry.span.ends_at())] {
        match zone {
            Some(zone) => file.line(&format!("{name};TZID={zone}:{}", local(entry.zone, moment))),
            None => file.line(&format!("{name}:{}", utc(moment))),
        }
    }
    file.line(&format!("SUMMARY:{}", text(entry.summary)));
    file.line(&format!("DESCRIPTION:{}", text(entry.description)));
    file.line(&format!("LOCATION:{}", text(entry.location)));
    file.line(&format!("URL:{}", entry.url));
    let Person { name, email } = entry.organizer;
    file.line(&format!("ORGANIZER;CN={}:mailto:{email}", quoted(name)));
    let Person { name, email } = entry.attendee;
    file.line(&format!("ATTENDEE;CN={};ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:{email}", quoted(name)));
    file.line(if method == Method::Cancel { "STATUS:CANCELLED" } else { "STATUS:CONFIRMED" });
    file.line("TRANSP:OPAQUE");
    file.line("END:VEVENT");
}

/// Writes the zone's offset at the first entry and its later changes. Each clock change is listed separately: a
/// recurring rule would claim more than is known.
fn time_zone(file: &mut File, name: &str, zone: &TimeZone, first: i64, last: i64) {
    let start = Timestamp::from_millisecond(first).unwrap_or_default();
    file.line("BEGIN:VTIMEZONE");
    file.line(&format!("TZID:{name}"));
    // The preceding change may occur at that very moment.
    let just_after = start.saturating_add(SignedDuration::from_nanos(1)).unwrap_or(start);
    let before = zone.preceding(just_after).next();
    let info = zone.to_offset_info(start);
    let (onset, from) = match &before {
        Some(change) => {
            let from = offset_before(zone, change.timestamp());
            (from.to_datetime(change.timestamp()).strftime("%Y%m%dT%H%M%S").to_string(), from)
        }
        None => ("19700101T000000".to_owned(), info.offset()),
    };
    observance(file, info.dst(), &onset, from, info.offset(), info.abbreviation());
    let mut later = 0;
    for change in zone.following(start) {
        later += usize::from(change.timestamp().as_millisecond() > last);
        if later > LATER_CHANGES {
            break;
        }
        let from = offset_before(zone, change.timestamp());
        let onset = from.to_datetime(change.timestamp()).strftime("%Y%m%dT%H%M%S").to_string();
        observance(file, change.dst(), &onset, from, change.offset(), change.abbreviation());
    }
    file.line("END:VTIMEZONE");
}

fn observance(file: &mut File, dst: Dst, onset: &str, from: Offset, to: Offset, abbreviation: &str) {
    let kind = if dst.is_dst() { "DAYLIGHT" } else { "STANDARD" };
    file.line(&format!("BEGIN:{kind}"));
    file.line(&format!("DTSTART:{onset}"));
    file.line(&format!("TZOFFSETFROM:{}", offset(from)));
    file.line(&format!("TZOFFSETTO:{}", offset(to)));
    file.line(&format!("TZNAME:{}", text(abbreviation)));
    file.line(&format!("END:{kind}"));
}

fn offset_before(zone: &TimeZone, change: Timestamp) -> Offset {
    zone.to_offset(change.saturating_sub(SignedDuration::from_nanos(1)).unwrap_or(change))
}

fn offset(offset: Offset) -> String {
    let seconds = offset.seconds();
    let sign = if seconds < 0 { '-' } else { '+' };
    let (hours, minutes, seconds) = (seconds.abs() / 3600, seconds.abs() / 60 % 60, seconds.abs() % 60);
    if seconds == 0 {
        format!("{sign}{hours:02}{minutes:02}")
    } else {
        format!("{sign}{hours:02}{minutes:02}{seconds:02}")
    }
}

fn utc(moment: i64) -> String {
    let moment = Timestamp::from_millisecond(moment).unwrap_or_default();
    moment.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn local(zone: &TimeZone, moment: i64) -> String {
    let moment = Timestamp::from_millisecond(moment).unwrap_or_default();
    zone.to_datetime(moment).strftime("%Y%m%dT%H%M%S").to_string()
}

/// Escapes a value of type TEXT.
fn text(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '\\' | ';' | ',' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// Quotes a parameter value, in which quotation marks are not allowed.
fn quoted(value: &str) -> String {
    let value: String = value.chars().filter(|c| !c.is_control()).map(|c| if c == '"' { '\'' } else { c }).collect();
    format!("\"{value}\"")
}

struct File(String);

impl File {
    /// Adds a content line, folded at 75 bytes.
    fn line(&mut self, line: &str) {
        let mut width = 0;
        for c in line.chars() {
            if width + c.len_utf8() > 75 {
                self.0.push_str("\r\n ");
                width = 1;
            }
            self.0.push(c);
            width += c.len_utf8();
        }
        let _ = self.0.write_str("\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_millisecond()
    }

    fn file(method: Method, zone: &str, start: &str) -> String {
        let zone = TimeZone::get(zone).unwrap();
        let entry = Entry {
            uid: "0196@apply.example.org",
            sequence: 2,
            written_at: at("2026-05-04T12:00:00Z"),
            span: Span { starts_at: at(start), minutes: 40 },
            zone: &zone,
            summary: "Interview; with \\ Test, Institute",
            description: "Bring:\nyour passport “Ausweis” and a pen, so that we can go through everything that you have sent us.",
            location: "Video call",
            url: "https://apply.example.org/schedule",
            organizer: Person { name: "Test \"&\" Institute: Admissions", email: "admissions@example.org" },
            attendee: Person { name: "Zoë, Demo", email: "demo@example.org" },
        };
        write(method, &entry)
    }

    #[test]
    fn lines_are_short_and_end_as_they_must() {
        let file = file(Method::Request, "America/New_York", "2026-05-12T14:00:00Z");
        let lines: Vec<&str> = file.strip_suffix("\r\n").unwrap().split("\r\n").collect();
        assert!(lines.iter().all(|line| line.len() <= 75 && !line.contains(['\r', '\n'])), "{file}");
        let unfolded = file.replace("\r\n ", "");
        for line in [
            "METHOD:REQUEST",
            "SEQUENCE:2",
            "DTSTAMP:20260504T120000Z",
            "DTSTART;TZID=America/New_York:20260512T100000",
            "DTEND;TZID=America/New_York:20260512T104000",
            "SUMMARY:Interview\\; with \\\\ Test\\, Institute",
            "ORGANIZER;CN=\"Test '&' Institute: Admissions\":mailto:admissions@example.org",
        ] {
            assert!(unfolded.lines().any(|found| found == line), "{line} is not in\n{unfolded}");
        }
        assert!(unfolded.contains("Bring:\\nyour passport “Ausweis” and a pen\\, so"), "{unfolded}");
    }

    #[test]
    fn a_zone_is_told_with_the_changes_around_the_entry() {
        let file = file(Method::Request, "America/New_York", "2026-05-12T14:00:00Z").replace("\r\n", "\n");
        let zone = file.split("BEGIN:VTIMEZONE\n").nth(1).unwrap().split("END:VTIMEZONE").next().unwrap();
        assert_eq!(
            zone,
            "TZID:America/New_York\n\
             BEGIN:DAYLIGHT\nDTSTART:20260308T020000\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0400\nTZNAME:EDT\nEND:DAYLIGHT\n\
             BEGIN:STANDARD\nDTSTART:20261101T020000\nTZOFFSETFROM:-0400\nTZOFFSETTO:-0500\nTZNAME:EST\nEND:STANDARD\n\
             BEGIN:DAYLIGHT\nDTSTART:20270314T020000\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0400\nTZNAME:EDT\nEND:DAYLIGHT\n"
        );
    }

    #[test]
    fn nothing_that_somebody_is_called_breaks_out_of_its_line() {
        assert_eq!(text("a\r\nEND:VEVENT"), "a\\nEND:VEVENT");
        assert_eq!(quoted("a\"\r\nb"), "\"a'b\"");
        assert_eq!(offset(Offset::constant(-3).saturating_sub(SignedDuration::from_mins(30))), "-0330");
    }
}
