//! The list of staff, and what Owners do with others' accounts.

use serde_json::{Value, json};

use super::second_factor::outcome;
use super::{actor, mails};
use crate::App;
use crate::error::{Error, Refusal};
use domain::body;
use domain::body::{wrong, yes_or_no};
use domain::input::{FieldError, Input};
use domain::permission::Permission;
use domain::role::Role;
use domain::staff::{Invitation, ListedStaff, Staff, StaffSession};
use store::StaffChange;

#[derive(Debug, Clone)]
pub struct StaffList {
    pub all_staff: Vec<ListedStaff>,
    pub invitations: Vec<Invitation>,
    /// Whether everybody must have a second factor.
    pub second_factor_required: bool,
}

impl App {
    /// The list of staff.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn staff_list(&self, who: &StaffSession) -> Result<StaffList, Error> {
        who.staff.permit(Permission::Staff)?;
        Ok(StaffList {
            all_staff: self.store.listed_staff().await?,
            invitations: self.store.invitations().await?,
            second_factor_required: self.store.second_factor_required().await?,
        })
    }

    /// One member of staff.
    ///
    /// # Errors
    /// [`Refusal::StaffNotFound`]
    pub async fn staff_by_id(&self, staff_id: &str) -> Result<Staff, Error> {
        Ok(self.store.staff_by_id(staff_id).await?.ok_or(Refusal::StaffNotFound)?)
    }

    /// Changes the role, or suspends or resumes an account: `{role}`, `{suspended}`. Takes effect with the next
    /// request, because it ends the account's sessions.
    ///
    /// # Errors
    /// Bad fields, [`Refusal::OwnRole`], [`Refusal::OwnAccount`], [`Refusal::StaffNotFound`], [`Refusal::LastOwner`],
    /// [`Refusal::StaffChanged`], [`Refusal::RoleForbidden`].
    pub async fn change_staff(&self, who: &StaffSession, staff_id: &str, input: &Input) -> Result<(), Error> {
        let AdminChange { role, suspended } = AdminChange::parse(input)?;
        if role.is_none() && suspended.is_none() {
            let sentence = "Say what to change: the role, or whether it is suspended.";
            return Err(FieldError::new("", "change.none", sentence).into());
        }
        who.staff.permit(Permission::Staff)?;
        if who.staff.id == staff_id {
            return Err(if role.is_some() { Refusal::OwnRole } else { Refusal::OwnAccount }.into());
        }
        let staff = self.staff_by_id(staff_id).await?;
        if let Some(to) = role.filter(|to| *to != staff.role) {
            self.act_on(who, &staff, StaffChange::Role { from: staff.role, to }).await?;
        }
        match suspended {
            Some(true) if staff.suspended_at.is_none() => self.act_on(who, &staff, StaffChange::Suspend).await,
            Some(false) if staff.suspended_at.is_some() => self.act_on(who, &staff, StaffChange::Resume).await,
            _ => Ok(()),
        }
    }

    /// Removes an account from the office. Its row stays for references to it; its address becomes free.
    ///
    /// # Errors
    /// As for [`change_staff`](Self::change_staff).
    pub async fn remove_staff(&self, who: &StaffSession, staff_id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::Staff)?;
        if who.staff.id == staff_id {
            return Err(Refusal::OwnAccount.into());
        }
        let staff = self.staff_by_id(staff_id).await?;
        self.act_on(who, &staff, StaffChange::Remove).await
    }

    async fn act_on(&self, who: &StaffSession, staff: &Staff, change: StaffChange) -> Result<(), Error> {
        let (action, detail) = changed(staff, change);
        let audit = self.about_staff(actor(&who.staff), &staff.id, action, detail);
        let mail = mails::account_changed(self, staff, change);
        outcome(self.store.change_staff(&who.staff.id, &staff.id, change, &audit, mail.as_ref()).await?)
    }
}

/// The action and its detail in the record.
pub(crate) fn changed(staff: &Staff, change: StaffChange) -> (&'static str, Value) {
    match change {
        StaffChange::Role { from, to } => ("staff.role_changed", json!({ "from": from, "to": to })),
        StaffChange::Suspend => ("staff.suspended", json!({ "from": "active", "to": "suspended" })),
        StaffChange::Resume => ("staff.resumed", json!({ "from": "suspended", "to": "active" })),
        StaffChange::Remove => ("staff.removed", json!({ "role": staff.role })),
    }
}

body! {
    pub struct AdminChange {
        #[schema(nullable = false)]
        role: Option<Role> = |path: &str, input: Option<&Input>| input.map(|_| role(path, input)).transpose(),
        #[schema(nullable = false)]
        suspended: Option<bool> = yes_or_no,
    }
}

/// Parses a role.
pub(crate) fn role(path: &str, input: Option<&Input>) -> Result<Role, FieldError> {
    match input {
        Some(Input::Text(text)) if !text.is_empty() => {
            Role::parse(text).ok_or_else(|| wrong(path, "unknown", "Choose one of the roles."))
        }
        None | Some(Input::Text(_)) => Err(wrong(path, "required", "Choose a role.")),
        Some(_) => Err(wrong(path, "type", "Role must be text.")),
    }
}
