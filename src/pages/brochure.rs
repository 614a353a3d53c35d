//! `/{program}/brochure.pdf`: what the landing page says, on paper. The same for everybody, so that anyone may keep it.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::language::{PARAMETER, chosen};
use super::{PagesState, problem};
use domain::hex::hex;
use domain::language::Language;
use domain::program::Program;

pub fn router() -> Router<PagesState> {
    Program::ALL.into_iter().fold(Router::new(), |router, program| {
        let send = move |State(state): State<PagesState>, request: Request| send(state, program, request);
        router.route(&path(program), axum::routing::get(send))
    })
}

fn path(program: Program) -> String {
    format!("/{}/brochure.pdf", program.path())
}

/// Returns the address of the brochure in a language.
pub fn href(program: Program, language: Language) -> String {
    format!("{}?{PARAMETER}={}", path(program), language.as_str())
}

async fn send(state: PagesState, program: Program, request: Request) -> Response {
    let language = language(&request);
    let bytes = match state.app.brochure(program, language).await {
        Ok(bytes) => bytes,
        Err(error) => {
            super::form::log(&error);
            let sentence = problem::UNAVAILABLE.text.in_language(language);
            return (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "60")], sentence).into_response();
        }
    };
    let digest = Sha256::digest(&bytes);
    let etag = HeaderValue::try_from(format!("\"{}\"", hex(&digest[..12]))).expect("hexadecimal digits");
    let is_known = request.headers().get(header::IF_NONE_MATCH).is_some_and(|known| *known == etag);
    let mut response = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { bytes.into_response() };
    let name = format!("inline; filename=\"brochure-{}.pdf\"", program.path());
    for (name, value) in [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")),
        (header::CONTENT_DISPOSITION, HeaderValue::try_from(name).expect("made of our own words")),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
        (header::VARY, HeaderValue::from_static("Accept-Language, Cookie")),
        (header::ETAG, etag),
    ] {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Returns the language that the address asks for, else the browser's.
fn language(request: &Request) -> Language {
    let query = request.uri().query().unwrap_or_default();
    let asked = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == PARAMETER);
    let of_browser = |headers: &HeaderMap| chosen(headers).unwrap_or_else(|| wire::accepted_language(headers));
    asked.and_then(|(_, code)| Language::parse(&code)).unwrap_or_else(|| of_browser(request.headers()))
}
