//! The task list of an application, and what can be done with a submitted one.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{FormState, Screen};
use super::props::application::{ApplicationCopy, ApplicationProps, SentApplication, Suggested};
use super::props::auth::AuthMode;
use super::props::fee::FeeLink;
use super::{Form, Visit, apply, catalogue, fee, moment, problem, respond};
use app::accounts::sessions::SignedIn;
use app::applications::acts::Preconditions;
use app::applications::saving::Expected;
use app::applications::submission::Withdrawal;
use app::{Error, Refusal};
use domain::application::{Application, ChangeRequest, Elsewhere, Section, SectionStates, missing};
use domain::input::Input;
use domain::program::Program;
use domain::questionnaire::QuestionSet;
use domain::status::{Act, ActorKind, Facts, Stage, decide};
use domain::text;

/// Returns the path of a program's application.
pub fn path(program: Program) -> String {
    format!("/{}/application", program.path())
}

pub async fn show(visit: &Visit, program: Program) -> Response {
    // A submitted application cannot be moved to the other program: there is nothing to ask.
    if let Some(sent) = &visit.visitor.application
        && sent.program != program
        && sent.stage != Stage::Draft
    {
        return respond::redirect(visit, &path(sent.program));
    }
    let asked = match asked(visit, program).await {
        Ok(asked) => asked,
        Err(unavailable) => return unavailable,
    };
    let mut props = props(visit, program, visit.visitor.application.as_ref(), &asked);
    if let Some(application) = &visit.visitor.application {
        props.missing = missing(&application.answers.asked_by(&asked.questions), &asked.questions, &asked.elsewhere)
            .into_iter()
            .map(Into::into)
            .collect();
    }
    respond(visit, props, StatusCode::OK).await
}

/// "Start your application" on the apply page.
pub async fn start(visit: &Visit, program: Program) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other(&format!("/{}/apply?dialog=register", program.path()));
    };
    match visit.state.app.start_application(who, program).await {
        // It is for the other program: its page asks whether to move it here.
        Ok(_) | Err(Error::Refused(Refusal::OtherProgram)) => respond::see_other(&path(program)),
        Err(error) => {
            super::form::log(&error);
            problem::page(visit, problem::UNAVAILABLE).await
        }
    }
}

/// Acts on the application as a whole.
pub async fn submit(visit: &Visit, program: Program, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return session_ended(visit, program, None, form).await };
    let app = &visit.state.app;
    let known = visit.visitor.application.clone();
    let conditions =
        Preconditions { expected: form.get("revision").parse().ok(), key: Preconditions::key(form.get("key")) };
    let (done, to) = match form.get("_action") {
        "unsubmit" => (app.unsubmit_application(who, known, conditions).await, path(program)),
        "withdraw" => (withdraw(visit, who, form, conditions).await, "/dashboard".into()),
        "switch-program" => {
            let body = vec![
                ("applicationType".into(), Input::Text(program.application_type().into())),
                ("switchProgram".into(), Input::Bool(true)),
            ];
            (app.save_known(who, known, &Input::Map(body), Expected::Nothing).await, path(program))
        }
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match done {
        Ok(_) => respond::see_other(&to),
        Err(Error::Refused(Refusal::NoApplication)) => respond::see_other("/dashboard"),
        Err(error) => come_back(visit, program, None, form.refused(&error), problem::status(&error)).await,
    }
}

async fn withdraw(visit: &Visit, who: &SignedIn, form: &Form, conditions: Preconditions) -> Result<Application, Error> {
    let withdrawal = Withdrawal::parse(&Input::Map(form.input(&["reason"])))?;
    visit.state.app.withdraw_application(who, visit.visitor.application.clone(), withdrawal, conditions).await
}

/// Returns a form of a user who is no longer signed in, with what was typed.
pub async fn session_ended(visit: &Visit, program: Program, section: Option<Section>, form: &Form) -> Response {
    let mut state = form.state();
    state.error = Some(text!(
        "Your session has ended. Nothing you typed is lost: log in in another tab, then come back to this page and \
         save again."
    ));
    come_back(visit, program, section, state, StatusCode::UNAUTHORIZED).await
}

/// Returns the page with what was typed.
pub async fn come_back(
    visit: &Visit,
    program: Program,
    section: Option<Section>,
    state: FormState,
    status: StatusCode,
) -> Response {
    let asked = match asked(visit, program).await {
        Ok(asked) => asked,
        Err(unavailable) => return unavailable,
    };
    let mut props = props(visit, program, visit.visitor.application.as_ref(), &asked);
    match &mut props.sent {
        Some(sent) => sent.form = state,
        None => {
            if props.application.is_none() {
                // No longer signed in: the answers on the page are the only copy there is.
                props.application = Some(ApplicationCopy::unknown(&state));
            }
            props.section = section;
            props.dialog = None;
            props.form = Some(state);
        }
    }
    respond(visit, props, status).await
}

/// What an application page needs besides the application.
pub struct FormContext {
    /// The questions of the program, as this visitor's application answers them.
    pub questions: Arc<QuestionSet>,
    /// What is still to be done on other pages.
    pub elsewhere: Elsewhere,
    /// What staff ask them to change.
    pub changes: Option<ChangeRequest>,
    /// Where to go while the application, if submitted, waits for its fee.
    pub fee: Option<FeeLink>,
}

/// Loads what this visitor is asked; or returns the page saying that it could not be looked up.
pub async fn asked(visit: &Visit, program: Program) -> Result<FormContext, Response> {
    let app = &visit.state.app;
    let own = visit.visitor.application.as_ref().filter(|application| application.program == program);
    let asked = async {
        Ok::<_, Error>(match own {
            Some(application) => {
                let questions = app.questions_of(application).await?;
                let elsewhere = app.elsewhere(application, &questions).await?;
                let changes = app.change_request(application).await?;
                let fee = match application.stage {
                    Stage::Submitted => app.fee_of(application).await?,
                    _ => None,
                };
                let fee = fee.as_ref().and_then(|view| fee::link(application, view));
                FormContext { questions, elsewhere, changes, fee }
            }
            None => {
                let questions = app.question_sets().await?.of(program).clone();
                FormContext { questions, elsewhere: Elsewhere::default(), changes: None, fee: None }
            }
        })
    };
    match asked.await {
        Ok(asked) => Ok(asked),
        Err(error) => {
            super::form::log(&error);
            Err(problem::page(visit, problem::UNAVAILABLE).await)
        }
    }
}

/// Returns the props of the task list; those of a section's page differ little.
pub fn props(
    visit: &Visit,
    program: Program,
    application: Option<&Application>,
    asked: &FormContext,
) -> ApplicationProps {
    let zone = visit.visitor.time_zone(&visit.state.app);
    let other = application.filter(|application| application.program != program);
    let wanted = visit.parts.uri.path_and_query().map(|wanted| wanted.as_str());
    let dialog = apply::dialog(AuthMode::Login, wanted, program, FormState::default());
    ApplicationProps {
        info: catalogue::name(program),
        section: None,
        from_check: visit.query("from").as_deref() == Some("check"),
        application: application.map(|application| {
            let answers = application.answers.asked_by(&asked.questions);
            ApplicationCopy {
                id: application.id.clone(),
                revision: application.revision,
                status: application.status(),
                stage: application.stage.as_str(),
                data: answers.data(),
                sections: SectionStates::of(&answers),
                saved_text: (application.revision > 1)
                    .then(|| moment::saved(application.updated_at, visit.now(), zone)),
                suggested: visit
                    .visitor
                    .signed_in
                    .as_ref()
                    .map(|who| Suggested::of(&answers, &who.applicant.profile))
                    .unwrap_or_default(),
            }
        }),
        missing: Vec::new(),
        referees_lacking: asked.questions.references.as_ref().map(|_| asked.elsewhere.referees),
        changes: asked.changes.as_ref().map(Into::into),
        sent: application
            .filter(|application| !application.stage.is_editable())
            .map(|application| sent(visit, application, asked.fee.clone())),
        questionnaire: asked.questions.in_language(visit.language()),
        form: None,
        conflict: None,
        other_program: other.map(|application| catalogue::name(application.program)),
        dialog: visit.visitor.signed_in.is_none().then_some(dialog),
    }
}

/// Returns what is said about a submitted application, and what the applicant can do with it.
fn sent(visit: &Visit, application: &Application, fee: Option<FeeLink>) -> SentApplication {
    let may = |act: Act| {
        let facts = Facts { reason_given: true, ..Facts::default() };
        decide(application.stage, act, ActorKind::Applicant, &facts).is_ok()
    };
    let zone = visit.visitor.time_zone(&visit.state.app);
    SentApplication {
        reference: application.reference.clone(),
        submitted_text: application.submitted_at.map(|at| moment::full(at, zone)),
        can_unsubmit: may(Act::Unsubmit),
        can_withdraw: may(Act::Withdraw),
        fee,
        idempotency_key: visit.state.app.random.id(),
        form: FormState::default(),
    }
}

pub async fn respond(visit: &Visit, props: ApplicationProps, status: StatusCode) -> Response {
    let title = match props.section {
        Some(section) => {
            text!("{title} – Application – {degree}", title = section.title(), degree = &props.info.degree)
        }
        None => text!("Application – {degree}", degree = &props.info.degree),
    };
    let head = visit.private_head(title);
    respond::page(visit, visit.page(Screen::Application(Box::new(props)), status, head)).await
}
