//! Logging in with an identity provider, and confirming with it what the password confirms otherwise.

use serde_json::json;

use super::{SESSION, mails, name};
use crate::accounts::login::Opening;
use crate::accounts::second_factor::CODE_WAIT;
use crate::accounts::sessions::Secrets;
use crate::error::{Error, Refusal};
use crate::office::identity_providers::unconfirmed;
use crate::sign_on::{Redeemed, SignOnAnswer, SignOnStart, verified_email};
use crate::{App, Caller};
use domain::directory::DirectoryUser;
use domain::input::{FieldError, Input};
use domain::moments::{MINUTE, Millis};
use domain::role::Role;
use domain::sentence::Sentence;
use domain::session::Audience;
use domain::sign_on::{Identity, IdentityProvider};
use domain::staff::{Staff, StaffSession};
use store::{AuditEntry, Known, SessionKey, SignOnEntry};

/// How far the provider's clock may be behind ours.
const CLOCK_SKEW: Millis = MINUTE;
/// Maximum number of groups that are noted of somebody who was refused.
const NOTED_GROUPS: usize = 20;

/// What came of it.
#[derive(Debug, Clone)]
pub struct SignedOn {
    /// Of the session that was opened; none if one was confirmed.
    pub secrets: Option<Secrets>,
    pub awaits_second_factor: bool,
    /// Where to continue.
    pub to: Option<String>,
}

impl App {
    /// The providers that staff can log in with, by id and name.
    pub async fn sign_on_choices(&self) -> Result<Vec<(String, String)>, Error> {
        let providers = self.store.identity_providers().await?;
        let of_staff = providers.into_iter().filter(|provider| !provider.for_applicants);
        Ok(of_staff.map(|provider| (provider.id, provider.name)).collect())
    }

    /// Begins a login; with `confirm`, a confirmation for that session, for which the provider must ask anew.
    ///
    /// # Errors
    /// [`Refusal::IdentityProviderNotFound`], [`Refusal::IdentityProviderAway`].
    pub async fn begin_sign_on(
        &self,
        provider_id: &str,
        confirm: Option<&StaffSession>,
        to: Option<String>,
    ) -> Result<SignOnStart, Error> {
        let session = confirm.map(|who| who.session.id.clone());
        self.begin_at_provider(provider_id, Audience::Admin, session, to).await
    }

    /// Ends it, with what the browser brought back.
    ///
    /// # Errors
    /// [`Refusal::SignOnExpired`] if it took too long or was begun in another browser, [`Refusal::SignOnFailed`],
    /// [`Refusal::SignOnForbidden`] without a role, [`Refusal::SignOnUnverified`], [`Refusal::SignOnOther`] if a session is
    /// confirmed by somebody else, [`Refusal::StaffSuspended`], [`Refusal::IdentityProviderAway`].
    pub async fn finish_sign_on(
        &self,
        cookie: Option<&str>,
        answer: SignOnAnswer<'_>,
        caller: &Caller,
    ) -> Result<SignedOn, Error> {
        let Redeemed { provider, identity, session, begun_at, to } =
            self.redeem(Audience::Admin, cookie, answer).await?;
        if let Some(session) = session {
            self.confirm(&provider, &identity, &session, begun_at).await?;
            return Ok(SignedOn { secrets: None, awaits_second_factor: false, to });
        }
        let (secrets, awaits_second_factor) = self.enter(&provider, &identity, caller).await?;
        Ok(SignedOn { secrets: Some(secrets), awaits_second_factor, to })
    }

    async fn confirm(
        &self,
        provider: &IdentityProvider,
        identity: &Identity,
        session: &str,
        begun_at: Millis,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let who = self.store.staff_session(SessionKey::Id(session), now).await?.ok_or(Refusal::SessionEnded)?;
        let owner = self.store.staff_by_identity(&provider.id, &identity.subject).await?;
        if owner.is_none_or(|owner| owner.id != who.staff.id) {
            return Err(Refusal::SignOnOther.into());
        }
        // A provider that goes on with its own session confirms nothing.
        if identity.authenticated_at.is_none_or(|at| at < begun_at - CLOCK_SKEW) {
            return Err(Refusal::SignOnFailed.into());
        }
        self.stepped_up(&who).await
    }

    /// Checks that somebody without a password has confirmed with their provider lately, in another tab.
    ///
    /// # Errors
    /// `provider.required`
    pub fn confirmed_with_provider(&self, who: &StaffSession) -> Result<(), Error> {
        let standing = who.standing(self.clock.now());
        if standing.stepped_up && !standing.idle {
            return Ok(());
        }
        let sentence = match &who.provider {
            Some(provider) => format!("Confirm with {} first, then press Resume.", provider.name),
            None => "Use your passkey, or log out and log in again.".to_owned(),
        };
        Err(FieldError::new("", "provider.required", Sentence::plain(sentence)).into())
    }

    async fn enter(
        &self,
        provider: &IdentityProvider,
        identity: &Identity,
        caller: &Caller,
    ) -> Result<(Secrets, bool), Error> {
        let linked = self.store.staff_by_identity(&provider.id, &identity.subject).await?;
        let (role, directory_user) = self.role_at_login(provider, identity, linked.as_ref()).await?;
        let Some(role) = role else {
            let groups: Vec<&String> = identity.groups.iter().take(NOTED_GROUPS).collect();
            let detail = json!({ "staff": linked.map(|staff| staff.id), "groups": groups });
            let subject = format!("provider:{}", provider.id);
            let audit = self.audit_entry("system".into(), subject, "sign_on.refused", detail);
            self.store.note(&audit).await?;
            self.end_sessions_of(provider, Some(&identity.subject), None).await?;
            return Err(Refusal::SignOnForbidden.into());
        };
        let (staff, known) = match linked {
            Some(staff) => (staff, Known::ByIdentity),
            None => self.staff_for(provider, identity, role).await?,
        };
        if staff.suspended_at.is_some() {
            return Err(Refusal::StaffSuspended.into());
        }
        let opening = Opening::by_password(staff.has_second_factor() && !provider.second_factor);
        let (mut session, secrets) = self.new_session(Audience::Admin, &staff.id, caller);
        let code_until = (opening == Opening::FirstStep).then_some(session.created_at + CODE_WAIT);
        session.expires_at = code_until.unwrap_or(session.created_at + SESSION);
        let mut audits = vec![self.about_provided(&staff, provider, "staff.logged_in_with_provider")];
        let mut mail = None;
        match known {
            Known::ByIdentity => {}
            Known::ByEmail => {
                audits.insert(0, self.about_provided(&staff, provider, "staff.provider_linked"));
                mail = Some(mails::provider_linked(self, &staff, &provider.name));
            }
            Known::New => audits.insert(0, self.about_provided(&staff, provider, "staff.provisioned")),
        }
        let detail = json!({ "from": staff.role, "to": role, "provider": provider.name });
        let role_audit = self.about_staff("system".into(), &staff.id, "staff.role_changed", detail);
        let entry = SignOnEntry {
            provider_id: &provider.id,
            subject: &identity.subject,
            provider_session: identity.session.as_deref(),
            // Of a provider that does not say, a login is taken as one.
            asked_at: identity.authenticated_at.unwrap_or(session.created_at),
            staff: &staff,
            known,
            directory_user: directory_user.as_deref(),
            role,
            role_audit: &role_audit,
            session: &session,
            code_until,
        };
        if !self.store.sign_on(entry, &audits, mail.as_ref()).await? {
            return Err(Refusal::StaffChanged.into());
        }
        Ok((secrets, opening == Opening::FirstStep))
    }

    /// The role by the directory, if the provider sends it and has them in it; otherwise by the groups of its token. Also
    /// returns the user in the directory, if nobody has noted yet which account is theirs.
    async fn role_at_login(
        &self,
        provider: &IdentityProvider,
        identity: &Identity,
        linked: Option<&Staff>,
    ) -> Result<(Option<Role>, Option<String>), Error> {
        let by_token = (provider.roles.role_for(&identity.groups), None);
        if provider.provisioning.is_none() {
            return Ok(by_token);
        }
        let directory = self.directory(provider).await?;
        let is_account = |user: &&DirectoryUser| linked.is_some_and(|it| user.staff_id.as_ref() == Some(&it.id));
        if let Some(user) = directory.users.iter().find(is_account) {
            return Ok((directory.role_of(user, &provider.roles), None));
        }
        let verified = || verified_email(provider, identity).map(|email| email.key()).unwrap_or_default();
        let email = linked.map_or_else(verified, |staff| staff.email.to_lowercase());
        // Not somebody else's, whose account it is already.
        let is_free = |user: &DirectoryUser| linked.is_none() || user.staff_id.is_none();
        let has_email = |user: &&DirectoryUser| user.fields.email.to_lowercase() == email && is_free(user);
        let Some(user) = directory.users.iter().find(has_email) else { return Ok(by_token) };
        let untied = user.staff_id.is_none().then(|| user.id.clone());
        Ok((directory.role_of(user, &provider.roles), untied))
    }

    /// The account of somebody who logs in for the first time: the one with their address, or a new one.
    async fn staff_for(
        &self,
        provider: &IdentityProvider,
        identity: &Identity,
        role: Role,
    ) -> Result<(Staff, Known), Error> {
        let email = verified_email(provider, identity)?;
        if let Some(staff) = self.store.staff_by_email(&email.key()).await? {
            return Ok((staff, Known::ByEmail));
        }
        let given = identity.name.clone().map(Input::Text);
        let staff = Staff {
            id: self.random.id(),
            // A name that we would refuse is left out; they can enter one.
            name: name("name", given.as_ref()).unwrap_or_default(),
            email: email.as_str().to_owned(),
            role,
            password_hash: String::new(),
            code_seed: None,
            passkeys: 0,
            suspended_at: None,
            created_at: self.clock.now(),
        };
        Ok((staff, Known::New))
    }

    /// Ends the sessions that a logout token names. Returns how many.
    ///
    /// # Errors
    /// [`Refusal::IdentityProviderNotFound`], [`Refusal::SignOnFailed`], [`Refusal::IdentityProviderAway`].
    pub async fn end_sessions_at_provider(&self, provider_id: &str, logout_token: &str) -> Result<u64, Error> {
        let (provider, client) = self.provider_client(provider_id).await?;
        if provider.for_applicants {
            return Err(Refusal::IdentityProviderNotFound.into());
        }
        let ended = self.sign_on.ended(&client, logout_token, self.clock.now()).await.map_err(unconfirmed)?;
        let (subject, session) = (ended.subject.as_deref(), ended.session.as_deref());
        self.end_sessions_of(&provider, subject, session).await
    }

    async fn end_sessions_of(
        &self,
        provider: &IdentityProvider,
        subject: Option<&str>,
        session: Option<&str>,
    ) -> Result<u64, Error> {
        let about = format!("provider:{}", provider.id);
        let audit = self.audit_entry("system".into(), about, "sign_on.sessions_ended", json!({}));
        Ok(self.store.end_provider_sessions(&provider.id, subject, session, &audit).await?)
    }

    fn about_provided(&self, staff: &Staff, provider: &IdentityProvider, action: &'static str) -> AuditEntry {
        self.about_self(staff, action, json!({ "provider": provider.name, "role": staff.role }))
    }
}
