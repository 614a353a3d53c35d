//! `POST /webhooks/stripe`

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;

use super::ApiState;
use super::problem::Problem;

/// Largest message, in bytes. Those of the provider are some kilobytes.
const LARGEST: usize = 256 * 1024;

pub(super) fn router() -> Router<ApiState> {
    Router::new().route("/stripe", post(stripe)).layer(DefaultBodyLimit::max(LARGEST))
}

/// Something that the provider of card payments tells.
///
/// It is signed, and read byte for byte as it came. The same message again changes nothing; any answer but 200 makes the
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
        (status = 409, description = "`card.none`: no provider is set up"),
        (status = 503, description = "It could not be kept. Send it again."),
    )
)]
pub(super) async fn stripe(
    State(api): State<ApiState>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<StatusCode, Problem> {
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
    api.app.take_provider_message(&body, signature).await?;
    Ok(StatusCode::OK)
}
