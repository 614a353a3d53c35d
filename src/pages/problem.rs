//! Pages for what cannot be shown: one sentence, one way on.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::page::{ProblemProps, Screen};
use super::{Visit, respond};
use crate::app::Error;
use crate::http::wire::{status_of, status_of_refused};

/// A kind of problem.
#[derive(Debug, Clone, Copy)]
pub struct Problem {
    pub status: StatusCode,
    pub heading: &'static str,
    pub text: &'static str,
}

const fn problem(status: StatusCode, heading: &'static str, text: &'static str) -> Problem {
    Problem { status, heading, text }
}

pub const NOT_FOUND: Problem = problem(
    StatusCode::NOT_FOUND,
    "Page not found",
    "There is no page at this address. Check it, or start from the program’s page.",
);
pub const BAD_REQUEST: Problem = problem(
    StatusCode::BAD_REQUEST,
    "Bad request",
    "This address or form contains characters that we cannot read. Go back and try again.",
);
pub const ADDRESS_TOO_LONG: Problem = problem(
    StatusCode::URI_TOO_LONG,
    "Address too long",
    "This address is longer than any page of ours. Check it, or start from the program’s page.",
);
pub const WRONG_METHOD: Problem = problem(
    StatusCode::METHOD_NOT_ALLOWED,
    "This page cannot be used this way",
    "Open the page again and use its own buttons.",
);
pub const OTHER_ORIGIN: Problem = problem(
    StatusCode::FORBIDDEN,
    "This form came from another site",
    "For your safety we accept forms only from our own pages. Open the page again and send it from there.",
);
pub const NOT_A_FORM: Problem = problem(
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    "This is not one of our forms",
    "Open the page again and send its form.",
);
pub const FORM_TOO_LARGE: Problem = problem(
    StatusCode::PAYLOAD_TOO_LARGE,
    "This is too much at once",
    "The form is larger than we accept. Go back and shorten what you typed.",
);
pub const FORM_TOO_SLOW: Problem = problem(
    StatusCode::REQUEST_TIMEOUT,
    "The form did not arrive",
    "The connection was too slow to send it. Go back and send it again.",
);
pub const UNAVAILABLE: Problem = problem(
    StatusCode::SERVICE_UNAVAILABLE,
    "We will be back in a minute",
    "We could not reach our records. Nothing was changed or lost. Try again in a minute.",
);

/// The problem as a page.
pub async fn page(visit: &Visit, problem: Problem) -> Response {
    let screen = Screen::Problem(ProblemProps { heading: problem.heading, text: problem.text });
    let page = visit.page(screen, problem.status, visit.private_head(problem.heading));
    let mut response = respond::page(visit, page).await;
    if problem.status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("60"));
    }
    response
}

/// The status of a form that comes back with an error.
pub fn status(error: &Error) -> StatusCode {
    match error {
        Error::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Error::Refused(refusal) => status_of(*refusal),
        Error::NotAllowed(refused) => status_of_refused(*refused),
        Error::Stale(_) => StatusCode::CONFLICT,
        Error::Throttled { .. } => StatusCode::TOO_MANY_REQUESTS,
        Error::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
        Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
