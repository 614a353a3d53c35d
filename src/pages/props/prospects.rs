//! Inquiries of people who do not apply yet, and the mailed links with which they confirm and end them.

use serde::Serialize;

use super::program::ProgramName;
use crate::page::FormState;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InquireProps {
    pub program: ProgramName,
    /// Whether this follows an inquiry.
    pub sent: bool,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConfirmInquiryProps {
    /// The token of the mailed link.
    pub token: String,
    /// Null if the link is no longer valid.
    pub inquiry: Option<InquiryInfo>,
    pub error: Option<Sentence>,
}

/// What somebody asked for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InquiryInfo {
    pub email: String,
    pub program_name: Sentence,
    pub openings: bool,
    pub brochure: bool,
    pub confirmed: bool,
    /// The program's page.
    pub apply_href: String,
    pub brochure_href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UnsubscribeProps {
    /// The token of the mailed link.
    pub token: String,
    /// Whom we write to; null if it has ended already.
    pub email: Option<String>,
    pub error: Option<Sentence>,
}
