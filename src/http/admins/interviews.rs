//! `/admins/interviews…`: when interviewers are available, and their calendars.

use axum::Json;
use axum::response::IntoResponse;
use jiff::ToSpan;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::{StaffRequest, tagged};
use crate::json::StrictJson;
use crate::problem::Problem;
use domain::availability::{Availability, Exception, Hours, Window};
use domain::clocks;
use domain::input::FieldError;
use domain::interview::{CalendarSlot, InterviewOutcome, Rules};
use domain::moments::rfc3339;
use domain::permission::Permission;

/// Days returned if none are given.
const WEEK: i64 = 7;
/// Most days returned at once.
const MAX_DAYS: i32 = 366;

/// When a member of staff is available for interviews.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InterviewRules {
    /// The id of the member of staff.
    staff: String,
    name: String,
    /// Goes up with every change; 0 for rules that were never written. The number in the `ETag`.
    revision: i64,
    /// IANA name of the time zone that the times are in.
    #[schema(example = "America/Chicago")]
    time_zone: String,
    /// Length of an interview in minutes.
    minutes: i64,
    /// Minutes between two interviews.
    buffer: i64,
    /// Minimum notice for bookings, in hours.
    notice: i64,
    weekly: Vec<WeeklyTimes>,
    exceptions: Vec<DayException>,
}

/// A time span of every week.
#[derive(Debug, Serialize, ToSchema)]
pub struct WeeklyTimes {
    /// Monday is 1.
    #[schema(minimum = 1, maximum = 7)]
    pub weekday: i8,
    #[schema(example = "09:00")]
    pub from: String,
    /// `00:00` is the end of the day.
    #[schema(example = "12:00")]
    pub until: String,
}

/// A day that differs from the weekly times: off, or with extra times.
#[derive(Debug, Serialize, ToSchema)]
pub struct DayException {
    #[schema(format = Date)]
    pub date: String,
    /// For extra times; null for a day off.
    #[schema(nullable, example = "18:00")]
    pub from: Option<String>,
    #[schema(nullable, example = "20:00")]
    pub until: Option<String>,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct NewInterviewRules {
    #[schema(example = "America/Chicago")]
    pub time_zone: String,
    /// 10 to 240.
    pub minutes: i64,
    /// 0 to 120.
    pub buffer: i64,
    /// 24 to 336.
    pub notice: i64,
    /// At most 50; those of one day do not overlap.
    #[schema(nullable = false)]
    pub weekly: Option<Vec<WeeklyTimes>>,
    /// At most 200.
    #[schema(nullable = false)]
    pub exceptions: Option<Vec<DayException>>,
}

/// What is booked and what can be booked, between two days.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InterviewCalendar {
    /// The id of the member of staff.
    staff: String,
    /// The time zone that the days are in.
    time_zone: String,
    #[schema(format = Date)]
    from: String,
    #[schema(format = Date)]
    until: String,
    /// In order of time.
    slots: Vec<CalendarTime>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CalendarTime {
    id: String,
    #[schema(format = DateTime)]
    starts_at: String,
    #[schema(format = DateTime)]
    ends_at: String,
    state: CalendarState,
    /// The application whose interview it is.
    #[schema(required)]
    application_id: Option<String>,
    #[schema(required)]
    reference: Option<String>,
    /// Also null for roles that may not see it.
    #[schema(required)]
    name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CalendarState {
    Free,
    /// Somebody is choosing this time.
    Held,
    Booked,
    /// The interview took place.
    Done,
    /// The applicant did not show up.
    Missed,
}

fn clock(hours: Hours) -> (String, String) {
    (hours.from.strftime("%H:%M").to_string(), hours.until.strftime("%H:%M").to_string())
}

impl From<&Window> for WeeklyTimes {
    fn from(window: &Window) -> Self {
        let (from, until) = clock(window.hours);
        WeeklyTimes { weekday: window.weekday.to_monday_one_offset(), from, until }
    }
}

impl From<&Exception> for DayException {
    fn from(exception: &Exception) -> Self {
        let (from, until) = exception.extra.map(clock).unzip();
        DayException { date: exception.date.to_string(), from, until }
    }
}

impl CalendarTime {
    fn new(slot: CalendarSlot, with_names: bool) -> CalendarTime {
        let state = match &slot.booking {
            Some(booking) => match booking.outcome {
                None => CalendarState::Booked,
                Some(InterviewOutcome::Held) => CalendarState::Done,
                Some(InterviewOutcome::NoShow) => CalendarState::Missed,
            },
            None if slot.is_held => CalendarState::Held,
            None => CalendarState::Free,
        };
        let (application_id, reference, name) = match slot.booking {
            Some(booking) => {
                let name = format!("{} {}", booking.first_name, booking.last_name).trim().to_owned();
                (Some(booking.application_id), booking.reference, Some(name))
            }
            None => (None, None, None),
        };
        CalendarTime {
            id: slot.id,
            starts_at: rfc3339(slot.span.starts_at),
            ends_at: rfc3339(slot.span.ends_at()),
            state,
            application_id,
            reference,
            name: name.filter(|name| with_names && !name.is_empty()),
        }
    }
}

/// Returns when somebody is available for interviews.
///
/// The caller's own rules or, with the permission, those of others.
#[utoipa::path(
    get,
    path = "/api/admins/interviews/rules/{id}",
    operation_id = "loadInterviewRules",
    tag = "Office: interviews",
    params(("id" = String, Path, description = "The id of the member of staff")),
    responses(
        (status = 200, description = "The rules.", body = InterviewRules,
            headers(("ETag" = String, description = "Their revision in quotes"))),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`staff.not_found`"),
    )
)]
pub async fn rules(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    respond(&request).await
}

/// Replaces the rules.
///
/// The times that can be booked change at once. What is booked stays.
#[utoipa::path(
    post,
    path = "/api/admins/interviews/rules/{id}",
    operation_id = "changeInterviewRules",
    tag = "Office: interviews",
    params(
        ("id" = String, Path, description = "The id of the member of staff"),
        ("If-Match" = Option<String>, Header, nullable = false,
            description = "The `ETag` of the rules that are replaced, or `*` for whatever is there"),
    ),
    request_body = NewInterviewRules,
    responses(
        (status = 200, description = "The rules as they are now.", body = InterviewRules,
            headers(("ETag" = String, description = "Their revision in quotes"))),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`staff.not_found`"),
        (status = 409, description = "`rules.changed`: somebody else was quicker"),
        (status = 422, description = "By path, as in `weekly.0.from.overlap`"),
    )
)]
pub async fn change_rules(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let availability = Availability::parse(&input)?;
    let (_, there) = request.app().interview_rules(&request.who, request.id()).await?;
    let seen = request.conditions.expected.unwrap_or(there.revision);
    request.app().change_interview_rules(&request.who, request.id(), seen, availability).await?;
    respond(&request).await
}

async fn respond(request: &StaffRequest) -> Result<impl IntoResponse + use<>, Problem> {
    let (staff, Rules { availability, revision, .. }) =
        request.app().interview_rules(&request.who, request.id()).await?;
    let Availability { time_zone, minutes, buffer, notice, weekly, exceptions } = availability;
    let body = InterviewRules {
        name: staff.called().to_owned(),
        staff: staff.id,
        revision,
        time_zone,
        minutes,
        buffer,
        notice,
        weekly: weekly.iter().map(WeeklyTimes::from).collect(),
        exceptions: exceptions.iter().map(DayException::from).collect(),
    };
    Ok(tagged(revision, body))
}

/// Returns somebody's calendar between two days.
///
/// What is booked and what can be booked.
#[utoipa::path(
    get,
    path = "/api/admins/interviews/calendar/{id}",
    operation_id = "loadInterviewCalendar",
    tag = "Office: interviews",
    params(
        ("id" = String, Path, description = "The id of the member of staff"),
        ("from" = Option<String>, Query, nullable = false, description = "The first day, as `2026-05-04`; today if absent"),
        ("until" = Option<String>, Query, nullable = false,
            description = "The last day, at most a year later; a week is told if absent"),
    ),
    responses(
        (status = 200, description = "The calendar.", body = InterviewCalendar),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`staff.not_found`"),
        (status = 422, description = "`from.invalid`, `until.invalid`, `until.range`"),
    )
)]
pub async fn calendar(request: StaffRequest) -> Result<Json<InterviewCalendar>, Problem> {
    between(&request, request.id(), |_| true).await
}

/// Returns the caller's own interviews between two days.
#[utoipa::path(
    get,
    path = "/api/admins/interviews",
    operation_id = "listOwnInterviews",
    tag = "Office: interviews",
    params(
        ("from" = Option<String>, Query, nullable = false, description = "The first day, as `2026-05-04`; today if absent"),
        ("until" = Option<String>, Query, nullable = false,
            description = "The last day, at most a year later; a week is told if absent"),
    ),
    responses(
        (status = 200, description = "What is booked, and how it went.", body = InterviewCalendar),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`from.invalid`, `until.invalid`, `until.range`"),
    )
)]
pub async fn own(request: StaffRequest) -> Result<Json<InterviewCalendar>, Problem> {
    between(&request, &request.staff().id, |slot| slot.booking.is_some()).await
}

async fn between(
    request: &StaffRequest,
    staff_id: &str,
    is_asked: impl Fn(&CalendarSlot) -> bool,
) -> Result<Json<InterviewCalendar>, Problem> {
    let (staff, Rules { availability, .. }) = request.app().interview_rules(&request.who, staff_id).await?;
    let zone = availability.time_zone;
    let (from, until) = days(|name| request.query(name), clocks::day(request.app().clock.now(), &zone))?;
    let begin = clocks::end_of(from.yesterday().unwrap_or(from), &zone);
    let slots = request
        .app()
        .interview_calendar(&request.who, std::slice::from_ref(&staff.id), begin, clocks::end_of(until, &zone))
        .await?;
    let with_names = request.staff().role.may(Permission::PersonalData);
    let slots = slots.into_iter().filter(is_asked).map(|slot| CalendarTime::new(slot, with_names));
    Ok(Json(InterviewCalendar {
        staff: staff.id,
        time_zone: zone,
        from: from.to_string(),
        until: until.to_string(),
        slots: slots.collect(),
    }))
}

/// Reads the requested days.
fn days(query: impl Fn(&str) -> Option<String>, today: Date) -> Result<(Date, Date), Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut day = |name: &str| {
        let given = query(name)?;
        let day = given.parse::<Date>().ok().filter(|day| given.len() == 10 && (2000..=9000).contains(&day.year()));
        if day.is_none() {
            errors.push(FieldError::new(name, format!("{name}.invalid"), "Send a day like 2026-05-31."));
        }
        day
    };
    let (from, until) = (day("from"), day("until"));
    let from = from.unwrap_or(today);
    let until = until.unwrap_or_else(|| from.saturating_add((WEEK - 1).days()));
    if errors.is_empty() && !(0..=MAX_DAYS).contains(&(until - from).get_days()) {
        errors.push(FieldError::new("until", "until.range", "Send a last day at most a year after the first."));
    }
    if errors.is_empty() { Ok((from, until)) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_are_a_week_or_as_told() {
        let today = date(2026, 5, 4);
        let read = |query: &[(&str, &str)]| {
            let given = |name: &str| query.iter().find(|(key, _)| *key == name).map(|(_, day)| (*day).to_owned());
            match days(given, today) {
                Ok((from, until)) => format!("{from} {until}"),
                Err(errors) => errors.into_iter().map(|error| error.code).collect::<Vec<_>>().join(" "),
            }
        };
        assert_eq!(read(&[]), "2026-05-04 2026-05-10");
        assert_eq!(read(&[("from", "2026-06-01")]), "2026-06-01 2026-06-07");
        assert_eq!(read(&[("from", "2026-06-01"), ("until", "2027-06-01")]), "2026-06-01 2027-06-01");
        assert_eq!(read(&[("from", "2026-06-01"), ("until", "2027-06-03")]), "until.range");
        assert_eq!(read(&[("until", "2026-05-03")]), "until.range");
        assert_eq!(read(&[("from", "June"), ("until", "0001-01-01")]), "from.invalid until.invalid");
    }
}
