//! The account page: profile, password, sessions.

use axum::http::StatusCode;
use axum::response::Response;
use jiff::tz;

use super::auth::phone_number;
use super::page::{FormState, Screen};
use super::props::account::{AccountForms, AccountProps, LinkedProviderRow, ProfileProps, SessionInfo};
use super::{Form, Visit, doubts, language, moment, problem, respond};
use app::Error;
use app::accounts::sessions::SignedIn;
use domain::account;
use domain::input::{FieldError, Input};
use domain::sentence::Sentence;
use domain::session::Session;
use domain::text;

const PATH: &str = "/dashboard/account";

pub async fn show(visit: &Visit) -> Response {
    let Some(who) = visit.visitor.signed_in.clone() else {
        return respond::redirect(visit, "/bachelor/apply?dialog=login");
    };
    // After a form's 303, the address says which form it was.
    let done = |message: Sentence| Some(FormState { message: Some(message), ..FormState::default() });
    let mut forms = AccountForms::default();
    match visit.query("done").as_deref() {
        Some("profile") => forms.profile = done(text!("Your profile is saved.")),
        Some("password") => {
            forms.password = done(text!("Your password has been changed. Your other sessions have ended."))
        }
        Some("second-factor-off") => forms.second_factor = done(text!("Your authenticator app is turned off.")),
        Some("sessions") => forms.sessions = done(text!("The session has ended.")),
        Some("notifications") => forms.notifications = done(text!("Your choice is saved.")),
        Some("unlinked") => {
            let id = visit.query("provider").unwrap_or_default();
            let unlinked = visit.sign_on.iter().find(|(known, _)| *known == id);
            forms.providers = unlinked.and_then(|(_, provider)| {
                done(text!("{provider} was unlinked from your account. Logging in with it links it again.", provider))
            });
        }
        Some("language") => forms.language = done(text!("Your choice is saved.")),
        _ => {}
    }
    respond(visit, &who, forms, StatusCode::OK).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let Some(who) = visit.visitor.signed_in.clone() else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Faccount");
    };
    let app = &visit.state.app;
    let action = form.get("_action");
    let mut doubts = Vec::new();
    let (result, done) = match action {
        "profile" => {
            let input = profile(form);
            let known = &who.applicant.profile;
            doubts = account::doubts(&input, Some(known), app.today());
            let open = doubts::open(form, &doubts);
            let result = if open.is_empty() {
                app.update_profile(&who, &input).await.map(drop)
            } else {
                let wrong = known.changed(&input, app.today()).err().unwrap_or_default();
                Err(doubts::with_errors(form, open, wrong))
            };
            (result, "profile")
        }
        "password" => (change_password(visit, &who, form).await, "password"),
        "notifications" => (app.update_profile(&who, &notifications(form)).await.map(drop), "notifications"),
        "language" => (app.update_profile(&who, &Input::Map(form.input(&["language"]))).await.map(drop), "language"),
        "unlink" => match app.unlink_provider(&who, form.get("provider")).await {
            Ok(()) => {
                let id: String = url::form_urlencoded::byte_serialize(form.get("provider").as_bytes()).collect();
                return respond::see_other(&format!("{PATH}?done=unlinked&provider={id}"));
            }
            Err(error) => (Err(error), "unlinked"),
        },
        "end-other-sessions" => (app.end_other_sessions(&who).await.map(drop), "sessions"),
        _ => match action.strip_prefix("end-session:") {
            Some(id) => (app.end_session(&who, id).await, "sessions"),
            None => return problem::page(visit, problem::BAD_REQUEST).await,
        },
    };
    let Err(error) = result else {
        // What was chosen applies to this browser, too.
        let cookie = (done == "language").then(|| language::cookie(visit, form));
        return respond::see_other_with(&format!("{PATH}?done={done}"), cookie);
    };
    let mut state = form.refused(&error);
    doubts::ask(&mut state, doubts);
    let state = Some(state);
    let mut forms = AccountForms::default();
    match done {
        "profile" => forms.profile = state,
        "password" => forms.password = state,
        "notifications" => forms.notifications = state,
        "language" => forms.language = state,
        "unlinked" => forms.providers = state,
        _ => forms.sessions = state,
    }
    respond(visit, &who, forms, problem::status(&error)).await
}

fn profile(form: &Form) -> Input {
    let mut fields = form.input(&["firstName", "lastName", "dateOfBirth", "country", "timeZone"]);
    let country = form.get("country");
    if country == "US" {
        fields.extend(form.input(&["state"]));
    }
    fields.push(("phoneNumber".into(), Input::Text(phone_number(country, form.get("phoneNumber")))));
    Input::Map(fields)
}

fn notifications(form: &Form) -> Input {
    Input::Map(vec![("reminders".into(), Input::Bool(form.get("reminders") == "yes"))])
}

/// "Download my data": returns the archive, or the page with the reason why not.
pub async fn download(visit: &Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Faccount");
    };
    let input = Input::Map(vec![("currentPassword".into(), Input::Text(form.get("dataPassword").to_owned()))]);
    match visit.state.app.personal_data(who, &input, &visit.client).await {
        Ok(pieces) => wire::archive(pieces),
        Err(error) => {
            let mut state = form.refused(&error);
            // The page has another form with a field of this name.
            for (name, _) in &mut state.errors {
                *name = "dataPassword".into();
            }
            let forms = AccountForms { data: Some(state), ..AccountForms::default() };
            respond(visit, who, forms, problem::status(&error)).await
        }
    }
}

async fn change_password(visit: &Visit, who: &SignedIn, form: &Form) -> Result<(), Error> {
    if form.get("password") != form.get("passwordRepeat") {
        return Err(
            FieldError::new("passwordRepeat", "passwordRepeat.mismatch", text!("Passwords do not match")).into()
        );
    }
    let input = Input::Map(form.input(&["currentPassword", "password"]));
    visit.state.app.change_password(who, &input, &visit.client).await
}

async fn respond(visit: &Visit, who: &SignedIn, forms: AccountForms, status: StatusCode) -> Response {
    let app = &visit.state.app;
    let found = async {
        let linked = app.linked_providers(&who.applicant.id).await?;
        Ok::<_, Error>((app.list_sessions(who).await?, app.pending_email_change(who).await?, linked))
    };
    let (sessions, pending_email, linked) = match found.await {
        Ok(found) => found,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let zone = visit.visitor.time_zone(app);
    let profile = &who.applicant.profile;
    let props = AccountProps {
        profile: ProfileProps {
            first_name: profile.first_name.clone(),
            last_name: profile.last_name.clone(),
            email: who.applicant.email.clone(),
            date_of_birth: profile.date_of_birth.to_string(),
            phone_number: profile.phone_number.clone(),
            country: profile.country.clone(),
            state: profile.state.clone(),
            time_zone: profile.time_zone.clone(),
        },
        authenticator_app: who.applicant.code_seed.is_some(),
        passkeys: app.has_passkeys().then_some(who.applicant.passkeys),
        pending_email: pending_email.map(|change| change.email),
        reminders: profile.reminders,
        language: profile.language,
        time_zones: time_zones(),
        institute_time_zone: app.settings.time_zone.clone(),
        providers: linked
            .into_iter()
            .map(|linked| LinkedProviderRow {
                id: linked.provider_id,
                name: linked.name,
                since_text: moment::full(linked.linked_at, zone),
            })
            .collect(),
        sessions: sessions.into_iter().map(|session| session_info(session, &who.session.id, zone)).collect(),
        forms,
    };
    let head = visit.private_head(text!("Account"));
    respond::page(visit, visit.page(Screen::Account(Box::new(props)), status, head)).await
}

/// Describes a session in words; `current` is the session of this request.
pub fn session_info(session: Session, current: &str, zone: &str) -> SessionInfo {
    SessionInfo {
        current: session.id == current,
        device: device(&session.user_agent),
        started_text: moment::full(session.created_at, zone),
        last_seen_text: moment::full(session.last_seen_at, zone),
        id: session.id,
    }
}

/// Returns the time zones to choose from.
pub fn time_zones() -> Vec<String> {
    tz::db().available().map(|name| name.as_str().to_owned()).filter(|name| is_place(name)).collect()
}

/// Whether the zone is a place; the database also has abbreviations and offsets.
fn is_place(zone: &str) -> bool {
    const REGIONS: [&str; 9] =
        ["Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"];
    zone == "UTC" || zone.split_once('/').is_some_and(|(region, _)| REGIONS.contains(&region))
}

/// Describes the device as well as the `User-Agent` allows: `Chrome on Windows`.
pub fn device(user_agent: &str) -> Sentence {
    let first = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    let browser = first(&[
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser", "Samsung Internet"),
        ("Firefox/", "Firefox"),
        ("FxiOS", "Firefox"),
        ("CriOS", "Chrome"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = first(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("CrOS", "ChromeOS"),
        ("Mac OS X", "Mac"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => text!("{browser} on {system}", browser, system),
        (Some(name), None) | (None, Some(name)) => Sentence::plain(name),
        (None, None) => text!("Unknown device"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_named_in_words() {
        let chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                      Chrome/150.0.0.0 Safari/537.36";
        assert_eq!(device(chrome), "Chrome on Windows");
        let safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                      Version/19.0 Mobile/15E148 Safari/604.1";
        assert_eq!(device(safari), "Safari on iPhone");
        assert_eq!(device("curl/8.0"), "Unknown device");
    }
}
