//! `/users/documents/uploads`: files in pieces, by the tus protocol 1.0.0 (<https://tus.io/protocols/resumable-upload>)
//! with its extensions creation, creation-with-upload, termination, checksum and expiration.

use std::pin::pin;

use axum::body::Body;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{DocumentId, broken};
use crate::ApiState;
use crate::bearer::{Bearer, BearerWithApplication};
use crate::problem::{Problem, kind};
use app::documents::Checksum;
use domain::documents::{FileState, MAX_BYTES, StoredDocument};
use domain::moments::Millis;
use domain::sentence::Sentence;

const VERSION: &str = "1.0.0";
const EXTENSIONS: &str = "creation,creation-with-upload,termination,checksum,expiration";
const RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
const OFFSET: HeaderName = HeaderName::from_static("upload-offset");
const PIECE: &str = "application/offset+octet-stream";

/// Checks that the request uses the supported version of the protocol.
pub struct Tus;

impl FromRequestParts<ApiState> for Tus {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &ApiState) -> Result<Self, Response> {
        if parts.headers.get(RESUMABLE).is_some_and(|version| version == VERSION) {
            return Ok(Tus);
        }
        let mut response = Problem::new(&kind::TUS_VERSION, "Send Tus-Resumable: 1.0.0.").into_response();
        response.headers_mut().insert("tus-version", HeaderValue::from_static(VERSION));
        Err(response)
    }
}

/// Builds a response as the protocol requires.
fn respond(status: StatusCode, headers: impl IntoIterator<Item = (&'static str, String)>) -> Response {
    let mut response = status.into_response();
    response.headers_mut().insert(RESUMABLE, HeaderValue::from_static(VERSION));
    for (name, value) in headers {
        let value = HeaderValue::try_from(value).expect("numbers, dates, base64 and ids");
        response.headers_mut().insert(name, value);
    }
    response
}

fn resumable(problem: Problem) -> Response {
    let mut response = problem.into_response();
    response.headers_mut().insert(RESUMABLE, HeaderValue::from_static(VERSION));
    response
}

/// Formats a moment as an HTTP date (RFC 9110).
fn http_date(moment: Millis) -> String {
    jiff::Timestamp::from_millisecond(moment).unwrap_or_default().strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

fn expires(document: &StoredDocument) -> Option<(&'static str, String)> {
    (document.state == FileState::Uploading).then(|| ("upload-expires", http_date(document.expires_at())))
}

/// Returns what is supported for uploads.
#[utoipa::path(
    options,
    path = "/api/users/documents/uploads",
    operation_id = "uploadOptions",
    tag = "Documents",
    security(()),
    responses((status = 204, description = "Version, extensions and the largest size, as headers.", headers(
        ("Tus-Version" = String), ("Tus-Extension" = String), ("Tus-Max-Size" = u64),
    )))
)]
pub async fn options() -> Response {
    respond(
        StatusCode::NO_CONTENT,
        [
            ("tus-version", VERSION.to_owned()),
            ("tus-extension", EXTENSIONS.to_owned()),
            ("tus-max-size", MAX_BYTES.to_string()),
            ("tus-checksum-algorithm", "sha1,sha256".to_owned()),
        ],
    )
}

/// Starts an upload in pieces (tus 1.0.0).
///
/// The first piece may be included, with `Content-Type: application/offset+octet-stream`.
#[utoipa::path(
    post,
    path = "/api/users/documents/uploads",
    operation_id = "createUpload",
    tag = "Documents",
    params(
        ("Tus-Resumable" = String, Header, description = "`1.0.0`"),
        ("Upload-Length" = u64, Header, description = "Bytes of the whole file, at most 26,214,400"),
        ("Upload-Metadata" = String, Header, description = "`filename` and `slot`, each with its value in base64"),
    ),
    responses(
        (status = 201, description = "`Location` is where the pieces go.", headers(
            ("Location" = String), ("Upload-Offset" = u64), ("Upload-Expires" = String),
        )),
        (status = 400, description = "`tus.syntax`"),
        (status = 404, description = "`application.none`"),
        (status = 409, description = "`file.quota`, `document.closed`"),
        (status = 412, description = "`tus.version`"),
        (status = 413, description = "`file.too_large`"),
        (status = 422, description = "`document.slot`, `file.empty`, `file.name`, `file.type`"),
    )
)]
pub async fn create(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    _: Tus,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Response> {
    let syntax = |sentence: &'static str| resumable(Problem::new(&kind::TUS_SYNTAX, sentence));
    let length = number(&headers, "upload-length").ok_or_else(|| syntax("Send Upload-Length, in bytes."))?;
    let Metadata { name, slot } = Metadata::of(&headers)
        .ok_or_else(|| syntax("Send Upload-Metadata with filename and slot, each with its value in base64."))?;
    let checksum = checksum(&headers).map_err(resumable)?;
    let created = api.app.create_upload(&who, known.as_ref(), &slot, &name, Some(length)).await;
    let document = created.map_err(|error| resumable(error.into()))?;
    let location = format!("/api/users/documents/uploads/{}", document.id);
    let mut document = document;
    if is_piece(&headers) {
        let mut body = pin!(wire::arrival(body));
        // The upload exists, whatever became of its first piece: the rest comes by PATCH.
        match api.app.append(document.clone(), 0, body.as_mut(), checksum).await {
            Ok(upload) => {
                document = upload.document;
                upload.claim.into_iter().for_each(|claim| api.app.check_in_background(claim));
            }
            Err(error) => {
                api.app.give_up_upload(&document).await.map_err(|error| resumable(error.into()))?;
                return Err(resumable(error.into()));
            }
        }
    }
    let response_headers = [("location", location), ("upload-offset", document.received.to_string())];
    Ok(respond(StatusCode::CREATED, response_headers.into_iter().chain(expires(&document))))
}

/// Returns the progress of an upload.
#[utoipa::path(
    head,
    path = "/api/users/documents/uploads/{id}",
    operation_id = "uploadProgress",
    tag = "Documents",
    params(
        ("id" = String, Path, description = "The upload's id"),
        ("Tus-Resumable" = String, Header, description = "`1.0.0`"),
    ),
    responses(
        (status = 200, description = "How far it is, as headers.", headers(
            ("Upload-Offset" = u64), ("Upload-Length" = u64), ("Upload-Expires" = String),
        )),
        (status = 404, description = "There is no such upload, or not any more."),
        (status = 412, description = "`tus.version`"),
    )
)]
pub async fn head(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    id: DocumentId,
    _: Tus,
) -> Result<Response, Response> {
    let document = api.app.upload(&who, &id.0).await.map_err(|error| resumable(error.into()))?;
    let metadata = format!(
        "filename {},slot {}",
        STANDARD.encode(document.name.as_str()),
        STANDARD.encode(document.slot.as_str())
    );
    // The stored file may differ in size from the one that was sent.
    let under_way = document.state == FileState::Uploading;
    let length = document.size.unwrap_or(document.received);
    let offset = if under_way { document.received } else { length };
    let response_headers =
        [("upload-offset", offset.to_string()), ("upload-length", length.to_string()), ("upload-metadata", metadata)];
    Ok(respond(StatusCode::OK, response_headers.into_iter().chain(expires(&document))))
}

/// Adds a piece to an upload.
///
/// Bytes that were counted are safe. When the last byte has arrived the file is checked; `GET /api/users/documents` has
/// the outcome.
#[utoipa::path(
    patch,
    path = "/api/users/documents/uploads/{id}",
    operation_id = "appendToUpload",
    tag = "Documents",
    params(
        ("id" = String, Path, description = "The upload's id"),
        ("Tus-Resumable" = String, Header, description = "`1.0.0`"),
        ("Upload-Offset" = u64, Header, description = "Where the piece begins, which is how far the upload is"),
        ("Upload-Checksum" = Option<String>, Header, nullable = false,
            description = "`sha1` or `sha256` and the sum of this piece in base64"),
    ),
    request_body(content = String, content_type = "application/offset+octet-stream"),
    responses(
        (status = 204, description = "It is safe.", headers(("Upload-Offset" = u64), ("Upload-Expires" = String))),
        (status = 400, description = "`tus.syntax`, `request.incomplete`"),
        (status = 404, description = "`document.not_found`: there is no such upload, or not any more"),
        (status = 408, description = "`request.timeout`: less than 16 KB in 30 seconds"),
        (status = 409, description = "`upload.offset`: the upload is at another byte"),
        (status = 412, description = "`tus.version`"),
        (status = 413, description = "`file.too_large`: more than was announced"),
        (status = 415, description = "`content_type`"),
        (status = 460, description = "`upload.checksum`: the piece was changed on its way; nothing of it is kept"),
    )
)]
pub async fn append(
    State(api): State<ApiState>,
    Bearer(who): Bearer,
    id: DocumentId,
    _: Tus,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Response> {
    let mut body = pin!(wire::arrival(body));
    if !is_piece(&headers) {
        return Err(resumable(Problem::new(
            &kind::CONTENT_TYPE,
            Sentence::plain(format!("Send Content-Type: {PIECE}.")),
        )));
    }
    let offset = number(&headers, OFFSET.as_str())
        .ok_or_else(|| resumable(Problem::new(&kind::TUS_SYNTAX, "Send Upload-Offset, in bytes.")))?;
    let checksum = checksum(&headers).map_err(resumable)?;
    let appended = async {
        let document = api.app.upload(&who, &id.0).await?;
        api.app.append(document, offset, body.as_mut(), checksum).await
    };
    let upload = match appended.await {
        Ok(upload) => upload,
        Err(error) => return Err(resumable(error.into())),
    };
    if let Some(why) = upload.broken {
        return Err(resumable(broken(why)));
    }
    let response_headers = [("upload-offset", upload.document.received.to_string())];
    let response = respond(StatusCode::NO_CONTENT, response_headers.into_iter().chain(expires(&upload.document)));
    upload.claim.into_iter().for_each(|claim| api.app.check_in_background(claim));
    Ok(response)
}

/// Cancels an upload.
#[utoipa::path(
    delete,
    path = "/api/users/documents/uploads/{id}",
    operation_id = "giveUpUpload",
    tag = "Documents",
    params(
        ("id" = String, Path, description = "The upload's id"),
        ("Tus-Resumable" = String, Header, description = "`1.0.0`"),
    ),
    responses(
        (status = 204, description = "It is gone."),
        (status = 404, description = "`document.not_found`"),
        (status = 409, description = "`document.closed`: it was accepted"),
        (status = 412, description = "`tus.version`"),
    )
)]
pub async fn give_up(
    State(api): State<ApiState>,
    BearerWithApplication(who, known): BearerWithApplication,
    id: DocumentId,
    _: Tus,
) -> Result<Response, Response> {
    let removed = api.app.remove_document(&who, known.as_ref(), &id.0).await;
    removed.map(|_| respond(StatusCode::NO_CONTENT, [])).map_err(|error| resumable(error.into()))
}

/// `GET` is not part of the protocol; without this, HEAD would answer it.
pub async fn no_get() -> Response {
    wrong_method(Method::GET)
}

fn wrong_method(method: Method) -> Response {
    let sentence = Sentence::plain(format!("This call does not answer {method}."));
    let mut response = Problem::new(&kind::METHOD, sentence).into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("HEAD, PATCH, DELETE, OPTIONS"));
    response
}

/// For clients that can only POST: `X-HTTP-Method-Override` names the method.
pub async fn overridden(
    state: State<ApiState>,
    who: BearerWithApplication,
    id: DocumentId,
    tus: Result<Tus, Response>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Response> {
    match headers.get("x-http-method-override").map(HeaderValue::as_bytes) {
        Some(b"PATCH") => append(state, Bearer(who.0), id, tus?, headers, body).await,
        Some(b"DELETE") => give_up(state, who, id, tus?).await,
        Some(b"HEAD") => head(state, Bearer(who.0), id, tus?).await,
        _ => Err(wrong_method(Method::POST)),
    }
}

fn is_piece(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|value| value == PIECE)
}

fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    let text = headers.get(name)?.to_str().ok()?;
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// `Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`
fn checksum(headers: &HeaderMap) -> Result<Option<Checksum>, Problem> {
    let Some(value) = headers.get("upload-checksum") else { return Ok(None) };
    let read = || {
        let (algorithm, sum) = value.to_str().ok()?.split_once(' ')?;
        let sum = STANDARD.decode(sum).ok()?;
        match (algorithm, sum.len()) {
            ("sha1", 20) => Some(Checksum::Sha1(sum)),
            ("sha256", 32) => Some(Checksum::Sha256(sum)),
            _ => None,
        }
    };
    let sentence = "Send Upload-Checksum with sha1 or sha256 and the sum in base64.";
    read().map(Some).ok_or_else(|| Problem::new(&kind::TUS_SYNTAX, sentence))
}

/// What is known of a file besides its bytes.
#[derive(Debug, PartialEq, Eq)]
struct Metadata {
    name: String,
    slot: String,
}

impl Metadata {
    /// Parses `Upload-Metadata: filename d29ybGQ=,slot aWRlbnRpdHk=`; other keys are ignored.
    fn of(headers: &HeaderMap) -> Option<Metadata> {
        let header = headers.get("upload-metadata")?.to_str().ok()?;
        let pairs = header.split(',').map(|pair| pair.trim().split_once(' ').unwrap_or((pair.trim(), "")));
        let value = |wanted: &str| {
            let mut values = pairs.clone().filter(|(key, _)| *key == wanted).map(|(_, value)| value);
            let (value, None) = (values.next()?, values.next()) else { return None };
            String::from_utf8(STANDARD.decode(value.trim()).ok()?).ok()
        };
        Some(Metadata { name: value("filename")?, slot: value("slot")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        [(HeaderName::from_static(name), value.parse().unwrap())].into_iter().collect()
    }

    #[test]
    fn metadata_is_a_name_and_a_slot_in_base64() {
        let read = |value: &str| Metadata::of(&headers("upload-metadata", value));
        let expected = Metadata { name: "a.pdf".into(), slot: "identity".into() };
        assert_eq!(read("filename YS5wZGY=,slot aWRlbnRpdHk="), Some(expected));
        assert!(read("relativePath bnVsbA==, slot aWRlbnRpdHk= ,filename YS5wZGY=,empty").is_some());
        for wrong in ["", "filename YS5wZGY=", "filename a.pdf,slot aWRlbnRpdHk=", "slot aQ==,slot aQ==,filename YQ=="]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_are_digits() {
        assert_eq!(number(&headers("upload-length", "26214400"), "upload-length"), Some(26_214_400));
        for wrong in ["", "-1", "+1", "1.0", "0x10", "99999999999999999999"] {
            assert_eq!(number(&headers("upload-length", wrong), "upload-length"), None, "{wrong}");
        }
    }

    #[test]
    fn a_date_is_written_as_http_does() {
        assert_eq!(http_date(784_111_777_000), "Sun, 06 Nov 1994 08:49:37 GMT");
    }

    #[test]
    fn a_checksum_fits_its_algorithm() {
        let read = |value: &str| checksum(&headers("upload-checksum", value));
        assert!(matches!(read("sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0="), Ok(Some(Checksum::Sha1(_)))));
        for wrong in ["sha1", "sha1 Kq5s", "md5 Kq5sNclPz7QV2+lfQIuc6R7oRu0=", "sha256 Kq5sNclPz7QV2+lfQIuc6R7oRu0="] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(matches!(checksum(&HeaderMap::new()), Ok(None)));
    }
}
