//! Initial rules of interviewers.

use std::ops::RangeInclusive;

use super::{Field, FieldKind, Values};
use crate::availability::{LENGTHS, MAX_BUFFER, MAX_WEEKS, NOTICE, SlotRules};

pub(super) fn fields() -> Vec<Field> {
    let SlotRules { minutes, buffer, notice, weeks } = SlotRules::default();
    let field = |name: &str, label: &str, hint, range: RangeInclusive<i64>, built_in: i64| Field {
        name: name.into(),
        label: label.into(),
        hint,
        kind: FieldKind::Whole { least: *range.start(), most: *range.end() },
        built_in: built_in.to_string(),
        group: String::new(),
    };
    vec![
        field("minutes", "Minutes of an interview", "", LENGTHS, minutes),
        field("buffer", "Minutes between two interviews", "", 0..=MAX_BUFFER, buffer),
        field("notice", "Hours that applicants book ahead at least", "", NOTICE, notice),
        field("weeks", "Weeks that are offered", "For everybody, from the next day on.", 1..=MAX_WEEKS, weeks),
    ]
}

pub(super) fn rules(values: &Values) -> SlotRules {
    let built_in = SlotRules::default();
    let number = |name: &str, built_in| values.get(name).and_then(|value| value.parse().ok()).unwrap_or(built_in);
    SlotRules {
        minutes: number("minutes", built_in.minutes),
        buffer: number("buffer", built_in.buffer),
        notice: number("notice", built_in.notice),
        weeks: number("weeks", built_in.weeks),
    }
}
