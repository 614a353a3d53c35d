//! "Check your answers": everything that will be sent, what is missing, the declaration, and the submission itself.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{FormState, Screen};
use super::props::application::CheckProps;
use super::{Form, Visit, application, catalogue, fee, problem, respond};
use app::applications::acts::Preconditions;
use app::applications::submission::Submission;
use app::{Error, Refusal};
use domain::application::{Application, DECLARATION, SectionStates, missing};
use domain::program::Program;
use domain::text;

pub fn path(program: Program) -> String {
    format!("{}/check", application::path(program))
}

pub async fn show(visit: &Visit, program: Program) -> Response {
    match &visit.visitor.application {
        Some(application) => respond(visit, application, FormState::default(), StatusCode::OK).await,
        None => respond::redirect(visit, &application::path(program)),
    }
}

pub async fn submit(visit: &Visit, program: Program, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other(&format!(
            "/{0}/apply?dialog=login&redirect=%2F{0}%2Fapplication%2Fcheck",
            program.path()
        ));
    };
    let known = visit.visitor.application.clone();
    if known.as_ref().is_some_and(|application| application.program != program) {
        return respond::see_other(&application::path(program));
    }
    let submission = Submission { declaration: form.get("declaration") == "yes" };
    let conditions = Preconditions {
        // The declaration is about what was on the page; a form that does not say what that was has it shown first.
        expected: Some(form.get("revision").parse().unwrap_or(0)),
        key: Preconditions::key(form.get("key")),
    };
    let error = match visit.state.app.submit_application(who, known.clone(), submission, conditions).await {
        Ok(_) => return respond::see_other("/thankyou"),
        Err(error) => error,
    };
    match (&error, known) {
        (Error::Stale(current), _) => {
            let mut state = form.state();
            state.error = Some(text!(
                "Your answers were changed in another tab or on another device. Look through them once more, then \
                 submit them."
            ));
            respond(visit, current, state, StatusCode::CONFLICT).await
        }
        (Error::NotAllowed(_) | Error::Refused(Refusal::NoApplication), _) | (_, None) => {
            respond::see_other(&application::path(program))
        }
        (_, Some(current)) => {
            let mut state = form.refused(&error);
            // The page shows what is missing by itself.
            state.errors.retain(|(path, _)| path == "declaration");
            respond(visit, &current, state, problem::status(&error)).await
        }
    }
}

async fn respond(visit: &Visit, application: &Application, form: FormState, status: StatusCode) -> Response {
    let asked = match application::asked(visit, application.program).await {
        Ok(asked) => asked,
        Err(unavailable) => return unavailable,
    };
    let ahead = match visit.state.app.fee_ahead(application).await {
        Ok(ahead) => ahead,
        Err(error) => return problem::unavailable(visit, &error).await,
    };
    let answers = application.answers.asked_by(&asked.questions);
    let props = CheckProps {
        info: catalogue::name(application.program),
        revision: application.revision,
        idempotency_key: visit.state.app.random.id(),
        data: answers.data(),
        sections: SectionStates::of(&answers),
        missing: missing(&answers, &asked.questions, &asked.elsewhere).into_iter().map(Into::into).collect(),
        asks_referees: asked.questions.references.is_some(),
        changes: asked.changes.as_ref().map(Into::into),
        questionnaire: asked.questions.in_language(visit.language()),
        fee: ahead.as_ref().map(fee::ahead),
        declaration: DECLARATION,
        form,
    };
    let head = visit.private_head(text!("Check your answers – {degree}", degree = &props.info.degree));
    respond::page(visit, visit.page(Screen::Check(Box::new(props)), status, head)).await
}
