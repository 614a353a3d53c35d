//! The account of the member of staff: name, password, second factor, sessions.

use axum::http::StatusCode;
use axum::response::Response;

use super::{LOGIN, Office};
use crate::account::session_info;
use crate::page::{FormState, Screen};
use crate::props::office::account::{AdminAccountForms, AdminAccountProps};
use crate::{Form, problem, respond};
use app::Error;
use domain::input::{FieldError, Input};

const PATH: &str = "/admin-panel/account";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let done = |message: &'static str| Some(FormState { message: Some(message.into()), ..FormState::default() });
    let mut forms = AdminAccountForms::default();
    match office.visit.query("done").as_deref() {
        Some("name") => forms.name = done("Your name is saved."),
        Some("password") => forms.password = done("Your password has been changed. Your other sessions have ended."),
        Some("second-factor-off") => forms.second_factor = done("Your authenticator app is turned off."),
        Some("sessions") => forms.sessions = done("The session has ended."),
        _ => {}
    }
    respond(office, forms, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let action = form.get("_action");
    let (result, done) = match action {
        "name" => (app.rename_staff(who, &Input::Map(form.input(&["name"]))).await, "name"),
        "password" => (change_password(office, form).await, "password"),
        "end-other-sessions" => (app.end_other_staff_sessions(who).await.map(drop), "sessions"),
        _ => match action.strip_prefix("end-session:") {
            Some(id) => (app.end_staff_session(who, id).await, "sessions"),
            None => return problem::page(visit, problem::BAD_REQUEST).await,
        },
    };
    let Err(error) = result else { return respond::see_other(&format!("{PATH}?done={done}")) };
    let state = Some(form.refused(&error));
    let mut forms = AdminAccountForms::default();
    match done {
        "name" => forms.name = state,
        "password" => forms.password = state,
        _ => forms.sessions = state,
    }
    respond(office, forms, problem::status(&error)).await
}

pub async fn leave(office: Office<'_>, form: &Form) -> Response {
    let visit = office.visit;
    let result = if form.get("confirm") == "yes" {
        visit.state.app.leave_office(office.who).await
    } else {
        let sentence = "Tick the box to say that you want to leave.";
        Err(FieldError::new("confirm", "confirm.required", sentence).into())
    };
    match result {
        Ok(()) => respond::see_other_with(LOGIN, [wire::clear_staff_cookie(visit.state.cookies)]),
        Err(error) => {
            let forms = AdminAccountForms { leave: Some(form.refused(&error)), ..AdminAccountForms::default() };
            respond(office, forms, problem::status(&error)).await
        }
    }
}

/// Returns the page after the second factor could not be changed.
pub(super) async fn second_factor_refused(office: Office<'_>, form: &Form, error: &Error) -> Response {
    let forms = AdminAccountForms { second_factor: Some(form.refused(error)), ..AdminAccountForms::default() };
    respond(office, forms, problem::status(error)).await
}

async fn change_password(office: Office<'_>, form: &Form) -> Result<(), Error> {
    if form.get("password") != form.get("passwordRepeat") {
        return Err(FieldError::new("passwordRepeat", "passwordRepeat.mismatch", "Passwords do not match").into());
    }
    let input = Input::Map(form.input(&["currentPassword", "password"]));
    office.visit.state.app.change_staff_password(office.who, &input, &office.visit.client).await
}

async fn respond(office: Office<'_>, forms: AdminAccountForms, status: StatusCode) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let found = async {
        Ok::<_, Error>((app.list_staff_sessions(who).await?, app.staff_recovery_codes_left(&who.staff).await?))
    };
    let (sessions, recovery_codes_left) = match found.await {
        Ok(found) => found,
        Err(error) => return office.unavailable(&error).await,
    };
    let staff = &who.staff;
    let props = AdminAccountProps {
        name: staff.name.clone(),
        email: staff.email.clone(),
        role: staff.role.title(),
        purpose: staff.role.purpose(),
        has_password: staff.has_password(),
        sign_on: who.provider.as_ref().map(|provider| provider.name.clone()),
        authenticator_app: staff.code_seed.is_some(),
        passkeys: app.has_passkeys().then_some(staff.passkeys),
        second_factor_required: who.second_factor_required,
        recovery_codes_left,
        sessions: sessions.into_iter().map(|session| session_info(session, &who.session.id, office.zone())).collect(),
        forms,
    };
    office.page(Screen::AdminAccount(Box::new(props)), "Your account", status).await
}
