//! The authenticator app of an applicant: setting it up, recovery codes, turning it off, and the second step of a
//! login. What these pages share with those of staff is here, too.

use axum::http::StatusCode;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use qrcode::{Color, EcLevel, QrCode};

use super::page::{FormState, Screen};
use super::passkeys::answer_of;
use super::props::auth::AuthMode;
use super::props::second_factor::{
    LoginCodeProps, QrPicture, RecoveryCodesProps, SecondFactorProps, SecondFactorSetup,
};
use super::{Form, Visit, apply, auth, problem, respond};
use app::accounts::second_factor::Setup;
use app::accounts::sessions::SignedIn;
use app::{App, Error, Refusal};
use domain::input::Input;
use domain::language::Language;
use domain::redirect;
use domain::text;

const PATH: &str = "/dashboard/account/second-factor";
const ACCOUNT: &str = "/dashboard/account";
const LOGIN_CODE: &str = "/login/code";

pub async fn show(visit: &Visit) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return problem::page(visit, problem::NOT_FOUND).await };
    respond(visit, who, None, FormState::default(), StatusCode::OK).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Faccount%2Fsecond-factor");
    };
    let app = &visit.state.app;
    let both = || Input::Map(form.input(&["currentPassword", "code"]));
    let passkey = answer_of(form);
    let codes = match form.get("_action") {
        "on" => {
            let input = Input::Map(form.input(&["seed", "code", "currentPassword"]));
            app.set_second_factor(who, &input, &visit.client).await
        }
        "codes" => app.renew_recovery_codes(who, &both(), passkey.as_ref(), &visit.client).await,
        "off" => match app.drop_second_factor(who, &both(), passkey.as_ref(), &visit.client).await {
            Ok(()) => return respond::see_other(&format!("{ACCOUNT}?done=second-factor-off")),
            Err(error) => Err(error),
        },
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match codes {
        Ok(codes) => tell_codes(visit, who, codes).await,
        // Turned on or off meanwhile: the page shows the present state.
        Err(Error::Refused(Refusal::SecondFactorThere | Refusal::NoSecondFactor)) => respond::see_other(PATH),
        Err(error) => {
            let mut state = form.refused(&error);
            state.values.clear();
            respond(visit, who, Some(form.get("seed")), state, problem::status(&error)).await
        }
    }
}

/// Returns the page with new recovery codes.
pub async fn tell_codes(visit: &Visit, who: &SignedIn, codes: Vec<String>) -> Response {
    let props = codes_props(&visit.state.app, &who.applicant.email, codes, visit.language(), ACCOUNT);
    let head = visit.private_head(text!("Your recovery codes"));
    respond::page(visit, visit.page(Screen::RecoveryCodes(props), StatusCode::OK, head)).await
}

async fn respond(visit: &Visit, who: &SignedIn, seed: Option<&str>, form: FormState, status: StatusCode) -> Response {
    let app = &visit.state.app;
    let found = async {
        let is_on = who.applicant.code_seed.is_some();
        let setup = if is_on { None } else { Some(setup_props(app.second_factor_setup(who, seed))?) };
        let passkey = if is_on { app.ask_own_passkey(who).await? } else { None };
        Ok::<_, Error>((setup, app.recovery_codes_left(who).await?, passkey))
    };
    let (setup, recovery_codes_left, passkey) = match found.await {
        Ok(found) => found,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let title = if setup.is_some() { text!("Set up an authenticator app") } else { text!("Your authenticator app") };
    let passkey = passkey.map(Into::into);
    let props = SecondFactorProps { email: who.applicant.email.clone(), setup, recovery_codes_left, passkey, form };
    let head = visit.private_head(title);
    respond::page(visit, visit.page(Screen::SecondFactor(Box::new(props)), status, head)).await
}

/// Asks for the second step of a login. Users with no login under way are led to the first step.
pub async fn ask_code(visit: &Visit) -> Response {
    let redirect = visit.query("redirect").unwrap_or_default();
    code_page(visit, &redirect, FormState::default(), StatusCode::OK).await
}

pub async fn give_code(visit: &Visit, form: &Form) -> Response {
    let cookie = wire::login_cookie(visit.state.cookies, &visit.parts.headers).unwrap_or_default();
    let input = Input::Map(form.input(&["code"]));
    let wanted = form.get("redirect");
    match visit.state.app.finish_login(cookie, &input, answer_of(form).as_ref()).await {
        Ok(entered) => {
            let forget = wire::clear_login_cookie(visit.state.cookies);
            respond::with_cookies(auth::enter(visit, visit.program, wanted, &entered), [forget])
        }
        Err(Error::Refused(Refusal::LoginRequired)) => {
            let sentence = text!("Too much time has passed since the first step. Log in again.");
            let state = FormState { error: Some(sentence), ..FormState::default() };
            let redirect = redirect::target(wanted, visit.program);
            let dialog = apply::dialog(AuthMode::Login, redirect.as_deref(), visit.program, state);
            let page = apply::page(visit, visit.program, Some(dialog), StatusCode::UNAUTHORIZED).await;
            let forget = wire::clear_login_cookie(visit.state.cookies);
            respond::with_cookies(respond::page(visit, page).await, [forget])
        }
        Err(error) => {
            let mut state = form.refused(&error);
            state.values.clear();
            code_page(visit, wanted, state, problem::status(&error)).await
        }
    }
}

/// Returns where the second step of a login is.
pub fn code_href(redirect: &str) -> String {
    let redirect: String = url::form_urlencoded::byte_serialize(redirect.as_bytes()).collect();
    format!("{LOGIN_CODE}?redirect={redirect}")
}

pub fn login_href(visit: &Visit, redirect: &str) -> String {
    let apply = format!("/{}/apply?dialog=login", visit.program.path());
    match redirect::target(redirect, visit.program) {
        Some(wanted) => {
            let wanted: String = url::form_urlencoded::byte_serialize(wanted.as_bytes()).collect();
            format!("{apply}&redirect={wanted}")
        }
        None => apply,
    }
}

async fn code_page(visit: &Visit, redirect: &str, form: FormState, status: StatusCode) -> Response {
    let awaited = match wire::login_cookie(visit.state.cookies, &visit.parts.headers) {
        Some(cookie) => visit.state.app.awaited_second_factor(cookie).await,
        None => Ok(None),
    };
    let (applicant, passkey) = match awaited {
        Ok(Some(awaited)) => awaited,
        Ok(None) => return respond::redirect(visit, &login_href(visit, redirect)),
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let props = LoginCodeProps {
        authenticator_app: applicant.code_seed.is_some(),
        passkey: passkey.map(Into::into),
        redirect: redirect::target(redirect, visit.program).unwrap_or_default(),
        restart_href: login_href(visit, redirect),
        contact_email: visit.state.app.settings.contact_email.clone(),
        form,
    };
    let head = visit.private_head(text!("One more step"));
    respond::page(visit, visit.page(Screen::LoginCode(Box::new(props)), status, head)).await
}

/// Returns what an app needs to be set up.
pub fn setup_props(setup: Setup) -> Result<SecondFactorSetup, Error> {
    let picture = picture(&setup.uri)?;
    let four: Vec<&str> =
        setup.secret.as_bytes().chunks(4).map(|four| std::str::from_utf8(four).unwrap_or_default()).collect();
    Ok(SecondFactorSetup { secret: four.join(" "), seed: setup.seed, uri: setup.uri, picture })
}

/// Returns the codes, once: nobody caches the response, and loading it again does not show others.
pub fn codes_props(
    app: &App,
    email: &str,
    codes: Vec<String>,
    language: Language,
    next_href: &'static str,
) -> RecoveryCodesProps {
    let institute = &app.settings.institute;
    let head = text!("Recovery codes for {email} at {institute}. Each works once.", email, institute);
    let text = format!("{}\r\n\r\n{}\r\n", head.in_language(language), codes.join("\r\n"));
    let download_href = format!("data:text/plain;charset=utf-8;base64,{}", STANDARD.encode(text));
    RecoveryCodesProps { codes, download_href, next_href }
}

/// Returns the squares of the QR code, row by row.
fn picture(uri: &str) -> Result<QrPicture, Error> {
    let code = QrCode::with_error_correction_level(uri, EcLevel::M)
        .map_err(|error| Error::Internal(app::StoreError::Broken(error.into())))?;
    let width = code.width();
    let mut path = String::new();
    for (y, row) in code.to_colors().chunks(width).enumerate() {
        let mut x = 0;
        while x < width {
            let run = row[x..].iter().take_while(|color| **color == Color::Dark).count();
            if run > 0 {
                path.push_str(&format!("M{x} {y}h{run}v1h-{run}z"));
            }
            x += run.max(1);
        }
    }
    Ok(QrPicture { size: width, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_has_its_three_corners() {
        let picture = picture("otpauth://totp/Institute:owner@example.org?secret=ABC&issuer=Institute").unwrap();
        let last = picture.size - 7;
        for corner in ["M0 0h7v1h-7z".to_owned(), format!("M{last} 0h7v1h-7z"), format!("M0 {last}h7v1h-7z")] {
            assert!(picture.path.contains(&corner), "{corner}: {}", picture.path);
        }
    }
}
