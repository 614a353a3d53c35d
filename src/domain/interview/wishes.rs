//! The times that an applicant wishes for when none of the free ones suits.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;

use crate::domain::clocks::moment;
use crate::domain::input::{FieldError, Input, unknown_fields};
use crate::domain::sentence::Sentence;
use crate::text;

/// How many times are asked for.
pub const WISHES: usize = 3;
/// Nobody plans further ahead than this, in milliseconds: what comes later is a typing error.
const FURTHEST: i64 = 366 * 24 * 60 * 60_000;

/// The wished moments, from `{"wishes": [{"date": "2026-05-12", "time": "14:00"}, …]}` in the applicant's time zone.
///
/// # Errors
/// By path: `wishes.0.date.required`, `….invalid`, `….past`, `….too_far`, `….duplicate`, `wishes.0.time.required`,
/// `….invalid`, `….skipped`; `wishes.required`, `wishes.type`, `wishes.count`; unknown fields.
pub fn parse_wishes(input: &Input, zone: &TimeZone, now: i64) -> Result<[i64; WISHES], Vec<FieldError>> {
    let entries = input.entries()?;
    let mut errors: Vec<FieldError> = unknown_fields(entries, &["wishes"]).collect();
    let list = match Input::get(entries, "wishes") {
        Some(Input::List(list)) if list.len() == WISHES => list,
        None => {
            errors.push(FieldError::new("wishes", "wishes.required", text!("Enter three times that suit you.")));
            return Err(errors);
        }
        Some(Input::List(_)) => {
            errors.push(FieldError::new("wishes", "wishes.count", text!("Enter exactly three times that suit you.")));
            return Err(errors);
        }
        Some(_) => {
            errors.push(FieldError::new("wishes", "wishes.type", text!("The wishes must be a list of three times.")));
            return Err(errors);
        }
    };
    let mut moments = [0; WISHES];
    for (place, wish) in list.iter().enumerate() {
        match parse_wish(place, wish, zone, now) {
            Ok(moment) if moments[..place].contains(&moment) => {
                errors.push(error(
                    place,
                    "date",
                    "duplicate",
                    text!("You have already entered this time. Choose another one."),
                ));
            }
            Ok(moment) => moments[place] = moment,
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(moments) } else { Err(errors) }
}

fn error(place: usize, field: &str, rule: &str, sentence: Sentence) -> FieldError {
    let path = format!("wishes.{place}.{field}");
    FieldError::new(path.clone(), format!("{path}.{rule}"), sentence)
}

fn parse_wish(place: usize, wish: &Input, zone: &TimeZone, now: i64) -> Result<i64, Vec<FieldError>> {
    let Input::Map(entries) = wish else {
        return Err(vec![error(place, "date", "invalid", text!("Enter a date and a time."))]);
    };
    let mut errors = Vec::new();
    for unknown in unknown_fields(entries, &["date", "time"]) {
        errors.push(FieldError { path: format!("wishes.{place}.{}", unknown.path), ..unknown });
    }
    let text = |name: &str| match Input::get(entries, name) {
        Some(Input::Text(text)) => Some(text.trim()),
        Some(_) => Some("not text"),
        None => None,
    };
    let date: Option<Date> = match text("date") {
        None | Some("") => {
            errors.push(error(place, "date", "required", text!("Choose a date.")));
            None
        }
        Some(text) => text
            .parse()
            .map_err(|_| errors.push(error(place, "date", "invalid", text!("Enter a date, for example 2026-05-12."))))
            .ok(),
    };
    let time: Option<Time> = match text("time") {
        None | Some("") => {
            errors.push(error(place, "time", "required", text!("Choose a time of day.")));
            None
        }
        Some(text) => Time::strptime("%H:%M", text)
            .map_err(|_| errors.push(error(place, "time", "invalid", text!("Enter a time of day, for example 14:00."))))
            .ok(),
    };
    let (Some(date), Some(time)) = (date, time) else { return Err(errors) };
    match moment(DateTime::from_parts(date, time), zone) {
        None => errors.push(error(
            place,
            "time",
            "skipped",
            text!("The clocks go forward on that day, and this time does not exist. Choose another one."),
        )),
        Some(moment) if moment <= now => {
            errors.push(error(place, "date", "past", text!("This time has passed. Choose a later one.")));
        }
        Some(moment) if moment > now + FURTHEST => {
            errors.push(error(place, "date", "too_far", text!("Choose a date within the next year.")));
        }
        Some(moment) if errors.is_empty() => return Ok(moment),
        Some(_) => {}
    }
    Err(errors)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_millisecond()
    }

    fn wish(date: &str, time: &str) -> Input {
        let fields = [("date", date), ("time", time)];
        Input::Map(fields.map(|(name, text)| (name.to_owned(), Input::Text(text.into()))).to_vec())
    }

    fn parse(wishes: Vec<Input>) -> Result<[i64; WISHES], Vec<String>> {
        let body = Input::Map(vec![("wishes".into(), Input::List(wishes))]);
        let zone = TimeZone::get("America/New_York").unwrap();
        parse_wishes(&body, &zone, at("2026-02-01T12:00:00Z"))
            .map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    #[test]
    fn wishes_are_moments_in_the_applicants_zone() {
        let wishes = vec![wish("2026-03-07", "14:00"), wish("2026-03-09", "14:00"), wish("2026-11-01", "01:30")];
        let moments = ["2026-03-07T19:00:00Z", "2026-03-09T18:00:00Z", "2026-11-01T05:30:00Z"].map(at);
        assert_eq!(parse(wishes), Ok(moments));
    }

    #[test]
    fn each_bad_wish_has_its_own_error() {
        let good = || wish("2026-03-07", "14:00");
        for (bad, code) in [
            (wish("", "14:00"), "wishes.1.date.required"),
            (wish("2026-03-07", ""), "wishes.1.time.required"),
            (wish("2026-02-30", "14:00"), "wishes.1.date.invalid"),
            (wish("2026-03-07", "25:00"), "wishes.1.time.invalid"),
            (wish("2026-02-01", "06:59"), "wishes.1.date.past"),
            (wish("2027-03-07", "14:00"), "wishes.1.date.too_far"),
            (wish("2026-03-08", "02:30"), "wishes.1.time.skipped"),
            (good(), "wishes.1.date.duplicate"),
            (Input::Text("soon".into()), "wishes.1.date.invalid"),
        ] {
            let wishes = vec![good(), bad, wish("2026-03-10", "09:00")];
            assert_eq!(parse(wishes), Err(vec![code.to_owned()]));
        }
        assert_eq!(parse(vec![good()]), Err(vec!["wishes.count".to_owned()]));
        let empty = vec![wish("", ""), wish("", ""), wish("", "")];
        assert_eq!(parse(empty).unwrap_err().len(), 6);
    }
}
