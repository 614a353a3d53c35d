//! Identity providers, for those who run the product. Logging in with one is in `staff/sign_on.rs`.

use std::collections::BTreeMap;

use serde_json::json;
use url::Url;

use crate::App;
use crate::error::{Error, Refusal};
use crate::office::list_views::sent_name;
use crate::ports::{ProviderClient, SignOnError};
use domain::body;
use domain::body::{filled, optional_text, texts, wrong, yes_or_no};
use domain::input::{FieldError, Input};
use domain::permission::Permission;
use domain::role::Role;
use domain::sentence::Sentence;
use domain::sign_on::{IdentityProvider, RoleRules, USUAL_ROLE_CLAIM};
use domain::staff::StaffSession;
use store::AuditEntry;

/// Maximum number of characters in an address, a client id or a secret.
const MAX_LENGTH: usize = 500;

body! {
    /// How staff, or applicants, log in with an identity provider.
    pub struct IdentityProviderInput {
        /// The name on its login button; 1 to 60 characters.
        name: String = sent_name("Give it a name."),
        /// Whether applicants log in with it, and not staff; staff, if not given. It cannot be changed later. Of one for
        /// applicants, role claim, roles and second factor mean nothing.
        #[schema(nullable = false)]
        for_applicants: Option<bool> = yes_or_no,
        /// The address that identifies it, whose description is at `/.well-known/openid-configuration`. Without TLS it must
        /// be in a network that the operator names.
        #[schema(format = "uri")]
        issuer: String = issuer,
        /// What the provider calls this product.
        client_id: String = short("Enter the client ID that the provider gave you."),
        /// Required for a new one; without it, the provider keeps its own.
        #[schema(nullable = false, format = Password)]
        client_secret: Option<String> = secret,
        /// The claim that lists somebody's groups; `groups` if not given.
        #[schema(nullable = false)]
        role_claim: Option<String> = optional_text("Name the claim that lists somebody's groups."),
        /// The groups whose members have a role, by the role's name. Somebody in several has the last of `viewer`,
        /// `interviewer`, `reviewer`, `decider`, `finance`, `owner`.
        #[schema(nullable = false)]
        roles: Option<BTreeMap<String, Vec<String>>> = groups,
        /// The role of everybody else. Without it, they are refused.
        #[schema(nullable = false)]
        otherwise: Option<Role> = otherwise,
        /// Whether it asks for a second factor, so that ours is not needed. Not, if not given.
        #[schema(nullable = false)]
        second_factor: Option<bool> = yes_or_no,
        /// Whether its emails count as verified although its tokens do not say so. Not, if not given.
        #[schema(nullable = false)]
        verified_emails: Option<bool> = yes_or_no,
    }
}

fn short(ask: &'static str) -> impl Fn(&str, Option<&Input>) -> Result<String, FieldError> {
    move |path, input| at_most(path, filled(ask)(path, input)?)
}

fn at_most(path: &str, text: String) -> Result<String, FieldError> {
    if text.chars().count() <= MAX_LENGTH {
        return Ok(text);
    }
    Err(wrong(path, "too_long", Sentence::plain(format!("This must have at most {MAX_LENGTH} characters."))))
}

fn issuer(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    let ask = "Enter the provider's issuer, such as https://login.example.org.";
    let text = short(ask)(path, input)?;
    let url = Url::parse(&text).ok().filter(|url| url.has_host() && matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or_else(|| wrong(path, "invalid", ask))?;
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
        return Err(wrong(path, "invalid", "The issuer has neither a user name nor a query."));
    }
    // As typed: it is compared with the tokens letter by letter.
    Ok(text)
}

fn secret(path: &str, input: Option<&Input>) -> Result<Option<String>, FieldError> {
    match input {
        None => Ok(None),
        Some(Input::Text(text)) if text.is_empty() => Ok(None),
        sent => short("Enter the client secret that the provider gave you.")(path, sent).map(Some),
    }
}

fn groups(path: &str, input: Option<&Input>) -> Result<Option<BTreeMap<String, Vec<String>>>, FieldError> {
    let ask = "Say which groups have which role.";
    let Some(input) = input else { return Ok(None) };
    let Ok(entries) = input.entries() else { return Err(wrong(path, "type", ask)) };
    let mut groups = BTreeMap::new();
    for (name, sent) in entries {
        let within = format!("{path}.{name}");
        let role = Role::parse(name).ok_or_else(|| wrong(&within, "unknown", "There is no such role."))?;
        let mut sent = texts(&within, Some(sent))?.unwrap_or_default();
        sent.retain(|group| !group.trim().is_empty());
        for group in &sent {
            at_most(&within, group.clone())?;
        }
        if !sent.is_empty() {
            groups.insert(role.as_str().to_owned(), sent);
        }
    }
    Ok(Some(groups))
}

fn otherwise(path: &str, input: Option<&Input>) -> Result<Option<Role>, FieldError> {
    match input {
        None => Ok(None),
        Some(Input::Text(text)) if text.is_empty() => Ok(None),
        Some(_) => super::staff::role(path, input).map(Some),
    }
}

impl IdentityProviderInput {
    /// The provider as sent, with what does not change from `before`.
    fn provider(self, before: IdentityProvider) -> IdentityProvider {
        IdentityProvider {
            name: self.name,
            for_applicants: self.for_applicants.unwrap_or(before.for_applicants),
            issuer: self.issuer,
            client_id: self.client_id,
            role_claim: self.role_claim.unwrap_or_else(|| USUAL_ROLE_CLAIM.into()),
            roles: RoleRules { groups: self.roles.unwrap_or_default(), otherwise: self.otherwise },
            second_factor: self.second_factor.unwrap_or_default(),
            verified_emails: self.verified_emails.unwrap_or_default(),
            ..before
        }
    }

    /// Checks a new provider, or what is to change `before`.
    fn check(&self, app: &App, before: Option<&IdentityProvider>) -> Result<(), Error> {
        let mut errors = Vec::new();
        let for_applicants = before.map(|before| before.for_applicants);
        if for_applicants.is_some_and(|before| self.for_applicants.is_some_and(|sent| sent != before)) {
            let sentence = "This cannot be changed. Add another provider instead.";
            errors.push(FieldError::new("forApplicants", "forApplicants.fixed", sentence));
        }
        let for_staff = !for_applicants.or(self.for_applicants).unwrap_or_default();
        if self.issuer.starts_with("http:") && !app.settings.calls_without_tls {
            let sentence = "Use an address that begins with https://.";
            errors.push(FieldError::new("issuer", "issuer.unencrypted", sentence));
        }
        if before.is_none() && self.client_secret.is_none() {
            let sentence = "Enter the client secret that the provider gave you.";
            errors.push(FieldError::new("clientSecret", "clientSecret.required", sentence));
        }
        if for_staff && self.otherwise.is_none() && self.roles.as_ref().is_none_or(BTreeMap::is_empty) {
            let sentence = "Name a group for at least one role, or give everybody else one: nobody could log in.";
            errors.push(FieldError::new("otherwise", "otherwise.nobody", sentence));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
    }
}

impl App {
    /// All providers, oldest first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], as for all of these.
    pub async fn identity_providers(&self, who: &StaffSession) -> Result<Vec<IdentityProvider>, Error> {
        who.staff.permit(Permission::Staff)?;
        Ok(self.store.identity_providers().await?)
    }

    /// # Errors
    /// [`Refusal::IdentityProviderNotFound`]
    pub async fn identity_provider(&self, who: &StaffSession, id: &str) -> Result<IdentityProvider, Error> {
        who.staff.permit(Permission::Staff)?;
        let (provider, _) = self.store.identity_provider(id).await?.ok_or(Refusal::IdentityProviderNotFound)?;
        Ok(provider)
    }

    /// # Errors
    /// Invalid fields, [`Refusal::TooManyIdentityProviders`].
    pub async fn create_identity_provider(&self, who: &StaffSession, input: &Input) -> Result<IdentityProvider, Error> {
        who.staff.permit(Permission::Staff)?;
        let input = IdentityProviderInput::parse(input)?;
        input.check(self, None)?;
        let id = self.random.id();
        let secret = self.sealing.seal(&id, input.client_secret.as_deref().unwrap_or_default());
        let provider = input.provider(IdentityProvider {
            id,
            name: String::new(),
            for_applicants: false,
            issuer: String::new(),
            client_id: String::new(),
            role_claim: String::new(),
            roles: RoleRules::default(),
            second_factor: false,
            verified_emails: false,
            created_at: self.clock.now(),
            people: 0,
            provisioning: None,
        });
        let audit = self.about_provider(who, &provider, "sign_on.provider_created");
        if !self.store.create_identity_provider(&provider, &secret, &who.staff.id, &audit).await? {
            return Err(Refusal::TooManyIdentityProviders.into());
        }
        self.sign_on_choices.clear();
        Ok(provider)
    }

    /// Changes a provider. With another issuer, accounts are linked anew. Accounts that it provisions have their new roles
    /// at once.
    ///
    /// # Errors
    /// Invalid fields, [`Refusal::IdentityProviderNotFound`].
    pub async fn change_identity_provider(
        &self,
        who: &StaffSession,
        id: &str,
        input: &Input,
    ) -> Result<IdentityProvider, Error> {
        let input = IdentityProviderInput::parse(input)?;
        let before = self.identity_provider(who, id).await?;
        input.check(self, Some(&before))?;
        let secret = input.client_secret.as_deref().map(|secret| self.sealing.seal(id, secret));
        let provider = input.provider(before);
        let audit = self.about_provider(who, &provider, "sign_on.provider_changed");
        if !self.store.change_identity_provider(&provider, secret.as_deref(), &audit).await? {
            return Err(Refusal::IdentityProviderNotFound.into());
        }
        self.sign_on_choices.clear();
        if provider.provisioning.is_some() {
            self.follow_directory(&provider).await?;
        }
        self.identity_provider(who, id).await
    }

    /// Deletes a provider, and ends the sessions that it has opened.
    ///
    /// # Errors
    /// [`Refusal::IdentityProviderNotFound`]
    pub async fn delete_identity_provider(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        let provider = self.identity_provider(who, id).await?;
        let audit = self.about_provider(who, &provider, "sign_on.provider_deleted");
        if self.store.delete_identity_provider(id, &audit).await? {
            self.sign_on_choices.clear();
            Ok(())
        } else {
            Err(Refusal::IdentityProviderNotFound.into())
        }
    }

    /// Loads the provider's description and keys. Returns what is wrong with them, if anything is.
    ///
    /// # Errors
    /// [`Refusal::IdentityProviderNotFound`]
    pub async fn check_identity_provider(&self, who: &StaffSession, id: &str) -> Result<Option<String>, Error> {
        who.staff.permit(Permission::Staff)?;
        let (_, client) = self.provider_client(id).await?;
        Ok(self.sign_on.check(&client).await.err().map(|error| error.to_string()))
    }

    /// Where a provider for applicants, or for staff, sends people back to.
    pub fn sign_on_redirect_uri(&self, for_applicants: bool) -> String {
        let path = if for_applicants { "/login/sign-on/callback" } else { "/admin-panel/sign-on/callback" };
        format!("{}{path}", self.settings.public_url)
    }

    /// Where a provider says that a session has ended.
    pub fn sign_on_logout_uri(&self, provider_id: &str) -> String {
        format!("{}/api/sign-on/{provider_id}/logout", self.settings.public_url)
    }

    /// Returns a provider and how it knows this product.
    ///
    /// # Errors
    /// [`Refusal::IdentityProviderNotFound`], also if its secret was sealed with another secret of the program.
    pub(crate) async fn provider_client(&self, id: &str) -> Result<(IdentityProvider, ProviderClient), Error> {
        let (provider, sealed) = self.store.identity_provider(id).await?.ok_or(Refusal::IdentityProviderNotFound)?;
        let Some(secret) = self.sealing.open(id, &sealed) else {
            tracing::error!(provider = id, "its client secret is sealed with another secret: enter it again");
            return Err(Refusal::IdentityProviderNotFound.into());
        };
        let client = ProviderClient {
            issuer: provider.issuer.clone(),
            client_id: provider.client_id.clone(),
            secret,
            wants_groups: !provider.for_applicants,
            redirect_uri: self.sign_on_redirect_uri(provider.for_applicants),
        };
        Ok((provider, client))
    }

    pub(super) fn about_provider(
        &self,
        who: &StaffSession,
        provider: &IdentityProvider,
        action: &'static str,
    ) -> AuditEntry {
        let detail = json!({
            "name": provider.name,
            "forApplicants": provider.for_applicants,
            "issuer": provider.issuer,
            "roles": provider.roles,
        });
        self.audit_entry(format!("staff:{}", who.staff.id), format!("provider:{}", provider.id), action, detail)
    }
}

/// What staff are told of an error of a provider; the log has the rest.
pub(crate) fn unconfirmed(error: SignOnError) -> Error {
    tracing::warn!(error = &error as &dyn std::error::Error, "an identity provider confirms nothing");
    match error {
        SignOnError::Unavailable(_) => Refusal::IdentityProviderAway.into(),
        SignOnError::Refused(_) => Refusal::SignOnFailed.into(),
    }
}
