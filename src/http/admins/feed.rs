//! `/admins/interviews/feed`: the address at which a calendar program reads the caller's interviews.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::problem::Problem;
use domain::moments::rfc3339;

/// The address at which a calendar program reads the caller's interviews.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalendarFeed {
    /// When the address was made; null if there is none.
    #[schema(required, format = DateTime)]
    since: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct NewCalendarFeed {
    /// Returned only once. Anyone who has it can read the calendar, which has reference numbers but no names.
    #[schema(example = "https://apply.example.org/calendar/SECRET.ics")]
    address: String,
}

/// Returns since when the caller's calendar has had an address.
#[utoipa::path(
    get,
    path = "/api/admins/interviews/feed",
    operation_id = "loadCalendarFeed",
    tag = "Office: interviews",
    responses(
        (status = 200, description = "The address itself was told when it was made.", body = CalendarFeed),
        (status = 403, description = "`role.forbidden`"),
    )
)]
pub async fn load(request: StaffRequest) -> Result<Json<CalendarFeed>, Problem> {
    let since = request.app().feed_opened_at(&request.staff().id).await?;
    Ok(Json(CalendarFeed { since: since.map(rfc3339) }))
}

/// Makes a new address for the caller's calendar.
///
/// The previous one stops working.
#[utoipa::path(
    post,
    path = "/api/admins/interviews/feed",
    operation_id = "openCalendarFeed",
    tag = "Office: interviews",
    responses(
        (status = 201, description = "The address.", body = NewCalendarFeed),
        (status = 403, description = "`role.forbidden`"),
    )
)]
pub async fn open(request: StaffRequest) -> Result<(StatusCode, Json<NewCalendarFeed>), Problem> {
    Ok((StatusCode::CREATED, Json(NewCalendarFeed { address: request.app().open_feed(&request.who).await? })))
}

/// Removes the address of the caller's calendar.
#[utoipa::path(
    delete,
    path = "/api/admins/interviews/feed",
    operation_id = "closeCalendarFeed",
    tag = "Office: interviews",
    responses(
        (status = 204, description = "Nobody reads the calendar by its address."),
        (status = 403, description = "`role.forbidden`"),
    )
)]
pub async fn close(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().close_feed(&request.who).await?;
    Ok(StatusCode::NO_CONTENT)
}
