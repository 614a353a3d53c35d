//! Open days: when people come to see the institute, and who has booked.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::account::{Email, name, needed};
use super::body::{Read, by, required, ticked, wrong};
use super::characters;
use super::clocks;
use super::input::{FieldError, Input};
use super::interview::Span;
use super::language::Language;
use super::moments::{self, DAY, Millis};
use super::program::{ApplicationType, Program};
use super::sentence::Sentence;
use crate::{body, text};

/// Maximum number of places.
const MAX_PLACES: i64 = 2000;
/// Maximum number of people of one booking.
pub const MAX_PEOPLE: i64 = 4;
/// Bounds of the length, in minutes.
const MIN_MINUTES: i64 = 15;
const MAX_MINUTES: i64 = 720;
/// How long before it begins people are reminded.
pub const REMINDED_BEFORE: Millis = DAY;
const MAX_TITLE_LENGTH: usize = 120;
const MAX_PLACE_LENGTH: usize = 300;

body! {
    /// An open day.
    pub struct OpenDayInput given (now: Millis, zone: &TimeZone) {
        /// In English; 1 to 120 characters.
        pub title: String = required(one_line("The title", MAX_TITLE_LENGTH), "Give it a title."),
        /// In Spanish; without one, the English title is used.
        #[schema(nullable = false)]
        pub title_es: Option<String> = one_line("The title", MAX_TITLE_LENGTH),
        /// Whose landing page lists it; without one, both programs’.
        #[schema(value_type = Option<ApplicationType>)]
        pub program: Option<Program> = program,
        /// In the future. Without an offset, as clocks at the institute show it: `2026-05-12T14:00`.
        #[schema(value_type = String, format = DateTime)]
        pub starts_at: Millis = start(now, zone),
        /// 15 to 720.
        pub minutes: i64 = between(
            MIN_MINUTES,
            MAX_MINUTES,
            Sentence::plain(format!("It takes {MIN_MINUTES} to {MAX_MINUTES} minutes.")),
        ),
        /// An address, or a link to a video call, which only people who have booked get; 1 to 300 characters.
        pub place: String = required(one_line("The place", MAX_PLACE_LENGTH), "Say where it takes place."),
        /// 1 to 2,000, and not fewer than are taken.
        pub places: i64 =
            between(1, MAX_PLACES, Sentence::plain(format!("There can be 1 to {MAX_PLACES} places."))),
        /// For a change: the `sequence` that was seen. If it has another by now, nothing is changed.
        #[schema(nullable = false)]
        pub sequence: Option<i64> = number("The sequence must be a whole number."),
    }
}

body! {
    /// A booking of an open day.
    pub struct BookingInput {
        /// At most 100 characters, and nothing that looks like a web address.
        pub first_name: String = needed(text!("First name"), name),
        pub last_name: String = needed(text!("Last name"), name),
        #[schema(value_type = String, format = Email)]
        pub email: Email = by(Email::parse),
        /// 1 to 4.
        pub people: i64 = between(1, MAX_PEOPLE, text!("Choose 1 to {most} people.", most = MAX_PEOPLE)),
        /// That we may write to this address about the booking.
        pub consent: bool = ticked(text!("Check the box to allow us to email you about your booking.")),
    }
}

/// Reads an optional text of one line, trimmed; `what` is the subject of the error messages.
fn one_line(what: &'static str, longest: usize) -> impl Read<Option<String>> {
    move |path: &str, input: Option<&Input>| match input {
        None => Ok(None),
        Some(Input::Text(text)) if text.trim().is_empty() => Ok(None),
        Some(Input::Text(text)) if text.trim().chars().count() > longest => {
            let sentence = format!("{what} must be at most {longest} characters.");
            Err(wrong(path, "too_long", Sentence::plain(sentence)))
        }
        Some(Input::Text(text)) => match characters::refused(what, text.trim()) {
            Some(sentence) => Err(wrong(path, "invalid", sentence)),
            None => Ok(Some(text.trim().to_owned())),
        },
        Some(_) => Err(wrong(path, "type", Sentence::plain(format!("{what} must be text.")))),
    }
}

/// Reads an optional whole number, which a form sends as text.
fn number(ask: impl Into<Sentence>) -> impl Read<Option<i64>> {
    move |path: &str, input: Option<&Input>| {
        let read = match input {
            None => return Ok(None),
            Some(Input::Text(text)) if text.trim().is_empty() => return Ok(None),
            Some(Input::Text(text)) => text.trim().parse().ok(),
            Some(Input::Whole(number)) => Some(*number),
            Some(_) => None,
        };
        read.map(Some).ok_or_else(|| wrong(path, "type", ask))
    }
}

/// Reads a whole number between two; `ask` is the message for anything else.
fn between(least: i64, most: i64, ask: Sentence) -> impl Read<i64> {
    move |path: &str, input: Option<&Input>| match required(number(ask.clone()), ask.clone())(path, input)? {
        number if (least..=most).contains(&number) => Ok(number),
        _ => Err(wrong(path, "range", ask)),
    }
}

fn program(path: &str, input: Option<&Input>) -> Result<Option<Program>, FieldError> {
    match input {
        None => Ok(None),
        Some(Input::Text(text)) if text.is_empty() => Ok(None),
        Some(Input::Text(text)) if Program::of_application_type(text).is_some() => {
            Ok(Program::of_application_type(text))
        }
        Some(_) => Err(wrong(path, "unknown", "Choose a program, or both.")),
    }
}

/// Reads a moment in the future, with an offset or in the time zone.
fn start(now: Millis, zone: &TimeZone) -> impl Read<Millis> {
    move |path: &str, input: Option<&Input>| {
        let text = match input {
            None => "",
            Some(Input::Text(text)) => text.trim(),
            Some(_) => return Err(wrong(path, "type", "The start must be text, for example 2026-05-12T14:00.")),
        };
        if text.is_empty() {
            return Err(wrong(path, "required", "Say when it begins."));
        }
        let moment = match text.parse::<jiff::Timestamp>() {
            Ok(moment) => Some(moment.as_millisecond()),
            Err(_) => text.parse::<DateTime>().ok().and_then(|local| clocks::moment(local, zone)),
        };
        match moment {
            None => Err(wrong(path, "invalid", "Enter a day and a time that exist.")),
            Some(moment) if moment <= now => Err(wrong(path, "past", "This time has passed. Choose a later one.")),
            Some(moment) => Ok(moment),
        }
    }
}

/// A day on which people come to see the institute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDay {
    pub id: String,
    /// In English.
    pub title: String,
    pub title_es: Option<String>,
    /// `None`: both.
    pub program: Option<Program>,
    pub starts_at: Millis,
    pub minutes: i64,
    /// An address, or the link to a video call.
    pub place: String,
    pub places: i64,
    /// People who have booked.
    pub taken: i64,
    pub cancelled_at: Option<Millis>,
    /// Increases with each change, also in calendars.
    pub sequence: i64,
}

impl OpenDay {
    pub fn title(&self) -> Sentence {
        match &self.title_es {
            Some(spanish) => Sentence::each(&self.title, spanish),
            None => Sentence::plain(&self.title),
        }
    }

    pub fn span(&self) -> Span {
        Span { starts_at: self.starts_at, minutes: self.minutes }
    }

    pub fn ends_at(&self) -> Millis {
        self.span().ends_at()
    }

    pub fn is_over(&self, now: Millis) -> bool {
        self.ends_at() <= now
    }

    /// Returns the number of places left.
    pub fn left(&self) -> i64 {
        (self.places - self.taken).max(0)
    }

    pub fn is_for(&self, program: Program) -> bool {
        self.program.is_none_or(|own| own == program)
    }

    /// Returns the link to the video call, if it takes place there. It is only for people who have booked.
    pub fn link(&self) -> Option<&str> {
        let place = self.place.as_str();
        ["https://", "http://"].iter().any(|scheme| place.starts_with(scheme)).then_some(place)
    }

    /// Returns what is different for people who have booked.
    pub fn is_moved_from(&self, before: &OpenDay) -> bool {
        self.span() != before.span() || self.place != before.place
    }

    /// Returns the input of a change with what it leaves out.
    pub fn completed(&self, input: &Input) -> Input {
        let Input::Map(given) = input else { return input.clone() };
        let text = |text: &str| Input::Text(text.to_owned());
        let optional = |value: Option<&str>| value.map_or(Input::Null, text);
        let own = [
            ("title", text(&self.title)),
            ("titleEs", optional(self.title_es.as_deref())),
            ("program", optional(self.program.map(Program::application_type))),
            ("startsAt", text(&moments::rfc3339(self.starts_at))),
            ("minutes", Input::Whole(self.minutes)),
            ("place", text(&self.place)),
            ("places", Input::Whole(self.places)),
        ];
        let left_out = own.into_iter().filter(|(name, _)| given.iter().all(|(known, _)| known != name));
        let left_out = left_out.map(|(name, value)| (name.to_owned(), value));
        Input::Map(given.iter().cloned().chain(left_out).collect())
    }

    /// Returns when somebody who books now counts as reminded: at once if the day is so close that the confirmation
    /// reminds them.
    pub fn reminded_at(&self, now: Millis) -> Option<Millis> {
        (self.starts_at - now <= REMINDED_BEFORE).then_some(now)
    }
}

/// A booking of an open day: one for each address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDayBooking {
    pub id: String,
    pub open_day_id: String,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub people: i64,
    /// Language of mails.
    pub language: Language,
    pub created_at: Millis,
    pub cancelled_at: Option<Millis>,
    /// Whether they came; `None` until somebody has noted it.
    pub came: Option<bool>,
    /// Increases with each change.
    pub sequence: i64,
}

impl OpenDayBooking {
    pub fn people_text(&self) -> Sentence {
        match self.people {
            1 => text!("1 person"),
            people => text!("{people} people", people),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::{Value, json};

    use super::*;
    use crate::moments::{HOUR, MINUTE};

    fn now() -> Millis {
        date(2026, 5, 4).at(12, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap().timestamp().as_millisecond()
    }

    fn input() -> Value {
        json!({
            "title": " Open day ", "titleEs": "", "program": "msc", "startsAt": "2026-05-12T14:00",
            "minutes": "90", "place": "Room 1, Main Street", "places": 40,
        })
    }

    fn parse(body: &Value) -> Result<OpenDayInput, Vec<String>> {
        let zone = clocks::zone("America/Chicago");
        let parsed = OpenDayInput::parse(&Input::from(body.clone()), now(), &zone);
        parsed.map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    #[test]
    fn an_open_day_is_read_from_a_form_and_from_json() {
        let day = parse(&input()).unwrap();
        assert_eq!((day.title.as_str(), day.title_es, day.program), ("Open day", None, Some(Program::Masters)));
        assert_eq!((day.minutes, day.places, day.sequence), (90, 40, None));
        assert_eq!(day.starts_at, "2026-05-12T19:00:00Z".parse::<jiff::Timestamp>().unwrap().as_millisecond());
        let mut body = input();
        body["startsAt"] = json!("2026-05-12T14:00:00-05:00");
        body["program"] = Value::Null;
        body["titleEs"] = json!("Puertas abiertas");
        let same = parse(&body).unwrap();
        assert_eq!(
            (same.starts_at, same.program, same.title_es.as_deref()),
            (day.starts_at, None, Some("Puertas abiertas"))
        );

        for (name, value, code) in [
            ("title", json!(" "), "title.required"),
            ("title", json!("x".repeat(121)), "title.too_long"),
            ("titleEs", json!("a\u{200b}b"), "titleEs.invalid"),
            ("program", json!("phd"), "program.unknown"),
            ("startsAt", Value::Null, "startsAt.required"),
            ("startsAt", json!("tomorrow"), "startsAt.invalid"),
            // Clocks are put forward that night.
            ("startsAt", json!("2027-03-14T02:30"), "startsAt.invalid"),
            ("startsAt", json!("2026-05-04T07:00"), "startsAt.past"),
            ("startsAt", json!(1), "startsAt.type"),
            ("minutes", json!(14), "minutes.range"),
            ("minutes", json!("an hour"), "minutes.type"),
            ("minutes", json!(""), "minutes.required"),
            ("place", json!(1), "place.type"),
            ("places", json!(0), "places.range"),
            ("places", json!(2001), "places.range"),
            ("taken", json!(1), "field.unknown"),
        ] {
            let mut body = input();
            body[name] = value;
            assert_eq!(parse(&body).unwrap_err(), [code], "{body}");
        }
    }

    #[test]
    fn a_change_leaves_the_rest_as_it_is() {
        let zone = clocks::zone("America/Chicago");
        let read = |body: Value, day: &OpenDay| {
            let input = day.completed(&Input::from(body));
            OpenDayInput::parse(&input, now(), &zone).map_err(|errors| errors[0].code.clone())
        };
        let day = OpenDay { starts_at: now() + DAY, ..day() };
        let same = read(json!({}), &day).unwrap();
        assert_eq!(
            (same.title.as_str(), same.title_es.clone(), same.program),
            ("Open day", day.title_es.clone(), day.program)
        );
        assert_eq!((same.starts_at, same.minutes, same.places), (day.starts_at, day.minutes, day.places));
        assert_eq!(same.place, day.place);
        let other = read(json!({ "program": null, "titleEs": "", "places": 3 }), &day).unwrap();
        assert_eq!((other.program, other.title_es, other.places, other.minutes), (None, None, 3, 60));
        assert_eq!(read(json!({ "title": "" }), &day).unwrap_err(), "title.required");
        assert_eq!(read(json!([]), &day).unwrap_err(), "json.object");
    }

    #[test]
    fn a_booking_is_for_one_to_four_people() {
        let booking = json!({
            "firstName": "Zoë", "lastName": "Demo", "email": "zoe@example.org", "people": "2", "consent": "yes",
        });
        let codes = |body: &Value| -> Vec<String> {
            let errors = BookingInput::parse(&Input::from(body.clone())).err().into_iter().flatten();
            errors.map(|error| error.code).collect()
        };
        assert_eq!(BookingInput::parse(&Input::from(booking.clone())).unwrap().people, 2);
        for (name, value, code) in [
            ("people", json!("5"), "people.range"),
            ("people", json!(0), "people.range"),
            ("people", json!("two"), "people.type"),
            ("people", Value::Null, "people.required"),
            ("firstName", json!("evil.example"), "firstName.address"),
            ("lastName", json!(""), "lastName.required"),
            ("email", json!("zoe"), "email.invalid"),
            ("consent", Value::Null, "consent.required"),
        ] {
            let mut body = booking.clone();
            body[name] = value;
            assert_eq!(codes(&body), [code], "{body}");
        }
    }

    fn day() -> OpenDay {
        OpenDay {
            id: "1".into(),
            title: "Open day".into(),
            title_es: Some("Puertas abiertas".into()),
            program: Some(Program::Bachelor),
            starts_at: now(),
            minutes: 60,
            place: "Main Street".into(),
            places: 10,
            taken: 8,
            cancelled_at: None,
            sequence: 0,
        }
    }

    #[test]
    fn a_day_knows_its_places_and_its_end() {
        let day = day();
        assert_eq!((day.left(), OpenDay { taken: 12, ..day.clone() }.left()), (2, 0));
        assert!(!day.is_over(now() + HOUR - 1) && day.is_over(now() + HOUR));
        assert!(day.is_for(Program::Bachelor) && !day.is_for(Program::Masters));
        assert!(OpenDay { program: None, ..day.clone() }.is_for(Program::Masters));
        assert_eq!(day.title().in_language(Language::Es), "Puertas abiertas");
        assert_eq!(OpenDay { title_es: None, ..day.clone() }.title().in_language(Language::Es), "Open day");
        assert_eq!(day.link(), None);
        let online = OpenDay { place: "https://video.example.org/1".into(), ..day.clone() };
        assert_eq!(online.link(), Some("https://video.example.org/1"));
        assert!(online.is_moved_from(&day) && !OpenDay { title: "Other".into(), ..day.clone() }.is_moved_from(&day));
        assert!(OpenDay { minutes: 61, ..day.clone() }.is_moved_from(&day));
        let (close, far) = (now() - DAY, now() - DAY - MINUTE);
        assert_eq!((day.reminded_at(close), day.reminded_at(far)), (Some(close), None));
    }
}
