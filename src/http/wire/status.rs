//! The HTTP status of what a use case refuses.

use axum::http::StatusCode;

use crate::app::Refusal;

/// The status of a refusal.
pub fn status_of(refusal: Refusal) -> StatusCode {
    match refusal {
        Refusal::WrongCredentials
        | Refusal::LoginRequired
        | Refusal::TokenInvalid
        | Refusal::TokenExpired
        | Refusal::TokenAudience
        | Refusal::SessionEnded => StatusCode::UNAUTHORIZED,
        Refusal::AccountDisabled => StatusCode::FORBIDDEN,
        Refusal::NoApplication | Refusal::NoSuchSession => StatusCode::NOT_FOUND,
        Refusal::EmailTaken | Refusal::OtherProgram | Refusal::ApplicationActive => StatusCode::CONFLICT,
    }
}
