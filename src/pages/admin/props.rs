//! What the screens of the office need. Twin of `client/api/office.ts`, which tells what each member means.

use crate::domain::questionnaire::QuestionSet;
use crate::domain::questionnaire::draft::{Difference, DraftQuestion};
use crate::domain::sentence::Sentence;
use serde::Serialize;

use super::super::page::{FormState, SessionInfo};

#[derive(Debug, Clone, Serialize)]
pub struct OfficeInfo {
    pub name: String,
    pub email: String,
    pub role: &'static str,
    pub menu: Vec<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LoginStep {
    Password,
    Code,
}

#[derive(Debug, Serialize)]
pub struct AdminLoginProps {
    pub step: LoginStep,
    #[serde(flatten)]
    pub form: FormState,
}

/// How far somebody is who forgot their password.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ForgottenStep {
    Ask,
    Asked,
    Choose,
    Done,
}

#[derive(Debug, Serialize)]
pub struct AdminForgottenProps {
    pub step: ForgottenStep,
    /// Of the mailed link, where a new password is chosen.
    pub token: String,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Serialize)]
pub struct Invited {
    pub email: String,
    pub role: &'static str,
    pub purpose: &'static str,
}

#[derive(Debug, Serialize)]
pub struct AdminInvitationProps {
    pub token: String,
    pub invited: Option<Invited>,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Serialize)]
pub struct CarriedField {
    pub name: String,
    pub value: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminStepUpProps {
    pub idle: bool,
    pub needs_code: bool,
    pub email: String,
    pub to: String,
    pub fields: Option<Vec<CarriedField>>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
pub struct RoleChoice {
    pub value: &'static str,
    pub label: &'static str,
    pub hint: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminRow {
    pub id: String,
    pub href: String,
    pub name: String,
    pub email: String,
    pub role: &'static str,
    pub role_title: &'static str,
    pub is_self: bool,
    pub suspended: bool,
    pub second_factor: bool,
    pub last_seen_text: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvitationRow {
    pub id: String,
    pub email: String,
    pub role_title: &'static str,
    pub sent_text: Sentence,
    pub until_text: Sentence,
    pub expired: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminAdminsProps {
    pub admins: Vec<AdminRow>,
    pub invitations: Vec<InvitationRow>,
    pub roles: Vec<RoleChoice>,
    pub second_factor_required: bool,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
pub struct AdminAdminProps {
    pub admin: AdminRow,
    pub roles: Vec<RoleChoice>,
    pub form: FormState,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminAccountForms {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_factor: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sessions: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leave: Option<FormState>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminAccountProps {
    pub name: String,
    pub email: String,
    pub role: &'static str,
    pub purpose: &'static str,
    pub second_factor: bool,
    pub second_factor_required: bool,
    pub recovery_codes_left: i64,
    pub sessions: Vec<SessionInfo>,
    pub forms: AdminAccountForms,
}

/// A picture of black squares on white: `path` in a square of `size`.
#[derive(Debug, Serialize)]
pub struct QrPicture {
    pub size: usize,
    pub path: String,
}

#[derive(Debug, Serialize)]
pub struct AdminSecondFactorProps {
    pub seed: String,
    pub secret: String,
    pub uri: String,
    pub picture: QrPicture,
    pub required: bool,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminRecoveryCodesProps {
    pub codes: Vec<String>,
    pub download_href: String,
    pub next_href: &'static str,
}

/// A value to choose, and whether it is the chosen one.
#[derive(Debug, Serialize)]
pub struct Choice {
    pub value: String,
    pub label: String,
}

#[derive(Debug, Serialize)]
pub struct ListTab {
    pub label: &'static str,
    pub href: String,
    pub count: String,
    pub current: bool,
}

#[derive(Debug, Serialize)]
pub struct ListFilter {
    pub name: &'static str,
    pub label: &'static str,
    /// `None` for what the client knows: countries, states, and owners.
    pub options: Option<Vec<Choice>>,
}

#[derive(Debug, Serialize)]
pub struct ActiveFilter {
    pub label: String,
    pub href: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListRow {
    pub id: String,
    pub name: String,
    pub reference: String,
    pub cells: Vec<String>,
    pub needs_action: bool,
    pub lacks_documents: bool,
}

/// A view that has a name.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListViewRow {
    pub id: String,
    pub name: String,
    pub href: String,
    pub shared: bool,
    pub current: bool,
    pub may_change: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListViews {
    pub all: Vec<ListViewRow>,
    pub may_share: bool,
    pub key: String,
    pub deleting: Option<String>,
}

/// An act on the chosen applications that takes a page of its own.
#[derive(Debug, Serialize)]
pub struct ListAct {
    pub label: &'static str,
    pub href: &'static str,
    pub action: &'static str,
}

/// Several applications that are about to be marked, or were.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BulkStep {
    pub title: String,
    /// The act, as its form names it, and its value.
    pub action: String,
    pub value: String,
    pub rows: Vec<BulkRow>,
    pub done: bool,
}

#[derive(Debug, Serialize)]
pub struct BulkRow {
    pub id: String,
    pub name: String,
    pub reference: String,
    /// What became of it; nothing before it was done.
    pub outcome: Option<&'static str>,
    pub failed: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FiguresWeek {
    pub week: String,
    pub by_status: Vec<i64>,
    pub submitted: i64,
    pub decided: i64,
    pub median_days: Option<i64>,
    pub most_days: Option<i64>,
}

#[derive(Debug, Serialize)]
pub struct FiguresWaiting {
    pub stage: &'static str,
    pub counts: Vec<i64>,
    pub href: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminFiguresProps {
    pub statuses: Vec<String>,
    pub weeks: Vec<FiguresWeek>,
    pub waits: Vec<String>,
    pub waiting: Vec<FiguresWaiting>,
    pub counted_text: String,
}

/// A view as a file.
#[derive(Debug, Serialize)]
pub struct FileLink {
    pub label: &'static str,
    pub href: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminApplicationsProps {
    pub tabs: Vec<ListTab>,
    /// The view as its form has it, by the fields' names.
    pub values: std::collections::BTreeMap<String, String>,
    pub filters: Vec<ListFilter>,
    pub sorts: Vec<Choice>,
    pub columns: Vec<Choice>,
    pub column_choices: Vec<Choice>,
    pub views: ListViews,
    pub active: Vec<ActiveFilter>,
    pub count_text: String,
    pub rows: Vec<ListRow>,
    /// What follows a row's path, so that the way back leads to this page of the view.
    pub row_query: String,
    pub previous_href: Option<String>,
    pub next_href: Option<String>,
    pub clear_href: String,
    /// Where this view is, for forms that come back to it.
    pub here: String,
    /// To the page where what this tab is about is done for many.
    pub work: Option<ActiveFilter>,
    pub exports: Vec<FileLink>,
    pub may_assign: bool,
    pub acts: Vec<ListAct>,
    pub whole: Option<String>,
    pub owners: Vec<Choice>,
    pub tags: Vec<String>,
    pub bulk: Option<BulkStep>,
    pub form: FormState,
}

/// Who changed a draft last, and when.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftInfo {
    pub changed_text: Sentence,
    pub changed_by: String,
    /// How many things stand against publishing it.
    pub mistakes: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionRow {
    pub id: String,
    pub version: i64,
    pub state: &'static str,
    pub questions: usize,
    pub published_text: Sentence,
    pub published_by: Option<String>,
    pub restored_from: Option<i64>,
    pub preview_href: String,
    pub restore_href: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProgramQuestions {
    pub name: Sentence,
    pub edit_href: String,
    pub draft: Option<DraftInfo>,
    pub versions: Vec<VersionRow>,
}

#[derive(Debug, Serialize)]
pub struct AdminQuestionnairesProps {
    pub programs: Vec<ProgramQuestions>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminQuestionnaireProps {
    pub name: Sentence,
    pub path: String,
    pub preview_href: String,
    pub publish_href: String,
    pub revision: i64,
    pub names: String,
    pub published: i64,
    pub info: Option<DraftInfo>,
    pub questions: Vec<DraftQuestion>,
    pub kinds: Vec<Choice>,
    pub most: usize,
    pub differences: Vec<Difference>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminQuestionnairePreviewProps {
    pub name: Sentence,
    pub version: Option<i64>,
    pub path: String,
    pub back_href: String,
    pub set: QuestionSet,
    pub left_out: usize,
    pub checked: bool,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminQuestionnairePublishProps {
    pub name: Sentence,
    pub path: String,
    pub back_href: String,
    pub version: Option<i64>,
    pub published: i64,
    pub revision: i64,
    /// React keeps the name `key` for itself.
    pub form_key: String,
    pub applications: i64,
    pub differences: Vec<Difference>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SettingRow {
    pub title: &'static str,
    pub purpose: &'static str,
    pub href: String,
    pub changed_text: Option<Sentence>,
    pub changed_by: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminSettingsProps {
    pub settings: Vec<SettingRow>,
    /// Whether whoever looks may change more than texts.
    pub everything: bool,
    pub payment_provider: Option<&'static str>,
}

/// The mails or the letters to applicants, and which of them nobody can change.
#[derive(Debug, Serialize)]
pub struct AdminTextsProps {
    pub title: &'static str,
    pub intro: &'static str,
    pub texts: Vec<SettingRow>,
    pub fixed: Vec<&'static str>,
}

/// What the page of a mail or a letter has besides its fields.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEditor {
    pub confidential: bool,
    pub fields: Vec<TextPlace>,
    /// None while something typed is not right.
    pub previews: Vec<TextPreview>,
    /// Where a test goes; `None` for what is not mailed.
    pub test_to: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct TextPlace {
    pub name: String,
    pub meaning: &'static str,
    pub needed: bool,
}

#[derive(Debug, Serialize)]
pub struct TextPreview {
    pub code: &'static str,
    pub language: &'static str,
    pub subject: Vec<TextRun>,
    pub parts: Vec<TextPart>,
}

#[derive(Debug, Serialize)]
pub struct TextPart {
    pub button: bool,
    pub runs: Vec<TextRun>,
}

#[derive(Debug, Serialize)]
pub struct TextRun {
    pub text: String,
    pub sample: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SettingField {
    pub name: String,
    pub label: String,
    pub hint: &'static str,
    pub kind: &'static str,
    pub value: String,
    pub built_in: String,
    pub group: String,
    pub choices: Vec<Choice>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SettingVersionRow {
    pub version: i64,
    pub changed_text: Option<Sentence>,
    pub changed_by: Option<String>,
    pub restored_from: Option<i64>,
    pub changes: Vec<Difference>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminSettingProps {
    pub title: &'static str,
    pub purpose: &'static str,
    pub path: String,
    pub version: i64,
    pub see_href: Option<String>,
    pub fields: Vec<SettingField>,
    pub extend: Vec<Choice>,
    pub differences: Vec<Difference>,
    pub versions: Vec<SettingVersionRow>,
    pub back: Choice,
    pub text: Option<TextEditor>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MailRow {
    pub id: String,
    pub template: String,
    pub to: String,
    pub subject: String,
    pub state: &'static str,
    pub state_text: &'static str,
    pub attempts: i64,
    pub created_text: Sentence,
    pub finished_text: Option<Sentence>,
    pub due_text: Option<Sentence>,
    pub error: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobRow {
    pub id: String,
    pub kind: String,
    pub subject: String,
    pub parked: bool,
    pub attempts: i64,
    pub due_text: Sentence,
    pub error: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminDeliveriesProps {
    pub state: &'static str,
    pub states: Vec<Choice>,
    pub mails: Vec<MailRow>,
    pub jobs: Vec<JobRow>,
    pub most: i64,
    pub mails_waiting: i64,
    pub mails_failed: i64,
    pub jobs_waiting: i64,
    pub jobs_parked: i64,
    pub form: FormState,
}

/// A decision on the list of what is to be released.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionRow {
    pub id: String,
    pub href: String,
    pub name: String,
    pub reference: String,
    pub program: &'static str,
    pub stage: &'static str,
    pub outcome: &'static str,
    pub rejects: bool,
    pub detail: String,
    pub waived: bool,
    pub drafted_text: String,
    pub planned_text: Option<String>,
    pub held_until_text: Option<String>,
    pub released_text: Option<String>,
    pub problem: Option<String>,
    pub result: Option<String>,
    pub failed: bool,
}

/// Several decisions that are about to be released, or what became of them.
#[derive(Debug, Serialize)]
pub struct DecisionStep {
    pub title: String,
    pub rows: Vec<DecisionRow>,
    pub done: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminDecisionsProps {
    pub drafts: Vec<DecisionRow>,
    pub more_text: Option<String>,
    pub held: Vec<DecisionRow>,
    pub step: Option<DecisionStep>,
    pub zone: String,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRow {
    pub id: String,
    pub at_text: Sentence,
    pub actor: String,
    pub action: String,
    pub subject: String,
    pub subject_href: Option<String>,
    pub detail: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminAuditProps {
    pub rows: Vec<AuditRow>,
    pub next_href: Option<String>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
pub struct FieldRow {
    pub path: String,
    pub errors: i64,
}

#[derive(Debug, Serialize)]
pub struct AdminFormHealthProps {
    pub days: i64,
    pub spans: Vec<i64>,
    pub fields: Vec<FieldRow>,
}
