//! When somebody is available, and the feed of their calendar: shown below it if it is the only one.

use jiff::civil::Weekday;
use serde::Serialize;

use crate::account::time_zones;
use crate::admin::Office;
use crate::props::office::Choice;
use crate::{Form, moment};
use app::{Error, Refusal};
use domain::availability::{Availability, Exception, Hours, Window, exception, window};
use domain::input::{FieldError, Input};
use domain::interview::Rules;
use domain::moments;
use domain::staff::Staff;

/// When somebody is available, and the feed of the user's own calendar.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PersonTimes {
    pub staff: String,
    pub name: String,
    pub is_own: bool,
    pub rules: RulesView,
    pub weekdays: Vec<Choice>,
    pub zones: Vec<String>,
    /// Only for the user's own calendar.
    pub feed: Option<FeedView>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RulesView {
    pub revision: i64,
    /// IANA
    pub time_zone: String,
    pub minutes: i64,
    /// Minutes between two interviews.
    pub buffer: i64,
    /// Minimum notice for bookings, in hours.
    pub notice: i64,
    pub weekly: Vec<String>,
    pub exceptions: Vec<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FeedView {
    /// Null without one.
    pub since_text: Option<String>,
    /// Shown once, when it is made.
    pub address: Option<String>,
}

/// Makes one change to the rules.
pub async fn change(office: Office<'_>, form: &Form, staff_id: &str, action: &str, place: &str) -> Result<(), Error> {
    let app = &office.visit.state.app;
    let (_, Rules { mut availability, revision, .. }) = app.interview_rules(office.who, staff_id).await?;
    // Positions refer to the rules that were seen.
    if form.get("revision").parse() != Ok(revision) {
        return Err(Refusal::RulesChanged.into());
    }
    let field = |name: &str, from: &str| (name.to_owned(), Input::Text(form.get(from).to_owned()));
    let renamed = |errors: Vec<FieldError>, prefix: &'static str| -> Error {
        let rename = |error: FieldError| {
            let mut letters = error.path.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase()).unwrap_or_default();
            FieldError { path: format!("{prefix}{first}{}", letters.as_str()), ..error }
        };
        Error::Invalid(errors.into_iter().map(rename).collect())
    };
    match action {
        "settings" => availability = settings(form, availability)?,
        "window" => {
            let fields = vec![field("weekday", "weekWeekday"), field("from", "weekFrom"), field("until", "weekUntil")];
            let added = window(&Input::Map(fields)).and_then(|window| availability.add_window(window));
            added.map_err(|errors| renamed(errors, "week"))?;
        }
        "off" | "extra" => {
            let mut fields = vec![field("date", "dayDate")];
            if action == "extra" {
                fields.extend([field("from", "dayFrom"), field("until", "dayUntil")]);
            }
            let added = exception(&Input::Map(fields)).and_then(|exception| availability.add_exception(exception));
            added.map_err(|errors| renamed(errors, "day"))?;
        }
        _ => {
            let place: usize = place.parse().unwrap_or(usize::MAX);
            let is_there = match action {
                "drop-window" => place < availability.weekly.len(),
                _ => place < availability.exceptions.len(),
            };
            if !is_there {
                return Err(Refusal::RulesChanged.into());
            }
            if action == "drop-window" {
                availability.weekly.remove(place);
            } else {
                availability.exceptions.remove(place);
            }
        }
    }
    app.change_interview_rules(office.who, staff_id, revision, availability).await
}

/// Returns the rules with another time zone, length, buffer or notice. Times in which no interview fits any more are an
/// error of the length.
fn settings(form: &Form, before: Availability) -> Result<Availability, Error> {
    let text = |name: &str| (name.to_owned(), Input::Text(form.get(name).trim().to_owned()));
    let zone = ("timeZone".to_owned(), Input::Text(form.get("timeZone").trim().replace(' ', "_")));
    let mut changed = Availability::parse(&Input::Map(vec![zone, text("minutes"), text("buffer"), text("notice")]))?;
    for window in before.weekly {
        changed.add_window(window).map_err(too_long)?;
    }
    for exception in before.exceptions {
        changed.add_exception(exception).map_err(too_long)?;
    }
    Ok(changed)
}

fn too_long(_: Vec<FieldError>) -> Error {
    let sentence = "One of the times below is shorter than that. Change it first.";
    FieldError::new("minutes", "minutes.long", sentence).into()
}

pub async fn person_times(
    office: Office<'_>,
    person: &Staff,
    rules: &Rules,
    address: Option<String>,
) -> Result<PersonTimes, Error> {
    let is_own = office.who.staff.id == person.id;
    let zone = rules.availability.time_zone.as_str();
    let feed = match is_own {
        true => Some(FeedView {
            since_text: (office.visit.state.app.feed_opened_at(&person.id).await?)
                .map(|at| moment::full(at, zone).to_string()),
            address,
        }),
        false => None,
    };
    Ok(PersonTimes {
        staff: person.id.clone(),
        name: person.called().to_owned(),
        is_own,
        rules: rules_view(rules),
        weekdays: weekdays(),
        zones: time_zones(),
        feed,
    })
}

const WEEK: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

fn weekdays() -> Vec<Choice> {
    let choice = |day: &Weekday| Choice { value: day.to_monday_one_offset().to_string(), label: weekday(*day) };
    WEEK.iter().map(choice).collect()
}

fn weekday(day: Weekday) -> String {
    // Any week that starts on a Monday.
    moments::weekday(jiff::civil::date(2026, 5, 4 + day.to_monday_zero_offset())).to_string()
}

fn rules_view(rules: &Rules) -> RulesView {
    let Availability { time_zone, minutes, buffer, notice, weekly, exceptions } = &rules.availability;
    let window = |window: &Window| format!("{}, {}", weekday(window.weekday), hours(window.hours));
    let exception = |exception: &Exception| {
        let day = moments::loose_date(exception.date);
        exception.extra.map_or_else(|| format!("{day}: off"), |extra| format!("{day}: also {}", hours(extra)))
    };
    RulesView {
        revision: rules.revision,
        time_zone: time_zone.clone(),
        minutes: *minutes,
        buffer: *buffer,
        notice: *notice,
        weekly: weekly.iter().map(window).collect(),
        exceptions: exceptions.iter().map(exception).collect(),
    }
}

fn hours(hours: Hours) -> String {
    let until = hours.until.strftime("%H:%M").to_string();
    let until = if until == "00:00" { "24:00".to_owned() } else { until };
    format!("{}–{until}", hours.from.strftime("%H:%M"))
}
