//! What the calls of staff and of applicants return about a second factor.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use app::accounts::second_factor::Setup;

/// A second factor that is being set up. Nothing is stored until it is confirmed.
#[derive(Debug, Serialize, ToSchema)]
pub struct SecondFactorSetup {
    /// Send it with the first code.
    seed: String,
    /// For an app that cannot scan the QR code.
    secret: String,
    /// The content of the QR code: `otpauth://totp/…`.
    uri: String,
}

impl From<Setup> for SecondFactorSetup {
    fn from(setup: Setup) -> Self {
        SecondFactorSetup { seed: setup.seed, secret: setup.secret, uri: setup.uri }
    }
}

/// Recovery codes, returned only once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    recovery_codes: Vec<String>,
}

pub fn recovery_codes(recovery_codes: Vec<String>) -> Json<RecoveryCodes> {
    Json(RecoveryCodes { recovery_codes })
}
