//! Identity providers, and the staff and applicants who log in with them.

use super::Db;
use super::directory::delete_directory;
use super::error::unreadable;
use super::in_place::row;
use super::query::args;
use super::rows::{ApplicantRow, StaffRow, applicant_columns, staff_columns};
use super::staff::{end_sessions, insert_staff};
use super::staff_sessions::{OpenedBy, insert_session};
use crate::{AuditEntry, NewMail, NewSession, StoreError, Stored};
use domain::account::Applicant;
use domain::moments::Millis;
use domain::role::Role;
use domain::sign_on::{IdentityProvider, LinkedProvider, MAX_PROVIDERS, Provisioning, RoleRules};
use domain::staff::Staff;

/// How somebody who logs in with an identity provider is known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Their identity is linked to the account.
    ByIdentity,
    /// The account has their email, and is to be linked.
    ByEmail,
    /// The account is to be created.
    New,
}

/// Somebody who logs in with an identity provider.
#[derive(Debug, Clone, Copy)]
pub struct SignOnEntry<'a> {
    pub provider_id: &'a str,
    pub subject: &'a str,
    /// The session at the provider.
    pub provider_session: Option<&'a str>,
    /// When the provider last asked who it is.
    pub asked_at: Millis,
    /// As they were found, or as they are to be created.
    pub staff: &'a Staff,
    pub known: Known,
    /// The user in the provider's directory who is to have the account, if nobody has noted it yet.
    pub directory_user: Option<&'a str>,
    /// Their role from now on.
    pub role: Role,
    /// For the record, if that changes it.
    pub role_audit: &'a AuditEntry,
    pub session: &'a NewSession,
    /// Until when the session waits for the second factor.
    pub code_until: Option<Millis>,
}

row! {
    pub(super) struct ProviderRow {
        id: String,
        name: String,
        for_applicants: i64,
        issuer: String,
        client_id: String,
        role_claim: String,
        roles: String,
        second_factor: i64,
        verified_emails: i64,
        created_at: i64,
        scim_token_at: Option<i64>,
        scim_used_at: Option<i64>,
        people: i64,
        users: i64,
        groups: i64,
    }
}

macro_rules! providers {
    () => {
        "SELECT p.id, p.name, p.for_applicants, p.issuer, p.client_id, p.role_claim, p.roles, p.second_factor, p.verified_emails, \
         p.created_at, p.scim_token_at, p.scim_used_at, \
         (SELECT COUNT(*) FROM staff_identities i WHERE i.provider_id = p.id) \
         + (SELECT COUNT(*) FROM applicant_identities a WHERE a.provider_id = p.id) AS people, \
         (SELECT COUNT(*) FROM directory_users u WHERE u.provider_id = p.id) AS users, \
         (SELECT COUNT(*) FROM directory_groups g WHERE g.provider_id = p.id) AS groups \
         FROM identity_providers p"
    };
}

pub(super) use providers;

impl TryFrom<ProviderRow> for IdentityProvider {
    type Error = StoreError;

    fn try_from(row: ProviderRow) -> Result<Self, StoreError> {
        Ok(IdentityProvider {
            roles: serde_json::from_str(&row.roles).map_err(|_| unreadable("identity_providers.roles", &row.id))?,
            id: row.id,
            name: row.name,
            for_applicants: row.for_applicants == 1,
            issuer: row.issuer,
            client_id: row.client_id,
            role_claim: row.role_claim,
            second_factor: row.second_factor == 1,
            verified_emails: row.verified_emails == 1,
            created_at: row.created_at,
            people: row.people,
            provisioning: row.scim_token_at.map(|since| Provisioning {
                since,
                last_used_at: row.scim_used_at,
                users: row.users,
                groups: row.groups,
            }),
        })
    }
}

fn stored_roles(roles: &RoleRules) -> String {
    serde_json::to_string(roles).expect("rules are texts")
}

impl Db {
    /// Returns the identity providers, oldest first.
    pub async fn identity_providers(&self) -> Stored<Vec<IdentityProvider>> {
        let sql = concat!(providers!(), " ORDER BY p.created_at, p.id");
        let rows: Vec<ProviderRow> = self.fetch_all(sql, args![]).await?;
        rows.into_iter().map(IdentityProvider::try_from).collect()
    }

    /// Returns id and name of the providers for applicants, oldest first.
    pub async fn providers_of_applicants(&self) -> Stored<Vec<(String, String)>> {
        let sql = "SELECT id, name FROM identity_providers WHERE for_applicants = 1 ORDER BY created_at, id";
        self.fetch_all(sql, args![]).await
    }

    /// Returns a provider with its sealed secret.
    pub async fn identity_provider(&self, id: &str) -> Stored<Option<(IdentityProvider, String)>> {
        let sql = concat!(providers!(), " WHERE p.id = $1");
        let Some(row) = self.fetch_optional::<ProviderRow>(sql, args![id]).await? else { return Ok(None) };
        let sql = "SELECT client_secret FROM identity_providers WHERE id = $1";
        let secret: Option<(String,)> = self.fetch_optional(sql, args![id]).await?;
        Ok(Some(row.try_into()?).zip(secret.map(|(secret,)| secret)))
    }

    /// Adds a provider with its sealed secret. Returns false if there are as many as there may be.
    pub async fn create_identity_provider(
        &self,
        provider: &IdentityProvider,
        secret: &str,
        created_by: &str,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let IdentityProvider { id, name, issuer, client_id, role_claim, roles, created_at, .. } = provider;
        let roles = stored_roles(roles);
        let mut tx = self.begin().await?;
        let counts: Vec<(i64,)> = tx.fetch_all("SELECT COUNT(*) FROM identity_providers", args![]).await?;
        if counts.first().is_some_and(|(count,)| *count >= MAX_PROVIDERS) {
            return Ok(false);
        }
        tx.execute(
            "INSERT INTO identity_providers (id, name, issuer, client_id, client_secret, role_claim, roles, \
             second_factor, verified_emails, created_at, created_by, for_applicants) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
            args![
                id,
                name,
                issuer,
                client_id,
                secret,
                role_claim,
                &roles,
                i64::from(provider.second_factor),
                i64::from(provider.verified_emails),
                *created_at,
                created_by,
                i64::from(provider.for_applicants)
            ],
        )
        .await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Changes a provider; without a new secret it keeps its own. With another issuer, nobody is linked to it any more:
    /// its subjects are others. Returns false if there is no such provider.
    pub async fn change_identity_provider(
        &self,
        provider: &IdentityProvider,
        secret: Option<&str>,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let IdentityProvider { id, name, issuer, client_id, role_claim, roles, .. } = provider;
        let roles = stored_roles(roles);
        let mut tx = self.begin().await?;
        // Waits for a login that links at the same time.
        tx.execute("UPDATE identity_providers SET issuer = issuer WHERE id = $1", args![id]).await?;
        for sql in [
            "DELETE FROM staff_identities WHERE provider_id = $1 \
             AND (SELECT p.issuer FROM identity_providers p WHERE p.id = $1) <> $2",
            "DELETE FROM applicant_identities WHERE provider_id = $1 \
             AND (SELECT p.issuer FROM identity_providers p WHERE p.id = $1) <> $2",
        ] {
            tx.execute(sql, args![id, issuer]).await?;
        }
        let changed = tx
            .execute(
                "UPDATE identity_providers SET name = $2, issuer = $3, client_id = $4, \
                 client_secret = COALESCE($5, client_secret), role_claim = $6, roles = $7, second_factor = $8, \
                 verified_emails = $9, directory_version = directory_version + 1, \
                 accounts_due = CASE WHEN scim_token IS NULL THEN 0 ELSE 1 END WHERE id = $1",
                args![
                    id,
                    name,
                    issuer,
                    client_id,
                    secret,
                    role_claim,
                    &roles,
                    i64::from(provider.second_factor),
                    i64::from(provider.verified_emails)
                ],
            )
            .await?;
        if changed == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Deletes a provider and ends the sessions that it has opened. Returns false if there is none.
    pub async fn delete_identity_provider(&self, id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // Waits for a change of the directory, and makes another one too late.
        let sql = "UPDATE identity_providers SET directory_version = directory_version + 1 WHERE id = $1";
        if tx.execute(sql, args![id]).await? == 0 {
            return Ok(false);
        }
        let sql = "UPDATE staff_sessions SET revoked_at = COALESCE(revoked_at, $2), provider_id = NULL \
                   WHERE provider_id = $1";
        tx.execute(sql, args![id, audit.at]).await?;
        tx.execute("DELETE FROM staff_identities WHERE provider_id = $1", args![id]).await?;
        tx.execute("DELETE FROM applicant_identities WHERE provider_id = $1", args![id]).await?;
        delete_directory(&mut tx, id).await?;
        tx.execute("UPDATE staff SET suspended_by = NULL WHERE suspended_by = $1", args![id]).await?;
        tx.execute("DELETE FROM identity_providers WHERE id = $1", args![id]).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Finds the member of staff that a provider knows by `subject`. Excludes removed staff.
    pub async fn staff_by_identity(&self, provider_id: &str, subject: &str) -> Stored<Option<Staff>> {
        let sql = concat!(
            "SELECT ",
            staff_columns!(),
            " FROM staff_identities i JOIN staff m ON m.id = i.staff_id \
             WHERE i.provider_id = $1 AND i.subject = $2 AND m.removed_at IS NULL"
        );
        let row: Option<StaffRow> = self.fetch_optional(sql, args![provider_id, subject]).await?;
        row.map(Staff::try_from).transpose()
    }

    /// Finds the applicant that a provider knows by `subject`.
    pub async fn applicant_by_identity(&self, provider_id: &str, subject: &str) -> Stored<Option<Applicant>> {
        let sql = concat!(
            "SELECT ",
            applicant_columns!(),
            " FROM applicant_identities i JOIN applicants ON applicants.id = i.applicant_id \
             WHERE i.provider_id = $1 AND i.subject = $2"
        );
        let row: Option<ApplicantRow> = self.fetch_optional(sql, args![provider_id, subject]).await?;
        row.map(Applicant::try_from).transpose()
    }

    /// Links an applicant's account to an identity, in place of another one of the same provider. Returns false if the
    /// account is closed or disabled, its address is another or not confirmed, the provider has another issuer, or the
    /// identity is linked already.
    pub async fn link_applicant(
        &self,
        provider: &IdentityProvider,
        subject: &str,
        applicant: &Applicant,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // These change nothing, but wait for whoever changes the provider or the account at the same time.
        let sql = "UPDATE identity_providers SET issuer = issuer WHERE id = $1 AND issuer = $2";
        if tx.execute(sql, args![&provider.id, &provider.issuer]).await? == 0 {
            return Ok(false);
        }
        let sql = "UPDATE applicants SET email = email WHERE id = $1 AND email = $2 \
                   AND email_confirmed_at IS NOT NULL AND disabled_at IS NULL AND closed_at IS NULL";
        if tx.execute(sql, args![&applicant.id, &applicant.email]).await? == 0 {
            return Ok(false);
        }
        // The provider may know the address by another subject now.
        let sql = "DELETE FROM applicant_identities WHERE applicant_id = $1 AND provider_id = $2";
        tx.execute(sql, args![&applicant.id, &provider.id]).await?;
        let sql = "INSERT INTO applicant_identities (provider_id, subject, applicant_id, linked_at) \
                   VALUES ($1, $2, $3, $4) ON CONFLICT (provider_id, subject) DO NOTHING";
        if tx.execute(sql, args![&provider.id, subject, &applicant.id, audit.at]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the providers that an applicant logs in with, by name.
    pub async fn linked_providers(&self, applicant_id: &str) -> Stored<Vec<LinkedProvider>> {
        let sql = "SELECT p.id, p.name, i.linked_at \
                   FROM applicant_identities i JOIN identity_providers p ON p.id = i.provider_id \
                   WHERE i.applicant_id = $1 ORDER BY p.name, p.id";
        let rows: Vec<(String, String, i64)> = self.fetch_all(sql, args![applicant_id]).await?;
        let linked = |(provider_id, name, linked_at)| LinkedProvider { provider_id, name, linked_at };
        Ok(rows.into_iter().map(linked).collect())
    }

    /// Unlinks an applicant's account from a provider. Returns false if it was not linked.
    pub async fn unlink_applicant(
        &self,
        applicant_id: &str,
        provider_id: &str,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM applicant_identities WHERE applicant_id = $1 AND provider_id = $2";
        if tx.execute(sql, args![applicant_id, provider_id]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the name of a provider that a member of staff logs in with, or that has sent them.
    pub async fn provider_of_staff(&self, staff_id: &str) -> Stored<Option<String>> {
        let sql = "SELECT p.name FROM identity_providers p \
                   WHERE p.id IN (SELECT i.provider_id FROM staff_identities i WHERE i.staff_id = $1) \
                   OR p.id IN (SELECT u.provider_id FROM directory_users u WHERE u.staff_id = $1) \
                   ORDER BY p.created_at, p.id LIMIT 1";
        let found: Option<(String,)> = self.fetch_optional(sql, args![staff_id]).await?;
        Ok(found.map(|(name,)| name))
    }

    /// Opens a session for somebody whom a provider has named: creates or links the account, and gives it the role. The
    /// last active Owner stays one. Returns false if the account was changed, suspended or removed meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("staff")` if somebody else has the new account's address.
    pub async fn sign_on(&self, entry: SignOnEntry<'_>, audits: &[AuditEntry], mail: Option<&NewMail>) -> Stored<bool> {
        let SignOnEntry { provider_id, subject, provider_session, staff, known, role, session, .. } = entry;
        let at = session.created_at;
        let mut tx = self.begin().await?;
        if entry.directory_user.is_some() {
            // Before Owners, as whoever changes the directory does.
            let sql = "UPDATE identity_providers SET directory_version = directory_version + 1 WHERE id = $1";
            tx.execute(sql, args![provider_id]).await?;
        }
        let owners = self.lock_owners(&mut tx).await?;
        if known == Known::New {
            insert_staff(&mut tx, staff).await?;
        } else {
            let is_last_owner = owners == [staff.id.clone()];
            let role = if is_last_owner { Role::Owner } else { role };
            // Owners keep their password, for when the provider is away.
            let sql = "UPDATE staff SET role = $3, \
                       password_hash = CASE WHEN $3 = 'owner' THEN password_hash ELSE '' END \
                       WHERE id = $1 AND role = $2 AND suspended_at IS NULL AND removed_at IS NULL";
            if tx.execute(sql, args![&staff.id, staff.role.as_str(), role.as_str()]).await? == 0 {
                return Ok(false);
            }
            if role != staff.role {
                tx.audit(entry.role_audit).await?;
            }
            if role != staff.role || known == Known::ByEmail {
                end_sessions(&mut tx, &staff.id, None, at).await?;
                tx.execute("DELETE FROM staff_password_resets WHERE staff_id = $1", args![&staff.id]).await?;
            }
            if role != Role::Owner && staff.role == Role::Owner {
                tx.execute("DELETE FROM staff_invitations WHERE invited_by = $1", args![&staff.id]).await?;
            }
        }
        if known != Known::ByIdentity {
            let sql =
                "INSERT INTO staff_identities (provider_id, subject, staff_id, linked_at) VALUES ($1, $2, $3, $4)";
            tx.execute(sql, args![provider_id, subject, &staff.id, at]).await?;
        }
        if let Some(user) = entry.directory_user {
            let sql = "UPDATE directory_users SET staff_id = $2 WHERE id = $1 AND staff_id IS NULL";
            tx.execute(sql, args![user, &staff.id]).await?;
        }
        let opened_by = OpenedBy { provider_id, session: provider_session, asked_at: entry.asked_at };
        insert_session(&mut tx, &staff.id, session, entry.code_until, Some(opened_by)).await?;
        for audit in audits {
            tx.audit(audit).await?;
        }
        if let Some(mail) = mail {
            tx.mail(mail).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Ends the sessions that a provider has opened: one by the provider's name for it, or all of a subject. Returns how
    /// many, and notes it in the record if there were any.
    pub async fn end_provider_sessions(
        &self,
        provider_id: &str,
        subject: Option<&str>,
        provider_session: Option<&str>,
        audit: &AuditEntry,
    ) -> Stored<u64> {
        let mut tx = self.begin().await?;
        let ended = match (provider_session, subject) {
            (Some(session), _) => {
                let sql = "UPDATE staff_sessions SET revoked_at = $3 \
                           WHERE provider_id = $1 AND provider_session = $2 AND revoked_at IS NULL";
                tx.execute(sql, args![provider_id, session, audit.at]).await?
            }
            (None, Some(subject)) => {
                let sql = "UPDATE staff_sessions SET revoked_at = $3 WHERE provider_id = $1 AND revoked_at IS NULL \
                           AND staff_id IN (SELECT staff_id FROM staff_identities WHERE provider_id = $1 AND subject = $2)";
                tx.execute(sql, args![provider_id, subject, audit.at]).await?
            }
            (None, None) => 0,
        };
        if ended > 0 {
            tx.audit(audit).await?;
        }
        tx.commit().await?;
        Ok(ended)
    }
}
