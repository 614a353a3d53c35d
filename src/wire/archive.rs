//! Archives as downloads.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use app::accounts::personal_data::Pieces;

/// Returns a zip to save, sent while it is being packed.
pub fn archive(pieces: Pieces) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/zip")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"my-data.zip\"")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}
