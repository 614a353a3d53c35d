//! `/admins/applications/{id}/notes…`: notes about an application that staff write for each other.

use axum::Json;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::{StaffRequest, tagged};
use crate::json::StrictJson;
use crate::problem::Problem;
use app::office::dossiers::NoteText;
use app::{Error, Refusal};
use domain::body;
use domain::body::by;
use domain::moments::rfc3339;
use domain::note::Note;

/// A note about an application. Applicants never see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeNote {
    id: String,
    /// The id of its author. Only they can change or delete it.
    author: String,
    note: String,
    /// Goes up with every change of the text, from 1; the number in the `ETag`.
    revision: i64,
    /// Whether it is shown above the others.
    pinned: bool,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(required, format = DateTime)]
    edited_at: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeNotes {
    /// Pinned ones first, then newest first.
    notes: Vec<OfficeNote>,
}

body! {
    pub struct NoteBody {
        /// 1 to 4,000 characters. `@` and the name or address of a colleague sends them a mail.
        #[schema(value_type = String, example = "@Demo Reviewer, please look at the transcript.")]
        note: NoteText = by(NoteText::parse),
    }
}

impl From<Note> for OfficeNote {
    fn from(note: Note) -> Self {
        OfficeNote {
            id: note.id,
            author: note.staff_id,
            note: note.text,
            revision: note.revision,
            pinned: note.pinned_at.is_some(),
            created_at: rfc3339(note.created_at),
            edited_at: note.edited_at.map(rfc3339),
        }
    }
}

/// Lists the notes about an application.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/notes",
    operation_id = "listNotes",
    tag = "Office: notes and mails",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("q" = Option<String>, Query, nullable = false, description = "Words that they have; at most 200 characters"),
    ),
    responses(
        (status = 200, description = "The notes.", body = OfficeNotes),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 422, description = "`q.invalid`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<OfficeNotes>, Problem> {
    let search = request.query("q").unwrap_or_default();
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let notes = request.app().notes(&request.who, &dossier, &search).await?;
    Ok(Json(OfficeNotes { notes: notes.into_iter().map(OfficeNote::from).collect() }))
}

/// Writes a note.
///
/// Anyone mentioned in it gets a mail. Sent again under the same `Idempotency-Key`, it is written once.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/notes",
    operation_id = "writeNote",
    tag = "Office: notes and mails",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "Names the note: sent again under the same key, it is written once"),
    ),
    request_body = NoteBody,
    responses(
        (status = 201, description = "The note.", body = OfficeNote,
            headers(("ETag" = String, description = "The note's revision in quotes"))),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 422, description = "`note.required`, `note.too_long`, `note.invalid`"),
    )
)]
pub async fn write(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let NoteBody { note: text } = NoteBody::parse(&input)?;
    let id = request.new_id("note");
    request.app().write_note(&request.who, request.id(), &id, text).await?;
    let note = find(&request, &id).await?;
    Ok((StatusCode::CREATED, tagged(note.revision, OfficeNote::from(note))))
}

/// Changes the text of the caller's own note.
///
/// Anyone newly mentioned gets a mail.
#[utoipa::path(
    patch,
    path = "/api/admins/applications/{id}/notes/{note}",
    operation_id = "editNote",
    tag = "Office: notes and mails",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("note" = String, Path, description = "The note's id"),
        ("If-Match" = Option<String>, Header, nullable = false,
            description = "The `ETag` of the text that is changed, or `*` for whatever is there"),
    ),
    request_body = NoteBody,
    responses(
        (status = 200, description = "The note as it is now.", body = OfficeNote,
            headers(("ETag" = String, description = "The note's revision in quotes"))),
        (status = 403, description = "`role.forbidden`, for another's note"),
        (status = 404, description = "`application.not_found`, `note.not_found`"),
        (status = 412, description = "`note.stale`: it was changed elsewhere"),
        (status = 422, description = "`note.required`, `note.too_long`, `note.invalid`"),
    )
)]
pub async fn edit(request: StaffRequest, StrictJson(input): StrictJson) -> Result<impl IntoResponse, Problem> {
    let NoteBody { note: text } = NoteBody::parse(&input)?;
    let id = request.part("note");
    let seen = match request.conditions.expected {
        Some(revision) => revision,
        None => find(&request, id).await?.revision,
    };
    request.app().edit_note(&request.who, request.id(), id, seen, text).await?;
    let note = find(&request, id).await?;
    Ok(tagged(note.revision, OfficeNote::from(note)))
}

/// Deletes the caller's own note.
#[utoipa::path(
    delete,
    path = "/api/admins/applications/{id}/notes/{note}",
    operation_id = "deleteNote",
    tag = "Office: notes and mails",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("note" = String, Path, description = "The note's id"),
    ),
    responses(
        (status = 204, description = "It is deleted."),
        (status = 403, description = "`role.forbidden`, for another's note"),
        (status = 404, description = "`application.not_found`, `note.not_found`"),
    )
)]
pub async fn delete(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().delete_note(&request.who, request.id(), request.part("note")).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pins a note above the others.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/notes/{note}/pin",
    operation_id = "pinNote",
    tag = "Office: notes and mails",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("note" = String, Path, description = "The note's id"),
    ),
    responses(
        (status = 204, description = "It is pinned."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `note.not_found`"),
    )
)]
pub async fn pin(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().pin_note(&request.who, request.id(), request.part("note"), true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unpins a note.
#[utoipa::path(
    delete,
    path = "/api/admins/applications/{id}/notes/{note}/pin",
    operation_id = "unpinNote",
    tag = "Office: notes and mails",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("note" = String, Path, description = "The note's id"),
    ),
    responses(
        (status = 204, description = "It is not pinned."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `note.not_found`"),
    )
)]
pub async fn unpin(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().pin_note(&request.who, request.id(), request.part("note"), false).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn find(request: &StaffRequest, id: &str) -> Result<Note, Error> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let notes = request.app().notes(&request.who, &dossier, "").await?;
    Ok(notes.into_iter().find(|note| note.id == id).ok_or(Refusal::NoSuchNote)?)
}
