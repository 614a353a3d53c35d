//! Accounts of staff.

use super::Db;
use super::error::unreadable;
use super::in_place::{joined_row, row};
use super::query::{Tx, args};
use super::rows::{StaffRow, staff_columns};
use crate::{AuditEntry, NewMail, Stored};
use domain::moments::Millis;
use domain::role::Role;
use domain::staff::{ListedStaff, Staff, StaffSummary};

/// A change of somebody's account by an Owner, or their own departure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaffChange {
    Role { from: Role, to: Role },
    Suspend,
    Resume,
    Remove,
}

impl StaffChange {
    /// Whether an active Owner would no longer be one.
    pub fn takes_an_owner(self) -> bool {
        match self {
            StaffChange::Role { to, .. } => to != Role::Owner,
            StaffChange::Suspend | StaffChange::Remove => true,
            StaffChange::Resume => false,
        }
    }
}

/// The outcome of a change of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaffChanged {
    Done,
    /// The account is not as the caller has seen it: somebody else changed it.
    Otherwise,
    /// No active Owner would be left.
    LastOwner,
    /// The caller is no longer an active Owner.
    NoOwner,
}

row! {
    struct SeenRow {
        seen_at: Option<i64>,
    }
}

joined_row! {
    struct ListedRow {
        staff: StaffRow,
        seen: SeenRow,
    }
}

row! {
    struct SummaryRow {
        id: String,
        name: String,
        email: String,
        role: String,
        suspended_at: Option<i64>,
    }
}

impl Db {
    /// # Errors
    /// [`StoreError::Taken`]`("staff")` if a member of staff has the address.
    pub async fn create_staff(&self, staff: &Staff, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        insert_staff(&mut tx, staff).await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Finds a member of staff by lower-case address. Excludes removed staff.
    pub async fn staff_by_email(&self, email_key: &str) -> Stored<Option<Staff>> {
        let sql = concat!("SELECT ", staff_columns!(), " FROM staff m WHERE m.email_key = $1 AND m.removed_at IS NULL");
        let row: Option<StaffRow> = self.fetch_optional(sql, args![email_key]).await?;
        row.map(Staff::try_from).transpose()
    }

    /// Finds a member of staff by id. Excludes removed staff.
    pub async fn staff_by_id(&self, id: &str) -> Stored<Option<Staff>> {
        let sql = concat!("SELECT ", staff_columns!(), " FROM staff m WHERE m.id = $1 AND m.removed_at IS NULL");
        let row: Option<StaffRow> = self.fetch_optional(sql, args![id]).await?;
        row.map(Staff::try_from).transpose()
    }

    /// Returns all staff who are not removed, by name and address.
    pub async fn all_staff(&self) -> Stored<Vec<StaffSummary>> {
        let sql = "SELECT id, name, email, role, suspended_at FROM staff WHERE removed_at IS NULL";
        let rows: Vec<SummaryRow> = self.fetch_all(sql, args![]).await?;
        let summary = |row: SummaryRow| {
            Ok(StaffSummary {
                role: Role::parse(&row.role).ok_or_else(|| unreadable("staff.role", &row.id))?,
                id: row.id,
                name: row.name,
                email: row.email,
                suspended_at: row.suspended_at,
            })
        };
        let mut all_staff = rows.into_iter().map(summary).collect::<Stored<Vec<StaffSummary>>>()?;
        // Here and not in the database: for so few, sorting there takes longer than reading them.
        all_staff.sort_by_cached_key(|staff| (staff.name.to_lowercase(), staff.email.to_lowercase()));
        Ok(all_staff)
    }

    /// Returns the same, with when they were last seen.
    pub async fn listed_staff(&self) -> Stored<Vec<ListedStaff>> {
        let sql = concat!(
            "SELECT ",
            staff_columns!(),
            ", (SELECT MAX(s.last_seen_at) FROM staff_sessions s WHERE s.staff_id = m.id) AS seen_at \
             FROM staff m WHERE m.removed_at IS NULL ORDER BY LOWER(m.name), m.email_key"
        );
        let rows: Vec<ListedRow> = self.fetch_all(sql, args![]).await?;
        let listed = |row: ListedRow| Ok(ListedStaff { staff: row.staff.try_into()?, last_seen_at: row.seen.seen_at });
        rows.into_iter().map(listed).collect()
    }

    pub async fn staff_count(&self) -> Stored<i64> {
        let counts: Vec<(i64,)> =
            self.fetch_all("SELECT COUNT(*) FROM staff WHERE removed_at IS NULL", args![]).await?;
        Ok(counts.first().copied().unwrap_or_default().0)
    }

    pub async fn rename_staff(&self, staff_id: &str, name: &str, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        tx.execute("UPDATE staff SET name = $2 WHERE id = $1", args![staff_id, name]).await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Stores a new hash of the same password, with newer parameters, only if the hash is still `old`.
    pub async fn rehash_staff(&self, staff_id: &str, old: &str, new: &str) -> Stored<()> {
        let sql = "UPDATE staff SET password_hash = $3 WHERE id = $1 AND password_hash = $2";
        self.execute(sql, args![staff_id, old, new]).await?;
        Ok(())
    }

    /// Sets a new password and ends every session but `keep`, only if the hash is still `old`. Returns false otherwise.
    pub async fn change_staff_password(
        &self,
        staff_id: &str,
        (old, new): (&str, &str),
        keep: &str,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE staff SET password_hash = $3 WHERE id = $1 AND password_hash = $2";
        if tx.execute(sql, args![staff_id, old, new]).await? == 0 {
            return Ok(false);
        }
        // A link mailed for the former password no longer works.
        tx.execute("DELETE FROM staff_password_resets WHERE staff_id = $1", args![staff_id]).await?;
        end_sessions(&mut tx, staff_id, Some(keep), audit.at).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Stores a mailed link to a new password, in place of an earlier one.
    pub async fn create_staff_reset(
        &self,
        staff_id: &str,
        digest: &str,
        expires_at: Millis,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<()> {
        let mut tx = self.begin().await?;
        tx.execute(
            "INSERT INTO staff_password_resets (staff_id, digest, expires_at) VALUES ($1, $2, $3) \
             ON CONFLICT (staff_id) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at",
            args![staff_id, digest, expires_at],
        )
        .await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await
    }

    /// Notes something in the record, and mails it.
    pub async fn note_and_mail(&self, audit: &AuditEntry, mail: &NewMail) -> Stored<()> {
        let mut tx = self.begin().await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await
    }

    /// Returns whose link it is, if it can still be used and the account is active. Does not use it up.
    pub async fn staff_reset_owner(&self, digest: &str, now: Millis) -> Stored<Option<Staff>> {
        let sql = concat!(
            "SELECT ",
            staff_columns!(),
            " FROM staff_password_resets r JOIN staff m ON m.id = r.staff_id \
             WHERE r.digest = $1 AND r.expires_at > $2 AND m.suspended_at IS NULL AND m.removed_at IS NULL"
        );
        let row: Option<StaffRow> = self.fetch_optional(sql, args![digest, now]).await?;
        row.map(Staff::try_from).transpose()
    }

    /// Uses up a link to set a new password, and ends every session. Returns false if it can no longer be used.
    pub async fn spend_staff_reset(
        &self,
        digest: &str,
        hash: &str,
        audit: &AuditEntry,
        mail: &NewMail,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "SELECT staff_id FROM staff_password_resets WHERE digest = $1 AND expires_at > $2";
        let found: Vec<(String,)> = tx.fetch_all(sql, args![digest, audit.at]).await?;
        let Some((staff_id,)) = found.first() else { return Ok(false) };
        let sql = "UPDATE staff SET password_hash = $2 WHERE id = $1 AND suspended_at IS NULL AND removed_at IS NULL";
        if tx.execute(sql, args![staff_id, hash]).await? == 0 {
            return Ok(false);
        }
        // Of two at once, or a reset and a change, the second waits for the account and then finds this gone.
        if tx.execute("DELETE FROM staff_password_resets WHERE digest = $1", args![digest]).await? == 0 {
            return Ok(false);
        }
        end_sessions(&mut tx, staff_id, None, audit.at).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Changes an account on behalf of `actor_id`; whatever takes something away ends the account's sessions. Owners
    /// who do this to each other at once wait for one another.
    pub async fn change_staff(
        &self,
        actor_id: &str,
        staff_id: &str,
        change: StaffChange,
        audit: &AuditEntry,
        mail: Option<&NewMail>,
    ) -> Stored<StaffChanged> {
        let mut tx = self.begin().await?;
        let owners = self.lock_owners(&mut tx).await?;
        let is_owner = |id: &str| owners.iter().any(|owner| owner == id);
        // Leaving needs nobody's permission.
        let leaving = actor_id == staff_id && change == StaffChange::Remove;
        if !leaving && !is_owner(actor_id) {
            return Ok(StaffChanged::NoOwner);
        }
        if change.takes_an_owner() && is_owner(staff_id) && owners.len() == 1 {
            return Ok(StaffChanged::LastOwner);
        }
        if !apply(&mut tx, staff_id, change, None, audit.at).await? {
            return Ok(StaffChanged::Otherwise);
        }
        tx.audit(audit).await?;
        if let Some(mail) = mail {
            tx.mail(mail).await?;
        }
        tx.commit().await?;
        Ok(StaffChanged::Done)
    }

    /// Returns the ids of active Owners. Everyone who may take an Owner away passes here one at a time: on SQLite every
    /// transaction does; on PostgreSQL the rows are locked, and read again by those who waited.
    pub(super) async fn lock_owners(&self, tx: &mut Tx) -> Stored<Vec<String>> {
        let owners: Vec<(String,)> = tx
            .fetch_all(
                self.pick(
                    "SELECT id FROM staff WHERE role = 'owner' AND suspended_at IS NULL AND removed_at IS NULL \
                     ORDER BY id",
                    "SELECT id FROM staff WHERE role = 'owner' AND suspended_at IS NULL AND removed_at IS NULL \
                     ORDER BY id FOR UPDATE",
                ),
                args![],
            )
            .await?;
        Ok(owners.into_iter().map(|(id,)| id).collect())
    }

    /// Whether everybody must have a second factor.
    pub async fn second_factor_required(&self) -> Stored<bool> {
        let sql = "SELECT second_factor_since FROM staff_rules WHERE id = 1 AND second_factor_since IS NOT NULL";
        let found: Option<(i64,)> = self.fetch_optional(sql, args![]).await?;
        Ok(found.is_some())
    }

    pub async fn require_second_factor(&self, required: bool, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE staff_rules SET second_factor_since = $1 WHERE id = 1";
        tx.execute(sql, args![required.then_some(audit.at)]).await?;
        tx.audit(audit).await?;
        tx.commit().await
    }
}

pub(super) async fn insert_staff(tx: &mut Tx, staff: &Staff) -> Stored<()> {
    let Staff { id, name, email, role, password_hash, code_seed, passkeys, suspended_at, created_at } = staff;
    let email_key = email.to_lowercase();
    tx.execute(
        "INSERT INTO staff (id, name, email, email_key, role, password_hash, code_seed, passkeys, suspended_at, \
         created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        args![
            id,
            name,
            email,
            &email_key,
            role.as_str(),
            password_hash,
            code_seed.as_deref(),
            *passkeys,
            *suspended_at,
            *created_at
        ],
    )
    .await?;
    Ok(())
}

/// Changes an account and ends its sessions, for an Owner or for the provider `by`, which only resumes what it has
/// suspended. Returns false if the account is not as the change wants it. The caller sees to the last Owner.
pub(super) async fn apply(
    tx: &mut Tx,
    staff_id: &str,
    change: StaffChange,
    by: Option<&str>,
    at: Millis,
) -> Stored<bool> {
    let changed = match change {
        StaffChange::Role { from, to } => {
            let sql = "UPDATE staff SET role = $3 WHERE id = $1 AND role = $2 AND removed_at IS NULL";
            tx.execute(sql, args![staff_id, from.as_str(), to.as_str()]).await?
        }
        StaffChange::Suspend => {
            let sql = "UPDATE staff SET suspended_at = $2, suspended_by = $3 \
                       WHERE id = $1 AND suspended_at IS NULL AND removed_at IS NULL";
            tx.execute(sql, args![staff_id, at, by]).await?
        }
        StaffChange::Resume => {
            let sql = "UPDATE staff SET suspended_at = NULL, suspended_by = NULL \
                       WHERE id = $1 AND suspended_at IS NOT NULL AND removed_at IS NULL \
                       AND ($2 = '' OR suspended_by = $2)";
            tx.execute(sql, args![staff_id, by.unwrap_or_default()]).await?
        }
        StaffChange::Remove => {
            let sql = "UPDATE staff SET removed_at = $2, email = '', email_key = 'removed ' || id, \
                       password_hash = '', code_seed = NULL, passkeys = 0 \
                       WHERE id = $1 AND removed_at IS NULL";
            tx.execute("DELETE FROM list_views WHERE staff_id = $1 AND shared = 0", args![staff_id]).await?;
            tx.execute("DELETE FROM list_layouts WHERE staff_id = $1", args![staff_id]).await?;
            tx.execute("DELETE FROM figure_report_mails WHERE staff_id = $1", args![staff_id]).await?;
            tx.execute("DELETE FROM staff_recovery_codes WHERE staff_id = $1", args![staff_id]).await?;
            tx.execute("DELETE FROM staff_passkeys WHERE staff_id = $1", args![staff_id]).await?;
            tx.execute("DELETE FROM staff_identities WHERE staff_id = $1", args![staff_id]).await?;
            tx.execute("UPDATE directory_users SET staff_id = NULL WHERE staff_id = $1", args![staff_id]).await?;
            tx.execute(sql, args![staff_id, at]).await?
        }
    };
    if changed == 0 {
        return Ok(false);
    }
    if change.takes_an_owner() {
        // Nobody can join on an invitation from somebody who can no longer invite.
        tx.execute("DELETE FROM staff_invitations WHERE invited_by = $1", args![staff_id]).await?;
    }
    if change != StaffChange::Resume {
        end_sessions(tx, staff_id, None, at).await?;
    }
    Ok(true)
}

pub(super) async fn end_sessions(tx: &mut Tx, staff_id: &str, keep: Option<&str>, now: Millis) -> Stored<()> {
    let sql = "UPDATE staff_sessions SET revoked_at = $3 WHERE staff_id = $1 AND id <> $2 AND revoked_at IS NULL";
    tx.execute(sql, args![staff_id, keep.unwrap_or_default(), now]).await?;
    Ok(())
}
