//! `/calendar/SECRET.ics`: somebody's interviews, for the calendar program that subscribes to them. Anyone with the
//! secret may read it; there is no login.

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::PagesState;

pub async fn serve(State(state): State<PagesState>, Path(file): Path<String>) -> Response {
    // 256 bits in URL-safe base64; nothing else is looked up.
    let secret = file.strip_suffix(".ics").filter(|secret| {
        secret.len() == 43 && secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    });
    let Some(secret) = secret else { return gone() };
    match state.app.calendar_feed(secret).await {
        Ok(Some(calendar)) => {
            let headers = [
                (header::CONTENT_TYPE, "text/calendar; charset=utf-8"),
                (header::CACHE_CONTROL, "private, no-store"),
                (header::REFERRER_POLICY, "no-referrer"),
            ];
            (headers, calendar).into_response()
        }
        Ok(None) => gone(),
        Err(error) => {
            crate::form::log(&error);
            (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "60")], "Try again in a minute.\n").into_response()
        }
    }
}

fn gone() -> Response {
    (StatusCode::NOT_FOUND, "There is no calendar at this address.\n").into_response()
}
