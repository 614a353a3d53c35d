//! `Page`: everything a screen needs, serialised once. The same text is rendered on the server, hydrated in the browser
//! and returned for a soft navigation. The client's types are generated from here: see `page_types`.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::admin::applications::bulk::AdminBulkProps;
use super::admin::contracts::{AdminContractsProps, AdminTemplateProps};
use super::admin::dossier::conditions::AdminConditionsProps;
use super::admin::dossier::contract::AdminContractProps;
use super::admin::dossier::decision::AdminDecisionProps;
use super::admin::dossier::funding::AdminFundingProps;
use super::admin::dossier::interview::AdminInterviewProps;
use super::admin::finance::AdminFinanceProps;
use super::admin::interviews::AdminInterviewsProps;
use super::props::account::{AccountProps, ChangeEmailProps, CloseAccountProps, ConfirmEmailProps};
use super::props::application::{ApplicationProps, CheckProps, PastApplicationProps, ThankYouProps};
use super::props::apply::ApplyProps;
use super::props::auth::ResetPasswordProps;
use super::props::contract::{ContractProps, VerifyProps};
use super::props::dashboard::{DashboardProps, LetterProps};
use super::props::documents::DocumentsProps;
use super::props::fee::FeeProps;
use super::props::funding::{FundingProps, PaymentsProps};
use super::props::mailbox::MailboxProps;
use super::props::messages::{MessageProps, MessagesProps};
use super::props::office::access::{
    AdminForgottenProps, AdminInvitationProps, AdminLoginProps, AdminStepUpProps, OfficeInfo, SignOnLink,
};
use super::props::office::account::{AdminAccountProps, AdminApiKeysProps, AdminPasskeysProps, AdminSecondFactorProps};
use super::props::office::acts::AdminActProps;
use super::props::office::admins::{AdminAdminProps, AdminAdminsProps};
use super::props::office::answers::AdminApplicationProps;
use super::props::office::applications::AdminApplicationsProps;
use super::props::office::conversation::AdminConversationProps;
use super::props::office::decisions::AdminDecisionsProps;
use super::props::office::deliveries::AdminDeliveriesProps;
use super::props::office::documents::AdminDocumentsProps;
use super::props::office::duplicates::AdminDuplicatesProps;
use super::props::office::emails::AdminEmailsProps;
use super::props::office::fee_codes::AdminFeeCodesProps;
use super::props::office::figures::AdminFiguresProps;
use super::props::office::imports::{AdminImportProps, AdminImportRowsProps, AdminImportsProps};
use super::props::office::insight::{AdminAuditProps, AdminFormHealthProps};
use super::props::office::notes::AdminNotesProps;
use super::props::office::open_days::{AdminOpenDayProps, AdminOpenDaysProps};
use super::props::office::prospects::AdminProspectsProps;
use super::props::office::questionnaires::{
    AdminQuestionnairePreviewProps, AdminQuestionnaireProps, AdminQuestionnairePublishProps, AdminQuestionnairesProps,
};
use super::props::office::readings::{AdminCommitteeProps, AdminReadingsProps, AdminSittingProps};
use super::props::office::settings::{AdminSettingProps, AdminSettingsProps, AdminTextsProps};
use super::props::office::sign_on::{AdminIdentityProviderProps, AdminSignOnProps};
use super::props::office::timeline::AdminTimelineProps;
use super::props::office::waitlist::AdminWaitlistProps;
use super::props::office::webhooks::{AdminWebhookProps, AdminWebhooksProps};
use super::props::office::work::AdminWorkProps;
use super::props::open_days::{OpenDayBookingProps, OpenDayProps};
use super::props::prospects::{ConfirmInquiryProps, InquireProps, UnsubscribeProps};
use super::props::references::{ReferenceProps, ReferencesProps};
use super::props::schedule::ScheduleProps;
use super::props::second_factor::{
    LoginCodeProps, LoginPasskeyProps, PasskeysProps, RecoveryCodesProps, SecondFactorProps,
};
use domain::language::Language;
use domain::program::Program;
use domain::sentence::Sentence;
use domain::status::Status;

/// One document.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "route", content = "props", rename_all = "camelCase")]
pub enum Screen {
    Apply(Box<ApplyProps>),
    Inquire(Box<InquireProps>),
    ConfirmInquiry(Box<ConfirmInquiryProps>),
    Unsubscribe(UnsubscribeProps),
    OpenDay(Box<OpenDayProps>),
    OpenDayBooking(Box<OpenDayBookingProps>),
    Reference(Box<ReferenceProps>),
    Application(Box<ApplicationProps>),
    Check(Box<CheckProps>),
    Fee(Box<FeeProps>),
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
    SecondFactor(Box<SecondFactorProps>),
    RecoveryCodes(RecoveryCodesProps),
    LoginCode(Box<LoginCodeProps>),
    LoginPasskey(Box<LoginPasskeyProps>),
    Passkeys(Box<PasskeysProps>),
    Documents(Box<DocumentsProps>),
    References(Box<ReferencesProps>),
    Messages(Box<MessagesProps>),
    Message(MessageProps),
    AdminLogin(Box<AdminLoginProps>),
    AdminForgotten(AdminForgottenProps),
    AdminInvitation(AdminInvitationProps),
    AdminStepUp(Box<AdminStepUpProps>),
    AdminAccount(Box<AdminAccountProps>),
    AdminSecondFactor(Box<AdminSecondFactorProps>),
    AdminApiKeys(Box<AdminApiKeysProps>),
    AdminPasskeys(Box<AdminPasskeysProps>),
    AdminRecoveryCodes(RecoveryCodesProps),
    AdminWork(Box<AdminWorkProps>),
    AdminApplications(Box<AdminApplicationsProps>),
    AdminBulk(Box<AdminBulkProps>),
    AdminFigures(Box<AdminFiguresProps>),
    AdminImports(Box<AdminImportsProps>),
    AdminImport(Box<AdminImportProps>),
    AdminImportRows(Box<AdminImportRowsProps>),
    AdminApplication(Box<AdminApplicationProps>),
    AdminDocuments(Box<AdminDocumentsProps>),
    AdminNotes(Box<AdminNotesProps>),
    AdminCommittee(Box<AdminCommitteeProps>),
    AdminSitting(Box<AdminSittingProps>),
    AdminReadings(Box<AdminReadingsProps>),
    AdminConversation(Box<AdminConversationProps>),
    AdminEmails(Box<AdminEmailsProps>),
    AdminTimeline(Box<AdminTimelineProps>),
    AdminAct(Box<AdminActProps>),
    AdminDuplicates(Box<AdminDuplicatesProps>),
    AdminDecisions(Box<AdminDecisionsProps>),
    AdminWaitlist(Box<AdminWaitlistProps>),
    AdminConditions(Box<AdminConditionsProps>),
    AdminDecision(Box<AdminDecisionProps>),
    AdminContract(Box<AdminContractProps>),
    AdminContracts(Box<AdminContractsProps>),
    AdminTemplate(Box<AdminTemplateProps>),
    AdminInterview(Box<AdminInterviewProps>),
    AdminFunding(Box<AdminFundingProps>),
    AdminFinance(Box<AdminFinanceProps>),
    AdminFeeCodes(Box<AdminFeeCodesProps>),
    AdminInterviews(Box<AdminInterviewsProps>),
    AdminProspects(Box<AdminProspectsProps>),
    AdminOpenDays(Box<AdminOpenDaysProps>),
    AdminOpenDay(Box<AdminOpenDayProps>),
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
    AdminSignOn(Box<AdminSignOnProps>),
    AdminIdentityProvider(Box<AdminIdentityProviderProps>),
    AdminWebhooks(Box<AdminWebhooksProps>),
    AdminWebhook(Box<AdminWebhookProps>),
    AdminSetting(Box<AdminSettingProps>),
    AdminTexts(AdminTextsProps),
    AdminProblem(ProblemProps),
    Mailbox(MailboxProps),
    Problem(ProblemProps),
    Crash(CrashProps),
}

impl Screen {
    /// Returns the name in the client's route table.
    pub fn route(&self) -> &'static str {
        match self {
            Screen::Apply(_) => "apply",
            Screen::Inquire(_) => "inquire",
            Screen::ConfirmInquiry(_) => "confirmInquiry",
            Screen::Unsubscribe(_) => "unsubscribe",
            Screen::OpenDay(_) => "openDay",
            Screen::OpenDayBooking(_) => "openDayBooking",
            Screen::Reference(_) => "reference",
            Screen::Application(_) => "application",
            Screen::Check(_) => "check",
            Screen::Fee(_) => "fee",
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
            Screen::SecondFactor(_) => "secondFactor",
            Screen::RecoveryCodes(_) => "recoveryCodes",
            Screen::LoginCode(_) => "loginCode",
            Screen::LoginPasskey(_) => "loginPasskey",
            Screen::Passkeys(_) => "passkeys",
            Screen::Documents(_) => "documents",
            Screen::References(_) => "references",
            Screen::Messages(_) => "messages",
            Screen::Message(_) => "message",
            Screen::AdminLogin(_) => "adminLogin",
            Screen::AdminForgotten(_) => "adminForgotten",
            Screen::AdminInvitation(_) => "adminInvitation",
            Screen::AdminStepUp(_) => "adminStepUp",
            Screen::AdminAccount(_) => "adminAccount",
            Screen::AdminSecondFactor(_) => "adminSecondFactor",
            Screen::AdminApiKeys(_) => "adminApiKeys",
            Screen::AdminPasskeys(_) => "adminPasskeys",
            Screen::AdminRecoveryCodes(_) => "adminRecoveryCodes",
            Screen::AdminWork(_) => "adminWork",
            Screen::AdminApplications(_) => "adminApplications",
            Screen::AdminBulk(_) => "adminBulk",
            Screen::AdminFigures(_) => "adminFigures",
            Screen::AdminImports(_) => "adminImports",
            Screen::AdminImport(_) => "adminImport",
            Screen::AdminImportRows(_) => "adminImportRows",
            Screen::AdminApplication(_) => "adminApplication",
            Screen::AdminDocuments(_) => "adminDocuments",
            Screen::AdminNotes(_) => "adminNotes",
            Screen::AdminCommittee(_) => "adminCommittee",
            Screen::AdminSitting(_) => "adminSitting",
            Screen::AdminReadings(_) => "adminReadings",
            Screen::AdminConversation(_) => "adminConversation",
            Screen::AdminEmails(_) => "adminEmails",
            Screen::AdminTimeline(_) => "adminTimeline",
            Screen::AdminAct(_) => "adminAct",
            Screen::AdminDuplicates(_) => "adminDuplicates",
            Screen::AdminDecisions(_) => "adminDecisions",
            Screen::AdminWaitlist(_) => "adminWaitlist",
            Screen::AdminConditions(_) => "adminConditions",
            Screen::AdminDecision(_) => "adminDecision",
            Screen::AdminContract(_) => "adminContract",
            Screen::AdminContracts(_) => "adminContracts",
            Screen::AdminTemplate(_) => "adminTemplate",
            Screen::AdminInterview(_) => "adminInterview",
            Screen::AdminFunding(_) => "adminFunding",
            Screen::AdminFinance(_) => "adminFinance",
            Screen::AdminFeeCodes(_) => "adminFeeCodes",
            Screen::AdminInterviews(_) => "adminInterviews",
            Screen::AdminProspects(_) => "adminProspects",
            Screen::AdminOpenDays(_) => "adminOpenDays",
            Screen::AdminOpenDay(_) => "adminOpenDay",
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
            Screen::AdminSignOn(_) => "adminSignOn",
            Screen::AdminIdentityProvider(_) => "adminIdentityProvider",
            Screen::AdminWebhooks(_) => "adminWebhooks",
            Screen::AdminWebhook(_) => "adminWebhook",
            Screen::AdminSetting(_) => "adminSetting",
            Screen::AdminTexts(_) => "adminTexts",
            Screen::AdminProblem(_) => "adminProblem",
            Screen::Mailbox(_) => "mailbox",
            Screen::Problem(_) => "problem",
            Screen::Crash(_) => "crash",
        }
    }

    /// Returns what this page shows of its screen that others do not, by the names of the modules that the client
    /// fetches for it. `client/screens.ts` has the same, by page.
    pub fn parts(&self) -> Vec<&'static str> {
        let parts = match self {
            Screen::Apply(props) => vec![(props.dialog.is_some(), "auth-dialog")],
            Screen::Application(props) => vec![
                (props.section.is_some() && props.sent.is_none(), "section-form"),
                (props.sent.is_some(), "sent-application"),
                (props.dialog.is_some(), "auth-dialog"),
            ],
            _ => Vec::new(),
        };
        parts.into_iter().filter_map(|(is_on, name)| is_on.then_some(name)).collect()
    }
}

#[derive(Debug, Default, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Head {
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub description: Option<String>,
    /// Absolute, only on pages that search engines may keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub canonical: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub robots: Option<&'static str>,
    /// schema.org data for search engines; only in the document.
    #[serde(skip)]
    pub structured_data: Option<serde_json::Value>,
    /// Whether browsers without JavaScript load the document again every few seconds.
    #[serde(skip)]
    pub is_changing: bool,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BannerInfo {
    pub version: i64,
    pub text: Sentence,
}

/// What every screen needs, whatever the route.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Shared {
    /// Path and query as requested.
    pub path: String,
    /// The program of the path, else the last one visited, else bachelor.
    pub program: Program,
    pub viewer: Option<Viewer>,
    /// On pages of the office, for the signed-in user.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub office: Option<Box<OfficeInfo>>,
    pub theme: Theme,
    /// The language of everything here.
    pub language: Language,
    pub institute: String,
    pub contact_email: String,
    /// True in a development run: the footer links to the local mailbox.
    pub development: bool,
    /// Whether browsers support passkeys at the address of this installation.
    pub passkeys: bool,
    /// The providers that applicants can log in with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<SignOnLink>>", optional))]
    pub sign_on: Vec<SignOnLink>,
    /// Shown above the pages of applicants.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub banner: Option<BannerInfo>,
    /// A fault requested in a development run, see `render`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub fault: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Viewer {
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub application_status: Status,
    /// Counted on the pages of the dashboard; 0 on others.
    pub unread_messages: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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

/// What was typed into an input, or ticked among several with the same name.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Typed {
    One(String),
    Several(Vec<String>),
}

fn as_object<S: Serializer>(entries: &[(String, Sentence)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(name, message)| (name, message)))
}

/// A posted form that comes back.
#[derive(Debug, Default, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FormState {
    /// By input name; several values for checkboxes. Passwords never come back.
    #[cfg_attr(test, ts(type = "Record<string, string | string[]>"))]
    pub values: BTreeMap<String, Typed>,
    /// By input name, in the order of the form.
    #[serde(serialize_with = "as_object")]
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    pub errors: Vec<(String, Sentence)>,
    /// An error about the whole form.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub error: Option<Sentence>,
    /// The server's message after success.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub message: Option<Sentence>,
    /// Inputs whose value is in doubt, by name: the value that a box to tick sends as `right.NAME` to confirm what was
    /// typed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(test, ts(as = "Option<BTreeMap<String, String>>", optional))]
    pub asks: BTreeMap<&'static str, String>,
}

/// Not found, bad request, address too long, wrong method, too busy.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProblemProps {
    pub heading: Sentence,
    pub text: Sentence,
    /// The id of the request in the log.
    pub request_id: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CrashProps {
    pub message: Sentence,
    /// The id of the request in the log.
    pub request_id: String,
}
