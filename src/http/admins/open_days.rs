//! `/admins/open-days…`: open days, who has booked, and who came.

use axum::Json;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::Refusal;
use domain::body;
use domain::body::yes_or_no;
use domain::language::Language;
use domain::moments::rfc3339;
use domain::open_day::OpenDayInput;
use domain::program::ApplicationType;

/// A day on which people come to see the institute.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenDay {
    id: String,
    /// In English.
    title: String,
    /// In Spanish; null if the English title is used.
    #[schema(required)]
    title_es: Option<String>,
    /// Null for both.
    #[schema(required)]
    program: Option<ApplicationType>,
    #[schema(format = DateTime)]
    starts_at: String,
    minutes: i64,
    /// An address, or the link to a video call, which only people who have booked get.
    place: String,
    places: i64,
    /// People who have booked.
    taken: i64,
    /// Null unless it is cancelled.
    #[schema(required, format = DateTime)]
    cancelled_at: Option<String>,
    /// Increases with each change.
    sequence: i64,
}

impl From<domain::open_day::OpenDay> for OpenDay {
    fn from(day: domain::open_day::OpenDay) -> Self {
        OpenDay {
            id: day.id,
            title: day.title,
            title_es: day.title_es,
            program: day.program.map(Into::into),
            starts_at: rfc3339(day.starts_at),
            minutes: day.minutes,
            place: day.place,
            places: day.places,
            taken: day.taken,
            cancelled_at: day.cancelled_at.map(rfc3339),
            sequence: day.sequence,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenDays {
    open_days: Vec<OpenDay>,
}

/// Somebody's booking of an open day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenDayBooking {
    id: String,
    email: String,
    first_name: String,
    last_name: String,
    people: i64,
    /// The language of mails.
    language: Language,
    #[schema(format = DateTime)]
    created_at: String,
    /// Null unless it is cancelled.
    #[schema(required, format = DateTime)]
    cancelled_at: Option<String>,
    /// Whether they came; null until somebody has noted it.
    #[schema(required)]
    came: Option<bool>,
}

impl From<domain::open_day::OpenDayBooking> for OpenDayBooking {
    fn from(booking: domain::open_day::OpenDayBooking) -> Self {
        OpenDayBooking {
            id: booking.id,
            email: booking.email,
            first_name: booking.first_name,
            last_name: booking.last_name,
            people: booking.people,
            language: booking.language,
            created_at: rfc3339(booking.created_at),
            cancelled_at: booking.cancelled_at.map(rfc3339),
            came: booking.came,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OpenDayBookings {
    bookings: Vec<OpenDayBooking>,
}

/// What changes about an open day; the rest stays as it is.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct OpenDayChange {
    /// In English; 1 to 120 characters.
    #[schema(required = false)]
    pub title: String,
    /// In Spanish; null if the English title is used.
    #[schema(required = false)]
    pub title_es: Option<String>,
    /// Whose landing page lists it; null for both.
    #[schema(required = false)]
    pub program: Option<ApplicationType>,
    /// Another one must be in the future. Without an offset, as clocks at the institute show it: `2026-05-12T14:00`.
    #[schema(required = false, format = DateTime)]
    pub starts_at: String,
    /// 15 to 720.
    #[schema(required = false)]
    pub minutes: i64,
    /// An address, or a link to a video call; 1 to 300 characters.
    #[schema(required = false)]
    pub place: String,
    /// 1 to 2,000, and not fewer than are taken.
    #[schema(required = false)]
    pub places: i64,
    /// The `sequence` that was seen. If it has another by now, nothing is changed.
    #[schema(required = false)]
    pub sequence: i64,
}

body! {
    /// Whether somebody came.
    pub struct Attendance {
        /// Null if that is not known after all.
        came: Option<bool> = yes_or_no,
    }
}

/// Lists open days, the latest first.
#[utoipa::path(
    get,
    path = "/api/admins/open-days",
    operation_id = "listOpenDays",
    tag = "Office: prospects",
    responses((status = 200, description = "The latest 500.", body = OpenDays))
)]
pub async fn list(request: StaffRequest) -> Result<Json<OpenDays>, Problem> {
    let open_days = request.app().open_days(&request.who).await?;
    Ok(Json(OpenDays { open_days: open_days.into_iter().map(OpenDay::from).collect() }))
}

/// Adds an open day. People can book from then on.
#[utoipa::path(
    post,
    path = "/api/admins/open-days",
    operation_id = "createOpenDay",
    tag = "Office: prospects",
    request_body = OpenDayInput,
    responses(
        (status = 201, description = "The open day.", body = OpenDay),
        (status = 422, description = "`startsAt.past` and the like"),
    )
)]
pub async fn create(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let day = request.app().create_open_day(&request.who, &input).await?;
    Ok((StatusCode::CREATED, Json(OpenDay::from(day))))
}

/// Loads an open day.
#[utoipa::path(
    get,
    path = "/api/admins/open-days/{id}",
    operation_id = "loadOpenDay",
    tag = "Office: prospects",
    params(("id" = String, Path, description = "The open day's id")),
    responses(
        (status = 200, description = "The open day.", body = OpenDay),
        (status = 404, description = "`open_day.not_found`"),
    )
)]
pub async fn load(request: StaffRequest) -> Result<Json<OpenDay>, Problem> {
    let day = request.app().open_day(request.id()).await?.ok_or(Refusal::OpenDayNotFound)?;
    Ok(Json(day.into()))
}

/// Changes an open day.
///
/// Everybody who has booked is mailed another time or place.
#[utoipa::path(
    patch,
    path = "/api/admins/open-days/{id}",
    operation_id = "changeOpenDay",
    tag = "Office: prospects",
    params(("id" = String, Path, description = "The open day's id")),
    request_body = OpenDayChange,
    responses(
        (status = 200, description = "The open day as it is now.", body = OpenDay),
        (status = 404, description = "`open_day.not_found`"),
        (status = 409, description = "`open_day.over`, `open_day.cancelled`"),
        (status = 412, description = "`open_day.stale`: somebody else has changed it since"),
        (status = 422, description = "`places.taken` and the like"),
    )
)]
pub async fn change(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<OpenDay>, Problem> {
    Ok(Json(request.app().change_open_day(&request.who, request.id(), &input).await?.into()))
}

/// Cancels an open day.
///
/// Everybody who has booked is told by mail. Doing so again does nothing.
#[utoipa::path(
    post,
    path = "/api/admins/open-days/{id}/cancel",
    operation_id = "cancelOpenDay",
    tag = "Office: prospects",
    params(("id" = String, Path, description = "The open day's id")),
    responses(
        (status = 200, description = "The open day as it is now.", body = OpenDay),
        (status = 404, description = "`open_day.not_found`"),
        (status = 409, description = "`open_day.over`"),
    )
)]
pub async fn cancel(request: StaffRequest) -> Result<Json<OpenDay>, Problem> {
    Ok(Json(request.app().cancel_open_day(&request.who, request.id()).await?.into()))
}

/// Lists who has booked an open day, by name; also who has cancelled.
#[utoipa::path(
    get,
    path = "/api/admins/open-days/{id}/bookings",
    operation_id = "listOpenDayBookings",
    tag = "Office: prospects",
    params(("id" = String, Path, description = "The open day's id")),
    responses(
        (status = 200, description = "The bookings.", body = OpenDayBookings),
        (status = 404, description = "`open_day.not_found`"),
    )
)]
pub async fn bookings(request: StaffRequest) -> Result<Json<OpenDayBookings>, Problem> {
    let bookings = request.app().open_day_bookings(&request.who, request.id()).await?;
    Ok(Json(OpenDayBookings { bookings: bookings.into_iter().map(OpenDayBooking::from).collect() }))
}

/// Notes whether somebody who has booked came.
#[utoipa::path(
    patch,
    path = "/api/admins/open-days/{id}/bookings/{booking}",
    operation_id = "noteOpenDayAttendance",
    tag = "Office: prospects",
    params(
        ("id" = String, Path, description = "The open day's id"),
        ("booking" = String, Path, description = "The booking's id"),
    ),
    request_body = Attendance,
    responses(
        (status = 204, description = "It is noted."),
        (status = 404, description = "`booking.not_found`: the day has no such booking, or it is cancelled"),
    )
)]
pub async fn attendance(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let Attendance { came } = Attendance::parse(&input)?;
    request.app().note_attendance(&request.who, request.id(), request.part("booking"), came).await?;
    Ok(StatusCode::NO_CONTENT)
}
