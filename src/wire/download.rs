//! Stored files as responses: to be saved, because their content comes from somebody else. Staff may view the kinds
//! that every browser shows, in a way that nothing inside them can do anything.

use std::ops::Range;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use app::ports::StoredBytes;
use app::{App, Error};
use domain::documents::{FileName, FileType, StoredDocument};
use domain::referee::ReferenceLetter;

/// Leaves unescaped what RFC 8187 allows.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// What a browser does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Saves it.
    Saved,
    /// Shows it within one of our pages.
    InPage,
}

/// Returns a stored document, or the requested range of it. A range that it does not have is answered with 416.
///
/// # Errors
/// Those of the storage.
pub async fn download(
    app: &App,
    headers: &HeaderMap,
    document: &StoredDocument,
    shown: Shown,
) -> Result<Response, Error> {
    let sha256 = document.sha256.as_deref().unwrap_or_default();
    let file = Stored { name: &document.name, size: document.size.unwrap_or_default(), sha256 };
    file.answer(headers, shown, |range| app.read_document(document, range)).await
}

/// Returns the letter of a referee likewise.
///
/// # Errors
/// Those of the storage.
pub async fn download_letter(
    app: &App,
    headers: &HeaderMap,
    letter: &ReferenceLetter,
    shown: Shown,
) -> Result<Response, Error> {
    let file = Stored { name: &letter.name, size: letter.size, sha256: &letter.sha256 };
    file.answer(headers, shown, |range| app.letter_bytes(letter, range)).await
}

/// A stored file, whatever it is.
struct Stored<'a> {
    name: &'a FileName,
    size: u64,
    sha256: &'a str,
}

impl Stored<'_> {
    async fn answer<F: Future<Output = Result<StoredBytes, Error>>>(
        &self,
        headers: &HeaderMap,
        shown: Shown,
        read: impl FnOnce(Range<u64>) -> F,
    ) -> Result<Response, Error> {
        let Stored { name, size, sha256 } = *self;
        let tag = format!("\"{sha256}\"");
        let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        if text(header::IF_NONE_MATCH).is_some_and(|tags| tags == "*" || tags.split(',').any(|one| one.trim() == tag)) {
            return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, value(tag))]).into_response());
        }
        // A range of another copy is of no use.
        let same_copy = text(header::IF_RANGE).is_none_or(|known| known == tag);
        let asked = text(header::RANGE).filter(|_| same_copy).map(|range| range_of(range, size));
        let (status, range) = match asked {
            None | Some(RequestedRange::Everything) => (StatusCode::OK, 0..size),
            Some(RequestedRange::Bytes(range)) => (StatusCode::PARTIAL_CONTENT, range),
            Some(RequestedRange::Nothing) => {
                let headers = [(header::CONTENT_RANGE, value(format!("bytes */{size}")))];
                return Ok((StatusCode::RANGE_NOT_SATISFIABLE, headers).into_response());
            }
        };
        let bytes = read(range.clone()).await?;
        let mut response = (status, Body::from_stream(bytes)).into_response();
        let headers = response.headers_mut();
        if status == StatusCode::PARTIAL_CONTENT {
            let content_range = format!("bytes {}-{}/{size}", range.start, range.end - 1);
            headers.insert(header::CONTENT_RANGE, value(content_range));
        }
        for (header_name, header_value) in [
            (header::CONTENT_TYPE, value(name.kind().media_type())),
            (header::CONTENT_LENGTH, value((range.end - range.start).to_string())),
            (header::CONTENT_DISPOSITION, value(disposition(name.as_str(), shown))),
            (header::CONTENT_SECURITY_POLICY, value(policy(name.kind(), shown))),
            (header::X_CONTENT_TYPE_OPTIONS, value("nosniff")),
            (header::CACHE_CONTROL, value("private, no-store")),
            (header::ACCEPT_RANGES, value("bytes")),
            (header::ETAG, value(tag)),
        ] {
            headers.insert(header_name, header_value);
        }
        if shown == Shown::InPage {
            headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
        }
        Ok(response)
    }
}

fn value(text: impl AsRef<str>) -> HeaderValue {
    HeaderValue::from_str(text.as_ref()).expect("made of digits, our own words and percent-encoded names")
}

/// Formats `Content-Disposition`, with the file's name once in ASCII for old clients, once as it is (RFC 6266, RFC
/// 8187).
fn disposition(name: &str, shown: Shown) -> String {
    let plain = |c: char| if c.is_ascii_graphic() && !"\"\\%".contains(c) || c == ' ' { c } else { '_' };
    let ascii: String = name.chars().map(plain).collect();
    let how = if shown == Shown::InPage { "inline" } else { "attachment" };
    format!("{how}; filename=\"{ascii}\"; filename*=UTF-8''{}", utf8_percent_encode(name, VALUE))
}

/// Returns what a browser may do with it: show it in our own pages, and nothing else. The PDF viewers of browsers do
/// not work in a sandbox; they have one of their own.
fn policy(kind: FileType, shown: Shown) -> &'static str {
    match (shown, kind) {
        (Shown::InPage, FileType::Pdf) => {
            "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
        }
        (Shown::InPage, _) => "sandbox; default-src 'none'; frame-ancestors 'self'",
        (Shown::Saved, _) => "sandbox; default-src 'none'",
    }
}

#[derive(Debug, PartialEq, Eq)]
enum RequestedRange {
    /// Also for requests that we do not support, such as several ranges.
    Everything,
    Bytes(Range<u64>),
    Nothing,
}

fn range_of(header: &str, size: u64) -> RequestedRange {
    let Some((first, last)) = header.strip_prefix("bytes=").and_then(|range| range.trim().split_once('-')) else {
        return RequestedRange::Everything;
    };
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok()).flatten();
    let range = match (first, last) {
        ("", last) => match number(last) {
            Some(length) => size.saturating_sub(length)..size,
            None => return RequestedRange::Everything,
        },
        (first, "") => match number(first) {
            Some(first) => first..size,
            None => return RequestedRange::Everything,
        },
        (first, last) => match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => first..size.min(last.saturating_add(1)),
            _ => return RequestedRange::Everything,
        },
    };
    if range.start < range.end { RequestedRange::Bytes(range) } else { RequestedRange::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_of_the_file_or_nothing() {
        for (header, expected) in [
            ("bytes=0-0", RequestedRange::Bytes(0..1)),
            ("bytes=10-", RequestedRange::Bytes(10..100)),
            ("bytes=10-19", RequestedRange::Bytes(10..20)),
            ("bytes=90-18446744073709551615", RequestedRange::Bytes(90..100)),
            ("bytes=-5", RequestedRange::Bytes(95..100)),
            ("bytes=-500", RequestedRange::Bytes(0..100)),
            ("bytes=100-", RequestedRange::Nothing),
            ("bytes=-0", RequestedRange::Nothing),
            ("bytes=5-4", RequestedRange::Everything),
            ("bytes=0-1,5-6", RequestedRange::Everything),
            ("bytes=+1-2", RequestedRange::Everything),
            ("bytes=-", RequestedRange::Everything),
            ("lines=1-2", RequestedRange::Everything),
        ] {
            assert_eq!(range_of(header, 100), expected, "{header}");
        }
        assert_eq!(range_of("bytes=0-", 0), RequestedRange::Nothing);
    }

    #[test]
    fn a_name_is_told_twice() {
        assert_eq!(
            disposition("Ausweis Rückseite.pdf", Shown::Saved),
            "attachment; filename=\"Ausweis R_ckseite.pdf\"; filename*=UTF-8''Ausweis%20R%C3%BCckseite.pdf"
        );
        assert_eq!(
            disposition("a;b'c%41.pdf", Shown::InPage),
            "inline; filename=\"a;b'c_41.pdf\"; filename*=UTF-8''a%3Bb%27c%2541.pdf"
        );
    }
}
