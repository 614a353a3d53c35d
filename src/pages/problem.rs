//! Pages for what cannot be shown: one sentence, one way on.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::page::{ProblemProps, Screen};
use super::{Visit, respond};
use app::Error;
use domain::sentence::Sentence;
use domain::text;
use wire::{status_of, status_of_refused, status_of_rejected};

/// A kind of problem.
#[derive(Debug, Clone)]
pub struct Problem {
    pub status: StatusCode,
    pub heading: Sentence,
    pub text: Sentence,
}

const fn problem(status: StatusCode, heading: Sentence, text: Sentence) -> Problem {
    Problem { status, heading, text }
}

pub const NOT_FOUND: Problem = problem(
    StatusCode::NOT_FOUND,
    text!("Page not found"),
    text!("There is no page at this address. Check it, or start from the program’s page."),
);
pub const BAD_REQUEST: Problem = problem(
    StatusCode::BAD_REQUEST,
    text!("Bad request"),
    text!("This address or form contains characters that we cannot read. Go back and try again."),
);
pub const ADDRESS_TOO_LONG: Problem = problem(
    StatusCode::URI_TOO_LONG,
    text!("Address too long"),
    text!("This address is longer than any page of ours. Check it, or start from the program’s page."),
);
pub const WRONG_METHOD: Problem = problem(
    StatusCode::METHOD_NOT_ALLOWED,
    text!("This page cannot be used this way"),
    text!("Open the page again and use its own buttons."),
);
pub const OTHER_ORIGIN: Problem = problem(
    StatusCode::FORBIDDEN,
    text!("This form came from another site"),
    text!("For your security, we accept forms only from our own pages. Open the page again and send it from there."),
);
pub const NOT_A_FORM: Problem = problem(
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    text!("This is not one of our forms"),
    text!("Open the page again and send its form."),
);
pub const FORM_TOO_LARGE: Problem = problem(
    StatusCode::PAYLOAD_TOO_LARGE,
    text!("This is too much at once"),
    text!("The form is larger than we accept. Go back and shorten what you typed."),
);
pub const FORM_TOO_SLOW: Problem = problem(
    StatusCode::REQUEST_TIMEOUT,
    text!("The form did not arrive"),
    text!("The connection was too slow to send it. Go back and send it again."),
);
pub const ROLE_FORBIDDEN: Problem = problem(
    StatusCode::FORBIDDEN,
    Sentence::new("Your role does not allow this"),
    Sentence::new("Ask an Owner of the office if you need it for your work."),
);
pub const NO_OFFICE_PAGE: Problem = problem(
    StatusCode::NOT_FOUND,
    Sentence::new("Page not found"),
    Sentence::new("The office has no page at this address. Check it, or choose one from the menu."),
);
pub const NO_APPLICATION: Problem = problem(
    StatusCode::NOT_FOUND,
    Sentence::new("Application not found."),
    Sentence::new("It may have been taken back by its applicant. Choose one from the list of applications."),
);
pub const NO_CONTRACT: Problem = problem(
    StatusCode::NOT_FOUND,
    text!("Contract not found."),
    text!("There is no contract at this address. Check it against the one on the certificate page."),
);
pub const NO_OPEN_DAY: Problem = problem(
    StatusCode::NOT_FOUND,
    text!("Open day not found."),
    text!("There is no open day at this address. The program’s page has the next ones."),
);
pub const NO_REFERENCE: Problem = problem(
    StatusCode::NOT_FOUND,
    text!("This link is no longer valid"),
    text!("Open the link in the latest email we sent you. If it does not work either, write to us."),
);
pub const UNAVAILABLE: Problem = problem(
    StatusCode::SERVICE_UNAVAILABLE,
    text!("We will be back in a minute"),
    text!("We could not reach our records. Nothing was changed or lost. Try again in a minute."),
);

/// Returns the problem as a page.
pub async fn page(visit: &Visit, problem: Problem) -> Response {
    let head = visit.private_head(problem.heading.clone());
    let props = ProblemProps { heading: problem.heading, text: problem.text, request_id: wire::request_id() };
    let screen = if visit.visitor.staff.is_some() { Screen::AdminProblem(props) } else { Screen::Problem(props) };
    let page = visit.page(screen, problem.status, head);
    let mut response = respond::page(visit, page).await;
    if problem.status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("60"));
    }
    response
}

/// Returns the page for an error on our side.
pub async fn unavailable(visit: &Visit, error: &Error) -> Response {
    super::form::log(error);
    page(visit, UNAVAILABLE).await
}

/// Returns the status of a form that comes back with an error.
pub fn status(error: &Error) -> StatusCode {
    match error {
        Error::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Error::Refused(refusal) => status_of(*refusal),
        Error::Rejected(rejection) => status_of_rejected(*rejection),
        Error::NotAllowed(refused) => status_of_refused(*refused),
        Error::Stale(_) => StatusCode::CONFLICT,
        Error::Throttled { .. } => StatusCode::TOO_MANY_REQUESTS,
        Error::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
        Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
