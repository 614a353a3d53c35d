//! The users and groups that identity providers send, and the accounts that follow them.

use std::collections::{BTreeSet, HashMap};

use super::Db;
use super::in_place::row;
use super::query::{Tx, args};
use super::sign_on::{ProviderRow, providers};
use super::staff::{apply, insert_staff};
use crate::{AuditEntry, NewMail, StaffChange, Stored};
use domain::directory::{Directory, DirectoryGroup, DirectoryUser, GroupFields, UserFields};
use domain::moments::Millis;
use domain::sign_on::IdentityProvider;
use domain::staff::Staff;

/// What a change of a directory means for an account.
#[derive(Debug, Clone)]
pub struct AccountChange {
    /// As it was found, or as it is to be created.
    pub staff: Staff,
    pub step: AccountStep,
    pub audit: AuditEntry,
    pub mail: Option<NewMail>,
}

#[derive(Debug, Clone)]
pub enum AccountStep {
    Create,
    Change(StaffChange),
    /// `stays_owner` says whether the directory makes them an Owner.
    Describe {
        name: String,
        email: String,
        stays_owner: bool,
    },
}

row! {
    struct UserRow {
        id: String,
        external_id: Option<String>,
        user_name: String,
        email: String,
        display_name: String,
        given_name: String,
        family_name: String,
        active: i64,
        staff_id: Option<String>,
        created_at: i64,
        changed_at: i64,
    }
}

row! {
    struct GroupRow {
        id: String,
        external_id: Option<String>,
        name: String,
        created_at: i64,
        changed_at: i64,
    }
}

impl From<UserRow> for DirectoryUser {
    fn from(row: UserRow) -> Self {
        DirectoryUser {
            id: row.id,
            fields: UserFields {
                external_id: row.external_id,
                user_name: row.user_name,
                email: row.email,
                display_name: row.display_name,
                given_name: row.given_name,
                family_name: row.family_name,
                active: row.active == 1,
            },
            staff_id: row.staff_id,
            created_at: row.created_at,
            changed_at: row.changed_at,
        }
    }
}

impl Db {
    /// Makes the token that a provider sends its users and groups with, in place of an earlier one. Without a new one, its
    /// users and groups are deleted. Returns false if there is no such provider.
    pub async fn set_scim_token(&self, provider_id: &str, digest: Option<&str>, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE identity_providers SET scim_token = $2, scim_token_at = $3, scim_used_at = NULL, \
                   directory_version = directory_version + 1 WHERE id = $1";
        if tx.execute(sql, args![provider_id, digest, digest.map(|_| audit.at)]).await? == 0 {
            return Ok(false);
        }
        if digest.is_none() {
            delete_directory(&mut tx, provider_id).await?;
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Finds the provider that sends with this token.
    pub async fn provider_of_scim_token(&self, digest: &str) -> Stored<Option<IdentityProvider>> {
        let sql = concat!(providers!(), " WHERE p.scim_token = $1");
        let row: Option<ProviderRow> = self.fetch_optional(sql, args![digest]).await?;
        row.map(IdentityProvider::try_from).transpose()
    }

    /// Updates when a provider has last sent or asked something.
    pub async fn scim_token_used(&self, provider_id: &str, now: Millis) -> Stored<()> {
        let sql = "UPDATE identity_providers SET scim_used_at = $2 WHERE id = $1 AND COALESCE(scim_used_at, 0) < $2";
        self.execute(sql, args![provider_id, now]).await?;
        Ok(())
    }

    /// Returns the users and groups of a provider.
    pub async fn directory(&self, provider_id: &str) -> Stored<Directory> {
        // First, so that a change meanwhile makes what follows too old to be written.
        let sql = "SELECT directory_version, accounts_due FROM identity_providers WHERE id = $1";
        let version: Option<(i64, i64)> = self.fetch_optional(sql, args![provider_id]).await?;
        let sql = "SELECT id, external_id, user_name, email, display_name, given_name, family_name, active, staff_id, \
                   created_at, changed_at FROM directory_users WHERE provider_id = $1 ORDER BY created_at, id";
        let users: Vec<UserRow> = self.fetch_all(sql, args![provider_id]).await?;
        let sql = "SELECT id, external_id, name, created_at, changed_at FROM directory_groups WHERE provider_id = $1 \
                   ORDER BY created_at, id";
        let groups: Vec<GroupRow> = self.fetch_all(sql, args![provider_id]).await?;
        let sql = "SELECT m.group_id, m.user_id FROM directory_members m JOIN directory_groups g ON g.id = m.group_id \
                   WHERE g.provider_id = $1";
        let rows: Vec<(String, String)> = self.fetch_all(sql, args![provider_id]).await?;
        let mut members: HashMap<String, BTreeSet<String>> = HashMap::new();
        for (group_id, user_id) in rows {
            members.entry(group_id).or_default().insert(user_id);
        }
        let group = |row: GroupRow| DirectoryGroup {
            fields: GroupFields {
                members: members.remove(&row.id).unwrap_or_default(),
                external_id: row.external_id,
                name: row.name,
            },
            id: row.id,
            created_at: row.created_at,
            changed_at: row.changed_at,
        };
        let (version, accounts_due) = version.unwrap_or_default();
        Ok(Directory {
            version,
            accounts_due: accounts_due == 1,
            users: users.into_iter().map(DirectoryUser::from).collect(),
            groups: groups.into_iter().map(group).collect(),
        })
    }

    /// Whether somebody has logged in with this provider.
    pub async fn logs_in_with(&self, staff_id: &str, provider_id: &str) -> Stored<bool> {
        let sql = "SELECT staff_id FROM staff_identities WHERE staff_id = $1 AND provider_id = $2";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![staff_id, provider_id]).await?;
        Ok(!rows.is_empty())
    }

    /// Writes what has changed in a directory, and what it means for accounts, in this order. The last active Owner
    /// keeps role and account. Returns false if the directory, its token of the time `token_at` or an account was changed
    /// meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Taken`](crate::StoreError::Taken)`("staff")` if somebody else has an account's address.
    pub async fn change_directory(
        &self,
        provider_id: &str,
        before: &Directory,
        after: &Directory,
        accounts: &[AccountChange],
        (token_at, at): (Millis, Millis),
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE identity_providers SET directory_version = $3, accounts_due = 0 \
                   WHERE id = $1 AND directory_version = $2 AND scim_token_at = $4";
        if tx.execute(sql, args![provider_id, before.version, after.version, token_at]).await? == 0 {
            return Ok(false);
        }
        if !accounts.is_empty() {
            // Before any account, as whoever else changes accounts does.
            self.lock_owners(&mut tx).await?;
        }
        for change in accounts {
            if !self.follow(&mut tx, provider_id, change, at).await? {
                return Ok(false);
            }
        }
        write_users(&mut tx, provider_id, before, after).await?;
        write_groups(&mut tx, provider_id, before, after).await?;
        let kept: BTreeSet<&str> = after.users.iter().map(|user| user.id.as_str()).collect();
        for user in before.users.iter().filter(|user| !kept.contains(user.id.as_str())) {
            tx.execute("DELETE FROM directory_members WHERE user_id = $1", args![&user.id]).await?;
            tx.execute("DELETE FROM directory_users WHERE id = $1", args![&user.id]).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Returns false if the account was changed meanwhile.
    async fn follow(&self, tx: &mut Tx, provider_id: &str, change: &AccountChange, at: Millis) -> Stored<bool> {
        let staff = &change.staff;
        match &change.step {
            AccountStep::Create => insert_staff(tx, staff).await?,
            AccountStep::Describe { name, email, stays_owner } => {
                // Links that set a password go to the email: who stays Owner against the directory keeps theirs.
                if !stays_owner && self.lock_owners(tx).await? == [staff.id.clone()] {
                    return Ok(true);
                }
                let sql = "UPDATE staff SET name = $2, email = $3, email_key = $4 \
                           WHERE id = $1 AND name = $5 AND email = $6 AND removed_at IS NULL";
                let email_key = email.to_lowercase();
                let changed =
                    tx.execute(sql, args![&staff.id, name, email, &email_key, &staff.name, &staff.email]).await?;
                if changed == 0 {
                    return Ok(false);
                }
                if *email != staff.email {
                    tx.execute("DELETE FROM staff_password_resets WHERE staff_id = $1", args![&staff.id]).await?;
                }
            }
            AccountStep::Change(step) => {
                if step.takes_an_owner() && self.lock_owners(tx).await? == [staff.id.clone()] {
                    tx.audit(&AuditEntry { action: "staff.kept_as_owner", ..change.audit.clone() }).await?;
                    return Ok(true);
                }
                let changed = apply(tx, &staff.id, *step, Some(provider_id), at).await?;
                if !changed && matches!(step, StaffChange::Role { .. }) {
                    return Ok(false);
                }
                // It is suspended already, or by an Owner.
                if !changed {
                    return Ok(true);
                }
            }
        }
        tx.audit(&change.audit).await?;
        if let Some(mail) = &change.mail {
            tx.mail(mail).await?;
        }
        Ok(true)
    }
}

async fn write_users(tx: &mut Tx, provider_id: &str, before: &Directory, after: &Directory) -> Stored<()> {
    let former: HashMap<&str, &DirectoryUser> = before.users.iter().map(|user| (user.id.as_str(), user)).collect();
    for user in after.users.iter().filter(|user| former.get(user.id.as_str()) != Some(user)) {
        let DirectoryUser { id, fields, staff_id, created_at, changed_at } = user;
        let UserFields { external_id, user_name, email, display_name, given_name, family_name, active } = fields;
        tx.execute(
            "INSERT INTO directory_users (id, provider_id, external_id, user_name, email, display_name, \
             given_name, family_name, active, staff_id, created_at, changed_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
             ON CONFLICT (id) DO UPDATE SET external_id = excluded.external_id, user_name = excluded.user_name, \
             email = excluded.email, display_name = excluded.display_name, \
             given_name = excluded.given_name, family_name = excluded.family_name, active = excluded.active, \
             staff_id = excluded.staff_id, changed_at = excluded.changed_at",
            args![
                id,
                provider_id,
                external_id.as_deref(),
                user_name,
                email,
                display_name,
                given_name,
                family_name,
                i64::from(*active),
                staff_id.as_deref(),
                *created_at,
                *changed_at
            ],
        )
        .await?;
    }
    Ok(())
}

async fn write_groups(tx: &mut Tx, provider_id: &str, before: &Directory, after: &Directory) -> Stored<()> {
    let former: HashMap<&str, &DirectoryGroup> = before.groups.iter().map(|group| (group.id.as_str(), group)).collect();
    for group in &after.groups {
        let former = former.get(group.id.as_str()).copied();
        if former == Some(group) {
            continue;
        }
        let DirectoryGroup { id, fields, created_at, changed_at } = group;
        tx.execute(
            "INSERT INTO directory_groups (id, provider_id, external_id, name, created_at, changed_at) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET external_id = excluded.external_id, \
             name = excluded.name, changed_at = excluded.changed_at",
            args![id, provider_id, fields.external_id.as_deref(), &fields.name, *created_at, *changed_at],
        )
        .await?;
        let none = BTreeSet::new();
        let former = former.map_or(&none, |former| &former.fields.members);
        for user_id in former.difference(&fields.members) {
            let sql = "DELETE FROM directory_members WHERE group_id = $1 AND user_id = $2";
            tx.execute(sql, args![id, user_id]).await?;
        }
        for user_id in fields.members.difference(former) {
            let sql = "INSERT INTO directory_members (group_id, user_id) VALUES ($1, $2)";
            tx.execute(sql, args![id, user_id]).await?;
        }
    }
    for group in before.groups.iter().filter(|group| after.group(&group.id).is_none()) {
        tx.execute("DELETE FROM directory_members WHERE group_id = $1", args![&group.id]).await?;
        tx.execute("DELETE FROM directory_groups WHERE id = $1", args![&group.id]).await?;
    }
    Ok(())
}

/// Deletes the users and groups of a provider.
pub(super) async fn delete_directory(tx: &mut Tx, provider_id: &str) -> Stored<()> {
    let sql =
        "DELETE FROM directory_members WHERE group_id IN (SELECT id FROM directory_groups WHERE provider_id = $1)";
    tx.execute(sql, args![provider_id]).await?;
    tx.execute("DELETE FROM directory_groups WHERE provider_id = $1", args![provider_id]).await?;
    tx.execute("DELETE FROM directory_users WHERE provider_id = $1", args![provider_id]).await?;
    Ok(())
}
