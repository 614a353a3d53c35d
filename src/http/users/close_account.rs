//! `POST /users/close-account`

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse};

use crate::ApiState;
use crate::bearer::BearerWithApplication;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::accounts::closing::AccountClosing;
use wire::Client;

/// Closes the account.
///
/// An active application is withdrawn; drafts, sessions and messages are deleted; what was submitted is kept for as
/// long as required. The email becomes free again, and nobody can log in with it.
#[utoipa::path(
    post,
    path = "/api/users/close-account",
    operation_id = "closeAccount",
    tag = "Account",
    request_body = AccountClosing,
    responses(
        (status = 204, description = "The account is closed, and its sessions have ended."),
        (status = 409, description = "`account.bound`: an offer was taken"),
        (status = 422, description = "`confirm.required`, `currentPassword.wrong`"),
    )
)]
pub async fn close(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    api.app.close_account(&who, application, &input, &caller).await?;
    let cookie = wire::clear_session_cookie(api.cookies);
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(header::SET_COOKIE, cookie)])))
}
