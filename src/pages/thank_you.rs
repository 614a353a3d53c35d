//! What someone sees who has just submitted, and whenever they come back to it.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{Screen, ThankYouProps, Titled};
use super::{Visit, application, catalogue, moment, respond};

pub async fn show(visit: &Visit) -> Response {
    let submitted = visit
        .visitor
        .application
        .as_ref()
        .and_then(|application| Some((application, application.reference.clone()?, application.submitted_at?)));
    let Some((application, reference, submitted_at)) = submitted else {
        return respond::redirect(visit, "/dashboard");
    };
    let zone = visit.visitor.time_zone(&visit.state.app);
    let email = visit.visitor.signed_in.as_ref().map(|who| who.applicant.email.clone()).unwrap_or_default();
    let props = ThankYouProps {
        program_name: application.program.name(),
        reference,
        submitted_text: moment::full(submitted_at, zone),
        email,
        steps: vec![
            Titled {
                title: "We read your application",
                text: "All of it, and what you can bring along of earlier study.",
            },
            Titled { title: "We write to you about an interview", text: "A conversation of forty minutes, by video." },
            Titled {
                title: "You get our decision",
                text: "We write to you when there is one, and you read it in your dashboard.",
            },
        ],
        answer_by: catalogue::long_date(catalogue::answer_by(moment::date(submitted_at, zone))),
        application_href: application::path(application.program),
    };
    let head = visit.private_head("Thank you");
    respond::page(visit, visit.page(Screen::ThankYou(Box::new(props)), StatusCode::OK, head)).await
}
