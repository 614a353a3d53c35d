//! Why a use case did not do what it was asked.

use crate::ports::{Overloaded, StorageError, TokenError};
use domain::application::Application;
use domain::documents::{MAX_FILES, Rejection};
use domain::input::FieldError;
use domain::ledger::LedgerError;
use domain::moments::{MINUTE, Millis};
use domain::permission::RoleForbidden;
use domain::sentence::Sentence;
use domain::status::Refused;
use domain::text;
use store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input breaks a rule; one entry for each bad field, never empty.
    #[error("invalid input")]
    Invalid(Vec<FieldError>),
    #[error("{}", .0.sentence())]
    Refused(Refusal),
    /// A file is not taken.
    #[error("{}", .0.sentence())]
    Rejected(Rejection),
    /// The table of statuses does not allow the act.
    #[error("{}", .0.sentence())]
    NotAllowed(Refused),
    /// The application was changed since the revision that the caller knows; the current copy.
    #[error("stale revision")]
    Stale(Box<Application>),
    /// Too many attempts; `code` is `rate_limited` or `auth.throttled`.
    #[error("too many attempts")]
    Throttled { code: &'static str, wait: Millis },
    /// Nothing was changed; it may work in a minute.
    #[error("unavailable")]
    Unavailable(#[source] Option<StoreError>),
    /// A mistake of ours.
    #[error("internal error")]
    Internal(#[source] StoreError),
}

/// A refusal that is nobody's typing error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Unknown address or wrong password; never which.
    WrongCredentials,
    AccountDisabled,
    /// No token was sent.
    LoginRequired,
    TokenInvalid,
    TokenExpired,
    TokenAudience,
    /// The token is good, its session is not any more.
    SessionEnded,
    EmailTaken,
    NoApplication,
    /// The active application was never submitted, or there is none.
    NothingSubmitted,
    OtherProgram,
    ApplicationActive,
    /// It was sent: its answers stand.
    ApplicationSubmitted,
    /// Only some sections are open, and this is none of them.
    SectionClosed,
    NoSuchSession,
    DocumentNotFound,
    /// No document of that name is called for.
    UnknownSlot,
    /// The document is accepted or waived: nothing is added to it or taken from it.
    SlotClosed,
    TooManyFiles,
    /// The upload stands at another byte, or is over.
    UploadOffset,
    /// What arrived is not what was sent.
    UploadChecksum,
    /// Staff decide about a document that is not there.
    NothingToReview,
    /// Staff want to take back a decision about a document that is not theirs, or not the latest any more.
    NothingToTakeBack,
    /// The role does not include it.
    RoleForbidden,
    NoSuchMessage,
    /// No change of the address is under way.
    NoEmailChange,
    /// Another account has the address by now; never said in these words.
    EmailUnusable,
    /// There is, or is about to be, a contract.
    AccountBound,
    /// None is released, or none that may be known.
    NoDecision,
    /// Somebody else drafted, discarded or released meanwhile.
    DraftChanged,
    /// Somebody else has changed the times at which somebody can be met.
    RulesChanged,
    /// Somebody else has filled in the score sheet.
    ScoresChanged,
    /// None was held.
    NoInterview,
    /// Nobody waits for an answer to a wish to start later.
    NoDeferralWish,
    /// The password has to be given again.
    StepUp,
    /// Everybody of the office must have a second factor, and this one has none.
    SecondFactorMissing,
    /// It cannot be removed where everybody must have one.
    SecondFactorNeeded,
    SecondFactorThere,
    NoSecondFactor,
    PasskeyNotFound,
    /// Closed by now, or never of this application.
    TaskNotFound,
    /// It is done by doing what it says.
    TaskClosesItself,
    /// Another member of staff has it.
    TaskTaken,
    StaffSuspended,
    /// Someone of the office has the address.
    StaffTaken,
    StaffNotFound,
    /// No view of the list that they have, or may change.
    NoSuchView,
    /// Somebody else has changed the account a moment ago.
    StaffChanged,
    OwnRole,
    /// One's own account is neither suspended nor removed from the list.
    OwnAccount,
    /// No active Owner would be left.
    LastOwner,
    NoSuchInvitation,
    NoSuchQuestionnaire,
    /// Somebody has answered it.
    QuestionnaireInUse,
    /// It is the one that is asked now.
    QuestionnairePublished,
    /// Somebody else has published, or changed the draft.
    QuestionnaireStale,
    /// Somebody else has changed the setting.
    SettingStale,
    /// None that this person may know of.
    ContractNotFound,
    /// It is not at a state at which this can be done any more.
    ContractClosed,
    /// Somebody else has changed it, or what it would say, since it was seen; told to staff.
    ContractChanged,
    /// The application is not at a stage at which there is one.
    NoContractYet,
    /// How tuition is paid was planned anew since it was sent.
    ContractOutdated,
    /// What stands in it is not what was frozen.
    ContractBroken,
    /// Somebody else has published, or changed the draft.
    TemplateStale,
    NoSuchCondition,
    /// They are not asked to read it, or have sent theirs.
    NoReading,
    /// What was sent stays as it is.
    ReadingSent,
    /// The application is decided.
    ReadingOver,
    /// Nobody else can do it.
    TaskPersonal,
    /// Somebody else has noted something about it since it was seen.
    ConditionChanged,
    NoSuchSetting,
    /// Something else was sent under the key before.
    KeyReused,
    /// None that is listed has this id.
    ApplicationNotFound,
    /// Somebody else has changed the application since it was seen; told to staff.
    ApplicationChanged,
    NoSuchNote,
    /// Its author has changed it elsewhere.
    NoteChanged,
    /// The account is closed: it has no address.
    NobodyToWriteTo,
    /// The applicant has not said that the address is theirs.
    AddressUnconfirmed,
    /// It is under way, or has a secret in it that is good for one mail.
    NotToBeResent,
    /// Nobody without a place plans how to pay for it.
    NoFunding,
    /// Somebody else has changed how tuition is to be paid.
    FundingChanged,
    /// Somebody else has settled it, or it was never there.
    MoneySettled,
    /// Payments have begun: the plan is Finance's to change.
    FundingFixed,
    /// A contract that was sent says how the applicant pays: the plan is Finance's to change.
    FundingAgreed,
    /// Nothing that a second person has to approve.
    NoSuchRequest,
    /// Who has asked for it approves or declines it.
    OwnRequest,
    /// Somebody else than who has asked takes it back.
    OthersRequest,
    /// It was approved, declined or taken back.
    RequestSettled,
    /// It would be another amount by now.
    RequestOutdated,
    /// What was to be done about the ledger cannot be done; told to staff.
    Ledger(LedgerError),
    /// No provider of card payments is set up.
    NoCardPayments,
    /// The provider of card payments does not answer, or nobody knows what it did.
    ProviderUnreachable,
    /// Nothing of it is owed, or not now.
    NothingToPay,
    /// The saved card is being charged with it.
    BeingCharged,
    /// The provider did not send the money back; told to staff.
    RefundRefused,
    /// It is kept, and the provider is asked again; told to staff.
    RefundUnderWay,
    /// A message that the provider has not signed.
    Unsigned,
    /// It has, but not lately.
    SignedTooLongAgo,
}

impl Refusal {
    /// Stable and machine-readable.
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
            Refusal::TaskNotFound => "task.not_found",
            Refusal::TaskClosesItself => "task.closes_itself",
            Refusal::TaskTaken => "task.taken",
            Refusal::StaffSuspended => "staff.suspended",
            // Of another account than an applicant's; the code is the same for whoever asks by program.
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
            // What an applicant's own stale copy is called, too.
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
        }
    }

    /// One plain sentence for the person.
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
        }
    }
}

impl Error {
    /// Whole minutes to wait, at least one.
    pub fn minutes(wait: Millis) -> Millis {
        (wait + MINUTE - 1).div_euclid(MINUTE).max(1)
    }

    /// The same as it is told to staff, who change what is not theirs.
    #[must_use]
    pub fn for_staff(self) -> Error {
        match self {
            Error::Stale(_) => Refusal::ApplicationChanged.into(),
            Error::Refused(Refusal::NoApplication) => Refusal::ApplicationNotFound.into(),
            other => other,
        }
    }

    /// The sentence for the person.
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
            // A row names it, so it was there.
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
            // The draft was released or replaced a moment ago.
            StoreError::Taken("decision") => Error::Refused(Refusal::NoDecision),
            StoreError::Taken("questionnaire") => Error::Refused(Refusal::QuestionnaireStale),
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
