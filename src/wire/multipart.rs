//! Forms with files, `multipart/form-data` (RFC 7578), read as they arrive.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use futures::{Stream, StreamExt};

use app::documents::Broken;
use domain::sentence::Sentence;
use domain::text;

/// Maximum length of a boundary (RFC 2046).
const MAX_BOUNDARY_LENGTH: usize = 70;
/// Maximum number of bytes before the next part is recognised: headers have an end.
const MAX_UNREAD: usize = 4 * 1024 * 1024;
/// Maximum number of bytes in a field that is not a file.
const MAX_TEXT_LENGTH: usize = 64 * 1024;

/// Why a form cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormFault {
    Syntax,
    Slow,
    /// There is room for only one.
    SecondFile,
}

impl FormFault {
    pub fn sentence(self) -> Sentence {
        match self {
            FormFault::Syntax => text!("The upload is malformed."),
            FormFault::Slow => text!("The upload took too long."),
            FormFault::SecondFile => text!("Send one file at a time. None was accepted."),
        }
    }
}

impl From<Broken> for FormFault {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Slow => FormFault::Slow,
            Broken::Lost | Broken::Malformed => FormFault::Syntax,
        }
    }
}

/// Whether the request announces a multipart form.
pub fn is_multipart(headers: &HeaderMap) -> bool {
    let essence = content_type(headers).split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("multipart/form-data")
}

fn content_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// A form being read.
pub struct Multipart {
    inner: multer::Multipart<'static>,
    unread: Arc<AtomicUsize>,
}

/// A field of the form.
pub struct Part {
    pub name: String,
    /// Only for files.
    pub file_name: Option<String>,
    inner: multer::Field<'static>,
    unread: Arc<AtomicUsize>,
}

impl Multipart {
    /// # Errors
    /// If there is no boundary, or no valid one.
    pub fn new(
        headers: &HeaderMap,
        body: impl Stream<Item = Result<Bytes, Broken>> + Send + 'static,
    ) -> Result<Multipart, FormFault> {
        let boundary = multer::parse_boundary(content_type(headers)).map_err(|_| FormFault::Syntax)?;
        if boundary.is_empty() || boundary.len() > MAX_BOUNDARY_LENGTH {
            return Err(FormFault::Syntax);
        }
        let unread = Arc::new(AtomicUsize::new(0));
        let counter = unread.clone();
        let counted = body.map(move |chunk| {
            let chunk = chunk.map_err(Stopped)?;
            if counter.fetch_add(chunk.len(), Ordering::Relaxed) > MAX_UNREAD {
                return Err(Stopped(Broken::Malformed));
            }
            Ok(chunk)
        });
        Ok(Multipart { inner: multer::Multipart::new(counted, boundary), unread })
    }

    /// Returns the next field; the rest of the previous one is skipped.
    ///
    /// # Errors
    /// If the body is not what it is announced as, or does not arrive.
    pub async fn next(&mut self) -> Result<Option<Part>, FormFault> {
        self.unread.store(0, Ordering::Relaxed);
        let Some(field) = self.inner.next_field().await.map_err(|error| broken(&error))? else { return Ok(None) };
        self.unread.store(0, Ordering::Relaxed);
        let name = field.name().ok_or(FormFault::Syntax)?.to_owned();
        let file_name = field.file_name().map(str::to_owned);
        Ok(Some(Part { name, file_name, inner: field, unread: self.unread.clone() }))
    }
}

impl Part {
    /// Reads a text.
    ///
    /// # Errors
    /// If it is longer than any of ours, or not UTF-8.
    pub async fn text(self) -> Result<String, FormFault> {
        let mut whole = Vec::new();
        let mut chunks = std::pin::pin!(self.bytes());
        while let Some(chunk) = chunks.next().await {
            whole.extend_from_slice(&chunk?);
            if whole.len() > MAX_TEXT_LENGTH {
                return Err(FormFault::Syntax);
            }
        }
        String::from_utf8(whole).map_err(|_| FormFault::Syntax)
    }

    /// Streams the content of a file.
    pub fn bytes(self) -> impl Stream<Item = Result<Bytes, Broken>> + Send {
        let unread = self.unread;
        self.inner.fuse().map(move |chunk| {
            unread.store(0, Ordering::Relaxed);
            chunk.map_err(|error| match broken(&error) {
                FormFault::Slow => Broken::Slow,
                FormFault::Syntax | FormFault::SecondFile => Broken::Malformed,
            })
        })
    }
}

/// Why the body stopped, passed through the parser.
#[derive(Debug, thiserror::Error)]
#[error("the body stopped")]
struct Stopped(Broken);

fn broken(error: &multer::Error) -> FormFault {
    match error {
        multer::Error::StreamReadFailed(cause) => {
            cause.downcast_ref::<Stopped>().map_or(FormFault::Syntax, |stopped| stopped.0.into())
        }
        _ => FormFault::Syntax,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(content_type: &str) -> HeaderMap {
        [(header::CONTENT_TYPE, content_type.parse().unwrap())].into_iter().collect()
    }

    async fn read(content_type: &str, body: &'static [u8]) -> Result<Vec<(String, Option<String>, String)>, FormFault> {
        // Byte by byte, the worst that a network does.
        let body = futures::stream::iter(body.iter().map(|byte| Ok(Bytes::copy_from_slice(&[*byte]))));
        let mut form = Multipart::new(&headers(content_type), body)?;
        let mut found = Vec::new();
        while let Some(part) = form.next().await? {
            let (name, file) = (part.name.clone(), part.file_name.clone());
            found.push((name, file, part.text().await?));
        }
        Ok(found)
    }

    #[tokio::test]
    async fn fields_and_files_are_read_in_their_order() {
        let body = b"--b\r\nContent-Disposition: form-data; name=\"slot\"\r\n\r\nidentity\r\n\
            --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a b.pdf\"\r\nContent-Type: x/y\r\n\r\n\
            %PDF\r\n--b--\r\n";
        let found = read("multipart/form-data; boundary=b", body).await.unwrap();
        let expected =
            [("slot".into(), None, "identity".into()), ("file".into(), Some("a b.pdf".into()), "%PDF".into())];
        assert_eq!(found, expected);
    }

    #[tokio::test]
    async fn what_is_no_form_is_told() {
        let long = format!("multipart/form-data; boundary={}", "b".repeat(5000));
        for (content_type, body) in [
            ("multipart/form-data", &b"--b--\r\n"[..]),
            (&*long, b""),
            ("multipart/form-data; boundary=b", b""),
            ("multipart/form-data; boundary=b", b"nothing of the kind"),
            ("multipart/form-data; boundary=b", b"--b\r\nContent-Disposition: form-data; name=\"slot\"\r\n\r\nid"),
            ("multipart/form-data; boundary=b", b"--b\r\nContent-Disposition: form-data\r\n\r\nid\r\n--b--\r\n"),
        ] {
            assert_eq!(read(content_type, body).await, Err(FormFault::Syntax), "{}", body.escape_ascii());
        }
        let slow = futures::stream::iter([Ok(Bytes::from_static(b"--b\r\n")), Err(Broken::Slow)]);
        let mut form = Multipart::new(&headers("multipart/form-data; boundary=b"), slow).unwrap();
        assert_eq!(form.next().await.err(), Some(FormFault::Slow));
        let endless = futures::stream::repeat_with(|| Ok(Bytes::from_static(&[b'x'; 4096])));
        let mut form = Multipart::new(&headers("multipart/form-data; boundary=b"), endless).unwrap();
        assert_eq!(form.next().await.err(), Some(FormFault::Syntax));
    }
}
