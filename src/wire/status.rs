//! The HTTP statuses of refusals.

use axum::http::StatusCode;

use app::Refusal;
use domain::documents::Rejection;
use domain::ledger::LedgerError;
use domain::status::Refused;

/// Returns the status of a refusal.
pub fn status_of(refusal: Refusal) -> StatusCode {
    match refusal {
        Refusal::WrongCredentials
        | Refusal::LoginRequired
        | Refusal::TokenInvalid
        | Refusal::TokenExpired
        | Refusal::TokenAudience
        | Refusal::SessionEnded
        | Refusal::StepUp => StatusCode::UNAUTHORIZED,
        Refusal::AccountDisabled
        | Refusal::RoleForbidden
        | Refusal::OwnRole
        | Refusal::OwnAccount
        | Refusal::OwnRequest
        | Refusal::OthersRequest
        | Refusal::StaffSuspended
        | Refusal::SignOnForbidden
        | Refusal::SignOnUnconfirmed
        | Refusal::SignOnUnverified
        | Refusal::SignOnOther
        | Refusal::ApiKeyReadOnly
        | Refusal::ApiKeyForbidden
        | Refusal::SecondFactorMissing => StatusCode::FORBIDDEN,
        Refusal::NoApplication
        | Refusal::NothingSubmitted
        | Refusal::NoSuchSession
        | Refusal::NoSuchMessage
        | Refusal::NoEmailChange
        | Refusal::NoDecision
        | Refusal::NoDeferralWish
        | Refusal::NoInterview
        | Refusal::StaffNotFound
        | Refusal::NoSuchView
        | Refusal::NoSuchInvitation
        | Refusal::NoSuchQuestionnaire
        | Refusal::ApplicationNotFound
        | Refusal::NoSuchNote
        | Refusal::NoSuchRequest
        | Refusal::ContractNotFound
        | Refusal::NoSuchCondition
        | Refusal::NoReading
        | Refusal::Ledger(LedgerError::NotFound)
        | Refusal::NoSuchSetting
        | Refusal::PasskeyNotFound
        | Refusal::ApiKeyNotFound
        | Refusal::WebhookNotFound
        | Refusal::IdentityProviderNotFound
        | Refusal::ImportNotFound
        | Refusal::DeliveryNotFound
        | Refusal::TaskNotFound
        | Refusal::NoFee
        | Refusal::FeeCodeNotFound
        | Refusal::ProspectNotFound
        | Refusal::OpenDayNotFound
        | Refusal::BookingNotFound
        | Refusal::RefereeNotFound
        | Refusal::DocumentNotFound => StatusCode::NOT_FOUND,
        Refusal::ApplicationChanged | Refusal::NoteChanged => StatusCode::PRECONDITION_FAILED,
        Refusal::EmailTaken
        | Refusal::TooManyApiKeys
        | Refusal::TooManyWebhooks
        | Refusal::TooManyIdentityProviders
        | Refusal::ImportState
        | Refusal::ImportRowsWrong
        | Refusal::ImportNothingReady
        | Refusal::ImportWorkedOn
        | Refusal::ReadingSent
        | Refusal::ReadingOver
        | Refusal::TaskPersonal
        | Refusal::NobodyToWriteTo
        | Refusal::AddressUnconfirmed
        | Refusal::NotToBeResent
        | Refusal::FundingFixed
        | Refusal::NoCardPayments
        | Refusal::NothingToPay
        | Refusal::FeeSettled
        | Refusal::FeeNeedClosed
        | Refusal::FeeNeedAsked
        | Refusal::NoFeeNeed
        | Refusal::FeeWaiverKept
        | Refusal::NotWaitlisted
        | Refusal::BeingCharged
        | Refusal::RefundRefused
        | Refusal::FundingAgreed
        | Refusal::NoFunding
        | Refusal::Ledger(LedgerError::Reversed | LedgerError::Negative | LedgerError::NothingOwed)
        | Refusal::OtherProgram
        | Refusal::ApplicationActive
        | Refusal::ApplicationSubmitted
        | Refusal::SectionClosed
        | Refusal::SlotClosed
        | Refusal::TooManyFiles
        | Refusal::UploadOffset
        | Refusal::NothingToReview
        | Refusal::NothingToTakeBack
        | Refusal::EmailUnusable
        | Refusal::AccountBound
        | Refusal::StaffTaken
        | Refusal::StaffChanged
        | Refusal::DraftChanged
        | Refusal::MoneySettled
        | Refusal::RequestSettled
        | Refusal::RequestOutdated
        | Refusal::RulesChanged
        | Refusal::ScoresChanged
        | Refusal::LastOwner
        | Refusal::SecondFactorNeeded
        | Refusal::SecondFactorThere
        | Refusal::NoSecondFactor
        | Refusal::TaskClosesItself
        | Refusal::TaskTaken
        | Refusal::QuestionnaireInUse
        | Refusal::ContractClosed
        | Refusal::NoContractYet
        | Refusal::ContractBroken
        | Refusal::ContractOutdated
        | Refusal::OpenDayFull
        | Refusal::OpenDayOver
        | Refusal::OpenDayCancelled
        | Refusal::NoReferences
        | Refusal::TooManyReferees
        | Refusal::ReferencesClosed
        | Refusal::RemindedRecently
        | Refusal::EmailNotConfirmed
        | Refusal::QuestionnairePublished => StatusCode::CONFLICT,
        Refusal::QuestionnaireStale
        | Refusal::SettingStale
        | Refusal::ContractChanged
        | Refusal::ConditionChanged
        | Refusal::FundingChanged
        | Refusal::OpenDayChanged
        | Refusal::TemplateStale => StatusCode::PRECONDITION_FAILED,
        Refusal::KeyReused | Refusal::UnknownSlot | Refusal::Ledger(LedgerError::Amount | LedgerError::TooMuch) => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Refusal::ProviderUnreachable | Refusal::IdentityProviderAway | Refusal::RefundUnderWay => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        Refusal::SignOnExpired | Refusal::SignOnFailed | Refusal::Unsigned | Refusal::SignedTooLongAgo => {
            StatusCode::BAD_REQUEST
        }
        // "Checksum Mismatch" of the tus protocol, which HTTP does not define.
        Refusal::UploadChecksum => StatusCode::from_u16(460).expect("three digits are a status"),
    }
}

/// Returns the status of a file that is not accepted.
pub fn status_of_rejected(rejection: Rejection) -> StatusCode {
    match rejection {
        Rejection::TooLarge | Rejection::MoreThanAnnounced => StatusCode::PAYLOAD_TOO_LARGE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

/// Returns the status of an act that the status table does not allow.
pub fn status_of_refused(refused: Refused) -> StatusCode {
    match refused {
        Refused::Forbidden => StatusCode::FORBIDDEN,
        Refused::NotFrom { .. } | Refused::Unmet(_) => StatusCode::CONFLICT,
    }
}
