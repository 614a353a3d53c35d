//! `PATCH /users/profile`

use axum::Json;
use axum::extract::State;
use utoipa::ToSchema;

use super::User;
use crate::domain::language::Language;
use crate::http::ApiState;
use crate::http::bearer::Bearer;
use crate::http::json::StrictJson;
use crate::http::problem::Problem;

/// Any fields of the profile; those that are not there stay as they are.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ProfileChange {
    #[schema(nullable = false)]
    pub first_name: Option<String>,
    #[schema(nullable = false)]
    pub last_name: Option<String>,
    #[schema(format = Date, nullable = false)]
    pub date_of_birth: Option<String>,
    /// `+`, the country's first dial code, digits.
    #[schema(nullable = false)]
    pub phone_number: Option<String>,
    /// Another country than the United States clears the state.
    #[schema(nullable = false)]
    pub country: Option<String>,
    /// Two-letter code of one of the 50 states; required in the United States, ignored elsewhere.
    pub state: Option<String>,
    /// IANA name; empty for the institute's.
    #[schema(example = "America/Chicago", nullable = false)]
    pub time_zone: Option<String>,
    /// Whether reminders are mailed.
    #[schema(nullable = false)]
    pub reminders: Option<bool>,
    /// What mails are written in.
    #[schema(nullable = false)]
    pub language: Option<Language>,
}

/// Changes the profile.
#[utoipa::path(
    patch,
    path = "/api/users/profile",
    operation_id = "changeProfile",
    tag = "Account",
    request_body = ProfileChange,
    responses((status = 200, description = "The account as it is now.", body = User))
)]
pub async fn change(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    StrictJson(input): StrictJson,
) -> Result<Json<User>, Problem> {
    Ok(Json(api.app.update_profile(&who, &input).await?.into()))
}
