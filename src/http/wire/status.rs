//! The HTTP status of what a use case refuses.

use axum::http::StatusCode;

use crate::app::Refusal;
use crate::domain::status::Refused;

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
        Refusal::EmailTaken | Refusal::OtherProgram | Refusal::ApplicationActive | Refusal::ApplicationSubmitted => {
            StatusCode::CONFLICT
        }
    }
}

/// The status of an act that the table of statuses does not allow.
pub fn status_of_refused(refused: Refused) -> StatusCode {
    match refused {
        Refused::Forbidden => StatusCode::FORBIDDEN,
        Refused::NotFrom { .. } | Refused::Unmet(_) => StatusCode::CONFLICT,
    }
}
