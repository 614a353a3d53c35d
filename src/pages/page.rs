//! `Page`: all that a screen needs, serialised once. The same text is rendered on the server, hydrated in the browser and
//! answered to a soft navigation. Twin of `client/api/page.ts`, which tells what each member means.

use std::collections::BTreeMap;

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::admin::applications::bulk::AdminBulkProps;
use super::admin::contracts::{AdminContractsProps, AdminTemplateProps};
use super::admin::dossier::conditions::AdminConditionsProps;
use super::admin::dossier::contract::AdminContractProps;
use super::admin::dossier::decision::AdminDecisionProps;
use super::admin::dossier::funding::AdminFundingProps;
use super::admin::dossier::interview::AdminInterviewProps;
use super::admin::dossier::props::{
    AdminActProps, AdminApplicationProps, AdminDocumentsProps, AdminDuplicatesProps, AdminEmailsProps, AdminNotesProps,
    AdminTimelineProps,
};
use super::admin::finance::AdminFinanceProps;
use super::admin::interviews::AdminInterviewsProps;
use super::admin::props::{
    AdminAccountProps, AdminAdminProps, AdminAdminsProps, AdminApplicationsProps, AdminAuditProps, AdminDecisionsProps,
    AdminDeliveriesProps, AdminFiguresProps, AdminForgottenProps, AdminFormHealthProps, AdminInvitationProps,
    AdminLoginProps, AdminQuestionnairePreviewProps, AdminQuestionnaireProps, AdminQuestionnairePublishProps,
    AdminQuestionnairesProps, AdminRecoveryCodesProps, AdminSecondFactorProps, AdminSettingProps, AdminSettingsProps,
    AdminStepUpProps, AdminTextsProps, OfficeInfo,
};
use super::funding::{FundingProps, PaymentsProps};
use crate::app::ports::ChangeRequest;
use crate::domain::application::{Answers, ApplicationData, Choice, Missing, Section, SectionStates};
use crate::domain::contract::Block;
use crate::domain::documents::{FileState, QuestionFile, SlotKind, SlotState};
use crate::domain::language::Language;
use crate::domain::moments;
use crate::domain::program::Program;
use crate::domain::questionnaire::QuestionSet;
use crate::domain::sentence::Sentence;
use crate::domain::status::{Stage, Status};

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
    Schedule(Box<ScheduleProps>),
    ResetPassword(ResetPasswordProps),
    Dashboard(Box<DashboardProps>),
    Letter(LetterProps),
    Contract(Box<ContractProps>),
    Verify(Box<VerifyProps>),
    Funding(Box<FundingProps>),
    Payments(Box<PaymentsProps>),
    PastApplication(Box<PastApplicationProps>),
    Account(Box<AccountProps>),
    ChangeEmail(Box<ChangeEmailProps>),
    ConfirmEmail(Box<ConfirmEmailProps>),
    CloseAccount(Box<CloseAccountProps>),
    Documents(Box<DocumentsProps>),
    Messages(MessagesProps),
    Message(MessageProps),
    AdminLogin(AdminLoginProps),
    AdminForgotten(AdminForgottenProps),
    AdminInvitation(AdminInvitationProps),
    AdminStepUp(Box<AdminStepUpProps>),
    AdminAccount(Box<AdminAccountProps>),
    AdminSecondFactor(Box<AdminSecondFactorProps>),
    AdminRecoveryCodes(AdminRecoveryCodesProps),
    AdminApplications(Box<AdminApplicationsProps>),
    AdminBulk(Box<AdminBulkProps>),
    AdminFigures(Box<AdminFiguresProps>),
    AdminApplication(Box<AdminApplicationProps>),
    AdminDocuments(Box<AdminDocumentsProps>),
    AdminNotes(Box<AdminNotesProps>),
    AdminEmails(Box<AdminEmailsProps>),
    AdminTimeline(Box<AdminTimelineProps>),
    AdminAct(Box<AdminActProps>),
    AdminDuplicates(Box<AdminDuplicatesProps>),
    AdminDecisions(Box<AdminDecisionsProps>),
    AdminConditions(Box<AdminConditionsProps>),
    AdminDecision(Box<AdminDecisionProps>),
    AdminContract(Box<AdminContractProps>),
    AdminContracts(Box<AdminContractsProps>),
    AdminTemplate(Box<AdminTemplateProps>),
    AdminInterview(Box<AdminInterviewProps>),
    AdminFunding(Box<AdminFundingProps>),
    AdminFinance(Box<AdminFinanceProps>),
    AdminInterviews(Box<AdminInterviewsProps>),
    AdminAdmins(Box<AdminAdminsProps>),
    AdminAdmin(Box<AdminAdminProps>),
    AdminQuestionnaires(Box<AdminQuestionnairesProps>),
    AdminQuestionnaire(Box<AdminQuestionnaireProps>),
    AdminQuestionnairePreview(Box<AdminQuestionnairePreviewProps>),
    AdminQuestionnairePublish(Box<AdminQuestionnairePublishProps>),
    AdminSettings(AdminSettingsProps),
    AdminAudit(Box<AdminAuditProps>),
    AdminFormHealth(AdminFormHealthProps),
    AdminDeliveries(Box<AdminDeliveriesProps>),
    AdminSetting(Box<AdminSettingProps>),
    AdminTexts(AdminTextsProps),
    AdminProblem(ProblemProps),
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
            Screen::Schedule(_) => "schedule",
            Screen::ResetPassword(_) => "resetPassword",
            Screen::Dashboard(_) => "dashboard",
            Screen::Letter(_) => "letter",
            Screen::Contract(_) => "contract",
            Screen::Verify(_) => "verify",
            Screen::Funding(_) => "funding",
            Screen::Payments(_) => "payments",
            Screen::PastApplication(_) => "pastApplication",
            Screen::Account(_) => "account",
            Screen::ChangeEmail(_) => "changeEmail",
            Screen::ConfirmEmail(_) => "confirmEmail",
            Screen::CloseAccount(_) => "closeAccount",
            Screen::Documents(_) => "documents",
            Screen::Messages(_) => "messages",
            Screen::Message(_) => "message",
            Screen::AdminLogin(_) => "adminLogin",
            Screen::AdminForgotten(_) => "adminForgotten",
            Screen::AdminInvitation(_) => "adminInvitation",
            Screen::AdminStepUp(_) => "adminStepUp",
            Screen::AdminAccount(_) => "adminAccount",
            Screen::AdminSecondFactor(_) => "adminSecondFactor",
            Screen::AdminRecoveryCodes(_) => "adminRecoveryCodes",
            Screen::AdminApplications(_) => "adminApplications",
            Screen::AdminBulk(_) => "adminBulk",
            Screen::AdminFigures(_) => "adminFigures",
            Screen::AdminApplication(_) => "adminApplication",
            Screen::AdminDocuments(_) => "adminDocuments",
            Screen::AdminNotes(_) => "adminNotes",
            Screen::AdminEmails(_) => "adminEmails",
            Screen::AdminTimeline(_) => "adminTimeline",
            Screen::AdminAct(_) => "adminAct",
            Screen::AdminDuplicates(_) => "adminDuplicates",
            Screen::AdminDecisions(_) => "adminDecisions",
            Screen::AdminConditions(_) => "adminConditions",
            Screen::AdminDecision(_) => "adminDecision",
            Screen::AdminContract(_) => "adminContract",
            Screen::AdminContracts(_) => "adminContracts",
            Screen::AdminTemplate(_) => "adminTemplate",
            Screen::AdminInterview(_) => "adminInterview",
            Screen::AdminFunding(_) => "adminFunding",
            Screen::AdminFinance(_) => "adminFinance",
            Screen::AdminInterviews(_) => "adminInterviews",
            Screen::AdminAdmins(_) => "adminAdmins",
            Screen::AdminAdmin(_) => "adminAdmin",
            Screen::AdminQuestionnaires(_) => "adminQuestionnaires",
            Screen::AdminQuestionnaire(_) => "adminQuestionnaire",
            Screen::AdminQuestionnairePreview(_) => "adminQuestionnairePreview",
            Screen::AdminQuestionnairePublish(_) => "adminQuestionnairePublish",
            Screen::AdminSettings(_) => "adminSettings",
            Screen::AdminAudit(_) => "adminAudit",
            Screen::AdminFormHealth(_) => "adminFormHealth",
            Screen::AdminDeliveries(_) => "adminDeliveries",
            Screen::AdminSetting(_) => "adminSetting",
            Screen::AdminTexts(_) => "adminTexts",
            Screen::AdminProblem(_) => "adminProblem",
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
pub struct BannerInfo {
    pub version: i64,
    pub text: Sentence,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shared {
    pub path: String,
    pub program: Program,
    pub viewer: Option<Viewer>,
    /// On pages of the office, for who is signed in there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub office: Option<Box<OfficeInfo>>,
    pub theme: Theme,
    pub language: Language,
    pub institute: String,
    pub contact_email: String,
    pub development: bool,
    /// Told above the pages of applicants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub banner: Option<BannerInfo>,
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
    pub unread_messages: i64,
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

fn as_object<S: Serializer>(entries: &[(String, Sentence)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(name, message)| (name, message)))
}

/// A posted form, coming back.
#[derive(Debug, Default, Clone, Serialize)]
pub struct FormState {
    pub values: BTreeMap<String, Typed>,
    /// By input name, in the order of the form.
    #[serde(serialize_with = "as_object")]
    pub errors: Vec<(String, Sentence)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Sentence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Sentence>,
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
    pub name: Sentence,
    pub degree: Sentence,
    pub promise: Sentence,
    pub length: Sentence,
    pub cost: Sentence,
    pub next_intake: Sentence,
    pub deadline: Sentence,
    pub audience: Vec<Sentence>,
    pub needs: Vec<Sentence>,
    pub steps: Vec<Titled>,
    pub payment: Vec<Titled>,
    pub questions: Vec<Question>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Titled {
    pub title: Sentence,
    pub text: Sentence,
}

#[derive(Debug, Clone, Serialize)]
pub struct Question {
    pub question: Sentence,
    pub answer: Sentence,
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
    pub name: Sentence,
    pub degree: Sentence,
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
    pub saved_text: Option<Sentence>,
}

impl ApplicationCopy {
    /// Of somebody whom we no longer know: nothing but what their form says.
    pub fn unknown(form: &FormState) -> ApplicationCopy {
        ApplicationCopy {
            id: String::new(),
            revision: match form.values.get("revision") {
                Some(Typed::One(revision)) => revision.parse().unwrap_or(1),
                _ => 1,
            },
            status: Stage::Draft.status(),
            stage: Stage::Draft.as_str(),
            data: ApplicationData::default(),
            sections: SectionStates::of(&Answers::default()),
            saved_text: None,
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangesAsked {
    pub sections: Vec<Section>,
    pub message: String,
    pub due_text: Sentence,
}

impl From<&ChangeRequest> for ChangesAsked {
    fn from(request: &ChangeRequest) -> Self {
        ChangesAsked {
            sections: request.sections.clone(),
            message: request.message.clone(),
            due_text: moments::long_date(request.due_on),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SentApplication {
    pub reference: Option<String>,
    pub submitted_text: Option<Sentence>,
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
    pub questionnaire: Arc<QuestionSet>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationProps {
    pub info: ProgramName,
    pub section: Option<Section>,
    pub from_check: bool,
    pub application: Option<ApplicationCopy>,
    pub missing: Vec<MissingAnswer>,
    pub changes: Option<ChangesAsked>,
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
    pub section: Section,
    pub sentence: Sentence,
    /// Where else than in the form it is answered.
    pub href: Option<String>,
}

impl From<Missing> for MissingAnswer {
    fn from(missing: Missing) -> Self {
        let Missing { path, section, sentence, file } = missing;
        let href = file.and_then(|key| Some(super::documents::href(SlotKind::Question(QuestionFile::of(&key)?))));
        MissingAnswer { path, section, sentence, href }
    }
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
    pub changes: Option<ChangesAsked>,
    pub choices: Choices,
    pub declaration: Sentence,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThankYouProps {
    pub program_name: Sentence,
    pub reference: String,
    pub submitted_text: Sentence,
    pub email: String,
    pub steps: Vec<Titled>,
    pub application_href: String,
    pub interview: Option<ToldTime>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToldTime {
    pub starts_at: String,
    pub day: Sentence,
    pub time: String,
    pub institute: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InterviewTime {
    pub starts_at: String,
    pub time: String,
    pub institute: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InterviewDay {
    pub weekday: Sentence,
    pub date: Sentence,
    pub long: Sentence,
    pub times: Vec<InterviewTime>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InterviewWeek {
    pub title: Sentence,
    pub earlier: Option<String>,
    pub later: Option<String>,
    pub days: Vec<InterviewDay>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HeldTime {
    pub time: ToldTime,
    pub minutes: i64,
    pub until_text: String,
    pub seconds_left: i64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BookedInterview {
    pub time: ToldTime,
    pub minutes: i64,
    pub countdown: Sentence,
    pub has_begun: bool,
    pub move_until: Sentence,
    pub moves_left: i64,
    pub no_move: Option<Sentence>,
    pub no_cancel: Option<Sentence>,
}

#[derive(Debug, Default, Serialize)]
pub struct WishField {
    pub date: String,
    pub time: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "name", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ScheduleView {
    Closed {
        title: Sentence,
        text: Sentence,
        href: String,
        label: Sentence,
    },
    Choose {
        week: Option<InterviewWeek>,
        hold: Option<HeldTime>,
        hold_is_over: bool,
        wishes: Option<Vec<ToldTime>>,
        current: Option<ToldTime>,
    },
    Wishes {
        none_free: bool,
        fields: Vec<WishField>,
        sent: Option<Vec<ToldTime>>,
    },
    Confirm {
        hold: HeldTime,
        current: Option<ToldTime>,
    },
    Booked(Box<BookedInterview>),
    Zone {
        zones: Vec<String>,
    },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleProps {
    pub view: ScheduleView,
    pub revision: i64,
    pub idempotency_key: String,
    pub zone: String,
    pub institute_zone: Option<String>,
    pub zone_is_chosen: bool,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationSummary {
    pub program_name: Sentence,
    pub status: Status,
    pub stage: &'static str,
    pub known: Option<Known>,
    pub reference: Option<String>,
    pub title: Sentence,
    pub meaning: Sentence,
    pub whose_turn: Sentence,
    pub by_when: Option<Sentence>,
    pub started_text: Sentence,
    pub saved_text: Option<Sentence>,
    pub submitted_text: Option<Sentence>,
    pub can_withdraw: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Known {
    pub revision: i64,
    pub idempotency_key: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Undo {
    pub action: &'static str,
    pub title: Sentence,
    pub until_text: Sentence,
    pub revision: i64,
    pub idempotency_key: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionCard {
    pub title: Sentence,
    pub text: Sentence,
    pub conditions: Vec<String>,
    pub decided_text: Option<Sentence>,
    pub offer: Option<OfferCard>,
    pub deferral: Option<DeferralCard>,
    pub can_apply_again: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferCard {
    pub reply_by: Sentence,
    pub undo_minutes: i64,
}

#[derive(Debug, Serialize)]
pub struct DeferralCard {
    pub asked: Option<Sentence>,
    pub refused: Option<RefusedCard>,
    pub intakes: Vec<IntakeChoice>,
}

/// A no, and why.
#[derive(Debug, Serialize)]
pub struct RefusedCard {
    pub text: Sentence,
    pub reason: String,
}

#[derive(Debug, Serialize)]
pub struct IntakeChoice {
    pub value: String,
    pub label: Sentence,
}

#[derive(Debug, Serialize)]
pub struct DashboardForm {
    pub action: String,
    #[serde(flatten)]
    pub state: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PastApplication {
    pub href: String,
    pub program_name: Sentence,
    pub reference: Option<String>,
    pub ended_text: Sentence,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LetterProps {
    pub name: String,
    pub reference: Option<String>,
    pub date_text: Sentence,
    pub text: String,
}

/// A name under a contract.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedBy {
    pub name: String,
    pub when_text: Sentence,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContractProps {
    pub id: String,
    pub program_name: Sentence,
    pub state: &'static str,
    pub standing: Sentence,
    pub sign_by: Option<Sentence>,
    pub consented: bool,
    pub may_sign: bool,
    pub broken: bool,
    pub blocks: Vec<Block>,
    pub text_hash: String,
    pub full_name: String,
    pub on_paper: bool,
    pub signed: Option<SignedBy>,
    pub countersigned: Option<SignedBy>,
    pub reason: Option<String>,
    pub file_href: String,
    pub verify_href: Option<String>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VerifyProps {
    pub code: String,
    pub verdict: &'static str,
    pub title: Sentence,
    pub unchanged: bool,
    pub superseded: bool,
    pub program_name: Sentence,
    pub number: i64,
    pub signed: Option<SignedBy>,
    pub countersigned: Option<SignedBy>,
    pub on_paper: bool,
    pub voided_text: Option<Sentence>,
    pub text_hash: Option<String>,
    pub file_hash: Option<String>,
    pub compared: Option<Sentence>,
    pub compared_well: bool,
    pub hash: Option<String>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PastApplicationProps {
    pub info: ProgramName,
    pub ended_text: Sentence,
    pub submitted_text: Option<Sentence>,
    pub reference: Option<String>,
    pub data: ApplicationData,
    pub choices: Choices,
}

#[derive(Debug, Serialize)]
pub struct NextStep {
    pub title: Sentence,
    pub text: Sentence,
    pub href: String,
    pub label: Sentence,
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
    pub label: Sentence,
    pub state: Progress,
    pub date: Option<Sentence>,
}

#[derive(Debug, Serialize)]
pub struct Side {
    pub title: Sentence,
    pub description: Sentence,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DashboardProps {
    pub application: Option<ApplicationSummary>,
    pub undo: Option<Undo>,
    pub decision: Option<DecisionCard>,
    pub form: Option<DashboardForm>,
    pub load_failed: bool,
    pub next_step: NextStep,
    pub documents: Option<DocumentsProgress>,
    pub timeline: Vec<TimelineEntry>,
    pub past: Vec<PastApplication>,
    pub side: Side,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    pub id: String,
    pub current: bool,
    pub device: Sentence,
    pub started_text: Sentence,
    pub last_seen_text: Sentence,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notifications: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<FormState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<FormState>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountProps {
    pub profile: ProfileProps,
    pub pending_email: Option<String>,
    pub reminders: bool,
    pub language: Language,
    pub time_zones: Vec<String>,
    pub institute_time_zone: String,
    pub sessions: Vec<SessionInfo>,
    pub forms: AccountForms,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingEmail {
    pub email: String,
    pub old_confirmed: bool,
    pub new_confirmed: bool,
    pub until_text: Sentence,
}

#[derive(Debug, Serialize)]
pub struct ChangeEmailProps {
    pub email: String,
    pub pending: Option<PendingEmail>,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EmailSide {
    Old,
    New,
}

#[derive(Debug, Serialize)]
pub struct EmailLinkInfo {
    pub email: String,
    pub side: EmailSide,
    pub confirmed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EmailOutcome {
    Waiting,
    Changed,
    Stopped,
}

#[derive(Debug, Serialize)]
pub struct ConfirmEmailProps {
    pub token: String,
    pub link: Option<EmailLinkInfo>,
    pub outcome: Option<EmailOutcome>,
    pub error: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CloseAccountProps {
    pub email: String,
    pub application: Option<Sentence>,
    pub bound: bool,
    pub retention_years: i32,
    pub kept_until: Sentence,
    pub contact_email: String,
    pub done: bool,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentsProps {
    pub slots: Option<Vec<DocumentSlot>>,
    pub others: Vec<DocumentSlot>,
    pub load_failed: bool,
    pub progress: Option<DocumentsProgress>,
    pub room: i64,
    pub max_bytes: u64,
    pub accept: &'static str,
    pub start_href: String,
    pub message: Option<Sentence>,
    pub error: Option<Sentence>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentsProgress {
    pub settled: usize,
    pub of: usize,
    pub text: Sentence,
    pub hint: Sentence,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentSlot {
    pub slot: String,
    pub label: Sentence,
    pub why: Sentence,
    pub required: bool,
    pub state: SlotState,
    pub word: Sentence,
    pub reason: Option<String>,
    pub is_open: bool,
    pub files: Vec<DocumentFile>,
    pub errors: Vec<Sentence>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentFile {
    pub id: String,
    pub name: String,
    pub state: FileState,
    pub words: Sentence,
    pub percent: Option<u64>,
    pub href: Option<String>,
    pub removable: bool,
}

#[derive(Debug, Serialize)]
pub struct MessageDelivery {
    pub state: &'static str,
    pub words: Sentence,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageEntry {
    pub href: String,
    pub subject: String,
    pub sent_text: Sentence,
    pub unread: bool,
    pub delivery: MessageDelivery,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessagesProps {
    pub messages: Vec<MessageEntry>,
    pub older_href: Option<String>,
    pub newest_href: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageProps {
    pub subject: String,
    pub sent_text: Sentence,
    pub delivery: MessageDelivery,
    pub text: String,
}

#[derive(Debug, Default, Serialize)]
pub struct ResetPasswordProps {
    pub token: String,
    pub done: bool,
    #[serde(flatten)]
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MailboxEntry {
    pub id: String,
    pub to: String,
    pub subject: String,
    pub sent_text: Sentence,
    pub text: String,
    pub state: String,
    pub attachment: Option<MailboxFile>,
}

#[derive(Debug, Serialize)]
pub struct MailboxFile {
    pub name: String,
    pub href: String,
}

#[derive(Debug, Serialize)]
pub struct MailboxProps {
    pub mails: Vec<MailboxEntry>,
}

#[derive(Debug, Serialize)]
pub struct ProblemProps {
    pub heading: Sentence,
    pub text: Sentence,
}

#[derive(Debug, Serialize)]
pub struct CrashProps {
    pub message: Sentence,
}
