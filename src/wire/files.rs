//! Answers that are files.

use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;

use app::applications::copy::PdfFile;
use app::contracts::ContractPdf;

/// A PDF of somebody's own, shown by browsers that can and kept by nobody else.
pub fn pdf(file: &PdfFile) -> impl IntoResponse + use<> {
    answer(format!("application-{}.pdf", file.reference), file.bytes.clone())
}

/// The same with a receipt.
pub fn receipt(file: &PdfFile) -> impl IntoResponse + use<> {
    answer(format!("receipt-{}.pdf", file.reference), file.bytes.clone())
}

/// The same with a contract.
pub fn contract_pdf(pdf: &ContractPdf) -> impl IntoResponse + use<> {
    answer(pdf.name.clone(), pdf.bytes.clone())
}

/// A reference number has letters, digits and hyphens, and so has a name.
fn answer(name: String, bytes: Vec<u8>) -> impl IntoResponse + use<> {
    let name = format!("inline; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::CONTENT_DISPOSITION, HeaderValue::try_from(name).unwrap_or(HeaderValue::from_static("inline"))),
    ];
    (headers, bytes)
}
