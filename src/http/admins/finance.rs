//! `/admins/finance…`: amounts due, overdue, failed, to be refunded and unmatched across all applications, and exports
//! of them.

use axum::Json;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::money::finance::{LedgerPeriod, MoneyPage, SettlingNote};
use domain::body;
use domain::body::sent_text;
use domain::finance::{MoneyItem, MoneyList, Payer};
use domain::input::{FieldError, Input};
use domain::moments::rfc3339;
use wire::books::{self, Format};

/// A page of one of the finance lists.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinanceList {
    /// Longest waiting first, at most 50.
    items: Vec<FinanceItem>,
    /// The `after` of the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next: Option<String>,
    counts: FinanceCounts,
    /// When the items that follow from plans were counted.
    #[schema(format = DateTime)]
    counted_at: String,
}

/// The number of items on each list.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct FinanceCounts {
    due: i64,
    overdue: i64,
    failed: i64,
    refunds: i64,
    /// Bookings that a second person has to approve.
    approvals: i64,
    unmatched: i64,
}

/// An item on a finance list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinanceItem {
    /// `line` of a plan, `charge` of a saved card, `refund-task`, `card-refund`, `booking-request`, `event` of the
    /// provider, `unapplied` money
    kind: &'static str,
    /// Identifies it on its list.
    id: String,
    #[schema(required)]
    application_id: Option<String>,
    #[schema(required)]
    reference: Option<String>,
    #[schema(required)]
    first_name: Option<String>,
    #[schema(required)]
    last_name: Option<String>,
    /// `instalment-1`, `source-gi_bill`, `application-fee`
    #[schema(required)]
    line: Option<String>,
    #[schema(required, format = Date)]
    due: Option<String>,
    #[schema(required)]
    cents: Option<i64>,
    /// Since when it has been waiting; null for what is due.
    #[schema(required, format = DateTime)]
    since: Option<String>,
    /// `failed`, `stopped`; `asked`, `refused`; the kind of an event; `refund`, `waiver`, `write_off`, `reversal`;
    /// otherwise empty
    state: String,
    /// What the provider said, why money is refunded, or what an event is about.
    note: String,
}

/// Amounts expected and received by month.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinanceFigures {
    /// Oldest first; six of them are past.
    months: Vec<FinanceMonth>,
    #[schema(format = DateTime)]
    counted_at: String,
}

/// Amounts are in whole US cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct FinanceMonth {
    /// `2026-08`
    month: String,
    /// What plans call for.
    expected: i64,
    /// What came in, less what was paid back.
    received: i64,
}

body! {
    /// The outcome of an item.
    pub struct Settling {
        /// At most 500 characters.
        #[schema(value_type = String)]
        note: SettlingNote = settling_note,
    }
}

impl From<MoneyItem> for FinanceItem {
    fn from(item: MoneyItem) -> Self {
        let since = item.since().map(rfc3339);
        let MoneyItem { kind, id, payer, line, due, cents, state, note, .. } = item;
        let (application_id, reference, first_name, last_name) = match payer {
            Some(Payer { application_id, reference, first_name, last_name }) => {
                (Some(application_id), reference, Some(first_name), Some(last_name))
            }
            None => (None, None, None, None),
        };
        FinanceItem {
            kind: kind.as_str(),
            id,
            application_id,
            reference,
            first_name,
            last_name,
            line: line.map(|line| line.to_string()),
            due: due.map(|due| due.to_string()),
            cents,
            since,
            state,
            note,
        }
    }
}

/// Returns a finance list, page by page, with the number of items on each list.
#[utoipa::path(
    get,
    path = "/api/admins/finance",
    operation_id = "listFinance",
    tag = "Office: finance",
    params(
        ("list" = Option<String>, Query, nullable = false,
            description = "`due` (in the next 30 days; if absent), `overdue`, `failed`, `refunds`, `approvals` or `unmatched`"),
        ("after" = Option<String>, Query, nullable = false, description = "The `next` of a page, for the one after it"),
    ),
    responses(
        (status = 200, description = "A page of it.", body = FinanceList),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`list.unknown`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<FinanceList>, Problem> {
    let list = match request.query("list") {
        None => MoneyList::Due,
        Some(name) => MoneyList::parse(&name).ok_or_else(|| {
            vec![FieldError::new(
                "list",
                "list.unknown",
                "Choose due, overdue, failed, refunds, approvals or unmatched.",
            )]
        })?,
    };
    let page = request.app().finance(&request.who, list, request.query("after").as_deref()).await?;
    let MoneyPage { items, next, counts, standing } = page;
    let count = |list| counts.iter().find(|(one, _)| *one == list).map_or(0, |(_, count)| *count);
    Ok(Json(FinanceList {
        items: items.into_iter().map(FinanceItem::from).collect(),
        next,
        counts: FinanceCounts {
            due: count(MoneyList::Due),
            overdue: count(MoneyList::Overdue),
            failed: count(MoneyList::Failed),
            refunds: count(MoneyList::Refunds),
            approvals: count(MoneyList::Approvals),
            unmatched: count(MoneyList::Unmatched),
        },
        counted_at: rfc3339(standing.at),
    }))
}

/// Returns the amounts expected and received in twelve months around now.
#[utoipa::path(
    get,
    path = "/api/admins/finance/figures",
    operation_id = "loadFinanceFigures",
    tag = "Office: finance",
    responses(
        (status = 200, description = "The months.", body = FinanceFigures),
        (status = 403, description = "`role.forbidden`"),
    )
)]
pub async fn figures(request: StaffRequest) -> Result<Json<FinanceFigures>, Problem> {
    let standing = request.app().money_figures(&request.who).await?;
    let months = standing.months.iter().map(|month| FinanceMonth {
        month: month.first.strftime("%Y-%m").to_string(),
        expected: month.expected,
        received: month.received,
    });
    Ok(Json(FinanceFigures { months: months.collect(), counted_at: rfc3339(standing.at) }))
}

fn settling_note(path: &str, input: Option<&Input>) -> Result<SettlingNote, FieldError> {
    SettlingNote::parse(&sent_text("Say what became of it.")(path, input)?)
}

/// Records what became of money that nobody could match.
///
/// Does not write to the ledger.
#[utoipa::path(
    post,
    path = "/api/admins/finance/unmatched/{id}/place",
    operation_id = "placeUnmatchedPayment",
    tag = "Office: finance",
    params(("id" = String, Path, description = "The id of an `event`")),
    request_body = Settling,
    responses(
        (status = 204, description = "It is noted."),
        (status = 403, description = "`role.forbidden`"),
        (status = 409, description = "`finance.settled`: with another note, or not there"),
        (status = 422, description = "`note.required`, `note.too_long`"),
    )
)]
pub async fn place(request: StaffRequest, StrictJson(input): StrictJson) -> Result<axum::http::StatusCode, Problem> {
    request.app().place_money(&request.who, request.id(), &Settling::parse(&input)?.note).await?;
    Ok(axum::http::StatusCode::NO_CONTENT)
}

/// Marks a refund task as done. The note is kept among the application's notes.
#[utoipa::path(
    post,
    path = "/api/admins/finance/refunds/{id}/done",
    operation_id = "endRefundTask",
    tag = "Office: finance",
    params(("id" = String, Path, description = "The id of a `refund-task`")),
    request_body = Settling,
    responses(
        (status = 204, description = "It is done."),
        (status = 403, description = "`role.forbidden`"),
        (status = 409, description = "`finance.settled`: by somebody else, or not there"),
        (status = 422, description = "`note.required`, `note.too_long`"),
    )
)]
pub async fn end_refund_task(
    request: StaffRequest,
    StrictJson(input): StrictJson,
) -> Result<axum::http::StatusCode, Problem> {
    request.app().end_refund_task(&request.who, request.id(), &Settling::parse(&input)?.note).await?;
    Ok(axum::http::StatusCode::NO_CONTENT)
}

/// Exports the entries of all ledgers written in a period.
///
/// The record notes who exported it. A cell that a spreadsheet would take for a formula gets an apostrophe before it.
#[utoipa::path(
    get,
    path = "/api/admins/finance/ledger.csv",
    operation_id = "exportLedger",
    tag = "Office: finance",
    params(
        ("from" = String, Query, description = "The first day, as `2026-05-04`"),
        ("until" = String, Query, description = "The last day"),
    ),
    responses(
        (status = 200, description = "A line for each entry.", body = String, content_type = "text/csv"),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`from.required`, `from.invalid`, `until.required`, `until.invalid`, `until.range`"),
    )
)]
pub async fn ledger(request: StaffRequest) -> Result<Response, Problem> {
    let given = |name: &str| request.query(name).unwrap_or_default();
    let period = LedgerPeriod::parse(&given("from"), &given("until"))?;
    let export = request.app().begin_ledger_export(&request.who, period).await?;
    Ok(books::ledger_csv(request.app().clone(), export))
}

/// Exports enrolled applicants for the student system, as comma-separated values.
///
/// The record notes who exported it. A cell that a spreadsheet would take for a formula gets an apostrophe before it.
#[utoipa::path(
    get,
    path = "/api/admins/finance/enrolled.csv",
    operation_id = "handOverAsCsv",
    tag = "Office: finance",
    params(("since" = Option<String>, Query, nullable = false, description = "Enrolled on this day or later: `2026-05-04`")),
    responses(
        (status = 200, description = "Everybody.", body = String, content_type = "text/csv"),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`since.invalid`"),
    )
)]
pub async fn enrolled_csv(request: StaffRequest) -> Result<Response, Problem> {
    hand_over(request, Format::Csv).await
}

/// Exports enrolled applicants for the student system.
///
/// The record notes who exported it.
#[utoipa::path(
    get,
    path = "/api/admins/finance/enrolled.json",
    operation_id = "handOverAsJson",
    tag = "Office: finance",
    params(("since" = Option<String>, Query, nullable = false, description = "Enrolled on this day or later: `2026-05-04`")),
    responses(
        (status = 200, description = "Everybody.", body = books::EnrolledApplicants),
        (status = 401, description = "`auth.step_up`"),
        (status = 403, description = "`role.forbidden`"),
        (status = 422, description = "`since.invalid`"),
    )
)]
pub async fn enrolled_json(request: StaffRequest) -> Result<Response, Problem> {
    hand_over(request, Format::Json).await
}

async fn hand_over(request: StaffRequest, format: Format) -> Result<Response, Problem> {
    let since = request.query("since").unwrap_or_default();
    let begun = request.app().begin_hand_over(&request.who, &since, format.ending()).await?;
    Ok(books::hand_over(request.app().clone(), begun, format))
}
