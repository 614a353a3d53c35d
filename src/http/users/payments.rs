//! `GET /users/payments`, `POST /users/payments/checkout`, `POST …/card`, `DELETE …/card`

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::bearer::BearerWithApplication;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::Refusal;
use app::money::card_payments::CardCheckout;
use domain::body::{wrong, yes_or_no};
use domain::card_charge::ChargeState;
use domain::input::{FieldError, Input};
use domain::ledger::Line;
use domain::moments::rfc3339;
use domain::{body, text};

/// How an applicant pays by card.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardPayments {
    /// Whether card payments are set up.
    available: bool,
    /// Brand and last four digits of the card that later payments are charged to; null for none.
    #[schema(required)]
    card: Option<String>,
    /// Instalments for which a card payment was started, and the application fee, likewise.
    charges: Vec<Charge>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Charge {
    /// `instalment-3`, `application-fee`
    line: String,
    cents: i64,
    state: CardState,
    /// What was said of the last refusal; null for none.
    #[schema(required)]
    failure: Option<String>,
    /// When the card is charged again; null if it is not.
    #[schema(required, format = DateTime)]
    next_at: Option<String>,
}

/// `open`: the provider's page is waiting. `failed`: the card will be charged again. `stopped`: it will not.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CardState {
    Open,
    Charging,
    Failed,
    Stopped,
    Closed,
    Paid,
}

body! {
    /// What to pay.
    pub struct CheckoutChange {
        /// `instalment-1`, `application-fee`
        #[schema(value_type = String)]
        line: Line = line,
        /// Saves the card and charges the following payments to it.
        #[schema(nullable = false)]
        save_card: Option<bool> = yes_or_no,
    }
}

fn line(path: &str, input: Option<&Input>) -> Result<Line, FieldError> {
    let rule = if input.is_none() { "required" } else { "unknown" };
    let line = match input {
        Some(Input::Text(line)) => Line::parse(line),
        _ => None,
    };
    line.ok_or_else(|| wrong(path, rule, text!("Choose which payment you want to make.")))
}

/// Where to pay.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckoutPage {
    /// The provider's page; null if already paid.
    #[schema(required)]
    url: Option<String>,
}

impl From<CardCheckout> for CheckoutPage {
    fn from(checkout: CardCheckout) -> Self {
        match checkout {
            CardCheckout::Page(url) => CheckoutPage { url: Some(url) },
            CardCheckout::Paid => CheckoutPage { url: None },
        }
    }
}

/// Returns the state of card payments.
#[utoipa::path(
    get,
    path = "/api/users/payments",
    operation_id = "loadCardPayments",
    tag = "Payments",
    responses(
        (status = 200, description = "Card and payments.", body = CardPayments),
        (status = 404, description = "`application.none`"),
    )
)]
pub async fn load(
    State(api): State<ApiState>,
    BearerWithApplication(_, application): BearerWithApplication,
) -> Result<impl IntoResponse, Problem> {
    let application = application.ok_or(Refusal::NoApplication)?;
    let (card, charges) = api.app.card_and_charges(&application.id).await?;
    let charges = charges.into_iter().map(|charge| Charge {
        line: charge.line.to_string(),
        cents: charge.cents,
        state: match charge.state {
            ChargeState::Open => CardState::Open,
            ChargeState::Charging => CardState::Charging,
            ChargeState::Failed => CardState::Failed,
            ChargeState::Stopped => CardState::Stopped,
            ChargeState::Closed => CardState::Closed,
            ChargeState::Paid => CardState::Paid,
        },
        failure: charge.failure,
        next_at: charge.next_at.map(rfc3339),
    });
    let body = CardPayments {
        available: api.app.cards.is_some(),
        card: card.map(|card| card.label),
        charges: charges.collect(),
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(body)))
}

/// Opens the provider's page for an instalment or the application fee.
///
/// Asked again, it is the same page, while that can still be used to pay.
#[utoipa::path(
    post,
    path = "/api/users/payments/checkout",
    operation_id = "payByCard",
    tag = "Payments",
    request_body = CheckoutChange,
    responses(
        (status = 200, description = "Where it is paid.", body = CheckoutPage),
        (status = 409, description = "`card.none`, `card.nothing_owed`, `card.charging`, `funding.none`"),
        (status = 422, description = "`line.required`, `line.unknown`, `saveCard.type`"),
        (status = 503, description = "`card.unreachable`"),
    )
)]
pub async fn checkout(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
    StrictJson(input): StrictJson,
) -> Result<impl IntoResponse, Problem> {
    let CheckoutChange { line, save_card } = CheckoutChange::parse(&input)?;
    let application = application.ok_or(Refusal::NoApplication)?;
    let page = api.app.pay_by_card(&who, &application, line, save_card.unwrap_or_default()).await?;
    let page: CheckoutPage = page.into();
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(page)))
}

/// Opens the provider's page for saving a card for later payments.
#[utoipa::path(
    post,
    path = "/api/users/payments/card",
    operation_id = "saveCard",
    tag = "Payments",
    responses(
        (status = 200, description = "Where that is done.", body = CheckoutPage),
        (status = 404, description = "`application.none`"),
        (status = 409, description = "`card.none`, `card.nothing_owed`, `funding.none`"),
        (status = 503, description = "`card.unreachable`"),
    )
)]
pub async fn save_card(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
) -> Result<impl IntoResponse, Problem> {
    let application = application.ok_or(Refusal::NoApplication)?;
    let page: CheckoutPage = api.app.save_card(&who, &application).await?.into();
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(page)))
}

/// Removes the saved card.
#[utoipa::path(
    delete,
    path = "/api/users/payments/card",
    operation_id = "forgetCard",
    tag = "Payments",
    responses(
        (status = 204, description = "It is not kept."),
        (status = 404, description = "`application.none`"),
        (status = 409, description = "`card.none`"),
        (status = 503, description = "`card.unreachable`"),
    )
)]
pub async fn forget_card(
    State(api): State<ApiState>,
    BearerWithApplication(who, application): BearerWithApplication,
) -> Result<StatusCode, Problem> {
    let application = application.ok_or(Refusal::NoApplication)?;
    api.app.forget_card(&who, &application).await?;
    Ok(StatusCode::NO_CONTENT)
}
