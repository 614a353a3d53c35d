//! One act on an application: what it does, what it needs, and then doing it.

use axum::http::StatusCode;
use axum::response::Response;

use super::super::super::page::{FormState, Screen};
use super::super::super::{Form, moment, problem};
use super::super::Office;
use super::super::props::Choice;
use super::props::{ActProps, AdminActProps};
use super::{Dossier, Opened, done, fresh, instead, meanwhile, open, status};
use crate::app::acts::Conditions;
use crate::app::dossiers::StaffAct;
use crate::app::{Error, Refusal};
use crate::domain::application::Section;
use crate::domain::input::Input;
use crate::domain::status::Act;

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let Some(act) = asked(&office.visit.query("act").unwrap_or_default()) else {
        return problem::page(office.visit, problem::NO_OFFICE_PAGE).await;
    };
    answer(office, act, fresh(office), None, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let Some(act) = asked(form.get("_action")) else {
        return problem::page(visit, problem::BAD_REQUEST).await;
    };
    let conditions = Conditions { expected: form.get("revision").parse().ok(), key: Conditions::key(form.get("key")) };
    let result = async {
        let act = StaffAct::parse(act, &input(act, form))?;
        app.act_for_office(who, id, act, conditions).await
    };
    match result.await {
        Ok(_) => done(office, "", form.get("view"), act.as_str()),
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => {
            let overtaken = matches!(error, Error::Refused(Refusal::ApplicationChanged) | Error::NotAllowed(_));
            answer(office, act, form.refused(&error), overtaken.then_some(form), status(&error)).await
        }
    }
}

fn asked(name: &str) -> Option<Act> {
    Act::parse(name).filter(|act| StaffAct::ALL.contains(act))
}

/// What the act's form has, as a call would send it.
fn input(act: Act, form: &Form) -> Input {
    let mut entries = match act {
        Act::RequestChanges => form.input(&["message", "dueOn"]),
        Act::Withdraw => form.input(&["reason"]),
        Act::Defer => form.input(&["intake"]),
        _ => Vec::new(),
    };
    if act == Act::RequestChanges {
        let chosen = form.fields().iter().filter(|(name, _)| name == "sections");
        let sections = chosen.map(|(_, section)| Input::Text(section.clone())).collect();
        entries.push(("sections".into(), Input::List(sections)));
    }
    if act == Act::Resume {
        entries.push(("rechecked".into(), Input::Bool(form.get("rechecked") == "yes")));
    }
    Input::Map(entries)
}

async fn answer(
    office: Office<'_>,
    act: Act,
    form: FormState,
    overtaken: Option<&Form>,
    status: StatusCode,
) -> Response {
    let Opened { dossier, mut frame, .. } = match open(office, "/act").await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let asked = async {
        if let Some(form) = overtaken {
            frame.meanwhile = meanwhile(office, &dossier, form.get("revision").parse().ok()).await?;
        }
        told(office, act, &dossier).await
    };
    let asked = match asked.await {
        Ok(asked) => asked,
        Err(error) => return instead(office, &error).await,
    };
    let title = format!("{}: {}", asked.title, frame.name);
    let possible = dossier.acts.contains(&act);
    let props =
        AdminActProps { act: asked, possible, idempotency_key: office.visit.state.app.random.id(), frame, form };
    office.page(Screen::AdminAct(Box::new(props)), &title, status).await
}

async fn told(office: Office<'_>, act: Act, dossier: &Dossier) -> Result<ActProps, Error> {
    let app = &office.visit.state.app;
    let (title, button, text) = words(act);
    let mut props = ActProps {
        name: act.as_str(),
        title,
        button,
        text,
        request: None,
        sections: None,
        reason: act == Act::Withdraw,
        intakes: None,
        rechecked: act == Act::Resume,
    };
    match act {
        Act::RequestChanges => {
            let choice =
                |section: Section| Choice { value: section.slug().to_owned(), label: section.title().to_string() };
            props.sections = Some(Section::ALL.into_iter().map(choice).collect());
        }
        Act::DropChanges => {
            props.request = app.change_request(&dossier.application).await?.map(|request| {
                let sections: Vec<String> = request.sections.iter().map(|one| one.title().to_string()).collect();
                let sent = moment::full(request.created_at, office.zone());
                format!("Asked {sent}, for {}: {}", sections.join(", "), request.message)
            });
        }
        Act::Defer => {
            let intakes = app.deferral_choices(office.who, dossier).await?;
            let choice = |intake: crate::domain::intake::Intake| Choice {
                value: intake.code(),
                label: intake.name().to_string(),
            };
            props.intakes = Some(intakes.into_iter().map(choice).collect());
        }
        _ => {}
    }
    Ok(props)
}

/// Title, button, and what it does.
pub(super) fn words(act: Act) -> (&'static str, &'static str, &'static str) {
    match act {
        Act::RequestChanges => (
            "Ask for changes",
            "Ask for these changes",
            "The applicant gets a mail with your text and can change the sections that you choose. What was submitted \
             stands until they submit it again.",
        ),
        Act::DropChanges => (
            "Take the request for changes back",
            "Take it back",
            "What was submitted stands again, without what was changed since. The applicant gets a mail.",
        ),
        Act::Withdraw => (
            "Withdraw for the applicant",
            "Withdraw it",
            "This ends the application: a booked interview is cancelled, and an offer is no longer open. The applicant \
             gets a mail. It can be undone.",
        ),
        Act::UndoWithdraw => (
            "Undo the withdrawal",
            "Bring it back",
            "The application comes back to where it was. If its interview’s time was given away meanwhile, another one \
             has to be booked. The applicant gets a mail.",
        ),
        Act::Defer => (
            "Defer to a later intake",
            "Defer it",
            "The place is kept for the later intake, and the applicant is reminded 60 and 30 days before. They get a mail.",
        ),
        Act::Resume => (
            "Go on after the deferral",
            "Go on with it",
            "The application goes on where it was. The applicant gets a mail.",
        ),
        _ => ("", "", ""),
    }
}
