//! Calendar entries for time zones and nights that are hard to get right, written to files that
//! `scripts/calendar.test.ts` reads with a third-party parser.

use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use matricula::domain::interview::Span;
use matricula::domain::interview::ics::{Entry, Method, Person, write};

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
fn the_committed_entries_are_those_of_the_code() {
    for (name, method, zone, start) in [
        ("new-york-before-autumn", Method::Request, "America/New_York", "2026-11-01T05:30:00Z"),
        ("new-york-after-autumn", Method::Request, "America/New_York", "2026-11-01T06:30:00Z"),
        ("new-york-spring", Method::Cancel, "America/New_York", "2027-03-14T07:00:00Z"),
        ("berlin", Method::Publish, "Europe/Berlin", "2026-10-25T01:30:00Z"),
        ("kiritimati", Method::Request, "Pacific/Kiritimati", "2026-05-12T20:00:00Z"),
        ("kolkata", Method::Request, "Asia/Kolkata", "2026-05-12T08:30:00Z"),
        ("lord-howe", Method::Request, "Australia/Lord_Howe", "2026-10-03T15:45:00Z"),
        ("utc", Method::Request, "UTC", "2026-05-12T08:30:00Z"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cases/calendar/{name}.ics"));
        let written = file(method, zone, start);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &written).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), written, "{name}");
    }
}
