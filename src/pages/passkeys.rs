//! Passkeys of an applicant: the account's page, and logging in with one. What these pages share with those of staff is
//! here, too.

use axum::http::StatusCode;
use axum::response::Response;

use super::account::device;
use super::page::{FormState, Screen};
use super::props::second_factor::{LoginPasskeyProps, PasskeyConfirm, PasskeyInfo, PasskeysProps};
use super::second_factor::{login_href, tell_codes};
use super::{Form, Visit, auth, moment, problem, respond};
use app::accounts::passkeys::PasskeyAnswer;
use app::accounts::sessions::SignedIn;
use app::{Error, Refusal};
use domain::input::Input;
use domain::passkey::Passkey;
use domain::redirect;
use domain::session::Audience;
use domain::text;

const PATH: &str = "/dashboard/account/passkeys";

/// What has to be confirmed with password and second factor.
#[derive(Clone, Copy)]
enum Confirmed<'a> {
    Removal(&'a str),
    RecoveryCodes,
}

pub async fn show(visit: &Visit) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return problem::page(visit, problem::NOT_FOUND).await };
    let message = match visit.query("done").as_deref() {
        Some("added") => Some(text!("Your passkey is added.")),
        Some("removed") => Some(text!("The passkey is removed. You can delete it on your device, too.")),
        _ => None,
    };
    let form = FormState { message, ..FormState::default() };
    let removed = visit.query("remove");
    let confirmed = match &removed {
        Some(id) => Some(Confirmed::Removal(id)),
        None => visit.query("codes").map(|_| Confirmed::RecoveryCodes),
    };
    respond(visit, who, confirmed, form, StatusCode::OK).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Faccount%2Fpasskeys");
    };
    let app = &visit.state.app;
    let given = answer_of(form);
    let both = || Input::Map(form.input(&["currentPassword", "code"]));
    let id = form.get("id");
    let (result, confirmed) = match form.get("_action") {
        "add" => {
            let input = Input::Map(form.input(&["currentPassword"]));
            (app.add_passkey(who, &input, &given.unwrap_or_default(), &visit.client).await, None)
        }
        "remove" => {
            let result = app.remove_passkey(who, id, &both(), given.as_ref(), &visit.client).await;
            (result.map(|()| None), Some(Confirmed::Removal(id)))
        }
        "codes" => {
            let result = app.renew_recovery_codes(who, &both(), given.as_ref(), &visit.client).await;
            (result.map(Some), Some(Confirmed::RecoveryCodes))
        }
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(Some(codes)) => tell_codes(visit, who, codes).await,
        Ok(None) => {
            let done = if confirmed.is_some() { "removed" } else { "added" };
            respond::see_other(&format!("{PATH}?done={done}"))
        }
        // Removed meanwhile: the page shows the present state.
        Err(Error::Refused(Refusal::PasskeyNotFound | Refusal::NoSecondFactor)) => respond::see_other(PATH),
        Err(error) => {
            let mut state = form.refused(&error);
            state.values.clear();
            respond(visit, who, confirmed, state, problem::status(&error)).await
        }
    }
}

async fn respond(
    visit: &Visit,
    who: &SignedIn,
    confirmed: Option<Confirmed<'_>>,
    form: FormState,
    status: StatusCode,
) -> Response {
    let app = &visit.state.app;
    let found = async {
        let passkeys = app.passkeys_of(who).await?;
        let new = if confirmed.is_none() { app.begin_passkey(who).await? } else { None };
        let asked = if confirmed.is_some() { app.ask_own_passkey(who).await? } else { None };
        Ok::<_, Error>((passkeys, new, asked, app.recovery_codes_left(who).await?))
    };
    let (passkeys, new, asked, recovery_codes_left) = match found.await {
        Ok(found) => found,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let zone = visit.visitor.time_zone(app);
    let second_factor = who.applicant.has_second_factor();
    let confirm = match confirmed {
        Some(Confirmed::Removal(id)) => match passkeys.iter().find(|passkey| passkey.id == id) {
            Some(passkey) => Some(Some(passkey_info(passkey, zone))),
            None => return respond::redirect(visit, PATH),
        },
        Some(Confirmed::RecoveryCodes) if second_factor => Some(None),
        Some(Confirmed::RecoveryCodes) => return respond::redirect(visit, PATH),
        None => None,
    };
    let authenticator_app = who.applicant.code_seed.is_some();
    let title = match &confirm {
        Some(Some(_)) => text!("Remove this passkey?"),
        Some(None) => text!("New recovery codes"),
        None => text!("Passkeys"),
    };
    let props = PasskeysProps {
        email: who.applicant.email.clone(),
        passkeys: passkeys.iter().map(|passkey| passkey_info(passkey, zone)).collect(),
        new: new.map(Into::into),
        second_factor,
        recovery_codes_left,
        confirm: confirm.map(|removed| PasskeyConfirm { removed, authenticator_app, passkey: asked.map(Into::into) }),
        form,
    };
    let head = visit.private_head(title);
    respond::page(visit, visit.page(Screen::Passkeys(Box::new(props)), status, head)).await
}

/// Logs in with a passkey alone. Where browsers have none, asks for the password.
pub async fn ask_login(visit: &Visit) -> Response {
    login_page(visit, &visit.query("redirect").unwrap_or_default(), FormState::default(), StatusCode::OK).await
}

pub async fn log_in(visit: &Visit, form: &Form) -> Response {
    let wanted = form.get("redirect");
    let given = answer_of(form).unwrap_or_default();
    match visit.state.app.log_in_with_passkey(&given, &visit.client).await {
        Ok(entered) => auth::enter(visit, visit.program, wanted, &entered),
        Err(error) => {
            let mut state = form.refused(&error);
            state.values.clear();
            login_page(visit, wanted, state, problem::status(&error)).await
        }
    }
}

async fn login_page(visit: &Visit, wanted: &str, form: FormState, status: StatusCode) -> Response {
    let login_href = login_href(visit, wanted);
    let Some(passkey) = visit.state.app.ask_any_passkey(Audience::Applicant) else {
        return respond::redirect(visit, &login_href);
    };
    let redirect = redirect::target(wanted, visit.program).unwrap_or_default();
    let props = LoginPasskeyProps { redirect, login_href, passkey: passkey.into(), form };
    let head = visit.private_head(text!("Log in with a passkey"));
    respond::page(visit, visit.page(Screen::LoginPasskey(Box::new(props)), status, head)).await
}

/// Returns what the page's script has put into the form; `None` if it put nothing there.
pub fn answer_of(form: &Form) -> Option<PasskeyAnswer> {
    let (answer, state) = (form.get("passkey"), form.get("passkeyState"));
    (!answer.is_empty()).then(|| PasskeyAnswer { answer: answer.to_owned(), state: state.to_owned() })
}

pub fn passkey_info(passkey: &Passkey, zone: &str) -> PasskeyInfo {
    PasskeyInfo {
        id: passkey.id.clone(),
        device: device(&passkey.user_agent),
        added_text: moment::full(passkey.created_at, zone),
        last_used_text: passkey.last_used_at.map(|at| moment::full(at, zone)),
    }
}
