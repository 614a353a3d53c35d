//! The passkeys of a member of staff.

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use super::second_factor::tell_codes;
use crate::page::{FormState, Screen};
use crate::passkeys::{answer_of, passkey_info};
use crate::props::office::account::AdminPasskeysProps;
use crate::{Form, problem, respond};
use app::{Error, Refusal};

const PATH: &str = "/admin-panel/account/passkeys";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("added") => Some("Your passkey is added.".into()),
        Some("removed") => Some("The passkey is removed. You can delete it on your device, too.".into()),
        _ => None,
    };
    respond(office, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let (result, done) = match form.get("_action").split_once(':').unwrap_or((form.get("_action"), "")) {
        ("add", _) => (app.add_staff_passkey(who, &answer_of(form).unwrap_or_default(), &visit.client).await, "added"),
        ("remove", id) => (app.remove_staff_passkey(who, id).await.map(|()| None), "removed"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(Some(codes)) => tell_codes(office, codes).await,
        Ok(None) => respond::see_other(&format!("{PATH}?done={done}")),
        // Removed meanwhile: the page shows the present state.
        Err(Error::Refused(Refusal::PasskeyNotFound)) => respond::see_other(PATH),
        Err(error) => {
            let mut state = form.refused(&error);
            state.values.clear();
            respond(office, state, problem::status(&error)).await
        }
    }
}

async fn respond(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let found = async { Ok::<_, Error>((app.staff_passkeys(who).await?, app.begin_staff_passkey(who).await?)) };
    let (passkeys, new) = match found.await {
        Ok(found) => found,
        Err(error) => return office.unavailable(&error).await,
    };
    let props = AdminPasskeysProps {
        passkeys: passkeys.iter().map(|passkey| passkey_info(passkey, office.zone())).collect(),
        new: new.map(Into::into),
        second_factor: who.staff.has_second_factor(),
        required: who.second_factor_required,
        form,
    };
    office.page(Screen::AdminPasskeys(Box::new(props)), "Passkeys", status).await
}
