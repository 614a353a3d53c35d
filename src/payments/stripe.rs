//! Stripe, over its REST API: <https://docs.stripe.com/api>. People enter their card on Stripe's hosted page
//! (<https://docs.stripe.com/payments/checkout>); monthly payments charge a card that Stripe keeps.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use url::form_urlencoded::Serializer;

use super::stripe_objects as objects;
use super::stripe_objects::{APPLICATION, CURRENCY, LINE, REFERENCE};
use super::stripe_signature::verify;
use app::ports::{
    Checkout, CheckoutFor, CheckoutRequest, Intent, IntentRequest, IntentState, PaymentProvider, ProviderError,
    ProviderEvent, Purpose, RefundRequest, Refunded, Unsigned,
};
use domain::moments::Millis;

/// The version of the API that is used, whatever the account is set to.
const VERSION: &str = "2024-06-20";
/// How long a call may take, including retries.
const PATIENCE: Duration = Duration::from_secs(25);
/// How often a call with an idempotency key, which takes effect once, is attempted, and the pause between attempts.
const ATTEMPTS: usize = 3;
const PAUSE: Duration = Duration::from_millis(400);
/// Maximum events of a page.
const EVENTS: &str = "100";

/// What the operator has configured.
#[derive(Clone)]
pub struct StripeKeys {
    /// `sk_live_…`, `sk_test_…` or a restricted key, `rk_…`.
    pub secret: String,
    /// `whsec_…`, of the endpoint that receives webhooks.
    pub webhook: String,
    /// Base address of the API.
    pub api_url: String,
    /// Origin of the hosted page.
    pub checkout_origin: String,
}

/// Why payments by card cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum BadKey {
    #[error("STRIPE_SECRET_KEY is not one of Stripe's secret keys, which begin with sk_ or rk_")]
    Secret,
    #[error("STRIPE_WEBHOOK_SECRET is missing, or does not begin with whsec_: without it no payment is ever believed")]
    Webhook,
    #[error("STRIPE_API_URL and STRIPE_CHECKOUT_ORIGIN are addresses such as https://api.stripe.com")]
    Address,
    #[error("the client of HTTP could not be made")]
    Client(#[from] reqwest::Error),
}

pub struct Stripe {
    keys: StripeKeys,
    http: Client,
    patience: Duration,
}

/// The fields of a call, encoded as a form or a query.
#[derive(Default)]
struct Fields(String);

impl Fields {
    fn with(self, name: &str, value: &str) -> Fields {
        Fields(Serializer::new(self.0).append_pair(name, value).finish())
    }

    /// Adds what a payment is for, as metadata of what is created or of an object within it.
    fn with_purpose(self, within: Option<&str>, purpose: &Purpose) -> Fields {
        let said = [(APPLICATION, &purpose.application_id), (LINE, &purpose.line)];
        said.into_iter().filter(|(_, value)| !value.is_empty()).fold(self, |fields, (name, value)| match within {
            Some(object) => fields.with(&format!("{object}[metadata][{name}]"), value),
            None => fields.with(&format!("metadata[{name}]"), value),
        })
    }

    /// Asks for full objects instead of ids.
    fn expanding(self, what: &str) -> Fields {
        self.with("expand[]", what)
    }
}

impl Stripe {
    /// # Errors
    /// A key or an address is invalid.
    pub fn new(keys: StripeKeys) -> Result<Stripe, BadKey> {
        if !["sk_", "rk_"].iter().any(|prefix| keys.secret.starts_with(prefix)) || !keys.secret.is_ascii() {
            return Err(BadKey::Secret);
        }
        if !keys.webhook.starts_with("whsec_") {
            return Err(BadKey::Webhook);
        }
        let origin = |address: &str| {
            let url = url::Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            url.map(|url| url.origin().ascii_serialization()).ok_or(BadKey::Address)
        };
        let api_url = origin(&keys.api_url)?;
        let checkout_origin = origin(&keys.checkout_origin)?;
        // reqwest is built without a crypto provider. One that is already set is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // The API never redirects, and nobody else may get our key.
        let http = Client::builder().redirect(Policy::none()).build()?;
        Ok(Stripe { keys: StripeKeys { api_url, checkout_origin, ..keys }, http, patience: PATIENCE })
    }

    /// Returns the same adapter, waiting at most `patience` for a call.
    pub fn with_patience(self, patience: Duration) -> Stripe {
        Stripe { patience, ..self }
    }

    async fn get(&self, path: &str, Fields(query): Fields) -> Result<Value, ProviderError> {
        let mark = if query.is_empty() { "" } else { "?" };
        let request = self.http.request(Method::GET, format!("{}{path}{mark}{query}", self.keys.api_url));
        self.send(path, request, Instant::now() + self.patience).await
    }

    async fn post(&self, path: &str, key: Option<&str>, Fields(body): Fields) -> Result<Value, ProviderError> {
        let until = Instant::now() + self.patience;
        let mut patience = ATTEMPTS;
        loop {
            let mut request = self.http.request(Method::POST, format!("{}{path}", self.keys.api_url));
            if let Some(key) = key {
                request = request.header("idempotency-key", key);
            }
            request = request.header("content-type", "application/x-www-form-urlencoded").body(body.clone());
            match self.send(path, request, until).await {
                // The connection was cut, or the same call is being made elsewhere. With its key it takes effect once.
                Err(ProviderError::Unreachable(_))
                    if key.is_some() && patience > 1 && Instant::now() + PAUSE < until =>
                {
                    patience -= 1;
                    tokio::time::sleep(PAUSE).await;
                }
                answer => return answer,
            }
        }
    }

    async fn send(&self, path: &str, request: reqwest::RequestBuilder, until: Instant) -> Result<Value, ProviderError> {
        let asked = async {
            let late = |_| ProviderError::Unreachable("it does not answer in time".into());
            timeout_at(until, self.exchange(request)).await.map_err(late)?
        };
        telemetry::call("stripe", format!("stripe {}", without_ids(path)), asked, |error| match error {
            ProviderError::Refused { .. } => "refused",
            ProviderError::Unreachable(_) => "unavailable",
        })
        .await
    }

    async fn exchange(&self, request: reqwest::RequestBuilder) -> Result<Value, ProviderError> {
        let mut trace = HeaderMap::new();
        telemetry::pass_on(&mut trace);
        let request = request.headers(trace).bearer_auth(&self.keys.secret).header("stripe-version", VERSION);
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let body = read(response).await?;
        if status.is_success() {
            return Ok(body);
        }
        let error = &body["error"];
        let field = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        // A key that is in use, too many calls, and faults on their side: it is unknown what was done.
        if status.is_server_error() || matches!(status, StatusCode::CONFLICT | StatusCode::TOO_MANY_REQUESTS) {
            return Err(ProviderError::Unreachable(format!("{status}: {}", field("message")).into()));
        }
        let code = if error["code"].is_string() { field("code") } else { field("type") };
        Err(ProviderError::Refused { code, message: field("message") })
    }
}

/// Replaces the ids in a path by a placeholder. Ids begin with two letters and an underscore: `pi_…`.
fn without_ids(path: &str) -> String {
    let is_id = |part: &str| part.as_bytes().get(2) == Some(&b'_');
    let parts: Vec<&str> = path.split('/').map(|part| if is_id(part) { "{id}" } else { part }).collect();
    parts.join("/")
}

async fn read(response: Response) -> Result<Value, ProviderError> {
    let bytes = response.bytes().await.map_err(unreachable)?;
    serde_json::from_slice(&bytes).map_err(|error| ProviderError::Unreachable(Box::new(error)))
}

fn unreachable(error: reqwest::Error) -> ProviderError {
    // The URL has no secrets, but it is of no use either.
    ProviderError::Unreachable(Box::new(error.without_url()))
}

/// An answer that does not match the documentation.
fn odd() -> ProviderError {
    ProviderError::Unreachable("the answer cannot be read".into())
}

#[async_trait]
impl PaymentProvider for Stripe {
    fn name(&self) -> &'static str {
        "Stripe"
    }

    fn checkout_origin(&self) -> &str {
        &self.keys.checkout_origin
    }

    async fn check(&self) -> Result<String, ProviderError> {
        self.get("/v1/events", Fields::default().with("limit", "1")).await?;
        let is_test = self.keys.secret.contains("_test_");
        Ok(format!("Stripe answers{}", if is_test { "; test mode: no money moves" } else { "" }))
    }

    async fn customer(&self, key: &str, email: &str, purpose: &Purpose) -> Result<String, ProviderError> {
        let fields = Fields::default().with("email", email).with_purpose(None, purpose);
        let customer = self.post("/v1/customers", Some(key), fields).await?;
        customer["id"].as_str().map(str::to_owned).ok_or_else(odd)
    }

    async fn open_checkout(&self, asked: &CheckoutRequest) -> Result<Checkout, ProviderError> {
        let CheckoutRequest { key, customer, purpose, what, success_url, cancel_url } = asked;
        let fields = Fields::default()
            .with("customer", customer)
            .with("client_reference_id", &purpose.application_id)
            .with("success_url", &success_url.replace("{checkout}", "{CHECKOUT_SESSION_ID}"))
            .with("cancel_url", cancel_url)
            .with("payment_method_types[0]", "card")
            .with_purpose(None, purpose);
        let fields = match what {
            CheckoutFor::Payment { cents, title, saves_card } => {
                let fields = fields
                    .with("mode", "payment")
                    .with("line_items[0][quantity]", "1")
                    .with("line_items[0][price_data][currency]", CURRENCY)
                    .with("line_items[0][price_data][unit_amount]", &cents.to_string())
                    .with("line_items[0][price_data][product_data][name]", title)
                    .with_purpose(Some("payment_intent_data"), purpose);
                if *saves_card { fields.with("payment_intent_data[setup_future_usage]", "off_session") } else { fields }
            }
            CheckoutFor::Card => {
                let fields = fields.with("mode", "setup").with("currency", CURRENCY);
                fields.with_purpose(Some("setup_intent_data"), purpose)
            }
        };
        let session = self.post("/v1/checkout/sessions", Some(key), fields).await?;
        objects::checkout(&session).ok_or_else(odd)
    }

    async fn checkout(&self, id: &str) -> Result<Checkout, ProviderError> {
        let fields =
            Fields::default().expanding("payment_intent.payment_method").expanding("setup_intent.payment_method");
        let session = self.get(&format!("/v1/checkout/sessions/{id}"), fields).await?;
        objects::checkout(&session).ok_or_else(odd)
    }

    async fn expire_checkout(&self, id: &str) -> Result<Checkout, ProviderError> {
        match self.post(&format!("/v1/checkout/sessions/{id}/expire"), None, Fields::default()).await {
            // A checkout that is no longer open is refused: what counts is its current state.
            Ok(_) | Err(ProviderError::Refused { .. }) => self.checkout(id).await,
            Err(error) => Err(error),
        }
    }

    async fn create_intent(&self, asked: &IntentRequest) -> Result<Intent, ProviderError> {
        let IntentRequest { key, customer, cents, title, purpose } = asked;
        let fields = Fields::default()
            .with("amount", &cents.to_string())
            .with("currency", CURRENCY)
            .with("customer", customer)
            .with("description", title)
            .with("payment_method_types[0]", "card")
            .with_purpose(None, purpose);
        let intent = self.post("/v1/payment_intents", Some(key), fields).await?;
        objects::intent(&intent).ok_or_else(odd)
    }

    async fn confirm_intent(&self, id: &str, method: &str) -> Result<Intent, ProviderError> {
        // No key: an intent succeeds once, however often it is confirmed.
        let fields = Fields::default().with("payment_method", method).with("off_session", "true");
        match self.post(&format!("/v1/payment_intents/{id}/confirm"), None, fields).await {
            Ok(_) => self.intent(id).await,
            Err(ProviderError::Refused { code, message }) => {
                let intent = self.intent(id).await?;
                // It was confirmed before, or the card was declined, or the card no longer exists.
                let failure = (intent.state == IntentState::Open).then_some(message).or(intent.failure.clone());
                tracing::info!(intent = id, code, state = ?intent.state, "the provider did not charge the card");
                Ok(Intent { failure, ..intent })
            }
            Err(error) => Err(error),
        }
    }

    async fn intent(&self, id: &str) -> Result<Intent, ProviderError> {
        let fields = Fields::default().expanding("payment_method");
        let intent = self.get(&format!("/v1/payment_intents/{id}"), fields).await?;
        objects::intent(&intent).ok_or_else(odd)
    }

    async fn cancel_intent(&self, id: &str) -> Result<Intent, ProviderError> {
        match self.post(&format!("/v1/payment_intents/{id}/cancel"), None, Fields::default()).await {
            Ok(_) | Err(ProviderError::Refused { .. }) => self.intent(id).await,
            Err(error) => Err(error),
        }
    }

    async fn forget_card(&self, method: &str) -> Result<(), ProviderError> {
        match self.post(&format!("/v1/payment_methods/{method}/detach"), None, Fields::default()).await {
            // It was already removed.
            Ok(_) | Err(ProviderError::Refused { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn forget_customer(&self, customer: &str) -> Result<(), ProviderError> {
        let path = format!("/v1/customers/{customer}");
        let request = self.http.request(Method::DELETE, format!("{}{path}", self.keys.api_url));
        match self.send(&path, request, Instant::now() + self.patience).await {
            // It was already removed.
            Err(ProviderError::Refused { code, .. }) if code == "resource_missing" => Ok(()),
            answer => answer.map(drop),
        }
    }

    async fn refund(&self, asked: &RefundRequest) -> Result<Refunded, ProviderError> {
        let RefundRequest { key, intent, cents, application_id, reference } = asked;
        let fields = Fields::default()
            .with("payment_intent", intent)
            .with("amount", &cents.to_string())
            .with(&format!("metadata[{APPLICATION}]"), application_id)
            .with(&format!("metadata[{REFERENCE}]"), reference);
        let refund = self.post("/v1/refunds", Some(key), fields).await?;
        objects::refund(&refund).ok_or_else(odd)
    }

    async fn refunds_of(&self, intent: &str) -> Result<Vec<Refunded>, ProviderError> {
        let fields = Fields::default().with("payment_intent", intent).with("limit", "100");
        let list = self.get("/v1/refunds", fields).await?;
        let refunds = list["data"].as_array().ok_or_else(odd)?;
        Ok(refunds.iter().filter_map(objects::refund).collect())
    }

    async fn events(&self, since: Millis, after: Option<&str>) -> Result<Vec<ProviderEvent>, ProviderError> {
        let fields = Fields::default().with("created[gte]", &since.div_euclid(1000).to_string()).with("limit", EVENTS);
        let fields = match after {
            Some(id) => fields.with("starting_after", id),
            None => fields,
        };
        let list = self.get("/v1/events", fields).await?;
        let events = list["data"].as_array().ok_or_else(odd)?;
        Ok(events.iter().filter_map(objects::event).collect())
    }

    fn read_event(&self, body: &[u8], signature: &str, now: Millis) -> Result<ProviderEvent, Unsigned> {
        verify(body, signature, &self.keys.webhook, now)?;
        let payload: Value = serde_json::from_slice(body).map_err(|_| Unsigned::Unreadable)?;
        objects::event(&payload).ok_or(Unsigned::Unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_named_without_ids() {
        assert_eq!(without_ids("/v1/checkout/sessions/cs_test_a1/expire"), "/v1/checkout/sessions/{id}/expire");
        assert_eq!(without_ids("/v1/payment_intents/pi_1/confirm"), "/v1/payment_intents/{id}/confirm");
        assert_eq!(without_ids("/v1/payment_intents"), "/v1/payment_intents");
    }

    #[test]
    fn a_key_that_cannot_be_one_is_refused() {
        let keys = |secret: &str, webhook: &str, api_url: &str| StripeKeys {
            secret: secret.into(),
            webhook: webhook.into(),
            api_url: api_url.into(),
            checkout_origin: "https://checkout.stripe.com/pay".into(),
        };
        let api = "https://api.stripe.com";
        let stripe = Stripe::new(keys("sk_test_demo", "whsec_demo", api)).unwrap();
        assert_eq!(stripe.checkout_origin(), "https://checkout.stripe.com");
        assert!(matches!(Stripe::new(keys("pk_test_demo", "whsec_demo", api)), Err(BadKey::Secret)));
        assert!(matches!(Stripe::new(keys("sk_test_demo", "", api)), Err(BadKey::Webhook)));
        assert!(matches!(Stripe::new(keys("sk_test_demo", "whsec_demo", "api.stripe.com")), Err(BadKey::Address)));
    }
}
