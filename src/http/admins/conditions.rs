//! `GET /admins/applications/{id}/conditions`, `POST /admins/applications/{id}/conditions/{number}`

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::decisions::enrolment::OfferCondition;
use domain::body::{both, required, split};
use domain::decision::{ConditionState, ConditionVerdict};
use domain::input::Input;
use domain::moments::rfc3339;
use domain::permission::Permission;
use domain::{body, joined};

/// The conditions of an offer, in their order.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfferConditions {
    conditions: Vec<Condition>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// Its position, from 1.
    number: i64,
    text: String,
    state: ConditionIs,
    /// What shows that it is met, or why it is waived; empty while it is open.
    note: String,
    /// The id of the member of staff who judged it; null while it is open.
    #[schema(required)]
    judged_by: Option<String>,
    #[schema(required, format = DateTime)]
    judged_at: Option<String>,
    /// The revision to send with a change; 0 while it is open.
    revision: i64,
}

/// `met` and `waived` conditions no longer stand against enrolment.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConditionIs {
    Open,
    Met,
    Waived,
    Failed,
}

impl From<OfferCondition> for Condition {
    fn from(condition: OfferCondition) -> Condition {
        let revision = condition.revision();
        let OfferCondition { number, text, judged } = condition;
        let state = match judged.as_ref().map(|judged| judged.verdict.state) {
            None => ConditionIs::Open,
            Some(ConditionState::Met) => ConditionIs::Met,
            Some(ConditionState::Waived) => ConditionIs::Waived,
            Some(ConditionState::Failed) => ConditionIs::Failed,
        };
        Condition {
            number,
            text,
            state,
            judged_by: judged.as_ref().map(|judged| judged.judged_by.clone()),
            judged_at: judged.as_ref().map(|judged| rfc3339(judged.judged_at)),
            note: judged.map(|judged| judged.verdict.note).unwrap_or_default(),
            revision,
        }
    }
}

body! {
    struct ConditionSeen {
        /// The revision the caller has seen.
        revision: i64 = required(
            |_: &str, input: Option<&Input>| match input {
                Some(Input::Whole(revision)) => Ok(Some(*revision)),
                _ => Ok(None),
            },
            "Name the revision of the condition that you have seen.",
        ),
    }
}

joined! {
    /// The verdict on a condition.
    pub struct ConditionJudged(ConditionSeen, ConditionVerdict);
}

/// Returns the conditions of an offer, and the verdict on each.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/conditions",
    operation_id = "listOfferConditions",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "The conditions; none where nothing is offered.", body = OfferConditions),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<OfferConditions>, Problem> {
    respond(&request).await
}

/// Records the verdict on a condition.
///
/// If it was the last thing missing for enrolment, the applicant is enrolled.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/conditions/{number}",
    operation_id = "judgeOfferCondition",
    tag = "Office: decisions",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("number" = i64, Path, description = "The condition's place, from 1"),
    ),
    request_body = ConditionJudged,
    responses(
        (status = 200, description = "The conditions.", body = OfferConditions),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `condition.not_found`"),
        (status = 412, description = "`condition.stale`: somebody else has noted something since"),
        (status = 422, description = "`state.required`, `state.unknown`, `note.required`, `note.too_long`, \
            `revision.required`"),
    )
)]
pub async fn judge(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<OfferConditions>, Problem> {
    let (own, rest) = split::<ConditionVerdict>(input);
    let (ConditionSeen { revision: seen }, verdict) = both(ConditionSeen::parse(&rest), ConditionVerdict::parse(&own))?;
    // Anything but a number matches no condition.
    let number = request.part("number").parse().unwrap_or_default();
    request.app().judge_condition(&request.who, request.id(), number, &verdict, seen).await?;
    respond(&request).await
}

async fn respond(request: &StaffRequest) -> Result<Json<OfferConditions>, Problem> {
    request.application(Permission::Applications).await?;
    let conditions = request.app().offer_conditions(&request.who, request.id()).await?;
    Ok(Json(OfferConditions { conditions: conditions.into_iter().map(Condition::from).collect() }))
}
