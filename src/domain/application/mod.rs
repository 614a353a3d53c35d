//! The answers of an application: their structure, their defaults, and what each one accepts.

mod answers;
mod in_words;
mod questions;
mod record;
mod sections;
mod table;

pub use answers::{AnswerChange, Answers};
pub use in_words::InWords;
pub use questions::from_form;
pub use record::{Application, ApplicationKey, ChangeRequest, EndedApplication, Release, Snapshot};
pub use sections::{Elsewhere, Missing, MissingOn, Section, SectionState, SectionStates, missing};
pub use table::{After, Choice, Kind, MAX_CONTRIBUTION, PAYMENTS, Question, TABLE, TRANSFER_PROGRAMS, YEARS_IN_ROLE};

/// The declaration that applicants make with every submission.
pub const DECLARATION: Sentence = text!(
    "I have answered every question truthfully and completely, to the best of my knowledge. I understand that an intentionally false answer can cost me my place."
);

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::sentence::Sentence;
use crate::text;

/// All answers, with defaults filled in. Money is in cents.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", default)]
pub struct ApplicationData {
    pub personal_info: PersonalInfo,
    pub education: Education,
    pub employment: Employment,
    pub financial_plan: FinancialPlan,
    pub credit_transfer: CreditTransfer,
    pub questionnaire: QuestionnaireAnswers,
}

/// Answers to the questions that staff added to the program.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(default)]
pub struct QuestionnaireAnswers {
    /// Version of the questions at the last answer; 0 before the first one.
    pub version: i64,
    /// Answers by question key: text, true or false, an integer, a date such as `2026-05-31`, or a list of options.
    #[schema(value_type = std::collections::BTreeMap<String, Value>)]
    #[ts(type = "Record<string, unknown>")]
    pub answers: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", default)]
pub struct PersonalInfo {
    #[serde(rename = "isUSCitizen")]
    pub is_us_citizen: bool,
    pub is_military_affiliated: bool,
    #[serde(rename = "isDoDEmployee")]
    pub is_dod_employee: bool,
    /// Two-letter code of one of the 50 states.
    #[schema(required)]
    pub state: Option<String>,
}

impl Default for PersonalInfo {
    fn default() -> Self {
        Self { is_us_citizen: true, is_military_affiliated: false, is_dod_employee: false, state: None }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Education {
    pub has_bachelors: bool,
    /// ISO 3166-1 alpha-2.
    pub country: String,
    pub has_masters: bool,
    /// ISO 3166-1 alpha-2; counts only with a master's degree.
    pub masters_country: String,
}

impl Default for Education {
    fn default() -> Self {
        Self { has_bachelors: true, country: "US".into(), has_masters: false, masters_country: "US".into() }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Employment {
    pub is_seeing_coaching_clients: bool,
    pub is_currently_employed: bool,
    /// Counts only if currently employed.
    pub current_employer: Employer,
    pub has_previous_employment: bool,
    /// Counts only with previous employment; at most 20.
    pub previous_employers: Vec<Employer>,
}

impl Default for Employment {
    fn default() -> Self {
        Self {
            is_seeing_coaching_clients: false,
            is_currently_employed: true,
            current_employer: Employer::default(),
            has_previous_employment: false,
            previous_employers: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Employer {
    pub name: String,
    pub job_title: String,
    /// Whole hours, 0 to 168.
    pub hours_per_week: i64,
    /// One of [`YEARS_IN_ROLE`].
    pub years_in_role: String,
}

impl Default for Employer {
    fn default() -> Self {
        Self { name: String::new(), job_title: String::new(), hours_per_week: 0, years_in_role: "<1".into() }
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", default)]
pub struct FinancialPlan {
    /// Values of [`PAYMENTS`].
    pub selected_payments: Vec<String>,
    pub self_pay_contribution: SelfPayContribution,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", default)]
pub struct SelfPayContribution {
    /// Cents.
    pub up_front_contribution: i64,
    /// Cents per month.
    pub monthly_payment_contribution: i64,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, utoipa::ToSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", default)]
pub struct CreditTransfer {
    /// Values of [`TRANSFER_PROGRAMS`].
    pub selected_programs: Vec<String>,
}
