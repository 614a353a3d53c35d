//! Responses that are files.

use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;

use app::applications::copy::PdfFile;
use app::contracts::ContractPdf;

/// Returns somebody's own PDF, which browsers show if they can and nobody else caches.
pub fn pdf(file: &PdfFile) -> impl IntoResponse + use<> {
    answer(format!("application-{}.pdf", file.reference), file.bytes.clone())
}

/// Returns a receipt in the same way.
pub fn receipt(file: &PdfFile) -> impl IntoResponse + use<> {
    answer(format!("receipt-{}.pdf", file.reference), file.bytes.clone())
}

/// Returns a contract in the same way.
pub fn contract_pdf(pdf: &ContractPdf) -> impl IntoResponse + use<> {
    answer(pdf.name.clone(), pdf.bytes.clone())
}

/// A reference number has letters, digits and hyphens, and so has the name.
fn answer(name: String, bytes: Vec<u8>) -> impl IntoResponse + use<> {
    let name = format!("inline; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::CONTENT_DISPOSITION, HeaderValue::try_from(name).unwrap_or(HeaderValue::from_static("inline"))),
    ];
    (headers, bytes)
}
