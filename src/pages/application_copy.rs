//! The submission, as a file.

use axum::response::{IntoResponse, Response};

use super::{Visit, problem};
use app::Error;

pub async fn send(visit: &Visit) -> Response {
    // The guard lets nobody else in.
    let Some(who) = &visit.visitor.signed_in else { return problem::page(visit, problem::NOT_FOUND).await };
    match visit.state.app.application_copy(who).await {
        Ok(file) => wire::pdf(&file).into_response(),
        Err(Error::Refused(_)) => problem::page(visit, problem::NOT_FOUND).await,
        Err(error) => {
            super::form::log(&error);
            problem::page(visit, problem::UNAVAILABLE).await
        }
    }
}
