//! Why a use case did not do what was asked.

use crate::ports::{Overloaded, StorageError, TokenError};
use domain::application::Application;
use domain::application_fee::FeeCode;
use domain::documents::{MAX_FILES, Rejection};
use domain::input::FieldError;
use domain::ledger::LedgerError;
use domain::moments::{MINUTE, Millis};
use domain::permission::RoleForbidden;
use domain::sentence::Sentence;
use domain::status::{Guard, Refused};
use domain::text;
use store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input breaks a rule; one entry for each bad field, never empty.
    #[error("invalid input")]
    Invalid(Vec<FieldError>),
    #[error("{}", .0.sentence())]
    Refused(Refusal),
    /// A file was refused.
    #[error("{}", .0.sentence())]
    Rejected(Rejection),
    /// The table of statuses does not allow the act.
    #[error("{}", .0.sentence())]
    NotAllowed(Refused),
    /// The application has changed since the revision the caller knows; holds the current copy.
    #[error("stale revision")]
    Stale(Box<Application>),
    /// Too many attempts; `code` is `rate_limited` or `auth.throttled`.
    #[error("too many attempts")]
    Throttled { code: &'static str, wait: Millis },
    /// Nothing was changed; it may work in a minute.
    #[error("unavailable")]
    Unavailable(#[source] Option<StoreError>),
    /// A bug on our side.
    #[error("internal error")]
    Internal(#[source] StoreError),
}

/// A refusal that is not about a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Unknown address or wrong password; which of them is never said.
    WrongCredentials,
    AccountDisabled,
    /// No token was sent.
    LoginRequired,
    TokenInvalid,
    TokenExpired,
    TokenAudience,
    /// The token is valid, but its session has ended.
    SessionEnded,
    EmailTaken,
    NoApplication,
    /// The active application was never submitted, or there is none.
    NothingSubmitted,
    OtherProgram,
    ApplicationActive,
    /// It is submitted, so its answers are fixed.
    ApplicationSubmitted,
    /// Only some sections are open, and this is not one of them.
    SectionClosed,
    NoSuchSession,
    DocumentNotFound,
    /// No such document is called for.
    UnknownSlot,
    /// The document is accepted or waived: files can no longer be added or removed.
    SlotClosed,
    TooManyFiles,
    /// The upload is at another offset, or is over.
    UploadOffset,
    /// The received bytes do not match the checksum.
    UploadChecksum,
    /// Staff decide about a document that was not received.
    NothingToReview,
    /// Staff take back a decision about a document that is not their own, or no longer the latest.
    NothingToTakeBack,
    /// The role does not allow it.
    RoleForbidden,
    NoSuchMessage,
    /// No email change is in progress.
    NoEmailChange,
    /// Another account has taken the address; never said in these words.
    EmailUnusable,
    /// There is, or is about to be, a contract.
    AccountBound,
    /// No decision is released, or none that the caller may see.
    NoDecision,
    /// Somebody else has drafted, discarded or released in the meantime.
    DraftChanged,
    /// Somebody else has changed the interview times.
    RulesChanged,
    /// Somebody else has filled in the score sheet.
    ScoresChanged,
    /// No interview was held.
    NoInterview,
    /// No deferral request awaits an answer.
    NoDeferralWish,
    /// The password has to be entered again.
    StepUp,
    /// Staff must have a second factor, and this account has none.
    SecondFactorMissing,
    /// It cannot be removed if all staff must have one.
    SecondFactorNeeded,
    SecondFactorThere,
    NoSecondFactor,
    PasskeyNotFound,
    ApiKeyNotFound,
    /// The owner has the maximum number of keys.
    TooManyApiKeys,
    /// The key only allows reading.
    ApiKeyReadOnly,
    /// The call is not available to API keys.
    ApiKeyForbidden,
    WebhookNotFound,
    /// There are as many endpoints as there may be.
    TooManyWebhooks,
    /// An endpoint has no such delivery, or it cannot be skipped any more.
    DeliveryNotFound,
    /// Also if its client secret cannot be read.
    IdentityProviderNotFound,
    /// There are as many identity providers as there may be.
    TooManyIdentityProviders,
    /// The identity provider cannot be reached.
    IdentityProviderAway,
    /// Also for a row that an import does not have.
    ImportNotFound,
    /// Not at this stage of the import.
    ImportState,
    /// Rows have errors, and were not to be left out.
    ImportRowsWrong,
    ImportNothingReady,
    /// Somebody has worked on what was imported, and that was not to be left.
    ImportWorkedOn,
    /// A login at a provider took too long, or was begun in another browser.
    SignOnExpired,
    /// The provider did not confirm who it is.
    SignOnFailed,
    /// None of their groups has a role.
    SignOnForbidden,
    /// The provider gives no verified email.
    SignOnUnverified,
    /// An applicant's account has the email, but has not confirmed it.
    SignOnUnconfirmed,
    /// A session was confirmed with somebody else's account.
    SignOnOther,
    /// Already closed, or of another application.
    TaskNotFound,
    /// It closes by itself once the work is done.
    TaskClosesItself,
    /// Another member of staff has it.
    TaskTaken,
    StaffSuspended,
    /// A member of staff already has the address.
    StaffTaken,
    StaffNotFound,
    /// No saved view that the caller has, or may change.
    NoSuchView,
    /// Somebody else has just changed the account.
    StaffChanged,
    OwnRole,
    /// Nobody can suspend or remove their own account.
    OwnAccount,
    /// No active Owner would be left.
    LastOwner,
    NoSuchInvitation,
    NoSuchQuestionnaire,
    /// It already has answers.
    QuestionnaireInUse,
    /// It is the current one.
    QuestionnairePublished,
    /// Somebody else has published or changed the draft.
    QuestionnaireStale,
    /// Somebody else has changed the setting.
    SettingStale,
    /// No contract that the caller may know of.
    ContractNotFound,
    /// Its state no longer allows this.
    ContractClosed,
    /// Somebody else has changed it, or its text would differ, since it was seen; shown to staff.
    ContractChanged,
    /// The application is not at a stage with a contract.
    NoContractYet,
    /// The payment plan has changed since it was sent.
    ContractOutdated,
    /// Its text is not what was frozen.
    ContractBroken,
    /// Somebody else has published or changed the draft.
    TemplateStale,
    NoSuchCondition,
    /// The reader was not asked, or has already sent theirs.
    NoReading,
    /// A reading cannot be changed once sent.
    ReadingSent,
    /// The application is decided.
    ReadingOver,
    /// Only its reader can do it.
    TaskPersonal,
    /// Somebody else has judged the condition since it was seen.
    ConditionChanged,
    NoSuchSetting,
    /// The key was already used for a different request.
    KeyReused,
    /// No listed application has this id.
    ApplicationNotFound,
    /// Somebody else has changed the application since it was seen; shown to staff.
    ApplicationChanged,
    NoSuchNote,
    /// Its author has changed it elsewhere in the meantime.
    NoteChanged,
    /// The account is closed and has no address.
    NobodyToWriteTo,
    /// The applicant has not confirmed the address.
    AddressUnconfirmed,
    /// It is being sent, or contains a secret that must not be sent twice.
    NotToBeResent,
    /// Only an applicant with a place plans how to pay.
    NoFunding,
    /// Somebody else has changed the payment plan.
    FundingChanged,
    /// Somebody else has settled it, or it never existed.
    MoneySettled,
    /// Payments have begun: only Finance can change the plan.
    FundingFixed,
    /// A contract already sent states how the applicant pays: only Finance can change the plan.
    FundingAgreed,
    /// No such request awaits approval.
    NoSuchRequest,
    /// Nobody approves or declines their own request.
    OwnRequest,
    /// Only the person who made the request can take it back.
    OthersRequest,
    /// It is already approved, declined or taken back.
    RequestSettled,
    /// The amount would be different now.
    RequestOutdated,
    /// The ledger does not allow it; shown to staff.
    Ledger(LedgerError),
    /// Card payments are not set up.
    NoCardPayments,
    /// The card payment provider does not answer, or the outcome is unknown.
    ProviderUnreachable,
    /// Nothing is owed, or not now.
    NothingToPay,
    /// The saved card is being charged for it.
    BeingCharged,
    /// The provider did not refund the money; shown to staff.
    RefundRefused,
    /// The refund is recorded, and the provider will be asked again; shown to staff.
    RefundUnderWay,
    /// A message without the provider's signature.
    Unsigned,
    /// The message is signed, but too long ago.
    SignedTooLongAgo,
    /// The application has no fee, or none yet.
    NoFee,
    /// The application fee is paid or waived.
    FeeSettled,
    /// Waivers of the application fee cannot be asked for.
    FeeNeedClosed,
    /// One waiver can be asked for.
    FeeNeedAsked,
    /// No request for a waiver awaits an answer.
    NoFeeNeed,
    /// It was not waived by staff, or the application has moved on since.
    FeeWaiverKept,
    FeeCodeNotFound,
    /// The application is on no waitlist.
    NotWaitlisted,
    ProspectNotFound,
    OpenDayNotFound,
    /// The program asks for no references.
    NoReferences,
    RefereeNotFound,
    /// As many are named as can be.
    TooManyReferees,
    /// The reference has come or is no longer needed, or the referee has declined.
    ReferencesClosed,
    /// The referee was written to a short time ago.
    RemindedRecently,
    /// The applicant's own address is not confirmed.
    EmailNotConfirmed,
    /// Fewer places are left than asked for.
    OpenDayFull,
    OpenDayOver,
    OpenDayCancelled,
    /// Somebody else has changed the open day since it was seen.
    OpenDayChanged,
    /// The day has no such booking, or it is cancelled.
    BookingNotFound,
}

impl Refusal {
    /// The stable, machine-readable code.
    pub fn code(self) -> &'static str {
        match self {
            Refusal::WrongCredentials => "auth.invalid",
            Refusal::AccountDisabled => "auth.disabled",
            Refusal::LoginRequired => "auth.required",
            Refusal::TokenInvalid => "token.invalid",
            Refusal::TokenExpired => "token.expired",
            Refusal::TokenAudience => "token.audience",
            Refusal::SessionEnded => "session.revoked",
            Refusal::EmailTaken => "email.taken",
            Refusal::NoApplication => "application.none",
            Refusal::NothingSubmitted => "submission.none",
            Refusal::OtherProgram => "application.other_program",
            Refusal::ApplicationActive => "application.active",
            Refusal::ApplicationSubmitted => "application.submitted",
            Refusal::SectionClosed => "application.section_closed",
            Refusal::NoSuchSession => "session.not_found",
            Refusal::DocumentNotFound => "document.not_found",
            Refusal::UnknownSlot => "document.slot",
            Refusal::SlotClosed => "document.closed",
            Refusal::TooManyFiles => "file.quota",
            Refusal::UploadOffset => "upload.offset",
            Refusal::UploadChecksum => "upload.checksum",
            Refusal::NothingToReview => "document.not_received",
            Refusal::NothingToTakeBack => "document.not_decided",
            Refusal::RoleForbidden => "role.forbidden",
            Refusal::NoSuchMessage => "message.not_found",
            Refusal::NoEmailChange => "email_change.none",
            Refusal::EmailUnusable => "email_change.unusable",
            Refusal::AccountBound => "account.bound",
            Refusal::NoDecision => "decision.none",
            Refusal::DraftChanged => "decision.changed",
            Refusal::RulesChanged => "rules.changed",
            Refusal::ScoresChanged => "scores.changed",
            Refusal::NoInterview => "interview.none",
            Refusal::NoDeferralWish => "deferral.none",
            Refusal::StepUp => "auth.step_up",
            Refusal::SecondFactorMissing => "second_factor.missing",
            Refusal::SecondFactorNeeded => "second_factor.needed",
            Refusal::SecondFactorThere => "second_factor.there",
            Refusal::NoSecondFactor => "second_factor.none",
            Refusal::PasskeyNotFound => "passkey.not_found",
            Refusal::ApiKeyNotFound => "key.not_found",
            Refusal::TooManyApiKeys => "key.too_many",
            Refusal::ApiKeyReadOnly => "key.read_only",
            Refusal::ApiKeyForbidden => "key.forbidden",
            Refusal::WebhookNotFound => "webhook.not_found",
            Refusal::TooManyWebhooks => "webhook.too_many",
            Refusal::IdentityProviderNotFound => "identity_provider.not_found",
            Refusal::TooManyIdentityProviders => "identity_provider.too_many",
            Refusal::IdentityProviderAway => "identity_provider.away",
            Refusal::ImportNotFound => "import.not_found",
            Refusal::ImportState => "import.state",
            Refusal::ImportRowsWrong => "import.rows_wrong",
            Refusal::ImportNothingReady => "import.nothing_ready",
            Refusal::ImportWorkedOn => "import.worked_on",
            Refusal::SignOnExpired => "sign_on.expired",
            Refusal::SignOnFailed => "sign_on.failed",
            Refusal::SignOnForbidden => "sign_on.forbidden",
            Refusal::SignOnUnverified => "sign_on.unverified",
            Refusal::SignOnUnconfirmed => "sign_on.unconfirmed",
            Refusal::SignOnOther => "sign_on.other",
            Refusal::DeliveryNotFound => "delivery.not_found",
            Refusal::TaskNotFound => "task.not_found",
            Refusal::TaskClosesItself => "task.closes_itself",
            Refusal::TaskTaken => "task.taken",
            Refusal::StaffSuspended => "staff.suspended",
            // For an address that staff already use; API callers get the same code as for an applicant's.
            Refusal::StaffTaken => "email.taken",
            Refusal::StaffNotFound => "staff.not_found",
            Refusal::NoSuchView => "view.not_found",
            Refusal::StaffChanged => "staff.changed",
            Refusal::OwnRole => "role.self",
            Refusal::OwnAccount => "staff.self",
            Refusal::LastOwner => "staff.last_owner",
            Refusal::NoSuchInvitation => "invitation.none",
            Refusal::NoSuchQuestionnaire => "questionnaire.not_found",
            Refusal::QuestionnaireInUse => "questionnaire.in_use",
            Refusal::QuestionnairePublished => "questionnaire.published",
            Refusal::QuestionnaireStale => "questionnaire.stale",
            Refusal::SettingStale => "setting.stale",
            Refusal::ContractNotFound => "contract.not_found",
            Refusal::ContractClosed => "contract.closed",
            Refusal::ContractChanged => "contract.stale",
            Refusal::NoContractYet => "contract.stage",
            Refusal::ContractOutdated => "contract.outdated",
            Refusal::ContractBroken => "contract.broken",
            Refusal::NoSuchCondition => "condition.not_found",
            Refusal::NoReading => "reading.not_found",
            Refusal::ReadingSent => "reading.sent",
            Refusal::ReadingOver => "reading.over",
            Refusal::TaskPersonal => "task.personal",
            Refusal::ConditionChanged => "condition.stale",
            Refusal::TemplateStale => "contract_template.stale",
            Refusal::NoSuchSetting => "setting.not_found",
            Refusal::KeyReused => "idempotency_key.reused",
            Refusal::ApplicationNotFound => "application.not_found",
            // The same code as for an applicant's own stale copy.
            Refusal::ApplicationChanged => "application.stale",
            Refusal::NoSuchNote => "note.not_found",
            Refusal::NoteChanged => "note.stale",
            Refusal::NobodyToWriteTo => "applicant.closed",
            Refusal::AddressUnconfirmed => "applicant.unconfirmed",
            Refusal::NotToBeResent => "mail.not_resendable",
            Refusal::NoFunding => "funding.none",
            Refusal::FundingChanged => "funding.stale",
            Refusal::MoneySettled => "finance.settled",
            Refusal::NoSuchRequest => "approval.not_found",
            Refusal::OwnRequest => "approval.own",
            Refusal::OthersRequest => "approval.others",
            Refusal::RequestSettled => "approval.settled",
            Refusal::RequestOutdated => "approval.outdated",
            Refusal::FundingFixed => "funding.fixed",
            Refusal::FundingAgreed => "funding.agreed",
            Refusal::Ledger(error) => error.code(),
            Refusal::NoCardPayments => "card.none",
            Refusal::ProviderUnreachable => "card.unreachable",
            Refusal::NothingToPay => "card.nothing_owed",
            Refusal::BeingCharged => "card.charging",
            Refusal::RefundRefused => "refund.refused",
            Refusal::RefundUnderWay => "refund.under_way",
            Refusal::Unsigned => "webhook.unsigned",
            Refusal::SignedTooLongAgo => "webhook.too_old",
            Refusal::NoFee => "fee.none",
            Refusal::FeeSettled => "fee.settled",
            Refusal::FeeNeedClosed => "fee.need_closed",
            Refusal::FeeNeedAsked => "fee.need_asked",
            Refusal::NoFeeNeed => "fee.need_none",
            Refusal::FeeWaiverKept => "fee.waiver_kept",
            Refusal::FeeCodeNotFound => "fee_code.not_found",
            Refusal::NotWaitlisted => "waitlist.none",
            Refusal::ProspectNotFound => "prospect.not_found",
            Refusal::OpenDayNotFound => "open_day.not_found",
            Refusal::NoReferences => "references.not_asked",
            Refusal::RefereeNotFound => "referee.not_found",
            Refusal::TooManyReferees => "referee.too_many",
            Refusal::ReferencesClosed => "references.closed",
            Refusal::RemindedRecently => "referee.reminded",
            Refusal::EmailNotConfirmed => "email.not_confirmed",
            Refusal::OpenDayFull => "open_day.full",
            Refusal::OpenDayOver => "open_day.over",
            Refusal::OpenDayCancelled => "open_day.cancelled",
            Refusal::OpenDayChanged => "open_day.stale",
            Refusal::BookingNotFound => "booking.not_found",
        }
    }

    /// One plain sentence for the user.
    pub fn sentence(self) -> Sentence {
        match self {
            Refusal::WrongCredentials => text!("Email or password is incorrect."),
            Refusal::AccountDisabled => text!("This account is disabled. Contact admissions."),
            Refusal::LoginRequired => text!("Log in to continue."),
            Refusal::TokenInvalid => text!("Your session is not valid. Log in again."),
            Refusal::TokenExpired => text!("Your session has expired. Log in again."),
            Refusal::TokenAudience => text!("This token cannot be used here."),
            Refusal::SessionEnded => text!("Your session has ended. Log in again."),
            Refusal::EmailTaken => text!("An account with this email already exists. Log in or reset your password."),
            Refusal::NoApplication => text!("You have not started an application."),
            Refusal::NothingSubmitted => text!("You have not submitted an application."),
            Refusal::OtherProgram => text!("You have started an application for the other program."),
            Refusal::ApplicationActive => text!("You already have an application."),
            Refusal::ApplicationSubmitted => {
                text!("You have submitted this application. Take it back first to change an answer.")
            }
            Refusal::SectionClosed => text!("You can change only the sections that we have asked you to change."),
            Refusal::NoSuchSession => text!("This session has already ended."),
            Refusal::DocumentNotFound => text!("Document not found."),
            Refusal::UnknownSlot => text!("Your application does not call for this document."),
            Refusal::SlotClosed => {
                text!("This document is taken care of. You do not need to send anything more for it.")
            }
            Refusal::TooManyFiles => text!("You can store at most {max} files. Delete one first.", max = MAX_FILES),
            Refusal::UploadOffset => text!("The upload is at a different point. Ask where, and continue from there."),
            Refusal::UploadChecksum => text!("The file was changed on its way to us. Send it again."),
            Refusal::NothingToReview => text!("There is no such document to decide about."),
            Refusal::NothingToTakeBack => {
                Sentence::plain("This was not decided by you, or somebody else has decided about it since.")
            }
            Refusal::RoleForbidden => text!("Your role does not allow this."),
            Refusal::NoSuchMessage => text!("There is no such message."),
            Refusal::NoEmailChange => text!("There is no email change in progress."),
            Refusal::EmailUnusable => {
                text!("This address cannot be used for your account, so nothing was changed. Try a different one.")
            }
            Refusal::AccountBound => {
                text!("You have accepted our offer, so your account cannot be closed here. Write to admissions.")
            }
            Refusal::NoDecision => text!("There is no decision yet."),
            Refusal::DraftChanged => {
                Sentence::new("Somebody else has changed this draft a moment ago. Look at it, and decide then.")
            }
            Refusal::RulesChanged => {
                Sentence::new("Somebody has changed these times a moment ago. Look again, and change them then.")
            }
            Refusal::ScoresChanged => {
                Sentence::new("Somebody has filled in this sheet a moment ago. Read it, and change it then.")
            }
            Refusal::NoInterview => Sentence::new("There is no interview that was held."),
            Refusal::NoDeferralWish => Sentence::new("There is no wish to start later that waits for an answer."),
            Refusal::StepUp => Sentence::new("Enter your password again to continue."),
            Refusal::SecondFactorMissing => {
                Sentence::new("Set up a second factor first. Everybody in the office needs one.")
            }
            Refusal::SecondFactorNeeded => {
                Sentence::new("Everybody in the office needs a second factor, so yours stays on.")
            }
            Refusal::SecondFactorThere => text!("Your second factor is already on."),
            Refusal::NoSecondFactor => text!("There is no second factor to change."),
            Refusal::PasskeyNotFound => text!("This passkey has already been removed."),
            Refusal::ApiKeyNotFound => Sentence::plain("This key has already been revoked."),
            Refusal::TooManyApiKeys => {
                Sentence::plain("You have as many keys as you can have. Revoke one that is no longer used.")
            }
            Refusal::ApiKeyReadOnly => Sentence::plain("This key may only read. Make one that may change things."),
            Refusal::ApiKeyForbidden => Sentence::plain("An API key cannot make this call. Log in instead."),
            Refusal::WebhookNotFound => Sentence::plain("This endpoint has been deleted."),
            Refusal::TooManyWebhooks => {
                Sentence::plain("There are as many endpoints as there can be. Delete one that is no longer used.")
            }
            Refusal::DeliveryNotFound => Sentence::plain("There is no such delivery that could be changed any more."),
            Refusal::IdentityProviderNotFound => text!("There is no such identity provider any more."),
            Refusal::TooManyIdentityProviders => Sentence::plain(
                "There are as many identity providers as there can be. Delete one that is no longer used.",
            ),
            Refusal::IdentityProviderAway => {
                text!("Your identity provider does not answer. Try again in a moment.")
            }
            Refusal::ImportNotFound => Sentence::plain("There is no such import, or no such row in it."),
            Refusal::ImportState => Sentence::plain("The import is not at that stage. Reload it to see where it is."),
            Refusal::ImportRowsWrong => {
                Sentence::plain("Some rows have errors. Correct them, or say that they are to be left out.")
            }
            Refusal::ImportNothingReady => Sentence::plain("No row can be imported. Correct the errors first."),
            Refusal::ImportWorkedOn => Sentence::plain(
                "Some of these applications have been worked on since. Say that those are to stay, and undo the rest.",
            ),
            Refusal::SignOnExpired => {
                text!("That took too long, or was begun in another browser. Log in again.")
            }
            Refusal::SignOnFailed => {
                text!("Your identity provider did not confirm who you are. Log in again.")
            }
            Refusal::SignOnForbidden => {
                Sentence::plain("Your account at the provider has no access here. Ask an Owner of the office for it.")
            }
            Refusal::SignOnUnverified => {
                text!("Your identity provider gives no verified email for you, so you cannot log in with it.")
            }
            Refusal::SignOnUnconfirmed => {
                text!(
                    "The email of your account is not confirmed yet. Log in with your password and confirm it first. If you did not create the account, set a new password by email."
                )
            }
            Refusal::SignOnOther => {
                Sentence::plain("You confirmed with a different account from the one you are logged in with.")
            }
            Refusal::TaskNotFound => Sentence::new("This task is closed already."),
            Refusal::TaskClosesItself => Sentence::new("This task closes by itself once the work is done."),
            Refusal::TaskTaken => Sentence::new("Somebody else has this task now."),
            Refusal::StaffSuspended => Sentence::new("This account is suspended. Ask an Owner of the office."),
            Refusal::StaffTaken => Sentence::new("This person is already an administrator."),
            Refusal::StaffNotFound => Sentence::new("There is no such member of staff."),
            Refusal::NoSuchView => Sentence::new("This view is not there any more, or not yours to change."),
            Refusal::StaffChanged => {
                Sentence::new("Somebody else has just changed this account. Look again, and decide then.")
            }
            Refusal::OwnRole => Sentence::new("You cannot change your own role."),
            Refusal::OwnAccount => Sentence::new("You cannot do this to your own account."),
            Refusal::LastOwner => Sentence::new("The office needs an active Owner. Make somebody else Owner first."),
            Refusal::NoSuchInvitation => Sentence::new("This invitation is no longer valid. Ask for another one."),
            Refusal::NoSuchQuestionnaire => Sentence::new("There is no such version of the questions."),
            Refusal::QuestionnaireInUse => {
                Sentence::new("This questionnaire has answers and cannot be deleted. Archive it.")
            }
            Refusal::QuestionnairePublished => Sentence::new("These questions are asked now. Publish others first."),
            Refusal::QuestionnaireStale => {
                Sentence::new("Somebody else has changed these questions in the meantime. Look again, and decide then.")
            }
            Refusal::SettingStale => {
                Sentence::new("Somebody else has changed this in the meantime. Look at both, and save again.")
            }
            Refusal::ContractNotFound => text!("Contract not found."),
            Refusal::ContractClosed => {
                text!("This can no longer be done with the contract. Check where it stands now.")
            }
            Refusal::ContractChanged => {
                Sentence::new("The contract has changed in the meantime. Look at it again, and decide then.")
            }
            Refusal::NoContractYet => Sentence::new("There is a contract only once the applicant has taken the offer."),
            Refusal::ContractOutdated => {
                text!(
                    "The way tuition is paid has changed since this contract was sent. A new contract has to be prepared."
                )
            }
            Refusal::NoSuchCondition => Sentence::new("There is no such condition."),
            Refusal::NoReading => Sentence::new("They are not asked to read this application, or have sent theirs."),
            Refusal::ReadingSent => Sentence::new("You have sent your reading already. It stays as it is."),
            Refusal::ReadingOver => Sentence::new("The application is decided: it is not read any more."),
            Refusal::TaskPersonal => Sentence::new(
                "Only the reader who was asked can do this. Withdraw the request in the tab Readings, or ask somebody else there.",
            ),
            Refusal::ConditionChanged => Sentence::new(
                "Somebody else has noted something about this condition. Look at it again, and decide then.",
            ),
            Refusal::ContractBroken => {
                text!(
                    "The stored text of this contract is not the one that was sent. Write to admissions before you sign."
                )
            }
            Refusal::TemplateStale => {
                Sentence::new("Somebody else has changed this template in the meantime. Look again, and decide then.")
            }
            Refusal::NoSuchSetting => Sentence::new("There is no such setting."),
            Refusal::KeyReused => {
                text!("Something else was sent under this key before. Nothing was done now. Send it under another key.")
            }
            Refusal::ApplicationNotFound => Sentence::new("Application not found."),
            Refusal::ApplicationChanged => {
                Sentence::new("Another administrator changed this application. Reload to see the latest version.")
            }
            Refusal::NoSuchNote => Sentence::new("There is no such note any more."),
            Refusal::NoteChanged => Sentence::new("You have changed this note elsewhere. Look at it again."),
            Refusal::NobodyToWriteTo => {
                Sentence::new("The applicant has closed the account: there is no address to write to.")
            }
            Refusal::AddressUnconfirmed => Sentence::new(
                "The applicant has not confirmed this address. What was written waits until they do, and is among their messages.",
            ),
            Refusal::NotToBeResent => Sentence::new(
                "This mail is under way already, or has a link in it that works once. It is not sent again.",
            ),
            Refusal::NoFunding => text!("You can plan how to pay once you have accepted an offer."),
            Refusal::MoneySettled => Sentence::new("Somebody else has settled this meanwhile. Load the page again."),
            Refusal::NoSuchRequest => Sentence::new("There is nothing like this to approve."),
            Refusal::OwnRequest => {
                Sentence::new("You have asked for this, so somebody else has to approve or decline it.")
            }
            Refusal::OthersRequest => Sentence::new("Only who has asked for this can take it back."),
            Refusal::RequestSettled => {
                Sentence::new("This was approved, declined or taken back already. Load the page again.")
            }
            Refusal::RequestOutdated => {
                Sentence::new("It would be another amount by now. Decline this, so that it can be asked for anew.")
            }
            Refusal::FundingChanged => {
                text!("This plan was changed a moment ago. Look at it again before you change it.")
            }
            Refusal::FundingFixed => {
                text!("Payments have begun, so this plan cannot be changed here. Write to admissions.")
            }
            Refusal::FundingAgreed => {
                text!(
                    "Your contract says how you pay. Write to admissions to change the plan: you will then get a new contract."
                )
            }
            Refusal::Ledger(error) => error.sentence(),
            Refusal::NoCardPayments => text!("Card payments are not available. Pay by transfer, check or invoice."),
            Refusal::ProviderUnreachable => {
                text!(
                    "We cannot reach the card payment service right now. Nothing was paid. Try again in a few minutes."
                )
            }
            Refusal::NothingToPay => text!("There is nothing to pay for this now."),
            Refusal::BeingCharged => {
                text!("Your card is being charged for this payment right now. Check again in a few minutes.")
            }
            Refusal::RefundRefused => {
                Sentence::new("The provider did not send the money back. What it said stands with the payment.")
            }
            Refusal::RefundUnderWay => Sentence::new(
                "The refund is kept. The provider does not answer now: it is asked again by itself until it does.",
            ),
            Refusal::Unsigned => Sentence::new("This message has no signature of the provider."),
            Refusal::SignedTooLongAgo => Sentence::new("This message was signed more than five minutes ago."),
            Refusal::NoFee => text!("There is no application fee for this application."),
            Refusal::FeeSettled => text!("The application fee is paid or waived already."),
            Refusal::FeeNeedClosed => {
                text!("A waiver of the application fee cannot be asked for here. Write to admissions.")
            }
            Refusal::FeeNeedAsked => {
                text!("You have already asked for a waiver. Write to admissions if something has changed.")
            }
            Refusal::NoFeeNeed => {
                Sentence::plain("No waiver is asked for, or somebody has answered already. Load the page again.")
            }
            Refusal::FeeWaiverKept => Sentence::plain(
                "This waiver can no longer be taken back here: staff have not given it, or the application has moved on \
                 since. Finance can reverse it in the ledger.",
            ),
            Refusal::FeeCodeNotFound => Sentence::plain("There is no such code."),
            Refusal::NotWaitlisted => Sentence::plain("This application is not on the waitlist. Load the page again."),
            Refusal::ProspectNotFound => Sentence::plain("This prospect is not there any more."),
            Refusal::OpenDayNotFound => text!("There is no such open day."),
            Refusal::NoReferences => text!("Your program asks for no references."),
            Refusal::RefereeNotFound => text!("This referee or reference is not there any more. Load the page again."),
            Refusal::TooManyReferees => {
                text!("You have named as many referees as you can. Remove one to name somebody else.")
            }
            Refusal::ReferencesClosed => text!("This reference can no longer be changed. Load the page again."),
            Refusal::RemindedRecently => {
                text!("We wrote to this referee a short time ago. Wait a few days before you send a reminder.")
            }
            Refusal::EmailNotConfirmed => text!("Confirm your own email address first. Then we can write to referees."),
            Refusal::OpenDayFull => {
                text!("There are not enough places left. Choose fewer people, or another open day.")
            }
            Refusal::OpenDayOver => text!("This open day is over."),
            Refusal::OpenDayCancelled => text!("This open day has been canceled."),
            Refusal::OpenDayChanged => Sentence::plain(
                "Somebody else has changed this open day in the meantime. Look at it again, and save it then.",
            ),
            Refusal::BookingNotFound => Sentence::plain("There is no such booking of this open day any more."),
        }
    }
}

impl Error {
    /// Whole minutes to wait, at least one.
    pub fn minutes(wait: Millis) -> Millis {
        (wait + MINUTE - 1).div_euclid(MINUTE).max(1)
    }

    /// The same error as shown to staff, who change applications of others.
    #[must_use]
    pub fn for_staff(self) -> Error {
        match self {
            Error::Stale(_) => Refusal::ApplicationChanged.into(),
            Error::Refused(Refusal::NoApplication) => Refusal::ApplicationNotFound.into(),
            other => other,
        }
    }

    /// The sentence for the user.
    pub fn sentence(&self) -> Sentence {
        match self {
            Error::Invalid(errors) => {
                errors.first().map(|error| error.message.clone()).unwrap_or_else(|| Sentence::plain(""))
            }
            Error::Refused(refusal) => refusal.sentence(),
            Error::Rejected(rejection) => rejection.sentence(),
            Error::NotAllowed(refused) => refused.sentence(),
            Error::Stale(_) => text!("This application was changed in another tab. Reload to see the latest version."),
            Error::Throttled { code: "auth.throttled", wait } => {
                text!(
                    "Too many attempts. Try again in {minutes} minutes or reset your password.",
                    minutes = Self::minutes(*wait)
                )
            }
            Error::Throttled { wait, .. } => {
                text!("Too many attempts. Try again in {minutes} minutes.", minutes = Self::minutes(*wait))
            }
            Error::Unavailable(_) => text!("This did not work. Nothing was changed. Try again in a minute."),
            Error::Internal(_) => text!("Something went wrong on our side. Nothing was changed. Try again."),
        }
    }
}

impl From<RoleForbidden> for Refusal {
    fn from(_: RoleForbidden) -> Refusal {
        Refusal::RoleForbidden
    }
}

impl From<RoleForbidden> for Error {
    fn from(_: RoleForbidden) -> Error {
        Refusal::RoleForbidden.into()
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Error::Refused(refusal)
    }
}

impl From<Rejection> for Error {
    fn from(rejection: Rejection) -> Self {
        Error::Rejected(rejection)
    }
}

impl From<StorageError> for Error {
    fn from(error: StorageError) -> Self {
        match error {
            // A row names it, so it existed once.
            StorageError::Missing => Error::Internal(StoreError::Broken(error.into())),
            StorageError::Unavailable(_) => Error::Unavailable(Some(StoreError::Unavailable(error.into()))),
        }
    }
}

impl From<FieldError> for Error {
    fn from(error: FieldError) -> Self {
        Error::Invalid(vec![error])
    }
}

impl From<Vec<FieldError>> for Error {
    fn from(errors: Vec<FieldError>) -> Self {
        Error::Invalid(errors)
    }
}

impl From<Overloaded> for Error {
    fn from(_: Overloaded) -> Self {
        Error::Unavailable(None)
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Taken("email") => Error::Refused(Refusal::EmailTaken),
            StoreError::Taken("staff") => Error::Refused(Refusal::StaffTaken),
            StoreError::Taken("invitation") => {
                let sentence = Sentence::new("This person is invited already. Send the invitation again instead.");
                FieldError::new("email", "invitation.open", sentence).into()
            }
            StoreError::Taken("application") => Error::Refused(Refusal::ApplicationActive),
            // The draft has just been released or replaced.
            StoreError::Taken("decision") => Error::Refused(Refusal::NoDecision),
            // Somebody else was quicker to take the last place.
            StoreError::Taken("place") => Error::NotAllowed(Refused::Unmet(Guard::PlaceLeft)),
            StoreError::Taken("questionnaire") => Error::Refused(Refusal::QuestionnaireStale),
            // Somebody else was quicker to use it.
            StoreError::Taken("fee_code") => FeeCode::spent().into(),
            StoreError::Unavailable(_) => Error::Unavailable(Some(error)),
            StoreError::Taken(_) | StoreError::Broken(_) => Error::Internal(error),
        }
    }
}

impl From<TokenError> for Error {
    fn from(error: TokenError) -> Self {
        Error::Refused(match error {
            TokenError::Invalid => Refusal::TokenInvalid,
            TokenError::Expired => Refusal::TokenExpired,
            TokenError::Audience => Refusal::TokenAudience,
        })
    }
}
