//! Open days: making, moving and cancelling them, who has booked, and who came.

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use crate::open_days::href as public_href;
use crate::page::{FormState, Screen, Typed};
use crate::props::office::Choice;
use crate::props::office::open_days::{AdminOpenDayProps, AdminOpenDaysProps, BookingRow, OpenDayRow};
use crate::{Form, moment, problem, respond};
use app::{Error, Refusal};
use domain::clocks;
use domain::input::Input;
use domain::open_day::{OpenDay, OpenDayBooking};
use domain::program::Program;

pub const PATH: &str = "/admin-panel/open-days";

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let is_made = office.visit.query("done").as_deref() == Some("created");
    let message = is_made.then(|| "The open day is added. People can book from now on.".into());
    show_list(office, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

pub async fn create(office: Office<'_>, form: &Form) -> Response {
    match office.visit.state.app.create_open_day(office.who, &input(form)).await {
        Ok(_) => respond::see_other(&format!("{PATH}?done=created")),
        Err(error) => show_list(office, form.refused(&error), problem::status(&error)).await,
    }
}

async fn show_list(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let days = match office.visit.state.app.open_days(office.who).await {
        Ok(days) => days,
        Err(error) => return office.unavailable(&error).await,
    };
    let now = office.visit.now();
    let (mut past, mut upcoming): (Vec<OpenDay>, Vec<OpenDay>) = days.into_iter().partition(|day| day.is_over(now));
    upcoming.sort_by_key(|day| day.starts_at);
    past.sort_by_key(|day| std::cmp::Reverse(day.starts_at));
    let props = AdminOpenDaysProps {
        upcoming: upcoming.iter().map(|day| row(office, day)).collect(),
        past: past.iter().map(|day| row(office, day)).collect(),
        programs: programs(),
        zone: office.zone().replace('_', " "),
        form,
    };
    office.page(Screen::AdminOpenDays(Box::new(props)), "Open days", status).await
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("changed") => Some("Saved."),
        Some("cancelled") => Some("The open day is canceled, and everybody who had booked is told."),
        _ => None,
    };
    show_one(office, FormState { message: message.map(Into::into), ..FormState::default() }, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let result = match form.get("_action").split_once(':').unwrap_or((form.get("_action"), "")) {
        ("change", _) => app.change_open_day(who, id, &input(form)).await.map(|_| "?done=changed".to_owned()),
        ("cancel", _) => app.cancel_open_day(who, id).await.map(|_| "?done=cancelled".to_owned()),
        ("came", booking) => note_attendance(office, booking, Some(true)).await,
        ("missed", booking) => note_attendance(office, booking, Some(false)).await,
        ("unknown", booking) => note_attendance(office, booking, None).await,
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(place) => respond::see_other(&format!("{PATH}/{id}{place}")),
        Err(error) => show_one(office, form.refused(&error), problem::status(&error)).await,
    }
}

/// Returns the row of the booking on the page.
async fn note_attendance(office: Office<'_>, booking: &str, came: Option<bool>) -> Result<String, Error> {
    office.visit.state.app.note_attendance(office.who, office.id, booking, came).await?;
    Ok(format!("#{}", anchor(booking)))
}

/// Returns the id of a booking's row on the page.
fn anchor(booking: &str) -> String {
    format!("booking-{booking}")
}

/// Exports the bookings as comma-separated values.
pub async fn as_csv(office: Office<'_>, _: &Form) -> Response {
    match office.visit.state.app.export_open_day_bookings(office.who, office.id).await {
        Ok(bookings) => wire::prospects::bookings(&bookings),
        Err(Error::Refused(Refusal::OpenDayNotFound)) => problem::page(office.visit, problem::NO_OFFICE_PAGE).await,
        Err(error) => office.unavailable(&error).await,
    }
}

async fn show_one(office: Office<'_>, mut form: FormState, status: StatusCode) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let loaded = async {
        let bookings = app.open_day_bookings(who, id).await?;
        let day = app.open_day(id).await?.ok_or(Refusal::OpenDayNotFound)?;
        Ok::<_, Error>((day, bookings))
    };
    let (day, bookings) = match loaded.await {
        Ok(loaded) => loaded,
        Err(Error::Refused(Refusal::OpenDayNotFound)) => return problem::page(visit, problem::NO_OFFICE_PAGE).await,
        Err(error) => return office.unavailable(&error).await,
    };
    for (name, value) in values(office, &day) {
        form.values.entry(name.to_owned()).or_insert(Typed::One(value));
    }
    // Whoever was told that somebody else has changed it may save again.
    form.values.insert("sequence".to_owned(), Typed::One(day.sequence.to_string()));
    let title = day.title.clone();
    let props = AdminOpenDayProps {
        public_href: public_href(&day.id),
        programs: programs(),
        zone: office.zone().replace('_', " "),
        may_be_changed: day.cancelled_at.is_none() && !day.is_over(visit.now()),
        count: bookings.iter().filter(|booking| booking.cancelled_at.is_none()).count(),
        bookings: bookings.iter().map(|booking| booking_row(office, booking)).collect(),
        csv_href: format!("{PATH}/{}/bookings.csv", day.id),
        day: row(office, &day),
        form,
    };
    office.page(Screen::AdminOpenDay(Box::new(props)), &title, status).await
}

/// The form's fields, as the API takes them. Day and time are those of the institute's clocks.
fn input(form: &Form) -> Input {
    let mut fields = form.input(&["title", "titleEs", "program", "minutes", "place", "places", "sequence"]);
    let starts_at = match (form.get("startsAt"), form.get("time")) {
        ("", "") => String::new(),
        (day, time) => format!("{day}T{time}"),
    };
    fields.push(("startsAt".into(), Input::Text(starts_at)));
    Input::Map(fields)
}

/// Returns what the form shows of an open day.
fn values(office: Office<'_>, day: &OpenDay) -> [(&'static str, String); 8] {
    let starts_at = clocks::zoned(day.starts_at, office.zone());
    [
        ("title", day.title.clone()),
        ("titleEs", day.title_es.clone().unwrap_or_default()),
        ("program", day.program.map(Program::application_type).unwrap_or_default().to_owned()),
        ("startsAt", starts_at.date().to_string()),
        ("time", starts_at.strftime("%H:%M").to_string()),
        ("minutes", day.minutes.to_string()),
        ("place", day.place.clone()),
        ("places", day.places.to_string()),
    ]
}

fn programs() -> Vec<Choice> {
    let choice = |value: &str, label: String| Choice { value: value.to_owned(), label };
    let each = Program::ALL.map(|program| choice(program.application_type(), program.name().to_string()));
    [choice("", "Both programs".to_owned())].into_iter().chain(each).collect()
}

fn row(office: Office<'_>, day: &OpenDay) -> OpenDayRow {
    let (state, state_text) = match () {
        () if day.cancelled_at.is_some() => ("cancelled", "Canceled"),
        () if day.is_over(office.visit.now()) => ("over", "Over"),
        () if day.left() <= 0 => ("full", "Full"),
        () => ("open", "Open"),
    };
    OpenDayRow {
        href: format!("{PATH}/{}", day.id),
        title: day.title.clone(),
        program_text: day.program.map_or("Both", super::applications::short),
        when_text: moment::full(day.starts_at, office.zone()),
        taken: day.taken,
        places: day.places,
        state,
        state_text,
    }
}

fn booking_row(office: Office<'_>, booking: &OpenDayBooking) -> BookingRow {
    BookingRow {
        anchor: anchor(&booking.id),
        id: booking.id.clone(),
        name: format!("{}, {}", booking.last_name, booking.first_name),
        email: booking.email.clone(),
        people: booking.people,
        language_text: booking.language.name().to_string(),
        booked_text: moment::full(booking.created_at, office.zone()),
        cancelled: booking.cancelled_at.is_some(),
        came: booking.came,
    }
}
