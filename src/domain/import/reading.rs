//! Reading a cell: what people write in tables, as the form would send it.

use jiff::civil::Date;

use super::fields::Kind;
use super::mapping::DateOrder;
use crate::intake::Intake;
use crate::{moments, money, reference};

/// A cell as the form would send it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Read {
    /// Several for a list.
    pub values: Vec<String>,
    /// As it was understood, in words.
    pub shown: Option<String>,
}

impl Read {
    fn one(value: impl Into<String>, shown: impl Into<String>) -> Read {
        Read { values: vec![value.into()], shown: Some(shown.into()) }
    }

    /// What could not be read stays as it is, for the field's own error.
    fn as_sent(text: &str) -> Read {
        Read { values: vec![text.to_owned()], shown: None }
    }
}

/// Reads a cell that is not empty. `country` is where the applicant lives, by its code.
pub(super) fn read(kind: &Kind, text: &str, dates: DateOrder, country: Option<&str>) -> Read {
    let is = |other: &str| other.to_lowercase() == text.to_lowercase();
    match kind {
        Kind::Text | Kind::Whole => Read::one(text, text),
        Kind::Phone => {
            let number = phone(text, country);
            Read::one(number.clone(), number)
        }
        Kind::Date => match day(text, dates) {
            Some(day) => Read::one(day.to_string(), moments::plain_date(day).to_string()),
            None => Read::as_sent(text),
        },
        Kind::Country => {
            let names = |country: &&reference::Country| is(&country.code) || is(&country.name);
            let usual = match text.to_lowercase().as_str() {
                "usa" | "u.s." | "u.s.a." | "united states of america" | "america" => reference::country("US"),
                "uk" | "great britain" | "england" => reference::country("GB"),
                _ => None,
            };
            match reference::countries().iter().find(names).or(usual) {
                Some(country) => Read::one(&country.code, &country.name),
                None => Read::as_sent(text),
            }
        }
        Kind::State => {
            let named = |code: &&&str| is(code) || reference::us_state_name(code).is_some_and(is);
            match reference::US_STATES.iter().find(named) {
                Some(code) => Read::one(*code, reference::us_state_name(code).unwrap_or(code)),
                None => Read::as_sent(text),
            }
        }
        Kind::Intake => match intake(text) {
            Some(intake) => Read::one(intake.code(), intake.name().to_string()),
            None => Read::as_sent(text),
        },
        Kind::YesNo => match text.to_lowercase().as_str() {
            "yes" | "y" | "true" | "t" | "1" | "x" | "sí" | "si" => Read::one("yes", "Yes"),
            "no" | "n" | "false" | "f" | "0" => Read::one("no", "No"),
            _ => Read::as_sent(text),
        },
        Kind::Money => match money::cents(text.trim_start_matches(['$', ' '])) {
            Some(cents) => Read::one(text, money::dollars(cents)),
            None => Read::as_sent(text),
        },
        Kind::One(of) => match chosen(of, text) {
            Some((value, label)) => Read::one(value, label),
            None => Read::as_sent(text),
        },
        Kind::Several(of) => {
            let sent: Vec<&str> = text.split([';', '|', '\n']).map(str::trim).filter(|one| !one.is_empty()).collect();
            let known: Vec<_> = sent.iter().map(|one| chosen(of, one)).collect();
            let labels: Option<Vec<&str>> = known.iter().map(|one| one.map(|(_, label)| label.as_str())).collect();
            let values =
                sent.iter().zip(&known).map(|(sent, known)| known.map_or(*sent, |(value, _)| value).to_owned());
            Read { values: values.collect(), shown: labels.map(|labels| labels.join("; ")) }
        }
    }
}

/// Returns the value with this name or label, and its first label.
fn chosen<'a>(of: &'a [(String, String)], text: &str) -> Option<&'a (String, String)> {
    let plain = |text: &str| text.to_lowercase().replace('’', "'");
    let text = plain(text);
    let (value, _) = of.iter().find(|(value, label)| plain(value) == text || plain(label) == text)?;
    of.iter().find(|(one, _)| one == value)
}

/// Reads a day in the given order, or with the year first. Years have four digits: nobody knows what 26 means.
fn day(text: &str, order: DateOrder) -> Option<Date> {
    let text = text.split_once('T').map_or(text, |(day, _)| day).trim();
    let parts: Vec<&str> = text.split(['/', '.', '-']).map(str::trim).collect();
    let &[first, second, third] = parts.as_slice() else { return None };
    let is_number = |part: &str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    if ![first, second, third].into_iter().all(is_number) {
        return None;
    }
    let (year, month, day) = match order {
        _ if first.len() == 4 => (first, second, third),
        DateOrder::Iso => return None,
        DateOrder::MonthFirst => (third, first, second),
        DateOrder::DayFirst => (third, second, first),
    };
    if year.len() != 4 {
        return None;
    }
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

fn intake(text: &str) -> Option<Intake> {
    if let Some(intake) = Intake::parse(text) {
        return Some(intake);
    }
    // “August 2026”
    let (month, year) = text.split_once([' ', '\u{a0}'])?;
    let month = match month.to_lowercase().as_str() {
        "january" | "jan" | "spring" => "01",
        "august" | "aug" | "fall" | "autumn" => "08",
        _ => return None,
    };
    Intake::parse(&format!("{}-{month}", year.trim()))
}

/// Returns the number with `+` and the country's code. Without them it is read as dialled within the country.
fn phone(text: &str, country: Option<&str>) -> String {
    let text = text.trim();
    if text.starts_with('+') {
        return text.to_owned();
    }
    if let Some(abroad) = text.strip_prefix("00") {
        return format!("+{abroad}");
    }
    let dial = country.and_then(reference::country).and_then(|country| country.dial.first());
    let digits = text.chars().filter(char::is_ascii_digit).count();
    match dial {
        // Written with its country's code, and without the plus
        Some(dial) if text.starts_with(dial.as_str()) && digits > 10 => format!("+{text}"),
        Some(dial) => format!("+{dial}{}", text.trim_start_matches('0')),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn days_are_read_in_their_order() {
        let iso = Some(date(2026, 5, 31));
        for (text, order, read) in [
            ("2026-05-31", DateOrder::Iso, iso),
            ("2026-05-31", DateOrder::MonthFirst, iso),
            ("2026-05-31T00:00:00", DateOrder::DayFirst, iso),
            ("5/31/2026", DateOrder::MonthFirst, iso),
            ("31.5.2026", DateOrder::DayFirst, iso),
            ("31/05/2026", DateOrder::MonthFirst, None),
            ("31/05/2026", DateOrder::Iso, None),
            ("05/31/26", DateOrder::MonthFirst, None),
            ("2026-02-30", DateOrder::Iso, None),
            ("31 May 2026", DateOrder::DayFirst, None),
            ("-5-31-2026", DateOrder::MonthFirst, None),
            ("", DateOrder::Iso, None),
        ] {
            assert_eq!(day(text, order), read, "{text} {order:?}");
        }
    }

    #[test]
    fn numbers_without_a_code_are_of_their_country() {
        for (text, country, read) in [
            ("+49 30 123456", Some("US"), "+49 30 123456"),
            ("0049 30 123456", Some("US"), "+49 30 123456"),
            ("030 123456", Some("DE"), "+4930 123456"),
            ("(555) 010-0199", Some("US"), "+1(555) 010-0199"),
            ("1 555 010 0199", Some("US"), "+1 555 010 0199"),
            ("555 0100", None, "555 0100"),
        ] {
            assert_eq!(phone(text, country), read, "{text}");
        }
    }

    #[test]
    fn cells_are_read_by_value_and_by_label() {
        let programs = Kind::One(vec![
            ("ba".into(), "Bachelor’s program".into()),
            ("msc".into(), "Master’s program".into()),
            ("ba".into(), "Bachelor".into()),
        ]);
        assert_eq!(read(&programs, "bachelor", DateOrder::Iso, None).shown.as_deref(), Some("Bachelor’s program"));
        let one = |kind: &Kind, text: &str| read(kind, text, DateOrder::Iso, None).values.join(",");
        for (kind, text, value) in [
            (&programs, "BA", "ba"),
            (&programs, "master's program", "msc"),
            (&programs, "Bachelor", "ba"),
            (&programs, "PhD", "PhD"),
            (&Kind::YesNo, "TRUE", "yes"),
            (&Kind::YesNo, "0", "no"),
            (&Kind::YesNo, "maybe", "maybe"),
            (&Kind::Country, "germany", "DE"),
            (&Kind::Country, "USA", "US"),
            (&Kind::State, "texas", "TX"),
            (&Kind::State, "tx", "TX"),
            (&Kind::Intake, "August 2026", "2026-08"),
            (&Kind::Intake, "2027-01", "2027-01"),
        ] {
            assert_eq!(one(kind, text), value, "{text}");
        }
        let several = Kind::Several(vec![("gi_bill".into(), "GI Bill".into()), ("employer".into(), "Employer".into())]);
        let list = read(&several, "GI Bill; employer", DateOrder::Iso, None);
        assert_eq!(list.values, ["gi_bill", "employer"]);
        assert_eq!(list.shown.as_deref(), Some("GI Bill; Employer"));
        assert_eq!(read(&several, "gi bill; gold", DateOrder::Iso, None).values, ["gi_bill", "gold"]);
    }
}
