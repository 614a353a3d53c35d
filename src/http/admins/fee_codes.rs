//! `/admins/fee-codes…`: codes that waive the application fee.

use axum::Json;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use domain::application_fee::NewFeeCode;
use domain::moments::rfc3339;
use domain::program::ApplicationType;

/// A code that waives the application fee.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeeCode {
    id: String,
    /// Upper-case letters, digits and dashes.
    code: String,
    /// Null for both programs.
    #[schema(required)]
    application_type: Option<ApplicationType>,
    /// What it is for, for staff. May be empty.
    note: String,
    /// Null for any number of uses.
    #[schema(required)]
    most_uses: Option<i64>,
    /// How many fees it waives.
    uses: i64,
    /// The last day on which it can be used; null if it does not expire.
    #[schema(required, format = Date)]
    expires_on: Option<String>,
    #[schema(format = DateTime)]
    created_at: String,
    /// The id of a member of staff.
    created_by: String,
    /// Null unless somebody has ended it.
    #[schema(required, format = DateTime)]
    ended_at: Option<String>,
}

impl From<domain::application_fee::FeeCode> for FeeCode {
    fn from(code: domain::application_fee::FeeCode) -> Self {
        FeeCode {
            id: code.id,
            code: code.code,
            application_type: code.program.map(Into::into),
            note: code.note,
            most_uses: code.most_uses,
            uses: code.uses,
            expires_on: code.expires_on.map(|day| day.to_string()),
            created_at: rfc3339(code.created_at),
            created_by: code.created_by,
            ended_at: code.ended_at.map(rfc3339),
        }
    }
}

/// Newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeeCodes {
    codes: Vec<FeeCode>,
}

/// Lists all codes, ended ones too.
#[utoipa::path(
    get,
    path = "/api/admins/fee-codes",
    operation_id = "listFeeCodes",
    tag = "Office: finance",
    responses(
        (status = 200, description = "The codes.", body = FeeCodes),
        (status = 403, description = "`role.forbidden`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<FeeCodes>, Problem> {
    let codes = request.app().fee_codes(&request.who).await?;
    Ok(Json(FeeCodes { codes: codes.into_iter().map(FeeCode::from).collect() }))
}

/// Creates a code.
#[utoipa::path(
    post,
    path = "/api/admins/fee-codes",
    operation_id = "createFeeCode",
    tag = "Office: finance",
    request_body = NewFeeCode,
    responses(
        (status = 201, description = "The code.", body = FeeCode),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`code.required`, `code.invalid`, `code.taken`, `applicationType.unknown`, \
            `note.too_long`, `mostUses.range`, `expiresOn.invalid`, `expiresOn.past`"),
    )
)]
pub async fn create(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let code = request.app().create_fee_code(&request.who, &input).await?;
    Ok((StatusCode::CREATED, Json(FeeCode::from(code))))
}

/// Ends a code: nobody can use it any more. The fees that it has waived stay waived.
#[utoipa::path(
    delete,
    path = "/api/admins/fee-codes/{id}",
    operation_id = "endFeeCode",
    tag = "Office: finance",
    params(("id" = String, Path, description = "The code's id")),
    responses(
        (status = 204, description = "It is ended."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`fee_code.not_found`"),
    )
)]
pub async fn end(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().end_fee_code(&request.who, request.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}
