//! Invitations to the office: sent by mail, good for a week, taken once. They end with whoever sent them as an Owner.

use serde_json::json;

use super::super::error::{Error, Refusal};
use super::super::ports::{Audience, DAY, Invitation, StaffSession};
use super::super::sessions::Secrets;
use super::super::{App, Caller};
use super::team::role;
use super::{SESSION, actor, mails, name};
use crate::domain::account::Email;
use crate::domain::input::{FieldError, Input, unknown_fields};
use crate::domain::permission::Permission;
use crate::domain::role::Role;

/// How long an invitation can be taken.
pub const INVITATION_DAYS: i64 = 7;

impl App {
    /// Invites somebody: `{email, role}`.
    ///
    /// # Errors
    /// Bad fields, `invitation.open` when there is one for the address, [`Refusal::StaffTaken`],
    /// [`Refusal::RoleForbidden`].
    pub async fn invite(&self, who: &StaffSession, input: &Input) -> Result<Invitation, Error> {
        let entries = input.entries()?;
        let mut errors: Vec<FieldError> = unknown_fields(entries, &["email", "role"]).collect();
        let email = Email::parse(Input::get(entries, "email")).map_err(|error| errors.push(error)).ok();
        let role = role(Input::get(entries, "role")).map_err(|error| errors.push(error)).ok();
        let (Some(email), Some(role), true) = (email, role, errors.is_empty()) else { return Err(errors.into()) };
        who.staff.permit(Permission::Staff)?;
        let (now, secret) = (self.clock.now(), self.random.secret());
        let invitation = Invitation {
            id: self.random.id(),
            email: email.as_str().to_owned(),
            role,
            digest: self.tokens.digest(&secret),
            invited_by: who.staff.id.clone(),
            created_at: now,
            sent_at: now,
            expires_at: now + INVITATION_DAYS * DAY,
        };
        let subject = format!("invitation:{}", invitation.id);
        let audit = self.audit_entry(actor(&who.staff), subject, "staff.invited", json!({ "role": role }));
        let mail = mails::invitation(self, &invitation, &who.staff, &secret);
        if !self.store.invite(&invitation, &audit, &mail).await? {
            return Err(Refusal::RoleForbidden.into());
        }
        Ok(invitation)
    }

    /// Sends it again, with another link; the one before does not work any more.
    ///
    /// # Errors
    /// [`Refusal::NoSuchInvitation`], [`Refusal::RoleForbidden`].
    pub async fn resend_invitation(&self, who: &StaffSession, id: &str) -> Result<Invitation, Error> {
        who.staff.permit(Permission::Staff)?;
        let found = self.store.invitation(id).await?.ok_or(Refusal::NoSuchInvitation)?;
        let (now, secret) = (self.clock.now(), self.random.secret());
        let digest = self.tokens.digest(&secret);
        let invited_by = who.staff.id.clone();
        let renewed = Invitation { digest, invited_by, sent_at: now, expires_at: now + INVITATION_DAYS * DAY, ..found };
        let subject = format!("invitation:{id}");
        let audit = self.audit_entry(actor(&who.staff), subject, "staff.invitation_resent", json!({}));
        let mail = mails::invitation(self, &renewed, &who.staff, &secret);
        if !self.store.renew_invitation(&renewed, &audit, &mail).await? {
            return Err(Refusal::NoSuchInvitation.into());
        }
        Ok(renewed)
    }

    /// Takes it back.
    ///
    /// # Errors
    /// [`Refusal::NoSuchInvitation`], [`Refusal::RoleForbidden`].
    pub async fn revoke_invitation(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::Staff)?;
        let subject = format!("invitation:{id}");
        let audit = self.audit_entry(actor(&who.staff), subject, "staff.invitation_revoked", json!({}));
        if self.store.revoke_invitation(id, &audit).await? { Ok(()) } else { Err(Refusal::NoSuchInvitation.into()) }
    }

    /// Whom a mailed link invites, and as what. Looking takes nothing: mail scanners open links.
    pub async fn look_at_invitation(&self, token: &str) -> Result<Option<(String, Role)>, Error> {
        let found = self.store.invitation_by_secret(&self.tokens.digest(token), self.clock.now()).await?;
        Ok(found.map(|invitation| (invitation.email, invitation.role)))
    }

    /// Takes an invitation: `{token, name, password}`. The account is made, and its first session opened.
    ///
    /// # Errors
    /// Bad fields; [`Refusal::NoSuchInvitation`] for one that was taken, revoked, sent again or is too old.
    pub async fn take_invitation(&self, input: &Input, caller: &Caller) -> Result<Secrets, Error> {
        let entries = input.entries()?;
        let mut errors: Vec<FieldError> = unknown_fields(entries, &["token", "name", "password"]).collect();
        let token = match Input::get(entries, "token") {
            Some(Input::Text(token)) if !token.trim().is_empty() => Some(token.trim()),
            _ => {
                errors.push(FieldError::new("token", "token.required", "Open the link of the invitation again."));
                None
            }
        };
        let digest = token.map(|token| self.tokens.digest(token)).unwrap_or_default();
        let invitation = self.store.invitation_by_secret(&digest, self.clock.now()).await?;
        if token.is_some() && invitation.is_none() && errors.is_empty() {
            return Err(Refusal::NoSuchInvitation.into());
        }
        let name = name(Input::get(entries, "name")).map_err(|error| errors.push(error)).unwrap_or_default();
        let email = invitation.as_ref().map_or("", |invitation| invitation.email.as_str());
        let password = self.new_staff_password(Input::get(entries, "password"), email, &name);
        let password = password.map_err(|error| errors.push(error)).unwrap_or_default();
        let Some(invitation) = invitation.filter(|_| errors.is_empty()) else { return Err(errors.into()) };
        let email = Email::parse(Some(&Input::Text(invitation.email.clone())))?;
        let staff = self.new_staff(name, &email, invitation.role, password).await?;
        let (mut session, secrets) = self.new_session(Audience::Admin, &staff.id, caller);
        session.expires_at = session.created_at + SESSION;
        let detail = json!({ "invitation": invitation.id, "invitedBy": invitation.invited_by, "role": staff.role });
        let audit = self.about_self(&staff, "staff.joined", detail);
        if !self.store.take_invitation(&digest, &staff, &session, &audit).await? {
            return Err(Refusal::NoSuchInvitation.into());
        }
        Ok(secrets)
    }
}
