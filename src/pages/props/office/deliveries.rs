//! Mails and jobs.

use serde::Serialize;

use super::Choice;
use crate::page::FormState;
use domain::sentence::Sentence;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MailRow {
    pub id: String,
    pub template: String,
    pub to: String,
    pub subject: String,
    #[cfg_attr(test, ts(type = "'waiting' | 'sent' | 'kept' | 'held' | 'failed'"))]
    pub state: &'static str,
    pub state_text: &'static str,
    pub attempts: i64,
    pub created_text: Sentence,
    pub finished_text: Option<Sentence>,
    /// When it is tried next; null if it is not.
    pub due_text: Option<Sentence>,
    pub error: Option<String>,
    /// Whether it has failed and had no one-time link.
    pub may_be_retried: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct JobRow {
    pub id: String,
    pub kind: String,
    /// `application:ID`, `applicant:ID`, or the kind of a recurring job.
    pub subject: String,
    /// Whether it is no longer retried automatically.
    pub parked: bool,
    pub attempts: i64,
    pub due_text: Sentence,
    pub error: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminDeliveriesProps {
    /// Of the emails shown; empty for all.
    pub state: &'static str,
    pub states: Vec<Choice>,
    /// Newest first.
    pub mails: Vec<MailRow>,
    /// Parked ones first.
    pub jobs: Vec<JobRow>,
    /// Maximum number of rows in each list.
    pub most: i64,
    pub mails_waiting: i64,
    pub mails_failed: i64,
    pub jobs_waiting: i64,
    pub jobs_parked: i64,
    pub form: FormState,
}
