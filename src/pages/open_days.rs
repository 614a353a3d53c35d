//! Open days: each with its form to book places, and the booking that a mailed link leads to. Looking at the link does
//! nothing: mail scanners open links.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{FormState, Head, Screen, Typed};
use super::props::open_days::{
    BookingInfo, BookingState, OpenDayBookingProps, OpenDayLine, OpenDayProps, OpenDayState,
};
use super::{Form, Visit, problem, respond};
use app::Error;
use domain::input::Input;
use domain::moments::rfc3339;
use domain::open_day::{MAX_PEOPLE, OpenDay, OpenDayBooking};
use domain::sentence::{Sentence, speaking};
use domain::{clocks, moments, text};

const PATH: &str = "/open-days/";
/// Number of other open days offered on the page of one.
const OTHERS: usize = 3;

/// Returns the address of an open day.
pub fn href(id: &str) -> String {
    format!("{PATH}{id}")
}

pub async fn show(visit: &Visit) -> Response {
    let mut form = FormState::default();
    if let Some(who) = &visit.visitor.signed_in {
        let profile = &who.applicant.profile;
        for (name, value) in
            [("firstName", &profile.first_name), ("lastName", &profile.last_name), ("email", &who.applicant.email)]
        {
            form.values.insert(name.to_owned(), Typed::One(value.clone()));
        }
    }
    respond(visit, visit.query("booked").is_some(), form, None).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let id = id(visit);
    match visit.state.app.book_open_day(id, &input(form), &visit.client).await {
        Ok(_) => respond::see_other(&format!("{}?booked=1", href(id))),
        Err(error) => respond(visit, false, form.refused(&error), Some(problem::status(&error))).await,
    }
}

fn id(visit: &Visit) -> &str {
    visit.path.strip_prefix(PATH).unwrap_or_default()
}

/// The form's fields, as the API would take them.
fn input(form: &Form) -> Input {
    let mut fields = form.input(&["firstName", "lastName", "email", "people"]);
    fields.push(("consent".into(), Input::Bool(form.get("consent") == "yes")));
    Input::Map(fields)
}

/// Returns the page of an open day. Without a status, that of the day decides.
async fn respond(visit: &Visit, booked: bool, form: FormState, status: Option<StatusCode>) -> Response {
    let app = &visit.state.app;
    let loaded = async {
        let Some(day) = app.open_day(id(visit)).await? else { return Ok::<_, Error>(None) };
        let program = day.program.unwrap_or(visit.program);
        let others = app.upcoming_open_days(program, OTHERS + 1).await;
        Ok(Some((day, program, others)))
    };
    let (day, program, others) = match loaded.await {
        Ok(Some(loaded)) => loaded,
        Ok(None) => return problem::page(visit, problem::NO_OPEN_DAY).await,
        Err(error) => return problem::unavailable(visit, &error).await,
    };
    let state = match () {
        () if day.cancelled_at.is_some() => OpenDayState::Cancelled,
        () if day.is_over(visit.now()) => OpenDayState::Over,
        () if day.left() <= 0 => OpenDayState::Full,
        () => OpenDayState::Open,
    };
    let zone = &app.settings.time_zone;
    let head = match state {
        OpenDayState::Open | OpenDayState::Full => public_head(visit, &day),
        OpenDayState::Over | OpenDayState::Cancelled => visit.private_head(day.title()),
    };
    let usual = if state == OpenDayState::Over { StatusCode::GONE } else { StatusCode::OK };
    let others = others.iter().filter(|other| other.id != day.id).take(OTHERS);
    let props = OpenDayProps {
        line: line(&day, zone),
        state,
        program_name: day.program.map(|program| program.name()),
        apply_href: format!("/{}/apply", program.path()),
        booked: booked && matches!(state, OpenDayState::Open | OpenDayState::Full),
        most_people: MAX_PEOPLE,
        others: others.map(|other| line(other, zone)).collect(),
        form,
    };
    respond::page(visit, visit.page(Screen::OpenDay(Box::new(props)), status.unwrap_or(usual), head)).await
}

fn public_head(visit: &Visit, day: &OpenDay) -> Head {
    let settings = &visit.state.app.settings;
    let language = visit.language();
    let canonical = format!("{}{}", settings.public_url, href(&day.id));
    let OpenDayLine { title, day_text, time_text, .. } = line(day, &settings.time_zone);
    Head {
        title: visit.title(&title),
        description: Some(text!("{day}, {time}", day = day_text, time = time_text).in_language(language)),
        structured_data: Some(speaking(language, || structured_data(day, &settings.institute, &canonical))),
        canonical: Some(canonical),
        robots: None,
        ..Head::default()
    }
}

/// Returns the <https://schema.org/Event>. Where it is, is told to those who have booked.
fn structured_data(day: &OpenDay, institute: &str, url: &str) -> serde_json::Value {
    serde_json::json!({
        "@context": "https://schema.org",
        "@type": "Event",
        "name": day.title(),
        "url": url,
        "startDate": rfc3339(day.starts_at),
        "endDate": rfc3339(day.ends_at()),
        "eventStatus": "https://schema.org/EventScheduled",
        "isAccessibleForFree": true,
        "maximumAttendeeCapacity": day.places,
        "remainingAttendeeCapacity": day.left().max(0),
        "organizer": { "@type": "CollegeOrUniversity", "name": institute },
    })
}

/// Returns an open day as lists show it, in the institute's time zone.
pub fn line(day: &OpenDay, zone: &str) -> OpenDayLine {
    let (from, until) = (clocks::zoned(day.starts_at, zone), clocks::zoned(day.ends_at(), zone));
    let (time, abbreviation) = (moments::clock_span(&from, &until), from.strftime("%Z").to_string());
    OpenDayLine {
        href: href(&day.id),
        title: day.title(),
        day_text: moments::long_date(from.date()),
        time_text: text!("{time} {zone}", time, zone = abbreviation),
        left_text: match day.left() {
            ..=0 => text!("Full"),
            1 => text!("1 place left"),
            left => text!("{left} places left", left),
        },
    }
}

/// Shows the booking that a mailed link leads to.
pub async fn show_booking(visit: &Visit) -> Response {
    let token = visit.query("token").unwrap_or_default();
    answer_link(visit, token, None, StatusCode::OK).await
}

pub async fn submit_booking(visit: &Visit, form: &Form) -> Response {
    let token = form.get("token").to_owned();
    match visit.state.app.cancel_booking(&token).await {
        Ok(()) => answer_link(visit, token, None, StatusCode::OK).await,
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => problem::unavailable(visit, &error).await,
        Err(error) => answer_link(visit, token, Some(error.sentence()), problem::status(&error)).await,
    }
}

async fn answer_link(visit: &Visit, token: String, error: Option<Sentence>, status: StatusCode) -> Response {
    let booking = match visit.state.app.open_day_booking(&token).await {
        Ok(found) => found.map(|(day, booking)| info(visit, &day, booking)),
        Err(error) => return problem::unavailable(visit, &error).await,
    };
    let head = visit.private_head(text!("Your booking"));
    let props = OpenDayBookingProps { token, booking, error };
    respond::page(visit, visit.page(Screen::OpenDayBooking(Box::new(props)), status, head)).await
}

fn info(visit: &Visit, day: &OpenDay, booking: OpenDayBooking) -> BookingInfo {
    BookingInfo {
        line: line(day, &visit.state.app.settings.time_zone),
        state: match () {
            () if day.cancelled_at.is_some() => BookingState::DayCancelled,
            () if booking.cancelled_at.is_some() => BookingState::Cancelled,
            () if day.is_over(visit.now()) => BookingState::Over,
            () => BookingState::Booked,
        },
        place: day.place.clone(),
        people_text: booking.people_text(),
    }
}
