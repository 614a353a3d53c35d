//! `/reference`: what a referee is asked for, for anyone who has the link of the mail. No account is needed. Looking at
//! the link does no more than note that it was opened: mail scanners open links.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use axum::response::Response;
use serde_json::Value;

use super::documents::ACCEPT;
use super::page::{FormState, Screen, Typed};
use super::problem::Problem;
use super::props::references::{ReferenceLinkState, ReferenceProps};
use super::references::letter_file;
use super::{Form, Visit, moment, problem, respond};
use app::references::{LinkState, OpenReference};
use app::{Error, Refusal};
use domain::application::from_form;
use domain::input::Input;
use domain::questionnaire;
use domain::referee::MAX_LETTER_BYTES;
use domain::text;

/// The name of the letter's input.
const FILE: &str = "file";

pub async fn show(visit: &Visit) -> Response {
    let message = match visit.query("done").as_deref() {
        Some("saved") => Some(text!("Saved. You can close this page and go on later with the same link.")),
        Some("letter-removed") => Some(text!("The letter was removed.")),
        Some("reopened") => Some(text!("Thank you. Write now, or later with the same link.")),
        _ => None,
    };
    respond(visit, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

/// Reads the form, which may come with a large file: only from those whose link leads somewhere.
pub async fn read(visit: &Visit, body: Body) -> Result<Form, Problem> {
    open(visit).await?;
    if wire::is_multipart(&visit.parts.headers) {
        Form::read_with_file(&visit.parts.headers, body, MAX_LETTER_BYTES).await
    } else {
        Form::read(Request::from_parts(visit.parts.clone(), body)).await
    }
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let (app, token) = (&visit.state.app, token(visit));
    // The buttons come after the file, and nothing is read after one that is too large.
    let is_cut = form.file().is_some_and(|file| file.content.len() > MAX_LETTER_BYTES);
    let action = if is_cut { "save" } else { form.get("_action") };
    let (answered, lettered, done) = match action {
        "save" | "send" => {
            let lettered = attach(visit, &token, form).await;
            let (answers, sends) = (answers(form), action == "send" && lettered.is_ok());
            let answered = match sends {
                true => app.send_reference(&token, &answers).await,
                false => app.save_reference(&token, &answers).await,
            };
            (answered, lettered, if sends { "sent" } else { "saved" })
        }
        "remove-letter" => {
            let answered = app.save_reference(&token, &answers(form)).await;
            (answered, app.remove_letter(&token).await, "letter-removed")
        }
        "decline" => {
            let reason = Input::Map(form.input(&["reason"]));
            (app.decline_reference(&token, &reason).await, Ok(()), "declined")
        }
        "reopen" => (app.reopen_reference(&token).await, Ok(()), "reopened"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match (answered, lettered) {
        (Ok(()), Ok(())) => respond::see_other(&format!("{}&done={done}", address(&token))),
        (Err(error @ Error::Refused(Refusal::ReferencesClosed)), _) if action == "reopen" => {
            let sentence = text!("Another person was asked in the meantime: your reference is no longer needed.");
            let state = FormState { error: Some(sentence), ..FormState::default() };
            respond(visit, state, problem::status(&error)).await
        }
        // Sent in another tab, or no longer needed: the page says so.
        (answered, lettered) if is_closed(&answered, &lettered) && !is_open(visit).await => {
            respond::see_other(&address(&token))
        }
        (answered, lettered) => {
            let mut state = answered.as_ref().map_or_else(|error| form.refused(error), |()| form.state());
            for (path, _) in state.errors.iter_mut().filter(|(path, _)| path == "letter") {
                FILE.clone_into(path);
            }
            if let Err(error) = &lettered {
                super::form::log(error);
                state.errors.push((FILE.to_owned(), error.sentence()));
            }
            let status = answered.err().or(lettered.err()).map_or(StatusCode::OK, |error| problem::status(&error));
            respond(visit, state, status).await
        }
    }
}

fn is_closed(answered: &Result<(), Error>, lettered: &Result<(), Error>) -> bool {
    let is_closed = |result: &Result<(), Error>| matches!(result, Err(Error::Refused(Refusal::ReferencesClosed)));
    is_closed(answered) || is_closed(lettered)
}

/// Whether the reference can still be written.
async fn is_open(visit: &Visit) -> bool {
    open(visit).await.is_ok_and(|open| open.state == LinkState::Open)
}

/// Keeps the letter that came with the form, if one did.
async fn attach(visit: &Visit, token: &str, form: &Form) -> Result<(), Error> {
    match form.file() {
        Some(file) => visit.state.app.attach_letter(token, &file.name, file.content.clone()).await,
        None => Ok(()),
    }
}

/// Returns the token of the link, which stays in the address of the forms.
fn token(visit: &Visit) -> String {
    visit.query("token").unwrap_or_default()
}

fn address(token: &str) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("token", token).finish();
    format!("/reference?{query}")
}

/// The form's answers, as the API takes those of applicants.
fn answers(form: &Form) -> Input {
    let Input::Map(entries) = from_form(form.fields()) else { return Input::Map(Vec::new()) };
    let answers = entries.into_iter().find(|(name, _)| name == "questionnaire");
    answers.map_or_else(|| Input::Map(Vec::new()), |(_, answers)| answers)
}

async fn open(visit: &Visit) -> Result<OpenReference, Problem> {
    match visit.state.app.open_reference(&token(visit)).await {
        Ok(Some(open)) => Ok(open),
        Ok(None) => Err(problem::NO_REFERENCE),
        Err(error) => {
            super::form::log(&error);
            Err(problem::UNAVAILABLE)
        }
    }
}

async fn respond(visit: &Visit, mut form: FormState, status: StatusCode) -> Response {
    let open = match open(visit).await {
        Ok(open) => open,
        Err(problem) => return problem::page(visit, problem).await,
    };
    for (name, value) in stored(&open) {
        form.values.entry(name).or_insert(value);
    }
    let program = open.program;
    let head = visit.private_head(text!("Reference for {name}", name = &open.applicant));
    let screen = Screen::Reference(Box::new(props(visit, open, form)));
    let mut page = visit.page(screen, status, head);
    page.shared.program = program;
    respond::page(visit, page).await
}

/// Returns the answers so far, as inputs have them.
fn stored(open: &OpenReference) -> impl Iterator<Item = (String, Typed)> {
    open.set.questions.iter().filter_map(|question| {
        let typed = match question.answer(&open.referee.answers)? {
            Value::Bool(yes) => Typed::One(if *yes { "yes" } else { "no" }.to_owned()),
            Value::Array(chosen) => {
                Typed::Several(chosen.iter().filter_map(Value::as_str).map(str::to_owned).collect())
            }
            Value::String(text) => Typed::One(text.clone()),
            other => Typed::One(other.to_string()),
        };
        Some((questionnaire::path(&question.key), typed))
    })
}

fn props(visit: &Visit, open: OpenReference, form: FormState) -> ReferenceProps {
    let OpenReference { referee, applicant, program, rules, set, state } = open;
    let zone = visit.visitor.time_zone(&visit.state.app);
    ReferenceProps {
        action: address(&token(visit)),
        state: match state {
            LinkState::Open => ReferenceLinkState::Open,
            LinkState::Received => ReferenceLinkState::Received,
            LinkState::Declined => ReferenceLinkState::Declined,
            LinkState::Over => ReferenceLinkState::Over,
        },
        applicant,
        program_name: program.name(),
        referee: referee.name,
        waived: referee.waived,
        questionnaire: set.in_language(visit.language()),
        letter_rule: rules.letter,
        letter: referee.letter.as_ref().map(letter_file),
        accept: ACCEPT,
        max_megabytes: MAX_LETTER_BYTES / 1024 / 1024,
        finished_text: referee.finished_at.map(|at| moment::day(at, zone)),
        form,
    }
}
