//! Invitations to join the staff.

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::query::{Tx, args};
use super::staff::insert_staff;
use super::staff_sessions::insert_session;
use crate::{AuditEntry, NewMail, NewSession, StoreError, Stored};
use domain::moments::Millis;
use domain::role::Role;
use domain::staff::{Invitation, Staff};

/// Columns of `staff_invitations`.
macro_rules! columns {
    () => {
        "id, email, role, digest, invited_by, created_at, sent_at, expires_at"
    };
}

row! {
    struct InvitationRow {
        id: String,
        email: String,
        role: String,
        digest: String,
        invited_by: String,
        created_at: i64,
        sent_at: i64,
        expires_at: i64,
    }
}

impl TryFrom<InvitationRow> for Invitation {
    type Error = StoreError;

    fn try_from(row: InvitationRow) -> Result<Self, StoreError> {
        Ok(Invitation {
            role: Role::parse(&row.role).ok_or_else(|| unreadable("staff_invitations.role", &row.id))?,
            id: row.id,
            email: row.email,
            digest: row.digest,
            invited_by: row.invited_by,
            created_at: row.created_at,
            sent_at: row.sent_at,
            expires_at: row.expires_at,
        })
    }
}

impl Db {
    /// Stores an invitation. Returns false if whoever invites is no longer an active Owner.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("staff")` if a member of staff has the address, `("invitation")` if it is already
    /// invited.
    pub async fn invite(&self, invitation: &Invitation, audit: &AuditEntry, mail: &NewMail) -> Stored<bool> {
        let Invitation { id, email, role, digest, invited_by, created_at, sent_at, expires_at } = invitation;
        let email_key = email.to_lowercase();
        let mut tx = self.begin().await?;
        if !is_owner(&mut tx, invited_by).await? {
            return Ok(false);
        }
        tx.execute(
            "INSERT INTO staff_invitations (id, email, email_key, role, digest, invited_by, created_at, sent_at, \
             expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            args![id, email, &email_key, role.as_str(), digest, invited_by, *created_at, *sent_at, *expires_at],
        )
        .await?;
        not_staff(&mut tx, &email_key).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the invitations, newest first.
    pub async fn invitations(&self) -> Stored<Vec<Invitation>> {
        let sql = concat!("SELECT ", columns!(), " FROM staff_invitations ORDER BY created_at DESC, id DESC");
        let rows: Vec<InvitationRow> = self.fetch_all(sql, args![]).await?;
        rows.into_iter().map(Invitation::try_from).collect()
    }

    pub async fn invitation(&self, id: &str) -> Stored<Option<Invitation>> {
        let sql = concat!("SELECT ", columns!(), " FROM staff_invitations WHERE id = $1");
        let row: Option<InvitationRow> = self.fetch_optional(sql, args![id]).await?;
        row.map(Invitation::try_from).transpose()
    }

    /// Returns the invitation that a mailed secret belongs to, if it can still be accepted. Does not accept it.
    pub async fn invitation_by_secret(&self, digest: &str, now: Millis) -> Stored<Option<Invitation>> {
        let sql = concat!("SELECT ", columns!(), " FROM staff_invitations WHERE digest = $1 AND expires_at > $2");
        let row: Option<InvitationRow> = self.fetch_optional(sql, args![digest, now]).await?;
        row.map(Invitation::try_from).transpose()
    }

    /// Sets another secret, expiry and sender; the earlier mail no longer works. Returns false if there is no such
    /// invitation, or whoever sends it is no longer an active Owner.
    pub async fn renew_invitation(&self, renewed: &Invitation, audit: &AuditEntry, mail: &NewMail) -> Stored<bool> {
        let Invitation { id, digest, invited_by, sent_at, expires_at, .. } = renewed;
        let mut tx = self.begin().await?;
        if !is_owner(&mut tx, invited_by).await? {
            return Ok(false);
        }
        let sql =
            "UPDATE staff_invitations SET digest = $2, sent_at = $3, expires_at = $4, invited_by = $5 WHERE id = $1";
        if tx.execute(sql, args![id, digest, *sent_at, *expires_at, invited_by]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Revokes an invitation. Returns false if there is none.
    pub async fn revoke_invitation(&self, id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        if tx.execute("DELETE FROM staff_invitations WHERE id = $1", args![id]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Turns an invitation into an account with its first session. Returns false if it can no longer be accepted.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("staff")`
    pub async fn take_invitation(
        &self,
        digest: &str,
        staff: &Staff,
        session: &NewSession,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // Of concurrent acceptances, one finds it. The role is still the one that was looked at.
        let sql = "DELETE FROM staff_invitations WHERE digest = $1 AND expires_at > $2 AND role = $3";
        if tx.execute(sql, args![digest, audit.at, staff.role.as_str()]).await? == 0 {
            return Ok(false);
        }
        insert_staff(&mut tx, staff).await?;
        insert_session(&mut tx, &staff.id, session, None, None).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}

/// # Errors
/// [`StoreError::Taken`]`("staff")`
async fn not_staff(tx: &mut Tx, email_key: &str) -> Stored<()> {
    let found: Vec<(i64,)> = tx.fetch_all("SELECT COUNT(*) FROM staff WHERE email_key = $1", args![email_key]).await?;
    if found.first().is_some_and(|(count,)| *count > 0) { Err(StoreError::Taken("staff")) } else { Ok(()) }
}

/// Whether this is an active Owner. Changes nothing, but waits for a concurrent change of that.
async fn is_owner(tx: &mut Tx, staff_id: &str) -> Stored<bool> {
    let sql = "UPDATE staff SET role = 'owner' \
               WHERE id = $1 AND role = 'owner' AND suspended_at IS NULL AND removed_at IS NULL";
    Ok(tx.execute(sql, args![staff_id]).await? == 1)
}
