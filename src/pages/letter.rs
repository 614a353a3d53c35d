//! The decision letter, as it was written.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::Screen;
use super::props::dashboard::LetterProps;
use super::{Visit, moment, problem, respond};
use app::{Error, Refusal};
use domain::text;

pub async fn show(visit: &Visit) -> Response {
    let (Some(who), Some(application)) = (&visit.visitor.signed_in, &visit.visitor.application) else {
        return respond::redirect(visit, "/dashboard");
    };
    let decision = match visit.state.app.decision_for(application).await {
        Ok(decided) => decided.decision,
        Err(Error::Refused(Refusal::NoDecision)) => return respond::redirect(visit, "/dashboard"),
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let profile = &who.applicant.profile;
    let zone = visit.visitor.time_zone(&visit.state.app);
    let props = LetterProps {
        name: format!("{} {}", profile.first_name, profile.last_name),
        reference: application.reference.clone(),
        date_text: moment::day(decision.released_at.unwrap_or(decision.drafted_at), zone),
        text: decision.letter,
    };
    let head = visit.private_head(text!("Our letter"));
    respond::page(visit, visit.page(Screen::Letter(props), StatusCode::OK, head)).await
}
