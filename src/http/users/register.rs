//! `POST /users/register`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use utoipa::ToSchema;

use super::{ApplicationType, SignedIn, signed_in};
use crate::http::ApiState;
use crate::http::json::StrictJson;
use crate::http::problem::Problem;
use crate::http::wire::Client;

/// A new account.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Registration {
    /// At most 100 characters, and nothing that looks like a web address.
    pub first_name: String,
    pub last_name: String,
    /// In the past.
    #[schema(format = Date, example = "1990-02-28")]
    pub date_of_birth: String,
    /// `+`, the country's first dial code, digits; 4 to 15 digits in all. Spaces and punctuation are dropped.
    #[schema(example = "+15550100199")]
    pub phone_number: String,
    /// ISO 3166-1 alpha-2.
    #[schema(example = "US")]
    pub country: String,
    /// Two-letter code of one of the 50 states; required in the United States, ignored elsewhere.
    #[schema(example = "TX")]
    pub state: Option<String>,
    #[schema(format = Email)]
    pub email: String,
    /// 10 to 200 characters that are hard to guess, without names, email or the institute's name.
    #[schema(format = Password)]
    pub password: String,
    /// Starts an application of this program with the account.
    #[schema(nullable = false)]
    pub application_type: Option<ApplicationType>,
}

/// Creates an account and signs in.
///
/// A link to confirm the email is mailed. Nobody has to wait for it; until it is opened, hardly anything else is mailed.
#[utoipa::path(
    post,
    path = "/api/users/register",
    operation_id = "register",
    tag = "Signing in",
    request_body = Registration,
    responses(
        (status = 201, description = "The session. Its cookie is set for the pages.", body = SignedIn),
        (status = 409, description = "`email.taken`"),
    ),
    security(())
)]
pub async fn register(
    State(api): State<ApiState>,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let entered = api.app.register(&input, None, &caller).await?;
    Ok((StatusCode::CREATED, signed_in(&api, entered)))
}
