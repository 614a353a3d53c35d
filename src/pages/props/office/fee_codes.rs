//! Codes that waive the application fee.

use serde::Serialize;

use super::Choice;
use crate::page::FormState;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminFeeCodesProps {
    /// Newest first.
    pub codes: Vec<FeeCodeRow>,
    /// To be confirmed.
    pub ending: Option<EndedFeeCode>,
    /// What a new code needs; null for users who may not make one.
    pub new_code: Option<NewCodeForm>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FeeCodeRow {
    pub id: String,
    pub code: String,
    #[cfg_attr(test, ts(type = "'open' | 'spent' | 'expired' | 'ended'"))]
    pub state: &'static str,
    pub state_text: &'static str,
    pub program_text: &'static str,
    pub uses: i64,
    /// Null for any number of uses.
    pub most_uses: Option<i64>,
    /// The last day on which it can be used; null if it does not expire.
    pub expires_text: Option<Sentence>,
    /// Empty for none.
    pub note: String,
    /// When and by whom it was made.
    pub created_text: String,
    /// Asks whether to end it; null if it is ended, or for users who may not.
    pub end_href: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EndedFeeCode {
    pub id: String,
    pub code: String,
    /// Leaves everything as it is.
    pub back_href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewCodeForm {
    /// Codes that nobody guesses.
    pub suggestions: Vec<String>,
    /// The first one is for both.
    pub programs: Vec<Choice>,
}
