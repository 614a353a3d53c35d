//! Landing pages of visitors who are not signed in: the same for all of them, so rendered once and sent as kept bytes.
//! What is kept contains nothing about anyone; it is made again when the day changes, and with it the next intake, or
//! what Owners have set, or an open day, or the number of its places left.

use std::collections::HashMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;
use sha2::{Digest, Sha256};

use super::document::{self, Body, RenderedScreen, Trust};
use super::page::Theme;
use super::respond::{self, Rendered};
use super::{Visit, apply, assets};
use app::accounts::sign_on::SignOnChoices;
use domain::hex::hex;
use domain::language::Language;
use domain::open_day::OpenDay;
use domain::program::Program;

/// The kept documents.
#[derive(Debug, Default)]
pub struct SharedDocuments(Mutex<HashMap<Key, Arc<Kept>>>);

/// Program, theme, language, and whether the banner is shown.
type Key = (Program, Theme, Language, bool);

#[derive(Debug)]
struct Kept {
    day: Date,
    /// Version of what Owners have set.
    stamp: i64,
    sign_on: SignOnChoices,
    open_days: Vec<OpenDay>,
    /// Whether a request is making it again because places were taken. Meanwhile the others get this one.
    is_renewed: AtomicBool,
    /// The version of our files that it refers to.
    assets: String,
    policy: HeaderValue,
    etag: HeaderValue,
    plain: Bytes,
    gzip: Bytes,
    brotli: Bytes,
}

impl SharedDocuments {
    /// Returns the landing page of `program` for a visitor who is not signed in.
    pub async fn landing(&self, visit: &Visit, program: Program) -> Response {
        let language = visit.language();
        let key = key(visit, program);
        let stamp = visit.product.stamp;
        let day = apply::today(visit);
        let assets = assets::entry_for("apply", language);
        let open_days = apply::open_days(visit, program).await;
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let kept = kept.filter(|kept| {
            kept.day == day
                && kept.stamp == stamp
                && kept.sign_on == visit.sign_on
                && kept.assets == assets.stylesheet_href
        });
        let mut renewal = None;
        if let Some(kept) = kept {
            let is_current = open_days == kept.open_days;
            if !is_current {
                renewal = Renewal::begin(&kept);
            }
            if renewal.is_none() {
                return kept.respond(&visit.parts.headers);
            }
        }
        // Boxed, because it is rarely done and large to move.
        let response = Box::pin(self.make(visit, program, day, open_days)).await;
        drop(renewal);
        response
    }

    async fn make(&self, visit: &Visit, program: Program, day: Date, open_days: Vec<OpenDay>) -> Response {
        let language = visit.language();
        let assets = assets::entry_for("apply", language);
        let mut page = apply::page_with(visit, program, &open_days, None, StatusCode::OK);
        page.shared.path = format!("/{}/apply", program.path());
        page.shared.program = program;
        let json = respond::serialise(&page);
        let Rendered::Html(html) = respond::render(visit, &page, &json).await else {
            return respond::page(visit, page).await;
        };
        let screen = RenderedScreen::read(&html);
        let missing = assets.landing_styles.missing(screen.html);
        if screen.styles.is_some() || missing.is_some() {
            tracing::error!(class = missing, "the landing page needs styles that are not inside: it cannot be kept");
            return respond::page(visit, page).await;
        }
        let document = document::write(&page, &json, Body::Rendered(&html), &assets, &Trust::Shared);
        let policy = Trust::Shared.policy(&assets, visit.state.cookies.secure, false, None);
        let stylesheet = assets.stylesheet_href.to_string();
        // The best compression takes a tenth of a second or more.
        let (stamp, sign_on) = (visit.product.stamp, visit.sign_on.clone());
        let make = tokio::task::spawn_blocking(move || Kept {
            day,
            stamp,
            sign_on,
            open_days,
            is_renewed: AtomicBool::new(false),
            assets: stylesheet,
            policy: HeaderValue::try_from(policy).expect("a policy is made of our own words and a hash"),
            etag: etag(&document),
            gzip: gzip(document.as_bytes()),
            brotli: brotli(document.as_bytes()),
            plain: document.into(),
        });
        let Ok(kept) = make.await.map(Arc::new) else { return respond::page(visit, page).await };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key(visit, program), kept.clone());
        kept.respond(&visit.parts.headers)
    }
}

impl Kept {
    fn respond(&self, headers: &HeaderMap) -> Response {
        let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let accepts = |coding: &str| {
            accepts.split(',').any(|entry| {
                let mut parts = entry.split(';').map(str::trim);
                parts.next() == Some(coding) && !parts.any(|part| matches!(part, "q=0" | "q=0.0"))
            })
        };
        let known = headers.get(header::IF_NONE_MATCH).is_some_and(|value| value == self.etag);
        let (coding, body) = match () {
            () if known => (None, Bytes::new()),
            () if accepts("br") => (Some("br"), self.brotli.clone()),
            () if accepts("gzip") => (Some("gzip"), self.gzip.clone()),
            () => (None, self.plain.clone()),
        };
        let mut response = if known { StatusCode::NOT_MODIFIED.into_response() } else { body.into_response() };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy.clone());
        headers.insert(header::ETAG, self.etag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("Accept, Accept-Encoding, Accept-Language, Cookie"));
        if let Some(coding) = coding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        response
    }
}

/// Making a document again. Ends also if the visitor goes away meanwhile.
struct Renewal(Arc<Kept>);

impl Renewal {
    /// Returns `None` if another request is at it.
    fn begin(kept: &Arc<Kept>) -> Option<Renewal> {
        (!kept.is_renewed.swap(true, Ordering::AcqRel)).then(|| Renewal(kept.clone()))
    }
}

impl Drop for Renewal {
    fn drop(&mut self) {
        self.0.is_renewed.store(false, Ordering::Release);
    }
}

fn key(visit: &Visit, program: Program) -> Key {
    (program, visit.visitor.theme, visit.language(), visit.banner().is_some())
}

fn etag(document: &str) -> HeaderValue {
    let digest = Sha256::digest(document.as_bytes());
    HeaderValue::try_from(format!("W/\"{}\"", hex(&digest[..12]))).expect("hexadecimal digits")
}

fn gzip(bytes: &[u8]) -> Bytes {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory does not fail").into()
}

fn brotli(bytes: &[u8]) -> Bytes {
    let mut out = Vec::new();
    // A window of 64 KB holds a document; a larger one would cost tens of megabytes while compressing.
    let params = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 16, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut out, &params).expect("writing to memory does not fail");
    out.into()
}
