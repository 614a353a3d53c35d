//! `/admins/webhooks…`: where events are delivered to, and their deliveries. The events are in [`described`].

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, PathItem, Paths, PathsBuilder, Ref, RefOr, Required, ResponseBuilder};

use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::office::webhooks::{SecretEndpoint, WebhookInput, WebhookPause};
use domain::input::FieldError;
use domain::moments::rfc3339;
use domain::webhook::{
    DeliveryChange, DeliveryState, DocumentEvent, Endpoint, EventDelivery, EventKind, FeeEvent, PauseReason,
    PaymentEvent, ReferenceEvent, StageEvent, TestEvent,
};

/// An endpoint, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookEndpoint {
    id: String,
    /// What it is for.
    name: String,
    #[schema(format = "uri")]
    url: String,
    /// Kinds of events; empty for all.
    events: Vec<&'static str>,
    #[schema(format = DateTime)]
    created_at: String,
    /// Null while events are delivered.
    #[schema(required, format = DateTime)]
    paused_at: Option<String>,
    /// Why it is paused.
    #[schema(required)]
    pause_reason: Option<PauseReason>,
    /// Since when it has taken nothing; null while it takes what is sent.
    #[schema(required, format = DateTime)]
    failing_since: Option<String>,
    /// Until when deliveries are signed with the former secret as well.
    #[schema(required, format = DateTime)]
    former_secret_until: Option<String>,
    /// Deliveries that are waiting.
    waiting: i64,
    /// Deliveries that were given up.
    failed: i64,
}

impl From<Endpoint> for WebhookEndpoint {
    fn from(endpoint: Endpoint) -> Self {
        WebhookEndpoint {
            id: endpoint.id,
            name: endpoint.name,
            url: endpoint.url,
            events: endpoint.events.into_iter().map(EventKind::as_str).collect(),
            created_at: rfc3339(endpoint.created_at),
            paused_at: endpoint.paused.map(|(at, _)| rfc3339(at)),
            pause_reason: endpoint.paused.map(|(_, reason)| reason),
            failing_since: endpoint.failing_since.map(rfc3339),
            former_secret_until: endpoint.former_secret_until.map(rfc3339),
            waiting: endpoint.waiting,
            failed: endpoint.failed,
        }
    }
}

/// Oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEndpoints {
    webhooks: Vec<WebhookEndpoint>,
}

/// An endpoint with its secret, which is never shown again.
#[derive(Debug, Serialize, ToSchema)]
pub struct SecretWebhookEndpoint {
    #[serde(flatten)]
    endpoint: WebhookEndpoint,
    /// What deliveries are signed with: `whsec_` and base64.
    secret: String,
}

impl From<SecretEndpoint> for SecretWebhookEndpoint {
    fn from(made: SecretEndpoint) -> Self {
        SecretWebhookEndpoint { endpoint: made.endpoint.into(), secret: made.secret }
    }
}

/// An event on its way to an endpoint.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// Sent as `webhook-id`.
    event_id: String,
    event: &'static str,
    /// Null for a test.
    #[schema(required)]
    application_id: Option<String>,
    /// The body, as it is sent.
    body: String,
    #[schema(format = DateTime)]
    occurred_at: String,
    state: DeliveryState,
    attempts: i64,
    /// When the next attempt is due; null if there is none.
    #[schema(required, format = DateTime)]
    due_at: Option<String>,
    /// The status code of the last answer; null if there was none.
    #[schema(required)]
    last_status: Option<i64>,
    /// Why the last attempt failed.
    #[schema(required)]
    last_error: Option<String>,
    /// When it was delivered or skipped.
    #[schema(required, format = DateTime)]
    finished_at: Option<String>,
}

impl From<EventDelivery> for WebhookDelivery {
    fn from(delivery: EventDelivery) -> Self {
        WebhookDelivery {
            event_id: delivery.event_id,
            event: delivery.kind.as_str(),
            application_id: delivery.application.map(|(id, _)| id),
            body: delivery.body,
            occurred_at: rfc3339(delivery.occurred_at),
            due_at: (delivery.state == DeliveryState::Waiting).then(|| rfc3339(delivery.due_at)),
            state: delivery.state,
            attempts: delivery.attempts,
            last_status: delivery.last_status,
            last_error: delivery.last_error,
            finished_at: delivery.finished_at.map(rfc3339),
        }
    }
}

/// Newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDeliveries {
    deliveries: Vec<WebhookDelivery>,
    /// Whether these are the oldest; otherwise `before` with the last event gives the next.
    is_last: bool,
}

/// A test event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookTest {
    event_id: String,
}

/// What is sent again.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResentWebhooks {
    deliveries: u64,
}

/// Lists the endpoints that events are delivered to.
#[utoipa::path(
    get,
    path = "/api/admins/webhooks",
    operation_id = "listWebhooks",
    tag = "Office: webhooks",
    responses((status = 200, description = "The endpoints, without their secrets.", body = WebhookEndpoints))
)]
pub async fn list(request: StaffRequest) -> Result<Json<WebhookEndpoints>, Problem> {
    let found = request.app().webhooks(&request.who).await?;
    Ok(Json(WebhookEndpoints { webhooks: found.into_iter().map(WebhookEndpoint::from).collect() }))
}

/// Adds an endpoint. Events from then on are delivered to it.
#[utoipa::path(
    post,
    path = "/api/admins/webhooks",
    operation_id = "createWebhook",
    tag = "Office: webhooks",
    request_body = WebhookInput,
    responses(
        (status = 201, description = "The endpoint and its secret, which is never shown again.", body = SecretWebhookEndpoint),
        (status = 409, description = "`webhook.too_many`: at most 20 endpoints"),
        (status = 422, description = "`url.unencrypted` and the like"),
    )
)]
pub async fn create(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let made = request.app().create_webhook(&request.who, &input).await?;
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(SecretWebhookEndpoint::from(made))))
}

/// Loads an endpoint.
#[utoipa::path(
    get,
    path = "/api/admins/webhooks/{id}",
    operation_id = "loadWebhook",
    tag = "Office: webhooks",
    params(("id" = String, Path, description = "The endpoint's id")),
    responses(
        (status = 200, description = "The endpoint, without its secret.", body = WebhookEndpoint),
        (status = 404, description = "`webhook.not_found`"),
    )
)]
pub async fn load(request: StaffRequest) -> Result<Json<WebhookEndpoint>, Problem> {
    Ok(Json(request.app().webhook(&request.who, request.id()).await?.into()))
}

/// Changes an endpoint's name, address and events. What is waiting goes to the new address.
#[utoipa::path(
    patch,
    path = "/api/admins/webhooks/{id}",
    operation_id = "changeWebhook",
    tag = "Office: webhooks",
    params(("id" = String, Path, description = "The endpoint's id")),
    request_body = WebhookInput,
    responses(
        (status = 200, description = "The endpoint as it is now.", body = WebhookEndpoint),
        (status = 404, description = "`webhook.not_found`"),
    )
)]
pub async fn change(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<WebhookEndpoint>, Problem> {
    Ok(Json(request.app().change_webhook(&request.who, request.id(), &input).await?.into()))
}

/// Pauses an endpoint, or resumes it. Events wait while it is paused, and are then delivered in their order.
#[utoipa::path(
    post,
    path = "/api/admins/webhooks/{id}/pause",
    operation_id = "pauseWebhook",
    tag = "Office: webhooks",
    params(("id" = String, Path, description = "The endpoint's id")),
    request_body = WebhookPause,
    responses(
        (status = 200, description = "The endpoint as it is now.", body = WebhookEndpoint),
        (status = 404, description = "`webhook.not_found`"),
    )
)]
pub async fn pause(request: StaffRequest, StrictJson(input): StrictJson) -> Result<Json<WebhookEndpoint>, Problem> {
    Ok(Json(request.app().pause_webhook(&request.who, request.id(), &input).await?.into()))
}

/// Gives an endpoint a new secret. For a day, deliveries are signed with the former one as well.
#[utoipa::path(
    post,
    path = "/api/admins/webhooks/{id}/secret",
    operation_id = "renewWebhookSecret",
    tag = "Office: webhooks",
    params(("id" = String, Path, description = "The endpoint's id")),
    responses(
        (status = 200, description = "The endpoint and its new secret, which is never shown again.", body = SecretWebhookEndpoint),
        (status = 404, description = "`webhook.not_found`"),
    )
)]
pub async fn renew_secret(request: StaffRequest) -> Result<impl IntoResponse, Problem> {
    let made = request.app().renew_webhook_secret(&request.who, request.id()).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(SecretWebhookEndpoint::from(made))))
}

/// Deletes an endpoint, with what waits for it.
#[utoipa::path(
    delete,
    path = "/api/admins/webhooks/{id}",
    operation_id = "deleteWebhook",
    tag = "Office: webhooks",
    params(("id" = String, Path, description = "The endpoint's id")),
    responses(
        (status = 204, description = "It is deleted."),
        (status = 404, description = "`webhook.not_found`"),
    )
)]
pub async fn delete(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().delete_webhook(&request.who, request.id()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends an endpoint a test event, `webhook.test`. What became of it is among its deliveries.
#[utoipa::path(
    post,
    path = "/api/admins/webhooks/{id}/test",
    operation_id = "testWebhook",
    tag = "Office: webhooks",
    params(("id" = String, Path, description = "The endpoint's id")),
    responses(
        (status = 202, description = "The event is on its way.", body = WebhookTest),
        (status = 404, description = "`webhook.not_found`"),
    )
)]
pub async fn test(request: StaffRequest) -> Result<(StatusCode, Json<WebhookTest>), Problem> {
    let event_id = request.app().test_webhook(&request.who, request.id()).await?;
    Ok((StatusCode::ACCEPTED, Json(WebhookTest { event_id })))
}

/// Lists the deliveries of an endpoint: those that wait, and those of the last 30 days.
#[utoipa::path(
    get,
    path = "/api/admins/webhooks/{id}/deliveries",
    operation_id = "listWebhookDeliveries",
    tag = "Office: webhooks",
    params(
        ("id" = String, Path, description = "The endpoint's id"),
        ("state" = Option<DeliveryState>, Query, nullable = false, description = "Only those"),
        ("before" = Option<String>, Query, nullable = false, description = "The last event of the page before this one"),
    ),
    responses(
        (status = 200, description = "Up to 50 deliveries.", body = WebhookDeliveries),
        (status = 404, description = "`webhook.not_found`"),
        (status = 422, description = "`state.unknown`"),
    )
)]
pub async fn deliveries(request: StaffRequest) -> Result<Json<WebhookDeliveries>, Problem> {
    let sentence = "The state is waiting, delivered, failed or skipped.";
    let unknown = || vec![FieldError::new("state", "state.unknown", sentence)];
    let state = match request.query("state") {
        None => None,
        Some(text) => Some(DeliveryState::parse(&text).ok_or_else(unknown)?),
    };
    let before = request.query("before").unwrap_or_default();
    let (found, is_last) = request.app().webhook_deliveries(&request.who, request.id(), state, &before).await?;
    Ok(Json(WebhookDeliveries { deliveries: found.into_iter().map(WebhookDelivery::from).collect(), is_last }))
}

/// Sends an event again, whatever has become of it. The receiver knows it by its `webhook-id`.
#[utoipa::path(
    post,
    path = "/api/admins/webhooks/{id}/deliveries/{eventId}/resend",
    operation_id = "resendWebhook",
    tag = "Office: webhooks",
    params(
        ("id" = String, Path, description = "The endpoint's id"),
        ("eventId" = String, Path, description = "The event's id"),
    ),
    responses(
        (status = 204, description = "It is on its way."),
        (status = 404, description = "`delivery.not_found`"),
    )
)]
pub async fn resend(request: StaffRequest) -> Result<StatusCode, Problem> {
    changed(request, DeliveryChange::Resend).await
}

/// Skips an event that is waiting or was given up, so that later ones of its application no longer wait for it.
#[utoipa::path(
    post,
    path = "/api/admins/webhooks/{id}/deliveries/{eventId}/skip",
    operation_id = "skipWebhook",
    tag = "Office: webhooks",
    params(
        ("id" = String, Path, description = "The endpoint's id"),
        ("eventId" = String, Path, description = "The event's id"),
    ),
    responses(
        (status = 204, description = "It is skipped."),
        (status = 404, description = "`delivery.not_found`: there is none, or it has been delivered"),
    )
)]
pub async fn skip(request: StaffRequest) -> Result<StatusCode, Problem> {
    changed(request, DeliveryChange::Skip).await
}

async fn changed(request: StaffRequest, change: DeliveryChange) -> Result<StatusCode, Problem> {
    request.app().change_webhook_delivery(&request.who, request.id(), request.part("eventId"), change).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends everything again that was given up.
#[utoipa::path(
    post,
    path = "/api/admins/webhooks/{id}/deliveries/resend",
    operation_id = "resendFailedWebhooks",
    tag = "Office: webhooks",
    params(("id" = String, Path, description = "The endpoint's id")),
    responses(
        (status = 200, description = "It is on its way.", body = ResentWebhooks),
        (status = 404, description = "`webhook.not_found`"),
    )
)]
pub async fn resend_failed(request: StaffRequest) -> Result<Json<ResentWebhooks>, Problem> {
    Ok(Json(ResentWebhooks { deliveries: request.app().resend_failed_webhooks(&request.who, request.id()).await? }))
}

/// Returns the events as the description of the API has them, and the schemas of their data.
pub fn described() -> (Paths, Vec<(String, RefOr<Schema>)>) {
    let mut schemas = Vec::new();
    for (name, schema, parts) in [
        schema_of::<StageEvent>(),
        schema_of::<DocumentEvent>(),
        schema_of::<ReferenceEvent>(),
        schema_of::<PaymentEvent>(),
        schema_of::<FeeEvent>(),
        schema_of::<TestEvent>(),
    ] {
        schemas.push((name, schema));
        schemas.extend(parts);
    }
    let paths = EventKind::ALL.iter().fold(PathsBuilder::new(), |paths, kind| {
        paths.path(kind.as_str(), PathItem::new(HttpMethod::Post, operation(*kind)))
    });
    (paths.build(), schemas)
}

type Described = (String, RefOr<Schema>, Vec<(String, RefOr<Schema>)>);

fn schema_of<T: ToSchema>() -> Described {
    let mut parts = Vec::new();
    T::schemas(&mut parts);
    (T::name().into_owned(), T::schema(), parts)
}

fn operation(kind: EventKind) -> Operation {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let body = ObjectBuilder::new()
        .property("type", text().enum_values(Some([kind.as_str()])))
        .property("timestamp", text().description(Some("When it happened, RFC 3339.")))
        .property("data", Ref::from_schema_name(kind.schema()));
    let body = ["type", "timestamp", "data"].into_iter().fold(body, ObjectBuilder::required);
    let header = |name: &str, about: &str| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::True)
            .description(Some(about))
            .schema(Some(text()))
            .build()
    };
    let parameters = [
        header("webhook-id", "The event's id, the same for each attempt and each endpoint."),
        header(
            "webhook-timestamp",
            "When this was sent, in seconds since 1970. Refuse what is older than five minutes.",
        ),
        header(
            "webhook-signature",
            "Signatures with a space between them, as Standard Webhooks says: `v1,` and base64 of the HMAC-SHA256 of \
             `ID.TIMESTAMP.BODY`.",
        ),
    ];
    let answer = ResponseBuilder::new().description("200 to 299: it is taken. Anything else: it is sent again.");
    OperationBuilder::new()
        .operation_id(Some(kind.as_str()))
        .tag("Webhooks")
        .summary(Some(kind.about()))
        .parameters(Some(parameters))
        .request_body(Some(
            RequestBodyBuilder::new()
                .required(Some(Required::True))
                .content("application/json", ContentBuilder::new().schema(Some(body)).build())
                .build(),
        ))
        .security(SecurityRequirement::default())
        .response("2XX", answer)
        .build()
}
