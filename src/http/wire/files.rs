//! Answers that are files.

use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;

use crate::app::application_copy::PdfFile;

/// A PDF of somebody's own, shown by browsers that can and kept by nobody else.
pub fn pdf(file: &PdfFile) -> impl IntoResponse + use<> {
    let name = format!("inline; filename=\"application-{}.pdf\"", file.reference);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // A reference number has letters, digits and hyphens.
        (header::CONTENT_DISPOSITION, HeaderValue::try_from(name).unwrap_or(HeaderValue::from_static("inline"))),
    ];
    (headers, file.bytes.clone())
}
