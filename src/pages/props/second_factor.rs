//! A second factor: the authenticator app, passkeys, recovery codes, and the second step of a login.

use serde::Serialize;

use crate::page::FormState;
use app::accounts::passkeys::PasskeyChallenge;
use domain::sentence::Sentence;

/// A QR code of black squares on white: `path` in a square of `size`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QrPicture {
    pub size: usize,
    pub path: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SecondFactorSetup {
    /// Sent back with the code.
    pub seed: String,
    /// To type into an app that cannot scan the QR code.
    pub secret: String,
    /// Opens the app on a phone.
    pub uri: String,
    pub picture: QrPicture,
}

/// The applicant's own.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorProps {
    pub email: String,
    /// null if it is on.
    pub setup: Option<SecondFactorSetup>,
    pub recovery_codes_left: i64,
    /// To use instead of a code.
    pub passkey: Option<PasskeyProps>,
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
    /// Where to go afterwards; one of our own paths, or empty.
    pub redirect: String,
    pub restart_href: String,
    pub contact_email: String,
    /// Without it, the only codes are recovery codes.
    pub authenticator_app: bool,
    pub passkey: Option<PasskeyProps>,
    pub form: FormState,
}

/// The browser's request for a passkey.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PasskeyProps {
    /// JSON, for `navigator.credentials`.
    pub options: String,
    /// Sent back with the answer.
    pub state: String,
}

impl From<PasskeyChallenge> for PasskeyProps {
    fn from(PasskeyChallenge { options, state }: PasskeyChallenge) -> PasskeyProps {
        PasskeyProps { options, state }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PasskeyInfo {
    pub id: String,
    /// The browser that created it: "Chrome on Windows"
    pub device: Sentence,
    pub added_text: Sentence,
    pub last_used_text: Option<Sentence>,
}

/// An applicant's passkeys.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PasskeysProps {
    pub email: String,
    pub passkeys: Vec<PasskeyInfo>,
    /// For creating one; null where browsers do not support them.
    pub new: Option<PasskeyProps>,
    /// Whether the account has one of any kind.
    pub second_factor: bool,
    pub recovery_codes_left: i64,
    /// What has to be confirmed with password and second factor.
    pub confirm: Option<PasskeyConfirm>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PasskeyConfirm {
    /// The passkey to remove; null for new recovery codes.
    pub removed: Option<PasskeyInfo>,
    pub authenticator_app: bool,
    pub passkey: Option<PasskeyProps>,
}

/// Logging in with a passkey alone.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LoginPasskeyProps {
    /// Where to go afterwards; one of our own paths, or empty.
    pub redirect: String,
    /// For logging in with the password.
    pub login_href: String,
    pub passkey: PasskeyProps,
    pub form: FormState,
}
