//! An application that is over, to read.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::Screen;
use super::props::application::PastApplicationProps;
use super::{Visit, catalogue, dashboard, moment, problem, respond};
use domain::text;

const PATH: &str = "/dashboard/applications/";

pub async fn show(visit: &Visit) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return problem::page(visit, problem::NOT_FOUND).await };
    let id = visit.path.strip_prefix(PATH).unwrap_or_default();
    let ended = match visit.state.app.past_application(who, id).await {
        Ok(Some(ended)) => ended,
        Ok(None) => return problem::page(visit, problem::NOT_FOUND).await,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let asked = match visit.state.app.questions_of(&ended.application).await {
        Ok(asked) => asked,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let zone = visit.visitor.time_zone(&visit.state.app);
    let props = PastApplicationProps {
        info: catalogue::name(ended.application.program),
        ended_text: dashboard::ended_text(&ended, zone),
        submitted_text: ended.application.submitted_at.map(|at| moment::full(at, zone)),
        reference: ended.application.reference.clone(),
        data: ended.application.answers.data(),
        questionnaire: asked.in_language(visit.language()),
    };
    let head = visit.private_head(text!("Past application"));
    respond::page(visit, visit.page(Screen::PastApplication(Box::new(props)), StatusCode::OK, head)).await
}
