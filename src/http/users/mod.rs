//! Calls of applicants, `/users/…`.

pub mod application;
pub mod application_copy;
pub mod close_account;
pub mod contract;
pub mod conversation;
pub mod documents;
pub mod email_change;
pub mod email_confirmation;
pub mod fee;
pub mod forgot_password;
pub mod funding;
pub mod inquiries;
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
pub mod references;
pub mod register;
pub mod reset_password;
pub mod second_factor;
pub mod session;
pub mod sessions;
pub mod submission;

use axum::response::{AppendHeaders, IntoResponse};
use axum::{Json, Router};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::ApiState;
use super::calls::{self, Call};
use app::accounts::login::Entered;
use domain::account::Applicant;
use domain::language::Language;
use domain::moments::rfc3339;
use domain::sentence::Sentence;

/// Returns every call there is.
pub(super) fn calls() -> Vec<Call> {
    vec![
        routes!(register::register),
        routes!(login::login),
        routes!(logout::logout),
        routes!(session::session),
        routes!(sessions::list),
        routes!(sessions::end_others),
        routes!(sessions::end),
        routes!(me::me),
        routes!(profile::change),
        routes!(password::change),
        routes!(passkeys::list),
        routes!(passkeys::remove),
        routes!(second_factor::begin),
        routes!(second_factor::confirm),
        routes!(second_factor::remove),
        routes!(second_factor::renew_codes),
        routes!(email_change::pending),
        routes!(email_change::request),
        routes!(email_change::cancel),
        routes!(email_change::resend),
        routes!(email_change::confirm),
        routes!(email_change::stop),
        routes!(email_confirmation::resend),
        routes!(email_confirmation::confirm),
        routes!(personal_data::download),
        routes!(close_account::close),
        routes!(messages::list),
        routes!(messages::open),
        routes!(conversation::read),
        routes!(conversation::write),
        routes!(inquiries::inquire),
        routes!(forgot_password::request),
        routes!(reset_password::reset),
        routes!(application::load),
        routes!(application::save),
        routes!(application_copy::load),
        routes!(application::start),
        routes!(submission::submit),
        routes!(submission::unsubmit),
        routes!(submission::withdraw),
        routes!(submission::undo_withdraw),
        routes!(offer::undo_decline),
        routes!(offer::load),
        routes!(offer::reply),
        routes!(funding::load),
        routes!(funding::save),
        routes!(fee::load),
        routes!(fee::use_code),
        routes!(fee::ask_waiver),
        routes!(fee::checkout),
        routes!(payments::load),
        routes!(payments::checkout),
        routes!(payments::save_card),
        routes!(payments::forget_card),
        routes!(offer::ask_deferral),
        routes!(contract::load),
        routes!(contract::file),
        routes!(contract::consent),
        routes!(contract::sign),
        routes!(contract::decline),
        routes!(documents::list),
        routes!(documents::send),
        routes!(documents::load),
        routes!(documents::remove),
        routes!(documents::uploads::options),
        routes!(documents::uploads::create),
        routes!(documents::uploads::head),
        routes!(documents::uploads::append),
        routes!(documents::uploads::give_up),
        routes!(references::list),
        routes!(references::name),
        routes!(references::ask),
        routes!(references::remove),
        routes!(references::letter),
        routes!(interview::load),
        routes!(interview::hold),
        routes!(interview::book),
        routes!(interview::relocate),
        routes!(interview::cancel),
        routes!(interview::wish),
    ]
}

pub(super) fn router() -> Router<ApiState> {
    calls::router("/api/users", calls()).merge(documents::undescribed())
}

/// An applicant's account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    id: String,
    email: String,
    /// Whether the owner of the address has confirmed it. Until then, mails only appear among the messages.
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
    /// IANA name; empty until chosen.
    time_zone: String,
    /// Whether reminders are mailed. Necessary mails are always sent.
    reminders: bool,
    /// The language of mails.
    language: Language,
    /// Whether logging in takes more than the password.
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
    /// Send it as `Authorization: Bearer TOKEN`; valid for a few minutes, then renewed by `POST /api/users/session`.
    token: String,
    user: User,
}

/// One sentence for the user.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    #[schema(value_type = String)]
    pub message: Sentence,
}

/// Responds to a login or registration: the token for the API, the cookie for the pages.
fn signed_in(api: &ApiState, entered: Entered) -> impl IntoResponse + use<> {
    let cookies = wire::login_cookies(api.cookies, &entered.secrets);
    let body = SignedIn { token: entered.secrets.token, user: entered.applicant.into() };
    (AppendHeaders(cookies.map(|cookie| (axum::http::header::SET_COOKIE, cookie))), Json(body))
}
