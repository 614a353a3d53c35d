//! `/admins/applications/{id}/conversation`: messages between an applicant and the office.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use app::applications::conversation::{ConversationPage, FilledSnippet, MessageText};
use domain::body;
use domain::body::by;
use domain::conversation::ConversationMessage;
use domain::moments::rfc3339;

/// A message in the conversation about an application.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeMessage {
    id: String,
    /// The id of the member of staff who wrote it; null for the applicant.
    #[schema(required)]
    author: Option<String>,
    text: String,
    #[schema(format = DateTime)]
    created_at: String,
    /// When the applicant first saw a message from the office.
    #[schema(required, format = DateTime)]
    read_at: Option<String>,
}

impl From<ConversationMessage> for OfficeMessage {
    fn from(message: ConversationMessage) -> Self {
        OfficeMessage {
            id: message.id,
            author: message.staff_id,
            text: message.text,
            created_at: rfc3339(message.created_at),
            read_at: message.read_at.map(rfc3339),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeConversation {
    /// Newest first.
    messages: Vec<OfficeMessage>,
    /// The `before` of the next page; null when there are no earlier messages.
    #[schema(required)]
    earlier: Option<String>,
}

/// A snippet filled in for a message to this applicant, in their language.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeSnippet {
    name: String,
    text: String,
}

impl From<FilledSnippet> for OfficeSnippet {
    fn from(FilledSnippet { name, text }: FilledSnippet) -> Self {
        OfficeSnippet { name, text }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeSnippets {
    snippets: Vec<OfficeSnippet>,
}

body! {
    /// A message to send.
    pub struct MessageBody {
        /// 1 to 4,000 characters.
        #[schema(value_type = String, example = "Thank you, the transcript is readable now.")]
        pub text: MessageText = by(MessageText::parse),
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WrittenMessage {
    pub id: String,
}

/// Returns the newest messages about an application, 50 at a time.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/conversation",
    operation_id = "readConversation",
    tag = "Office: notes and mails",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("before" = Option<String>, Query, nullable = false, description = "The `earlier` of the answer before"),
    ),
    responses(
        (status = 200, description = "The messages.", body = OfficeConversation),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn read(request: StaffRequest) -> Result<Json<OfficeConversation>, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let ConversationPage { messages, earlier } =
        request.app().conversation(&request.who, &dossier, request.query("before").as_deref()).await?;
    Ok(Json(OfficeConversation { messages: messages.into_iter().map(OfficeMessage::from).collect(), earlier }))
}

/// Writes to the applicant.
///
/// Closes the task to answer. A mail tells the applicant that there is something to read, but not what it says. Sent
/// again under the same `Idempotency-Key`, it is written once.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/conversation",
    operation_id = "writeToApplicant",
    tag = "Office: notes and mails",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "Names the message: sent again under the same key, it is written once"),
    ),
    request_body = MessageBody,
    responses(
        (status = 201, description = "It is written.", body = WrittenMessage),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`applicant.closed`: there is nobody to write to"),
        (status = 422, description = "`text.required`, `text.too_long`, `text.invalid`"),
    )
)]
pub async fn write(
    request: StaffRequest,
    StrictJson(input): StrictJson,
) -> Result<(StatusCode, Json<WrittenMessage>), Problem> {
    let MessageBody { text } = MessageBody::parse(&input)?;
    let id = request.new_id("message");
    request.app().write_to_applicant(&request.who, request.id(), &id, text).await?;
    Ok((StatusCode::CREATED, Json(WrittenMessage { id })))
}

/// Returns the office's snippets, filled in for the applicant.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/snippets",
    operation_id = "listSnippets",
    tag = "Office: notes and mails",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "The snippets.", body = OfficeSnippets),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn snippets(request: StaffRequest) -> Result<Json<OfficeSnippets>, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let snippets = request.app().snippets_for(&dossier).await;
    Ok(Json(OfficeSnippets { snippets: snippets.into_iter().map(OfficeSnippet::from).collect() }))
}
