//! The settings of single sign-on: identity providers, and who gets which role.

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use super::admins::role_choice;
use crate::page::{FormState, Screen};
use crate::props::office::sign_on::{
    AdminIdentityProviderProps, AdminSignOnProps, DirectoryGroupRow, DirectoryProps, IdentityProviderFields,
    IdentityProviderRow, ProvisioningInfo,
};
use crate::{Form, moment, problem, respond};
use app::{Error, Refusal};
use domain::directory::DirectoryGroup;
use domain::input::Input;
use domain::role::Role;
use domain::sentence::Sentence;
use domain::sign_on::{IdentityProvider, USUAL_ROLE_CLAIM};

pub const PATH: &str = "/admin-panel/settings/sign-on";
/// What can be done on a provider's page only with the password just entered.
pub const ASKS_AGAIN: [&str; 4] = ["change", "delete", "make-token", "delete-token"];

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("deleted") => Some("The identity provider is deleted. Nobody logs in with it any more.".into()),
        _ => None,
    };
    show_list(office, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

pub async fn create(office: Office<'_>, form: &Form) -> Response {
    match office.visit.state.app.create_identity_provider(office.who, &input(form)).await {
        Ok(made) => respond::see_other(&format!("{PATH}/{}?done=added", made.id)),
        Err(error) => show_list(office, form.refused(&error), problem::status(&error)).await,
    }
}

async fn show_list(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let providers = match office.visit.state.app.identity_providers(office.who).await {
        Ok(providers) => providers,
        Err(error) => return office.unavailable(&error).await,
    };
    let row = |provider: IdentityProvider| IdentityProviderRow {
        href: format!("{PATH}/{}", provider.id),
        people_text: people_text(&provider),
        name: provider.name,
        issuer: provider.issuer,
        for_applicants: provider.for_applicants,
    };
    let props = AdminSignOnProps {
        providers: providers.into_iter().map(row).collect(),
        roles: Role::ALL.map(role_choice).into(),
        role_claim: USUAL_ROLE_CLAIM,
        redirect_uri: office.visit.state.app.sign_on_redirect_uri(false),
        applicant_redirect_uri: office.visit.state.app.sign_on_redirect_uri(true),
        form,
    };
    office.page(Screen::AdminSignOn(Box::new(props)), "Single sign-on", status).await
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("added") => Some("The identity provider is added. Enter the addresses below there, then check it."),
        Some("changed") => Some("Saved."),
        Some("answers") => Some("The provider answers. Log in with it in another browser to see that all is right."),
        Some("provisioning-off") => Some(
            "Provisioning is off. The users and groups that were sent are deleted here; accounts stay as they are.",
        ),
        _ => None,
    };
    show_one(office, None, FormState { message: message.map(Into::into), ..FormState::default() }, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let (result, done) = match form.get("_action") {
        "change" => (app.change_identity_provider(who, id, &input(form)).await.map(drop), "changed"),
        "check" => match app.check_identity_provider(who, id).await {
            Ok(Some(trouble)) => {
                let error = Some(Sentence::plain(format!("The provider cannot be used: {trouble}")));
                let state = FormState { error, ..FormState::default() };
                return show_one(office, None, state, StatusCode::OK).await;
            }
            result => (result.map(drop), "answers"),
        },
        "delete" => match app.delete_identity_provider(who, id).await {
            Ok(()) | Err(Error::Refused(Refusal::IdentityProviderNotFound)) => {
                return respond::see_other(&format!("{PATH}?done=deleted"));
            }
            Err(error) => (Err(error), ""),
        },
        "make-token" => match app.make_scim_token(who, id).await {
            Ok(token) => return show_one(office, Some(token), FormState::default(), StatusCode::OK).await,
            Err(error) => (Err(error), ""),
        },
        "delete-token" => (app.delete_scim_token(who, id).await, "provisioning-off"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => respond::see_other(&format!("{PATH}/{id}?done={done}")),
        Err(error) => show_one(office, None, form.refused(&error), problem::status(&error)).await,
    }
}

async fn show_one(office: Office<'_>, token: Option<String>, form: FormState, status: StatusCode) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let loaded = async {
        let provider = app.identity_provider(who, id).await?;
        let directory = directory(office, &provider, token).await?;
        Ok::<_, Error>((provider, directory))
    };
    let (provider, directory) = match loaded.await {
        Ok(loaded) => loaded,
        Err(Error::Refused(Refusal::IdentityProviderNotFound)) => {
            return problem::page(visit, problem::NO_OFFICE_PAGE).await;
        }
        Err(error) => return office.unavailable(&error).await,
    };
    let groups = Role::ALL.map(|role| (role.as_str(), provider.roles.groups_of(role).join(", ")));
    let props = AdminIdentityProviderProps {
        href: format!("{PATH}/{id}"),
        people_text: people_text(&provider),
        for_applicants: provider.for_applicants,
        redirect_uri: app.sign_on_redirect_uri(provider.for_applicants),
        logout_uri: app.sign_on_logout_uri(id),
        directory,
        roles: Role::ALL.map(role_choice).into(),
        saved: IdentityProviderFields {
            groups: groups.into_iter().collect(),
            otherwise: provider.roles.otherwise.map_or("", Role::as_str),
            name: provider.name.clone(),
            issuer: provider.issuer,
            client_id: provider.client_id,
            role_claim: provider.role_claim,
            second_factor: provider.second_factor,
            verified_emails: provider.verified_emails,
        },
        form,
    };
    office.page(Screen::AdminIdentityProvider(Box::new(props)), &provider.name, status).await
}

async fn directory(
    office: Office<'_>,
    provider: &IdentityProvider,
    token: Option<String>,
) -> Result<DirectoryProps, Error> {
    let app = &office.visit.state.app;
    let scim_base_url = app.scim_base_url();
    let Some(provisioning) = &provider.provisioning else {
        return Ok(DirectoryProps { scim_base_url, provisioning: None, token });
    };
    let mut groups = app.directory(provider).await?.groups;
    groups.sort_by_cached_key(|group| group.fields.name.to_lowercase());
    let full = |at| moment::full(at, office.zone());
    let row = |group: DirectoryGroup| DirectoryGroupRow {
        members: group.fields.members.len(),
        role: provider.roles.role_for(std::slice::from_ref(&group.fields.name)).map(Role::title),
        name: group.fields.name,
    };
    let provisioning = ProvisioningInfo {
        since_text: full(provisioning.since),
        last_used_text: provisioning.last_used_at.map(full),
        users: provisioning.users,
        groups: groups.into_iter().map(row).collect(),
    };
    Ok(DirectoryProps { scim_base_url, provisioning: Some(provisioning), token })
}

/// The form's fields, as the API takes them.
fn input(form: &Form) -> Input {
    let mut fields = form.input(&["name", "issuer", "clientId", "clientSecret"]);
    let mut boxes = vec!["forApplicants", "verifiedEmails"];
    // Of one for applicants, fields about staff are hidden or not there.
    if form.get("forApplicants") != "yes" {
        boxes.push("secondFactor");
        fields.extend(form.input(&["roleClaim", "otherwise"]));
        let groups = |role: Role| {
            let typed = form.get(&format!("roles.{}", role.as_str())).split(',');
            let names = typed.map(str::trim).filter(|name| !name.is_empty());
            (role.as_str().to_owned(), Input::List(names.map(|name| Input::Text(name.to_owned())).collect()))
        };
        fields.push(("roles".into(), Input::Map(Role::ALL.map(groups).into())));
    }
    fields.extend(boxes.into_iter().map(|name| (name.into(), Input::Bool(form.get(name) == "yes"))));
    Input::Map(fields)
}

fn people_text(provider: &IdentityProvider) -> String {
    if provider.for_applicants {
        return match provider.people {
            0 => "No applicant has logged in with it yet".into(),
            1 => "1 applicant logs in with it".into(),
            count => format!("{count} applicants log in with it"),
        };
    }
    let claim = match provider.role_claim.as_str() {
        USUAL_ROLE_CLAIM => String::new(),
        claim => format!(" · groups from “{claim}”"),
    };
    match provider.people {
        0 => format!("Nobody has logged in with it yet{claim}"),
        1 => format!("1 member of staff logs in with it{claim}"),
        count => format!("{count} members of staff log in with it{claim}"),
    }
}
