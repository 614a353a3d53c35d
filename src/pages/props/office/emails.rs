//! The tab "Emails".

use serde::Serialize;

use super::dossier::Frame;
use crate::page::FormState;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeMail {
    pub id: String,
    pub subject: String,
    pub to: String,
    pub text: String,
    #[cfg_attr(test, ts(type = "'sent' | 'kept' | 'held' | 'failed' | 'waiting'"))]
    pub state: &'static str,
    pub state_text: String,
    pub written_text: String,
    pub may_resend: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminEmailsProps {
    pub frame: Frame,
    /// Null for a closed account.
    pub to: Option<String>,
    /// Whether the applicant has confirmed the address.
    pub confirmed: bool,
    pub mails: Vec<OfficeMail>,
    pub form: FormState,
}
