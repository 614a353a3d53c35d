//! The form of an act.

use serde::Serialize;

use super::Choice;
use super::dossier::Frame;
use crate::page::FormState;

/// A request for a later start that awaits an answer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "DeferralWish"))]
pub struct Wish {
    pub id: String,
    pub text: String,
    pub intake: String,
    /// The reason, in the applicant's words.
    pub reason: Option<String>,
}

/// The form of an act.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ActForm"))]
pub struct ActProps {
    pub name: &'static str,
    /// What follows the application's path where it is done.
    #[cfg_attr(test, ts(type = "'/act' | '/enrolment'"))]
    pub path: &'static str,
    pub title: &'static str,
    pub button: &'static str,
    pub text: &'static str,
    /// What is taken back, or what has to hold.
    pub request: Option<String>,
    pub sections: Option<Vec<Choice>>,
    /// The hint for its reason; null if it needs none.
    pub reason: Option<&'static str>,
    pub intakes: Option<Vec<Choice>>,
    pub wish: Option<Wish>,
    /// What has to be ticked; null for nothing.
    pub rechecked: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminActProps {
    pub frame: Frame,
    pub act: ActProps,
    /// Why the status table does not allow it; null if it does.
    pub obstacle: Option<String>,
    pub idempotency_key: String,
    pub form: FormState,
}
