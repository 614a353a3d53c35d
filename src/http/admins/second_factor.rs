//! `/admins/second-factor…`, `DELETE /admins/admins/{id}/second-factor`

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use super::LoggedInStaff;
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::second_factor::{RecoveryCodes, SecondFactorSetup, recovery_codes};
use app::accounts::second_factor::{ApplicantAddress, SecondFactorProof};

/// Starts setting up a second factor.
#[utoipa::path(
    post,
    path = "/api/admins/second-factor",
    operation_id = "beginSecondFactor",
    tag = "Office: own account",
    responses((status = 200, description = "What the app needs.", body = SecondFactorSetup))
)]
pub async fn begin(State(api): State<ApiState>, LoggedInStaff(who): LoggedInStaff) -> Json<SecondFactorSetup> {
    Json(api.app.staff_second_factor_setup(&who.staff, None).into())
}

/// Sets up the second factor, with a code that proves that the app has it.
#[utoipa::path(
    post,
    path = "/api/admins/second-factor/confirm",
    operation_id = "confirmSecondFactor",
    tag = "Office: own account",
    request_body = SecondFactorProof,
    responses(
        (status = 200, description = "It is on. The codes are told this once.", body = RecoveryCodes),
        (status = 409, description = "`second_factor.there`"),
    )
)]
pub async fn confirm(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    StrictJson(input): StrictJson,
) -> Result<Json<RecoveryCodes>, Problem> {
    Ok(recovery_codes(api.app.set_staff_second_factor(&who, &input).await?))
}

/// Removes the caller's own second factor.
#[utoipa::path(
    delete,
    path = "/api/admins/second-factor",
    operation_id = "removeSecondFactor",
    tag = "Office: own account",
    responses(
        (status = 204, description = "It is off."),
        (status = 409, description = "`second_factor.needed`"),
    )
)]
pub async fn remove(State(api): State<ApiState>, LoggedInStaff(who): LoggedInStaff) -> Result<StatusCode, Problem> {
    api.app.drop_staff_second_factor(&who).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes new recovery codes; the previous ones stop working.
#[utoipa::path(
    post,
    path = "/api/admins/second-factor/recovery-codes",
    operation_id = "renewRecoveryCodes",
    tag = "Office: own account",
    responses(
        (status = 200, description = "The codes, told this once.", body = RecoveryCodes),
        (status = 409, description = "`second_factor.none`"),
    )
)]
pub async fn renew_codes(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
) -> Result<Json<RecoveryCodes>, Problem> {
    Ok(recovery_codes(api.app.renew_staff_recovery_codes(&who).await?))
}

/// Removes the second factor of a member of staff who has lost it. Their sessions end.
#[utoipa::path(
    delete,
    path = "/api/admins/admins/{id}/second-factor",
    operation_id = "resetSecondFactor",
    tag = "Office: staff",
    params(("id" = String, Path, description = "The account's id")),
    responses(
        (status = 204, description = "It is off."),
        (status = 404, description = "`staff.not_found`"),
        (status = 409, description = "`second_factor.none`"),
    )
)]
pub async fn reset(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.reset_staff_second_factor(&who, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes the second factor of an applicant who has lost it. Their sessions end.
///
/// Make sure that it is really the applicant who asks: from then on, the password alone is enough to log in.
#[utoipa::path(
    post,
    path = "/api/admins/applicants/second-factor/reset",
    operation_id = "resetApplicantsSecondFactor",
    tag = "Office: staff",
    request_body = ApplicantAddress,
    responses(
        (status = 204, description = "It is off, and the applicant has a mail about it."),
        (status = 422, description = "`email.unknown`, `email.no_second_factor`"),
    )
)]
pub async fn reset_of_applicant(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    StrictJson(input): StrictJson,
) -> Result<StatusCode, Problem> {
    api.app.reset_second_factor(&who, &input).await?;
    Ok(StatusCode::NO_CONTENT)
}
