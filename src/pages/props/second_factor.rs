//! A second factor: setting it up, its recovery codes, and the code at a login.

use serde::Serialize;

use super::super::page::FormState;

/// A picture of black squares on white: `path` in a square of `size`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QrPicture {
    pub size: usize,
    pub path: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SecondFactorSetup {
    /// Comes back with the code.
    pub seed: String,
    /// To be typed into an app that cannot read the picture.
    pub secret: String,
    /// Opens the app on a phone.
    pub uri: String,
    pub picture: QrPicture,
}

/// An applicant's own.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorProps {
    pub email: String,
    /// null where it is on.
    pub setup: Option<SecondFactorSetup>,
    pub recovery_codes_left: i64,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodesProps {
    pub codes: Vec<String>,
    /// The same as a text file.
    pub download_href: String,
    pub next_href: &'static str,
}

/// The second step of an applicant's login.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LoginCodeProps {
    /// Where to go after it; a path of ours, or empty.
    pub redirect: String,
    pub restart_href: String,
    pub contact_email: String,
    pub form: FormState,
}
