//! Provisioning: identity providers send their users and groups, and staff accounts follow them.

use std::collections::{HashMap, HashSet};

use serde_json::json;

use super::staff::{mails, name};
use crate::App;
use crate::error::{Error, Refusal};
use domain::account::Email;
use domain::directory::{
    Directory, DirectoryGroup, DirectoryUser, GroupFields, MAX_GROUPS, MAX_USERS, TOKEN_PREFIX, UserFields,
};
use domain::input::Input;
use domain::moments::MINUTE;
use domain::role::Role;
use domain::sign_on::IdentityProvider;
use domain::staff::{Staff, StaffSession};
use store::{AccountChange, AccountStep, StaffChange, StoreError};

/// Maximum number of characters in an attribute.
const MAX_LENGTH: usize = 500;
/// How often a change is tried again because of another one at the same time.
const ATTEMPTS: usize = 20;

/// Why a provider's users and groups stay as they are.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    #[error("there is no such user or group")]
    NotFound,
    /// Another user, group or account has the same value of this SCIM attribute.
    #[error("{0} is taken")]
    Taken(&'static str),
    /// A SCIM attribute, and what is wrong with it.
    #[error("{0}: {1}")]
    Invalid(&'static str, String),
    /// There are as many as there may be.
    #[error("there are {0} already")]
    Full(usize),
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for DirectoryError {
    fn from(error: StoreError) -> Self {
        DirectoryError::Failed(error.into())
    }
}

impl App {
    /// Where providers send their users and groups.
    pub fn scim_base_url(&self) -> String {
        format!("{}/api/scim/v2", self.settings.public_url)
    }

    /// Makes the token that a provider sends its users and groups with. The one before stops working.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::IdentityProviderNotFound`], also for a provider for applicants.
    pub async fn make_scim_token(&self, who: &StaffSession, id: &str) -> Result<String, Error> {
        let secret = format!("{TOKEN_PREFIX}{}", self.random.secret());
        let digest = self.tokens.digest(&secret);
        self.set_scim_token(who, id, Some(&digest), "sign_on.token_made").await?;
        Ok(secret)
    }

    /// Ends provisioning: deletes the token, and the provider's users and groups. Accounts stay as they are.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::IdentityProviderNotFound`].
    pub async fn delete_scim_token(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        self.set_scim_token(who, id, None, "sign_on.token_deleted").await
    }

    async fn set_scim_token(
        &self,
        who: &StaffSession,
        id: &str,
        digest: Option<&str>,
        action: &'static str,
    ) -> Result<(), Error> {
        let provider = self.identity_provider(who, id).await?;
        if provider.for_applicants {
            return Err(Refusal::IdentityProviderNotFound.into());
        }
        let audit = self.about_provider(who, &provider, action);
        if self.store.set_scim_token(id, digest, &audit).await? {
            Ok(())
        } else {
            Err(Refusal::IdentityProviderNotFound.into())
        }
    }

    /// The provider that sends with this token, if one does. Notes when it last did.
    pub async fn provider_of_scim_token(&self, token: &str) -> Result<Option<IdentityProvider>, Error> {
        if !token.starts_with(TOKEN_PREFIX) {
            return Ok(None);
        }
        let Some(provider) = self.store.provider_of_scim_token(&self.tokens.digest(token)).await? else {
            return Ok(None);
        };
        let now = self.clock.now();
        let last_used_at = provider.provisioning.as_ref().and_then(|it| it.last_used_at);
        if last_used_at.is_none_or(|last| now - last >= MINUTE) {
            self.store.scim_token_used(&provider.id, now).await?;
        }
        Ok(Some(provider))
    }

    /// The users and groups of a provider.
    pub async fn directory(&self, provider: &IdentityProvider) -> Result<Directory, Error> {
        Ok(self.store.directory(&provider.id).await?)
    }

    /// Adds a user. Returns its id.
    ///
    /// # Errors
    /// As for all of these: [`DirectoryError`].
    pub async fn create_directory_user(
        &self,
        provider: &IdentityProvider,
        fields: UserFields,
    ) -> Result<(Directory, String), DirectoryError> {
        let id = self.random.id();
        let directory = self
            .change_directory::<DirectoryError>(provider, |directory| {
                if directory.users.len() >= MAX_USERS {
                    return Err(DirectoryError::Full(MAX_USERS));
                }
                let fields = checked_user(directory, &id, fields.clone())?;
                let (id, now) = (id.clone(), self.clock.now());
                directory.users.push(DirectoryUser { id, fields, staff_id: None, created_at: now, changed_at: now });
                Ok(())
            })
            .await?;
        Ok((directory, id))
    }

    /// Changes a user. `change` may run more than once, each time with what is stored now.
    pub async fn change_directory_user<E: From<DirectoryError>>(
        &self,
        provider: &IdentityProvider,
        id: &str,
        change: impl Fn(&Directory, &DirectoryUser) -> Result<UserFields, E> + Send + Sync,
    ) -> Result<Directory, E> {
        self.change_directory(provider, |directory| {
            let place = directory.users.iter().position(|user| user.id == id).ok_or(DirectoryError::NotFound)?;
            let fields = checked_user(directory, id, change(directory, &directory.users[place])?)?;
            let user = &mut directory.users[place];
            if user.fields != fields {
                (user.fields, user.changed_at) = (fields, self.clock.now());
            }
            Ok(())
        })
        .await
    }

    /// Deletes a user, and takes them out of all groups.
    pub async fn delete_directory_user(&self, provider: &IdentityProvider, id: &str) -> Result<(), DirectoryError> {
        let delete = |directory: &mut Directory| {
            let place = directory.users.iter().position(|user| user.id == id).ok_or(DirectoryError::NotFound)?;
            directory.users.remove(place);
            for group in &mut directory.groups {
                group.fields.members.remove(id);
            }
            Ok(())
        };
        self.change_directory::<DirectoryError>(provider, delete).await.map(drop)
    }

    /// Adds a group. Returns its id.
    pub async fn create_directory_group(
        &self,
        provider: &IdentityProvider,
        fields: GroupFields,
    ) -> Result<(Directory, String), DirectoryError> {
        let id = self.random.id();
        let directory = self
            .change_directory::<DirectoryError>(provider, |directory| {
                if directory.groups.len() >= MAX_GROUPS {
                    return Err(DirectoryError::Full(MAX_GROUPS));
                }
                check_group(directory, &id, &fields)?;
                let now = self.clock.now();
                let (id, fields) = (id.clone(), fields.clone());
                directory.groups.push(DirectoryGroup { id, fields, created_at: now, changed_at: now });
                Ok(())
            })
            .await?;
        Ok((directory, id))
    }

    /// Changes a group. `change` may run more than once, each time with what is stored now.
    pub async fn change_directory_group<E: From<DirectoryError>>(
        &self,
        provider: &IdentityProvider,
        id: &str,
        change: impl Fn(&Directory, &DirectoryGroup) -> Result<GroupFields, E> + Send + Sync,
    ) -> Result<Directory, E> {
        self.change_directory(provider, |directory| {
            let place = directory.groups.iter().position(|group| group.id == id).ok_or(DirectoryError::NotFound)?;
            let fields = change(directory, &directory.groups[place])?;
            check_group(directory, id, &fields)?;
            let group = &mut directory.groups[place];
            if group.fields != fields {
                (group.fields, group.changed_at) = (fields, self.clock.now());
            }
            Ok(())
        })
        .await
    }

    /// Deletes a group.
    pub async fn delete_directory_group(&self, provider: &IdentityProvider, id: &str) -> Result<(), DirectoryError> {
        let delete = |directory: &mut Directory| {
            let place = directory.groups.iter().position(|group| group.id == id).ok_or(DirectoryError::NotFound)?;
            directory.groups.remove(place);
            Ok(())
        };
        self.change_directory::<DirectoryError>(provider, delete).await.map(drop)
    }

    /// Lets all accounts follow the rules for roles, which have changed.
    pub(super) async fn follow_directory(&self, provider: &IdentityProvider) -> Result<(), Error> {
        match self.change_directory(provider, |_| Ok(())).await {
            Ok(_) => Ok(()),
            Err(DirectoryError::Failed(error)) => Err(error),
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "accounts do not follow their directory");
                Err(Refusal::StaffChanged.into())
            }
        }
    }

    /// Makes a change, and lets accounts follow.
    async fn change_directory<E: From<DirectoryError>>(
        &self,
        provider: &IdentityProvider,
        change: impl Fn(&mut Directory) -> Result<(), E> + Send + Sync,
    ) -> Result<Directory, E> {
        let token_at = provider.provisioning.as_ref().map_or(0, |it| it.since);
        for _ in 0..ATTEMPTS {
            let before = self.store.directory(&provider.id).await.map_err(DirectoryError::from)?;
            // After the directory: rules that change later make it too old to be written.
            let found = self.store.identity_provider(&provider.id).await.map_err(DirectoryError::from)?;
            let (provider, _) = found.ok_or(DirectoryError::NotFound)?;
            let mut after = before.clone();
            change(&mut after)?;
            let accounts = self.account_changes(&provider, &before, &mut after).await?;
            if after == before && accounts.is_empty() && !before.accounts_due {
                return Ok(after);
            }
            (after.version, after.accounts_due) = (before.version + 1, false);
            let times = (token_at, self.clock.now());
            match self.store.change_directory(&provider.id, &before, &after, &accounts, times).await {
                Ok(true) => return Ok(after),
                // An account that was not there a moment ago is now.
                Ok(false) | Err(StoreError::Taken(_)) => {}
                Err(error) => return Err(DirectoryError::from(error).into()),
            }
        }
        Err(DirectoryError::Failed(Refusal::StaffChanged.into()).into())
    }

    /// What changes for accounts; records in `after` which account is whose. What somebody is given comes before what
    /// others lose, so that there is an Owner throughout.
    async fn account_changes(
        &self,
        provider: &IdentityProvider,
        before: &Directory,
        after: &mut Directory,
    ) -> Result<Vec<AccountChange>, DirectoryError> {
        let former: HashMap<&str, &DirectoryUser> = before.users.iter().map(|user| (user.id.as_str(), user)).collect();
        let (mut given, mut taken) = (Vec::new(), Vec::new());
        let roles: Vec<Option<Role>> = after.users.iter().map(|user| after.role_of(user, &provider.roles)).collect();
        for (place, role) in roles.into_iter().enumerate() {
            let user = &after.users[place];
            let former = former.get(user.id.as_str()).copied();
            let is_same = |former: &DirectoryUser| {
                former.fields == user.fields && before.role_of(former, &provider.roles) == role
            };
            if former.is_some_and(is_same) && !before.accounts_due {
                continue;
            }
            let Some(role) = role else {
                let mut account = self.account_of(provider, user).await?;
                if let (None, Some(former)) = (&account, former) {
                    // Perhaps the email has changed as well.
                    let mut former = former.clone();
                    former.fields.active = user.fields.active;
                    account = self.account_of(provider, &former).await?;
                }
                if let Some(staff) = account {
                    taken.extend(self.suspended(provider, &staff));
                    taken.extend(self.described(provider, &staff, former, user, false).await?);
                }
                continue;
            };
            let own = match &user.staff_id {
                Some(id) => self.store.staff_by_id(id).await?,
                None => None,
            };
            let found = match own {
                Some(staff) => Some(staff),
                None => self.store.staff_by_email(&user.fields.email.to_lowercase()).await?,
            };
            // The email of an Owner may have been kept that is another one in the directory.
            let has_it =
                |other: &DirectoryUser| found.as_ref().is_some_and(|it| other.staff_id.as_ref() == Some(&it.id));
            if after.users.iter().any(|other| other.id != user.id && has_it(other)) {
                if before.accounts_due && former.is_some_and(|former| former.fields == user.fields) {
                    tracing::warn!(user = user.id, "the account with this user's email is somebody else's");
                    continue;
                }
                return Err(DirectoryError::Taken("emails"));
            }
            let staff_id = match found {
                Some(staff) => {
                    let is_owner = role == Role::Owner;
                    let changed = self.in_role(provider, &staff, role);
                    // Of a suspended account before it is resumed: nobody is to be an Owner in between.
                    let list = if is_owner || staff.suspended_at.is_some() { &mut given } else { &mut taken };
                    list.extend(changed);
                    given.extend(self.resumed(provider, &staff));
                    taken.extend(self.described(provider, &staff, former, user, is_owner).await?);
                    staff.id
                }
                None => {
                    let created = self.provisioned(provider, &user.fields, role);
                    let id = created.staff.id.clone();
                    given.push(created);
                    id
                }
            };
            after.users[place].staff_id = Some(staff_id);
        }
        let left: HashSet<&str> = after.users.iter().map(|user| user.id.as_str()).collect();
        for user in before.users.iter().filter(|user| !left.contains(user.id.as_str())) {
            let mut user = user.clone();
            user.fields.active = false;
            if let Some(staff) = self.account_of(provider, &user).await? {
                taken.extend(self.suspended(provider, &staff));
            }
        }
        given.extend(taken);
        Ok(given)
    }

    /// The account of a user who has no role now: also of one who never had one, if they are inactive and log in with
    /// the provider.
    async fn account_of(
        &self,
        provider: &IdentityProvider,
        user: &DirectoryUser,
    ) -> Result<Option<Staff>, DirectoryError> {
        if let Some(id) = &user.staff_id {
            return Ok(self.store.staff_by_id(id).await?);
        }
        if user.fields.active {
            return Ok(None);
        }
        match self.store.staff_by_email(&user.fields.email.to_lowercase()).await? {
            Some(staff) if self.store.logs_in_with(&staff.id, &provider.id).await? => Ok(Some(staff)),
            _ => Ok(None),
        }
    }

    fn provisioned(&self, provider: &IdentityProvider, fields: &UserFields, role: Role) -> AccountChange {
        let staff = Staff {
            id: self.random.id(),
            name: valid_name(fields).unwrap_or_default(),
            email: fields.email.clone(),
            role,
            password_hash: String::new(),
            code_seed: None,
            passkeys: 0,
            suspended_at: None,
            created_at: self.clock.now(),
        };
        self.account_change(provider, &staff, AccountStep::Create)
    }

    fn in_role(&self, provider: &IdentityProvider, staff: &Staff, to: Role) -> Option<AccountChange> {
        let change = StaffChange::Role { from: staff.role, to };
        (staff.role != to).then(|| self.account_change(provider, staff, AccountStep::Change(change)))
    }

    fn suspended(&self, provider: &IdentityProvider, staff: &Staff) -> Option<AccountChange> {
        let change = AccountStep::Change(StaffChange::Suspend);
        staff.suspended_at.is_none().then(|| self.account_change(provider, staff, change))
    }

    fn resumed(&self, provider: &IdentityProvider, staff: &Staff) -> Option<AccountChange> {
        let change = AccountStep::Change(StaffChange::Resume);
        staff.suspended_at.is_some().then(|| self.account_change(provider, staff, change))
    }

    /// Name and email as they have changed in the directory.
    async fn described(
        &self,
        provider: &IdentityProvider,
        staff: &Staff,
        former: Option<&DirectoryUser>,
        user: &DirectoryUser,
        stays_owner: bool,
    ) -> Result<Option<AccountChange>, DirectoryError> {
        let (mut name, mut email) = (staff.name.clone(), staff.email.clone());
        if name.is_empty() || former.is_some_and(|former| former.fields.name() != user.fields.name()) {
            name = valid_name(&user.fields).unwrap_or(name);
        }
        if former.is_some_and(|former| former.fields.email != user.fields.email) {
            email.clone_from(&user.fields.email);
        }
        if (&name, &email) == (&staff.name, &staff.email) {
            return Ok(None);
        }
        let holder = self.store.staff_by_email(&email.to_lowercase()).await?;
        if holder.is_some_and(|holder| holder.id != staff.id) {
            return Err(DirectoryError::Taken("emails"));
        }
        Ok(Some(self.account_change(provider, staff, AccountStep::Describe { name, email, stays_owner })))
    }

    fn account_change(&self, provider: &IdentityProvider, staff: &Staff, step: AccountStep) -> AccountChange {
        let provider_name = &provider.name;
        let (action, detail, mail) = match &step {
            AccountStep::Create => {
                ("staff.provisioned", json!({ "provider": provider_name, "role": staff.role }), None)
            }
            AccountStep::Describe { email, .. } => {
                let mail = (*email != staff.email).then(|| mails::email_changed(self, staff, provider_name));
                ("staff.details_changed", json!({ "provider": provider_name }), mail)
            }
            AccountStep::Change(change) => {
                let (action, mut detail) = super::staff::changed(staff, *change);
                detail["provider"] = json!(provider_name);
                (action, detail, mails::account_changed(self, staff, *change))
            }
        };
        let audit =
            self.audit_entry(format!("provider:{}", provider.id), format!("staff:{}", staff.id), action, detail);
        AccountChange { staff: staff.clone(), step, audit, mail }
    }
}

/// A name that we would refuse is left out.
fn valid_name(fields: &UserFields) -> Option<String> {
    name("name", Some(&Input::Text(fields.name()))).ok()
}

/// Checks what a provider says of a user.
fn checked_user(directory: &Directory, id: &str, mut fields: UserFields) -> Result<UserFields, DirectoryError> {
    let UserFields { external_id, user_name, email, display_name, given_name, family_name, active: _ } = &mut fields;
    check_lengths(&[
        ("externalId", external_id.as_deref().unwrap_or_default()),
        ("userName", user_name),
        ("emails", email),
        ("displayName", display_name),
        ("name.givenName", given_name),
        ("name.familyName", family_name),
    ])?;
    if user_name.trim().is_empty() {
        return Err(DirectoryError::Invalid("userName", "A user needs a userName.".into()));
    }
    let sentence = "A user needs an email address, in emails or as userName.";
    let parsed = Email::parse(Some(&Input::Text(email.clone())));
    *email = parsed.map_err(|_| DirectoryError::Invalid("emails", sentence.into()))?.as_str().to_owned();
    let same = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
    for other in directory.users.iter().filter(|other| other.id != id) {
        if same(&other.fields.user_name, user_name) {
            return Err(DirectoryError::Taken("userName"));
        }
        if same(&other.fields.email, email) {
            return Err(DirectoryError::Taken("emails"));
        }
    }
    Ok(fields)
}

fn check_group(directory: &Directory, id: &str, fields: &GroupFields) -> Result<(), DirectoryError> {
    let GroupFields { external_id, name, members } = fields;
    check_lengths(&[("externalId", external_id.as_deref().unwrap_or_default()), ("displayName", name)])?;
    if name.trim().is_empty() {
        return Err(DirectoryError::Invalid("displayName", "A group needs a displayName.".into()));
    }
    let users: HashSet<&str> = directory.users.iter().map(|user| user.id.as_str()).collect();
    if let Some(unknown) = members.iter().find(|member| !users.contains(member.as_str())) {
        let unknown: String = unknown.chars().take(100).collect();
        return Err(DirectoryError::Invalid("members", format!("There is no user {unknown}.")));
    }
    let is_same = |other: &DirectoryGroup| other.fields.name.to_lowercase() == name.to_lowercase();
    if directory.groups.iter().any(|other| other.id != id && is_same(other)) {
        return Err(DirectoryError::Taken("displayName"));
    }
    Ok(())
}

fn check_lengths(attributes: &[(&'static str, &str)]) -> Result<(), DirectoryError> {
    match attributes.iter().find(|(_, text)| text.chars().count() > MAX_LENGTH) {
        Some((attribute, _)) => {
            Err(DirectoryError::Invalid(attribute, format!("This must have at most {MAX_LENGTH} characters.")))
        }
        None => Ok(()),
    }
}
