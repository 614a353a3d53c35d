//! `GET /users/messages`, `GET /users/messages/{id}`

use axum::Json;
use axum::extract::{Path, RawQuery, State};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::bearer::Bearer;
use crate::problem::Problem;
use domain::mail::Delivery;
use domain::moments::rfc3339;

/// A page of messages, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Messages {
    messages: Vec<MessageHead>,
    /// The number of unopened messages in total.
    unread: i64,
    /// The `before` of the next page; null when there are no more.
    #[schema(required)]
    next: Option<String>,
}

/// A message without its text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageHead {
    id: String,
    subject: String,
    /// The address it was sent to.
    to: String,
    delivery: Delivery,
    read: bool,
    #[schema(format = DateTime)]
    created_at: String,
}

/// A message: an email to the applicant, without the links and codes that only the email contains.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenedMessage {
    #[serde(flatten)]
    head: MessageHead,
    text: String,
}

impl From<&domain::mail::Message> for MessageHead {
    fn from(message: &domain::mail::Message) -> Self {
        MessageHead {
            id: message.id.clone(),
            subject: message.subject.clone(),
            to: message.to.clone(),
            delivery: message.delivery(),
            read: message.read_at.is_some(),
            created_at: rfc3339(message.created_at),
        }
    }
}

/// Lists the emails to the applicant, 20 at a time.
#[utoipa::path(
    get,
    path = "/api/users/messages",
    operation_id = "listMessages",
    tag = "Messages",
    params(("before" = Option<String>, Query, nullable = false, description = "The `next` of the answer before")),
    responses((status = 200, description = "Newest first.", body = Messages))
)]
pub async fn list(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    RawQuery(query): RawQuery,
) -> Result<Json<Messages>, Problem> {
    let query = query.unwrap_or_default();
    let before = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "before");
    let page = api.app.list_messages(&who, before.as_ref().map(|(_, id)| id.as_ref())).await?;
    let unread = api.app.unread_messages(&who).await?;
    let messages = page.messages.iter().map(MessageHead::from).collect();
    Ok(Json(Messages { messages, unread, next: page.next }))
}

/// Returns one email to the applicant, which counts as read from then on.
#[utoipa::path(
    get,
    path = "/api/users/messages/{id}",
    operation_id = "openMessage",
    tag = "Messages",
    params(("id" = String, Path, description = "The message's id")),
    responses(
        (status = 200, description = "The message; `read` tells whether it was opened before.", body = OpenedMessage),
        (status = 404, description = "`message.not_found`"),
    )
)]
pub async fn open(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    Path(id): Path<String>,
) -> Result<Json<OpenedMessage>, Problem> {
    let message = api.app.open_message(&who, &id).await?;
    Ok(Json(OpenedMessage { head: MessageHead::from(&message), text: message.text }))
}
