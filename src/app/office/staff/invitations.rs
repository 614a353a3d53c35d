//! Invitations to the office: sent by mail, valid for a week, accepted once. They become void when their sender is no
//! longer an Owner.

use serde_json::json;

use super::{SESSION, actor, mails, name, role};
use crate::accounts::passwords::typed_password;
use crate::accounts::sessions::Secrets;
use crate::error::{Error, Refusal};
use crate::{App, Caller};
use domain::account::Email;
use domain::body;
use domain::body::filled;
use domain::input::{FieldError, Input};
use domain::moments::DAY;
use domain::permission::Permission;
use domain::role::Role;
use domain::session::Audience;
use domain::staff::{Invitation, StaffSession};

/// How long an invitation is valid.
pub const INVITATION_DAYS: i64 = 7;

body! {
    pub struct NewInvitation {
        #[schema(value_type = String, format = Email)]
        email: Email = |_: &str, input: Option<&Input>| Email::parse(input),
        role: Role = role,
    }
}

body! {
    pub struct InvitationAnswer given (new_password: impl Fn(&str, &str) -> Result<String, FieldError>) {
        /// From the mailed link.
        pub token: String = link_of_invitation,
        /// The name that colleagues see; at most 100 characters.
        name: String = name,
        #[schema(format = Password)]
        password: String = |path: &str, input: Option<&Input>| {
            new_password(&typed_password(path, input)?, name.as_deref().unwrap_or_default())
        },
    }
}

fn link_of_invitation(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    filled("Open the link of the invitation again.")(path, input)
}

impl App {
    /// Invites somebody: `{email, role}`.
    ///
    /// # Errors
    /// Bad fields, `invitation.open` when the address already has one, [`Refusal::StaffTaken`],
    /// [`Refusal::RoleForbidden`].
    pub async fn invite(&self, who: &StaffSession, input: &Input) -> Result<Invitation, Error> {
        let NewInvitation { email, role } = NewInvitation::parse(input)?;
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

    /// Resends an invitation with a new link; the previous one no longer works.
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

    /// Revokes an invitation.
    ///
    /// # Errors
    /// [`Refusal::NoSuchInvitation`], [`Refusal::RoleForbidden`].
    pub async fn revoke_invitation(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::Staff)?;
        let subject = format!("invitation:{id}");
        let audit = self.audit_entry(actor(&who.staff), subject, "staff.invitation_revoked", json!({}));
        if self.store.revoke_invitation(id, &audit).await? { Ok(()) } else { Err(Refusal::NoSuchInvitation.into()) }
    }

    /// The address and role that a mailed link invites. Looking does not use it up: mail scanners open links.
    pub async fn look_at_invitation(&self, token: &str) -> Result<Option<(String, Role)>, Error> {
        let found = self.store.invitation_by_secret(&self.tokens.digest(token), self.clock.now()).await?;
        Ok(found.map(|invitation| (invitation.email, invitation.role)))
    }

    /// Accepts an invitation: `{token, name, password}`. Creates the account and opens its first session.
    ///
    /// # Errors
    /// Bad fields; [`Refusal::NoSuchInvitation`] for one that was accepted, revoked, resent or has expired.
    pub async fn take_invitation(&self, input: &Input, caller: &Caller) -> Result<Secrets, Error> {
        let token = link_of_invitation("token", Input::get(input.entries()?, "token"));
        let digest = self.tokens.digest(token.as_deref().unwrap_or_default());
        let invitation = self.store.invitation_by_secret(&digest, self.clock.now()).await?;
        if token.is_ok() && invitation.is_none() {
            return Err(Refusal::NoSuchInvitation.into());
        }
        let email = invitation.as_ref().map_or("", |invitation| invitation.email.as_str());
        let InvitationAnswer { name, password, .. } =
            InvitationAnswer::parse(input, |typed, name| self.new_staff_password(typed, email, name))?;
        let invitation = invitation.ok_or(Refusal::NoSuchInvitation)?;
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
