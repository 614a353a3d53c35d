//! `/admins/waitlist`, `/admins/capacity` and `/admins/applications/{id}/waitlist…`: the places of intakes, and the lines
//! of those who wait for one.

use axum::Json;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::acts::OfficeActAnswers;
use super::applications::{OfficeApplication, application_response};
use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::users::submission::ActHeaders;
use app::decisions::drafting::StaffReason;
use app::waitlist::{WaitlistEntry, WaitlistLine as Line};
use domain::body;
use domain::body::{by, sent_text};
use domain::input::FieldError;
use domain::intake::Intake;
use domain::moments::rfc3339;
use domain::places::{Capacity, Release};
use domain::program::{ApplicationType, Program};
use domain::status::Stage;
use domain::waitlist::MoveInLine;

/// The places of an intake of a program, who holds one, and what is to be expected.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntakeCapacity {
    application_type: ApplicationType,
    /// As year and month: `2026-08`.
    intake: String,
    /// Null if there are as many as are needed.
    #[schema(required)]
    places: Option<i64>,
    /// How many more offers than places may be out at a time.
    over: i64,
    /// Offers that wait for a reply, and what was declined or withdrawn less than 15 minutes ago.
    offered: i64,
    /// Offers that were accepted.
    confirmed: i64,
    enrolled: i64,
    /// Deferred to the intake.
    deferred: i64,
    /// On the waitlist.
    waiting: i64,
    /// How many offers can still be made; negative if there are too many, null if places are not limited.
    #[schema(required)]
    left: Option<i64>,
    /// The places that nobody holds; null if they are not limited.
    #[schema(required)]
    free: Option<i64>,
    r#yield: OfferYield,
    /// Those who want their place, and as many of the open offers as were accepted before. Null if there are open offers
    /// and too little history.
    #[schema(required)]
    expected_starters: Option<i64>,
    /// How many more offers would fill the places, if they are accepted as often as before. Null if places are not
    /// limited, and with too little history.
    #[schema(required)]
    further_offers: Option<i64>,
}

/// What became of the offers for the last three intakes of the program that have begun.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfferYield {
    accepted: i64,
    /// Accepted, declined, lapsed or withdrawn.
    decided: i64,
    /// The share that was accepted; null below five offers.
    #[schema(required)]
    percent: Option<i64>,
}

impl From<&Capacity> for IntakeCapacity {
    fn from(capacity: &Capacity) -> IntakeCapacity {
        let Capacity { program, intake, limit, taken, waiting, history } = *capacity;
        IntakeCapacity {
            application_type: program.into(),
            intake: intake.code(),
            places: limit.map(|limit| limit.places),
            over: limit.map_or(0, |limit| limit.over),
            offered: taken.uncertain(),
            confirmed: taken.confirmed,
            enrolled: taken.enrolled,
            deferred: taken.deferred,
            waiting,
            left: capacity.left(),
            free: capacity.free(),
            r#yield: OfferYield { accepted: history.accepted, decided: history.decided, percent: history.percent() },
            expected_starters: capacity.expected_starters(),
            further_offers: capacity.further_offers(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct IntakeCapacities {
    /// By program and start.
    intakes: Vec<IntakeCapacity>,
}

/// The line of an intake of a program.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitlistLine {
    application_type: ApplicationType,
    /// As year and month: `2026-08`.
    intake: String,
    #[schema(format = Date)]
    starts_on: String,
    /// Null if there are as many as are needed.
    #[schema(required)]
    places: Option<i64>,
    /// How many more offers than places may be out at a time.
    over: i64,
    /// How many offers can still be made; negative if there are too many, null if places are not limited.
    #[schema(required)]
    left: Option<i64>,
    /// All in the line.
    waiting: i64,
    release: PlaceRelease,
    /// First in line first, at most 500.
    applications: Vec<WaitingApplication>,
}

/// Who offers a place that becomes free.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlaceRelease {
    /// Staff.
    Hand,
    /// The product, to the first in line.
    Order,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingApplication {
    id: String,
    /// From 1.
    position: i64,
    first_name: String,
    /// The reference number for roles that see no personal data.
    last_name: String,
    #[schema(required)]
    reference: Option<String>,
    stage: &'static str,
    /// The id of a member of staff.
    #[schema(required)]
    owner: Option<String>,
    #[schema(format = DateTime)]
    joined_at: String,
    /// Its place by hand, lower first; null for those in the order of joining.
    #[schema(required)]
    priority: Option<i64>,
    /// The mean of its readings in thousandths; null without one, while the caller's own is not sent, and for roles that
    /// score nothing (`interviews.score`).
    #[schema(required)]
    score: Option<i64>,
    revision: i64,
    /// The id of the drafted acceptance.
    #[schema(required)]
    decision: Option<String>,
    /// Why the caller could not offer the place now: the code that the call would return.
    #[schema(required)]
    obstacle: Option<&'static str>,
}

impl From<WaitlistEntry> for WaitingApplication {
    fn from(entry: WaitlistEntry) -> WaitingApplication {
        WaitingApplication {
            id: entry.application_id,
            position: entry.position,
            first_name: entry.first_name,
            last_name: entry.last_name,
            reference: entry.reference,
            stage: Stage::Waitlisted.as_str(),
            owner: entry.owner.map(|(id, _)| id),
            joined_at: rfc3339(entry.joined_at),
            priority: entry.priority,
            score: entry.score,
            revision: entry.revision,
            decision: entry.decision_id,
            obstacle: entry.refused.map(|refused| refused.code()),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Waitlist {
    /// Those in which somebody waits, and those of intakes with limited places that have not begun; by program and start.
    lines: Vec<WaitlistLine>,
}

body! {
    pub struct WaitlistEntrance {
        /// The id of the drafted acceptance.
        decision: String = sent_text("Name the draft that is meant."),
    }
}

body! {
    pub struct WaitlistExit {
        /// 1 to 1,000 characters, for the record.
        #[schema(value_type = String)]
        reason: StaffReason = by(StaffReason::parse),
    }
}

/// Reads what narrows the intakes; what is empty counts as absent.
fn narrowed(request: &StaffRequest) -> Result<(Option<Program>, Option<Intake>), Vec<FieldError>> {
    fn read<T>(
        request: &StaffRequest,
        name: &'static str,
        sentence: &'static str,
        parse: fn(&str) -> Option<T>,
    ) -> Result<Option<T>, FieldError> {
        let Some(text) = request.query(name).filter(|text| !text.is_empty()) else { return Ok(None) };
        let invalid = || FieldError::new(name, format!("{name}.invalid"), sentence);
        parse(&text).map(Some).ok_or_else(invalid)
    }
    let program = read(request, "program", "Choose ba or msc.", Program::of_application_type);
    let intake = read(request, "intake", "Choose an intake of the list.", Intake::parse);
    match (program, intake) {
        (Ok(program), Ok(intake)) => Ok((program, intake)),
        (program, intake) => Err(program.err().into_iter().chain(intake.err()).collect()),
    }
}

/// Returns the lines of those who wait for a place.
#[utoipa::path(
    get,
    path = "/api/admins/waitlist",
    operation_id = "loadWaitlist",
    tag = "Office: decisions",
    params(
        ("program" = Option<String>, Query, nullable = false, description = "`ba` or `msc`"),
        ("intake" = Option<String>, Query, nullable = false, description = "As `2026-08`"),
    ),
    responses(
        (status = 200, description = "The lines.", body = Waitlist),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`program.invalid`, `intake.invalid`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<Waitlist>, Problem> {
    let (program, intake) = narrowed(&request)?;
    let product = request.app().product_settings().await;
    let lines = request.app().waitlist(&request.who, program, intake).await?;
    let line = |line: Line| {
        let Capacity { program, intake, limit, waiting, .. } = line.capacity;
        WaitlistLine {
            application_type: program.into(),
            intake: intake.code(),
            starts_on: intake.start.to_string(),
            places: limit.map(|limit| limit.places),
            over: limit.map_or(0, |limit| limit.over),
            left: line.capacity.left(),
            waiting,
            release: match product.places(program).release {
                Release::ByHand => PlaceRelease::Hand,
                Release::ByOrder => PlaceRelease::Order,
            },
            applications: line.entries.into_iter().map(WaitingApplication::from).collect(),
        }
    };
    Ok(Json(Waitlist { lines: lines.into_iter().map(line).collect() }))
}

/// Returns the places of intakes, and what is to be expected.
///
/// Of the last intake that has begun and those of the next 24 months, as far as there is anything to say; in any case of
/// the next one, or of the one asked for.
#[utoipa::path(
    get,
    path = "/api/admins/capacity",
    operation_id = "loadCapacity",
    tag = "Office: decisions",
    params(
        ("program" = Option<String>, Query, nullable = false, description = "`ba` or `msc`"),
        ("intake" = Option<String>, Query, nullable = false, description = "As `2026-08`"),
    ),
    responses(
        (status = 200, description = "The places.", body = IntakeCapacities),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`program.invalid`, `intake.invalid`"),
    )
)]
pub async fn capacity(request: StaffRequest) -> Result<Json<IntakeCapacities>, Problem> {
    let (program, intake) = narrowed(&request)?;
    let intakes = request.app().capacity(&request.who, program, intake).await?;
    Ok(Json(IntakeCapacities { intakes: intakes.iter().map(IntakeCapacity::from).collect() }))
}

/// Puts the application on the waitlist.
///
/// At the end of the line of the intake that the drafted acceptance is for. The draft stays, and is released when a place
/// is offered. A mail tells the applicant that there is an update.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/waitlist",
    operation_id = "putOnWaitlist",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    request_body = WaitlistEntrance,
    responses(
        (status = 200, description = "The application as it is now.", body = OfficeApplication,
            headers(("ETag" = String, description = "The revision in quotes"))),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `decision.none`: it is no drafted acceptance"),
        (status = 409, description = "`status.transition`, `interview.not_held`, `documents.missing`, `fee.due`, \
            `decision.own_draft`: the office asks for two people"),
        (status = 412, description = "`application.stale`"),
        (status = 422, description = "`decision.required`"),
    )
)]
pub async fn join(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let WaitlistEntrance { decision } = WaitlistEntrance::parse(&input)?;
    request.app().put_on_waitlist(&request.who, request.id(), &decision, request.conditions.clone()).await?;
    respond(&request).await
}

/// Takes the application off the waitlist.
///
/// It returns to its previous stage, and the acceptance stays a draft. A mail tells the applicant that there is an update.
#[utoipa::path(
    delete,
    path = "/api/admins/applications/{id}/waitlist",
    operation_id = "takeOffWaitlist",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    request_body = WaitlistExit,
    responses(OfficeActAnswers, (status = 422, description = "`reason.required`, `reason.too_long`"))
)]
pub async fn leave(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let WaitlistExit { reason } = WaitlistExit::parse(&input)?;
    request.app().take_off_waitlist(&request.who, request.id(), reason, request.conditions.clone()).await?;
    respond(&request).await
}

/// Offers the place to the application.
///
/// Releases its drafted acceptance: for 15 minutes the applicant sees nothing of it and it can be recalled, back to the
/// same place in the line.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/waitlist/offer",
    operation_id = "offerPlace",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    responses(
        (status = 200, description = "The application as it is now.", body = OfficeApplication,
            headers(("ETag" = String, description = "The revision in quotes"))),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `decision.none`: no acceptance is drafted"),
        (status = 409, description = "`waitlist.none`, `places.none`, `documents.missing`, `fee.due`, \
            `decision.own_draft`: the office asks for two people"),
        (status = 412, description = "`application.stale`"),
    )
)]
pub async fn offer(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    request.app().offer_place(&request.who, request.id(), request.conditions.clone()).await?;
    respond(&request).await
}

/// Moves the application in its line.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/waitlist/move",
    operation_id = "moveInLine",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id")),
    request_body = MoveInLine,
    responses(
        (status = 204, description = "It is there."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`waitlist.none`"),
        (status = 422, description = "`before.unknown`: it is not in the same line; `before.both`, `priority.range`"),
    )
)]
pub async fn move_in_line(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let to = MoveInLine::parse(&input)?.chosen().map_err(|error| vec![error])?;
    request.app().move_in_line(&request.who, request.id(), &to).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn respond(request: &StaffRequest) -> Result<impl IntoResponse + use<>, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    Ok(application_response(&request.who, &dossier))
}
