//! `/admins/applications/{id}/fee`: the application fee, and what Finance decides about it.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::funding::LedgerRequest;
use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::users::fee::Fee;
use app::Refusal;
use app::money::fees::{FeeAct, FeeActInput, OfficeFee as FeeForOffice};
use app::office::dossiers::Booked;

/// The application fee, with what only staff know of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeFee {
    #[serde(flatten)]
    fee: Fee,
    /// Staff's reason for waiving it.
    #[schema(required)]
    reason: Option<String>,
    /// Who paid or waived it: `staff:ID`, `applicant:ID`, `provider`, `system`; null while it is due.
    #[schema(required)]
    decided_by: Option<String>,
    /// The id of the code that waived it.
    #[schema(required)]
    code_id: Option<String>,
    /// What the caller can do about it now: `waive`, `approve` and `refuse` a request, `take-back`
    acts: Vec<&'static str>,
}

impl From<FeeForOffice> for OfficeFee {
    fn from(FeeForOffice { view, acts }: FeeForOffice) -> Self {
        OfficeFee {
            reason: view.fee.reason.clone(),
            decided_by: view.fee.decided_by.clone(),
            code_id: view.fee.code_id.clone(),
            acts,
            fee: view.into(),
        }
    }
}

/// Returns the application fee.
///
/// `need`, a request for a waiver and its answer, is null without `finance.manage`.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/fee",
    operation_id = "loadOfficeFee",
    tag = "Office: funding",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "The fee.", body = OfficeFee),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`; `fee.none`: there is no fee"),
    )
)]
pub async fn load(request: StaffRequest) -> Result<Json<OfficeFee>, Problem> {
    let fee = request.app().fee_for_office(&request.who, request.id()).await?.ok_or(Refusal::NoFee)?;
    Ok(Json(fee.into()))
}

/// Waives the application fee, answers a request for a waiver, or takes a waiver back.
///
/// What it changes is booked in the ledger, as `bookIntoLedger` does it: from the amount of the setting `second-person`
/// on it waits for a second person. Payments are booked there, too, for the line `application-fee`.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/fee",
    operation_id = "decideAboutFee",
    tag = "Office: funding",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "Names the entry: sent again under the same key, it is written once"),
    ),
    request_body = FeeActInput,
    responses(
        (status = 202, description = "It is not booked, and waits for a second person.", body = LedgerRequest),
        (status = 204, description = "It is done."),
        (status = 401, description = "`auth.step_up`, for all but `refuse`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `fee.none`"),
        (status = 409, description = "`fee.settled`: it is not due any more; `fee.need_none`: no request awaits an answer; \
            `fee.waiver_kept`: staff have not waived it, or the application has moved on since; `ledger.reversed`, \
            `approval.settled`; `ledger.nothing_owed`: the application is over"),
        (status = 422, description = "`act.required`, `act.unknown`, `reason.required`, `reason.too_long`"),
    )
)]
pub async fn act(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Response, Problem> {
    let act = FeeAct::parse(&input)?;
    let app = request.app();
    let key = request.conditions.key.clone().unwrap_or_else(|| app.random.id());
    Ok(match app.act_on_fee(&request.who, request.id(), &key, act).await? {
        Booked::Written => StatusCode::NO_CONTENT.into_response(),
        Booked::Waits(asked) => (StatusCode::ACCEPTED, Json(LedgerRequest::from(*asked))).into_response(),
    })
}
