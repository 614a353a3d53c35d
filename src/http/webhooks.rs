//! `POST /webhooks/stripe`

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use utoipa_axum::routes;

use super::ApiState;
use super::calls::{self, Call};
use super::json;
use super::problem::Problem;

pub(super) fn calls() -> Vec<Call> {
    vec![routes!(stripe)]
}

pub(super) fn router() -> Router<ApiState> {
    calls::router("/api/webhooks", calls())
}

/// Receives an event from the card payment provider.
///
/// It is signed, and read byte for byte as received. The same event again changes nothing; any answer but 200 makes the
/// provider send it again.
#[utoipa::path(
    post,
    path = "/api/webhooks/stripe",
    operation_id = "stripeWebhook",
    tag = "Payments",
    request_body(content = [u8], content_type = "application/json", description = "An event of Stripe."),
    params(("stripe-signature" = String, Header, description = "Stripe's signature of the body.")),
    security(()),
    responses(
        (status = 200, description = "It is kept, now or since before."),
        (status = 400, description = "`webhook.unsigned`, `webhook.too_old`"),
        (status = 408, description = "`request.timeout`"),
        (status = 409, description = "`card.none`: no provider is set up"),
        (status = 413, description = "`body.too_large`"),
        (status = 503, description = "It could not be kept. Send it again."),
    )
)]
pub(super) async fn stripe(State(api): State<ApiState>, headers: HeaderMap, body: Body) -> Result<StatusCode, Problem> {
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
    api.app.take_provider_message(&json::raw(body).await?, signature).await?;
    Ok(StatusCode::OK)
}
