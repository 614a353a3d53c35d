//! The member's own API keys.

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use super::admins::role_choice;
use crate::page::{FormState, Screen};
use crate::props::office::account::{AdminApiKeysProps, ApiKeyRow, MadeKey};
use crate::{Form, moment, problem, respond};
use app::{Error, Refusal};
use domain::api_key::{ApiKey, LIFETIMES};
use domain::input::Input;
use domain::role::Role;

const PATH: &str = "/admin-panel/account/keys";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("revoked") => Some("The key is revoked. Calls with it are refused from now on.".into()),
        _ => None,
    };
    respond(office, None, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let result = match form.get("_action").split_once(':').unwrap_or((form.get("_action"), "")) {
        ("create", _) => match app.create_api_key(who, &new_key(form)).await {
            Ok(made) => {
                let made = MadeKey { name: made.key.name, secret: made.secret };
                return respond(office, Some(made), FormState::default(), StatusCode::OK).await;
            }
            Err(error) => Err(error),
        },
        ("revoke", id) => app.revoke_api_key(who, id).await,
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        // Revoked in another tab: the page shows the remaining ones.
        Ok(()) | Err(Error::Refused(Refusal::ApiKeyNotFound)) => respond::see_other(&format!("{PATH}?done=revoked")),
        Err(error) => respond(office, None, form.refused(&error), problem::status(&error)).await,
    }
}

/// The form's fields, as the API takes them.
fn new_key(form: &Form) -> Input {
    let mut fields = form.input(&["name", "role"]);
    match form.get("readOnly") {
        "yes" => fields.push(("readOnly".into(), Input::Bool(true))),
        "no" => fields.push(("readOnly".into(), Input::Bool(false))),
        _ => {}
    }
    if let Ok(days) = form.get("days").parse() {
        fields.push(("days".into(), Input::Whole(days)));
    }
    Input::Map(fields)
}

async fn respond(office: Office<'_>, made: Option<MadeKey>, form: FormState, status: StatusCode) -> Response {
    let keys = match office.visit.state.app.api_keys(office.who).await {
        Ok(keys) => keys,
        Err(error) => return office.unavailable(&error).await,
    };
    let own = office.who.staff.role;
    let props = AdminApiKeysProps {
        keys: keys.into_iter().map(|key| row(office, key)).collect(),
        made,
        roles: Role::ALL.into_iter().filter(|role| own.includes(*role)).map(role_choice).collect(),
        lifetimes: LIFETIMES.to_vec(),
        form,
    };
    office.page(Screen::AdminApiKeys(Box::new(props)), "API keys", status).await
}

fn row(office: Office<'_>, key: ApiKey) -> ApiKeyRow {
    let zone = office.zone();
    ApiKeyRow {
        expired: key.is_expired(office.visit.now()),
        role_title: key.role.title(),
        read_only: key.read_only,
        created_text: moment::full(key.created_at, zone),
        expires_text: moment::full(key.expires_at, zone),
        last_used_text: key.last_used_at.map(|at| moment::full(at, zone)),
        name: key.name,
        id: key.id,
    }
}
