//! The landing page of a program.

use serde::Serialize;

use super::auth::AuthDialogProps;
use super::open_days::OpenDayLine;
use super::program::ProgramInfo;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ApplyAction {
    Register,
    Start,
    Continue,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ApplyProps {
    pub info: ProgramInfo,
    /// What the main button does: opens the registration dialog, creates an application, or continues it.
    pub action: ApplyAction,
    /// Where "continue" leads.
    pub continue_href: String,
    /// The next ones, soonest first.
    pub open_days: Vec<OpenDayLine>,
    pub dialog: Option<AuthDialogProps>,
}
