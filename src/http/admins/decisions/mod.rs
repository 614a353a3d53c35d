//! `/admins/applications/{id}/decision…` and `/admins/decisions…`: drafting decisions and releasing them to applicants.

pub mod several;
pub mod shapes;

use axum::http::StatusCode;
use axum::response::IntoResponse;

use super::staff_request::{StaffRequest, tagged};
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::users::submission::ActHeaders;
use app::Error;
use app::decisions::releases::expect_revision;
use domain::body::{both, split};
use domain::decision::{DecisionState, Draft, DraftSeen};
use domain::input::{FieldError, Input};
use domain::permission::Permission;
use shapes::{ApplicationDecisions, DecisionDraft, DecisionRelease, DecisionReversal, OfficeDecision, Replaced};

/// Returns the decisions on an application, drafted and released.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/decision",
    operation_id = "loadOfficeDecision",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "What is decided.", body = ApplicationDecisions,
            headers(("ETag" = String, description = "The application's revision in quotes"))),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn load(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    respond(&request).await
}

/// Drafts a decision.
///
/// Replaces the current draft, if any, and its planned release. The applicant learns nothing.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/decision",
    operation_id = "draftDecision",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    request_body = DecisionDraft,
    responses(
        (status = 200, description = "What is decided.", body = ApplicationDecisions),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`status.transition`: nothing is decided at this stage; `decision.changed`: \
            another draft is there than `replaces` names"),
        (status = 412, description = "`application.stale`"),
        (status = 422, description = "`outcome.required`, `letter.required`, `decision.letter`: the letter tells the \
            other decision; `decision.reason`, `decision.shown_reasons`, `decision.misplaced`, `conditions.too_many`, \
            `condition.required`, `intake.unknown`, `intake.waitlist`: it waits for another intake"),
    )
)]
pub async fn draft(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let (own, draft) = split::<Replaced>(input);
    let product = request.app().product_settings().await;
    let (draft, replaces) = both(Draft::parse(&draft, &product.reasons), replaced(&own))?;
    let seen = match &replaces {
        None => DraftSeen::Any,
        Some(None) => DraftSeen::None,
        Some(Some(id)) => DraftSeen::This(id),
    };
    expect_revision(&request.application(Permission::Decide).await?, request.conditions.expected)?;
    request.app().draft_decision_as(request.new_id("decision"), request.staff(), request.key(), draft, seen).await?;
    respond(&request).await
}

/// Reads which draft to replace: a given one, none, or whichever there is.
fn replaced(own: &Input) -> Result<Option<Option<String>>, Vec<FieldError>> {
    match own.entries()?.first() {
        None => Ok(None),
        Some((_, Input::Null)) => Ok(Some(None)),
        Some((_, Input::Text(id))) => Ok(Some(Some(id.clone()))),
        Some(_) => Err(vec![FieldError::new("replaces", "replaces.type", "Send the draft's id, or null.")]),
    }
}

/// Discards the draft.
#[utoipa::path(
    delete,
    path = "/api/admins/applications/{id}/decision",
    operation_id = "discardDecision",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 204, description = "There is no draft."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`decision.changed`: somebody else was quicker"),
    )
)]
pub async fn discard(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.application(Permission::Decide).await?;
    if let Some(draft) = request.app().drafted(request.id()).await? {
        request.app().discard_draft(request.staff(), &draft).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Releases the draft, now or at a given time.
///
/// For 15 minutes the applicant sees nothing of it and it can be recalled; then a mail says that there is an update. A
/// planned release does nothing before its time.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/decision/release",
    operation_id = "releaseDecision",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    request_body = DecisionRelease,
    responses(
        (status = 200, description = "What is decided.", body = ApplicationDecisions),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `decision.none`"),
        (status = 409, description = "`status.transition`, `interview.not_held`, `documents.missing`, \
            `decision.own_draft`: the office asks for two people; `places.none`, `decision.changed`"),
        (status = 412, description = "`application.stale`"),
        (status = 422, description = "`decision.required`, `at.invalid`, `at.past`, `at.too_far`"),
    )
)]
pub async fn release(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let DecisionRelease { decision, at: when } = DecisionRelease::parse(&input, request.app().clock.now())?;
    let released = request.app().release(&request.who, request.id(), &decision, when, request.conditions.clone()).await;
    released.map_err(Error::for_staff)?;
    respond(&request).await
}

/// Cancels the planned release of the draft.
#[utoipa::path(
    delete,
    path = "/api/admins/applications/{id}/decision/release",
    operation_id = "dropPlannedRelease",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 204, description = "Nothing is planned."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`decision.changed`: it was released or replaced a moment ago"),
    )
)]
pub async fn drop_planned(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.application(Permission::Release).await?;
    if let Some(draft) = request.app().drafted(request.id()).await? {
        request.app().drop_planned_release(request.staff(), &draft).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Recalls the decision before the applicant knows of it.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/decision/recall",
    operation_id = "recallDecision",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    responses(
        (status = 200, description = "What is decided.", body = ApplicationDecisions),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`status.transition`, `decision.sent`: the 15 minutes are over"),
        (status = 412, description = "`application.stale`"),
    )
)]
pub async fn recall(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    request.application(Permission::Release).await?;
    let recalled = request.app().recall_decision(request.staff(), request.key(), request.conditions.clone()).await;
    recalled.map_err(Error::for_staff)?;
    respond(&request).await
}

/// Takes back a decision that the applicant already knows.
///
/// A mail says that there is an update.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/decision/reverse",
    operation_id = "reverseDecision",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    request_body = DecisionReversal,
    responses(
        (status = 200, description = "What is decided.", body = ApplicationDecisions),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`status.transition`, `decision.held`: it can still be recalled"),
        (status = 412, description = "`application.stale`"),
        (status = 422, description = "`reason.required`, `reason.too_long`"),
    )
)]
pub async fn reverse(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let DecisionReversal { reason } = DecisionReversal::parse(&input)?;
    request.application(Permission::Decide).await?;
    let reversed =
        request.app().reverse_decision(request.staff(), request.key(), reason, request.conditions.clone()).await;
    reversed.map_err(Error::for_staff)?;
    respond(&request).await
}

/// Reopens an offer that was not answered in time.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/decision/reopen",
    operation_id = "reopenOffer",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    responses(
        (status = 200, description = "What is decided.", body = ApplicationDecisions),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`status.transition`, `places.none`"),
        (status = 412, description = "`application.stale`"),
    )
)]
pub async fn reopen(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    request.application(Permission::Release).await?;
    let reopened = request.app().reopen_offer(request.staff(), request.key(), request.conditions.clone()).await;
    reopened.map_err(Error::for_staff)?;
    respond(&request).await
}

async fn respond(request: &StaffRequest) -> Result<impl IntoResponse + use<>, Problem> {
    let application = request.application(Permission::Decide).await?;
    let decisions = request.app().decisions_on(request.id()).await?;
    let (standing, former): (Vec<_>, Vec<_>) = decisions
        .into_iter()
        .partition(|decision| matches!(decision.state, DecisionState::Draft | DecisionState::Released));
    let (drafts, released): (Vec<_>, Vec<_>) =
        standing.into_iter().partition(|decision| decision.state == DecisionState::Draft);
    let body = ApplicationDecisions {
        status: application.stage.status(),
        stage: application.stage.as_str(),
        revision: application.revision,
        application_id: application.id,
        draft: drafts.into_iter().next().map(OfficeDecision::from),
        released: released.into_iter().next().map(OfficeDecision::from),
        former: former.into_iter().map(OfficeDecision::from).collect(),
    };
    Ok(tagged(body.revision, body))
}
