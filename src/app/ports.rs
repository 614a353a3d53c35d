//! What the use cases need from outside. Each store method is one transaction: it happens as a whole or not at all,
//! and so status, audit and outbox are never written apart.
//!
//! To add one more: declare it here with its meaning and errors, write the SQL in `store/`, tell its story in
//! `tests/it/store.rs` (which runs on both databases), and call it from a use case.

mod account;
mod booking_requests;
mod calendars;
mod card_payments;
mod conditions;
mod contracts;
mod conversations;
mod decisions;
mod deliveries;
mod documents;
mod dossiers;
mod drafts;
mod duplicates;
mod figure_reports;
mod finance;
mod insight;
mod interviews;
mod list_views;
mod listings;
mod money;
mod passkeys;
mod program_secret;
mod provider;
mod questionnaires;
mod readings;
mod second_factors;
mod settings;
mod staff;
mod storage_claims;
mod tasks;

use async_trait::async_trait;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

pub use account::{
    Closing, EmailChange, EmailChanges, EmailConfirmation, EmailConfirmations, MailedLink, RecordedAct, Records,
    Snapshot, StageChange, StoredInterview, StoredRecords, StoredSession,
};
pub use booking_requests::{BookingRequest, BookingRequests, RequestEnd, RequestState};
pub use calendars::{Booking, CalendarSlot, Calendars, InterviewSheet, Rules};
pub use card_payments::{
    CardCharge, CardPayments, CardRefund, CardRefundState, ChargeFollows, EventState, KeptEvent, PaymentCard,
    RefundsSeen,
};
pub use conditions::{JudgedCondition, NewConditionVerdict, OfferConditions};
pub use contracts::{
    Contract, ContractChange, ContractFile, Contracts, ListedContract, NewTemplate, TemplateDraft, TemplateVersion,
    contract_subject,
};
pub use conversations::{ConversationMessage, ConversationOf, Conversations};
pub use decisions::{
    Decided, Decision, DecisionState, DecisionWrite, Decisions, Deferral, DraftSeen, Milestones, Offer,
    PendingDecision, PlannedRelease, RELEASE, RefusedDeferral, Reply, release_subject,
};
pub use deliveries::{Deliveries, JobEntry, MailEntry, MailState};
pub use documents::{
    DocumentStates, DocumentStorage, Documents, Inspect, InspectError, Inspected, KeptObject, NewDocument, ObjectInfo,
    Part, SlotReview, StorageError, StoredBytes, StoredDocument, lost_detail,
};
pub use dossiers::{ChainEnd, Dossiers, Note, RecordedLine, SentMail, StoredChange};
pub use drafts::Drafts;
pub use duplicates::{Alike, DuplicateVerdict, Duplicates, Likeness};
pub use figure_reports::{DueReport, FigureReport, FigureReports};
pub use finance::{
    BookedLine, Enrolled, Finances, MoneyCounts, MoneyItem, MoneyKind, MoneyPlace, Payer, Paying, SignedContract,
};
pub use insight::{AuditLine, AuditQuery, Insight};
pub use interviews::{Hold, Interview, InterviewChange, Interviews, NewSlot, Slot, SlotAsked, Wishes};
pub use money::{
    FundingFollows, FundingPlan, Fundings, Ledger, LedgerFault, Ledgers, NewFunding, NewVerdict, PaymentTold, Posted,
    Posting, SourceVerdict,
};
pub use passkeys::{Ceremony, Credential, Passkey, PasskeyAdded, PasskeyProtocol, Passkeys};
pub use program_secret::{KeptWithSecret, ProgramSecret, SecretUse};
pub use provider::{
    Checkout, CheckoutAsked, CheckoutFor, CheckoutState, EventAbout, Intent, IntentAsked, IntentState, PaymentProvider,
    ProviderError, ProviderEvent, Purpose, RefundAsked, RefundState, Refunded, SavedCard, Unsigned,
};
pub use questionnaires::{Deleted, Expected, NewQuestionSet, QuestionnaireDraft, QuestionnaireVersion, Questionnaires};
pub use readings::{CommitteeEntry, NewReading, Reading, Readings, SentReading};
pub use second_factors::{AccountKey, NewSecondFactor, SecondFactors};
pub use settings::{NewSetting, SettingVersion, SettingsStore};
pub use staff::{
    Colleague, Invitation, Invitations, ListedStaff, Staff, StaffAccounts, StaffChange, StaffChanged, StaffSession,
    StaffSessions,
};
pub use storage_claims::{StorageClaim, StorageClaims, SweepFigures, UnnamedObject};
pub use tasks::{ListedTask, Task, TaskPlace, TaskQuery, Tasks, TasksOf};

pub use list_views::{ListView, ListViews, ViewRenamed, ViewSaved};
pub use listings::{
    Counted, FiguresQuery, Listing, ListingPage, ListingQuery, Listings, MAX_COUNTED, Mark, Marked, Order,
};

use domain::account::Profile;
use domain::application::{Answers, Section};
use domain::funding::Pause;
use domain::paper::Paper;
use domain::program::Program;
use domain::reference_number::ReferenceNumber;
use domain::status::{Act, Stage, Status};
use domain::task::TaskKind;

/// Milliseconds since 1970-01-01 UTC.
pub type Millis = i64;

pub const MINUTE: Millis = 60_000;
pub const HOUR: Millis = 60 * MINUTE;
pub const DAY: Millis = 24 * HOUR;

/// Tells the time.
pub trait Clock: Send + Sync {
    fn now(&self) -> Millis;
}

/// Makes what nobody can guess.
pub trait Random: Send + Sync {
    /// A new identifier, ordered by time (UUID version 7).
    fn id(&self) -> String;
    /// 256 random bits as 43 characters of URL-safe base64.
    fn secret(&self) -> String;
    /// 64 random bits.
    fn number(&self) -> u64;
}

/// Hashes passwords, slowly and away from the threads that answer requests.
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// A PHC string. `password` is normalised.
    async fn hash(&self, password: String) -> Result<String, Overloaded>;
    /// Whether `password` is the one of `hash`. Without a hash the same work is done and the answer is no, so that
    /// time does not tell whether an account exists.
    async fn verify(&self, password: String, hash: Option<String>) -> Result<Verdict, Overloaded>;
}

/// What a password check found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    pub matches: bool,
    /// The hash was made with older parameters: hash again.
    pub outdated: bool,
}

/// More passwords are waiting to be hashed than could be soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overloaded;

/// Which kind of account a token is for, its `aud`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Applicant,
    Admin,
}

impl Audience {
    pub fn as_str(self) -> &'static str {
        match self {
            Audience::Applicant => "applicant",
            Audience::Admin => "admin",
        }
    }
}

/// Why a bearer token is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenError {
    Invalid,
    /// Expired, or not valid yet.
    Expired,
    /// Meant for the other kind of account.
    Audience,
}

/// Signs and reads the short-lived bearer tokens of the API, and hashes secrets for storing.
pub trait Tokens: Send + Sync {
    /// A token for the session `sid`, good for some minutes from `now`.
    fn issue(&self, sid: &str, audience: Audience, now: Millis) -> String;
    /// The session id of a good token.
    fn read(&self, token: &str, audience: Audience, now: Millis) -> Result<String, TokenError>;
    /// The form in which a cookie or mailed secret is stored: SHA-256, hexadecimal. The secrets are long and random, so
    /// that a slow hash would protect nothing more.
    fn digest(&self, secret: &str) -> String;
    /// A device cookie for a browser that logged in to the account. `nonce` is secret and new.
    fn device(&self, audience: Audience, account_id: &str, nonce: &str) -> String;
    /// The nonce of a device cookie, if it was made for this account.
    fn known_device<'a>(&self, audience: Audience, account_id: &str, kept: &'a str) -> Option<&'a str>;
}

/// The codes of authenticator apps (TOTP, RFC 6238): six digits, another every half minute.
///
/// The secret that an app and the product share is derived from a seed, which is stored with the account, and the
/// program's own secret, which is not: the database alone gives no code.
pub trait OneTimeCodes: Send + Sync {
    /// What is typed into an app that cannot read the picture: base32.
    fn secret(&self, account: AccountKey<'_>, seed: &str) -> String;
    /// What the picture says: `otpauth://totp/…`.
    fn uri(&self, account: AccountKey<'_>, seed: &str, name: &str, issuer: &str) -> String;
    /// The half minute that the code belongs to: the present one, or the one before or after it.
    fn step(&self, account: AccountKey<'_>, seed: &str, code: &str, now: Millis) -> Option<i64>;
}

/// Encrypts what must not be read where it is stored, with the program's secret.
pub trait Sealing: Send + Sync {
    /// `place` is where the text is kept, such as a row's id: it opens nowhere else.
    fn seal(&self, place: &str, text: &str) -> String;
    /// `None` when it was sealed with another secret, at another place, or is damaged.
    fn open(&self, place: &str, sealed: &str) -> Option<String>;
}

/// Sets papers as PDF.
pub trait PdfWriter: Send + Sync {
    /// The same paper is the same bytes. Slow: some milliseconds for each page.
    ///
    /// # Errors
    /// A mistake of ours.
    fn pdf(&self, paper: &Paper) -> Result<Vec<u8>, PdfError>;
}

/// Why a paper could not be set.
#[derive(Debug, thiserror::Error)]
#[error("no PDF could be made: {0}")]
pub struct PdfError(pub String);

/// Why the store did not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A unique constraint; the name of the field that is taken.
    #[error("{0} is taken")]
    Taken(&'static str),
    /// The database is away, full or too busy: nothing was changed.
    #[error("the database is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A mistake of ours.
    #[error("the database answered unexpectedly")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

pub type Stored<T> = Result<T, StoreError>;

/// An applicant's account.
#[derive(Debug, Clone)]
pub struct Applicant {
    pub id: String,
    pub email: String,
    pub profile: Profile,
    /// PHC string.
    pub password_hash: String,
    /// What the secret of the authenticator app is derived from; `None` without one.
    pub code_seed: Option<String>,
    /// How many there are.
    pub passkeys: i64,
    pub disabled_at: Option<Millis>,
    pub created_at: Millis,
    /// Since when it is known that the address is read by whoever has the account. Until then hardly a mail goes there.
    pub email_confirmed_at: Option<Millis>,
}

/// Most open sessions of an account. Opening another one ends the one that has not been seen for longest.
pub const MAX_SESSIONS: i64 = 20;

/// A new session of either kind of account.
#[derive(Debug, Clone)]
pub struct NewSession {
    pub id: String,
    /// Digest of the cookie's secret.
    pub cookie_digest: String,
    pub created_at: Millis,
    pub expires_at: Millis,
    pub address: String,
    pub user_agent: String,
}

/// A session that is neither revoked nor expired.
#[derive(Debug, Clone)]
pub struct Session {
    pub id: String,
    pub created_at: Millis,
    pub last_seen_at: Millis,
    pub expires_at: Millis,
    pub user_agent: String,
}

/// How a session is looked up.
#[derive(Debug, Clone, Copy)]
pub enum SessionKey<'a> {
    /// The digest of the cookie's secret.
    Cookie(&'a str),
    /// The `sid` of a bearer token.
    Id(&'a str),
}

/// How an application is looked up.
#[derive(Debug, Clone, Copy)]
pub enum ApplicationKey<'a> {
    Id(&'a str),
    /// The reference number.
    Reference(&'a str),
}

/// An application and its answers.
#[derive(Debug, Clone)]
pub struct Application {
    pub id: String,
    pub applicant_id: String,
    pub program: Program,
    pub stage: Stage,
    pub answers: Answers,
    /// Counts up with every save and every change of stage, from 1.
    pub revision: i64,
    /// Given at the first submission, and kept as long as it tells the program.
    pub reference: Option<String>,
    pub created_at: Millis,
    pub updated_at: Millis,
    /// The latest submission.
    pub submitted_at: Option<Millis>,
    /// Withdrawn or declined.
    pub archived_at: Option<Millis>,
    /// The latest release of a decision on it.
    pub released: Option<Release>,
}

impl Application {
    pub fn status(&self) -> Status {
        self.stage.status()
    }
}

/// When a decision was released, and the stage before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    pub at: Millis,
    pub from: Stage,
}

/// A change of stage as `domain::status::decide` allowed it, with all that belongs to it.
#[derive(Debug, Clone)]
pub struct Transition {
    pub id: String,
    pub application_id: String,
    /// The revision that it was decided for.
    pub expected: i64,
    pub act: Act,
    /// What the caller named the act by.
    pub key: Option<String>,
    /// Why, in the applicant's own words.
    pub reason: Option<String>,
    pub from: Stage,
    pub to: Stage,
    /// Whether `from` is kept, to come back to.
    pub keeps_former: bool,
    /// The answers are frozen under this id.
    pub snapshot: Option<String>,
    /// For an application that has none yet, or one that tells another program.
    pub reference: Option<ReferenceNumber>,
    /// The number that gives way, and goes on finding the application.
    pub former_reference: Option<String>,
    pub at: Millis,
    pub audit: AuditEntry,
    pub mails: Vec<NewMail>,
    /// Kinds of waiting jobs about this application that are not done any more. They go before `jobs` come.
    pub dropped_jobs: Vec<&'static str>,
    pub jobs: Vec<NewJob>,
    pub tasks: Vec<Task>,
    pub interview: Option<InterviewChange>,
    /// The account is closed with it.
    pub closing: Option<Closing>,
    /// What the applicant is asked to change.
    pub opens: Option<ChangeRequest>,
    /// What they were asked is met, or taken back.
    pub closes_request: bool,
    /// The answers are those of the last submission again.
    pub restores_snapshot: bool,
    /// The application goes with all that belongs to it; it was never submitted.
    pub deletes_draft: bool,
    /// What becomes of the decision on the application, in this order.
    pub decision: Vec<DecisionWrite>,
    /// Contracts about the application are void from now on, for this reason.
    pub voids_contracts: Option<String>,
    /// Instalments that were not settled are due later.
    pub pause: Option<Pause>,
    /// What is under way by card is not gone on with, except for a charge that may have been made by now.
    pub stops_charges: bool,
    /// Kinds of tasks about the application that are done with it. They go before `tasks` come.
    pub done_tasks: Vec<TaskKind>,
    /// Who looks after it from now on, unless somebody does.
    pub owner: Option<String>,
}

/// What staff ask an applicant to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRequest {
    pub id: String,
    pub application_id: String,
    /// Those that are open for it.
    pub sections: Vec<Section>,
    pub message: String,
    /// The last day for it.
    pub due_on: Date,
    pub created_at: Millis,
}

/// What a transition met.
#[derive(Debug, Clone)]
pub enum TransitionOutcome {
    Done(Application),
    /// The act was done under the same key before; the application as it is now. Nothing was written.
    Repeated(Application),
    /// The expected revision is not the current one; nothing was written.
    Stale(Application),
}

/// An application that is over, and how it ended.
#[derive(Debug, Clone)]
pub struct EndedApplication {
    pub application: Application,
    pub ended_at: Millis,
    pub act: Act,
    /// Where it was before.
    pub former: Option<Stage>,
}

/// What a save met.
#[derive(Debug, Clone)]
pub enum SaveOutcome {
    /// At the next revision.
    Saved,
    /// The expected revision is not the current one, or the application is over; nothing was written.
    Stale(Box<Application>),
}

/// A mail to be sent: text and HTML were made when it was written down.
#[derive(Debug, Clone)]
pub struct NewMail {
    pub id: String,
    pub applicant_id: Option<String>,
    /// Whom it tells of, if it goes to somebody else.
    pub about: Option<String>,
    /// Which mail it is: `application-started`.
    pub template: &'static str,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub attachment: Option<Attachment>,
    /// What is read in the product, of a mail with a secret in it; else `text`.
    pub message: Option<String>,
    /// What is sent instead of `text` and `html`, sealed: a [`SealedMail`].
    pub sealed: Option<String>,
    pub created_at: Millis,
}

/// What a mail with a secret says. It is kept sealed until it was sent or given up, and then no more.
#[derive(Debug, Serialize, Deserialize)]
pub struct SealedMail {
    pub text: String,
    pub html: String,
}

impl SealedMail {
    /// `id` is the mail's.
    pub fn seal(&self, sealing: &dyn Sealing, id: &str) -> String {
        sealing.seal(id, &serde_json::to_string(self).expect("two texts are JSON"))
    }
}

/// A file that goes with a mail.
#[derive(Debug, Clone)]
pub struct Attachment {
    pub name: String,
    pub content_type: String,
    pub content: AttachedContent,
}

#[derive(Debug, Clone)]
pub enum AttachedContent {
    /// Also another form of what the mail says: a calendar entry.
    Text(String),
    Bytes(Vec<u8>),
}

impl AttachedContent {
    pub fn bytes(&self) -> &[u8] {
        match self {
            AttachedContent::Text(text) => text.as_bytes(),
            AttachedContent::Bytes(bytes) => bytes,
        }
    }
}

/// A mail of the outbox.
#[derive(Debug, Clone)]
pub struct Mail {
    pub id: String,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub attachment: Option<Attachment>,
    /// As [`NewMail::sealed`].
    pub sealed: Option<String>,
    /// How often sending was tried.
    pub attempts: i64,
    /// `waiting`, `sent`, `kept` (no mail server configured), `failed`; `held` where it is not sent, see [`Outbox`].
    pub state: String,
    pub created_at: Millis,
    /// The trace of the request that wrote it, where that was traced.
    pub traceparent: Option<String>,
}

impl Mail {
    /// With its secret, if it has one. `None` when that cannot be read: the program's secret is another one by now.
    pub fn opened(self, sealing: &dyn Sealing) -> Option<Mail> {
        let Some(sealed) = &self.sealed else { return Some(self) };
        let SealedMail { text, html } = serde_json::from_str(&sealing.open(&self.id, sealed)?).ok()?;
        Some(Mail { text, html, ..self })
    }
}

/// A mail as the applicant whom it was written to reads it in the product.
#[derive(Debug, Clone)]
pub struct Message {
    pub id: String,
    pub to: String,
    pub subject: String,
    /// The mail's text, without its secrets.
    pub text: String,
    /// As [`Mail::state`].
    pub state: String,
    /// How often sending was tried.
    pub attempts: i64,
    pub created_at: Millis,
    pub read_at: Option<Millis>,
}

/// Work for later: done once its time has come, by whichever process is free.
#[derive(Debug, Clone)]
pub struct NewJob {
    pub id: String,
    /// What is to be done, one of `app::jobs`.
    pub kind: &'static str,
    /// What it is about: `application:ID`, `applicant:ID`.
    pub subject: String,
    /// What else has to be known then, as a JSON object.
    pub detail: serde_json::Value,
    pub due_at: Millis,
    /// Names the plan: as long as one waits under this name, no other is planned.
    pub plan_key: Option<String>,
    pub created_at: Millis,
}

/// A job whose time has come, leased to this process.
#[derive(Debug, Clone)]
pub struct Job {
    pub id: String,
    pub kind: String,
    pub subject: String,
    pub detail: serde_json::Value,
    /// How often it was tried, this time included. Tells one lease from the next.
    pub attempts: i64,
    /// As [`Mail::traceparent`].
    pub traceparent: Option<String>,
}

/// One line of the append-only record of who did what.
#[derive(Debug, Clone)]
pub struct AuditEntry {
    pub id: String,
    pub at: Millis,
    /// `applicant:ID`, `staff:ID` or `system`.
    pub actor: String,
    /// What it is about: `application:ID`, `applicant:ID`.
    pub subject: String,
    /// `application.started`, `applicant.registered`…
    pub action: &'static str,
    /// What changed, as JSON. Never a password, a secret or an answer.
    pub detail: serde_json::Value,
}

/// How often something may be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// What is counted.
    pub key: String,
    /// Most attempts in a window.
    pub most: u32,
    /// A window starts with its first attempt.
    pub window: Millis,
}

/// What a counted attempt met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throttle {
    Allowed,
    /// Too many; how long until the window ends.
    Refused {
        wait: Millis,
    },
}

#[async_trait]
pub trait Accounts: Send + Sync {
    /// A new account, its first session, and, when it came from a program's page, its application; and the link that
    /// confirms its address, if one was mailed.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("email")`.
    async fn register(
        &self,
        applicant: &Applicant,
        session: &NewSession,
        started: (Option<&Application>, Option<&MailedLink>),
        audit: &[AuditEntry],
        mails: &[NewMail],
    ) -> Stored<()>;
    async fn applicant_by_id(&self, id: &str) -> Stored<Option<Applicant>>;
    /// By the lower-case address.
    async fn applicant_by_email(&self, email_key: &str) -> Stored<Option<Applicant>>;
    async fn save_profile(&self, applicant_id: &str, profile: &Profile, audit: &AuditEntry) -> Stored<()>;
    /// The same password under newer parameters; only if the hash is still `old`.
    async fn rehash(&self, applicant_id: &str, old: &str, new: &str) -> Stored<()>;
    /// A new password in the place of the one that was checked, which ends every session but `keep`, spends every open reset and drops
    /// a change of the address. Another one by now: false, nothing changed.
    async fn change_password(
        &self,
        applicant_id: &str,
        hashes: (&str, &str),
        keep: Option<&str>,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool>;
    /// Locks or unlocks an account; locking ends its sessions. No such account: false.
    async fn set_disabled(&self, applicant_id: &str, disabled: bool, audit: &AuditEntry) -> Stored<bool>;
    /// A reset that can be spent until `expires_at`; older ones of the account cannot be any more.
    async fn create_reset(
        &self,
        applicant_id: &str,
        digest: &str,
        expires_at: Millis,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<()>;
    /// Whose reset it is, if it can still be spent. Looking does not spend it.
    async fn reset_owner(&self, digest: &str, now: Millis) -> Stored<Option<Applicant>>;
    /// Spends the reset, sets the password, ends all sessions, drops a change of the address and confirms the present one. Already spent, replaced or expired: false, nothing
    /// changed.
    async fn spend_reset(&self, digest: &str, hash: &str, audit: &AuditEntry, mail: &NewMail) -> Stored<bool>;
}

#[async_trait]
pub trait Sessions: Send + Sync {
    /// Opens a session if the account is not disabled and has still the password that was checked. If not: false. With
    /// `code_until` it is open only once the code was given.
    async fn create_session(
        &self,
        applicant_id: &str,
        password_hash: &str,
        session: &NewSession,
        code_until: Option<Millis>,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// The session and its account, unless revoked or expired at `now`. Notes the visit, at most once a minute.
    async fn session(&self, key: SessionKey<'_>, now: Millis) -> Stored<Option<(Session, Applicant)>>;
    /// The session, its account and its active application in one go: what a page needs.
    async fn session_with_application(
        &self,
        key: SessionKey<'_>,
        now: Millis,
    ) -> Stored<Option<(Session, Applicant, Option<Application>)>>;
    /// A session that waits for its code, and its account.
    async fn unfinished_session(&self, cookie_digest: &str, now: Millis) -> Stored<Option<(Session, Applicant)>>;
    /// Opens a session that waited for its code. It does not wait any more: false.
    async fn finish_session(
        &self,
        session_id: &str,
        expires_at: Millis,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// Open sessions of the account, last seen first.
    async fn sessions(&self, applicant_id: &str, now: Millis) -> Stored<Vec<Session>>;
    /// Ends one session of the account. No such open session: false.
    async fn end_session(&self, applicant_id: &str, session_id: &str, now: Millis) -> Stored<bool>;
    /// Ends every session of the account but `keep`; how many.
    async fn end_other_sessions(&self, applicant_id: &str, keep: &str, now: Millis) -> Stored<u64>;
}

#[async_trait]
pub trait Applications: Send + Sync {
    /// The applicant's active application.
    async fn active_application(&self, applicant_id: &str) -> Stored<Option<Application>>;
    /// # Errors
    /// [`StoreError::Taken`]`("application")` when one is active.
    async fn start_application(&self, new: &Application, audit: &AuditEntry, mail: &NewMail) -> Stored<()>;
    /// New answers (and program) at revision `expected` + 1, if `expected` is the current revision.
    async fn save_application(
        &self,
        application_id: &str,
        expected: i64,
        program: Program,
        answers: &Answers,
        now: Millis,
    ) -> Stored<SaveOutcome>;
    /// The same in the name of a session: whether it is open, its account is not disabled, the application is its own
    /// and `expected` is the current revision. If not, nothing was written and nothing is said of why.
    async fn save_in_session(
        &self,
        session_id: &str,
        application_id: &str,
        expected: i64,
        answers: &Answers,
        now: Millis,
    ) -> Stored<bool>;
    /// Changes the stage: status, snapshot, reference number, audit and mails together, at revision `expected` + 1, if
    /// `expected` is the current revision. Nothing else changes a stage.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("reference")` when another application has that number, [`StoreError::Taken`]`("application")`
    /// when one that is over would be active again beside another, [`StoreError::Taken`]`("slot")` when somebody else has
    /// the slot.
    async fn transition(&self, transition: &Transition) -> Stored<TransitionOutcome>;
    /// The applicant's application on which the act was done under this key, as it is now.
    async fn application_by_key(&self, applicant_id: &str, act: Act, key: &str) -> Stored<Option<Application>>;
    /// What was submitted last.
    async fn latest_snapshot(&self, application_id: &str) -> Stored<Option<Snapshot>>;
    /// An application and whose it is, also one that is over.
    async fn application(&self, key: ApplicationKey<'_>) -> Stored<Option<(Applicant, Application)>>;
    /// What the applicant is asked to change, as long as that is open.
    async fn change_request(&self, application_id: &str) -> Stored<Option<ChangeRequest>>;
    /// The applicant's application that ended last.
    async fn ended_application(&self, applicant_id: &str) -> Stored<Option<EndedApplication>>;
}

/// A mail to an applicant is held back, and read in the product alone, until their address is confirmed, and when very many
/// were written to them in a day. Mails about access to the account are not.
#[async_trait]
pub trait Outbox: Send + Sync {
    /// Nothing happens when a mail with this id is there.
    async fn enqueue(&self, mail: &NewMail) -> Stored<()>;
    /// Takes up to `limit` mails that are due, so that no other process takes them before `lease_until`.
    async fn claim_mails(&self, limit: i64, now: Millis, lease_until: Millis) -> Stored<Vec<Mail>>;
    async fn mail_sent(&self, id: &str, state: &str, now: Millis) -> Stored<()>;
    /// Another attempt at `retry_at`, or none: the mail is parked as failed.
    async fn mail_failed(&self, id: &str, error: &str, retry_at: Option<Millis>) -> Stored<()>;
    /// Mails that are waiting, and those that failed for good.
    async fn mail_counts(&self) -> Stored<(i64, i64)>;
    /// The newest mails, but for those held back, for the development mailbox.
    async fn newest_mails(&self, limit: i64) -> Stored<Vec<Mail>>;
}

#[async_trait]
pub trait Messages: Send + Sync {
    /// Mails to the applicant, newest first: up to `limit` of those older than the mail `before`.
    async fn messages(&self, applicant_id: &str, before: Option<&str>, limit: i64) -> Stored<Vec<Message>>;
    /// One of them.
    async fn message(&self, applicant_id: &str, id: &str) -> Stored<Option<Message>>;
    /// Notes that it was opened, unless that is noted.
    async fn message_read(&self, applicant_id: &str, id: &str, now: Millis) -> Stored<()>;
    async fn unread_messages(&self, applicant_id: &str) -> Stored<i64>;
}

#[async_trait]
pub trait Jobs: Send + Sync {
    async fn plan_jobs(&self, jobs: &[NewJob]) -> Stored<()>;
    /// Takes up to `limit` jobs that are due, so that no other process takes them before `lease_until`.
    async fn claim_jobs(&self, limit: i64, now: Millis, lease_until: Millis) -> Stored<Vec<Job>>;
    /// Removes the job, or, if it recurs, makes it due again. Does nothing when the lease was lost to another process.
    async fn job_done(&self, job: &Job, again_at: Option<Millis>) -> Stored<()>;
    /// Another attempt at `retry_at`, or none: the job is parked.
    async fn job_failed(&self, job: &Job, error: &str, retry_at: Option<Millis>) -> Stored<()>;
    /// Jobs that are waiting, and those that were parked.
    async fn job_counts(&self) -> Stored<(i64, i64)>;
    /// Tells what a job found: those whose ids are there were told before.
    async fn tell(&self, tasks: &[Task], mails: &[NewMail]) -> Stored<()>;
}

#[async_trait]
pub trait Throttles: Send + Sync {
    /// Counts an attempt under `key` in the window that started with its first attempt and is `window` long; refused
    /// when `limit` were made already. Counting and deciding are one step, also across processes.
    async fn attempt(&self, key: &str, limit: u32, window: Millis, now: Millis) -> Stored<Throttle>;
    /// Counts an attempt under each of these limits, or under none where one of them refuses it.
    async fn reserve(&self, limits: &[Limit], now: Millis) -> Stored<Throttle>;
    /// Takes back one attempt under each of these keys.
    async fn give_back(&self, keys: &[&str]) -> Stored<()>;
    /// Forgets the attempts under `key`.
    async fn forget(&self, key: &str) -> Stored<()>;
    /// Removes windows that ended, keys that are old, resets and sessions that expired. How many rows.
    async fn sweep(&self, now: Millis) -> Stored<u64>;
}

/// What a key was used for before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyUse {
    New,
    Same,
    Other,
}

#[async_trait]
pub trait IdempotencyKeys: Send + Sync {
    /// Notes what is sent under a key, unless something is noted already. Both are told by their digests.
    async fn use_key(&self, id: &str, digest: &str, now: Millis) -> Stored<KeyUse>;
    /// The key was not used.
    async fn forget_key(&self, id: &str) -> Stored<()>;
}

#[async_trait]
pub trait Health: Send + Sync {
    /// Whether the database answers and its migrations are the ones of this program.
    async fn ping(&self) -> Stored<()>;
    /// What the database's own check of its file finds damaged: nothing where all is well. A `thorough` one reads everything,
    /// and follows every reference from one table to another. PostgreSQL sees to both by itself.
    async fn damage(&self, thorough: bool) -> Stored<Vec<String>>;
    /// Since when the mail, and the job, that waits longest is due.
    async fn due_since(&self, now: Millis) -> Stored<(Option<Millis>, Option<Millis>)>;
    /// Open connections by what they are for, and how many of them nobody uses.
    fn connections(&self) -> Vec<(&'static str, u32, u32)>;
    /// `sqlite` or `postgres`.
    fn kind(&self) -> &'static str;
}

/// The whole store.
pub trait Store:
    Accounts
    + EmailChanges
    + EmailConfirmations
    + Records
    + Sessions
    + Applications
    + Questionnaires
    + Contracts
    + Decisions
    + OfferConditions
    + Deliveries
    + Documents
    + Dossiers
    + Drafts
    + Duplicates
    + Finances
    + Fundings
    + Insight
    + Interviews
    + BookingRequests
    + Calendars
    + CardPayments
    + Ledgers
    + Listings
    + ListViews
    + FigureReports
    + Outbox
    + Messages
    + Conversations
    + Jobs
    + Throttles
    + SettingsStore
    + Passkeys
    + SecondFactors
    + StaffAccounts
    + StaffSessions
    + Invitations
    + StorageClaims
    + Tasks
    + Readings
    + IdempotencyKeys
    + Health
{
}
impl<T> Store for T where
    T: Accounts
        + EmailChanges
        + EmailConfirmations
        + Records
        + Sessions
        + Applications
        + Questionnaires
        + Contracts
        + Decisions
        + OfferConditions
        + Deliveries
        + Documents
        + Dossiers
        + Drafts
        + Duplicates
        + Finances
        + Fundings
        + Insight
        + Interviews
        + BookingRequests
        + Calendars
        + CardPayments
        + Ledgers
        + Listings
        + ListViews
        + FigureReports
        + Outbox
        + Messages
        + Conversations
        + Jobs
        + Throttles
        + SettingsStore
        + Passkeys
        + SecondFactors
        + StaffAccounts
        + StaffSessions
        + Invitations
        + StorageClaims
        + Tasks
        + Readings
        + IdempotencyKeys
        + Health
{
}
