//! The language of a response.

use std::future::poll_fn;
use std::pin::pin;

use axum::http::{HeaderMap, header};

use domain::language::Language;
use domain::sentence::speaking;

/// Returns the language that `Accept-Language` asks for, else English.
pub fn accepted_language(headers: &HeaderMap) -> Language {
    let header = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    header.and_then(Language::accepted).unwrap_or_default()
}

/// Runs the future with sentences in `language`.
pub async fn in_language<T>(language: Language, answer: impl Future<Output = T>) -> T {
    let mut answer = pin!(answer);
    poll_fn(|context| speaking(language, || answer.as_mut().poll(context))).await
}
