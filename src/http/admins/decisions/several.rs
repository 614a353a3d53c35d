//! `/admins/decisions…`: decisions on several applications.

use axum::Json;

use super::shapes::{
    DecisionList, DecisionResult, DecisionResults, ListedDecision, RecalledDecisions, SeveralDecisions,
};
use crate::admins::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::decisions::releases::ReleaseResult;

/// Lists the drafts waiting to be released, and what can still be recalled.
#[utoipa::path(
    get,
    path = "/api/admins/decisions",
    operation_id = "listDecisions",
    tag = "Office: decisions",
    responses(
        (status = 200, description = "The list.", body = DecisionList),
        (status = 403, description = "`role.forbidden`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<DecisionList>, Problem> {
    let list = request.app().release_list(&request.who).await?;
    Ok(Json(DecisionList {
        drafts: list.drafts.into_iter().map(ListedDecision::from).collect(),
        draft_count: list.draft_count,
        held: list.held.into_iter().map(ListedDecision::from).collect(),
    }))
}

/// Releases several drafts, now or at a given time.
///
/// Each is handled separately and has its own outcome. Sent again, what was released stays so and nothing is done
/// twice.
#[utoipa::path(
    post,
    path = "/api/admins/decisions/release",
    operation_id = "releaseDecisions",
    tag = "Office: decisions",
    request_body = SeveralDecisions,
    responses(
        (status = 200, description = "What became of each.", body = DecisionResults),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`decisions.required`, `decisions.range`, `at.invalid`, `at.past`, `at.too_far`"),
    )
)]
pub async fn release(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<DecisionResults>, Problem> {
    let SeveralDecisions { decisions, at } = SeveralDecisions::parse(&input, request.app().clock.now())?;
    Ok(Json(results(request.app().release_decisions(&request.who, &decisions, at).await?)))
}

/// Recalls several decisions before their applicants know of them.
#[utoipa::path(
    post,
    path = "/api/admins/decisions/recall",
    operation_id = "recallDecisions",
    tag = "Office: decisions",
    request_body = RecalledDecisions,
    responses(
        (status = 200, description = "What became of each.", body = DecisionResults),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`decisions.required`, `decisions.range`"),
    )
)]
pub async fn recall(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<DecisionResults>, Problem> {
    let RecalledDecisions { decisions } = RecalledDecisions::parse(&input)?;
    Ok(Json(results(request.app().recall_decisions(&request.who, &decisions).await?)))
}

fn results(results: Vec<ReleaseResult>) -> DecisionResults {
    DecisionResults { results: results.into_iter().map(DecisionResult::from).collect() }
}
