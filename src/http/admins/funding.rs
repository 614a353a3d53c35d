//! `/admins/applications/{id}/funding…` and `/admins/applications/{id}/ledger`: how tuition is paid, and what has been
//! paid.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::LoggedInStaff;
use super::staff_request::renamed;

use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::users::funding::{Funding, FundingChange, FundingSeen, change};
use crate::users::submission::conditions;
use app::office::dossiers::{Booked, DeclineReason, FinanceBooking, SourceJudgment};
use app::{App, Error};
use domain::body::{both, sent_text, split};
use domain::input::{FieldError, Input, unknown_fields};
use domain::ledger::{BookingRequest, Method, Posted};
use domain::moments::rfc3339;
use domain::money::dollars;
use domain::staff::StaffSession;
use domain::{body, joined};

/// How tuition is paid, with the whole ledger of the application. Before there is a place, there is only the ledger.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeFunding {
    #[serde(flatten)]
    funding: Option<Funding>,
    /// Oldest first.
    ledger: Vec<LedgerTransaction>,
}

/// A transaction of the ledger. Its entries sum to zero.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerTransaction {
    id: String,
    /// `charge`, `payment`, `refund`, `waiver`, `write_off`, `reversal`
    kind: &'static str,
    /// `instalment-1`, `source-gi_bill`, `application-fee`; null for unmatched money.
    #[schema(required)]
    line: Option<String>,
    /// The transaction it refunds or reverses.
    #[schema(required)]
    about: Option<String>,
    /// `transfer`, `cheque`, `invoice`, `card`
    #[schema(required)]
    method: Option<&'static str>,
    /// For a payment: the day it arrived, if that was noted.
    #[schema(required, format = Date)]
    received_on: Option<String>,
    note: String,
    entries: Vec<LedgerEntry>,
    #[schema(format = DateTime)]
    recorded_at: String,
    /// `staff:ID`, `provider`, `system`
    recorded_by: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerEntry {
    /// `receivable`, `cash`, `clearing`, `income`, `waivers`, `write_offs`, `refunds`, `unapplied`
    account: &'static str,
    /// Positive for a debit, negative for a credit.
    cents: i64,
}

joined! {
    /// The verdict on a source.
    pub struct SourceVerdict(SourceJudgment, FundingSeen);
}

/// Something to write to the ledger.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct LedgerBooking {
    /// `pay`, `refund`, `waive`, `write-off`, `reverse`
    pub action: String,
    /// For `pay`, `waive` and `write-off`: `instalment-1`, `source-gi_bill`, `application-fee`; for `pay` also `none`.
    #[schema(nullable = false)]
    pub line: Option<String>,
    /// For `pay` and `refund`.
    #[schema(nullable = false)]
    pub cents: Option<i64>,
    /// For `pay`: `transfer`, `cheque`, `invoice`
    #[schema(nullable = false)]
    pub method: Option<String>,
    /// For `pay`: the day the money arrived; today, if left out.
    #[schema(nullable = false, format = Date)]
    pub received_on: Option<String>,
    /// For `pay`.
    #[schema(nullable = false)]
    pub note: Option<String>,
    /// For `refund` and `reverse`: the id.
    #[schema(nullable = false)]
    pub transaction: Option<String>,
    /// For all but `pay`.
    #[schema(nullable = false)]
    pub reason: Option<String>,
}

/// A booking that is written once a second person approves it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerRequest {
    id: String,
    /// `waiting`, `approved`, `declined`, `withdrawn`
    state: &'static str,
    /// `refund`, `waiver`, `write_off`, `reversal`
    kind: &'static str,
    /// For a waiver or write-off: `instalment-1`, `source-gi_bill`, `application-fee`
    #[schema(required)]
    line: Option<String>,
    /// The payment to refund, or the transaction to reverse.
    #[schema(required)]
    about: Option<String>,
    cents: i64,
    reason: String,
    #[schema(format = DateTime)]
    asked_at: String,
    /// The id of a member of staff.
    asked_by: String,
    #[schema(required, format = DateTime)]
    settled_at: Option<String>,
    #[schema(required)]
    settled_by: Option<String>,
    /// Why it was declined.
    #[schema(required)]
    decline_reason: Option<String>,
}

/// Everything a second person was asked to approve.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerRequests {
    /// Oldest first.
    requests: Vec<LedgerRequest>,
}

body! {
    /// Why something is declined.
    pub struct LedgerDecline {
        /// For the person who asked. At most 500 characters.
        reason: String = sent_text("Say why, for who has asked."),
    }
}

impl From<BookingRequest> for LedgerRequest {
    fn from(request: BookingRequest) -> Self {
        LedgerRequest {
            id: request.id,
            state: request.state.as_str(),
            kind: request.kind.as_str(),
            line: request.line.map(|line| line.to_string()),
            about: request.about,
            cents: request.cents,
            reason: request.reason,
            asked_at: rfc3339(request.asked_at),
            asked_by: request.asked_by,
            settled_at: request.settled_at.map(rfc3339),
            settled_by: request.settled_by,
            decline_reason: request.decline_reason,
        }
    }
}

impl From<&Posted> for LedgerTransaction {
    fn from(posted: &Posted) -> Self {
        let draft = &posted.transaction.draft;
        let entries = draft.entries.iter();
        LedgerTransaction {
            id: posted.transaction.id.clone(),
            kind: draft.kind.as_str(),
            line: draft.line.map(|line| line.to_string()),
            about: draft.about.clone(),
            method: draft.method.map(Method::as_str),
            received_on: draft.received_on.map(|day| day.to_string()),
            note: draft.note.clone(),
            entries: entries.map(|entry| LedgerEntry { account: entry.account.as_str(), cents: entry.cents }).collect(),
            recorded_at: rfc3339(posted.at),
            recorded_by: posted.by.clone(),
        }
    }
}

async fn respond(app: &App, who: &StaffSession, id: &str) -> Result<impl IntoResponse + use<>, Problem> {
    let dossier = app.dossier(who, id).await?;
    let view = app.dossier_funding(who, &dossier).await?;
    let ledger = view.ledger.posted.iter().map(LedgerTransaction::from).collect();
    let body = OfficeFunding { funding: view.has_plan().then(|| Funding::from(&view)), ledger };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(body)))
}

/// Reads the texts of a body with these fields and no others.
fn texts(input: &Input, known: &[&str]) -> Result<BTreeMap<String, String>, Error> {
    let entries = input.entries()?;
    let mut errors: Vec<FieldError> = unknown_fields(entries, known).collect();
    let mut texts = BTreeMap::new();
    for (name, value) in entries {
        match value {
            Input::Text(text) => drop(texts.insert(name.clone(), text.clone())),
            Input::Whole(number) => drop(texts.insert(name.clone(), number.to_string())),
            Input::Null => {}
            _ => errors.push(FieldError::new(name.clone(), format!("{name}.type"), "This must be text or a number.")),
        }
    }
    if errors.is_empty() { Ok(texts) } else { Err(errors.into()) }
}

/// Returns how tuition is paid.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/funding",
    operation_id = "loadOfficeFunding",
    tag = "Office: funding",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "The plan and the ledger; before the offer is accepted, only the ledger.",
            body = OfficeFunding),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`funding.none`: the offer is not accepted, and nothing is in the ledger"),
    )
)]
pub async fn load(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    respond(&api.app, &who, &id).await
}

/// Changes the plan on the applicant's behalf.
///
/// What was charged must not change.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/funding",
    operation_id = "changeOfficeFunding",
    tag = "Office: funding",
    params(("id" = String, Path, description = "The application's id")),
    request_body = FundingChange,
    responses(
        (status = 200, description = "The plan and the ledger.", body = OfficeFunding),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`funding.none`"),
        (status = 412, description = "`funding.stale`"),
        (status = 422, description = "`funding.charged`, and as the applicant's call"),
    )
)]
pub async fn save(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let (entry, seen) = change(input)?;
    api.app.change_funding(&who, &id, &entry, seen).await?;
    respond(&api.app, &who, &id).await
}

/// Records whether a source pays.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/funding/verdict",
    operation_id = "judgeFundingSource",
    tag = "Office: funding",
    params(("id" = String, Path, description = "The application's id")),
    request_body = SourceVerdict,
    responses(
        (status = 200, description = "The plan and the ledger.", body = OfficeFunding),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`funding.none`"),
        (status = 412, description = "`funding.stale`, also where the plan has no such source"),
        (status = 422, description = "`source.unknown`, `state.unknown`, `reason.required`"),
    )
)]
pub async fn judge(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let (own, rest) = split::<SourceJudgment>(input);
    let (verdict, FundingSeen { revision }) = both(SourceJudgment::parse(&own), FundingSeen::parse(&rest))?;
    api.app.judge_source(&who, &id, revision, verdict).await?;
    respond(&api.app, &who, &id).await
}

/// Writes to the ledger.
///
/// A payment also books the charge it is for. Nothing is changed or deleted: `reverse` writes the opposite. Anything
/// but a payment waits for a second person from the amount of the setting `second-person` on; other such bookings of
/// the same kind by the same person for the same application in the last 24 hours, or still waiting, count towards it.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/ledger",
    operation_id = "bookIntoLedger",
    tag = "Office: funding",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "Names the entry: sent again under the same key, it is written once"),
    ),
    request_body = LedgerBooking,
    responses(
        (status = 200, description = "It is booked: the plan and the ledger.", body = OfficeFunding),
        (status = 202, description = "It is not booked, and waits for a second person.", body = LedgerRequest),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `ledger.not_found`"),
        (status = 409, description = "`ledger.reversed`, `ledger.negative`, `ledger.nothing_owed`, `approval.settled`: what was \
            asked for under the key was declined or taken back"),
        (status = 422, description = "`line.unknown`, `method.unknown`, `cents.range`, `reason.required`, \
            `ledger.too_much`"),
    )
)]
pub async fn book(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<Response, Problem> {
    let key = conditions(&headers)?.key.unwrap_or_else(|| api.app.random.id());
    let known = ["action", "line", "cents", "method", "receivedOn", "note", "transaction", "reason"];
    let mut texts = texts(&input, &known)?;
    if let Some(cents) = texts.get("cents").and_then(|cents| cents.parse().ok()).filter(|cents| *cents >= 0) {
        texts.insert("amount".to_owned(), dollars(cents));
    }
    let get = |name: &str| texts.get(name).map_or("", String::as_str);
    let action = get("action");
    if !["pay", "refund", "waive", "write-off", "reverse"].contains(&action) {
        let code = if action.is_empty() { "action.required" } else { "action.unknown" };
        return Err(Error::from(FieldError::new("action", code, "Choose what is to be written.")).into());
    }
    let booking =
        FinanceBooking::parse(action, get).map_err(|errors| Error::from(renamed(errors, "amount", "cents")))?;
    match api.app.book_for_office(&who, &id, &key, booking).await? {
        Booked::Written => Ok(respond(&api.app, &who, &id).await?.into_response()),
        Booked::Waits(request) => {
            let head = [(header::CACHE_CONTROL, "no-store")];
            Ok((StatusCode::ACCEPTED, head, Json(LedgerRequest::from(*request))).into_response())
        }
    }
}

async fn requests_response(app: &App, who: &StaffSession, id: &str) -> Result<impl IntoResponse + use<>, Problem> {
    let requests = app.booking_requests(who, id).await?.into_iter().map(LedgerRequest::from).collect();
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(LedgerRequests { requests })))
}

/// Lists what a second person was asked to approve.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/ledger/requests",
    operation_id = "listLedgerRequests",
    tag = "Office: funding",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "All of them.", body = LedgerRequests),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn requests(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    requests_response(&api.app, &who, &id).await
}

/// Approves and books what somebody else asked for.
///
/// It is checked against the present ledger and booked once: approved again by the same person, it gets the same
/// response. If it cannot be booked, it keeps waiting.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/ledger/requests/{request}/approve",
    operation_id = "approveLedgerRequest",
    tag = "Office: funding",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("request" = String, Path, description = "The request's id"),
    ),
    responses(
        (status = 200, description = "It is booked: all requests of the application.", body = LedgerRequests),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`; `approval.own`: who has asked for it"),
        (status = 404, description = "`application.not_found`, `approval.not_found`, `ledger.not_found`"),
        (status = 409, description = "`approval.settled`; `approval.outdated`: it would be another amount by now; \
            `ledger.reversed`, `ledger.negative`, `ledger.nothing_owed`, `refund.refused`"),
        (status = 422, description = "`line.unknown`, `ledger.too_much`"),
    )
)]
pub async fn approve(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path((id, request)): Path<(String, String)>,
) -> Result<impl IntoResponse, Problem> {
    api.app.approve_booking(&who, &id, &request).await?;
    requests_response(&api.app, &who, &id).await
}

/// Declines what somebody else asked for. Nothing is booked.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/ledger/requests/{request}/decline",
    operation_id = "declineLedgerRequest",
    tag = "Office: funding",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("request" = String, Path, description = "The request's id"),
    ),
    request_body = LedgerDecline,
    responses(
        (status = 200, description = "All requests of the application.", body = LedgerRequests),
        (status = 403, description = "`role.forbidden`; `approval.own`: who has asked for it"),
        (status = 404, description = "`application.not_found`, `approval.not_found`"),
        (status = 409, description = "`approval.settled`"),
        (status = 422, description = "`reason.required`, `reason.too_long`"),
    )
)]
pub async fn decline(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path((id, request)): Path<(String, String)>,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let LedgerDecline { reason: typed } = LedgerDecline::parse(&input)?;
    let reason = DeclineReason::parse(&typed).map_err(Error::from)?;
    api.app.decline_booking(&who, &id, &request, reason).await?;
    requests_response(&api.app, &who, &id).await
}

/// Takes back the caller's own request. Nothing is booked.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/ledger/requests/{request}/withdraw",
    operation_id = "withdrawLedgerRequest",
    tag = "Office: funding",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("request" = String, Path, description = "The request's id"),
    ),
    responses(
        (status = 200, description = "All requests of the application.", body = LedgerRequests),
        (status = 403, description = "`role.forbidden`; `approval.others`: somebody else has asked for it"),
        (status = 404, description = "`application.not_found`, `approval.not_found`"),
        (status = 409, description = "`approval.settled`"),
    )
)]
pub async fn withdraw(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path((id, request)): Path<(String, String)>,
) -> Result<impl IntoResponse, Problem> {
    api.app.withdraw_booking(&who, &id, &request).await?;
    requests_response(&api.app, &who, &id).await
}

/// Records that nothing more is refunded to an applicant who has withdrawn.
///
/// Closes the task that the withdrawal left. It also closes once everything suggested has been refunded.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/refund/close",
    operation_id = "closeRefund",
    tag = "Office: funding",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 204, description = "Nobody has to look after it any more."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn close_refund(
    State(api): State<ApiState>,
    LoggedInStaff(who): LoggedInStaff,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    api.app.close_refund(&who, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
