//! Calls of applicants, `/users/…`.

pub mod application;
pub mod application_copy;
pub mod close_account;
pub mod contract;
pub mod conversation;
pub mod documents;
pub mod email_change;
pub mod email_confirmation;
pub mod forgot_password;
pub mod funding;
pub mod interview;
pub mod login;
pub mod logout;
pub mod me;
pub mod messages;
pub mod offer;
pub mod passkeys;
pub mod password;
pub mod payments;
pub mod personal_data;
pub mod profile;
pub mod register;
pub mod reset_password;
pub mod second_factor;
pub mod session;
pub mod sessions;
pub mod submission;

use axum::response::{AppendHeaders, IntoResponse};
use axum::routing::{delete, get, patch, post};
use axum::{Json, Router};
use serde::Serialize;
use utoipa::ToSchema;

use super::{ApiState, rfc3339, wire};
use crate::app::login::Entered;
use crate::app::ports::Applicant;
use crate::domain::language::Language;
use crate::domain::program::Program;
use crate::domain::sentence::Sentence;

pub(super) fn router() -> Router<ApiState> {
    Router::new()
        .route("/register", post(register::register))
        .route("/login", post(login::login))
        .route("/logout", post(logout::logout))
        .route("/session", post(session::session))
        .route("/sessions", get(sessions::list).delete(sessions::end_others))
        .route("/sessions/{id}", delete(sessions::end))
        .route("/me", get(me::me))
        .route("/profile", patch(profile::change))
        .route("/password", post(password::change))
        .route("/passkeys", get(passkeys::list))
        .route("/passkeys/{id}/remove", post(passkeys::remove))
        .route("/second-factor", post(second_factor::begin))
        .route("/second-factor/confirm", post(second_factor::confirm))
        .route("/second-factor/off", post(second_factor::remove))
        .route("/second-factor/recovery-codes", post(second_factor::renew_codes))
        .route("/email-change", get(email_change::pending).post(email_change::request).delete(email_change::cancel))
        .route("/email-change/resend", post(email_change::resend))
        .route("/email-change/confirm", post(email_change::confirm))
        .route("/email-change/stop", post(email_change::stop))
        .route("/email-confirmation/resend", post(email_confirmation::resend))
        .route("/email-confirmation/confirm", post(email_confirmation::confirm))
        .route("/personal-data", post(personal_data::download))
        .route("/close-account", post(close_account::close))
        .route("/messages", get(messages::list))
        .route("/messages/{id}", get(messages::open))
        .route("/conversation", get(conversation::read).post(conversation::write))
        .route("/forgot-password", post(forgot_password::request))
        .route("/reset-password", post(reset_password::reset))
        .route("/application", get(application::load).post(application::save))
        .route("/application/copy", get(application_copy::load))
        .route("/application/start", post(application::start))
        .route("/application/submit", post(submission::submit))
        .route("/application/unsubmit", post(submission::unsubmit))
        .route("/application/withdraw", post(submission::withdraw))
        .route("/application/undo-withdraw", post(submission::undo_withdraw))
        .route("/application/undo-decline", post(offer::undo_decline))
        .route("/offer", get(offer::load).post(offer::reply))
        .route("/funding", get(funding::load).post(funding::save))
        .route("/payments", get(payments::load))
        .route("/payments/checkout", post(payments::checkout))
        .route("/payments/card", post(payments::save_card).delete(payments::forget_card))
        .route("/deferral-request", post(offer::ask_deferral))
        .route("/contract", get(contract::load))
        .route("/contract/file", get(contract::file))
        .route("/contract/{id}/consent", post(contract::consent))
        .route("/contract/{id}/sign", post(contract::sign))
        .route("/contract/{id}/decline", post(contract::decline))
        .nest("/documents", documents::router())
        .route("/interview", get(interview::load))
        .route("/interview/hold", post(interview::hold))
        .route("/interview/book", post(interview::book))
        .route("/interview/move", post(interview::relocate))
        .route("/interview/cancel", post(interview::cancel))
        .route("/interview/wishes", post(interview::wish))
}

/// An applicant's account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    id: String,
    email: String,
    /// Whether whoever reads its mail has said that it is theirs. Until then, what is written stands among the messages only.
    email_confirmed: bool,
    first_name: String,
    last_name: String,
    #[schema(format = Date)]
    date_of_birth: String,
    /// `+`, dial code, digits.
    phone_number: String,
    /// ISO 3166-1 alpha-2.
    country: String,
    /// Two-letter code of one of the 50 states; null outside the United States.
    #[schema(required)]
    state: Option<String>,
    /// IANA name, empty until it is chosen.
    time_zone: String,
    /// Whether reminders are mailed. Mails that are needed always come.
    reminders: bool,
    /// What mails are written in.
    language: Language,
    /// Whether the password alone does not log in.
    second_factor: bool,
    #[schema(format = DateTime)]
    created_at: String,
}

impl From<Applicant> for User {
    fn from(applicant: Applicant) -> Self {
        let second_factor = applicant.has_second_factor();
        let profile = applicant.profile;
        User {
            id: applicant.id,
            email: applicant.email,
            email_confirmed: applicant.email_confirmed_at.is_some(),
            first_name: profile.first_name,
            last_name: profile.last_name,
            date_of_birth: profile.date_of_birth.to_string(),
            phone_number: profile.phone_number,
            country: profile.country,
            state: profile.state,
            time_zone: profile.time_zone,
            reminders: profile.reminders,
            language: profile.language,
            second_factor,
            created_at: rfc3339(applicant.created_at),
        }
    }
}

/// A new session.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedIn {
    /// Sent as `Authorization: Bearer TOKEN`; good for some minutes, then renewed by `POST /api/users/session`.
    token: String,
    user: User,
}

/// One sentence for the person.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    #[schema(value_type = String)]
    pub message: Sentence,
}

/// Which program, as it travels.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ApplicationType {
    /// The bachelor's program.
    Ba,
    /// The master's program.
    Msc,
}

impl From<Program> for ApplicationType {
    fn from(program: Program) -> Self {
        match program {
            Program::Bachelor => ApplicationType::Ba,
            Program::Masters => ApplicationType::Msc,
        }
    }
}

/// The answer to someone who has just logged in or registered: the token for the API, the cookie for the pages.
fn signed_in(api: &ApiState, entered: Entered) -> impl IntoResponse + use<> {
    let cookies = wire::login_cookies(api.cookies, &entered.secrets);
    let body = SignedIn { token: entered.secrets.token, user: entered.applicant.into() };
    (AppendHeaders(cookies.map(|cookie| (axum::http::header::SET_COOKIE, cookie))), Json(body))
}
