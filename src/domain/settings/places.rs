//! How many places each intake of a program has, and who offers those that become free.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::{Field, FieldKind, Values};
use crate::intake::Intake;
use crate::places::{Limit, PlaceRules, Release};

/// Months ahead for whose intakes there are fields.
const MONTHS: u32 = 24;
const MAX_PLACES: i64 = 100_000;
const MAX_OVER: i64 = 1_000;

const PLACES: &str = "places";
const OVER: &str = "over";
const RELEASE: &str = "release";
const BY_ORDER: &str = "order";
const POSITION: &str = "position";
const YES: &str = "yes";

fn field_of(code: &str, what: &str) -> String {
    format!("{code}.{what}")
}

/// Returns the rules that these values mean. The store reads them, too: it counts places by what is set when it counts.
pub fn place_rules(values: &Values) -> PlaceRules {
    let number = |name: &str| values.get(name)?.parse::<i64>().ok();
    let limits: BTreeMap<String, Limit> = values
        .keys()
        .filter_map(|name| {
            let code = name.strip_suffix(PLACES)?.strip_suffix('.')?;
            Intake::parse(code)?;
            let limit = Limit { places: number(name)?, over: number(&field_of(code, OVER)).unwrap_or_default() };
            Some((code.to_owned(), limit))
        })
        .collect();
    let is = |name: &str, set: &str| values.get(name).is_some_and(|value| value == set);
    let release = if is(RELEASE, BY_ORDER) { Release::ByOrder } else { Release::ByHand };
    PlaceRules::new(limits, release, is(POSITION, YES))
}

pub(super) fn fields(today: Date) -> Vec<Field> {
    let of_intake = |intake: Intake| {
        let (code, name) = (intake.code(), intake.name().to_string());
        let field = |what: &str, label: &str, hint, kind, built_in: &str| Field {
            name: field_of(&code, what),
            label: label.into(),
            hint,
            kind,
            built_in: built_in.into(),
            group: name.clone(),
        };
        [
            field(
                PLACES,
                "Places",
                "Leave it empty for as many as are needed.",
                FieldKind::OptionalWhole { least: 0, most: MAX_PLACES },
                "",
            ),
            field(
                OVER,
                "Offers beyond the places",
                "How many more offers may be out at a time, because not everybody accepts.",
                FieldKind::Whole { least: 0, most: MAX_OVER },
                "0",
            ),
        ]
    };
    let choice = |name: &str, label: &str, hint, choices, built_in: &str| Field {
        name: name.into(),
        label: label.into(),
        hint,
        kind: FieldKind::Choice(choices),
        built_in: built_in.into(),
        group: "Waitlist".into(),
    };
    let mut fields: Vec<Field> = Intake::within(today, MONTHS).into_iter().flat_map(of_intake).collect();
    fields.push(choice(
        RELEASE,
        "Who offers a place that becomes free",
        "The first in line gets the acceptance that is drafted for them, if it could be released now.",
        &[("hand", "Staff, who get a task"), (BY_ORDER, "The product, to the first in line")],
        "hand",
    ));
    fields.push(choice(
        POSITION,
        "Applicants see their number in the line",
        "It can become higher, when somebody is moved in front of them.",
        &[("no", "No"), (YES, "Yes")],
        "no",
    ));
    fields
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn rules_are_read_from_what_is_typed() {
        assert_eq!(place_rules(&Values::new()), PlaceRules::default());
        let typed = [
            ("2026-08.places", "30"),
            ("2026-08.over", "4"),
            ("2027-01.places", "0"),
            ("2027-08.over", "2"),
            ("2027-07.places", "9"),
            ("release", "order"),
            ("position", "yes"),
        ];
        let rules = place_rules(&typed.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
        let limit = |code| rules.limit(Intake::parse(code).unwrap());
        assert_eq!(limit("2026-08"), Some(Limit { places: 30, over: 4 }));
        assert_eq!((limit("2027-01"), limit("2027-08")), (Some(Limit { places: 0, over: 0 }), None));
        assert_eq!((rules.release, rules.shows_position, rules.is_limited()), (Release::ByOrder, true, true));
        assert_eq!(rules.limited().count(), 2);
    }

    #[test]
    fn each_intake_that_comes_has_its_fields() {
        let names: Vec<String> = fields(date(2026, 5, 4)).into_iter().map(|field| field.name).collect();
        assert_eq!(names[..4], ["2026-08.places", "2026-08.over", "2027-01.places", "2027-01.over"]);
        assert_eq!(names.len(), 2 * 4 + 2);
    }
}
