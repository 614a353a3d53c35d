//! Setting up the second factor, and its recovery codes.

use axum::http::StatusCode;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use qrcode::{Color, EcLevel, QrCode};

use super::super::page::{FormState, Screen};
use super::super::props::office::account::{AdminRecoveryCodesProps, AdminSecondFactorProps, QrPicture};
use super::super::{Form, problem, respond};
use super::{Office, account};
use crate::app::Error;
use crate::domain::input::Input;

const ACCOUNT: &str = "/admin-panel/account";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    if office.who.staff.code_seed.is_some() {
        return respond::redirect(office.visit, ACCOUNT);
    }
    set_up(office, None, FormState::default(), StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let input = Input::Map(form.input(&["seed", "code"]));
    match office.visit.state.app.set_second_factor(office.who, &input).await {
        Ok(codes) => tell_codes(office, codes).await,
        Err(error) => {
            let mut state = form.refused(&error);
            state.values.clear();
            set_up(office, Some(form.get("seed")), state, problem::status(&error)).await
        }
    }
}

pub async fn remove(office: Office<'_>, form: &Form) -> Response {
    match office.visit.state.app.drop_second_factor(office.who).await {
        Ok(()) => respond::see_other(&format!("{ACCOUNT}?done=second-factor-off")),
        Err(error) => account::second_factor_refused(office, form, &error).await,
    }
}

pub async fn renew_codes(office: Office<'_>, form: &Form) -> Response {
    match office.visit.state.app.renew_recovery_codes(office.who).await {
        Ok(codes) => tell_codes(office, codes).await,
        Err(error) => account::second_factor_refused(office, form, &error).await,
    }
}

async fn set_up(office: Office<'_>, seed: Option<&str>, form: FormState, status: StatusCode) -> Response {
    let setup = office.visit.state.app.second_factor_setup(&office.who.staff, seed);
    let picture = match picture(&setup.uri) {
        Ok(picture) => picture,
        Err(error) => return office.unavailable(&error).await,
    };
    let four: Vec<&str> =
        setup.secret.as_bytes().chunks(4).map(|four| std::str::from_utf8(four).unwrap_or_default()).collect();
    let props = AdminSecondFactorProps {
        secret: four.join(" "),
        seed: setup.seed,
        uri: setup.uri,
        picture,
        required: office.who.second_factor_required,
        form,
    };
    office.page(Screen::AdminSecondFactor(Box::new(props)), "Set up a second factor", status).await
}

/// Shows the codes, once: the answer is kept by nobody, and loading it again makes no others known.
async fn tell_codes(office: Office<'_>, codes: Vec<String>) -> Response {
    let settings = &office.visit.state.app.settings;
    let text = format!(
        "Recovery codes for {} at {}. Each works once.\r\n\r\n{}\r\n",
        office.who.staff.email,
        settings.institute,
        codes.join("\r\n")
    );
    let props = AdminRecoveryCodesProps {
        codes,
        download_href: format!("data:text/plain;charset=utf-8;base64,{}", STANDARD.encode(text)),
        next_href: ACCOUNT,
    };
    office.page(Screen::AdminRecoveryCodes(props), "Your recovery codes", StatusCode::OK).await
}

/// The squares of the picture, row by row.
fn picture(uri: &str) -> Result<QrPicture, Error> {
    let code = QrCode::with_error_correction_level(uri, EcLevel::M)
        .map_err(|error| Error::Internal(crate::app::ports::StoreError::Broken(error.into())))?;
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
