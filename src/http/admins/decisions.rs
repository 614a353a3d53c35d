//! `/admins/applications/{id}/decision…` and `/admins/decisions…`: drafting decisions, and letting applicants see them.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::Member;
use crate::app::decisions::{HOLD, StaffReason};
use crate::app::ports::{self, ApplicationKey, DecisionState, DraftSeen, PendingDecision, StaffSession};
use crate::app::releases::{Done, ReleaseResult, When, chosen};
use crate::app::{App, Error, Refusal};
use crate::domain::decision::Draft;
use crate::domain::input::{FieldError, Input, unknown_fields};
use crate::domain::permission::Permission;
use crate::domain::status::{self, Status};
use crate::http::json::StrictJson;
use crate::http::problem::Problem;
use crate::http::users::offer::Outcome;
use crate::http::users::submission::{ActHeaders, conditions};
use crate::http::{ApiState, rfc3339};

/// A decision as the office has it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeDecision {
    id: String,
    state: OfficeDecisionState,
    outcome: Outcome,
    /// The letter's template: `offer`, `no_place`, `apply_again`.
    letter: &'static str,
    /// What the letter says, as paragraphs with an empty line between them; lines that start with `•` are a list.
    letter_text: String,
    /// What the place depends on.
    conditions: Vec<String>,
    reasons: Vec<RejectionReason>,
    /// The intake that it is about, as year and month: `2026-08`.
    intake: String,
    /// Why there was no interview, where none was held.
    #[schema(required)]
    waiver: Option<String>,
    /// Ids of members of staff.
    drafted_by: String,
    #[schema(format = DateTime)]
    drafted_at: String,
    #[schema(required)]
    released_by: Option<String>,
    #[schema(required, format = DateTime)]
    released_at: Option<String>,
    /// When a draft is released by itself.
    #[schema(required, format = DateTime)]
    release_at: Option<String>,
    /// Until when a released one can be recalled, and the applicant sees nothing of it.
    #[schema(required, format = DateTime)]
    held_until: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RejectionReason {
    /// Its name on the list of reasons, such as `places`.
    reason: String,
    /// Whether the letter tells it.
    shown: bool,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OfficeDecisionState {
    Draft,
    /// Another draft took its place, or it was discarded.
    Replaced,
    Released,
    /// Taken back before the applicant was told.
    Recalled,
    /// Taken back afterwards.
    Reversed,
}

/// What is decided about an application, and where the application is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationDecisions {
    application_id: String,
    status: Status,
    stage: &'static str,
    /// The application's; the `ETag` in numbers.
    revision: i64,
    #[schema(required)]
    draft: Option<OfficeDecision>,
    #[schema(required)]
    released: Option<OfficeDecision>,
    /// Those that do not stand any more, newest first.
    former: Vec<OfficeDecision>,
}

/// A decision that waits, and what it is about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedDecision {
    application_id: String,
    #[schema(required)]
    reference: Option<String>,
    stage: &'static str,
    decision: OfficeDecision,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionList {
    /// Oldest first, at most 200.
    drafts: Vec<ListedDecision>,
    /// How many there are.
    draft_count: i64,
    /// Released less than 15 minutes ago.
    held: Vec<ListedDecision>,
}

/// What became of each.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecisionResults {
    results: Vec<DecisionResult>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DecisionResult {
    id: String,
    outcome: DecisionOutcome,
    /// Why it failed: the code of the call for one decision.
    #[schema(required)]
    code: Option<String>,
    /// One plain sentence about it.
    #[schema(required)]
    error: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DecisionOutcome {
    Released,
    /// It is released at its time.
    Planned,
    Recalled,
    /// It was so before.
    Unchanged,
    Failed,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct DecisionDraft {
    pub outcome: Outcome,
    /// `offer` for an acceptance; `no_place` or `apply_again` for a rejection.
    pub letter: String,
    /// Of an acceptance: up to 20, of at most 300 characters each.
    #[schema(nullable = false)]
    pub conditions: Option<Vec<String>>,
    /// Of a rejection: at least one of `entry_requirements`, `experience`, `work_history`, `interview`, `goals`,
    /// `documents`, `funding`, `places`.
    #[schema(nullable = false)]
    pub reasons: Option<Vec<String>>,
    /// Of a rejection: those that the letter tells; none is a choice.
    #[schema(nullable = false)]
    pub shown_reasons: Option<Vec<String>>,
    /// Year and month; the next intake if none is named.
    #[schema(nullable = false)]
    pub intake: Option<String>,
    /// Why there was no interview, where none was held.
    #[schema(nullable = false)]
    pub waiver: Option<String>,
    /// The draft that this one takes the place of, or null for none. Without it, whichever there is.
    pub replaces: Option<String>,
}

#[derive(ToSchema)]
pub struct DecisionRelease {
    /// The draft.
    pub decision: String,
    /// When; now, if it is not told.
    #[schema(nullable = false, format = DateTime)]
    pub at: Option<String>,
}

#[derive(ToSchema)]
pub struct DecisionReversal {
    /// 1 to 1,000 characters, for the record.
    pub reason: String,
}

#[derive(ToSchema)]
pub struct SeveralDecisions {
    /// 1 to 200.
    pub decisions: Vec<String>,
    /// When; now, if it is not told.
    #[schema(nullable = false, format = DateTime)]
    pub at: Option<String>,
}

#[derive(ToSchema)]
pub struct RecalledDecisions {
    /// 1 to 200.
    pub decisions: Vec<String>,
}

impl From<DecisionState> for OfficeDecisionState {
    fn from(state: DecisionState) -> Self {
        match state {
            DecisionState::Draft => OfficeDecisionState::Draft,
            DecisionState::Replaced => OfficeDecisionState::Replaced,
            DecisionState::Released => OfficeDecisionState::Released,
            DecisionState::Recalled => OfficeDecisionState::Recalled,
            DecisionState::Reversed => OfficeDecisionState::Reversed,
        }
    }
}

impl From<ports::Decision> for OfficeDecision {
    fn from(decision: ports::Decision) -> Self {
        let held_until = decision.released_at.filter(|_| decision.state == DecisionState::Released);
        let reasons = decision.ruling.reasons().into_iter();
        OfficeDecision {
            state: decision.state.into(),
            outcome: match decision.ruling.outcome() {
                status::Outcome::Accept => Outcome::Accept,
                status::Outcome::Reject => Outcome::Reject,
            },
            letter: decision.ruling.letter().as_str(),
            conditions: decision.ruling.conditions().to_vec(),
            reasons: reasons
                .map(|(reason, shown)| RejectionReason { reason: reason.as_str().to_owned(), shown })
                .collect(),
            intake: decision.intake.code(),
            waiver: decision.waiver,
            drafted_by: decision.drafted_by,
            drafted_at: rfc3339(decision.drafted_at),
            released_by: decision.released_by,
            released_at: decision.released_at.map(rfc3339),
            release_at: decision.planned.map(|planned| rfc3339(planned.at)),
            held_until: held_until.map(|at| rfc3339(at + HOLD)),
            id: decision.id,
            letter_text: decision.letter,
        }
    }
}

impl From<PendingDecision> for ListedDecision {
    fn from(pending: PendingDecision) -> Self {
        ListedDecision {
            application_id: pending.decision.application_id.clone(),
            reference: pending.reference,
            stage: pending.stage.as_str(),
            decision: pending.decision.into(),
        }
    }
}

impl From<ReleaseResult> for DecisionResult {
    fn from(result: ReleaseResult) -> Self {
        let id = result.decision_id;
        let outcome = match result.result {
            Ok(Done::Released) => DecisionOutcome::Released,
            Ok(Done::Planned) => DecisionOutcome::Planned,
            Ok(Done::Recalled) => DecisionOutcome::Recalled,
            Ok(Done::Already) => DecisionOutcome::Unchanged,
            Err(error) => {
                let (code, sentence) = Problem::from(error.for_staff()).told();
                let error = Some(sentence.to_string());
                return DecisionResult { id, outcome: DecisionOutcome::Failed, code: Some(code), error };
            }
        };
        DecisionResult { id, outcome, code: None, error: None }
    }
}

/// The decisions on an application, as drafted and as released.
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
pub async fn load(
    State(api): State<ApiState>,
    Member(who): Member,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    answer(&api.app, &who, &id).await
}

/// Drafts a decision.
///
/// In the place of the draft that there may be, and of the release that was planned for it. The applicant learns nothing.
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
            `condition.required`, `intake.unknown`"),
    )
)]
pub async fn draft(
    State(api): State<ApiState>,
    Member(who): Member,
    Path(id): Path<String>,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    let (replaces, input) = without(input, "replaces");
    let mut errors = Vec::new();
    let replaces = match replaces {
        None => None,
        Some(Input::Null) => Some(None),
        Some(Input::Text(id)) => Some(Some(id)),
        Some(_) => {
            errors.push(FieldError::new("replaces", "replaces.type", "Send the draft's id, or null."));
            None
        }
    };
    let draft = match Draft::parse(&input, &api.app.product_settings().await.reasons) {
        Ok(draft) if errors.is_empty() => draft,
        Ok(_) => return Err(Error::Invalid(errors).into()),
        Err(others) => return Err(Error::Invalid([others, errors].concat()).into()),
    };
    let seen = match &replaces {
        None => DraftSeen::Any,
        Some(None) => DraftSeen::None,
        Some(Some(id)) => DraftSeen::This(id),
    };
    let application = api.app.office_application(&who, &id, Permission::Decide).await?;
    application.expect(conditions.expected)?;
    api.app.draft_decision(&who.staff, ApplicationKey::Id(&id), draft, seen).await?;
    answer(&api.app, &who, &id).await
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
pub async fn discard(
    State(api): State<ApiState>,
    Member(who): Member,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.office_application(&who, &id, Permission::Decide).await?;
    if let Some(draft) = api.app.drafted(&id).await? {
        api.app.discard_draft(&who.staff, &draft).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Releases the draft, now or at a time.
///
/// For 15 minutes the applicant sees nothing of it and it can be recalled; then a mail says that there is an update. Of a
/// release that is planned, nothing happens before its time.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/decision/release",
    operation_id = "releaseDecision",
    tag = "Office: decisions",
    params(("id" = String, Path, description = "The application's id"), ActHeaders),
    request_body = DecisionRelease,
    responses(
        (status = 200, description = "What is decided.", body = ApplicationDecisions),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `decision.none`"),
        (status = 409, description = "`status.transition`, `interview.not_held`, `decision.changed`"),
        (status = 412, description = "`application.stale`"),
        (status = 422, description = "`decision.required`, `at.invalid`, `at.past`, `at.too_far`"),
    )
)]
pub async fn release(
    State(api): State<ApiState>,
    Member(who): Member,
    Path(id): Path<String>,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    let entries = input.entries().map_err(Error::from)?;
    let mut errors: Vec<FieldError> = unknown_fields(entries, &["decision", "at"]).collect();
    let when = When::parse(Input::get(entries, "at"), api.app.clock.now()).map_err(|error| errors.push(error));
    let decision = match Input::get(entries, "decision") {
        Some(Input::Text(id)) if !id.is_empty() => id.as_str(),
        _ => {
            errors.push(FieldError::new("decision", "decision.required", "Name the draft that is meant."));
            ""
        }
    };
    let when = match when {
        Ok(when) if errors.is_empty() => when,
        _ => return Err(Error::Invalid(errors).into()),
    };
    let application = api.app.office_application(&who, &id, Permission::Release).await?;
    let found = api.app.store.decision(decision).await.map_err(Error::from)?;
    let found = found.filter(|found| found.application_id == application.id).ok_or(Refusal::NoDecision)?;
    match when {
        When::Now => {
            api.app.release_decision(&who.staff, decision, conditions).await.map(drop).map_err(Error::for_staff)?
        }
        When::At(at) => {
            application.expect(conditions.expected)?;
            api.app.plan_release(&who.staff, &found, at).await?;
        }
    }
    answer(&api.app, &who, &id).await
}

/// Gives up the release that is planned for the draft.
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
pub async fn drop_planned(
    State(api): State<ApiState>,
    Member(who): Member,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.office_application(&who, &id, Permission::Release).await?;
    if let Some(draft) = api.app.drafted(&id).await? {
        api.app.drop_planned_release(&who.staff, &draft).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Recalls the decision, before the applicant knows of it.
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
pub async fn recall(
    State(api): State<ApiState>,
    Member(who): Member,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    api.app.office_application(&who, &id, Permission::Release).await?;
    api.app.recall_decision(&who.staff, ApplicationKey::Id(&id), conditions).await.map_err(Error::for_staff)?;
    answer(&api.app, &who, &id).await
}

/// Takes back a decision that the applicant knows.
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
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`status.transition`, `decision.held`: it can still be recalled"),
        (status = 412, description = "`application.stale`"),
        (status = 422, description = "`reason.required`, `reason.too_long`"),
    )
)]
pub async fn reverse(
    State(api): State<ApiState>,
    Member(who): Member,
    Path(id): Path<String>,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    let entries = input.entries().map_err(Error::from)?;
    let mut errors: Vec<FieldError> = unknown_fields(entries, &["reason"]).collect();
    let reason = match StaffReason::parse(Input::get(entries, "reason")) {
        Ok(reason) if errors.is_empty() => reason,
        Ok(_) => return Err(Error::Invalid(errors).into()),
        Err(error) => {
            errors.push(error);
            return Err(Error::Invalid(errors).into());
        }
    };
    api.app.office_application(&who, &id, Permission::Decide).await?;
    api.app
        .reverse_decision(&who.staff, ApplicationKey::Id(&id), reason, conditions)
        .await
        .map_err(Error::for_staff)?;
    answer(&api.app, &who, &id).await
}

/// Opens an offer again that was not replied to in time.
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
        (status = 409, description = "`status.transition`"),
        (status = 412, description = "`application.stale`"),
    )
)]
pub async fn reopen(
    State(api): State<ApiState>,
    Member(who): Member,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let conditions = conditions(&headers)?;
    api.app.office_application(&who, &id, Permission::Release).await?;
    api.app.reopen_offer(&who.staff, ApplicationKey::Id(&id), conditions).await.map_err(Error::for_staff)?;
    answer(&api.app, &who, &id).await
}

/// The drafts that wait to be released, and what can still be recalled.
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
pub async fn list(State(api): State<ApiState>, Member(who): Member) -> Result<impl IntoResponse, Problem> {
    let list = api.app.release_list(&who).await?;
    let body = DecisionList {
        drafts: list.drafts.into_iter().map(ListedDecision::from).collect(),
        draft_count: list.draft_count,
        held: list.held.into_iter().map(ListedDecision::from).collect(),
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(body)))
}

/// Releases several drafts, now or at a time.
///
/// Each by itself: what became of each is told. Sent again, what was released stays so and nothing is done twice.
#[utoipa::path(
    post,
    path = "/api/admins/decisions/release",
    operation_id = "releaseDecisions",
    tag = "Office: decisions",
    request_body = SeveralDecisions,
    responses(
        (status = 200, description = "What became of each.", body = DecisionResults),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`decisions.required`, `decisions.range`, `at.invalid`, `at.past`, `at.too_far`"),
    )
)]
pub async fn release_several(
    State(api): State<ApiState>,
    Member(who): Member,
    StrictJson(input): StrictJson,
) -> Result<Json<DecisionResults>, Problem> {
    let entries = input.entries().map_err(Error::from)?;
    let mut errors: Vec<FieldError> = unknown_fields(entries, &["decisions", "at"]).collect();
    let ids = several(entries).map_err(|error| errors.push(error));
    let when = When::parse(Input::get(entries, "at"), api.app.clock.now()).map_err(|error| errors.push(error));
    match (ids, when) {
        (Ok(ids), Ok(when)) if errors.is_empty() => Ok(Json(told(api.app.release_decisions(&who, &ids, when).await?))),
        _ => Err(Error::Invalid(errors).into()),
    }
}

/// Recalls several decisions, before their applicants know of them.
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
pub async fn recall_several(
    State(api): State<ApiState>,
    Member(who): Member,
    StrictJson(input): StrictJson,
) -> Result<Json<DecisionResults>, Problem> {
    let entries = input.entries().map_err(Error::from)?;
    let mut errors: Vec<FieldError> = unknown_fields(entries, &["decisions"]).collect();
    match several(entries) {
        Ok(ids) if errors.is_empty() => Ok(Json(told(api.app.recall_decisions(&who, &ids).await?))),
        Ok(_) => Err(Error::Invalid(errors).into()),
        Err(error) => {
            errors.push(error);
            Err(Error::Invalid(errors).into())
        }
    }
}

fn told(results: Vec<ReleaseResult>) -> DecisionResults {
    DecisionResults { results: results.into_iter().map(DecisionResult::from).collect() }
}

fn several(entries: &[(String, Input)]) -> Result<Vec<String>, FieldError> {
    let wrong = || FieldError::new("decisions", "decisions.type", "Send a list of ids.");
    let items = match Input::get(entries, "decisions") {
        None => &[][..],
        Some(Input::List(items)) => items,
        Some(_) => return Err(wrong()),
    };
    let texts = items.iter().map(|item| match item {
        Input::Text(text) => Ok(text.clone()),
        _ => Err(wrong()),
    });
    chosen(texts.collect::<Result<Vec<_>, _>>()?)
}

/// The body without one of its fields, and that field.
fn without(input: Input, name: &str) -> (Option<Input>, Input) {
    match input {
        Input::Map(entries) => {
            let (taken, rest): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| key == name);
            (taken.into_iter().next().map(|(_, value)| value), Input::Map(rest))
        }
        other => (None, other),
    }
}

async fn answer(app: &App, who: &StaffSession, id: &str) -> Result<impl IntoResponse + use<>, Problem> {
    let application = app.office_application(who, id, Permission::Decide).await?;
    let decisions = app.store.decisions(id).await.map_err(Error::from)?;
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
    let etag = format!("\"{}\"", body.revision);
    Ok(([(header::CACHE_CONTROL, "no-store".to_owned()), (header::ETAG, etag)], Json(body)))
}
