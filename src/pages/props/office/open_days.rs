//! Open days, as the office keeps them.

use serde::Serialize;

use super::Choice;
use crate::page::FormState;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminOpenDaysProps {
    /// Soonest first.
    pub upcoming: Vec<OpenDayRow>,
    /// Latest first.
    pub past: Vec<OpenDayRow>,
    pub programs: Vec<Choice>,
    /// Of the times that are entered.
    pub zone: String,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OfficeOpenDay"))]
#[serde(rename_all = "camelCase")]
pub struct OpenDayRow {
    pub href: String,
    pub title: String,
    pub program_text: &'static str,
    pub when_text: Sentence,
    pub taken: i64,
    pub places: i64,
    #[cfg_attr(test, ts(type = "'open' | 'full' | 'over' | 'cancelled'"))]
    pub state: &'static str,
    pub state_text: &'static str,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminOpenDayProps {
    pub day: OpenDayRow,
    /// The page where places are booked.
    pub public_href: String,
    pub programs: Vec<Choice>,
    /// Of the times that are entered.
    pub zone: String,
    /// Whether it can still be changed: it is neither over nor cancelled.
    pub may_be_changed: bool,
    /// By last name.
    pub bookings: Vec<BookingRow>,
    /// Number of bookings that are not cancelled.
    pub count: usize,
    /// The bookings as a file.
    pub csv_href: String,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OfficeBooking"))]
#[serde(rename_all = "camelCase")]
pub struct BookingRow {
    pub id: String,
    /// Id of its row.
    pub anchor: String,
    pub name: String,
    pub email: String,
    pub people: i64,
    pub language_text: String,
    pub booked_text: Sentence,
    pub cancelled: bool,
    /// Null if nobody has noted it.
    pub came: Option<bool>,
}
