//! `/admins/applications/{id}/documents…`: the documents an application calls for, the files sent, and the decisions on
//! them.

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::json::StrictJson;
use crate::problem::Problem;
use crate::users::documents::{Document, saved};
use app::Refusal;
use app::documents::{self, FileView, ReviewVerdict, SlotView};
use domain::body;
use domain::body::{optional_text, wrong};
use domain::documents::{Need, ReviewDecision, SlotKind, SlotState};
use domain::input::{FieldError, Input};
use domain::moments::rfc3339;

/// The documents of an application.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeDocuments {
    /// Documents that the answers call for, most urgent first.
    slots: Vec<OfficeDocumentSlot>,
    /// Documents with files that the answers no longer call for.
    others: Vec<OfficeDocumentSlot>,
}

/// A document and its state.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeDocumentSlot {
    #[schema(example = "identity")]
    slot: String,
    label: String,
    /// Why it is needed.
    why: String,
    #[schema(value_type = String, example = "required")]
    need: Need,
    #[schema(value_type = String, example = "received")]
    state: SlotState,
    /// Changes whenever somebody decides about the document or a file is added or removed.
    #[schema(example = "received.0.1778500800000")]
    seen: String,
    /// The last decision about it.
    #[schema(required)]
    review: Option<DocumentReview>,
    /// Oldest first.
    files: Vec<OfficeFile>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentReview {
    decision: DocumentVerdict,
    /// For the applicant if another document is needed; otherwise for the record.
    #[schema(required)]
    reason: Option<String>,
    /// The id of the member of staff.
    #[schema(required)]
    by: Option<String>,
    #[schema(format = DateTime)]
    at: String,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DocumentVerdict {
    Accept,
    Replace,
    Waive,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OfficeFile {
    #[serde(flatten)]
    file: Document,
    /// Whether it was sent before another one was asked for.
    replaced: bool,
}

body! {
    pub struct DocumentDecision {
        decision: DocumentVerdict = verdict,
        /// For `replace`, which is told to the applicant, and `waive`: 1 to 1,000 characters.
        #[schema(nullable = false, example = "The second page is missing.")]
        reason: Option<String> = optional_text("Give a reason, in a few words."),
        /// The `seen` of the document to decide about. If left out, whatever is there.
        #[schema(nullable = false)]
        seen: Option<String> = optional_text("Send what was seen as a text."),
    }
}

impl From<&SlotView> for OfficeDocumentSlot {
    fn from(view: &SlotView) -> Self {
        let review = view.review.as_ref().map(|review| DocumentReview {
            decision: match review.decision {
                ReviewDecision::Accepted => DocumentVerdict::Accept,
                ReviewDecision::Replace => DocumentVerdict::Replace,
                ReviewDecision::Waived => DocumentVerdict::Waive,
            },
            reason: Some(review.reason.clone()).filter(|reason| !reason.is_empty()),
            by: view.decided_by.clone(),
            at: rfc3339(review.at),
        });
        let file = |FileView { file, replaced, .. }: &FileView| OfficeFile { file: file.into(), replaced: *replaced };
        OfficeDocumentSlot {
            slot: view.slot.name().to_owned(),
            label: view.slot.label.to_string(),
            why: view.slot.why.to_string(),
            need: view.slot.need,
            state: view.state,
            seen: view.seen(),
            review,
            files: view.files.iter().map(file).collect(),
        }
    }
}

/// Lists the documents an application calls for, and the files sent.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/documents",
    operation_id = "listOfficeDocuments",
    tag = "Office: documents",
    params(("id" = String, Path, description = "The application's id")),
    responses(
        (status = 200, description = "Every document and its files.", body = OfficeDocuments),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
    )
)]
pub async fn list(request: StaffRequest) -> Result<Json<OfficeDocuments>, Problem> {
    let dossier = request.app().dossier(&request.who, request.id()).await?;
    let documents::Documents { slots, others, .. } = request.app().dossier_documents(&request.who, &dossier).await?;
    let slots_of = |views: &[SlotView]| views.iter().map(OfficeDocumentSlot::from).collect();
    Ok(Json(OfficeDocuments { slots: slots_of(&slots), others: slots_of(&others) }))
}

/// Decides about a document.
///
/// Replaces the previous decision. An applicant who has to send another document gets a mail with the reason.
#[utoipa::path(
    post,
    path = "/api/admins/applications/{id}/documents/{slot}",
    operation_id = "reviewDocument",
    tag = "Office: documents",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("slot" = String, Path, description = "Which document it is, as `identity`"),
    ),
    request_body = DocumentDecision,
    responses(
        (status = 204, description = "It is decided."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`document.not_received`: there is nothing that this could be decided about"),
        (status = 412, description = "`application.stale`: it is not as it was `seen`"),
        (status = 422, description = "`decision.required`, `decision.unknown`, `reason.required`, `reason.too_long`, \
            `document.slot`: the answers do not call for it"),
    )
)]
pub async fn review(request: StaffRequest, StrictJson(input): StrictJson) -> Result<StatusCode, Problem> {
    let DocumentDecision { decision, reason, seen } = DocumentDecision::parse(&input)?;
    let reason = reason.unwrap_or_default();
    let verdict = match decision {
        DocumentVerdict::Accept => ReviewVerdict::Accept,
        DocumentVerdict::Replace => ReviewVerdict::Replace { reason },
        DocumentVerdict::Waive => ReviewVerdict::Waive { reason },
    };
    request.app().dossier(&request.who, request.id()).await?;
    let slot = SlotKind::parse(request.part("slot")).ok_or(Refusal::UnknownSlot)?;
    request.app().review_document(request.staff(), request.id(), slot, verdict, seen.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes back the caller's own decision on a document, which then has to be reviewed again.
///
/// If the applicant was asked for another document, a mail tells them that it is not needed.
#[utoipa::path(
    delete,
    path = "/api/admins/applications/{id}/documents/{slot}/decision",
    operation_id = "retractDocumentDecision",
    tag = "Office: documents",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("slot" = String, Path, description = "Which document it is, as `identity`"),
    ),
    responses(
        (status = 204, description = "It is as if it had not been decided."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`"),
        (status = 409, description = "`document.not_decided`: not by you, or somebody else has decided since"),
        (status = 422, description = "`document.slot`: there is no such document"),
    )
)]
pub async fn retract(request: StaffRequest) -> Result<StatusCode, Problem> {
    request.app().dossier(&request.who, request.id()).await?;
    let slot = SlotKind::parse(request.part("slot")).ok_or(Refusal::UnknownSlot)?;
    request.app().retract_review(request.staff(), request.id(), slot, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn verdict(path: &str, input: Option<&Input>) -> Result<DocumentVerdict, FieldError> {
    let error = |rule: &str| wrong(path, rule, "Choose accept, replace or waive.");
    match input {
        None => Err(error("required")),
        Some(Input::Text(text)) => match text.as_str() {
            "accept" => Ok(DocumentVerdict::Accept),
            "replace" => Ok(DocumentVerdict::Replace),
            "waive" => Ok(DocumentVerdict::Waive),
            _ => Err(error("unknown")),
        },
        Some(_) => Err(error("type")),
    }
}

/// Downloads a file.
///
/// Supports ranges, with `If-Range`.
#[utoipa::path(
    get,
    path = "/api/admins/applications/{id}/files/{file}",
    operation_id = "loadOfficeFile",
    tag = "Office: documents",
    params(
        ("id" = String, Path, description = "The application's id"),
        ("file" = String, Path, description = "The file's id"),
    ),
    responses(
        (status = 200, description = "All of it.", body = String, content_type = "application/octet-stream",
            headers(("ETag" = String, description = "Of its bytes"))),
        (status = 206, description = "The range that was asked for."),
        (status = 304, description = "It is the copy of `If-None-Match`."),
        (status = 403, description = "`role.forbidden`"),
        (status = 404, description = "`application.not_found`, `document.not_found`"),
        (status = 416, description = "`range`"),
    )
)]
pub async fn file(request: StaffRequest, headers: HeaderMap) -> Result<Response, Problem> {
    let document = request.app().office_document(&request.who, request.id(), request.part("file")).await?;
    Ok(saved(wire::download(request.app(), &headers, &document, wire::Shown::Saved).await?))
}
