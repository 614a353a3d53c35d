//! Bookable times.

use crate::availability::LENGTHS;
use crate::input::{FieldError, Input};
use crate::sentence::Sentence;
use crate::text;

/// Maximum number of times opened at once.
const MAX: usize = 500;
const MINUTE: i64 = 60_000;

/// A time range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Milliseconds since 1970-01-01 UTC.
    pub starts_at: i64,
    pub minutes: i64,
}

impl Span {
    pub fn ends_at(self) -> i64 {
        self.starts_at + self.minutes * MINUTE
    }

    /// Whether both overlap. They do not if one starts when the other ends.
    pub fn overlaps(self, other: Span) -> bool {
        self.starts_at < other.ends_at() && other.starts_at < self.ends_at()
    }
}

/// Checks whether one person can open these times.
///
/// # Errors
/// `slots.required`, `slots.too_many`, and for each time `slots.N.past`, `slots.N.minutes`, `slots.N.overlap`.
pub fn check_slots(spans: &[Span], now: i64) -> Result<(), Vec<FieldError>> {
    if spans.is_empty() {
        return Err(vec![FieldError::new("slots", "slots.required", text!("Choose at least one time."))]);
    }
    if spans.len() > MAX {
        return Err(vec![FieldError::new(
            "slots",
            "slots.too_many",
            text!("Open at most {most} times at once.", most = MAX),
        )]);
    }
    let mut errors = Vec::new();
    for (place, span) in spans.iter().enumerate() {
        let (rule, sentence) = if !LENGTHS.contains(&span.minutes) {
            ("minutes", text!("An interview takes 10 to 240 minutes."))
        } else if span.starts_at <= now {
            ("past", text!("This time has passed. Choose a later one."))
        } else if spans[..place].iter().any(|before| before.overlaps(*span)) {
            ("overlap", text!("This time overlaps another one in the list."))
        } else {
            continue;
        };
        errors.push(FieldError::new(format!("slots.{place}"), format!("slots.{place}.{rule}"), sentence));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Reads the start of the chosen time: `2026-05-12T14:00:00Z`.
///
/// # Errors
/// `startsAt.required`, `startsAt.type`, `startsAt.invalid`.
pub fn parse_start(value: Option<&Input>) -> Result<i64, FieldError> {
    let error = |rule: &str, message: Sentence| FieldError::new("startsAt", format!("startsAt.{rule}"), message);
    match value {
        None => Err(error("required", text!("Choose a time."))),
        Some(Input::Text(text)) => {
            let moment: Result<jiff::Timestamp, _> = text.trim().parse();
            moment
                .map(|moment| moment.as_millisecond())
                .map_err(|_| error("invalid", text!("Choose one of the times that are offered.")))
        }
        Some(_) => Err(error("type", text!("The time must be text, for example 2026-05-12T14:00:00Z."))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(minute: i64, minutes: i64) -> Span {
        Span { starts_at: minute * MINUTE, minutes }
    }

    #[test]
    fn times_that_touch_do_not_overlap() {
        assert!(!span(0, 40).overlaps(span(40, 40)) && !span(40, 40).overlaps(span(0, 40)));
        assert!(span(0, 40).overlaps(span(39, 40)) && span(39, 40).overlaps(span(0, 40)));
        assert!(span(0, 120).overlaps(span(30, 10)) && span(30, 10).overlaps(span(0, 120)));
    }

    #[test]
    fn each_time_that_cannot_be_opened_is_named() {
        let codes = |spans: &[Span]| -> Vec<String> {
            check_slots(spans, 100 * MINUTE).err().into_iter().flatten().map(|error| error.code).collect()
        };
        assert!(codes(&[span(101, 40), span(141, 40), span(300, 10)]).is_empty());
        assert_eq!(codes(&[]), ["slots.required"]);
        assert_eq!(
            codes(&[span(100, 40), span(200, 9), span(300, 241)]),
            ["slots.0.past", "slots.1.minutes", "slots.2.minutes"]
        );
        assert_eq!(codes(&[span(200, 40), span(101, 40), span(110, 40)]), ["slots.2.overlap"]);
        assert_eq!(codes(&vec![span(200, 40); 501]), ["slots.too_many"]);
    }

    #[test]
    fn a_start_is_a_moment_with_its_offset() {
        let parse = |text: &str| parse_start(Some(&Input::Text(text.into())));
        assert_eq!(parse("1970-01-01T00:01:00Z"), Ok(MINUTE));
        assert_eq!(parse(" 1970-01-01T01:01:00+01:00 "), Ok(MINUTE));
        for bad in ["", "tomorrow", "1970-01-01T00:01:00", "1970-02-30T00:00:00Z", "99999-01-01T00:00:00Z"] {
            assert_eq!(parse(bad).unwrap_err().code, "startsAt.invalid", "{bad}");
        }
        assert_eq!(parse_start(Some(&Input::Whole(1))).unwrap_err().code, "startsAt.type");
        assert_eq!(parse_start(None).unwrap_err().code, "startsAt.required");
    }
}
