//! Setting up an authenticator app, and the recovery codes.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Office, account};
use crate::page::{FormState, Screen};
use crate::props::office::account::AdminSecondFactorProps;
use crate::second_factor::{codes_props, setup_props};
use crate::{Form, problem, respond};
use domain::input::Input;

const ACCOUNT: &str = "/admin-panel/account";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    if office.who.staff.code_seed.is_some() {
        return respond::redirect(office.visit, ACCOUNT);
    }
    set_up(office, None, FormState::default(), StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let input = Input::Map(form.input(&["seed", "code"]));
    match office.visit.state.app.set_staff_second_factor(office.who, &input).await {
        Ok(codes) => tell_codes(office, codes).await,
        Err(error) => {
            let mut state = form.refused(&error);
            state.values.clear();
            set_up(office, Some(form.get("seed")), state, problem::status(&error)).await
        }
    }
}

pub async fn remove(office: Office<'_>, form: &Form) -> Response {
    match office.visit.state.app.drop_staff_second_factor(office.who).await {
        Ok(()) => respond::see_other(&format!("{ACCOUNT}?done=second-factor-off")),
        Err(error) => account::second_factor_refused(office, form, &error).await,
    }
}

pub async fn renew_codes(office: Office<'_>, form: &Form) -> Response {
    match office.visit.state.app.renew_staff_recovery_codes(office.who).await {
        Ok(codes) => tell_codes(office, codes).await,
        Err(error) => account::second_factor_refused(office, form, &error).await,
    }
}

async fn set_up(office: Office<'_>, seed: Option<&str>, form: FormState, status: StatusCode) -> Response {
    let setup = match setup_props(office.visit.state.app.staff_second_factor_setup(&office.who.staff, seed)) {
        Ok(setup) => setup,
        Err(error) => return office.unavailable(&error).await,
    };
    let passkeys = office.visit.state.app.has_passkeys();
    let props = AdminSecondFactorProps { setup, required: office.who.second_factor_required, passkeys, form };
    office.page(Screen::AdminSecondFactor(Box::new(props)), "Set up a second factor", status).await
}

pub async fn tell_codes(office: Office<'_>, codes: Vec<String>) -> Response {
    let app = &office.visit.state.app;
    let props = codes_props(app, &office.who.staff.email, codes, office.visit.language(), ACCOUNT);
    office.page(Screen::AdminRecoveryCodes(props), "Your recovery codes", StatusCode::OK).await
}
