//! `GET /users/conversation`, `POST /users/conversation`: messages between the applicant and the office.

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use super::submission::conditions;
use crate::ApiState;
use crate::admins::conversation::{MessageBody, WrittenMessage};
use crate::bearer::Bearer;
use crate::json::StrictJson;
use crate::problem::Problem;
use domain::conversation::ConversationMessage;
use domain::moments::rfc3339;

/// A page of the conversation, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    messages: Vec<ConversationEntry>,
    /// The `before` of the next page; null when there are no earlier messages.
    #[schema(required)]
    earlier: Option<String>,
    /// Whether the applicant can write now: about an application that was submitted and is not over.
    can_write: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationEntry {
    id: String,
    /// The application it is about.
    application_id: String,
    /// Whether the applicant wrote it.
    own: bool,
    text: String,
    /// Whether the applicant had already seen it.
    read: bool,
    #[schema(format = DateTime)]
    created_at: String,
}

impl From<ConversationMessage> for ConversationEntry {
    fn from(message: ConversationMessage) -> Self {
        let own = message.staff_id.is_none();
        ConversationEntry {
            id: message.id,
            application_id: message.application_id,
            own,
            text: message.text,
            read: own || message.read_at.is_some(),
            created_at: rfc3339(message.created_at),
        }
    }
}

/// Returns the conversation, 50 messages at a time. All of it counts as read from then on.
#[utoipa::path(
    get,
    path = "/api/users/conversation",
    operation_id = "readOwnConversation",
    tag = "Messages",
    params(("before" = Option<String>, Query, nullable = false, description = "The `earlier` of the answer before")),
    responses((status = 200, description = "The newest, or those before `before`.", body = Conversation))
)]
pub async fn read(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    RawQuery(query): RawQuery,
) -> Result<Json<Conversation>, Problem> {
    let query = query.unwrap_or_default();
    let before = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "before");
    let read = api.app.read_own_conversation(&who, before.as_ref().map(|(_, id)| id.as_ref())).await?;
    let messages = read.page.messages.into_iter().map(ConversationEntry::from).collect();
    Ok(Json(Conversation { messages, earlier: read.page.earlier, can_write: read.present.is_some() }))
}

/// Writes to the office about the current application.
///
/// Sent again under the same `Idempotency-Key`, it is written once.
#[utoipa::path(
    post,
    path = "/api/users/conversation",
    operation_id = "writeToOffice",
    tag = "Messages",
    params(
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "Names the message: sent again under the same key, it is written once"),
    ),
    request_body = MessageBody,
    responses(
        (status = 201, description = "It is written.", body = WrittenMessage),
        (status = 404, description = "`submission.none`: there is no application that was submitted and is not over"),
        (status = 422, description = "`text.required`, `text.too_long`, `text.invalid`"),
        (status = 429, description = "`rate_limited`: 20 in an hour"),
    )
)]
pub async fn write(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    headers: HeaderMap,
    StrictJson(input): StrictJson,
) -> Result<(StatusCode, Json<WrittenMessage>), Problem> {
    let MessageBody { text } = MessageBody::parse(&input)?;
    let key = conditions(&headers)?.key.unwrap_or_else(|| api.app.random.id());
    let id = api.app.write_to_office(&who, &key, text).await?;
    Ok((StatusCode::CREATED, Json(WrittenMessage { id })))
}
