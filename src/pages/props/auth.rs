//! The dialog for login and registration, and setting a new password.

use serde::Serialize;

use crate::page::FormState;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum AuthMode {
    Login,
    Register,
    ForgotPassword,
}

impl AuthMode {
    /// Returns what the dialog is called in addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            AuthMode::Login => "login",
            AuthMode::Register => "register",
            AuthMode::ForgotPassword => "forgot-password",
        }
    }
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AuthDialogProps {
    pub mode: AuthMode,
    /// Where to go after logging in; always one of our own paths.
    pub redirect: String,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ResetPasswordProps {
    /// The token of the mailed link, or empty: then the code field is shown.
    pub token: String,
    pub done: bool,
    #[serde(flatten)]
    pub form: FormState,
}
