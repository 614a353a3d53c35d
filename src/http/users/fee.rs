//! `GET /users/fee`, `POST /users/fee/code`, `POST …/need`, `POST …/checkout`

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::payments::CheckoutPage;
use crate::ApiState;
use crate::bearer::BearerWithApplication;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::Refusal;
use app::money::fees::FeeView;
use domain::application_fee::{FeeCodeEntry, FeeNeedStatement, FeeRule, FeeState, WaivedBy};
use domain::moments::rfc3339;

/// The application fee, fixed when the application was submitted. It is read once this is paid or waived.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fee {
    cents: i64,
    /// The intake whose fee it is: `2026-08`
    intake: String,
    state: FeeState,
    /// Cents still to pay.
    owed: i64,
    /// Null unless it is waived.
    #[schema(required)]
    waived_by: Option<WaivedBy>,
    /// The rule by which it is waived.
    #[schema(required)]
    rule: Option<FeeRule>,
    /// The code that waived it.
    #[schema(required)]
    code: Option<String>,
    /// When it was paid or waived; null while it is due.
    #[schema(required, format = DateTime)]
    settled_at: Option<String>,
    can_pay_by_card: bool,
    can_ask_for_waiver: bool,
    /// The request for a waiver; null if there was none.
    #[schema(required)]
    need: Option<FeeNeed>,
    /// The ids of payments, each of which has a receipt.
    receipts: Vec<String>,
}

/// A request to waive the fee.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeeNeed {
    /// The applicant's reasons.
    statement: String,
    #[schema(format = DateTime)]
    asked_at: String,
    /// Null unless it was refused.
    #[schema(required, format = DateTime)]
    refused_at: Option<String>,
    /// Why it was refused.
    #[schema(required)]
    refusal: Option<String>,
}

impl From<domain::application_fee::FeeNeed> for FeeNeed {
    fn from(need: domain::application_fee::FeeNeed) -> Self {
        let refused_at = need.refusal.as_ref().map(|refusal| rfc3339(refusal.at));
        FeeNeed {
            statement: need.statement,
            asked_at: rfc3339(need.asked_at),
            refused_at,
            refusal: need.refusal.map(|refusal| refusal.sentence),
        }
    }
}

impl From<FeeView> for Fee {
    fn from(view: FeeView) -> Self {
        let FeeView { fee, owed, by_card, can_ask, code, receipts, .. } = view;
        Fee {
            cents: fee.cents,
            intake: fee.intake.code(),
            state: fee.state,
            owed,
            waived_by: fee.waived_by,
            rule: fee.rule,
            code,
            settled_at: fee.decided_at.map(rfc3339),
            can_pay_by_card: by_card,
            can_ask_for_waiver: can_ask,
            need: fee.need.map(FeeNeed::from),
            receipts,
        }
    }
}

/// Returns the application fee.
#[utoipa::path(
    get,
    path = "/api/users/fee",
    operation_id = "loadFee",
    tag = "Payments",
    responses(
        (status = 200, description = "The fee.", body = Fee),
        (status = 404, description = "`application.none`; `fee.none`: there is no fee, or the application was never submitted"),
    )
)]
pub async fn load(
    State(api): State<ApiState>,
    BearerWithApplication(_, application): BearerWithApplication,
) -> Result<Json<Fee>, Problem> {
    let application = application.ok_or(Refusal::NoApplication)?;
    let view = api.app.fee_of(&application).await?.ok_or(Refusal::NoFee)?;
    Ok(Json(view.into()))
}

/// Waives the fee with a code.
///
/// The code that has waived it gets the same response again.
#[utoipa::path(
    post,
    path = "/api/users/fee/code",
    operation_id = "useFeeCode",
    tag = "Payments",
    request_body = FeeCodeEntry,
    responses(
        (status = 200, description = "The fee as it is now.", body = Fee),
        (status = 404, description = "`application.none`, `fee.none`"),
        (status = 409, description = "`fee.settled`"),
        (status = 422, description = "`code.required`; `code.unknown`, also for one that is ended or for the other program; \
            `code.expired`, `code.spent`"),
    )
)]
pub async fn use_code(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
    StrictJson(input): StrictJson,
) -> Result<Json<Fee>, Problem> {
    let entry = FeeCodeEntry::parse(&input)?;
    let application = application.ok_or(Refusal::NoApplication)?;
    Ok(Json(api.app.use_fee_code(&who, &application, &entry).await?.into()))
}

/// Asks for a waiver of the fee because of financial need, once.
#[utoipa::path(
    post,
    path = "/api/users/fee/need",
    operation_id = "askFeeWaiver",
    tag = "Payments",
    request_body = FeeNeedStatement,
    responses(
        (status = 200, description = "The fee as it is now. The same statement gets the same response again.", body = Fee),
        (status = 404, description = "`application.none`, `fee.none`"),
        (status = 409, description = "`fee.settled`, `fee.need_closed`, `fee.need_asked`"),
        (status = 422, description = "`statement.required`, `statement.too_long`"),
    )
)]
pub async fn ask_waiver(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
    StrictJson(input): StrictJson,
) -> Result<Json<Fee>, Problem> {
    let asked = FeeNeedStatement::parse(&input)?;
    let application = application.ok_or(Refusal::NoApplication)?;
    Ok(Json(api.app.ask_fee_waiver(&who, &application, &asked).await?.into()))
}

/// Opens the provider's page for the fee.
///
/// Asked again, it is the same page, while that can still be used to pay.
#[utoipa::path(
    post,
    path = "/api/users/fee/checkout",
    operation_id = "payFeeByCard",
    tag = "Payments",
    responses(
        (status = 200, description = "Where it is paid.", body = CheckoutPage),
        (status = 404, description = "`application.none`, `fee.none`"),
        (status = 409, description = "`card.none`, `card.nothing_owed`, `card.charging`"),
        (status = 503, description = "`card.unreachable`"),
    )
)]
pub async fn checkout(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
) -> Result<Json<CheckoutPage>, Problem> {
    let application = application.ok_or(Refusal::NoApplication)?;
    Ok(Json(api.app.pay_fee(&who, &application).await?.into()))
}
