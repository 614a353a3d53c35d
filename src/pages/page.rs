//! `Page`: all that a screen needs, serialised once. The same text is rendered on the server, hydrated in the browser and
//! answered to a soft navigation. Twin of `client/api/page.ts`, which tells what each member means.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::domain::application::{ApplicationData, Choice, SectionStates};
use crate::domain::program::Program;
use crate::domain::status::Status;

/// One document.
#[derive(Debug, Serialize)]
pub struct Page {
    #[serde(flatten)]
    pub screen: Screen,
    /// The HTTP status.
    pub status: u16,
    pub head: Head,
    pub shared: Shared,
}

/// A screen and its props.
#[derive(Debug, Serialize)]
#[serde(tag = "route", content = "props", rename_all = "camelCase")]
pub enum Screen {
    Apply(Box<ApplyProps>),
    Application(Box<ApplicationProps>),
    Check(Box<CheckProps>),
    ThankYou(Box<ThankYouProps>),
    ResetPassword(ResetPasswordProps),
    Dashboard(Box<DashboardProps>),
    Account(Box<AccountProps>),
    AdminLogin(AdminLoginProps),
    Mailbox(MailboxProps),
    Problem(ProblemProps),
    Crash(CrashProps),
}

impl Screen {
    /// The name that the client's route table knows it by.
    pub fn route(&self) -> &'static str {
        match self {
            Screen::Apply(_) => "apply",
            Screen::Application(_) => "application",
            Screen::Check(_) => "check",
            Screen::ThankYou(_) => "thankYou",
            Screen::ResetPassword(_) => "resetPassword",
            Screen::Dashboard(_) => "dashboard",
            Screen::Account(_) => "account",
            Screen::AdminLogin(_) => "adminLogin",
            Screen::Mailbox(_) => "mailbox",
            Screen::Problem(_) => "problem",
            Screen::Crash(_) => "crash",
        }
    }
}

#[derive(Debug, Default, Clone, Serialize)]
pub struct Head {
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robots: Option<&'static str>,
    /// schema.org data for search engines; only in the document.
    #[serde(skip)]
    pub structured_data: Option<serde_json::Value>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shared {
    pub path: String,
    pub program: Program,
    pub viewer: Option<Viewer>,
    pub theme: Theme,
    pub institute: String,
    pub contact_email: String,
    pub development: bool,
    /// A fault asked for by a development run, see `render`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Viewer {
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub application_status: Status,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub fn parse(text: &str) -> Option<Theme> {
        match text {
            "system" => Some(Theme::System),
            "light" => Some(Theme::Light),
            "dark" => Some(Theme::Dark),
            _ => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// What was typed into one input, or ticked in several of one name.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Typed {
    One(String),
    Several(Vec<String>),
}

fn as_object<S: Serializer>(entries: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(name, message)| (name, message)))
}

/// A posted form, coming back.
#[derive(Debug, Default, Clone, Serialize)]
pub struct FormState {
    pub values: BTreeMap<String, Typed>,
    /// By input name, in the order of the form.
    #[serde(serialize_with = "as_object")]
    pub errors: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuthMode {
    Login,
    Register,
    ForgotPassword,
}

#[derive(Debug, Clone, Serialize)]
pub struct AuthDialogProps {
    pub mode: AuthMode,
    pub redirect: String,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProgramInfo {
    pub path: &'static str,
    pub application_type: &'static str,
    pub name: &'static str,
    pub degree: &'static str,
    pub promise: &'static str,
    pub length: &'static str,
    pub cost: String,
    pub next_intake: String,
    pub deadline: String,
    pub audience: Vec<&'static str>,
    pub needs: Vec<&'static str>,
    pub steps: Vec<Titled>,
    pub payment: Vec<Titled>,
    pub questions: Vec<Question>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Titled {
    pub title: &'static str,
    pub text: &'static str,
}

#[derive(Debug, Clone, Serialize)]
pub struct Question {
    pub question: &'static str,
    pub answer: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ApplyAction {
    Register,
    Start,
    Continue,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplyProps {
    pub info: ProgramInfo,
    pub action: ApplyAction,
    pub continue_href: String,
    pub dialog: Option<AuthDialogProps>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProgramName {
    pub path: &'static str,
    pub application_type: &'static str,
    pub name: &'static str,
    pub degree: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationCopy {
    pub id: String,
    pub revision: i64,
    pub status: Status,
    pub stage: &'static str,
    pub data: ApplicationData,
    pub sections: SectionStates,
    pub saved_text: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SentApplication {
    pub reference: Option<String>,
    pub submitted_text: Option<String>,
    pub can_unsubmit: bool,
    pub can_withdraw: bool,
    pub idempotency_key: String,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Choices {
    pub payments: &'static [Choice],
    pub transfer_programs: &'static [Choice],
    pub years_in_role: &'static [Choice],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationProps {
    pub info: ProgramName,
    pub application: Option<ApplicationCopy>,
    pub sent: Option<SentApplication>,
    pub choices: Choices,
    pub form: Option<FormState>,
    pub conflict: Option<Vec<String>>,
    pub other_program: Option<ProgramName>,
    pub dialog: Option<AuthDialogProps>,
}

#[derive(Debug, Serialize)]
pub struct MissingAnswer {
    pub path: String,
    pub sentence: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckProps {
    pub info: ProgramName,
    pub revision: i64,
    pub idempotency_key: String,
    pub data: ApplicationData,
    pub sections: SectionStates,
    pub missing: Vec<MissingAnswer>,
    pub choices: Choices,
    pub declaration: &'static str,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThankYouProps {
    pub program_name: &'static str,
    pub reference: String,
    pub submitted_text: String,
    pub email: String,
    pub steps: Vec<Titled>,
    pub answer_by: String,
    pub application_href: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationSummary {
    pub program_name: &'static str,
    pub status: Status,
    pub stage: &'static str,
    pub reference: Option<String>,
    pub title: &'static str,
    pub meaning: &'static str,
    pub whose_turn: &'static str,
    pub by_when: Option<String>,
    pub started_text: String,
    pub saved_text: Option<String>,
    pub submitted_text: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Withdrawn {
    pub program_name: &'static str,
    pub until_text: String,
    pub revision: i64,
    pub idempotency_key: String,
}

#[derive(Debug, Serialize)]
pub struct NextStep {
    pub title: String,
    pub text: String,
    pub href: String,
    pub label: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    Done,
    Current,
    Upcoming,
}

#[derive(Debug, Serialize)]
pub struct TimelineEntry {
    pub label: &'static str,
    pub state: Progress,
    pub date: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Side {
    pub title: &'static str,
    pub description: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DashboardProps {
    pub application: Option<ApplicationSummary>,
    pub withdrawn: Option<Withdrawn>,
    pub error: Option<String>,
    pub load_failed: bool,
    pub next_step: NextStep,
    pub timeline: Vec<TimelineEntry>,
    pub side: Side,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    pub id: String,
    pub current: bool,
    pub device: String,
    pub started_text: String,
    pub last_seen_text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileProps {
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub date_of_birth: String,
    pub phone_number: String,
    pub country: String,
    pub state: Option<String>,
    pub time_zone: String,
}

#[derive(Debug, Default, Serialize)]
pub struct AccountForms {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sessions: Option<FormState>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountProps {
    pub profile: ProfileProps,
    pub time_zones: Vec<String>,
    pub institute_time_zone: String,
    pub sessions: Vec<SessionInfo>,
    pub forms: AccountForms,
}

#[derive(Debug, Default, Serialize)]
pub struct ResetPasswordProps {
    pub token: String,
    pub done: bool,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Serialize)]
pub struct StaffInfo {
    pub email: String,
    pub role: &'static str,
}

#[derive(Debug, Default, Serialize)]
pub struct AdminLoginProps {
    pub staff: Option<StaffInfo>,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MailboxEntry {
    pub id: String,
    pub to: String,
    pub subject: String,
    pub sent_text: String,
    pub text: String,
    pub state: String,
}

#[derive(Debug, Serialize)]
pub struct MailboxProps {
    pub mails: Vec<MailboxEntry>,
}

#[derive(Debug, Serialize)]
pub struct ProblemProps {
    pub heading: &'static str,
    pub text: &'static str,
}

#[derive(Debug, Serialize)]
pub struct CrashProps {
    pub message: String,
}
