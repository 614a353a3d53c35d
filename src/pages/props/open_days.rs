//! Open days, and bookings of their places.

use serde::Serialize;

use crate::page::FormState;
use domain::sentence::Sentence;

/// An open day in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OpenDayLine {
    pub href: String,
    pub title: Sentence,
    /// `Saturday, September 12, 2026`
    pub day_text: Sentence,
    /// `10:00 AM–12:00 PM EDT`
    pub time_text: Sentence,
    /// `12 places left`, `Full`
    pub left_text: Sentence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum OpenDayState {
    Open,
    Full,
    Over,
    Cancelled,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OpenDayProps {
    pub line: OpenDayLine,
    pub state: OpenDayState,
    /// Null for an open day of both programs.
    pub program_name: Option<Sentence>,
    /// The program's page.
    pub apply_href: String,
    /// Whether this follows a booking.
    pub booked: bool,
    /// Largest number of people in a booking.
    pub most_people: i64,
    /// Where to go instead.
    pub others: Vec<OpenDayLine>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenDayBookingProps {
    /// The token of the mailed link.
    pub token: String,
    /// Null if there is no such booking.
    pub booking: Option<BookingInfo>,
    pub error: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OpenDayBookingInfo"))]
#[serde(rename_all = "camelCase")]
pub struct BookingInfo {
    pub line: OpenDayLine,
    pub state: BookingState,
    pub place: String,
    /// `2 people`
    pub people_text: Sentence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OpenDayBookingState"))]
#[serde(rename_all = "kebab-case")]
pub enum BookingState {
    Booked,
    Cancelled,
    /// By the institute.
    DayCancelled,
    Over,
}
