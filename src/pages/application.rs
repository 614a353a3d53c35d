//! The application form: the page, and the posts of browsers without JavaScript.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;

use super::page::{ApplicationCopy, ApplicationProps, AuthMode, Choices, FormState, Screen, SentApplication, Typed};
use super::{Form, Visit, apply, catalogue, moment, problem, respond};
use crate::app::applications::Expected;
use crate::app::ports::Application;
use crate::app::sessions::SignedIn;
use crate::app::submission::{Conditions, Withdrawal};
use crate::app::{Error, Refusal};
use crate::domain::application::{
    AnswerChange, Answers, PAYMENTS, SectionStates, TRANSFER_PROGRAMS, YEARS_IN_ROLE, from_form,
};
use crate::domain::input::Input;
use crate::domain::program::Program;
use crate::domain::status::{Act, Actor, Facts, Stage, decide};

const PREVIOUS_EMPLOYERS: &str = "employment.previousEmployers.";

/// Where the application of a program is.
pub fn path(program: Program) -> String {
    format!("/{}/application", program.path())
}

pub async fn show(visit: &Visit, program: Program) -> Response {
    // One that was sent cannot be moved to the other program: there is nothing to ask.
    if let Some(sent) = &visit.visitor.application
        && sent.program != program
        && !sent.stage.is_editable()
    {
        return respond::redirect(visit, &path(sent.program));
    }
    let other = visit.visitor.application.as_ref().map(|application| application.program) != Some(program);
    let mut props = props(visit, program, visit.visitor.application.as_ref());
    if visit.visitor.signed_in.is_none() {
        props.dialog = Some(apply::dialog(AuthMode::Login, None, program, FormState::default()));
    }
    if other && visit.visitor.application.is_some() {
        props.other_program = Some(catalogue::name(program.other()));
    }
    answer(visit, props, StatusCode::OK).await
}

/// "Start your application" on the apply page.
pub async fn start(visit: &Visit, program: Program) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other(&format!("/{}/apply?dialog=register", program.path()));
    };
    match visit.state.app.start_application(who, program).await {
        // Of the other program: its page asks whether to move it here.
        Ok(_) | Err(Error::Refused(Refusal::OtherProgram)) => respond::see_other(&path(program)),
        Err(error) => {
            super::form::log(&error);
            problem::page(visit, problem::UNAVAILABLE).await
        }
    }
}

pub async fn submit(visit: &Visit, program: Program, form: &Form) -> Response {
    let action = form.get("_action");
    let mut form = form.clone();
    if action == "take-theirs" {
        return respond::see_other(&path(program));
    }
    if action == "add-previous-employer" {
        add_previous_employer(&mut form);
        return come_back(visit, program, form.state(), StatusCode::OK).await;
    }
    if let Some(index) = action.strip_prefix("remove-previous-employer:") {
        remove_previous_employer(&mut form, index.parse().unwrap_or(usize::MAX));
        return come_back(visit, program, form.state(), StatusCode::OK).await;
    }
    let Some(who) = &visit.visitor.signed_in else {
        let mut state = form.state();
        state.error = Some(
            "Your session has ended. Nothing you typed is lost: log in in another tab, then come back to this page \
             and save again."
                .into(),
        );
        return come_back(visit, program, state, StatusCode::UNAUTHORIZED).await;
    };
    if matches!(action, "unsubmit" | "withdraw") {
        return act(visit, who, program, action, &form).await;
    }
    let input = body(program, action == "switch-program", &form);
    let expected = form.get("revision").parse().map_or(Expected::Nothing, Expected::Revision);
    match visit.state.app.save_known(who, visit.visitor.application.clone(), &input, expected).await {
        Ok(_) if action == "check" => respond::see_other(&format!("{}/check", path(program))),
        Ok(_) => respond::see_other(&path(program)),
        Err(Error::Stale(current)) => conflict(visit, program, &form, &input, &current).await,
        Err(error) => come_back(visit, program, form.refused(&error), problem::status(&error)).await,
    }
}

/// What can be done with an application that was sent.
async fn act(visit: &Visit, who: &SignedIn, program: Program, action: &str, form: &Form) -> Response {
    let app = &visit.state.app;
    let conditions = Conditions { expected: form.get("revision").parse().ok(), key: Conditions::key(form.get("key")) };
    let known = visit.visitor.application.clone();
    let (done, to) = if action == "unsubmit" {
        (app.unsubmit_application(who, known, conditions).await, path(program))
    } else {
        let withdrawn = match Withdrawal::parse(&Input::Map(form.input(&["reason"]))) {
            Ok(withdrawal) => app.withdraw_application(who, known, withdrawal, conditions).await,
            Err(errors) => Err(errors.into()),
        };
        (withdrawn, "/dashboard".into())
    };
    match done {
        Ok(_) => respond::see_other(&to),
        Err(Error::Refused(Refusal::NoApplication)) => respond::see_other("/dashboard"),
        Err(error) => come_back(visit, program, form.refused(&error), problem::status(&error)).await,
    }
}

/// The form as the body of a save.
fn body(program: Program, switch: bool, form: &Form) -> Input {
    let Input::Map(mut entries) = from_form(form.fields()) else { return Input::Map(Vec::new()) };
    entries.push(("applicationType".into(), Input::Text(program.application_type().into())));
    if switch {
        entries.push(("switchProgram".into(), Input::Bool(true)));
    }
    Input::Map(entries)
}

/// The page with what was typed.
async fn come_back(visit: &Visit, program: Program, state: FormState, status: StatusCode) -> Response {
    let mut props = props(visit, program, visit.visitor.application.as_ref());
    if let Some(sent) = &mut props.sent {
        sent.form = state;
        return answer(visit, props, status).await;
    }
    if props.application.is_none() {
        // Not signed in any more: the answers on the page are the only copy there is.
        props.application = Some(ApplicationCopy {
            id: String::new(),
            revision: match state.values.get("revision") {
                Some(Typed::One(revision)) => revision.parse().unwrap_or(1),
                _ => 1,
            },
            status: Stage::Draft.status(),
            stage: Stage::Draft.as_str(),
            data: Answers::default().data(),
            sections: SectionStates::of(&Answers::default()),
            saved_text: None,
        });
    }
    props.form = Some(state);
    answer(visit, props, status).await
}

/// Someone else, or another tab, has saved since this form was loaded: what differs, to choose from.
async fn conflict(visit: &Visit, program: Program, form: &Form, input: &Input, current: &Application) -> Response {
    let mine = match AnswerChange::parse(input) {
        Ok(change) => current.answers.with(&change),
        Err(errors) => {
            let error = Error::Invalid(errors);
            return come_back(visit, program, form.refused(&error), problem::status(&error)).await;
        }
    };
    let plain = |answers: &Answers| serde_json::to_value(answers.data()).unwrap_or_default();
    let mut differences = Vec::new();
    compare("", &plain(&mine), &plain(&current.answers), &mut differences);
    let mut props = props(visit, program, Some(current));
    props.form = Some(form.state());
    props.conflict = Some(differences);
    answer(visit, props, StatusCode::CONFLICT).await
}

/// The answers in which two copies differ. Lists are compared as a whole.
fn compare(path: &str, mine: &Value, theirs: &Value, differences: &mut Vec<String>) {
    match (mine, theirs) {
        (Value::Object(mine), Value::Object(theirs)) => {
            for (name, mine) in mine {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                compare(&path, mine, theirs.get(name).unwrap_or(&Value::Null), differences);
            }
        }
        _ if mine == theirs => {}
        _ => differences.push(path.to_owned()),
    }
}

fn add_previous_employer(form: &mut Form) {
    let next = (0..).find(|index| !form.fields().iter().any(|(name, _)| belongs_to(name, *index))).unwrap_or(0);
    form.set(&format!("{PREVIOUS_EMPLOYERS}{next}.name"), "");
}

fn remove_previous_employer(form: &mut Form, removed: usize) {
    form.retain(|name| !belongs_to(name, removed));
    form.rename(|name| {
        let (index, field) = name.strip_prefix(PREVIOUS_EMPLOYERS)?.split_once('.')?;
        let index: usize = index.parse().ok()?;
        (index > removed).then(|| format!("{PREVIOUS_EMPLOYERS}{}.{field}", index - 1))
    });
}

fn belongs_to(name: &str, index: usize) -> bool {
    name.strip_prefix(PREVIOUS_EMPLOYERS)
        .and_then(|rest| rest.split_once('.'))
        .is_some_and(|(number, _)| number.parse() == Ok(index))
}

fn props(visit: &Visit, program: Program, application: Option<&Application>) -> ApplicationProps {
    let zone = visit.visitor.time_zone(&visit.state.app);
    ApplicationProps {
        info: catalogue::name(program),
        application: application.map(|application| ApplicationCopy {
            id: application.id.clone(),
            revision: application.revision,
            status: application.status(),
            stage: application.stage.as_str(),
            data: application.answers.data(),
            sections: SectionStates::of(&application.answers),
            saved_text: (application.revision > 1).then(|| moment::saved(application.updated_at, visit.now(), zone)),
        }),
        sent: application
            .filter(|application| !application.stage.is_editable())
            .map(|application| sent(visit, application)),
        choices: choices(),
        form: None,
        conflict: None,
        other_program: None,
        dialog: None,
    }
}

pub fn choices() -> Choices {
    Choices { payments: &PAYMENTS, transfer_programs: &TRANSFER_PROGRAMS, years_in_role: &YEARS_IN_ROLE }
}

/// What is told about an application that was sent, and what its applicant can do with it.
fn sent(visit: &Visit, application: &Application) -> SentApplication {
    let may = |act: Act| {
        let facts = Facts { reason_given: true, ..Facts::default() };
        decide(application.stage, act, Actor::Applicant, &facts).is_ok()
    };
    let zone = visit.visitor.time_zone(&visit.state.app);
    SentApplication {
        reference: application.reference.clone(),
        submitted_text: application.submitted_at.map(|at| moment::full(at, zone)),
        can_unsubmit: may(Act::Unsubmit),
        can_withdraw: may(Act::Withdraw),
        idempotency_key: visit.state.app.random.id(),
        form: FormState::default(),
    }
}

async fn answer(visit: &Visit, props: ApplicationProps, status: StatusCode) -> Response {
    let head = visit.private_head(&format!("Application – {}", props.info.degree));
    respond::page(visit, visit.page(Screen::Application(Box::new(props)), status, head)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(fields: &[(&str, &str)]) -> Form {
        let mut form = Form::default();
        for (name, value) in fields {
            form.set(name, value);
        }
        form
    }

    #[test]
    fn a_removed_employer_takes_its_fields_along_and_the_others_move_up() {
        let mut form = form(&[
            ("employment.previousEmployers.0.name", "First"),
            ("employment.previousEmployers.1.name", "Second"),
            ("employment.previousEmployers.1.jobTitle", "Trainer"),
            ("employment.previousEmployers.2.name", "Third"),
        ]);
        remove_previous_employer(&mut form, 1);
        assert_eq!(form.get("employment.previousEmployers.1.name"), "Third");
        assert_eq!(form.fields().len(), 2);
        add_previous_employer(&mut form);
        assert!(form.fields().iter().any(|(name, _)| name == "employment.previousEmployers.2.name"));
    }

    #[test]
    fn differing_answers_are_named_by_their_path() {
        let mine = serde_json::json!({"a": {"b": "<1", "same": true}, "list": [1]});
        let theirs = serde_json::json!({"a": {"b": "3-5", "same": true}, "list": [2]});
        let mut differences = Vec::new();
        compare("", &mine, &theirs, &mut differences);
        assert_eq!(differences, ["a.b", "list"]);
    }
}
