//! Choosing a time for the interview.

use serde::Serialize;

use crate::page::FormState;
use domain::sentence::Sentence;

/// A moment in the applicant's time zone, and in the institute's if that differs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToldTime {
    /// In UTC, as RFC 3339 writes it.
    pub starts_at: String,
    /// "Tuesday, May 12, 2026"
    pub day: Sentence,
    /// "14:00 CEST", "8:00 AM EDT"
    pub time: Sentence,
    /// "8:00 AM EDT", with the weekday if it is another day there.
    pub institute: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InterviewTime {
    pub starts_at: String,
    /// "14:00", with its offset if the clock shows it twice.
    pub time: Sentence,
    pub institute: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InterviewDay {
    /// "Tue"
    pub weekday: Sentence,
    /// "May 12"
    pub date: Sentence,
    /// "Tuesday, May 12"
    pub long: Sentence,
    pub times: Vec<InterviewTime>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InterviewWeek {
    /// "May 11 – May 17, 2026"
    pub title: Sentence,
    /// The weeks before and after it that have a time.
    pub earlier: Option<String>,
    pub later: Option<String>,
    /// Monday to Friday, and weekend days that have a time.
    pub days: Vec<InterviewDay>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HeldTime {
    pub time: ToldTime,
    pub minutes: i64,
    /// "14:05"
    pub until_text: Sentence,
    pub seconds_left: i64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BookedInterview {
    pub time: ToldTime,
    pub minutes: i64,
    /// "in 8 days", "tomorrow"
    pub countdown: Sentence,
    pub has_begun: bool,
    pub move_until: Sentence,
    pub moves_left: i64,
    /// Why it cannot be moved, or cancelled; null when it can.
    pub no_move: Option<Sentence>,
    pub no_cancel: Option<Sentence>,
}

#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WishField {
    pub date: String,
    pub time: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "name", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ScheduleView {
    Closed {
        title: Sentence,
        text: Sentence,
        href: String,
        label: Sentence,
    },
    Choose {
        /// `None` if every time is taken.
        week: Option<InterviewWeek>,
        hold: Option<HeldTime>,
        /// Whether the user came to confirm a time that is no longer held.
        hold_is_over: bool,
        wishes: Option<Vec<ToldTime>>,
        /// The interview to move.
        current: Option<ToldTime>,
    },
    Wishes {
        none_free: bool,
        /// What was sent before, as the fields of the form.
        fields: Vec<WishField>,
        sent: Option<Vec<ToldTime>>,
    },
    Confirm {
        hold: HeldTime,
        current: Option<ToldTime>,
    },
    Booked(Box<BookedInterview>),
    Zone {
        zones: Vec<String>,
    },
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ScheduleProps {
    pub view: ScheduleView,
    /// The application's revision.
    pub revision: i64,
    /// Identifies the act, so that a form sent twice does it once.
    pub idempotency_key: String,
    /// "Europe/Berlin"
    pub zone: String,
    /// null if it is the same.
    pub institute_zone: Option<String>,
    /// Whether the applicant has chosen it; otherwise it is the institute's.
    pub zone_is_chosen: bool,
    /// The form that comes back, or what a finished one has to say.
    pub form: FormState,
}
