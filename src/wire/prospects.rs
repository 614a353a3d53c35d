//! Prospects, and the bookings of an open day, as comma-separated values.

use axum::response::Response;

use super::listing::Cell;
use super::listing::csv::download;
use domain::moments::rfc3339;
use domain::open_day::OpenDayBooking;
use domain::prospect::Prospect;

const PROSPECT_HEADS: [&str; 9] =
    ["Email", "First name", "Program", "News of openings", "Brochure", "Language", "State", "Asked at", "Confirmed at"];
const BOOKING_HEADS: [&str; 8] =
    ["Last name", "First name", "Email", "People", "Language", "Booked at", "Canceled at", "Came"];

/// Returns prospects as a download.
pub fn prospects(prospects: &[Prospect]) -> Response {
    let cells = |prospect: &Prospect| {
        vec![
            text(&prospect.email),
            text(&prospect.first_name),
            text(prospect.program.application_type()),
            text(yes_or_no(prospect.wants.openings)),
            text(yes_or_no(prospect.wants.brochure)),
            text(prospect.language.as_str()),
            text(prospect.state().as_str()),
            Cell::Text(rfc3339(prospect.created_at)),
            Cell::Text(prospect.confirmed_at.map(rfc3339).unwrap_or_default()),
        ]
    };
    file(&PROSPECT_HEADS, prospects.iter().map(cells), "attachment; filename=\"prospects.csv\"")
}

/// Returns the bookings of an open day as a download.
pub fn bookings(bookings: &[OpenDayBooking]) -> Response {
    let cells = |booking: &OpenDayBooking| {
        vec![
            text(&booking.last_name),
            text(&booking.first_name),
            text(&booking.email),
            Cell::Whole(booking.people),
            text(booking.language.as_str()),
            Cell::Text(rfc3339(booking.created_at)),
            Cell::Text(booking.cancelled_at.map(rfc3339).unwrap_or_default()),
            text(booking.came.map(yes_or_no).unwrap_or_default()),
        ]
    };
    file(&BOOKING_HEADS, bookings.iter().map(cells), "attachment; filename=\"bookings.csv\"")
}

fn file(heads: &[&str], rows: impl Iterator<Item = Vec<Cell>>, disposition: &'static str) -> Response {
    let heads = heads.iter().map(|head| text(head)).collect();
    download(disposition, std::iter::once(heads).chain(rows))
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}
