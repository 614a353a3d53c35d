//! `GET /users/offer`, `POST /users/offer`, `POST /users/application/undo-decline`, `POST /users/deferral-request`

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::{Json, http};
use serde::Serialize;
use utoipa::ToSchema;

use super::application::respond;
use super::submission::{ActAnswers, ActHeaders, conditions};
use crate::ApiState;
use crate::bearer::{Bearer, BearerWithApplication};
use crate::json::StrictJson;
use crate::problem::Problem;
use app::Refusal;
use app::decisions::deferrals::{DeferralRequest, can_be_deferred};
use app::decisions::offers::OfferReply;
use domain::moments::rfc3339;
use domain::status::Outcome;

/// The decision on the application.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Decision)]
#[serde(rename_all = "camelCase")]
pub struct DecisionView {
    outcome: Outcome,
    /// The intake it is for, as year and month: `2026-08`.
    intake: String,
    /// What the place is conditional on.
    conditions: Vec<String>,
    /// The letter: paragraphs with an empty line between them; lines that start with `•` are a list.
    letter: String,
    #[schema(format = DateTime)]
    decided_at: String,
    /// The offer, if the application was accepted.
    #[schema(required)]
    offer: Option<Offer>,
    /// The later start that was asked for or granted.
    #[schema(required)]
    deferral: Option<Deferral>,
    /// The request for a later start that was refused, unless there has been another one since.
    #[schema(required)]
    refused_deferral: Option<RefusedDeferral>,
    /// The later intakes that can be asked for.
    later_intakes: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// The first moment at which it can no longer be answered.
    #[schema(format = DateTime)]
    open_until: String,
    #[schema(required)]
    reply: Option<domain::decision::Reply>,
    #[schema(required, format = DateTime)]
    replied_at: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Deferral {
    intake: String,
    /// Whether staff have granted it; otherwise it is a request that nobody has answered.
    granted: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefusedDeferral {
    intake: String,
    /// The reason that staff give the applicant.
    reason: String,
    #[schema(format = DateTime)]
    refused_at: String,
}

/// Returns the decision on the application.
///
/// Available once it can no longer be recalled, 15 minutes after its release.
#[utoipa::path(
    get,
    path = "/api/users/offer",
    operation_id = "loadDecision",
    tag = "Application",
    responses(
        (status = 200, description = "The decision, its letter and the offer.", body = DecisionView),
        (status = 404, description = "`application.none`, `decision.none`"),
    )
)]
pub async fn load(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
) -> Result<impl IntoResponse, Problem> {
    let application = application.ok_or(Refusal::NoApplication)?;
    let standing = api.app.standing(&who, Some(&application)).await?;
    let later = match standing.intake() {
        Some(intake) if can_be_deferred(application.stage) => api.app.later_intakes(intake),
        _ => Vec::new(),
    };
    let domain::decision::Decided { decision, offer } = standing.decided.ok_or(Refusal::NoDecision)?;
    let body = DecisionView {
        outcome: decision.ruling.outcome(),
        intake: decision.intake.code(),
        conditions: decision.ruling.conditions().to_vec(),
        decided_at: rfc3339(decision.released_at.unwrap_or(decision.drafted_at)),
        letter: decision.letter,
        offer: offer.map(|offer| Offer {
            open_until: rfc3339(offer.open_until),
            reply: offer.reply,
            replied_at: offer.replied_at.map(rfc3339),
        }),
        deferral: standing.deferral.map(Deferral::from),
        refused_deferral: standing.refused_deferral.map(|refused| RefusedDeferral {
            intake: refused.intake.code(),
            reason: refused.refusal,
            refused_at: rfc3339(refused.refused_at),
        }),
        later_intakes: later.into_iter().map(|intake| intake.code()).collect(),
    };
    Ok(([(http::header::CACHE_CONTROL, "no-store")], Json(body)))
}

impl From<domain::decision::Deferral> for Deferral {
    fn from(deferral: domain::decision::Deferral) -> Self {
        Deferral { intake: deferral.intake.code(), granted: deferral.granted }
    }
}

/// Accepts or declines the offer.
///
/// If declined, the application is over and its status is `none`; for 15 minutes this can be undone.
#[utoipa::path(
    post,
    path = "/api/users/offer",
    operation_id = "replyToOffer",
    tag = "Application",
    params(ActHeaders),
    request_body = OfferReply,
    responses(
        ActAnswers,
        (status = 409, description = "`status.transition`: there is no offer to reply to; `offer.over`"),
        (status = 422, description = "`reply.required`, `reply.unknown`, `reason.too_long`"),
    )
)]
pub async fn reply(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    let reply = OfferReply::parse(&input)?;
    respond(&api, &api.app.reply_to_offer(&who, known, reply, conditions).await?).await
}

/// Undoes declining the offer.
///
/// Possible within 15 minutes, unless another application was started.
#[utoipa::path(
    post,
    path = "/api/users/application/undo-decline",
    operation_id = "undoDecline",
    tag = "Application",
    params(ActHeaders),
    responses(
        ActAnswers,
        (status = 409, description = "`undo.too_late`, `undo.not_declined`, `application.active`"),
    )
)]
pub async fn undo_decline(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    respond(&api, &api.app.undo_decline(&who, conditions).await?).await
}

/// Asks for a later start.
///
/// Staff answer the request. If there are several, the newest counts.
#[utoipa::path(
    post,
    path = "/api/users/deferral-request",
    operation_id = "askDeferral",
    tag = "Application",
    request_body = DeferralRequest,
    responses(
        (status = 201, description = "The wish, as staff see it.", body = Deferral),
        (status = 404, description = "`application.none`"),
        (status = 409, description = "`status.transition`: there is no place that could be kept"),
        (status = 422, description = "`intake.required`, `intake.unknown`, `intake.range`, `reason.too_long`"),
    )
)]
pub async fn ask_deferral(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let wish = DeferralRequest::parse(&input)?;
    let deferral = api.app.ask_deferral(&who, known, wish).await?;
    Ok((StatusCode::CREATED, Json(Deferral::from(deferral))))
}
