//! `GET /users/interview`, `POST /users/interview/hold`, `…/book`, `…/move`, `…/cancel`, `…/wishes`

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use super::submission::{ActHeaders, conditions};
use crate::ApiState;
use crate::bearer::BearerWithApplication;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::Refusal;
use app::accounts::sessions::SignedIn;
use app::interviews::{InterviewCancellation, TimeChoice};
use domain::interview::InterviewWishes;
use domain::moments::rfc3339;
use domain::status::Status;

/// The state of an applicant's interview.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Interview {
    status: Status,
    /// The finer step within the status: `submitted`, `booked`.
    stage: &'static str,
    /// The application's revision; the number in the `ETag`.
    revision: i64,
    /// IANA name of the applicant's time zone.
    time_zone: String,
    institute_time_zone: String,
    /// The upcoming interview; null for none.
    #[schema(required)]
    booking: Option<BookedInterview>,
    /// The time held for the applicant; null for none.
    #[schema(required)]
    hold: Option<Hold>,
    can_book: bool,
    can_move: bool,
    can_cancel: bool,
    /// The times to choose from, in order; none if nothing can be booked or moved.
    #[schema(value_type = Vec<String>, format = DateTime)]
    times: Vec<String>,
    /// The three times that the applicant asked for; null for none.
    #[schema(required)]
    wishes: Option<Wishes>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookedInterview {
    #[schema(format = DateTime)]
    starts_at: String,
    #[schema(format = DateTime)]
    ends_at: String,
    /// How often the applicant has moved it; at most twice.
    moves: i64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hold {
    #[schema(format = DateTime)]
    starts_at: String,
    /// When the hold ends; from then on anyone can take the time.
    #[schema(format = DateTime)]
    until: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wishes {
    #[schema(value_type = Vec<String>, format = DateTime)]
    times: Vec<String>,
    #[schema(format = DateTime)]
    sent_at: String,
}

/// The responses of all calls about the interview.
#[derive(IntoResponses)]
#[expect(clippy::large_enum_variant, reason = "it is described, and never made")]
pub enum InterviewAnswers {
    /// The present state of the interview.
    #[response(status = 200, headers(("ETag" = String, description = "The application's revision in quotes")))]
    Told(Interview),
    /// `application.none`
    #[response(status = 404)]
    None,
}

/// The responses of all acts that change the interview.
#[derive(IntoResponses)]
#[expect(clippy::large_enum_variant, reason = "it is described, and never made")]
pub enum InterviewActAnswers {
    /// The present state of the interview.
    #[response(status = 200, headers(("ETag" = String, description = "The application's revision in quotes")))]
    Done(Interview),
    /// `application.none`
    #[response(status = 404)]
    None,
    /// `application.stale`, with the newest copy as `current`
    #[response(status = 412)]
    Stale,
}

/// Returns the interview, and the times to choose from.
#[utoipa::path(
    get,
    path = "/api/users/interview",
    operation_id = "loadInterview",
    tag = "Interview",
    responses(InterviewAnswers,)
)]
pub async fn load(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
) -> Result<impl IntoResponse, Problem> {
    respond(&api, &who, &known.ok_or(Refusal::NoApplication)?).await
}

/// Holds a time for five minutes.
///
/// A time that was held before is released. The next call books it, and may also be made without this one.
#[utoipa::path(
    post,
    path = "/api/users/interview/hold",
    operation_id = "holdInterviewTime",
    tag = "Interview",
    request_body = TimeChoice,
    responses(
        (status = 200, description = "Where the applicant is with their interview.", body = Interview,
            headers(("ETag" = String, description = "The application's revision in quotes"))),
        (status = 404, description = "`application.none`"),
        (status = 409, description = "`slot.taken`, `slot.too_soon`, `interview.moves_used`, `interview.too_soon`, \
            `rebook.used`, `status.transition`"),
        (status = 422, description = "`startsAt.required`, `startsAt.invalid`"),
    )
)]
pub async fn hold(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let TimeChoice { starts_at } = TimeChoice::parse(&input)?;
    api.app.hold_time(known.as_ref(), starts_at).await?;
    respond(&api, &who, &known.ok_or(Refusal::NoApplication)?).await
}

/// Books the interview.
///
/// The time must be at least 24 hours ahead. Mails with a calendar entry go to the applicant and the interviewer.
#[utoipa::path(
    post,
    path = "/api/users/interview/book",
    operation_id = "bookInterview",
    tag = "Interview",
    params(ActHeaders),
    request_body = TimeChoice,
    responses(
        InterviewActAnswers,
        (status = 409, description = "`slot.taken`, `slot.too_soon`, `rebook.used`, `status.transition`"),
        (status = 422, description = "`startsAt.required`, `startsAt.invalid`"),
    )
)]
pub async fn book(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    let TimeChoice { starts_at } = TimeChoice::parse(&input)?;
    respond(&api, &who, &api.app.book_interview(&who, known, starts_at, conditions).await?).await
}

/// Moves the interview to another time.
///
/// Possible twice, and until 24 hours before. If the new time is not available, the old one is kept.
#[utoipa::path(
    post,
    path = "/api/users/interview/move",
    operation_id = "moveInterview",
    tag = "Interview",
    params(ActHeaders),
    request_body = TimeChoice,
    responses(
        InterviewActAnswers,
        (status = 409, description = "`slot.taken`, `slot.too_soon`, `interview.moves_used`, `interview.too_soon`, \
            `status.transition`"),
        (status = 422, description = "`startsAt.required`, `startsAt.invalid`"),
    )
)]
pub async fn relocate(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    let TimeChoice { starts_at } = TimeChoice::parse(&input)?;
    respond(&api, &who, &api.app.move_interview(&who, known, starts_at, conditions).await?).await
}

/// Cancels the interview.
///
/// The application is `submitted` again, and another interview can be booked.
#[utoipa::path(
    post,
    path = "/api/users/interview/cancel",
    operation_id = "cancelInterview",
    tag = "Interview",
    params(ActHeaders),
    request_body = InterviewCancellation,
    responses(
        InterviewActAnswers,
        (status = 409, description = "`interview.begun`, `status.transition`"),
        (status = 422, description = "`reason.too_long`"),
    )
)]
pub async fn cancel(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    let InterviewCancellation { reason } = InterviewCancellation::parse(&input)?;
    respond(&api, &who, &api.app.cancel_interview(&who, known, reason, conditions).await?).await
}

/// Asks for three times that suit the applicant, when none of the free ones does.
///
/// They replace those sent before, and staff try to arrange one of them.
#[utoipa::path(
    post,
    path = "/api/users/interview/wishes",
    operation_id = "wishForInterviewTimes",
    tag = "Interview",
    request_body = InterviewWishes,
    responses(
        InterviewAnswers,
        (status = 409, description = "`rebook.used`, `status.transition`"),
        (status = 422, description = "By path, as in `wishes.0.date.past`"),
    )
)]
pub async fn wish(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    api.app.wish_for_times(&who, known.as_ref(), &input).await?;
    respond(&api, &who, &known.ok_or(Refusal::NoApplication)?).await
}

async fn respond(
    api: &ApiState,
    who: &SignedIn,
    application: &domain::application::Application,
) -> Result<impl IntoResponse + use<>, Problem> {
    let app = &api.app;
    let appointment = app.appointment(application).await?;
    let (times, hold) = if appointment.can_choose() {
        (app.free_times(application).await?, app.held_time(application).await?)
    } else {
        (Vec::new(), None)
    };
    let wishes = if appointment.book.is_ok() { app.sent_wishes(application).await? } else { None };
    let institute_time_zone = app.settings.time_zone.clone();
    let own = &who.applicant.profile.time_zone;
    let body = Interview {
        status: application.status(),
        stage: application.stage.as_str(),
        revision: application.revision,
        time_zone: if own.is_empty() { institute_time_zone.clone() } else { own.clone() },
        institute_time_zone,
        booking: appointment.open().map(|interview| BookedInterview {
            starts_at: rfc3339(interview.slot.span.starts_at),
            ends_at: rfc3339(interview.slot.span.ends_at()),
            moves: interview.moves,
        }),
        can_book: appointment.book.is_ok(),
        can_move: appointment.reschedule.is_ok(),
        can_cancel: appointment.cancel.is_ok(),
        hold: hold.map(|hold| Hold { starts_at: rfc3339(hold.slot.span.starts_at), until: rfc3339(hold.until) }),
        times: times.into_iter().map(rfc3339).collect(),
        wishes: wishes.map(|wishes| Wishes {
            times: wishes.times.into_iter().map(rfc3339).collect(),
            sent_at: rfc3339(wishes.sent_at),
        }),
    };
    Ok(([(header::ETAG, format!("\"{}\"", application.revision))], Json(body)))
}
