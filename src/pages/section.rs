//! One section of the application form: its page, and the posts of browsers without JavaScript.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value};

use super::{Form, Visit, application, check, problem, respond};
use app::Error;
use app::applications::saving::Expected;
use domain::application::{AnswerChange, Answers, Application, Elsewhere, Section, from_form, missing};
use domain::input::Input;
use domain::program::Program;
use domain::questionnaire::QuestionSets;

const PREVIOUS_EMPLOYERS: &str = "employment.previousEmployers.";

pub fn path(program: Program, section: Section) -> String {
    format!("{}/{}", application::path(program), section.slug())
}

pub async fn show(visit: &Visit, program: Program, section: Section) -> Response {
    let asked = match application::asked(visit, program).await {
        Ok(asked) => asked,
        Err(unavailable) => return unavailable,
    };
    if asked.changes.as_ref().is_some_and(|changes| !changes.sections.contains(&section)) {
        return respond::redirect(visit, &application::path(program));
    }
    let mut props = application::props(visit, program, visit.visitor.application.as_ref(), &asked);
    props.section = Some(section);
    application::respond(visit, props, StatusCode::OK).await
}

pub async fn submit(visit: &Visit, program: Program, section: Section, form: &Form) -> Response {
    let action = form.get("_action");
    let mut form = form.clone();
    if action == "take-theirs" {
        return respond::see_other(&path(program, section));
    }
    if action == "add-previous-employer" {
        add_previous_employer(&mut form);
        return application::come_back(visit, program, Some(section), form.state(), StatusCode::OK).await;
    }
    if let Some(index) = action.strip_prefix("remove-previous-employer:") {
        remove_previous_employer(&mut form, index.parse().unwrap_or(usize::MAX));
        return application::come_back(visit, program, Some(section), form.state(), StatusCode::OK).await;
    }
    let Some(who) = &visit.visitor.signed_in else {
        return application::session_ended(visit, program, Some(section), &form).await;
    };
    let input = body(program, action == "switch-program", &form);
    let expected = form.get("revision").parse().map_or(Expected::Nothing, Expected::Revision);
    match visit.state.app.save_known(who, visit.visitor.application.clone(), &input, expected).await {
        Ok(saved) if action != "save" && has_more(visit, &saved, section, &form).await => {
            let query = if is_from_check(visit) { "?from=check" } else { "" };
            respond::see_other(&format!("{}{query}", path(program, section)))
        }
        Ok(saved) => respond::see_other(&after(visit, &saved, section, action).await),
        Err(Error::Stale(current)) => conflict(visit, program, section, &form, &input, &current).await,
        Err(error) => {
            let state = form.refused(&error);
            application::come_back(visit, program, Some(section), state, problem::status(&error)).await
        }
    }
}

fn is_from_check(visit: &Visit) -> bool {
    visit.query("from").as_deref() == Some("check")
}

/// Whether the answers have led to questions that were not on the page.
async fn has_more(visit: &Visit, saved: &Application, section: Section, form: &Form) -> bool {
    if section != Section::Questions {
        return false;
    }
    // If they cannot be looked up, only a shortcut is missing.
    let Ok(asked) = visit.state.app.questions_of(saved).await else { return false };
    let was_there = |path: &str| form.fields().iter().any(|(name, _)| name == path);
    let missing = missing(&saved.answers, &asked, &Elsewhere::default());
    missing.iter().any(|open| open.section == section && !was_there(&open.path))
}

/// Returns where a saved section leads.
async fn after(visit: &Visit, saved: &Application, section: Section, action: &str) -> String {
    let (program, from_check) = (saved.program, is_from_check(visit));
    // If it cannot be looked up, the way is only longer.
    let changes = visit.state.app.change_request(saved).await.ok().flatten();
    let is_open = |section: &Section| changes.as_ref().is_none_or(|changes| changes.sections.contains(section));
    let next = std::iter::successors(section.next(), |section| section.next()).find(is_open);
    match (action, next) {
        ("save", _) => application::path(program),
        ("keep-mine" | "switch-program", _) => path(program, section),
        (_, Some(next)) if !from_check => path(program, next),
        _ => check::path(program),
    }
}

/// Returns the form as the body of a save.
fn body(program: Program, switch: bool, form: &Form) -> Input {
    let Input::Map(mut entries) = from_form(form.fields()) else { return Input::Map(Vec::new()) };
    entries.push(("applicationType".into(), Input::Text(program.application_type().into())));
    if switch {
        entries.push(("switchProgram".into(), Input::Bool(true)));
    }
    Input::Map(entries)
}

/// Shows the differences to choose from, after somebody else, or another tab, has saved since this form was loaded.
async fn conflict(
    visit: &Visit,
    program: Program,
    section: Section,
    form: &Form,
    input: &Input,
    current: &Application,
) -> Response {
    let asked = match application::asked(visit, program).await {
        Ok(asked) => asked,
        Err(unavailable) => return unavailable,
    };
    let mine = match AnswerChange::parse(input, &QuestionSets::only(program, asked.questions.clone())) {
        Ok(change) => current.answers.with(&change),
        Err(errors) => {
            let error = Error::Invalid(errors);
            let state = form.refused(&error);
            return application::come_back(visit, program, Some(section), state, problem::status(&error)).await;
        }
    };
    let plain = |answers: &Answers| serde_json::to_value(answers.data()).unwrap_or_default();
    let mut differences = Vec::new();
    compare("", &plain(&mine), &plain(&current.answers), &mut differences);
    let mut props = application::props(visit, program, Some(current), &asked);
    props.section = Some(section);
    props.form = Some(form.state());
    props.conflict = Some(differences);
    application::respond(visit, props, StatusCode::CONFLICT).await
}

/// Finds the answers in which two copies differ. Lists are compared as a whole.
fn compare(path: &str, mine: &Value, theirs: &Value, differences: &mut Vec<String>) {
    match (mine, theirs) {
        (Value::Object(mine), Value::Object(theirs)) => {
            let only_theirs = theirs.keys().filter(|name| !mine.contains_key(*name));
            for name in mine.keys().chain(only_theirs) {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                let of = |answers: &Map<String, Value>| answers.get(name).cloned().unwrap_or_default();
                compare(&path, &of(mine), &of(theirs), differences);
            }
        }
        _ if mine == theirs || path == "questionnaire.version" => {}
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
        let mine = serde_json::json!({"a": {"b": "<1", "same": true, "c": 1}, "list": [1]});
        let theirs = serde_json::json!({"a": {"b": "3-5", "same": true, "d": 1}, "list": [2]});
        let mut differences = Vec::new();
        compare("", &mine, &theirs, &mut differences);
        assert_eq!(differences, ["a.b", "a.c", "a.d", "list"]);
    }
}
