//! Who else is looking at an application: its page asks every few seconds, until it reports that it was left.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::instead;
use crate::Form;
use crate::admin::Office;
use app::Error;

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let app = &office.visit.state.app;
    let looked = async {
        let dossier = app.dossier(office.who, office.id).await?;
        let lookers = app.look_at(office.who, &dossier).await?;
        Ok::<_, Error>(serde_json::json!({ "lookers": lookers, "revision": dossier.application.revision }))
    };
    match looked.await {
        Ok(body) => ([(header::CACHE_CONTROL, "no-store")], axum::Json(body)).into_response(),
        Err(error) => instead(office, &error).await,
    }
}

/// Sent by the browser when the page is left.
pub async fn leave(office: Office<'_>, _: &Form) -> Response {
    match office.visit.state.app.look_away(office.who, office.id).await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => instead(office, &error).await,
    }
}
