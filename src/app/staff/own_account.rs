//! What members of staff do with their own account.

use serde_json::json;

use super::super::error::{Error, Refusal};
use super::super::passwords::current_password;
use super::super::ports::{Session, StaffChange, StaffSession};
use super::super::{App, Caller};
use super::{actor, mails, name};
use crate::domain::input::{FieldError, Input, unknown_fields};
use crate::domain::password;

impl App {
    /// Changes the name that colleagues see.
    ///
    /// # Errors
    /// Bad fields.
    pub async fn rename_staff(&self, who: &StaffSession, input: &Input) -> Result<(), Error> {
        let entries = input.entries()?;
        let mut errors: Vec<FieldError> = unknown_fields(entries, &["name"]).collect();
        let name = name(Input::get(entries, "name")).map_err(|error| errors.push(error)).unwrap_or_default();
        if !errors.is_empty() {
            return Err(errors.into());
        }
        let detail = json!({ "from": who.staff.name, "to": name });
        let audit = self.about_self(&who.staff, "staff.renamed", detail);
        self.store.rename_staff(&who.staff.id, &name, &audit).await?;
        Ok(())
    }

    /// Changes the password of someone who knows the current one, and ends their other sessions.
    ///
    /// # Errors
    /// Bad fields, a wrong current password, too many failures.
    pub async fn change_staff_password(&self, who: &StaffSession, input: &Input, caller: &Caller) -> Result<(), Error> {
        let entries = input.entries()?;
        let mut errors: Vec<FieldError> = unknown_fields(entries, &["currentPassword", "password"]).collect();
        let current = current_password(entries, &mut errors);
        let staff = &who.staff;
        let new = self.new_staff_password(Input::get(entries, "password"), &staff.email, &staff.name);
        let new = new.map_err(|error| errors.push(error)).unwrap_or_default();
        if !errors.is_empty() {
            return Err(errors.into());
        }
        self.check_staff_password(who, current, "currentPassword", caller).await?;
        let hash = self.passwords.hash(new).await?;
        let audit = self.about_self(staff, "staff.password_changed", json!({}));
        let mail = mails::password_changed(self, staff);
        let passwords = (staff.password_hash.as_str(), hash.as_str());
        if self.store.change_staff_password(&staff.id, passwords, &who.session.id, &audit, &mail).await? {
            Ok(())
        } else {
            Err(Refusal::StaffChanged.into())
        }
    }

    pub(super) fn new_staff_password(
        &self,
        input: Option<&Input>,
        email: &str,
        name: &str,
    ) -> Result<String, FieldError> {
        let text = match input {
            Some(Input::Text(text)) => text.as_str(),
            None => "",
            Some(_) => return Err(FieldError::new("password", "password.type", "Password must be text.")),
        };
        let institute = self.settings.institute.as_str();
        let mut context = vec![email, institute, institute.split_whitespace().next().unwrap_or_default()];
        context.extend(name.split_whitespace());
        password::check(text, &context)
    }

    /// One's open sessions.
    pub async fn list_staff_sessions(&self, who: &StaffSession) -> Result<Vec<Session>, Error> {
        Ok(self.store.staff_sessions(&who.staff.id, self.clock.now()).await?)
    }

    /// Ends one of one's sessions.
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

    /// Ends every other session of one's own; how many there were.
    pub async fn end_other_staff_sessions(&self, who: &StaffSession) -> Result<u64, Error> {
        let audit = self.about_self(&who.staff, "staff.other_sessions_ended", json!({}));
        Ok(self.store.end_other_staff_sessions(&who.staff.id, &who.session.id, self.clock.now(), &audit).await?)
    }

    /// Ends the session that is asking.
    pub async fn log_out_staff(&self, who: &StaffSession) -> Result<(), Error> {
        let audit = self.about_self(&who.staff, "staff.logged_out", json!({}));
        self.store.end_staff_session(&who.staff.id, &who.session.id, self.clock.now(), &audit).await?;
        Ok(())
    }

    /// Leaves the office: the account is removed.
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
