//! The list of staff and open invitations, and the page of one member.

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use crate::page::{FormState, Screen};
use crate::props::office::admins::{AdminAdminProps, AdminAdminsProps, AdminRow, InvitationRow, RoleChoice};
use crate::{Form, moment, problem, respond};
use app::{Error, Refusal};
use domain::input::{FieldError, Input};
use domain::moments::Millis;
use domain::role::Role;
use domain::sentence::Sentence;
use domain::staff::{Invitation, ListedStaff, Staff};

const PATH: &str = "/admin-panel/admins";

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("invited") => Some("The invitation is sent."),
        Some("resent") => Some("The invitation is sent again. Only the new link works."),
        Some("revoked") => Some("The invitation is taken back. Its link does not work any more."),
        Some("removed") => Some("The account is removed."),
        Some("rule") => Some("The rule holds from now on."),
        Some("reset") => Some("The second factor is removed. The applicant has a mail about it, and logs in again."),
        _ => None,
    };
    let form = FormState { message: message.map(Into::into), ..FormState::default() };
    respond(office, form, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let (result, done) = match form.get("_action").split_once(':').unwrap_or((form.get("_action"), "")) {
        ("invite", _) => (app.invite(who, &Input::Map(form.input(&["email", "role"]))).await.map(drop), "invited"),
        ("resend", id) => (app.resend_invitation(who, id).await.map(drop), "resent"),
        ("revoke", id) => (app.revoke_invitation(who, id).await, "revoked"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => respond::see_other(&format!("{PATH}?done={done}")),
        Err(error) => {
            let mut state = form.refused(&error);
            if matches!(error, Error::Refused(Refusal::StaffTaken)) {
                state.errors.push(("email".into(), error.sentence()));
                state.error = None;
            }
            respond(office, state, problem::status(&error)).await
        }
    }
}

/// Removes the second factor of an applicant.
pub async fn reset_of_applicant(office: Office<'_>, form: &Form) -> Response {
    // The page has another form with an email field.
    let input = Input::Map(vec![("email".into(), Input::Text(form.get("applicantEmail").to_owned()))]);
    match office.visit.state.app.reset_second_factor(office.who, &input).await {
        Ok(()) => respond::see_other(&format!("{PATH}?done=reset")),
        Err(error) => {
            let mut state = form.refused(&error);
            for (name, _) in &mut state.errors {
                *name = "applicantEmail".into();
            }
            respond(office, state, problem::status(&error)).await
        }
    }
}

/// Sets whether all staff must have a second factor.
pub async fn rule(office: Office<'_>, form: &Form) -> Response {
    let required = form.get("required") == "yes";
    match office.visit.state.app.require_second_factor(office.who, required).await {
        Ok(()) => respond::see_other(&format!("{PATH}?done=rule")),
        Err(error) => respond(office, form.refused(&error), problem::status(&error)).await,
    }
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("role") => Some("The role is changed. It holds from their next click on."),
        Some("suspend") => Some("The account is suspended. All its sessions have ended."),
        Some("resume") => Some("The account is open again."),
        Some("reset") => {
            Some("The second factor is removed. They can log in with their password, and set it up again.")
        }
        _ => None,
    };
    let form = FormState { message: message.map(Into::into), ..FormState::default() };
    one(office, form, StatusCode::OK).await
}

pub async fn change(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let suspended = |yes: bool| Input::Map(vec![("suspended".into(), Input::Bool(yes))]);
    let action = form.get("_action");
    let result = match action {
        "role" => change_role(office, form).await,
        "suspend" => app.change_staff(who, id, &suspended(true)).await,
        "resume" => app.change_staff(who, id, &suspended(false)).await,
        "reset" => app.reset_staff_second_factor(who, id).await,
        "remove" => app.remove_staff(who, id).await,
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) if action == "remove" => respond::see_other(&format!("{PATH}?done=removed")),
        Ok(()) => respond::see_other(&format!("{PATH}/{id}?done={action}")),
        Err(error) => one(office, form.refused(&error), problem::status(&error)).await,
    }
}

/// Changes the role. Reports an error if none was chosen.
async fn change_role(office: Office<'_>, form: &Form) -> Result<(), Error> {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    if who.staff.id != id && app.staff_by_id(id).await?.role.as_str() == form.get("role") {
        return Err(FieldError::new("role", "role.same", "This is the role they have. Choose another one.").into());
    }
    app.change_staff(who, id, &Input::Map(form.input(&["role"]))).await
}

async fn respond(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let Office { visit, who, .. } = office;
    let list = match visit.state.app.staff_list(who).await {
        Ok(list) => list,
        Err(error) => return office.unavailable(&error).await,
    };
    let now = visit.now();
    let props = AdminAdminsProps {
        admins: list.all_staff.iter().map(|staff| listed(office, staff)).collect(),
        invitations: list.invitations.into_iter().map(|invitation| invited(invitation, now, office.zone())).collect(),
        roles: roles(),
        second_factor_required: list.second_factor_required,
        form,
    };
    office.page(Screen::AdminAdmins(Box::new(props)), "Admins", status).await
}

async fn one(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let staff = match office.visit.state.app.staff_by_id(office.id).await {
        Ok(staff) => staff,
        Err(Error::Refused(_)) => return problem::page(office.visit, problem::NO_OFFICE_PAGE).await,
        Err(error) => return office.unavailable(&error).await,
    };
    let title = staff.called().to_owned();
    let props = AdminAdminProps { admin: row(office, &staff, None), roles: roles(), form };
    office.page(Screen::AdminAdmin(Box::new(props)), &title, status).await
}

fn listed(office: Office<'_>, staff: &ListedStaff) -> AdminRow {
    let last_seen = staff.last_seen_at.map(|at| moment::full(at, office.zone()));
    row(office, &staff.staff, last_seen)
}

fn row(office: Office<'_>, staff: &Staff, last_seen_text: Option<Sentence>) -> AdminRow {
    AdminRow {
        id: staff.id.clone(),
        href: format!("{PATH}/{}", staff.id),
        name: staff.name.clone(),
        email: staff.email.clone(),
        role: staff.role.as_str(),
        role_title: staff.role.title(),
        is_self: staff.id == office.who.staff.id,
        suspended: staff.suspended_at.is_some(),
        second_factor: staff.has_second_factor(),
        last_seen_text,
    }
}

fn invited(invitation: Invitation, now: Millis, zone: &str) -> InvitationRow {
    InvitationRow {
        id: invitation.id,
        email: invitation.email,
        role_title: invitation.role.title(),
        sent_text: moment::full(invitation.sent_at, zone),
        until_text: moment::full(invitation.expires_at, zone),
        expired: invitation.expires_at <= now,
    }
}

fn roles() -> Vec<RoleChoice> {
    Role::ALL.into_iter().map(role_choice).collect()
}

pub(super) fn role_choice(role: Role) -> RoleChoice {
    RoleChoice { value: role.as_str(), label: role.title(), hint: role.purpose() }
}
