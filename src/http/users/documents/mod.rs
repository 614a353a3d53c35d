//! `/users/documents`: the documents an application calls for, and the files sent. [`uploads`] takes them in pieces.

pub mod uploads;

use std::pin::pin;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ApiState;
use crate::bearer::{Bearer, BearerWithApplication};
use crate::problem::{Problem, kind};
use app::Refusal;
use app::documents::{self, Broken, FileView, FormUpload, SlotView};
use domain::documents::{FileState, MAX_BYTES, MAX_FILES, Need, SlotState, StoredDocument};
use domain::moments::rfc3339;
use domain::sentence::Sentence;
use wire::{FormFault, Multipart, is_multipart};

/// Routes the other methods that tus requires of an upload, which are not part of the description.
pub(super) fn undescribed() -> Router<ApiState> {
    let upload = get(uploads::no_get).post(uploads::overridden).options(uploads::options);
    Router::new().route("/documents/uploads/{id}", upload)
}

/// The documents of the active application.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Documents {
    /// Documents that the answers call for, most urgent first.
    slots: Vec<DocumentSlot>,
    /// Documents with files that the answers no longer call for.
    others: Vec<DocumentSlot>,
    limits: UploadLimits,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadLimits {
    /// Maximum size of a file in bytes.
    max_bytes: u64,
    /// Maximum number of files per applicant.
    max_files: i64,
    /// How many more files there is room for.
    room: i64,
    /// The file name extensions that are accepted.
    endings: [&'static str; 7],
}

/// A document and its state.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentSlot {
    /// Its name in calls: `identity`, `jst`…
    slot: String,
    #[schema(value_type = String)]
    label: Sentence,
    /// What to send, and why it is asked for.
    #[schema(value_type = String)]
    why: Sentence,
    #[schema(value_type = String, example = "required")]
    need: Need,
    #[schema(value_type = String, example = "received")]
    state: SlotState,
    /// Why another document is needed, or why none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<String>,
    /// Oldest first.
    files: Vec<Document>,
}

/// A file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    id: String,
    slot: String,
    name: String,
    #[schema(value_type = String, example = "received")]
    state: FileState,
    /// Size in bytes, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    size: Option<u64>,
    /// Bytes received so far.
    received: u64,
    media_type: &'static str,
    /// Why it was not accepted, as one plain sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    error: Option<Sentence>,
    /// The same as a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'static str>,
    #[schema(format = DateTime)]
    created_at: String,
}

impl From<&StoredDocument> for Document {
    fn from(file: &StoredDocument) -> Self {
        Document {
            id: file.id.clone(),
            slot: file.slot.as_str().to_owned(),
            name: file.name.as_str().to_owned(),
            state: file.state,
            size: file.size,
            received: file.received,
            media_type: file.name.kind().media_type(),
            error: file.rejection.map(|rejection| rejection.sentence()),
            code: file.rejection.map(|rejection| rejection.code()),
            created_at: rfc3339(file.created_at),
        }
    }
}

impl From<SlotView> for DocumentSlot {
    fn from(view: SlotView) -> Self {
        let SlotView { slot, state, review, files, .. } = view;
        DocumentSlot {
            slot: slot.name().to_owned(),
            label: slot.label,
            why: slot.why,
            need: slot.need,
            state,
            reason: review.map(|review| review.reason).filter(|reason| !reason.is_empty()),
            files: files.iter().map(|FileView { file, .. }| file.into()).collect(),
        }
    }
}

/// Lists the documents the application calls for, and the files sent.
#[utoipa::path(
    get,
    path = "/api/users/documents",
    operation_id = "listDocuments",
    tag = "Documents",
    responses(
        (status = 200, description = "Every document and its files.", body = Documents),
        (status = 404, description = "`application.none`"),
    )
)]
pub async fn list(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
) -> Result<Json<Documents>, Problem> {
    let documents::Documents { slots, others, room } = api.app.list_documents(&who, known.as_ref()).await?;
    let limits = UploadLimits {
        max_bytes: MAX_BYTES,
        max_files: MAX_FILES,
        room,
        endings: ["pdf", "jpg", "jpeg", "png", "heic", "heif", "docx"],
    };
    Ok(Json(Documents {
        slots: slots.into_iter().map(DocumentSlot::from).collect(),
        others: others.into_iter().map(DocumentSlot::from).collect(),
        limits,
    }))
}

/// A form with a file.
#[derive(ToSchema)]
pub struct DocumentForm {
    /// Which document it is. Must come before the file.
    pub slot: String,
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    pub file: String,
}

/// Sends a file in one request.
///
/// It is checked before the response, which says what is wrong with it. On a bad connection, send it in pieces instead
/// (`POST /api/users/documents/uploads`).
#[utoipa::path(
    post,
    path = "/api/users/documents",
    operation_id = "sendDocument",
    tag = "Documents",
    request_body(content = DocumentForm, content_type = "multipart/form-data"),
    responses(
        (status = 201, description = "It is kept; or, where its `state` is `checking`, it is once the virus scanner answers.",
            body = Document),
        (status = 400, description = "`multipart.syntax`"),
        (status = 404, description = "`application.none`"),
        (status = 408, description = "`request.timeout`: less than 16 KB in 30 seconds"),
        (status = 409, description = "`file.quota`, `document.closed`"),
        (status = 413, description = "`file.too_large`"),
        (status = 415, description = "`content_type`"),
        (status = 422, description = "`document.slot`, `file.empty`, `file.name`, `file.type`, `file.type_mismatch`, \
            `file.corrupt`, `file.damaged`, `file.pixels`, `file.password`, `file.active`, `file.form`, `file.macros`, `file.linked`, \
            `file.archive_too_large`, `file.archive_invalid`, `file.malware`"),
    )
)]
pub async fn send(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Document>), Problem> {
    if !is_multipart(&headers) {
        return Err(Problem::new(&kind::CONTENT_TYPE, "Send Content-Type: multipart/form-data."));
    }
    let body = wire::arrival(body);
    let mut form = Multipart::new(&headers, body)?;
    let mut slot = None;
    while let Some(part) = form.next().await? {
        let Some(file_name) = part.file_name.clone() else {
            if part.name == "slot" {
                slot = Some(part.text().await?);
            }
            continue;
        };
        let slot = slot.ok_or(FormFault::Syntax)?;
        let taken = {
            let mut bytes = pin!(part.bytes());
            api.app.take_file(&who, known.as_ref(), &slot, &file_name, bytes.as_mut()).await?
        };
        return match taken {
            FormUpload::Taken(document) => match nothing_more(form).await {
                Ok(()) => Ok((StatusCode::CREATED, Json((&*document).into()))),
                Err(fault) => {
                    api.app.remove_document(&who, known.as_ref(), &document.id).await?;
                    Err(fault.into())
                }
            },
            FormUpload::Broken(broken) => Err(FormFault::from(broken).into()),
        };
    }
    Err(FormFault::Syntax.into())
}

/// Refuses a second file in a form that takes one: nobody who sends two must believe that both were accepted.
async fn nothing_more(mut form: Multipart) -> Result<(), FormFault> {
    while let Some(part) = form.next().await? {
        if part.file_name.is_some() {
            return Err(FormFault::SecondFile);
        }
    }
    Ok(())
}

impl From<FormFault> for Problem {
    fn from(fault: FormFault) -> Self {
        match fault {
            FormFault::Syntax | FormFault::SecondFile => Problem::new(&kind::MULTIPART, fault.sentence()),
            FormFault::Slow => Problem::new(&kind::TIMEOUT, fault.sentence()),
        }
    }
}

/// Returns the problem for a body that broke off.
fn broken(broken: Broken) -> Problem {
    match broken {
        Broken::Slow => Problem::new(&kind::TIMEOUT, FormFault::Slow.sentence()),
        Broken::Lost | Broken::Malformed => {
            Problem::new(&kind::INCOMPLETE, "The request body did not arrive completely.")
        }
    }
}

/// Downloads a file.
///
/// Supports ranges, with `If-Range`.
#[utoipa::path(
    get,
    path = "/api/users/documents/{id}",
    operation_id = "loadDocument",
    tag = "Documents",
    params(("id" = String, Path, description = "The document's id")),
    responses(
        (status = 200, description = "All of it.", body = String, content_type = "application/octet-stream",
            headers(("ETag" = String, description = "Of its bytes"))),
        (status = 206, description = "The range that was asked for."),
        (status = 304, description = "It is the copy of `If-None-Match`."),
        (status = 404, description = "`document.not_found`"),
        (status = 416, description = "`range`"),
    )
)]
pub async fn load(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    id: DocumentId,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let document = api.app.kept_document(&who, &id.0).await?;
    Ok(saved(wire::download(&api.app, &headers, &document, wire::Shown::Saved).await?))
}

/// Returns the response with a file or, if the file has no such range, a problem that says so.
pub(crate) fn saved(response: Response) -> Response {
    if response.status() != StatusCode::RANGE_NOT_SATISFIABLE {
        return response;
    }
    let headers = response.headers().clone();
    let mut problem = Problem::new(&kind::RANGE, "The file has no such bytes.").into_response();
    problem.headers_mut().extend(headers);
    problem
}

/// Removes a file.
///
/// Possible until the document is accepted; also for an upload under way.
#[utoipa::path(
    delete,
    path = "/api/users/documents/{id}",
    operation_id = "removeDocument",
    tag = "Documents",
    params(("id" = String, Path, description = "The document's id")),
    responses(
        (status = 204, description = "It is gone."),
        (status = 404, description = "`document.not_found`"),
        (status = 409, description = "`document.closed`: it was accepted"),
    )
)]
pub async fn remove(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    id: DocumentId,
) -> Result<StatusCode, Problem> {
    api.app.remove_document(&who, known.as_ref(), &id.0).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The id in the path. One that is not valid text is an id that no document has.
pub struct DocumentId(pub String);

impl axum::extract::FromRequestParts<ApiState> for DocumentId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, state: &ApiState) -> Result<Self, Problem> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(id)| DocumentId(id)).map_err(|_| Refusal::DocumentNotFound.into())
    }
}
