//! The times that an applicant wishes for when none of the offered ones suits.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;

use crate::body::{within, wrong};
use crate::clocks::moment;
use crate::input::{FieldError, Input};
use crate::sentence::Sentence;
use crate::{body, text};

/// How many times to enter.
pub const WISHES: usize = 3;
/// Maximum time ahead, in milliseconds: nobody plans further ahead, so later times are typos.
const FURTHEST: i64 = 366 * 24 * 60 * 60_000;

body! {
    /// Three different times in the future.
    pub struct InterviewWishes given (zone: &TimeZone, now: i64) {
        #[schema(value_type = Vec<Wish>, min_items = 3, max_items = 3)]
        pub wishes: [i64; WISHES] = |path: &str, input: Option<&Input>| moments(path, input, zone, now),
    }
}

body! {
    /// A time in the applicant's time zone.
    pub struct Wish {
        #[schema(value_type = String, format = Date)]
        date: Date = |path: &str, input: Option<&Input>| {
            let text = typed(path, input, text!("Choose a date."))?;
            text.parse().map_err(|_| wrong(path, "invalid", text!("Enter a date, for example 2026-05-12.")))
        },
        #[schema(value_type = String, example = "14:00")]
        time: Time = |path: &str, input: Option<&Input>| {
            let text = typed(path, input, text!("Choose a time of day."))?;
            let time = Time::strptime("%H:%M", text);
            time.map_err(|_| wrong(path, "invalid", text!("Enter a time of day, for example 14:00.")))
        },
    }
}

fn typed<'a>(path: &str, input: Option<&'a Input>, ask: Sentence) -> Result<&'a str, FieldError> {
    match input {
        Some(Input::Text(text)) if !text.trim().is_empty() => Ok(text.trim()),
        None | Some(Input::Text(_)) => Err(wrong(path, "required", ask)),
        Some(_) => Ok("not text"),
    }
}

/// Reads the wished times, in milliseconds; `zone` is that of the applicant.
fn moments(path: &str, input: Option<&Input>, zone: &TimeZone, now: i64) -> Result<[i64; WISHES], Vec<FieldError>> {
    let list = match input {
        Some(Input::List(list)) if list.len() == WISHES => list,
        None => return Err(vec![wrong(path, "required", text!("Enter three times that suit you."))]),
        Some(Input::List(_)) => {
            return Err(vec![wrong(path, "count", text!("Enter exactly three times that suit you."))]);
        }
        Some(_) => return Err(vec![wrong(path, "type", text!("The wishes must be a list of three times."))]),
    };
    let (mut moments, mut errors) = ([0; WISHES], Vec::new());
    for (place, wish) in list.iter().enumerate() {
        let moment = match wish {
            Input::Map(_) => Wish::parse(wish).and_then(|wish| wish.moment(zone, now).map_err(|error| vec![error])),
            _ => Err(vec![wrong("date", "invalid", text!("Enter a date and a time."))]),
        };
        let moment = moment.and_then(|moment| {
            let twice = || wrong("date", "duplicate", text!("You have already entered this time. Choose another one."));
            if moments[..place].contains(&moment) { Err(vec![twice()]) } else { Ok(moment) }
        });
        match moment {
            Ok(moment) => moments[place] = moment,
            Err(wrong) => errors.extend(wrong.into_iter().map(|error| within(&format!("{path}.{place}"), error))),
        }
    }
    if errors.is_empty() { Ok(moments) } else { Err(errors) }
}

impl Wish {
    fn moment(&self, zone: &TimeZone, now: i64) -> Result<i64, FieldError> {
        match moment(DateTime::from_parts(self.date, self.time), zone) {
            None => Err(wrong(
                "time",
                "skipped",
                text!("The clocks go forward on that day, and this time does not exist. Choose another one."),
            )),
            Some(moment) if moment <= now => {
                Err(wrong("date", "past", text!("This time has passed. Choose a later one.")))
            }
            Some(moment) if moment > now + FURTHEST => {
                Err(wrong("date", "too_far", text!("Choose a date within the next year.")))
            }
            Some(moment) => Ok(moment),
        }
    }
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
        InterviewWishes::parse(&body, &zone, at("2026-02-01T12:00:00Z"))
            .map(|parsed| parsed.wishes)
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
