//! `/users/second-factor…`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use crate::ApiState;
use crate::bearer::Bearer;
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::second_factor::{RecoveryCodes, SecondFactorSetup, recovery_codes};
use app::accounts::second_factor::{OwnSecondFactorProof, PasswordAndCode};
use wire::Client;

/// Starts setting up a second factor.
#[utoipa::path(
    post,
    path = "/api/users/second-factor",
    operation_id = "beginOwnSecondFactor",
    tag = "Account",
    responses((status = 200, description = "What the app needs.", body = SecondFactorSetup))
)]
pub async fn begin(State(api): State<ApiState>, Bearer(who): Bearer) -> Json<SecondFactorSetup> {
    Json(api.app.second_factor_setup(&who, None).into())
}

/// Sets up the second factor, with a code that proves that the app has it. Every other session ends.
#[utoipa::path(
    post,
    path = "/api/users/second-factor/confirm",
    operation_id = "confirmOwnSecondFactor",
    tag = "Account",
    request_body = OwnSecondFactorProof,
    responses(
        (status = 200, description = "It is on. The codes are told this once.", body = RecoveryCodes),
        (status = 409, description = "`second_factor.there`"),
        (status = 422, description = "`code.wrong`, `currentPassword.wrong`"),
    )
)]
pub async fn confirm(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<Json<RecoveryCodes>, Problem> {
    Ok(recovery_codes(api.app.set_second_factor(&who, &input, &caller).await?))
}

/// Removes the second factor. Every other session ends.
#[utoipa::path(
    post,
    path = "/api/users/second-factor/off",
    operation_id = "removeOwnSecondFactor",
    tag = "Account",
    request_body = PasswordAndCode,
    responses(
        (status = 204, description = "It is off."),
        (status = 409, description = "`second_factor.none`"),
        (status = 422, description = "`code.wrong`, `currentPassword.wrong`"),
    )
)]
pub async fn remove(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<StatusCode, Problem> {
    api.app.drop_second_factor(&who, &input, None, &caller).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes new recovery codes; the previous ones stop working.
#[utoipa::path(
    post,
    path = "/api/users/second-factor/recovery-codes",
    operation_id = "renewOwnRecoveryCodes",
    tag = "Account",
    request_body = PasswordAndCode,
    responses(
        (status = 200, description = "The codes, told this once.", body = RecoveryCodes),
        (status = 409, description = "`second_factor.none`"),
        (status = 422, description = "`code.wrong`, `currentPassword.wrong`"),
    )
)]
pub async fn renew_codes(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<Json<RecoveryCodes>, Problem> {
    Ok(recovery_codes(api.app.renew_recovery_codes(&who, &input, None, &caller).await?))
}
