//! `GET` and `PATCH /admins/settings/second-factor`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;

use super::LoggedInStaff;
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use domain::body;
use domain::body::{required, yes_or_no};

body! {
    #[derive(Serialize)]
    pub struct SecondFactorRule {
        /// Whether all staff must have one.
        required: bool = required(yes_or_no, "Answer yes or no."),
    }
}

/// Returns whether all staff must have a second factor.
#[utoipa::path(
    get,
    path = "/api/admins/settings/second-factor",
    operation_id = "loadSecondFactorRule",
    tag = "Office: settings",
    responses((status = 200, description = "The rule.", body = SecondFactorRule))
)]
pub async fn load(LoggedInStaff(who): LoggedInStaff) -> Json<SecondFactorRule> {
    Json(SecondFactorRule { required: who.second_factor_required })
}

/// Sets whether all staff must have one. Staff without one have to set it up before anything else.
#[utoipa::path(
    patch,
    path = "/api/admins/settings/second-factor",
    operation_id = "changeSecondFactorRule",
    tag = "Office: settings",
    request_body = SecondFactorRule,
    responses((status = 204, description = "It holds from the next request on."))
)]
pub async fn change(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    StrictJson(input): StrictJson,
) -> Result<StatusCode, Problem> {
    let SecondFactorRule { required } = SecondFactorRule::parse(&input)?;
    api.app.require_second_factor(&who, required).await?;
    Ok(StatusCode::NO_CONTENT)
}
