//! What members of staff do with their own accounts.

use serde_json::json;

use super::{actor, mails, name};
use crate::accounts::passwords::PasswordChange;
use crate::error::{Error, Refusal};
use crate::{App, Caller};
use domain::body;
use domain::input::{FieldError, Input};
use domain::password;
use domain::session::Session;
use domain::staff::StaffSession;
use store::StaffChange;

body! {
    pub struct StaffName {
        /// The name that colleagues see; at most 100 characters.
        name: String = name,
    }
}

impl App {
    /// Changes the name that colleagues see.
    ///
    /// # Errors
    /// Bad fields.
    pub async fn rename_staff(&self, who: &StaffSession, input: &Input) -> Result<(), Error> {
        let StaffName { name } = StaffName::parse(input)?;
        let detail = json!({ "from": who.staff.name, "to": name });
        let audit = self.about_self(&who.staff, "staff.renamed", detail);
        self.store.rename_staff(&who.staff.id, &name, &audit).await?;
        Ok(())
    }

    /// Changes the caller's password, given the current one, and ends their other sessions.
    ///
    /// # Errors
    /// Bad fields, a wrong current password, too many failures.
    pub async fn change_staff_password(&self, who: &StaffSession, input: &Input, caller: &Caller) -> Result<(), Error> {
        let staff = &who.staff;
        let change = PasswordChange::parse(input, |typed| self.new_staff_password(typed, &staff.email, &staff.name))?;
        self.check_staff_password(who, change.current_password, "currentPassword", caller).await?;
        let hash = self.passwords.hash(change.password).await?;
        let audit = self.about_self(staff, "staff.password_changed", json!({}));
        let mail = mails::password_changed(self, staff);
        let passwords = (staff.password_hash.as_str(), hash.as_str());
        if self.store.change_staff_password(&staff.id, passwords, &who.session.id, &audit, &mail).await? {
            Ok(())
        } else {
            Err(Refusal::StaffChanged.into())
        }
    }

    pub(super) fn new_staff_password(&self, typed: &str, email: &str, name: &str) -> Result<String, FieldError> {
        let institute = self.settings.institute.as_str();
        let mut context = vec![email, institute, institute.split_whitespace().next().unwrap_or_default()];
        context.extend(name.split_whitespace());
        password::check(typed, &context)
    }

    pub async fn list_staff_sessions(&self, who: &StaffSession) -> Result<Vec<Session>, Error> {
        Ok(self.store.staff_sessions(&who.staff.id, self.clock.now()).await?)
    }

    /// Ends one of the caller's sessions.
    ///
    /// # Errors
    /// [`Refusal::NoSuchSession`]
    pub async fn end_staff_session(&self, who: &StaffSession, session_id: &str) -> Result<(), Error> {
        let audit = self.about_self(&who.staff, "staff.session_ended", json!({}));
        if self.store.end_staff_session(&who.staff.id, session_id, self.clock.now(), &audit).await? {
            Ok(())
        } else {
            Err(Refusal::NoSuchSession.into())
        }
    }

    /// Ends the caller's other sessions and returns how many there were.
    pub async fn end_other_staff_sessions(&self, who: &StaffSession) -> Result<u64, Error> {
        let audit = self.about_self(&who.staff, "staff.other_sessions_ended", json!({}));
        Ok(self.store.end_other_staff_sessions(&who.staff.id, &who.session.id, self.clock.now(), &audit).await?)
    }

    /// Ends the current session.
    pub async fn log_out_staff(&self, who: &StaffSession) -> Result<(), Error> {
        let audit = self.about_self(&who.staff, "staff.logged_out", json!({}));
        self.store.end_staff_session(&who.staff.id, &who.session.id, self.clock.now(), &audit).await?;
        Ok(())
    }

    /// Leaves the office: removes the caller's account.
    ///
    /// # Errors
    /// [`Refusal::LastOwner`]
    pub async fn leave_office(&self, who: &StaffSession) -> Result<(), Error> {
        let id = &who.staff.id;
        let audit = self.about_staff(actor(&who.staff), id, "staff.left", json!({ "role": who.staff.role }));
        let changed = self.store.change_staff(id, id, StaffChange::Remove, &audit, None).await?;
        super::second_factor::outcome(changed)
    }
}
