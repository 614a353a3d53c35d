//! Why a use case did not do what it was asked.

use super::ports::{Application, MINUTE, Millis, Overloaded, StoreError, TokenError};
use crate::domain::input::FieldError;
use crate::domain::status::Refused;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input breaks a rule; one entry for each bad field, never empty.
    #[error("invalid input")]
    Invalid(Vec<FieldError>),
    #[error("{}", .0.sentence())]
    Refused(Refusal),
    /// The table of statuses does not allow the act.
    #[error("{}", .0.sentence())]
    NotAllowed(Refused),
    /// The application was changed since the revision that the caller knows; the current copy.
    #[error("stale revision")]
    Stale(Box<Application>),
    /// Too many attempts; `code` is `rate_limited` or `auth.throttled`.
    #[error("too many attempts")]
    Throttled { code: &'static str, wait: Millis },
    /// Nothing was changed; it may work in a minute.
    #[error("unavailable")]
    Unavailable(#[source] Option<StoreError>),
    /// A mistake of ours.
    #[error("internal error")]
    Internal(#[source] StoreError),
}

/// A refusal that is nobody's typing error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Unknown address or wrong password; never which.
    WrongCredentials,
    AccountDisabled,
    /// No token was sent.
    LoginRequired,
    TokenInvalid,
    TokenExpired,
    TokenAudience,
    /// The token is good, its session is not any more.
    SessionEnded,
    EmailTaken,
    NoApplication,
    OtherProgram,
    ApplicationActive,
    /// It was sent: its answers stand.
    ApplicationSubmitted,
    NoSuchSession,
}

impl Refusal {
    /// Stable and machine-readable.
    pub fn code(self) -> &'static str {
        match self {
            Refusal::WrongCredentials => "auth.invalid",
            Refusal::AccountDisabled => "auth.disabled",
            Refusal::LoginRequired => "auth.required",
            Refusal::TokenInvalid => "token.invalid",
            Refusal::TokenExpired => "token.expired",
            Refusal::TokenAudience => "token.audience",
            Refusal::SessionEnded => "session.revoked",
            Refusal::EmailTaken => "email.taken",
            Refusal::NoApplication => "application.none",
            Refusal::OtherProgram => "application.other_program",
            Refusal::ApplicationActive => "application.active",
            Refusal::ApplicationSubmitted => "application.submitted",
            Refusal::NoSuchSession => "session.not_found",
        }
    }

    /// One plain sentence for the person.
    pub fn sentence(self) -> &'static str {
        match self {
            Refusal::WrongCredentials => "Email or password is incorrect.",
            Refusal::AccountDisabled => "This account is disabled. Contact admissions.",
            Refusal::LoginRequired => "Log in to continue.",
            Refusal::TokenInvalid => "Your session is not valid. Log in again.",
            Refusal::TokenExpired => "Your session has expired. Log in again.",
            Refusal::TokenAudience => "This token cannot be used here.",
            Refusal::SessionEnded => "Your session has ended. Log in again.",
            Refusal::EmailTaken => "An account with this email already exists. Log in or reset your password.",
            Refusal::NoApplication => "You have not started an application.",
            Refusal::OtherProgram => "You have started an application for the other program.",
            Refusal::ApplicationActive => "You already have an application.",
            Refusal::ApplicationSubmitted => {
                "You have submitted this application. Take it back first to change an answer."
            }
            Refusal::NoSuchSession => "This session has ended already.",
        }
    }
}

impl Error {
    /// Whole minutes to wait, at least one.
    pub fn minutes(wait: Millis) -> Millis {
        (wait + MINUTE - 1).div_euclid(MINUTE).max(1)
    }

    /// The sentence for the person.
    pub fn sentence(&self) -> String {
        match self {
            Error::Invalid(errors) => errors.first().map(|error| error.message.clone()).unwrap_or_default(),
            Error::Refused(refusal) => refusal.sentence().into(),
            Error::NotAllowed(refused) => refused.sentence(),
            Error::Stale(_) => "This application was changed in another tab. Reload to see the latest version.".into(),
            Error::Throttled { code: "auth.throttled", wait } => {
                format!("Too many attempts. Try again in {} minutes or reset your password.", Self::minutes(*wait))
            }
            Error::Throttled { wait, .. } => {
                format!("Too many attempts. Try again in {} minutes.", Self::minutes(*wait))
            }
            Error::Unavailable(_) => "This did not work. Nothing was changed. Try again in a minute.".into(),
            Error::Internal(_) => "Something went wrong on our side. Nothing was changed. Try again.".into(),
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Error::Refused(refusal)
    }
}

impl From<FieldError> for Error {
    fn from(error: FieldError) -> Self {
        Error::Invalid(vec![error])
    }
}

impl From<Vec<FieldError>> for Error {
    fn from(errors: Vec<FieldError>) -> Self {
        Error::Invalid(errors)
    }
}

impl From<Overloaded> for Error {
    fn from(_: Overloaded) -> Self {
        Error::Unavailable(None)
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Taken("email") => Error::Refused(Refusal::EmailTaken),
            StoreError::Taken("application") => Error::Refused(Refusal::ApplicationActive),
            StoreError::Unavailable(_) => Error::Unavailable(Some(error)),
            StoreError::Taken(_) | StoreError::Broken(_) => Error::Internal(error),
        }
    }
}

impl From<TokenError> for Error {
    fn from(error: TokenError) -> Self {
        Error::Refused(match error {
            TokenError::Invalid => Refusal::TokenInvalid,
            TokenError::Expired => Refusal::TokenExpired,
            TokenError::Audience => Refusal::TokenAudience,
        })
    }
}
