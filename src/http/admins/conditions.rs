//! `GET /admins/applications/{id}/conditions`, `POST /admins/applications/{id}/conditions/{number}`

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;

use super::Member;
use crate::app::Error;
use crate::app::enrolment::OfferCondition;
use crate::app::ports::StaffSession;
use crate::domain::decision::{ConditionState, ConditionVerdict};
use crate::domain::input::{FieldError, Input, unknown_fields};
use crate::domain::permission::Permission;
use crate::http::json::StrictJson;
use crate::http::problem::Problem;
use crate::http::{ApiState, rfc3339};

/// The conditions of an offer, in its order.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfferConditions {
    conditions: Vec<Condition>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// Its place, from 1.
    number: i64,
    text: String,
    state: ConditionIs,
    /// What shows it, or why; empty for an open one.
    note: String,
    /// The member of staff who noted it, by their id.
    #[schema(required)]
    judged_by: Option<String>,
    #[schema(required, format = DateTime)]
    judged_at: Option<String>,
    /// What a change of it has to name; 0 for an open one.
    revision: i64,
}

/// `met` and `waived` conditions do not stand against enrolment any more.
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

/// What became of a condition.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ConditionJudged {
    /// `met`, `waived` or `failed`
    pub state: String,
    /// What shows it, or why; 1 to 1,000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    pub note: String,
    /// The revision that was seen.
    pub revision: i64,
}

/// The conditions of an offer, and what became of each.
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
pub async fn list(
    State(api): State<ApiState>,
    Member(who): Member,
    Path(id): Path<String>,
) -> Result<Json<OfferConditions>, Problem> {
    answer(&api, &who, &id).await
}

/// Notes what became of a condition.
///
/// When it was the last thing that an enrolment lacked, the applicant is enrolled.
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
pub async fn judge(
    State(api): State<ApiState>,
    Member(who): Member,
    Path((id, number)): Path<(String, String)>,
    StrictJson(input): StrictJson,
) -> Result<Json<OfferConditions>, Problem> {
    let entries = input.entries().map_err(Error::from)?;
    let mut errors: Vec<FieldError> = unknown_fields(entries, &["state", "note", "revision"]).collect();
    let text = |name: &str| match Input::get(entries, name) {
        Some(Input::Text(text)) => text.as_str(),
        _ => "",
    };
    let seen = match Input::get(entries, "revision") {
        Some(Input::Whole(revision)) => Some(*revision),
        _ => None,
    };
    if seen.is_none() {
        errors.push(FieldError::new(
            "revision",
            "revision.required",
            "Name the revision of the condition that you have seen.",
        ));
    }
    let verdict = ConditionVerdict::parse(text("state"), text("note"));
    match (verdict, seen) {
        (Ok(verdict), Some(seen)) if errors.is_empty() => {
            // What is no number is the place of no condition.
            let number = number.parse().unwrap_or_default();
            api.app.judge_condition(&who, &id, number, &verdict, seen).await?;
            answer(&api, &who, &id).await
        }
        (verdict, _) => {
            errors.extend(verdict.err().unwrap_or_default());
            Err(Error::from(errors).into())
        }
    }
}

async fn answer(api: &ApiState, who: &StaffSession, id: &str) -> Result<Json<OfferConditions>, Problem> {
    api.app.office_application(who, id, Permission::Applications).await?;
    let conditions = api.app.offer_conditions(id).await?;
    Ok(Json(OfferConditions { conditions: conditions.into_iter().map(Condition::from).collect() }))
}
