//! One act on an application: what it does, what it needs, and doing it.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Dossier, Opened, done, fresh, instead, meanwhile, open, status};
use crate::admin::Office;
use crate::page::{FormState, Screen};
use crate::props::office::Choice;
use crate::props::office::acts::{ActProps, AdminActProps, Wish};
use crate::{Form, moment, problem};
use app::applications::acts::Preconditions;
use app::decisions::drafting::StaffReason;
use app::decisions::enrolment::OfferCondition;
use app::office::dossiers::StaffAct;
use app::{Error, Refusal};
use domain::application::{ApplicationKey, Section};
use domain::input::Input;
use domain::intake::Intake;
use domain::permission::Permission;
use domain::status::Act;

/// The button that refuses a requested deferral. The status table has no act for it, as nothing changes.
const REFUSE: &str = "refuse_wish";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let Some(act) = asked(office, &office.visit.query("act").unwrap_or_default()) else {
        return problem::page(office.visit, problem::NO_OFFICE_PAGE).await;
    };
    respond(office, act, fresh(office), None, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    if form.get("_action") == REFUSE {
        return refuse_wish(office, form).await;
    }
    let Some(act) = asked(office, form.get("_action")) else {
        return problem::page(visit, problem::BAD_REQUEST).await;
    };
    let conditions =
        Preconditions { expected: form.get("revision").parse().ok(), key: Preconditions::key(form.get("key")) };
    let result = async {
        let act = StaffAct::parse(act, &input(act, form))?;
        app.act_for_office(who, id, act, conditions).await
    };
    match result.await {
        Ok(_) => done(office, "", form.get("view"), act.as_str()),
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => {
            let overtaken = matches!(error, Error::Refused(Refusal::ApplicationChanged) | Error::NotAllowed(_));
            respond(office, act, form.refused(&error), overtaken.then_some(form), status(&error)).await
        }
    }
}

/// Returns the act, if it belongs to the requested page.
fn asked(office: Office<'_>, name: &str) -> Option<Act> {
    Act::parse(name).filter(|act| StaffAct::ALL.contains(act) && office.visit.path.ends_with(segment(*act)))
}

/// Returns what follows an application's path where the act is done: each page has its own gate.
pub(super) fn segment(act: Act) -> &'static str {
    match act {
        Act::Enrol | Act::Unenrol => "/enrolment",
        _ => "/act",
    }
}

/// Refuses the deferral request that the user has seen.
async fn refuse_wish(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let result = async {
        let reason = StaffReason::parse(Some(&Input::Text(form.get("reason").to_owned())))?;
        let application = app.office_application(who, id, Permission::Review).await?;
        let wish = app.deferral_wish(&application).await?.ok_or(Refusal::NoDeferralWish)?;
        // Somebody else has answered it, or the applicant has made another request meanwhile.
        if wish.id != form.get("wish") {
            return Err(Refusal::ApplicationChanged.into());
        }
        app.refuse_deferral(&who.staff, ApplicationKey::Id(id), reason).await
    };
    match result.await {
        Ok(_) => done(office, "", form.get("view"), REFUSE),
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => respond(office, Act::Defer, form.refused(&error), None, status(&error)).await,
    }
}

/// Returns the fields of the act's form as a call would send them.
fn input(act: Act, form: &Form) -> Input {
    let mut entries = match act {
        Act::RequestChanges => form.input(&["message", "dueOn"]),
        Act::Withdraw | Act::Enrol | Act::Unenrol | Act::LeaveWaitlist => form.input(&["reason"]),
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

async fn respond(
    office: Office<'_>,
    act: Act,
    form: FormState,
    overtaken: Option<&Form>,
    status: StatusCode,
) -> Response {
    let Opened { dossier, mut frame, .. } = match open(office, segment(act)).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let asked = async {
        if let Some(form) = overtaken {
            frame.meanwhile = meanwhile(office, &dossier, form.get("revision").parse().ok()).await?;
        }
        act_props(office, act, &dossier).await
    };
    let asked = match asked.await {
        Ok(asked) => asked,
        Err(error) => return instead(office, &error).await,
    };
    let title = format!("{}: {}", asked.title, frame.name);
    let app = &office.visit.state.app;
    let obstacle = match app.obstacle(office.who, &dossier, act).await {
        Ok(obstacle) => obstacle.map(|sentence| sentence.to_string()),
        Err(error) => return instead(office, &error).await,
    };
    let props = AdminActProps { act: asked, obstacle, idempotency_key: app.random.id(), frame, form };
    office.page(Screen::AdminAct(Box::new(props)), &title, status).await
}

async fn act_props(office: Office<'_>, act: Act, dossier: &Dossier) -> Result<ActProps, Error> {
    let app = &office.visit.state.app;
    let (title, button, text) = words(act);
    let mut props = ActProps {
        name: act.as_str(),
        path: segment(act),
        title,
        button,
        text,
        request: None,
        sections: None,
        reason: match act {
            Act::Withdraw => Some("For the record: why, and how the applicant asked for it. At most 1,000 characters."),
            Act::Enrol | Act::Unenrol | Act::LeaveWaitlist => Some("For the record. At most 1,000 characters."),
            _ => None,
        },
        intakes: None,
        wish: None,
        rechecked: (act == Act::Resume).then_some("I have checked the conditions again"),
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
            let places = app.places_left().await?;
            let program = dossier.application.program;
            let choice = |intake: Intake| {
                let full = if places.has(program, intake) { "" } else { ", no place left" };
                Choice { value: intake.code(), label: format!("{}{full}", intake.name()) }
            };
            props.intakes = Some(intakes.into_iter().map(choice).collect());
            props.wish = app.deferral_wish(&dossier.application).await?.map(|wish| Wish {
                text: format!(
                    "The applicant wishes to start with the intake of {}, since {}.",
                    wish.intake.name(),
                    moment::full(wish.created_at, office.zone())
                ),
                id: wish.id,
                intake: wish.intake.code(),
                reason: wish.reason,
            });
        }
        Act::Enrol => {
            let conditions = app.offer_conditions(office.who, &dossier.application.id).await?;
            let line = |condition: &OfferCondition| {
                let state = condition.judged.as_ref().map_or("open", |judged| judged.verdict.state.label());
                format!("• {}: {state}", condition.text)
            };
            let lines: Vec<String> = conditions.iter().map(line).collect();
            props.request = (!lines.is_empty()).then(|| format!("Conditions of the offer:\n{}", lines.join("\n")));
        }
        _ => {}
    }
    Ok(props)
}

/// Returns the title, the button, and what the act does.
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
        Act::Enrol => (
            "Enrol by hand",
            "Enrol the applicant",
            "For when everything is there and the system has not done it by itself. The applicant gets a mail.",
        ),
        Act::Unenrol => (
            "Undo the enrolment",
            "Undo it",
            "The application goes back to the offer that was taken, and is not enrolled by itself any more. The applicant \
             gets a mail that there is an update.",
        ),
        Act::LeaveWaitlist => (
            "Take off the waitlist",
            "Take it off",
            "The application goes back to where it was before, and the acceptance stays a draft. The applicant gets a mail \
             that there is an update.",
        ),
        _ => ("", "", ""),
    }
}
