//! Errors on the wire: RFC 9457 documents, with `error` for the first clients of this API, which read nothing else.

use std::any::Any;
use std::error::Error as StdError;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::users::application::Application;
use app::{Error, Refusal};
use domain::documents::Rejection;
use domain::input::FieldError;
use domain::ledger::LedgerError;
use domain::permission::RoleForbidden;
use domain::sentence::Sentence;
use domain::status::Refused;
use domain::text;

/// A kind of problem, as the docs page lists it.
#[derive(Debug)]
pub struct Kind {
    /// Stable and machine-readable.
    pub code: &'static str,
    pub status: StatusCode,
    /// When it occurs.
    pub meaning: &'static str,
}

macro_rules! kinds {
    ($($name:ident = $status:ident, $code:literal, $meaning:literal;)*) => {
        /// The problems that no [`Refusal`] and no field of a body account for.
        pub mod kind {
            use super::{Kind, StatusCode};
            $(pub static $name: Kind = Kind { code: $code, status: StatusCode::$status, meaning: $meaning };)*
            pub static ALL: &[&Kind] = &[$(&$name),*];
        }
    };
}

kinds! {
    JSON_SYNTAX = BAD_REQUEST, "json.syntax", "The body is not JSON; the sentence names line and column.";
    JSON_DEPTH = BAD_REQUEST, "json.depth", "The body is nested more than 32 deep.";
    JSON_UNICODE = BAD_REQUEST, "json.unicode", "The body is not UTF-8, or an escape is half of a surrogate pair.";
    JSON_NUL = BAD_REQUEST, "json.nul", "A string or name contains U+0000.";
    JSON_DUPLICATE = BAD_REQUEST, "json.duplicate", "A name occurs twice in one object.";
    JSON_NUMBER = BAD_REQUEST, "json.number", "A number has thousands of digits.";
    JSON_OBJECT = BAD_REQUEST, "json.object", "The body is JSON, but no object.";
    INCOMPLETE = BAD_REQUEST, "request.incomplete", "The connection ended before the body.";
    PRECONDITION = BAD_REQUEST, "precondition.invalid", "If-Match is neither one strong entity tag nor *.";
    TIMEOUT = REQUEST_TIMEOUT, "request.timeout", "The body did not arrive in time, or an upload came too slowly to wait for.";
    TOO_LARGE = PAYLOAD_TOO_LARGE, "body.too_large", "The body is larger than 256 KB, or the rows of an import than 10 MB.";
    CONTENT_TYPE = UNSUPPORTED_MEDIA_TYPE, "content_type", "The body is not announced as application/json.";
    NOT_FOUND = NOT_FOUND, "not_found", "There is no such call.";
    METHOD = METHOD_NOT_ALLOWED, "method_not_allowed", "Allow lists the methods of this path.";
    INVALID = UNPROCESSABLE_ENTITY, "invalid",
        "A field breaks a rule: the code is its path and the rule, as in email.required; fields tells every bad field.";
    UNKNOWN_FIELD = UNPROCESSABLE_ENTITY, "field.unknown", "The body contains a field that this call does not have.";
    STALE = PRECONDITION_FAILED, "application.stale", "If-Match names an older revision; current is the newest one.";
    IDEMPOTENCY_KEY = BAD_REQUEST, "idempotency_key.invalid", "Idempotency-Key is not 1 to 100 letters, digits and signs.";
    FORBIDDEN = FORBIDDEN, "role.forbidden", "Not by the one who asks.";
    TRANSITION = CONFLICT, "status.transition", "Not at the stage that the application is at.";
    UNMET = CONFLICT, "status.unmet",
        "Something that must hold does not: the code says what, as in undo.too_late.";
    MULTIPART = BAD_REQUEST, "multipart.syntax", "The body is not multipart/form-data with a document's name and a file.";
    TUS_SYNTAX = BAD_REQUEST, "tus.syntax", "A header of the tus protocol is missing or says nothing.";
    TUS_VERSION = PRECONDITION_FAILED, "tus.version", "Tus-Resumable is not 1.0.0; Tus-Version lists what is.";
    FILE_TOO_LARGE = PAYLOAD_TOO_LARGE, "file.too_large", "The file is larger than Tus-Max-Size, than was announced, or than the 10 MB of an import.";
    FILE = UNPROCESSABLE_ENTITY, "file",
        "The file is not taken: the code says why, as in file.type_mismatch or file.malware.";
    RANGE = RANGE_NOT_SATISFIABLE, "range", "The file has no such bytes; Content-Range tells how many it has.";
    RATE_LIMITED = TOO_MANY_REQUESTS, "rate_limited", "Too many calls from this address; see Retry-After.";
    THROTTLED = TOO_MANY_REQUESTS, "auth.throttled", "Too many failed logins; see Retry-After.";
    UNAVAILABLE = SERVICE_UNAVAILABLE, "storage.unavailable", "Nothing was changed; see Retry-After.";
    INTERNAL = INTERNAL_SERVER_ERROR, "internal", "A mistake of ours; quote requestId when you report it.";
}

/// Every [`Refusal`], for the docs page.
pub const REFUSALS: &[Refusal] = &[
    Refusal::WrongCredentials,
    Refusal::LoginRequired,
    Refusal::TokenInvalid,
    Refusal::TokenExpired,
    Refusal::TokenAudience,
    Refusal::SessionEnded,
    Refusal::AccountDisabled,
    Refusal::NoApplication,
    Refusal::NothingSubmitted,
    Refusal::NoSuchSession,
    Refusal::NoSuchMessage,
    Refusal::NoEmailChange,
    Refusal::EmailUnusable,
    Refusal::AccountBound,
    Refusal::EmailTaken,
    Refusal::OtherProgram,
    Refusal::ApplicationActive,
    Refusal::ApplicationSubmitted,
    Refusal::SectionClosed,
    Refusal::NoDecision,
    Refusal::DraftChanged,
    Refusal::RulesChanged,
    Refusal::ScoresChanged,
    Refusal::NoInterview,
    Refusal::NoDeferralWish,
    Refusal::DocumentNotFound,
    Refusal::UnknownSlot,
    Refusal::SlotClosed,
    Refusal::TooManyFiles,
    Refusal::UploadOffset,
    Refusal::UploadChecksum,
    Refusal::NothingToReview,
    Refusal::NothingToTakeBack,
    Refusal::StepUp,
    Refusal::SecondFactorMissing,
    Refusal::SecondFactorNeeded,
    Refusal::SecondFactorThere,
    Refusal::NoSecondFactor,
    Refusal::PasskeyNotFound,
    Refusal::ApiKeyNotFound,
    Refusal::TooManyApiKeys,
    Refusal::ApiKeyReadOnly,
    Refusal::ApiKeyForbidden,
    Refusal::WebhookNotFound,
    Refusal::TooManyWebhooks,
    Refusal::DeliveryNotFound,
    Refusal::IdentityProviderNotFound,
    Refusal::TooManyIdentityProviders,
    Refusal::IdentityProviderAway,
    Refusal::ImportNotFound,
    Refusal::ImportState,
    Refusal::ImportRowsWrong,
    Refusal::ImportNothingReady,
    Refusal::ImportWorkedOn,
    Refusal::SignOnExpired,
    Refusal::SignOnFailed,
    Refusal::SignOnForbidden,
    Refusal::SignOnUnverified,
    Refusal::SignOnUnconfirmed,
    Refusal::SignOnOther,
    Refusal::TaskNotFound,
    Refusal::TaskClosesItself,
    Refusal::TaskTaken,
    Refusal::StaffSuspended,
    Refusal::StaffNotFound,
    Refusal::NoSuchView,
    Refusal::StaffChanged,
    Refusal::OwnRole,
    Refusal::OwnAccount,
    Refusal::LastOwner,
    Refusal::NoSuchInvitation,
    Refusal::NoSuchQuestionnaire,
    Refusal::QuestionnaireInUse,
    Refusal::QuestionnairePublished,
    Refusal::QuestionnaireStale,
    Refusal::SettingStale,
    Refusal::ContractNotFound,
    Refusal::ContractClosed,
    Refusal::ContractChanged,
    Refusal::NoContractYet,
    Refusal::ContractOutdated,
    Refusal::ContractBroken,
    Refusal::NoSuchCondition,
    Refusal::NoReading,
    Refusal::ReadingSent,
    Refusal::ReadingOver,
    Refusal::TaskPersonal,
    Refusal::ConditionChanged,
    Refusal::TemplateStale,
    Refusal::NoSuchSetting,
    Refusal::KeyReused,
    Refusal::ApplicationNotFound,
    Refusal::NoSuchNote,
    Refusal::NoteChanged,
    Refusal::NobodyToWriteTo,
    Refusal::AddressUnconfirmed,
    Refusal::NotToBeResent,
    Refusal::NoFunding,
    Refusal::FundingChanged,
    Refusal::MoneySettled,
    Refusal::NoSuchRequest,
    Refusal::OwnRequest,
    Refusal::OthersRequest,
    Refusal::RequestSettled,
    Refusal::RequestOutdated,
    Refusal::FundingFixed,
    Refusal::FundingAgreed,
    Refusal::Ledger(LedgerError::Amount),
    Refusal::Ledger(LedgerError::TooMuch),
    Refusal::Ledger(LedgerError::NotFound),
    Refusal::Ledger(LedgerError::Reversed),
    Refusal::Ledger(LedgerError::Negative),
    Refusal::Ledger(LedgerError::NothingOwed),
    Refusal::NoCardPayments,
    Refusal::ProviderUnreachable,
    Refusal::NothingToPay,
    Refusal::BeingCharged,
    Refusal::RefundRefused,
    Refusal::RefundUnderWay,
    Refusal::Unsigned,
    Refusal::SignedTooLongAgo,
    Refusal::ProspectNotFound,
    Refusal::OpenDayNotFound,
    Refusal::OpenDayFull,
    Refusal::OpenDayOver,
    Refusal::OpenDayCancelled,
    Refusal::OpenDayChanged,
    Refusal::BookingNotFound,
    Refusal::NoReferences,
    Refusal::RefereeNotFound,
    Refusal::TooManyReferees,
    Refusal::ReferencesClosed,
    Refusal::RemindedRecently,
    Refusal::EmailNotConfirmed,
    Refusal::NoFee,
    Refusal::FeeSettled,
    Refusal::FeeNeedClosed,
    Refusal::FeeNeedAsked,
    Refusal::NoFeeNeed,
    Refusal::FeeWaiverKept,
    Refusal::FeeCodeNotFound,
    Refusal::NotWaitlisted,
];

/// Maximum number of entries in `fields`: a response is never much larger than its request.
const MAX_FIELDS: usize = 100;

/// A response that says what went wrong.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    code: String,
    /// Where the docs page explains it.
    explained: &'static str,
    sentence: Sentence,
    /// By path, in the order they were checked, which is that of the form.
    fields: Vec<(String, Sentence)>,
    /// In seconds.
    retry_after: Option<i64>,
    current: Option<Box<Application>>,
}

impl Problem {
    pub fn new(kind: &'static Kind, sentence: impl Into<Sentence>) -> Problem {
        Problem {
            status: kind.status,
            code: kind.code.into(),
            explained: kind.code,
            sentence: sentence.into(),
            fields: Vec::new(),
            retry_after: None,
            current: None,
        }
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    #[cfg(test)]
    pub fn code(self) -> String {
        self.code
    }

    /// Returns the code and the sentence, for a list of several outcomes.
    pub fn into_parts(self) -> (String, Sentence) {
        (self.code, self.sentence)
    }

    /// Replaces the sentence if the database is unavailable: it is worth saying what was not done.
    pub fn when_unavailable(self, sentence: Sentence) -> Problem {
        if self.code == kind::UNAVAILABLE.code { Problem { sentence, ..self } } else { self }
    }
}

impl From<RoleForbidden> for Problem {
    fn from(forbidden: RoleForbidden) -> Self {
        Refusal::from(forbidden).into()
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Problem {
            status: wire::status_of(refusal),
            code: refusal.code().into(),
            explained: refusal.code(),
            sentence: refusal.sentence(),
            fields: Vec::new(),
            retry_after: None,
            current: None,
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let sentence = error.sentence();
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Rejected(Rejection::TooLarge | Rejection::MoreThanAnnounced) => {
                Problem::new(&kind::FILE_TOO_LARGE, sentence)
            }
            Error::Rejected(rejection) => {
                Problem { code: rejection.code().into(), ..Problem::new(&kind::FILE, sentence) }
            }
            Error::NotAllowed(refused) => {
                let kind = match refused {
                    Refused::Forbidden => &kind::FORBIDDEN,
                    Refused::NotFrom { .. } => &kind::TRANSITION,
                    Refused::Unmet(_) => &kind::UNMET,
                };
                Problem { code: refused.code().into(), ..Problem::new(kind, sentence) }
            }
            Error::Invalid(errors) => {
                let code = errors.first().map(|error| error.code.clone()).unwrap_or_default();
                let mut fields: Vec<(String, Sentence)> = Vec::new();
                for error in errors.into_iter().take(MAX_FIELDS) {
                    if fields.iter().all(|(path, _)| *path != error.path) {
                        fields.push((error.path, error.message));
                    }
                }
                let kind = if code == kind::UNKNOWN_FIELD.code { &kind::UNKNOWN_FIELD } else { &kind::INVALID };
                Problem { code, fields, ..Problem::new(kind, sentence) }
            }
            Error::Stale(current) => {
                Problem { current: Some(Box::new((&*current).into())), ..Problem::new(&kind::STALE, sentence) }
            }
            Error::Throttled { code, wait } => {
                let kind = if code == kind::THROTTLED.code { &kind::THROTTLED } else { &kind::RATE_LIMITED };
                Problem { retry_after: Some((wait + 999).div_euclid(1000).max(1)), ..Problem::new(kind, sentence) }
            }
            Error::Unavailable(ref source) => {
                match source {
                    Some(source) => tracing::warn!(cause = chain(source), "the storage is unavailable"),
                    None => tracing::warn!("too much to do at once"),
                }
                Problem { retry_after: Some(60), ..Problem::new(&kind::UNAVAILABLE, sentence) }
            }
            Error::Internal(ref source) => {
                tracing::error!(cause = chain(source), "internal error");
                Problem::new(&kind::INTERNAL, sentence)
            }
        }
    }
}

impl From<Vec<FieldError>> for Problem {
    fn from(errors: Vec<FieldError>) -> Self {
        Error::Invalid(errors).into()
    }
}

/// Formats an error and its causes, for the log.
fn chain(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Responds to a panic in a handler.
pub fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    tracing::error!(panic = text.unwrap_or("of another type"), "a handler panicked");
    Problem::new(&kind::INTERNAL, text!("Something went wrong on our side. Nothing was changed. Try again."))
        .into_response()
}

/// The document that describes every error.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Problem)]
pub struct ProblemDocument {
    /// Where the problem is explained.
    #[schema(example = "/api/docs#email.taken")]
    r#type: String,
    /// The phrase of the HTTP status.
    title: &'static str,
    status: StatusMember,
    /// One plain sentence for the user.
    #[schema(value_type = String)]
    detail: Sentence,
    /// The same sentence.
    #[schema(value_type = String)]
    error: Sentence,
    /// Stable and machine-readable: `email.taken`. If several fields are invalid, the first one's.
    code: String,
    /// A sentence for each invalid field, by its path: `employment.currentEmployer.hoursPerWeek`.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_object")]
    #[schema(value_type = std::collections::BTreeMap<String, String>, required = false)]
    fields: Vec<(String, Sentence)>,
    /// With `application.stale`: the application as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    current: Option<Box<Application>>,
    /// Quote it when reporting the problem.
    request_id: String,
}

fn as_object<S: Serializer>(entries: &[(String, Sentence)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(path, sentence)| (path, sentence)))
}

/// The HTTP status. Only `application.none` says `none` here, the status of an application that does not exist: clients
/// read this member of that response as they read it of an application.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum StatusMember {
    Http(u16),
    NoApplication(NoApplication),
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NoApplication {
    None,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let none = self.code == Refusal::NoApplication.code();
        let http = StatusMember::Http(self.status.as_u16());
        let document = ProblemDocument {
            r#type: format!("/api/docs#{}", self.explained),
            title: self.status.canonical_reason().unwrap_or_default(),
            status: if none { StatusMember::NoApplication(NoApplication::None) } else { http },
            detail: self.sentence.clone(),
            error: self.sentence,
            code: self.code,
            fields: self.fields,
            current: self.current,
            request_id: wire::request_id(),
        };
        let mut response = (self.status, Json(document)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use axum::body::to_bytes;
    use serde_json::Value;

    use super::*;
    use app::StoreError;

    async fn body(response: Response) -> Value {
        let bytes = to_bytes(response.into_body(), 1_000_000).await.unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[tokio::test]
    async fn a_mistake_of_ours_says_nothing_about_the_inside() {
        let broken = Error::Internal(StoreError::Broken("no such table: applicants".into()));
        let panicked = panicked(Box::new("index out of bounds: applicants".to_owned()));
        for response in [Problem::from(broken).into_response(), panicked] {
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            let body = body(response).await;
            assert_eq!(body["code"], "internal");
            assert!(!body.to_string().contains("applicants"), "{body}");
        }
    }

    #[tokio::test]
    async fn an_answer_is_not_much_larger_than_what_it_answers() {
        let errors = (0..40_000).map(|n| FieldError::new(n.to_string(), "field.unknown", "Unknown field."));
        let problem = Problem::from(Error::Invalid(errors.collect()));
        let body = body(problem.into_response()).await;
        assert_eq!(body["fields"].as_object().unwrap().len(), MAX_FIELDS);
    }

    #[test]
    fn whoever_must_wait_is_told_how_long() {
        let problem = Problem::from(Error::Throttled { code: "rate_limited", wait: 61_001 });
        assert_eq!(problem.sentence, "Too many attempts. Try again in 2 minutes.");
        assert_eq!(problem.into_response().headers()[header::RETRY_AFTER], "62");
        let problem = Problem::from(Error::Unavailable(None)).when_unavailable("Not saved.".into());
        assert_eq!(problem.sentence, "Not saved.");
        assert_eq!(problem.into_response().headers()[header::RETRY_AFTER], "60");
        assert_eq!(Problem::from(Refusal::EmailTaken).when_unavailable("Not saved.".into()).code, "email.taken");
    }

    #[test]
    fn every_code_is_explained_once() {
        let refusals = REFUSALS.iter().map(|refusal| refusal.code());
        let codes: Vec<&str> = kind::ALL.iter().map(|kind| kind.code).chain(refusals).collect();
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
    }
}
